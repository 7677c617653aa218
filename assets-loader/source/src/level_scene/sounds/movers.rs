//! What doors, platforms, buttons, fans, trains and what breaks sound like, by their classes and keys. What these mean is from
//! Valve's developer wiki and the source SDK of 2013.

use super::door_options::DoorOptions;
use super::{Heard, Motion};
use crate::entities::Entity;
use crate::level_scene::emitters::has_flag;

/// What says that there is no sound.
const NO_SOUND: &str = "DoorSound.Null";
/// Bit of `spawnflags` of doors: not a sound.
const SILENT_DOOR: i32 = 4096;

/// Outputs of doors and buttons.
const OPENED: &[&str] = &["OnOpen"];
const FULLY_OPEN: &[&str] = &["OnFullyOpen"];
const FULLY_CLOSED: &[&str] = &["OnFullyClosed"];
const ARRIVED: &[&str] = &["OnFullyOpen", "OnFullyClosed"];
const DOOR_IS_LOCKED: &[&str] = &["OnLockedUse"];
const PRESSED: &[&str] = &["OnPressed"];
const BUTTON_IS_LOCKED: &[&str] = &["OnUseLocked"];
const BROKEN: &[&str] = &["OnBreak"];

/// What something sounds like that breaks, by its material: glass, wood, metal, flesh, cinder block, ceiling tile, computer,
/// unbreakable glass, rocks, web, none.
const BREAKING: [Option<&str>; 11] = [
    Some("Breakable.Glass"),
    WOOD,
    Some("Breakable.Metal"),
    Some("Breakable.Flesh"),
    Some("Breakable.Concrete"),
    Some("Breakable.Ceiling"),
    Some("Breakable.Computer"),
    None,
    Some("Breakable.Concrete"),
    Some("Breakable.Flesh"),
    None,
];
/// What other numbers are.
const WOOD: Option<&str> = Some("Breakable.Crate");

/// The middle of the factors of their pitch, 0.95 to 1.24.
const BREAKING_RATE: f32 = 1.095;

/// Hundredths of pitch of a train at rest and at full speed, where they are not written.
const TRAIN_PITCHES: [u16; 2] = [60, 200];
/// Volume of platforms and trains along corners where it is not written.
const PLATFORM_VOLUME: f32 = 0.85;

/// A sound of a mover.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MoverSound {
    /// The recording, or its name in a table.
    pub name: String,
    /// Whether nothing names it, so that it is heard only where the tables have it.
    pub is_usual: bool,
    /// How loud a recording is that no table names.
    pub volume: f32,
    /// Factor of the pitch with which it is heard in full, whatever its table says.
    pub own_rate: Option<f32>,
    /// When it is heard.
    pub heard: Heard,
}

impl MoverSound {
    /// A sound of full volume.
    fn new(name: impl Into<String>, heard: Heard) -> Self {
        Self {
            name: name.into(),
            is_usual: false,
            volume: 1.0,
            own_rate: None,
            heard,
        }
    }

    /// The sound of a key; where that is empty, the usual one.
    fn from_key(entity: &Entity, key: &str, usual: &str, heard: Heard) -> Option<Self> {
        match written(entity, key) {
            Some(name) => is_sound(&name).then(|| Self::new(name, heard)),
            None => (!usual.is_empty()).then(|| Self {
                is_usual: true,
                ..Self::new(usual, heard)
            }),
        }
    }
}

/// All sounds of an entity of a class in lower case. `key_values` are those of its model.
pub(super) fn mover_sounds(entity: &Entity, class: &str, key_values: &[u8]) -> Vec<MoverSound> {
    let is_silent = class.contains("door") && has_flag(entity, SILENT_DOOR);
    match class {
        _ if is_silent => Vec::new(),
        "func_door" => door(entity, "DoorSound"),
        "func_door_rotating" => door(entity, "RotDoorSound"),
        "prop_door_rotating" => model_door(entity, &DoorOptions::read(key_values)),
        "func_movelinear" | "momentary_door" | "func_water_analog" => slide(entity),
        "func_plat" | "func_train" => platform(entity),
        "func_button" | "func_rot_button" | "momentary_rot_button" => button(entity),
        "func_rotating" => fan(entity),
        "func_tracktrain" => train(entity),
        "func_breakable" | "func_physbox" => breaking(entity),
        _ => Vec::new(),
    }
}

/// A door moves, arrives, is locked, and is opened; `kind` is that of its usual sounds.
fn door(entity: &Entity, kind: &str) -> Vec<MoverSound> {
    let usual = |what: &str| format!("{kind}.{what}");
    let moving = |motion| {
        let usual = usual("DefaultMove");
        MoverSound::from_key(entity, "noise1", &usual, Heard::Moving(motion))
    };
    let arriving = |outputs| {
        let usual = usual("DefaultArrive");
        MoverSound::from_key(entity, "noise2", &usual, Heard::AtOutputs(outputs))
    };
    let from_key = |key, usual: &str, heard| MoverSound::from_key(entity, key, usual, heard);
    let closing = Heard::Moving(Motion::Closing);
    let mut sounds = match written(entity, "startclosesound") {
        None => vec![moving(Motion::Any)],
        Some(_) => vec![
            moving(Motion::Opening),
            from_key("startclosesound", "", closing),
        ],
    };
    sounds.extend(match written(entity, "closesound") {
        None => vec![arriving(ARRIVED)],
        Some(_) => {
            let closed = Heard::AtOutputs(FULLY_CLOSED);
            vec![arriving(FULLY_OPEN), from_key("closesound", "", closed)]
        }
    });
    let locked = Heard::AtOutputs(DOOR_IS_LOCKED);
    sounds.push(from_key("locked_sound", &usual("DefaultLocked"), locked));
    sounds.push(from_key("unlocked_sound", "", Heard::AtOutputs(OPENED)));
    sounds.into_iter().flatten().collect()
}

/// What the keys do not say is what the model says.
fn model_door(entity: &Entity, options: &DoorOptions) -> Vec<MoverSound> {
    let whole = |key: &str| entity.number(key).unwrap_or(0.0) as i32;
    let (skin, hardware) = (whole("skin"), whole("hardware"));
    let rows = [
        (
            "soundmoveoverride",
            options.of_skin(skin, "move"),
            Heard::UntilClosed,
        ),
        (
            "soundopenoverride",
            options.of_skin(skin, "open"),
            Heard::AtOutputs(FULLY_OPEN),
        ),
        (
            "soundcloseoverride",
            options.of_skin(skin, "close"),
            Heard::AtOutputs(FULLY_CLOSED),
        ),
        (
            "soundlockedoverride",
            options.of_hardware(hardware, "locked"),
            Heard::AtOutputs(DOOR_IS_LOCKED),
        ),
        (
            "soundunlockedoverride",
            options.of_hardware(hardware, "unlocked"),
            Heard::AtOutputs(OPENED),
        ),
    ];
    let sounds = rows.into_iter().filter_map(|(key, of_model, heard)| {
        let name = written(entity, key).or_else(|| of_model.map(str::to_owned))?;
        is_sound(&name).then(|| MoverSound::new(name, heard))
    });
    sounds.collect()
}

fn slide(entity: &Entity) -> Vec<MoverSound> {
    let moving = MoverSound::from_key(entity, "StartSound", "", Heard::Moving(Motion::Any));
    let arriving = MoverSound::from_key(entity, "StopSound", "", Heard::Arriving);
    moving.into_iter().chain(arriving).collect()
}

/// Platforms, and trains that run along corners.
fn platform(entity: &Entity) -> Vec<MoverSound> {
    let heard = Heard::Moving(Motion::Any);
    let moving = MoverSound::from_key(entity, "noise1", "Plat.DefaultMoving", heard);
    let arriving = MoverSound::from_key(entity, "noise2", "Plat.DefaultArrive", Heard::Arriving);
    let volume = match entity.number("volume") {
        None | Some(0.0) => PLATFORM_VOLUME,
        Some(volume) => volume.clamp(0.0, 1.0),
    };
    let sounds = moving.into_iter().chain(arriving);
    sounds.map(|it| MoverSound { volume, ..it }).collect()
}

/// Buttons number their sounds.
fn button(entity: &Entity) -> Vec<MoverSound> {
    let rows = [
        ("sounds", PRESSED),
        ("locked_sound", BUTTON_IS_LOCKED),
        ("unlocked_sound", PRESSED),
    ];
    let sounds = rows.into_iter().filter_map(|(key, outputs)| {
        let name = written(entity, key)?;
        let name = match name.parse::<u32>() {
            Ok(0) => return None,
            Ok(number) => format!("Buttons.snd{number}"),
            Err(_) => name,
        };
        is_sound(&name).then(|| MoverSound::new(name, Heard::AtOutputs(outputs)))
    });
    sounds.collect()
}

fn fan(entity: &Entity) -> Vec<MoverSound> {
    let volume = entity.number("volume").unwrap_or(10.0) / 10.0;
    let turning = MoverSound::from_key(entity, "message", "", Heard::Moving(Motion::Turning));
    let sounds = turning.into_iter().map(|it| MoverSound {
        volume: volume.clamp(0.0, 1.0),
        ..it
    });
    sounds.collect()
}

/// A train that only has a sound for when it stops is never heard.
fn train(entity: &Entity) -> Vec<MoverSound> {
    let from_key = |key, heard| MoverSound::from_key(entity, key, "", heard);
    let running = Motion::Running {
        pitches: [
            train_pitch(entity, "MoveSoundMinPitch", TRAIN_PITCHES[0]),
            train_pitch(entity, "MoveSoundMaxPitch", TRAIN_PITCHES[1]),
        ],
    };
    let others = [
        from_key("StartSound", Heard::Departing),
        from_key("MoveSound", Heard::Moving(running)),
        from_key("MovePingSound", Heard::Pinging),
    ];
    let mut sounds: Vec<MoverSound> = others.into_iter().flatten().collect();
    if !sounds.is_empty() {
        sounds.extend(from_key("StopSound", Heard::Arriving));
    }
    let volume = match entity.number("volume") {
        None | Some(0.0) => 1.0,
        Some(tenths) => (tenths.trunc() / 10.0).clamp(0.0, 1.0),
    };
    for sound in &mut sounds {
        sound.volume = volume;
    }
    sounds
}

fn train_pitch(entity: &Entity, key: &str, usual: u16) -> u16 {
    match entity.number(key) {
        None | Some(0.0) => usual,
        Some(pitch) => pitch.clamp(1.0, 255.0) as u16,
    }
}

fn breaking(entity: &Entity) -> Vec<MoverSound> {
    let material = entity.number("material").unwrap_or(0.0);
    // The cast saturates; numbers below 0 are wood, too.
    let name = match material >= 0.0 {
        true => BREAKING.get(material as usize).copied().unwrap_or(WOOD),
        false => WOOD,
    };
    let sounds = name.into_iter().map(|name| MoverSound {
        is_usual: true,
        own_rate: Some(BREAKING_RATE),
        ..MoverSound::new(name, Heard::AtOutputs(BROKEN))
    });
    sounds.collect()
}

/// What a key says, unless that is empty.
fn written(entity: &Entity, key: &str) -> Option<String> {
    let text = entity.get(key)?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Whether a name is one of a sound: numbers are of an older engine, and the null sound is none.
fn is_sound(name: &str) -> bool {
    !name.eq_ignore_ascii_case(NO_SOUND) && name.parse::<f32>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entity(class: &str, pairs: &[(&str, &str)]) -> Entity {
        let mut entity = Entity::new(class);
        for (key, value) in pairs {
            entity.push(key, value);
        }
        entity
    }

    /// Names of sounds, in parentheses where they are usual ones, and when they are heard.
    fn facts(class: &str, pairs: &[(&str, &str)], key_values: &[u8]) -> Vec<(String, Heard)> {
        let sounds = mover_sounds(&entity(class, pairs), class, key_values);
        let facts = sounds.into_iter().map(|it| match it.is_usual {
            true => (format!("({})", it.name), it.heard),
            false => (it.name, it.heard),
        });
        facts.collect()
    }

    fn rows(rows: &[(&str, Heard)]) -> Vec<(String, Heard)> {
        rows.iter()
            .map(|(name, heard)| ((*name).to_owned(), *heard))
            .collect()
    }

    #[test]
    fn doors_move_arrive_and_are_locked() {
        let any = Heard::Moving(Motion::Any);
        let locked = Heard::AtOutputs(&["OnLockedUse"]);
        let arrived = Heard::AtOutputs(&["OnFullyOpen", "OnFullyClosed"]);
        let usual = rows(&[
            ("(DoorSound.DefaultMove)", any),
            ("(DoorSound.DefaultArrive)", arrived),
            ("(DoorSound.DefaultLocked)", locked),
        ]);
        assert_eq!(facts("func_door", &[("noise1", "")], b""), usual);
        let pairs = [
            ("noise1", "Door.Move"),
            ("noise2", "DoorSound.Null"),
            ("locked_sound", "3"),
            ("unlocked_sound", "Door.Click"),
        ];
        let written = rows(&[
            ("Door.Move", any),
            ("Door.Click", Heard::AtOutputs(&["OnOpen"])),
        ]);
        assert_eq!(facts("func_door_rotating", &pairs, b""), written);
        let pairs = [
            ("startclosesound", "a.wav"),
            ("closesound", "b.wav"),
            ("locked_sound", "c.wav"),
        ];
        let both_ways = rows(&[
            ("(RotDoorSound.DefaultMove)", Heard::Moving(Motion::Opening)),
            ("a.wav", Heard::Moving(Motion::Closing)),
            (
                "(RotDoorSound.DefaultArrive)",
                Heard::AtOutputs(&["OnFullyOpen"]),
            ),
            ("b.wav", Heard::AtOutputs(&["OnFullyClosed"])),
            ("c.wav", locked),
        ]);
        assert_eq!(facts("func_door_rotating", &pairs, b""), both_ways);
        assert_eq!(facts("func_door", &[("spawnflags", "4097")], b""), []);
        assert_eq!(facts("func_water", &[("noise1", "Door.Move")], b""), []);
    }

    #[test]
    fn doors_of_models_sound_as_their_skin_and_handle() {
        let text = br#"mdlkeyvalue { door_options {
            defaults { open Wood.Open close Wood.Close move Wood.Move locked Wood.Locked unlocked Wood.Unlocked }
            skin2 { open Iron.Open move DoorSound.Null }
            hardware1 { locked Knob.Locked }
        } }"#;
        let pairs = [
            ("skin", "2"),
            ("hardware", "1"),
            ("soundcloseoverride", "Own.Close"),
        ];
        let expected = rows(&[
            ("Iron.Open", Heard::AtOutputs(&["OnFullyOpen"])),
            ("Own.Close", Heard::AtOutputs(&["OnFullyClosed"])),
            ("Knob.Locked", Heard::AtOutputs(&["OnLockedUse"])),
            ("Wood.Unlocked", Heard::AtOutputs(&["OnOpen"])),
        ]);
        assert_eq!(facts("prop_door_rotating", &pairs, text), expected);
        let bare = facts("prop_door_rotating", &[("soundmoveoverride", "m.wav")], b"");
        assert_eq!(bare, rows(&[("m.wav", Heard::UntilClosed)]));
        let silent = [("spawnflags", "4096"), ("soundmoveoverride", "m.wav")];
        assert_eq!(facts("prop_door_rotating", &silent, text), []);
    }

    #[test]
    fn buttons_number_their_sounds_and_platforms_name_them() {
        let pairs = [
            ("sounds", "7"),
            ("locked_sound", "2"),
            ("unlocked_sound", "0"),
        ];
        let expected = rows(&[
            ("Buttons.snd7", Heard::AtOutputs(&["OnPressed"])),
            ("Buttons.snd2", Heard::AtOutputs(&["OnUseLocked"])),
        ]);
        assert_eq!(facts("func_button", &pairs, b""), expected);
        let pairs = [
            ("StartSound", "s.wav"),
            ("StopSound", "t.wav"),
            ("noise1", "n.wav"),
        ];
        let any = Heard::Moving(Motion::Any);
        let slides = rows(&[("s.wav", any), ("t.wav", Heard::Arriving)]);
        assert_eq!(facts("func_movelinear", &pairs, b""), slides);
        let platforms = rows(&[("n.wav", any), ("(Plat.DefaultArrive)", Heard::Arriving)]);
        assert_eq!(facts("func_plat", &pairs, b""), platforms);
        let loud = |value| {
            let train = entity("func_train", &[("noise1", "n.wav"), ("volume", value)]);
            mover_sounds(&train, "func_train", b"")[0].volume
        };
        assert_eq!(["0", "0.5", "3"].map(loud), [0.85, 0.5, 1.0]);
    }

    #[test]
    fn trains_change_their_pitch_and_what_breaks_has_a_material() {
        let pairs = [
            ("MoveSound", "m.wav"),
            ("StopSound", "s.wav"),
            ("MoveSoundMinPitch", "80"),
            ("MoveSoundMaxPitch", "0"),
            ("volume", "5"),
        ];
        let running = Motion::Running { pitches: [80, 200] };
        let expected = rows(&[
            ("m.wav", Heard::Moving(running)),
            ("s.wav", Heard::Arriving),
        ]);
        assert_eq!(facts("func_tracktrain", &pairs, b""), expected);
        let sounds = mover_sounds(&entity("", &pairs), "func_tracktrain", b"");
        assert_eq!(sounds[0].volume, 0.5);
        assert_eq!(facts("func_tracktrain", &[("StopSound", "s.wav")], b""), []);
        let breaks = |material: &str| {
            let pairs = [("material", material)];
            let facts = facts("func_breakable", &pairs, b"");
            facts
                .into_iter()
                .map(|(name, _)| name)
                .next()
                .unwrap_or_default()
        };
        let found = [
            "0", "1", "2", "4", "5", "6", "7", "8", "9", "10", "11", "-1",
        ]
        .map(breaks);
        let expected = [
            "(Breakable.Glass)",
            "(Breakable.Crate)",
            "(Breakable.Metal)",
            "(Breakable.Concrete)",
            "(Breakable.Ceiling)",
            "(Breakable.Computer)",
            "",
            "(Breakable.Concrete)",
            "(Breakable.Flesh)",
            "",
            "(Breakable.Crate)",
            "(Breakable.Crate)",
        ];
        assert_eq!(found, expected);
    }
}
