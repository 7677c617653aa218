//! Particle systems in the demo's garden, and alone.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ironlands_scene::{Anchor, EmitterState, Scene};
use ironlands_sim_world::{Clock, Play, Poses};
use ironlands_world_kind::{Opened, WorldKind};
use ironlands_world_source::formats::bsp::{BspFile, LumpId};
use ironlands_world_source::formats::entities::Entity;
use ironlands_world_source::formats::level::read_entities;
use ironlands_world_source::formats::pakfile::Pakfile;
use ironlands_world_source::{EntityInput, Source, SourceOptions};

fn garden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../DATA/SOURCE/garden.bsp")
}

fn opened(path: &Path, inputs: &[[&str; 2]]) -> Opened {
    let input = inputs.iter().map(|[target, input]| EntityInput {
        target: (*target).to_owned(),
        input: (*input).to_owned(),
        parameter: String::new(),
    });
    let options = SourceOptions {
        input: input.collect(),
        ..SourceOptions::default()
    };
    let opened = Source::open(path, &[], &options).expect("the garden opens");
    assert_eq!(opened.scene.validate(), Ok(()));
    opened
}

/// The emitters of a scene at a time, by their names; a moment before it the level was somewhere else.
fn moments(opened: &Opened, time_secs: f64) -> HashMap<String, EmitterState> {
    let at = Clock {
        time_secs,
        play: Play::Level,
    };
    opened.world.pose(&at, &mut Poses::default());
    let emitters = &opened.scene.emitters;
    let start = |is_on: bool| EmitterState {
        is_on,
        clock_secs: time_secs as f32,
        ..EmitterState::default()
    };
    let mut states: Vec<_> = emitters.iter().map(|it| start(it.starts_on)).collect();
    opened.world.emit(&at, &mut states);
    let names = emitters.iter().map(|it| it.name.clone());
    names.zip(states).collect()
}

#[test]
fn a_timer_lets_the_vent_blow_and_what_it_let_out_lives_on() {
    let garden = opened(&garden(), &[]);
    let at = |secs: f64| moments(&garden, secs)["garden_vent"];
    assert!(!at(3.9).is_on);
    // Every four seconds, for one and a half.
    for (secs, since, until) in [
        (4.9, 4.0, f64::INFINITY),
        (6.3, 4.0, 5.5),
        (8.5, 8.0, f64::INFINITY),
    ] {
        let state = at(secs);
        assert!(state.is_on, "at {secs}");
        // Inputs come in a tick of theirs.
        let is_near = |a: f64, b: f64| a == b || (a - b).abs() < 0.035;
        assert!(
            is_near(f64::from(state.clock_secs), secs - since),
            "{state:?}"
        );
        assert!(
            is_near(f64::from(state.born_secs[1]), until - since),
            "{state:?}"
        );
    }
    let fire = moments(&garden, 6.3)["garden_fire"];
    assert!(fire.is_on && fire.clock_secs == 6.3);
    assert_eq!(fire.born_secs, EmitterState::EVER);
}

#[test]
fn inputs_start_stop_and_end_a_system() {
    for (input, is_on, until) in [
        ("Start", true, f32::INFINITY),
        ("Stop", true, 0.015),
        ("DestroyImmediately", false, f32::INFINITY),
        ("Kill", false, f32::INFINITY),
    ] {
        let garden = opened(&garden(), &[["fire", input]]);
        for name in ["garden_fire", "garden_fire_sparks", "garden_fire_smoke"] {
            let state = moments(&garden, 2.0)[name];
            assert_eq!(state.is_on, is_on, "{input} {name}");
            let late = state.born_secs[1] - until;
            assert!(
                !is_on || late.is_nan() || late.abs() < 1e-4,
                "{input}: {state:?}"
            );
        }
    }
}

#[test]
fn a_fire_that_is_off_when_the_level_begins_can_be_lit() {
    let mut file = BspFile::read(&std::fs::read(garden()).unwrap()).unwrap();
    let mut entities = read_entities(&file).unwrap();
    let mut fire = Entity::new("env_fire");
    for (key, value) in [("targetname", "torch"), ("origin", "300 300 8")] {
        fire.push(key, value);
    }
    entities.entities.push(fire);
    file.set_lump(LumpId::Entities, 0, entities.write().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("garden.bsp");
    std::fs::write(&path, file.write().unwrap()).unwrap();
    for (inputs, is_lit) in [(&[][..], false), (&[["torch", "StartFire"]], true)] {
        let level = opened(&path, inputs);
        let of_fire = moments(&level, 2.0).into_iter();
        let of_fire: Vec<_> = of_fire.filter(|(name, _)| name == "env_fire").collect();
        assert!(!of_fire.is_empty());
        assert!(of_fire.iter().all(|(_, it)| it.is_on == is_lit), "{is_lit}");
        assert!(!moments(&level, 0.0)["env_fire"].is_on);
    }
}

#[test]
fn a_system_moves_with_what_carries_it() {
    let mut file = BspFile::read(&std::fs::read(garden()).unwrap()).unwrap();
    let mut entities = read_entities(&file).unwrap();
    let fire = entities.entities.iter_mut();
    let fire = fire
        .into_iter()
        .find(|it| it.name().as_deref() == Some("fire"));
    fire.expect("the fire").push("parentname", "cart");
    let mut cart = Entity::new("func_movelinear");
    for (key, value) in [
        ("targetname", "cart"),
        ("origin", "600 400 0"),
        ("movedir", "0 0 0"),
        ("movedistance", "50"),
        ("speed", "100"),
    ] {
        cart.push(key, value);
    }
    entities.entities.push(cart);
    file.set_lump(LumpId::Entities, 0, entities.write().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("garden.bsp");
    std::fs::write(&path, file.write().unwrap()).unwrap();
    let level = opened(&path, &[["cart", "Open"]]);
    let emitter = level
        .scene
        .emitters
        .iter()
        .find(|it| it.name == "garden_fire");
    let Anchor::Place(start) = &emitter.expect("the fire").anchor else {
        panic!("it stands somewhere");
    };
    assert_eq!(moments(&level, 0.0)["garden_fire"].world_from_emitter, None);
    let moved = moments(&level, 3.0)["garden_fire"].world_from_emitter;
    let moved = moved.expect("it has moved").transform_point([0.0; 3]);
    let [x, y, z] = start.transform_point([0.0; 3]);
    let off = [moved[0] - x - 50.0, moved[1] - y, moved[2] - z];
    assert!(off.iter().all(|it| it.abs() < 1e-3), "{off:?}");
}

/// The garden's systems as files of a game.
fn game() -> tempfile::TempDir {
    let file = BspFile::read(&std::fs::read(garden()).unwrap()).unwrap();
    let pakfile = Pakfile::read(file.lump(LumpId::Pakfile)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "particles/garden.pcf",
        "materials/garden/flames.vmt",
        "materials/garden/flames.vtf",
        "materials/garden/smoke.vmt",
        "materials/garden/smoke.vtf",
        "materials/garden/glow.vmt",
        "materials/garden/glow.vtf",
    ] {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, pakfile.open(name).unwrap().unwrap()).unwrap();
    }
    folder
}

fn alone(path: &Path, system: Option<&str>) -> Option<Scene> {
    let options = SourceOptions {
        system: system.map(str::to_owned),
        ..SourceOptions::default()
    };
    let opened = Source::open_model(path, &[], &options).ok()??;
    assert_eq!(opened.scene.validate(), Ok(()));
    assert_eq!(opened.findings, [], "its materials are with it");
    let (min, max) = opened.world.bounds();
    assert!(min.cmplt(max).all() && (max - min).max_element() < 1000.0);
    Some(opened.scene)
}

#[test]
fn a_system_alone_is_the_first_that_no_other_begins_or_the_one_of_a_name() {
    let game = game();
    let path = game.path().join("particles/garden.pcf");
    let names = |system| {
        let scene = alone(&path, system)?;
        let names = scene.emitters.iter().map(|it| it.name.clone());
        assert!(scene.emitters.iter().all(|it| it.starts_on));
        Some(names.collect::<Vec<_>>())
    };
    let fire = ["garden_fire", "garden_fire_sparks", "garden_fire_smoke"];
    assert_eq!(names(None).unwrap(), fire);
    assert_eq!(names(Some("GARDEN_VENT")).unwrap(), ["garden_vent"]);
    assert_eq!(names(Some("garden_rain")), None);
}
