//! Portals between areas and occluders of the demo map, which entities open and close, and sounds that entities carry.

use std::path::Path;

use glam::Vec3;
use ironlands_scene::{CullingState, SoundState};
use ironlands_sim_world::{Clock, Play, Poses};
use ironlands_world_kind::{Opened, WorldKind};
use ironlands_world_source::formats::bsp::{BspFile, LumpId};
use ironlands_world_source::formats::entities::{Entities, Entity};
use ironlands_world_source::formats::level::read_entities;
use ironlands_world_source::{EntityInput, Source, SourceOptions};

/// A map of the demo with other entities, to which an input is sent when it begins.
fn opened(map: &str, change: impl FnOnce(&mut Entities), input: Option<[&str; 2]>) -> Opened {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../DATA/SOURCE");
    let mut file = BspFile::read(&std::fs::read(data.join(map)).unwrap()).unwrap();
    let mut entities = read_entities(&file).unwrap();
    change(&mut entities);
    file.set_lump(LumpId::Entities, 0, entities.write().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let changed = folder.path().join(map);
    std::fs::write(&changed, file.write().unwrap()).unwrap();
    let input = input.map(|[target, input]| EntityInput {
        target: target.to_owned(),
        input: input.to_owned(),
        parameter: String::new(),
    });
    let options = SourceOptions {
        input: input.into_iter().collect(),
        ..SourceOptions::default()
    };
    let opened = Source::open(&changed, &[], &options).expect("the map opens");
    assert_eq!(opened.scene.validate(), Ok(()));
    opened
}

/// Lets the level go on until a time.
fn advance(opened: &Opened, time_secs: f64) -> Clock {
    let at = Clock {
        time_secs,
        play: Play::Level,
    };
    opened.world.pose(&at, &mut Poses::default());
    at
}

fn culling(opened: &Opened, time_secs: f64) -> CullingState {
    let at = advance(opened, time_secs);
    let mut culling = CullingState::default();
    opened.world.cull(&at, &mut culling);
    culling
}

#[test]
fn the_store_is_an_area_behind_a_portal_that_inputs_close() {
    let demo = opened("demo.bsp", |_| {}, None);
    let [portal] = &demo.scene.areas.portals[..] else {
        panic!("one portal: {:?}", demo.scene.areas.portals);
    };
    assert!(portal.is_open && portal.corners.iter().all(|corner| corner[0] == 576.0));
    let visibility = demo.scene.visibility.as_ref().expect("visibility");
    let area_at = |place| {
        let cell = visibility.cell_at(place).expect("a cell");
        demo.scene.areas.of_cells[cell as usize]
    };
    let [corridor, store] = [[500.0, 700.0, 60.0], [700.0, 750.0, 60.0]].map(area_at);
    assert_eq!([corridor, store], portal.areas.map(Some));
    assert_eq!(culling(&demo, 1.0).open_portals, [true]);
    let closed = opened("demo.bsp", |_| {}, Some(["store_opening", "Close"]));
    assert_eq!(culling(&closed, 0.1).open_portals, [false]);
}

#[test]
fn a_portal_with_a_door_is_open_while_the_door_is_not_closed() {
    let with_door = |entities: &mut Entities| {
        let mut portals = entities.entities.iter_mut();
        let portal = portals.find(|it| it.class() == "func_areaportal");
        portal.expect("a portal").push("target", "store_gate");
    };
    let demo = opened("demo.bsp", with_door, Some(["store_gate", "Open"]));
    // It is up after 2 s, waits for 4 s and is down again after 2 s.
    let open = [0.0, 0.1, 3.0, 7.0, 10.0].map(|secs| culling(&demo, secs).open_portals[0]);
    assert_eq!(open, [false, true, true, true, false]);
}

#[test]
fn a_sound_moves_with_what_carries_it() {
    let with_door = |entities: &mut Entities| {
        let door: &[(&str, &str)] = &[
            ("targetname", "door"),
            ("origin", "300 300 0"),
            ("model", "models/ironlands/pinwheel.mdl"),
            ("distance", "90"),
            ("speed", "100"),
        ];
        let sound: &[(&str, &str)] = &[
            ("targetname", "squeak"),
            ("parentname", "door"),
            ("origin", "340 300 10"),
            ("message", "garden/creak.wav"),
        ];
        for (class, keys) in [("prop_door_rotating", door), ("ambient_generic", sound)] {
            let mut entity = Entity::new(class);
            for (key, value) in keys {
                entity.push(key, value);
            }
            entities.entities.push(entity);
        }
    };
    let garden = opened("garden.bsp", with_door, Some(["door", "Open"]));
    let index = garden
        .scene
        .sounds
        .iter()
        .position(|it| it.name.starts_with("squeak"));
    let moved = |secs| {
        let at = advance(&garden, secs);
        let mut states = vec![SoundState::default(); garden.scene.sounds.len()];
        garden.world.sound(&at, Vec3::ZERO, &mut states);
        Vec3::from(states[index.expect("its sound")].moved)
    };
    assert_eq!(moved(0.0), Vec3::ZERO);
    // A quarter turn around the hinge, 40 units away; to which side depends on who opens it. Sines of 64 bits are rounded to
    // 32 bits of some hundred units.
    let far = moved(2.0);
    let quarters = [Vec3::new(-40.0, 40.0, 0.0), Vec3::new(-40.0, -40.0, 0.0)];
    assert!(quarters.iter().any(|it| far.distance(*it) < 1e-3), "{far}");
}

#[test]
fn a_portal_of_two_doors_is_open_while_one_of_them_is_and_an_input_opens_it_too() {
    let with_doors = |entities: &mut Entities| {
        let mut second = entities
            .entities
            .iter()
            .find(|it| it.name().as_deref() == Some("store_gate"));
        let mut second = second.take().expect("the gate").clone();
        second.push("targetname", "store_gate");
        // One that is no door has the name, too.
        let mut other = Entity::new("info_target");
        other.push("targetname", "store_gate");
        entities.entities.insert(1, other);
        entities.entities.push(second);
        let mut portals = entities.entities.iter_mut();
        let portal = portals.find(|it| it.class() == "func_areaportal");
        portal.expect("a portal").push("target", "store_gate");
    };
    let open = |input| culling(&opened("demo.bsp", with_doors, Some(input)), 0.5).open_portals[0];
    assert!(open(["store_gate", "Open"]));
    assert!(!open(["store_opening", "Close"]));
    assert!(open(["store_opening", "Open"]));
    // With the doors gone it is as its own entity says.
    assert!(open(["store_gate", "Kill"]));
}
