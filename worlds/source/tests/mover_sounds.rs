//! What doors, trains, what breaks, sentences and steps sound like in the demo's garden.

use std::path::Path;

use glam::Vec3;
use ironlands_scene::{Sound, SoundPlay, SoundState};
use ironlands_sim_world::{Clock, Play, Poses, WalkInput, Walker};
use ironlands_world_kind::{Opened, WorldKind};
use ironlands_world_source::formats::bsp::{BspFile, LumpId};
use ironlands_world_source::formats::entities::Entity;
use ironlands_world_source::formats::level::read_entities;
use ironlands_world_source::formats::pakfile::Pakfile;
use ironlands_world_source::{EntityInput, Source, SourceOptions};

const MODEL: &str = "models/ironlands/pinwheel.mdl";
/// Sounds that the garden has by itself.
const N_OWN: usize = 2;
/// Sounds of steps.
const N_STEPS: usize = 2;
/// A chime is played once; a creak loops.
const TABLE: &str = r#"
    Gate.Swing { volume .5 pitch 80 wave garden/chime.wav }
    Gate.Slam { wave garden/chime.wav }
    Breakable.Crate { volume .25 wave garden/chime.wav }
    Tread.Left { volume .1 wave garden/chime.wav }
    Tread.Right { pitch 90 wave garden/chime.wav }
"#;
const SURFACES: &str = r#"default { stepleft Tread.Left stepright Tread.Right gamematerial D }"#;
/// A chime of 1.4 seconds at half its speed, then a creak.
const SENTENCES: &str = "WARNING garden/chime(p50) creak(v30)";
const GATE: &str = "mdlkeyvalue { door_options { skin0 { move Gate.Swing close Gate.Slam } } }\0";

type Pairs<'a> = &'a [(&'a str, &'a str)];

/// The garden with more entities, its pinwheel with the key values of a gate, and a table of sounds; with inputs that are
/// sent as it begins.
fn opened(entities: &[(&str, Pairs<'_>)], inputs: &[[&str; 2]]) -> Opened {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../DATA/SOURCE/garden.bsp");
    let mut file = BspFile::read(&std::fs::read(path).unwrap()).unwrap();
    let mut all = read_entities(&file).unwrap();
    for (class, pairs) in entities {
        let mut entity = Entity::new(class);
        for (key, value) in *pairs {
            entity.push(key, value);
        }
        all.entities.push(entity);
    }
    file.set_lump(LumpId::Entities, 0, all.write().unwrap());
    let mut pakfile = Pakfile::read(file.lump(LumpId::Pakfile)).unwrap();
    let model = with_key_values(pakfile.open(MODEL).unwrap().unwrap());
    pakfile.replace(MODEL, &model).unwrap();
    file.set_lump(LumpId::Pakfile, 0, pakfile.write());
    let folder = tempfile::tempdir().unwrap();
    let changed = folder.path().join("garden.bsp");
    std::fs::write(&changed, file.write().unwrap()).unwrap();
    let maps = folder.path().join("maps");
    std::fs::create_dir(&maps).unwrap();
    std::fs::write(maps.join("garden_level_sounds.txt"), TABLE).unwrap();
    let scripts = folder.path().join("scripts");
    std::fs::create_dir(&scripts).unwrap();
    std::fs::write(scripts.join("sentences.txt"), SENTENCES).unwrap();
    std::fs::write(scripts.join("surfaceproperties.txt"), SURFACES).unwrap();
    let inputs = inputs.iter().map(|[target, input]| EntityInput {
        target: (*target).to_owned(),
        input: (*input).to_owned(),
        parameter: String::new(),
    });
    let options = SourceOptions {
        input: inputs.collect(),
        ..SourceOptions::default()
    };
    let opened = Source::open(&changed, &[folder.path().to_owned()], &options);
    let opened = opened.expect("the map opens");
    assert_eq!(opened.scene.validate(), Ok(()));
    opened
}

/// A model file with key values at its end.
fn with_key_values(mut file: Vec<u8>) -> Vec<u8> {
    let (start, length) = (file.len(), GATE.len());
    file.extend(GATE.as_bytes());
    for (at, number) in [(76, start + length), (312, start), (316, length)] {
        file[at..at + 4].copy_from_slice(&(number as u32).to_le_bytes());
    }
    file
}

/// The sounds of the entities that were added. Those of steps are the last two.
fn sounds(opened: &Opened) -> &[Sound] {
    let sounds = &opened.scene.sounds;
    &sounds[N_OWN..sounds.len() - N_STEPS]
}

/// What these and the steps are doing at a time.
fn states(opened: &Opened, time_secs: f64) -> Vec<SoundState> {
    let at = Clock {
        time_secs,
        play: Play::Level,
    };
    opened.world.pose(&at, &mut Poses::default());
    let mut states = vec![SoundState::default(); opened.scene.sounds.len()];
    opened.world.sound(&at, Vec3::ZERO, &mut states);
    states.split_off(N_OWN)
}

/// Whether each is on, and how often it was called.
fn calls(opened: &Opened, time_secs: f64) -> Vec<(bool, u64)> {
    let mut states = states(opened, time_secs);
    states.truncate(states.len() - N_STEPS);
    states.iter().map(|it| (it.is_on, it.n_calls)).collect()
}

#[test]
fn a_door_sounds_as_its_model_says_until_it_is_closed() {
    let gate: Pairs<'_> = &[
        ("targetname", "gate"),
        ("origin", "300 300 0"),
        ("model", MODEL),
        ("distance", "90"),
        ("speed", "100"),
        ("returndelay", "1"),
        ("soundopenoverride", "garden/chime.wav"),
    ];
    let garden = opened(&[("prop_door_rotating", gate)], &[["gate", "Open"]]);
    let [swing, open, slam] = sounds(&garden) else {
        panic!("three: {:?}", sounds(&garden));
    };
    assert!(
        [swing, open, slam]
            .iter()
            .all(|it| it.play == SoundPlay::OnCall)
    );
    assert_eq!((swing.gain, swing.rate), (0.5, 0.8));
    // 90 degrees take 0.9 seconds; it closes a second later.
    assert_eq!(calls(&garden, 0.0), [(false, 0), (true, 0), (true, 0)]);
    assert_eq!(calls(&garden, 0.5), [(true, 1), (true, 0), (true, 0)]);
    assert_eq!(calls(&garden, 1.5), [(true, 1), (true, 1), (true, 0)]);
    assert_eq!(calls(&garden, 2.5), [(true, 2), (true, 1), (true, 0)]);
    assert_eq!(calls(&garden, 3.5), [(false, 2), (true, 1), (true, 1)]);
}

#[test]
fn a_train_starts_runs_higher_the_faster_it_is_and_stops() {
    let train: Pairs<'_> = &[
        ("targetname", "train"),
        ("origin", "0 0 0"),
        ("target", "a"),
        ("startspeed", "500"),
        ("StartSound", "garden/chime.wav"),
        ("MoveSound", "garden/creak.wav"),
        ("MovePingSound", "garden/chime.wav"),
        ("StopSound", "garden/chime.wav"),
        ("MoveSoundMinPitch", "80"),
        ("MoveSoundMaxPitch", "180"),
        ("MoveSoundMinTime", "0.2"),
        ("MoveSoundMaxTime", "0.8"),
        ("volume", "7"),
    ];
    let first: Pairs<'_> = &[("targetname", "a"), ("target", "b"), ("origin", "0 0 50")];
    let last: Pairs<'_> = &[("targetname", "b"), ("origin", "500 0 50")];
    let garden = opened(
        &[
            ("func_tracktrain", train),
            ("path_track", first),
            ("path_track", last),
        ],
        &[["train", "StartForward"]],
    );
    let [start, run, ping, stop] = sounds(&garden) else {
        panic!("four: {:?}", sounds(&garden));
    };
    assert_eq!(run.play, SoundPlay::Loop(Vec::new()));
    assert_eq!([start, run, ping, stop].map(|it| it.gain), [0.7; 4]);
    assert_eq!(
        calls(&garden, 0.0),
        [(true, 0), (false, 0), (true, 0), (true, 0)]
    );
    // Half as fast as a fast train: it calls every half second, and takes one for its way.
    assert_eq!(
        calls(&garden, 0.4),
        [(true, 1), (true, 1), (true, 0), (true, 0)]
    );
    let running = states(&garden, 0.6);
    assert_eq!((running[1].rate, running[2].n_calls), (1.3, 1));
    assert_eq!(
        calls(&garden, 2.0),
        [(true, 1), (false, 1), (true, 1), (true, 1)]
    );
}

#[test]
fn what_breaks_is_heard_though_it_is_gone() {
    let crate_of_wood: Pairs<'_> = &[
        ("targetname", "crate"),
        ("origin", "300 300 0"),
        ("material", "1"),
    ];
    let glass: Pairs<'_> = &[("origin", "300 300 0"), ("material", "0")];
    let garden = opened(
        &[("func_breakable", crate_of_wood), ("func_breakable", glass)],
        &[["crate", "Break"]],
    );
    // The table has no sound of glass.
    assert_eq!(sounds(&garden).len(), 1);
    let Sound { gain, rate, .. } = sounds(&garden)[0];
    assert_eq!((gain, rate), (1.0, 1.095), "not as the table says");
    assert_eq!(calls(&garden, 0.0), [(true, 0)]);
    assert_eq!(calls(&garden, 0.1), [(true, 1)]);
}

#[test]
fn a_sentence_is_heard_word_by_word() {
    let speaker: Pairs<'_> = &[
        ("targetname", "voice"),
        ("origin", "300 300 50"),
        ("message", "!Warning"),
        ("spawnflags", "48"),
        ("health", "5"),
    ];
    let garden = opened(&[("ambient_generic", speaker)], &[["voice", "PlaySound"]]);
    let [chime, creak] = sounds(&garden) else {
        panic!("two words: {:?}", sounds(&garden));
    };
    assert_eq!((chime.gain, chime.rate), (1.0, 0.5));
    assert_eq!((creak.gain, creak.rate), (0.3, 1.0));
    assert_eq!(calls(&garden, 0.0), [(false, 0), (false, 0)]);
    assert_eq!(calls(&garden, 2.7), [(true, 1), (false, 0)]);
    assert_eq!(calls(&garden, 2.9), [(true, 1), (true, 1)]);
    assert_eq!(states(&garden, 2.9)[1].gain, 0.5, "that of the speaker");
}

#[test]
fn steps_are_heard_on_the_ground() {
    let garden = opened(&[], &[]);
    let [left, right] = &garden.scene.sounds[N_OWN..] else {
        panic!("two feet: {:?}", garden.scene.sounds);
    };
    assert_eq!(
        [left, right].map(|it| (it.gain, it.rate)),
        [(1.0, 1.0), (1.0, 0.9)]
    );
    let mut walker = Walker::new(Vec3::new(300.0, 300.0, 80.0), 64.0);
    let ahead = WalkInput {
        view: Vec3::X,
        right: Vec3::NEG_Y,
        ahead: 1.0,
        speed: 190.0,
        ..WalkInput::default()
    };
    let still = WalkInput {
        ahead: 0.0,
        ..ahead
    };
    let mut walk = |wish: &WalkInput, secs: f64| {
        for _ in 0..(secs * 64.0) as usize {
            assert!(garden.world.walk(&mut walker, wish, 1.0 / 64.0));
        }
        let states = states(&garden, 0.0);
        [0, 1].map(|foot: usize| (states[foot].n_calls, states[foot].gain))
    };
    assert_eq!(walk(&still, 1.0), [(0, 0.0); 2], "it stands");
    let walked = walk(&ahead, 2.0);
    // Every 0.4 seconds on dirt, once it is fast enough, and the right foot first.
    assert_eq!(walked, [(2, 0.25), (3, 0.25)]);
}
