//! Trains along tracks.

use glam::DVec3;

use super::*;
use crate::{Place, Track, Train};

fn node(name: &str, origin: [f64; 3], track: Track) -> Entity {
    Entity {
        place: Place {
            origin: DVec3::from_array(origin),
            angles: DVec3::ZERO,
        },
        ..entity(name, Kind::Track(track), &["OnPass x y - 0 -1"])
    }
}

/// A corner of 100 units along x and then y; the train goes a unit in each tick, half of one from the second node on.
fn corner(change: impl FnOnce(&mut Vec<Entity>)) -> Simulation {
    let track = |next: Option<usize>, previous: Option<usize>| Track {
        next: [next, None],
        previous,
        ..Track::default()
    };
    let mut train = Train::new(Some(1), 64.0);
    train.wheels = Some(10.0);
    let mut entities = vec![
        entity("train", Kind::Train(train), &[]),
        node("a", [0.0; 3], track(Some(2), None)),
        node(
            "b",
            [100.0, 0.0, 0.0],
            Track {
                speed: 32.0,
                ..track(Some(3), Some(1))
            },
        ),
        node("c", [100.0, 100.0, 0.0], track(None, Some(2))),
    ];
    change(&mut entities);
    Simulation::new(entities, TICK)
}

#[test]
fn a_train_runs_along_its_track_and_turns_with_it() {
    let mut simulation = corner(|_| {});
    let mut shapes = Boxes::default();
    pass(&mut simulation, 5, &mut shapes);
    assert_eq!(
        position(&simulation, 0),
        DVec3::ZERO,
        "it stands until it is started"
    );
    simulation.send(0, "StartForward", "");
    pass(&mut simulation, 51, &mut shapes);
    assert_eq!(position(&simulation, 0), DVec3::new(50.0, 0.0, 0.0));
    pass(&mut simulation, 50, &mut shapes);
    assert_eq!(fired(&simulation)[1..], ["106 b.OnPass x.y()"]);
    pass(&mut simulation, 100, &mut shapes);
    assert_eq!(position(&simulation, 0), DVec3::new(100.0, 50.0, 0.0));
    assert_eq!(
        simulation.entities()[0].place.angles,
        DVec3::new(0.0, 90.0, 0.0)
    );
    pass(&mut simulation, 100, &mut shapes);
    assert_eq!(fired(&simulation)[2..], ["306 c.OnPass x.y()"]);
    pass(&mut simulation, 100, &mut shapes);
    assert_eq!(position(&simulation, 0), DVec3::new(100.0, 100.0, 0.0));
    simulation.send(0, "StartBackward", "");
    pass(&mut simulation, 400, &mut shapes);
    assert_eq!(position(&simulation, 0), DVec3::ZERO);
}

#[test]
fn a_train_waits_where_its_track_says_and_takes_forks() {
    let mut simulation = corner(|entities| {
        let Kind::Track(b) = &mut entities[2].kind else {
            unreachable!("it is a node");
        };
        b.wait_secs = 0.5;
        b.speed = 0.0;
        b.next[1] = Some(4);
        entities.push(node("d", [200.0, 0.0, 0.0], Track::default()));
    });
    let mut shapes = Boxes::default();
    simulation.send(0, "StartForward", "");
    simulation.send(2, "EnableAlternatePath", "");
    // There in tick 101; it moves on in the 32nd tick from then.
    pass(&mut simulation, 101 + 31, &mut shapes);
    assert_eq!(position(&simulation, 0).x, 100.0);
    pass(&mut simulation, 1, &mut shapes);
    assert_eq!(position(&simulation, 0).x, 101.0);
    pass(&mut simulation, 200, &mut shapes);
    assert_eq!(position(&simulation, 0), DVec3::new(200.0, 0.0, 0.0));
    simulation.send(0, "TeleportToPathTrack", "a");
    pass(&mut simulation, 1, &mut shapes);
    assert_eq!(position(&simulation, 0), DVec3::ZERO);
}

#[test]
fn tracks_without_length_end_nothing_but_the_tick() {
    let mut simulation = corner(|entities| {
        for entity in &mut entities[1..] {
            entity.place = Place::default();
        }
        if let Kind::Track(c) = &mut entities[3].kind {
            c.next = [Some(1), None];
        }
    });
    simulation.send(0, "StartForward", "");
    pass(&mut simulation, 10, &mut Boxes::default());
    assert_eq!(simulation.tick_number(), 10);
}

/// How often the train has begun and ended to move, and called.
fn heard(simulation: &Simulation) -> [u64; 3] {
    let moves = simulation.moves_of(0);
    let Kind::Train(train) = &simulation.entities()[0].kind else {
        unreachable!("it is a train");
    };
    [moves.n_begun, moves.n_ended, train.n_calls()]
}

#[test]
fn a_train_is_heard_as_it_starts_calls_and_stops() {
    let mut simulation = corner(|entities| {
        if let Kind::Train(train) = &mut entities[0].kind {
            train.fast = Some(128.0);
            train.call_secs = Some([1.0, 0.5]);
        }
    });
    let mut shapes = Boxes::default();
    pass(&mut simulation, 10, &mut shapes);
    assert_eq!(heard(&simulation), [0, 0, 0]);
    simulation.send(0, "StartForward", "");
    pass(&mut simulation, 1, &mut shapes);
    assert_eq!(
        heard(&simulation),
        [0, 0, 0],
        "it moves from the next tick on"
    );
    pass(&mut simulation, 1, &mut shapes);
    assert_eq!(heard(&simulation), [1, 0, 0]);
    // At 64 of 128 it calls every 0.75 seconds: after 48 ticks and 96 ticks.
    pass(&mut simulation, 47, &mut shapes);
    assert_eq!(heard(&simulation), [1, 0, 0]);
    pass(&mut simulation, 1, &mut shapes);
    assert_eq!(heard(&simulation), [1, 0, 1]);
    pass(&mut simulation, 48, &mut shapes);
    assert_eq!(heard(&simulation), [1, 0, 2]);
    // At half the speed from the corner on, which it reaches before the next call: then every 56 ticks.
    pass(&mut simulation, 48 + 56, &mut shapes);
    assert_eq!(heard(&simulation), [1, 0, 4]);
    simulation.send(0, "Stop", "");
    pass(&mut simulation, 2, &mut shapes);
    assert_eq!(heard(&simulation), [1, 1, 4]);
    pass(&mut simulation, 200, &mut shapes);
    assert_eq!(heard(&simulation), [1, 1, 4], "none while it stands");
    simulation.send(0, "Resume", "");
    pass(&mut simulation, 2, &mut shapes);
    assert_eq!(heard(&simulation), [2, 1, 4]);
}

#[test]
fn the_share_of_speed_is_that_of_a_fast_train_or_its_own() {
    let mut train = Train::new(None, 200.0);
    train.speed = -50.0;
    assert_eq!(train.share_of_speed(), 0.25);
    train.fast = Some(1000.0);
    assert_eq!(train.share_of_speed(), 0.05);
    train.speed = 2000.0;
    assert_eq!(train.share_of_speed(), 1.0);
    train.fast = Some(0.0);
    assert_eq!(train.share_of_speed(), 0.0);
}
