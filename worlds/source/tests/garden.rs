//! The demo's garden as a scene: what its entities and detail props become.

use std::path::Path;

use glam::{Mat4, Vec3};
use ironlands_scene::{
    CorrectionPlace, GradingState, Scene, SoundPlay, SoundSource, SoundState, ViewRange,
};
use ironlands_sim_world::{Clock, Play, Poses};
use ironlands_world_kind::{Opened, WorldKind};
use ironlands_world_source::formats::bsp::{BspFile, LumpId};
use ironlands_world_source::formats::entities::Entity;
use ironlands_world_source::formats::level::read_entities;
use ironlands_world_source::{EntityInput, LightRange, Source, SourceOptions, open_level};

fn garden(light: LightRange) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../DATA/SOURCE/garden.bsp");
    let options = SourceOptions {
        light: Some(light),
        ..SourceOptions::default()
    };
    let level = open_level(&path, &[], &options).expect("the garden opens");
    assert_eq!(level.scene.validate(), Ok(()));
    assert_eq!(level.findings, [], "all that it shows is with it");
    level.scene
}

#[test]
fn each_tuft_is_a_sprite_two_that_cross_or_three_in_a_triangle() {
    let scene = garden(LightRange::Ldr);
    let foliage = scene.foliage.as_ref().expect("grass");
    // Of 44 columns the first 15 are sprites, then 15 of crosses, and 14 of triangles; 14 rows of each.
    assert_eq!(foliage.sprites.len(), 14 * (15 + 15 * 2 + 14 * 3));
    assert_eq!(foliage.frames.len(), 4);
    assert_eq!(foliage.range.far, [800.0, 1200.0]);
    let n_patched: u32 = foliage
        .patches
        .iter()
        .map(|it| it.sprites.end - it.sprites.start)
        .sum();
    assert_eq!(n_patched as usize, foliage.sprites.len());
    // Those of one row have light that flickers.
    let n_flickering = foliage
        .sprites
        .iter()
        .filter(|it| !it.styled_lights.is_empty());
    assert_eq!(n_flickering.count(), 15 + 15 * 2 + 14 * 3);
    let pots = scene
        .instances
        .iter()
        .filter(|it| it.name.starts_with("detail "));
    let ranges: Vec<_> = pots.map(|it| it.range.far).collect();
    assert_eq!(ranges, [[800.0, 1200.0]; 3]);
}

#[test]
fn ropes_hang_between_their_posts_and_vases_are_gone_from_afar() {
    let scene = garden(LightRange::Ldr);
    let ropes = scene.instances.iter();
    let ropes = ropes.filter(|it| it.name.starts_with("rope_") || it.name == "move_rope");
    let lowest = ropes.map(|it| {
        let mesh = &scene.models[it.model.0 as usize].mesh;
        let heights = mesh
            .positions
            .iter()
            .map(|place| it.world_from_model.transform_point(*place)[2]);
        heights.fold(f32::INFINITY, f32::min)
    });
    let lowest: Vec<f32> = lowest.collect();
    // Straight, with a little slack, with much, and hanging down from 150 as far as the way was long.
    let [straight, little, much, cut] = lowest[..] else {
        panic!("four ropes: {lowest:?}");
    };
    // The lowest edge of a tube of six sides.
    let lowest_edge = 130.0 - 1.5 * 60f32.to_radians().sin();
    assert!((straight - lowest_edge).abs() < 0.01, "{straight}");
    assert!((80.0..110.0).contains(&little), "{little}");
    assert!((0.0..40.0).contains(&much), "{much}");
    assert!((cut - 58.2).abs() < 0.1, "{cut}");
    let vases = scene
        .instances
        .iter()
        .filter(|it| it.name.starts_with("prop_static"));
    let ranges: Vec<_> = vases.map(|it| it.range.far).collect();
    assert_eq!(ranges, [[400.0, 560.0]; 5]);
    let posts = scene
        .instances
        .iter()
        .filter(|it| it.range == ViewRange::ALL)
        .count();
    assert_eq!(posts, 5, "what has no range are the ropes and the wheel");
}

#[test]
fn decals_lie_on_walls_and_ground() {
    let scene = garden(LightRange::Ldr);
    let decals = scene
        .meshes
        .iter()
        .find(|it| it.name == "overlays")
        .expect("decals");
    let lies = |axis: usize, at: f32| {
        let mut places = decals.positions.iter();
        places.any(|place| (place[axis] - at).abs() < 0.3)
    };
    assert!(lies(1, 639.8) && lies(2, 0.2) && lies(0, 0.2));
    // 48 units wide: 64 texels at 0.75.
    let on_wall = decals
        .positions
        .iter()
        .filter(|it| (it[1] - 639.8).abs() < 0.1 && it[2] > 40.0);
    let (low, high) = on_wall.fold((f32::MAX, f32::MIN), |(low, high), it| {
        (low.min(it[0]), high.max(it[0]))
    });
    assert!(
        (low - 168.0).abs() < 0.1 && (high - 216.0).abs() < 0.1,
        "{low} {high}"
    );
}

#[test]
fn exposure_is_for_light_of_high_range_and_corrections_for_all() {
    for light in [LightRange::Ldr, LightRange::Hdr] {
        let scene = garden(light);
        let bounds = scene.auto_exposure.map(|it| [it.min, it.max, it.bloom]);
        let expected = (light == LightRange::Hdr).then_some([0.4, 4.0, 0.6]);
        assert_eq!(bounds, expected);
        let [correction] = &scene.color_corrections[..] else {
            panic!("one correction");
        };
        let place = CorrectionPlace::Ball {
            center: [64.0; 3],
            full_within: 64.0,
            none_beyond: 192.0,
        };
        assert_eq!((correction.place, correction.weight), (place, 1.0));
        assert_eq!(scene.color_tables[0].side, 32);
    }
}

fn opened(inputs: &[[&str; 3]]) -> Opened {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../DATA/SOURCE/garden.bsp");
    let input = inputs.iter().map(|[target, input, parameter]| EntityInput {
        target: (*target).to_owned(),
        input: (*input).to_owned(),
        parameter: (*parameter).to_owned(),
    });
    let options = SourceOptions {
        input: input.collect(),
        light: Some(LightRange::Hdr),
        ..SourceOptions::default()
    };
    Source::open(&path, &[], &options).expect("the garden opens")
}

fn clock(time_secs: f64) -> Clock {
    Clock {
        time_secs,
        play: Play::Level,
    }
}

/// Where the bones of the wheel are at a time: its post, its head and its blades.
fn bones(garden: &Opened, clock: &Clock) -> [Mat4; 3] {
    bones_of(garden, 0, clock)
}

/// The same of one of several wheels.
fn bones_of(garden: &Opened, number: usize, clock: &Clock) -> [Mat4; 3] {
    let models = &garden.scene.models;
    let n_nodes = |model: u32| models[model as usize].nodes.len();
    let instances = garden.scene.instances.iter().enumerate();
    let mut wheels = instances.filter(|(_, it)| n_nodes(it.model.0) == 3);
    let (at, _) = wheels.nth(number).expect("a wheel");
    let before = garden.scene.instances[..at].iter();
    let first: usize = before.map(|it| n_nodes(it.model.0)).sum();
    let mut poses = Poses::default();
    garden.world.pose(clock, &mut poses);
    let rows = |node: usize| poses.world_from_nodes()[first + node].upper_rows();
    [0, 1, 2].map(|node| {
        let [x, y, z] = rows(node);
        Mat4::from_cols_array_2d(&[x, y, z, [0.0, 0.0, 0.0, 1.0]]).transpose()
    })
}

/// The same, as the demo has them: the head turned about z, then the blades about x.
fn expected_bones(swing: f32, turn: f32) -> [Mat4; 3] {
    let place = Mat4::from_translation(Vec3::new(672.0, 400.0, 0.0));
    let post = place * Mat4::from_rotation_z(200_f32.to_radians());
    let head = Mat4::from_translation(Vec3::new(0.0, 0.0, 96.0)) * Mat4::from_rotation_z(swing);
    let blades = Mat4::from_translation(Vec3::new(12.0, 0.0, 0.0)) * Mat4::from_rotation_x(turn);
    [post, post * head, post * head * blades]
}

fn assert_near(found: [Mat4; 3], expected: [Mat4; 3]) {
    for (found, expected) in found.into_iter().zip(expected) {
        // Frames lie 5 degrees apart, and between them it turns along the chord.
        assert!(found.abs_diff_eq(expected, 2e-3), "{found}, not {expected}");
    }
}

#[test]
fn the_wheel_plays_the_sequence_that_its_entity_names() {
    let garden = opened(&[]);
    let still = Clock {
        time_secs: 5.0,
        play: Play::Still,
    };
    assert_near(bones(&garden, &still), expected_bones(0.0, 0.0));
    // A turn is 72 of 24 frames a second; ticks are 15 ms long.
    for ticks in [1_u32, 33, 150, 2000] {
        let secs = f64::from(ticks) * 0.015;
        let turn = std::f64::consts::TAU * (secs / 3.0).fract();
        let expected = expected_bones((0.3 * turn.sin()) as f32, turn as f32);
        assert_near(bones(&garden, &clock(secs + 0.001)), expected);
    }
}

#[test]
fn the_wheel_is_told_what_to_play_and_goes_back_to_its_own() {
    let garden = opened(&[["pinwheel", "SetAnimation", "STOP"]]);
    // It begins in the first tick, and slows down for three seconds.
    let secs = 1.5;
    let share = (secs - 0.015) / 3.0;
    let turn = std::f64::consts::TAU * (1.0 - (1.0_f64 - share).powi(2));
    assert_near(
        bones(&garden, &clock(secs + 0.001)),
        expected_bones(0.0, turn as f32),
    );
    let secs = 201.0 * 0.015 + 0.75;
    let expected = expected_bones(0.3, std::f32::consts::FRAC_PI_2);
    assert_near(bones(&garden, &clock(secs + 0.001)), expected);
    let gone = opened(&[["pinwheel", "Disable", ""]]);
    assert_eq!(bones(&gone, &clock(1.0))[2].x_axis.truncate(), Vec3::ZERO);
}

#[test]
fn the_wheel_creaks_and_a_timer_strikes_the_chime() {
    let garden = opened(&[["creak", "Pitch", "150"]]);
    let scene = &garden.scene;
    let [creak, chime] = &scene.sounds[..] else {
        panic!("{:?}", scene.sounds);
    };
    assert_eq!(scene.clips.len(), 2);
    assert!(matches!(creak.play, SoundPlay::Loop(_)) && chime.play == SoundPlay::OnCall);
    let reach = |sound: &ironlands_scene::Sound| match &sound.source {
        SoundSource::Around { reach, .. } => reach.near,
        SoundSource::Everywhere => f32::INFINITY,
    };
    // Radii of 900 and 1250: 67 and 70 dB at 36 units, where 60 is full.
    assert!((reach(creak) - 36.0 * 10_f32.powf(7.0 / 20.0)).abs() < 0.01);
    assert!((reach(chime) - 36.0 * 10_f32.powf(10.0 / 20.0)).abs() < 0.01);
    let mut calls = Vec::new();
    for secs in 0..60 {
        garden
            .world
            .pose(&clock(f64::from(secs)), &mut Poses::default());
        let mut states = [SoundState::default(); 2];
        let at = clock(f64::from(secs));
        garden.world.sound(&at, Vec3::ZERO, &mut states);
        assert!(states[0].is_on);
        assert_eq!(states[0].gain, 0.6);
        assert_eq!(states[0].rate, if secs == 0 { 1.0 } else { 1.5 });
        calls.push(states[1].n_calls);
    }
    assert!(calls.is_sorted(), "{calls:?}");
    // Every 4 to 9 seconds.
    assert!((6..=15).contains(&calls[59]), "{calls:?}");
    assert_eq!(calls[4], 0);
}

#[test]
fn exposure_and_colors_follow_inputs_at_any_time() {
    let garden = opened(&[["color_correction", "Disable", ""]]);
    let grading = |garden: &Opened, secs: f64| {
        let at = clock(secs);
        garden.world.pose(&at, &mut Poses::default());
        let mut grading = GradingState::default();
        garden.world.grade(&at, &mut grading);
        grading
    };
    let bounds = |it: GradingState| it.auto_exposure.map(|it| [it.min, it.max, it.bloom]);
    assert_eq!(bounds(grading(&garden, 0.0)), None, "as the scene has it");
    // `logic_auto` sends what the scene has from the beginning.
    assert_eq!(bounds(grading(&garden, 1.0)), Some([0.4, 4.0, 0.6]));
    assert_eq!(grading(&garden, 1.0).correction_weights, [0.0]);
    let controls = ["env_tonemap_controller", "SetAutoExposureMax", "3"];
    let changed = opened(&[controls]);
    assert_eq!(grading(&changed, 0.0).correction_weights, [1.0]);
    // The others stay as the scene has them.
    assert_eq!(bounds(grading(&changed, 0.1)), Some([0.4, 3.0, 0.6]));
}

#[test]
fn a_door_carries_its_bones_and_sounds_as_it_opens_and_places_sound_for_who_is_near() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../DATA/SOURCE/garden.bsp");
    let mut file = BspFile::read(&std::fs::read(path).unwrap()).unwrap();
    let mut entities = read_entities(&file).unwrap();
    let mut door = Entity::new("prop_door_rotating");
    for (key, value) in [
        ("targetname", "gate"),
        ("origin", "300 300 0"),
        ("model", "models/ironlands/pinwheel.mdl"),
        ("distance", "90"),
        ("speed", "100"),
        ("soundmoveoverride", "garden/creak.wav"),
        ("soundopenoverride", "garden/chime.wav"),
        ("soundcloseoverride", "DoorSound.Null"),
    ] {
        door.push(key, value);
    }
    entities.entities.push(door);
    for (origin, scape) in [("300 300 50", "gate"), ("900 300 50", "far")] {
        let mut entity = Entity::new("env_soundscape");
        for (key, value) in [
            ("origin", origin),
            ("radius", "128"),
            ("soundscape", scape),
            ("position1", "gate"),
        ] {
            entity.push(key, value);
        }
        entities.entities.push(entity);
    }
    file.set_lump(LumpId::Entities, 0, entities.write().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let changed = folder.path().join("gate.bsp");
    std::fs::write(&changed, file.write().unwrap()).unwrap();
    std::fs::create_dir(folder.path().join("scripts")).unwrap();
    let table = r#"
        gate {
            dsp 7
            playlooping { volume .5 position 1 wave garden/nothing.wav }
            playlooping { volume .5 position 1 rndwave { wave garden/nothing.wav wave garden/creak.wav } }
            playrandom { time 4,8 rndwave { wave garden/creak.wav wave garden/chime.wav } }
            playlooping { position 2 wave garden/creak.wav }
        }
        far { playlooping { wave garden/creak.wav } }
    "#;
    std::fs::write(folder.path().join("scripts/soundscapes_gate.txt"), table).unwrap();
    let options = SourceOptions {
        input: vec![EntityInput {
            target: "gate".to_owned(),
            input: "Open".to_owned(),
            parameter: String::new(),
        }],
        ..SourceOptions::default()
    };
    let assets = [folder.path().to_owned()];
    let opened = Source::open(&changed, &assets, &options).expect("it opens");
    let [_, _, creak, chime, near, first, second, far] = &opened.scene.sounds[..] else {
        panic!(
            "two of them are the door's, four those of places: {:?}",
            opened.scene.sounds
        );
    };
    assert!(matches!(creak.play, SoundPlay::Loop(_)) && chime.play == SoundPlay::OnCall);
    assert!(matches!(near.source, SoundSource::Around { .. }) && near.gain == 0.5);
    assert_eq!(far.source, SoundSource::Everywhere);
    let entities = opened.world.entities().iter();
    let echoes = entities
        .flat_map(|it| &it.facts)
        .filter(|it| it.label == "DSP preset");
    assert_eq!(echoes.map(|it| &*it.value).collect::<Vec<_>>(), ["7"]);
    let starts = [first, second].map(|sound| match &sound.play {
        SoundPlay::Once(starts) => (starts[0].at_secs, starts[0].period_secs),
        other => panic!("{other:?}"),
    });
    assert_eq!(starts, [(3.0, Some(12.0)), (9.0, Some(12.0))], "in turn");
    let at = |secs: f64| {
        // Its blades are 12 ahead of its post.
        let [_, _, blades] = bones_of(&opened, 1, &clock(secs));
        let blades = blades.w_axis.truncate();
        let mut states = [SoundState::default(); 8];
        opened.world.sound(&clock(secs), Vec3::ZERO, &mut states);
        (blades, states[2].is_on, states[3].n_calls)
    };
    let close = |a: Vec3, b: [f32; 3]| a.distance(b.into()) < 0.05;
    let (blades, creaks, n_chimes) = at(0.0);
    assert!(close(blades, [312.0, 300.0, 96.0]) && !creaks, "{blades:?}");
    assert_eq!(n_chimes, 0);
    let (_, creaks, n_chimes) = at(0.5);
    assert!(creaks);
    assert_eq!(n_chimes, 0, "it is not yet fully open");
    // 90 degrees at 100 a second.
    let (blades, creaks, n_chimes) = at(1.5);
    assert!(close(blades, [300.0, 312.0, 96.0]) && !creaks, "{blades:?}");
    assert_eq!(n_chimes, 1);
    let places = |secs: f64, listener: [f32; 3]| {
        let mut states = [SoundState::default(); 8];
        opened
            .world
            .sound(&clock(secs), listener.into(), &mut states);
        [4, 5, 6, 7].map(|it: usize| states[it].is_on)
    };
    assert_eq!(
        places(2.0, [600.0, 300.0, 50.0]),
        [false; 4],
        "none was heard yet"
    );
    assert_eq!(places(2.1, [350.0, 300.0, 50.0]), [true, true, true, false]);
    assert_eq!(places(2.2, [600.0, 300.0, 50.0]), [true, true, true, false]);
    assert_eq!(
        places(2.3, [880.0, 300.0, 50.0]),
        [false, false, false, true]
    );
    assert_eq!(
        places(1.0, [600.0, 300.0, 50.0]),
        [false; 4],
        "time went back"
    );
}
