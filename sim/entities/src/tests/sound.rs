//! Sounds that are switched, called and faded, tick by tick.

use super::{Boxes, TICK, entity, pass};
use crate::{Kind, Simulation, Speaker, SpeakerMoment};

fn simulation(speaker: Speaker) -> Simulation {
    Simulation::new(vec![entity("horn", Kind::Speaker(speaker), &[])], TICK)
}

fn moment(simulation: &Simulation) -> SpeakerMoment {
    let Kind::Speaker(speaker) = &simulation.entities()[0].kind else {
        panic!("it is a speaker");
    };
    speaker.moment(simulation.tick_number(), simulation.tick_secs())
}

#[test]
fn a_loop_is_switched_and_not_begun_twice() {
    let mut simulation = simulation(Speaker::new(true, false, 0.5));
    let mut shapes = Boxes::default();
    pass(&mut simulation, 3, &mut shapes);
    assert!(!moment(&simulation).is_on);
    let mut facts = Vec::new();
    for input in [
        "PlaySound",
        "PlaySound",
        "StopSound",
        "ToggleSound",
        "ToggleSound",
    ] {
        simulation.send(0, input, "");
        pass(&mut simulation, 2, &mut shapes);
        let SpeakerMoment { is_on, n_calls, .. } = moment(&simulation);
        facts.push((is_on, n_calls));
    }
    let expected = [(true, 1), (true, 1), (false, 1), (true, 2), (false, 2)];
    assert_eq!(facts, expected);
}

#[test]
fn what_plays_once_is_called_each_time() {
    let mut simulation = simulation(Speaker::new(false, true, 1.0));
    let mut shapes = Boxes::default();
    assert_eq!(moment(&simulation).n_calls, 0);
    pass(&mut simulation, 1, &mut shapes);
    assert_eq!(moment(&simulation).n_calls, 1, "it begins with the level");
    for input in ["PlaySound", "StopSound", "PlaySound"] {
        simulation.send(0, input, "");
        pass(&mut simulation, 1, &mut shapes);
    }
    assert_eq!(moment(&simulation).n_calls, 3);
    assert!(moment(&simulation).is_on, "it continues to its end");
}

#[test]
fn volume_fades_evenly() {
    let mut speaker = Speaker::new(true, true, 0.8);
    speaker.fade_out_secs = 1.0;
    speaker.fade_in_secs = 0.25;
    let mut simulation = simulation(speaker);
    let mut shapes = Boxes::default();
    let volume = |it: &Simulation| (moment(it).volume * 1000.0).round() / 1000.0;
    assert!(moment(&simulation).is_on);
    assert_eq!(volume(&simulation), 0.0, "it fades in");
    pass(&mut simulation, 16, &mut shapes);
    assert_eq!(volume(&simulation), 0.8);
    simulation.send(0, "FadeOut", "2");
    pass(&mut simulation, 1 + 64, &mut shapes);
    assert_eq!(volume(&simulation), 0.4);
    simulation.send(0, "FadeIn", "0.5");
    pass(&mut simulation, 1 + 16, &mut shapes);
    assert_eq!(
        volume(&simulation),
        // From 0.8 * (1 - 65 / 128).
        0.597,
        "half of the way from where it was"
    );
    pass(&mut simulation, 32, &mut shapes);
    assert_eq!(volume(&simulation), 0.8);
    simulation.send(0, "Volume", "4");
    simulation.send(0, "Pitch", "150");
    pass(&mut simulation, 1, &mut shapes);
    assert_eq!((volume(&simulation), moment(&simulation).rate), (0.4, 1.5));
    simulation.send(0, "StopSound", "");
    pass(&mut simulation, 1 + 32, &mut shapes);
    assert_eq!(
        (volume(&simulation), moment(&simulation).is_on),
        (0.2, true)
    );
    pass(&mut simulation, 32, &mut shapes);
    assert!(!moment(&simulation).is_on);
}
