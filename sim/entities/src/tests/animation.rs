//! Models that play sequences, tick by tick.

use std::sync::Arc;

use super::{Boxes, TICK, entity, fired, pass};
use crate::{Animator, Clip, Kind, RandomClips, Simulation, Switch};

/// `idle` loops for a second, `wave` lasts half a second, `pose` is one frame.
fn animator(default: Option<usize>) -> Animator {
    let clip = |name: &str, length_secs, loops| Clip {
        name: name.into(),
        length_secs,
        loops,
    };
    let clips = [
        clip("idle", 1.0, true),
        clip("wave", 0.5, false),
        clip("pose", 0.0, false),
    ];
    let mut animator = Animator::new(Arc::new(clips), 0, Switch::new(true));
    animator.default = default;
    animator
}

fn simulation(animator: Animator) -> Simulation {
    let outputs = [
        "OnAnimationBegun target Begun - 0 -",
        "OnAnimationDone target Done - 0 -",
    ];
    Simulation::new(
        vec![entity("figure", Kind::Animator(animator), &outputs)],
        TICK,
    )
}

fn moment(simulation: &Simulation) -> (usize, f64) {
    let Kind::Animator(animator) = &simulation.entities()[0].kind else {
        panic!("it is an animator");
    };
    animator.moment(simulation.tick_number(), simulation.tick_secs())
}

fn outputs(simulation: &Simulation) -> Vec<String> {
    let all = fired(simulation).into_iter();
    all.filter(|it| it.contains(" figure.On")).collect()
}

#[test]
fn without_a_default_the_first_frame_stands() {
    let mut simulation = simulation(animator(None));
    pass(&mut simulation, 100, &mut Boxes::default());
    assert_eq!(moment(&simulation), (0, 0.0));
    assert_eq!(outputs(&simulation), [] as [&str; 0]);
}

#[test]
fn a_sequence_ends_and_the_default_begins_again() {
    let mut simulation = simulation(animator(Some(0)));
    let mut shapes = Boxes::default();
    pass(&mut simulation, 80, &mut shapes);
    assert_eq!(moment(&simulation), (0, 0.25), "a loop of 64 ticks");
    simulation.send(0, "setanimation", "WAVE");
    pass(&mut simulation, 1 + 16, &mut shapes);
    assert_eq!(moment(&simulation), (1, 0.25));
    pass(&mut simulation, 16 + 8, &mut shapes);
    assert_eq!(moment(&simulation), (0, 0.125), "8 ticks of the default");
    let begun =
        [0, 81, 81 + 32].map(|tick| format!("{tick} figure.OnAnimationBegun target.Begun()"));
    let done = "113 figure.OnAnimationDone target.Done()".to_owned();
    let [first, second, third] = begun;
    assert_eq!(outputs(&simulation), [first, second, done, third]);
}

#[test]
fn what_holds_stays_at_its_last_frame() {
    let mut animator = animator(Some(0));
    animator.holds = true;
    let mut simulation = simulation(animator);
    let mut shapes = Boxes::default();
    simulation.send(0, "SetAnimation", "wave");
    pass(&mut simulation, 200, &mut shapes);
    assert_eq!(moment(&simulation), (1, 0.5));
    simulation.send(0, "SetAnimation", "nothing of the model");
    pass(&mut simulation, 1, &mut shapes);
    assert_eq!(moment(&simulation), (1, 0.5));
    let n_done = outputs(&simulation)
        .iter()
        .filter(|it| it.contains("Done"))
        .count();
    assert_eq!(n_done, 1);
}

#[test]
fn speed_changes_without_a_leap_and_runs_backward() {
    let mut simulation = simulation(animator(Some(0)));
    let mut shapes = Boxes::default();
    pass(&mut simulation, 15, &mut shapes);
    simulation.send(0, "SetPlaybackRate", "2");
    pass(&mut simulation, 1, &mut shapes);
    assert_eq!(moment(&simulation), (0, 0.25));
    pass(&mut simulation, 16, &mut shapes);
    assert_eq!(moment(&simulation), (0, 0.75));
    simulation.send(0, "SetPlaybackRate", "-1");
    simulation.send(0, "SetAnimation", "wave");
    pass(&mut simulation, 1 + 8, &mut shapes);
    assert_eq!(moment(&simulation), (1, 0.375), "from its end");
    pass(&mut simulation, 24, &mut shapes);
    let done = outputs(&simulation)
        .into_iter()
        .filter(|it| it.contains("Done"));
    assert_eq!(
        done.collect::<Vec<_>>(),
        ["65 figure.OnAnimationDone target.Done()"]
    );
}

#[test]
fn one_that_plays_is_not_reset_by_the_same() {
    let mut simulation = simulation(animator(Some(0)));
    let mut shapes = Boxes::default();
    pass(&mut simulation, 16, &mut shapes);
    simulation.send(0, "SetAnimationNoReset", "idle");
    pass(&mut simulation, 1, &mut shapes);
    assert_eq!(moment(&simulation), (0, 17.0 / 64.0));
    simulation.send(0, "SetAnimation", "idle");
    pass(&mut simulation, 1, &mut shapes);
    assert_eq!(moment(&simulation), (0, 0.0));
}

#[test]
fn a_single_frame_takes_a_tenth_of_a_second() {
    let mut simulation = simulation(animator(Some(2)));
    pass(&mut simulation, 64, &mut Boxes::default());
    let done = outputs(&simulation)
        .into_iter()
        .filter(|it| it.contains("Done"));
    // 6.4 ticks are over with the seventh.
    assert_eq!(done.count(), 64 / 7);
}

#[test]
fn chance_chooses_among_sequences() {
    let mut animator = animator(None);
    animator.random = RandomClips::new(vec![0, 1], [1.0, 3.0]);
    assert_eq!(RandomClips::new(Vec::new(), [1.0, 3.0]), None);
    let mut simulation = simulation(animator);
    let mut shapes = Boxes::default();
    let mut shown = [0, 0];
    for _ in 0..64 * 60 {
        simulation.tick(&mut shapes);
        shown[moment(&simulation).0] += 1;
    }
    let begun: Vec<u64> = (outputs(&simulation).iter())
        .filter_map(|it| {
            it.split_once(' ')
                .filter(|(_, what)| what.contains("Begun"))
        })
        .map(|(tick, _)| tick.parse().unwrap())
        .collect();
    assert!(begun.len() > 15, "{begun:?}");
    assert!(
        begun
            .windows(2)
            .all(|it| (64..=192).contains(&(it[1] - it[0]))),
        "{begun:?}"
    );
    assert!(shown.iter().all(|n| *n > 640), "{shown:?}");
}
