//! A lift with a button and two doors.

use glam::DVec3;

use super::*;
use crate::{Button, Door, DoorOpening, Slide, Way};

/// Straight up, or along x.
fn way(direction: DVec3, length: f64, speed: f64) -> Slide {
    Slide::new(Way::Straight(direction), length, speed)
}

fn door(name: &str, connections: &[&str]) -> Entity {
    let slide = way(DVec3::X, 40.0, 80.0);
    let mut door = Door::new(slide, -1.0, DoorOpening::default());
    door.is_toggle = true;
    Entity {
        is_solid: true,
        ..entity(name, Kind::Door(door), connections)
    }
}

/// The button closes the lower door; closed, it sends the lift up; that, half a second after it has come, opens the upper
/// door. The button goes in 4 units at 16 a second and comes out after a second.
fn simulation() -> Simulation {
    let button = Button::new(way(DVec3::Y, 4.0, 16.0), 1.0);
    let lift = Door::new(way(DVec3::Z, 100.0, 50.0), -1.0, DoorOpening::default());
    let lower = Door::new(way(DVec3::X, 40.0, 80.0), -1.0, DoorOpening::default()).at_share(1.0);
    let entities = vec![
        entity(
            "button",
            Kind::Button(button),
            &["OnPressed door_low* Close - 0 -1", "OnIn lamp TurnOn - 0 1"],
        ),
        Entity {
            is_solid: true,
            ..entity(
                "lift",
                Kind::Door(lift),
                &["OnFullyOpen door_high Open - 0.5 -1"],
            )
        },
        entity(
            "door_lower",
            Kind::Door(lower),
            &["OnFullyClosed lift Open - 0.25 -1"],
        ),
        door("door_high", &["OnFullyOpen !self FireUser1 - 0 -1"]),
    ];
    Simulation::new(entities, TICK)
}

#[test]
fn a_lift_with_a_button_and_two_doors_runs_as_computed_by_hand() {
    let mut simulation = simulation();
    let mut shapes = Boxes::default();
    pass(&mut simulation, 10, &mut shapes);
    assert_eq!(fired(&simulation), [""; 0]);
    assert!(simulation.use_entity(0), "in tick 10");
    pass(&mut simulation, 400, &mut shapes);
    // A quarter of a unit in each tick.
    let button_in = 10 + (4.0 / (16.0 * TICK)) as u64;
    // The input is received in tick 11; the door moves 1.25 units in each tick from 12 on.
    let closed = 11 + (40.0 / (80.0 * TICK)) as u64;
    // A quarter of a second later the lift begins, with 50/64 units in each tick.
    let lift_starts = closed + 16;
    let lift_there = lift_starts + (100.0 / (50.0 * TICK)) as u64;
    let opens = lift_there + 32;
    let open = opens + (40.0 / (80.0 * TICK)) as u64;
    assert_eq!(
        fired(&simulation),
        [
            "10 button.OnPressed door_low*.Close()".to_owned(),
            format!("{button_in} button.OnIn lamp.TurnOn()"),
            format!("{closed} door_lower.OnFullyClosed lift.Open()"),
            format!("{lift_there} lift.OnFullyOpen door_high.Open()"),
            format!("{open} door_high.OnFullyOpen !self.FireUser1()"),
        ]
    );
    assert_eq!((closed, lift_there, open), (43, 187, 251));
}

#[test]
fn every_place_on_the_way_is_a_whole_number_of_steps() {
    let mut simulation = simulation();
    simulation.use_entity(0);
    // Tick 1 delivers, ticks 2 to 33 close, tick 49 sends the lift.
    for tick in 1..=200_u32 {
        simulation.tick(&mut Boxes::default());
        let moved = f64::from(tick.saturating_sub(49).min(128));
        assert_eq!(height(&simulation, 1), moved * 50.0 / 64.0, "tick {tick}");
        let closed = f64::from(tick.saturating_sub(1).min(32));
        let at = position(&simulation, 2).x;
        assert_eq!(at, 40.0 - closed * 80.0 / 64.0, "tick {tick}");
    }
}

#[test]
fn a_button_comes_out_after_its_wait_and_fires_a_connection_only_as_often_as_that_says() {
    let mut simulation = simulation();
    for _ in 0..3 {
        simulation.use_entity(0);
        // 16 ticks in, a second there, 16 ticks out.
        pass(&mut simulation, 16, &mut Boxes::default());
        assert_eq!(position(&simulation, 0).y, 4.0);
        pass(&mut simulation, 64, &mut Boxes::default());
        assert_eq!(
            position(&simulation, 0).y,
            4.0,
            "it comes out from the next tick on"
        );
        pass(&mut simulation, 16, &mut Boxes::default());
        assert_eq!(position(&simulation, 0).y, 0.0);
    }
    let lamps = fired(&simulation).into_iter();
    let lamps: Vec<_> = lamps.filter(|it| it.contains("lamp")).collect();
    assert_eq!(lamps, ["16 button.OnIn lamp.TurnOn()"]);
}

#[test]
fn the_same_inputs_in_the_same_ticks_give_the_same_places() {
    let run = || {
        let mut simulation = simulation();
        for tick in 0..500 {
            match tick {
                20 | 300 => drop(simulation.use_entity(0)),
                150 => simulation.send(1, "Close", ""),
                _ => {}
            }
            simulation.tick(&mut Boxes::default());
        }
        let places: Vec<_> = simulation.entities().iter().map(|it| it.place).collect();
        (places, fired(&simulation))
    };
    assert_eq!(run(), run());
}
