mod systems;

use ironlands_scene::{
    Anchor, Birthplace, Emission, Emitter, Motion, ParticleBlend, ParticleForm, Scene,
};

use crate::bsp::test_map::sample_file;
use crate::bsp::{LumpId, Map};
use crate::level::SourceLevel;
use crate::level_scene::{all_hidden, to_scene};
use crate::pakfile::Pakfile;
use ironlands_assets_core::bytes::Finding;

/// The scene of a small map with these entities; the brush model `*1` is from -64 0 -32 to 64 32 32.
fn scene_of(entities: &str) -> Scene {
    scene_of_files(entities, None).0
}

/// The same with files in the map.
fn scene_of_files(entities: &str, pak: Option<Pakfile>) -> (Scene, Vec<Finding>) {
    let mut file = sample_file(20);
    let mut map = Map::read(&file).unwrap();
    map.models[1].mins = [-64.0, 0.0, -32.0];
    map.models[1].maxs = [64.0, 32.0, 32.0];
    map.write_into(&mut file).unwrap();
    let text = format!("{{\n\"classname\" \"worldspawn\"\n}}\n{entities}\0");
    file.set_lump(LumpId::Entities, 0, text.into_bytes());
    if let Some(pak) = pak {
        file.set_lump(LumpId::Pakfile, 0, pak.write());
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bsp");
    std::fs::write(&path, file.write().unwrap()).unwrap();
    let level = SourceLevel::open(&path, &[], None).unwrap();
    let (scene, findings) = to_scene(&level, &all_hidden);
    scene.validate().unwrap();
    (scene, findings)
}

fn emitters(class: &str, keys: &[(&str, &str)]) -> Vec<Emitter> {
    let keys = keys
        .iter()
        .map(|(key, value)| format!("\"{key}\" \"{value}\"\n"));
    let keys: String = keys.collect();
    scene_of(&format!("{{\n\"classname\" \"{class}\"\n{keys}}}\n")).emitters
}

fn place_of(emitter: &Emitter) -> [f32; 3] {
    let Anchor::Place(world_from_emitter) = &emitter.anchor else {
        panic!("{:?}", emitter.anchor);
    };
    world_from_emitter.transform_point([0.0; 3])
}

const HERE: (&str, &str) = ("origin", "8 16 24");

#[test]
fn a_map_without_them_has_neither_emitters_nor_their_textures() {
    let scene = scene_of("");
    assert_eq!(scene.emitters, []);
    assert!(!scene.textures.iter().any(|it| it.name == "flames"));
}

#[test]
fn what_must_be_turned_on_first_does_not_start_on() {
    let named = ("targetname", "a");
    for (class, keys, n_emitters, starts_on) in [
        ("env_fire", &[HERE][..], 4, false),
        ("env_fire", &[HERE, ("spawnflags", "6")], 3, true),
        ("env_fire", &[HERE, ("spawnflags", "4")], 4, true),
        (
            "env_fire",
            &[HERE, ("spawnflags", "4"), ("StartDisabled", "1")],
            4,
            false,
        ),
        ("env_fire", &[("spawnflags", "4")], 0, true),
        ("env_sprite", &[HERE], 1, true),
        ("env_sprite", &[HERE, named], 1, false),
        ("env_sprite", &[HERE, named, ("spawnflags", "1")], 1, true),
        ("point_spotlight", &[HERE], 2, false),
        ("point_spotlight", &[HERE, ("spawnflags", "3")], 2, true),
        ("env_smokestack", &[HERE], 1, false),
        ("env_smokestack", &[HERE, ("InitialState", "1")], 1, true),
        ("env_spark", &[HERE], 1, false),
        ("env_spark", &[HERE, ("spawnflags", "64")], 1, true),
        ("func_dustmotes", &[("model", "*1")], 1, true),
        (
            "func_dustmotes",
            &[("model", "*1"), ("StartDisabled", "1")],
            1,
            false,
        ),
        ("func_dustmotes", &[], 0, true),
        ("func_dustmotes", &[("model", "*9")], 0, true),
    ] {
        let found = emitters(class, keys);
        assert_eq!(found.len(), n_emitters, "{class} {keys:?}");
        let all_are = found.iter().all(|it| it.starts_on == starts_on);
        assert!(all_are, "{class} {keys:?}");
    }
}

#[test]
fn a_fire_is_as_high_as_it_says() {
    let flames = |size: &str| {
        let keys = [HERE, ("spawnflags", "6"), ("firesize", size)];
        let mut fire = emitters("env_fire", &keys);
        let last = fire.iter().position(|it| it.form == ParticleForm::Upright);
        fire.swap_remove(last.expect("a fire has flames"))
    };
    let [small, large] = ["32", "96"].map(flames);
    assert_eq!(place_of(&small), [8.0, 16.0, 24.0]);
    let widest = |it: &Emitter| it.size.at(0.25)[0];
    assert!((widest(&large) / widest(&small) - 3.0).abs() < 1e-3);
}

#[test]
fn a_smokestack_blows_as_its_keys_say() {
    let keys = [
        HERE,
        ("InitialState", "1"),
        ("Rate", "12"),
        ("Speed", "50"),
        ("SpreadSpeed", "0"),
        ("StartSize", "4"),
        ("EndSize", "9"),
        ("JetLength", "200"),
        ("rendercolor", "255 0 51"),
        ("renderamt", "51"),
    ];
    let [stack] = &emitters("env_smokestack", &keys)[..] else {
        panic!("one emitter");
    };
    assert_eq!(stack.emission, Emission::Stream { per_sec: 12.0 });
    assert_eq!(stack.life_secs, [4.0; 2]);
    assert_eq!(
        (stack.size.at(0.0), stack.size.at(1.0)),
        ([8.0; 2], [18.0; 2])
    );
    assert_eq!(stack.color.at(0.1), [1.0, 0.0, 0.2, 0.2]);
    let Motion::Thrown(throw) = &stack.motion else {
        panic!("{:?}", stack.motion);
    };
    assert_eq!((throw.speed, throw.direction), ([50.0; 2], [0.0, 0.0, 1.0]));
}

#[test]
fn dust_and_rain_fill_their_brushes() {
    let brushes = [
        ("model", "*1"),
        HERE,
        ("SpawnRate", "10"),
        ("LifetimeMin", "2"),
        ("LifetimeMax", "4"),
    ];
    let dust = &emitters("func_dustmotes", &brushes)[0];
    assert_eq!(place_of(dust), [8.0, 32.0, 24.0]);
    let half_extent = [64.0, 16.0, 32.0];
    assert_eq!(dust.birthplace, Birthplace::Box { half_extent });
    assert_eq!(dust.emission, Emission::Steady { count: 30 });
    assert_eq!(dust.life_secs, [2.0, 4.0]);

    let rain = &emitters("func_precipitation", &brushes)[0];
    let Anchor::Eye {
        within: Some(within),
        ..
    } = &rain.anchor
    else {
        panic!("{:?}", rain.anchor);
    };
    assert_eq!(
        (within.min, within.max),
        ([-56.0, 16.0, -8.0], [72.0, 48.0, 56.0])
    );
    assert!(matches!(rain.form, ParticleForm::Streak { .. }));
    let snow = [&brushes[..], &[("preciptype", "1")]].concat();
    let snow = &emitters("func_precipitation", &snow)[0];
    assert_eq!(snow.form, ParticleForm::Sprite);
}

#[test]
fn beams_lead_from_entity_to_entity() {
    let entity = |keys: &str| format!("{{\n{keys}\n}}\n");
    let target = |name: &str, origin: &str| {
        entity(&format!(
            "\"classname\" \"info_target\"\n\"targetname\" \"{name}\"\n\"origin\" \"{origin}\""
        ))
    };
    let beam = |keys: &str| {
        let beam = entity(&format!(
            "\"classname\" \"env_beam\"\n\"LightningStart\" \"From\"\n\"BoltWidth\" \"3\"\n{keys}"
        ));
        let targets = target("from", "1 2 3") + &target("to", "11 2 3");
        scene_of(&(beam + &targets)).emitters
    };
    let steady = &beam("\"LightningEnd\" \"to\"")[0];
    assert_eq!(place_of(steady), [1.0, 2.0, 3.0]);
    let ParticleForm::Beam(shape) = steady.form else {
        panic!("{:?}", steady.form);
    };
    assert_eq!((shape.to, shape.segments), ([10.0, 0.0, 0.0], 1));
    assert_eq!(
        (steady.size.at(0.0)[0], steady.blend),
        (3.0, ParticleBlend::Add)
    );
    assert_eq!(beam("\"LightningEnd\" \"nowhere\""), []);

    let striking = &beam("\"LightningEnd\" \"to\"\n\"life\" \"0.5\"\n\"StrikeTime\" \"1.5\"")[0];
    let window = striking.window.expect("it comes and goes");
    assert_eq!(
        (striking.life_secs, window.period_secs),
        ([0.5; 2], Some(2.0))
    );
}

#[test]
fn hostile_numbers_leave_a_sound_scene() {
    for class in super::EMITTERS {
        for value in ["1e30", "-1e30", "nan", "1e-30", ""] {
            let keys = [
                "scale",
                "firesize",
                "Rate",
                "Speed",
                "JetLength",
                "SpreadSpeed",
                "StartSize",
                "EndSize",
                "renderamt",
                "SpawnRate",
                "LifetimeMin",
                "SizeMax",
                "SpeedMax",
                "density",
                "lifetime",
                "MaxDelay",
                "Magnitude",
                "SpotlightLength",
                "WindSpeed",
                "framerate",
                "BaseSpread",
            ]
            .map(|key| (key, value));
            let on = [
                HERE,
                ("model", "*1"),
                ("spawnflags", "71"),
                ("InitialState", "1"),
            ];
            // Validated.
            emitters(class, &[&on[..], &keys].concat());
        }
    }
}
