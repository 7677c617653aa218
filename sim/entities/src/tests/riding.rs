//! Walkers on movers, in their way and in triggers.

use glam::{DVec3, Vec3};

use super::*;
use crate::{Body, Door, DoorOpening, Place, Slide, Trigger, TriggerEffect, Way};

const GAP: f32 = 1.0 / 32.0;

fn body(feet: Vec3) -> Body {
    Body {
        feet,
        bounds: [Vec3::new(-16.0, -16.0, 0.0), Vec3::new(16.0, 16.0, 72.0)],
        facing: Vec3::X,
        ground: None,
    }
}

/// A plate of 64 x 64 x 8 units at the origin that goes 100 units along a direction, 64 a second, and closes by itself.
fn plate(direction: DVec3) -> (Simulation, Boxes) {
    let slide = Slide::new(Way::Straight(direction), 100.0, 64.0);
    let plate = Door::new(slide, 1.0, DoorOpening::default());
    let entities = vec![Entity {
        is_solid: true,
        ..entity("plate", Kind::Door(plate), &["OnBlockedOpening x y - 0 -1"])
    }];
    let half = Vec3::new(32.0, 32.0, 4.0);
    let shapes = Boxes {
        entities: vec![Some([-half, half])],
        level: Vec::new(),
    };
    (Simulation::new(entities, TICK), shapes)
}

#[test]
fn who_stands_on_a_mover_is_carried_by_as_much_as_it_moves() {
    for direction in [DVec3::Z, DVec3::NEG_Z, DVec3::X] {
        let (mut simulation, mut shapes) = plate(direction);
        let stands = Vec3::new(4.0, 0.0, 4.0 + GAP);
        simulation.set_body(Some(Body {
            ground: Some(0),
            ..body(stands)
        }));
        simulation.send(0, "Open", "");
        pass(&mut simulation, 31, &mut shapes);
        let carried = simulation.take_arrival().carried;
        assert_eq!(carried, (direction * 30.0).as_vec3(), "a unit in each tick");
        assert_eq!(simulation.take_arrival().carried, Vec3::ZERO, "taken once");
    }
}

#[test]
fn a_mover_pushes_who_is_in_its_way_and_turns_back_where_there_is_no_room() {
    let (mut simulation, mut shapes) = plate(DVec3::X);
    // A wall 20 units behind the walker, who is 8 units before the plate.
    let feet = Vec3::new(32.0 + 8.0 + 16.0, 0.0, -40.0);
    let wall = feet.x + 16.0 + 20.0;
    shapes.level.push([
        Vec3::new(wall, -100.0, -100.0),
        Vec3::new(wall + 8.0, 100.0, 100.0),
    ]);
    simulation.set_body(Some(body(feet)));
    simulation.send(0, "Open", "");
    // Tick 2 is the first of its motion; in tick 10 it would be 9 units away.
    pass(&mut simulation, 9, &mut shapes);
    assert_eq!(simulation.take_arrival().carried, Vec3::ZERO);
    pass(&mut simulation, 20, &mut shapes);
    assert_eq!(simulation.take_arrival().carried, Vec3::X * 20.0);
    assert_eq!(position(&simulation, 0).x, 28.0);
    assert_eq!(fired(&simulation), ["0 . plate.Open()"]);
    pass(&mut simulation, 1, &mut shapes);
    assert_eq!(fired(&simulation)[1..], ["30 plate.OnBlockedOpening x.y()"]);
    pass(&mut simulation, 28, &mut shapes);
    assert_eq!(position(&simulation, 0).x, 0.0, "it goes back at once");
    assert_eq!(simulation.take_arrival().carried, Vec3::ZERO);
}

#[test]
fn who_stands_on_what_another_entity_carries_is_carried_around_with_it() {
    let hinge = Slide::new(Way::Around(DVec3::Y), 90.0, 64.0);
    let entities = vec![
        entity(
            "hinge",
            Kind::Door(Door::new(hinge, -1.0, DoorOpening::default())),
            &[],
        ),
        Entity {
            is_solid: true,
            parent: Some(0),
            place: Place {
                origin: DVec3::new(100.0, 0.0, 0.0),
                angles: DVec3::ZERO,
            },
            ..entity("floor", Kind::Other, &[])
        },
    ];
    let half = Vec3::new(32.0, 32.0, 4.0);
    let mut shapes = Boxes {
        entities: vec![None, Some([-half, half])],
        level: Vec::new(),
    };
    let mut simulation = Simulation::new(entities, TICK);
    assert!(simulation.may_move(1));
    let feet = Vec3::new(110.0, 0.0, 4.0 + GAP);
    simulation.set_body(Some(Body {
        ground: Some(1),
        ..body(feet)
    }));
    simulation.send(0, "Open", "");
    pass(&mut simulation, 200, &mut shapes);
    let at = feet + simulation.take_arrival().carried;
    assert!((at - Vec3::new(0.0, 110.0, feet.z)).length() < 1e-3, "{at}");
    assert_eq!(position(&simulation, 1), DVec3::new(0.0, 100.0, 0.0));
}

#[test]
fn a_door_opens_to_who_comes_and_closes_behind() {
    let slide = Slide::new(Way::Straight(DVec3::Z), 64.0, 64.0);
    let opening = DoorOpening {
        by_touch: true,
        ..DoorOpening::default()
    };
    let entities = vec![Entity {
        is_solid: true,
        ..entity(
            "door",
            Kind::Door(Door::new(slide, 0.5, opening)),
            &["OnOpen x y - 0 -1", "OnFullyClosed x y - 0 -1"],
        )
    }];
    let mut shapes = Boxes {
        entities: vec![Some([
            Vec3::new(-4.0, -32.0, 0.0),
            Vec3::new(4.0, 32.0, 100.0),
        ])],
        level: Vec::new(),
    };
    let mut simulation = Simulation::new(entities, TICK);
    simulation.set_body(Some(body(Vec3::new(-22.0, 0.0, 0.0))));
    pass(&mut simulation, 4, &mut shapes);
    assert_eq!(fired(&simulation), [""; 0], "two units away");
    simulation.set_body(Some(body(Vec3::new(-20.0 - GAP, 0.0, 0.0))));
    pass(&mut simulation, 1, &mut shapes);
    simulation.set_body(Some(body(Vec3::new(-60.0, 0.0, 0.0))));
    pass(&mut simulation, 300, &mut shapes);
    // 64 ticks up from tick 6 on, half a second there, 64 ticks down.
    assert_eq!(
        fired(&simulation),
        ["5 door.OnOpen x.y()", "165 door.OnFullyClosed x.y()"]
    );
}

#[test]
fn triggers_fire_while_a_walker_is_in_them_teleport_it_and_push_it() {
    let space = Some([Vec3::splat(-8.0), Vec3::splat(8.0)]);
    let at = |x: f64, entity: Entity| Entity {
        place: Place {
            origin: DVec3::new(x, 0.0, 0.0),
            angles: DVec3::new(0.0, 90.0, 0.0),
        },
        ..entity
    };
    let trigger = |effect| Kind::Trigger(Trigger::new(true, 0.25, effect));
    let teleport = TriggerEffect::Teleport {
        target: "there".into(),
    };
    let push = TriggerEffect::Push {
        velocity: DVec3::Z * 100.0,
    };
    let outputs = [
        "OnStartTouch a b - 0 -1",
        "OnTrigger a c - 0 -1",
        "OnEndTouch a d - 0 -1",
    ];
    let once = Kind::Trigger(Trigger::new(true, -1.0, TriggerEffect::Nothing));
    let entities = vec![
        at(
            0.0,
            entity("multiple", trigger(TriggerEffect::Nothing), &outputs),
        ),
        at(500.0, entity("teleport", trigger(teleport), &[])),
        at(900.0, entity("there", Kind::Other, &[])),
        at(900.0, entity("push", trigger(push), &[])),
        at(900.0, entity("once", once, &outputs[1..2])),
    ];
    let mut shapes = Boxes {
        entities: vec![space; 5],
        level: Vec::new(),
    };
    let mut simulation = Simulation::new(entities, TICK);
    simulation.set_body(Some(body(Vec3::ZERO)));
    pass(&mut simulation, 20, &mut shapes);
    simulation.set_body(Some(body(Vec3::X * 500.0)));
    pass(&mut simulation, 10, &mut shapes);
    assert_eq!(
        fired(&simulation),
        [
            "1 multiple.OnStartTouch a.b()",
            "1 multiple.OnTrigger a.c()",
            "17 multiple.OnTrigger a.c()",
            "21 multiple.OnEndTouch a.d()",
            "21 once.OnTrigger a.c()",
        ]
    );
    let arrival = simulation.take_arrival();
    assert_eq!(arrival.teleported, Some((Vec3::X * 900.0, 90.0)));
    assert_eq!(arrival.push, Vec3::Z * 100.0);
    simulation.set_body(None);
    pass(&mut simulation, 1, &mut shapes);
    assert_eq!(simulation.take_arrival().push, Vec3::ZERO);
}
