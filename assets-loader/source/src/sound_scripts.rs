//! Sounds by the names that games give them, as in `Door.Creak`: tables of recordings and of how they are played.
//!
//! In: `scripts/game_sounds_manifest.txt`, the tables that it lists, and that of the map. Source: Valve's developer wiki, pages
//! `Soundscripts` and `Soundlevel`.

use std::collections::{HashMap, HashSet};

use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_scene::SoundReach;

use crate::game_files::GameFiles;
use crate::key_values::{Entry, KeyValues, Tolerance};

const FORMAT: &str = "sound script";
const MANIFEST: &str = "scripts/game_sounds_manifest.txt";
/// Most tables that a manifest lists.
const MAX_TABLES: usize = 1024;
/// Where a sound is as loud as its recording if it has the level of reference, in units.
const REFERENCE_UNITS: f32 = 36.0;
const REFERENCE_DB: f32 = 60.0;
/// Level that a sound has at its radius, in decibels.
const RADIUS_DB: f32 = 40.0;
/// The level of a sound whose table has none.
const USUAL_DB: f32 = 75.0;
/// How many times farther than it is full a sound is heard: the games call a thousandth silent.
const AUDIBLE: f32 = 1000.0;

/// A named sound.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SoundEntry {
    /// Recordings to choose from, as written.
    pub waves: Vec<String>,
    /// Share of the loudness of a recording, the middle of what is chosen from.
    pub volume: f32,
    /// Factor of its pitch, likewise.
    pub rate: f32,
    /// Level in decibels; 0 is heard everywhere.
    pub level_db: f32,
}

/// Named sounds, by their names in lower case.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct SoundScripts(HashMap<String, SoundEntry>);

impl SoundScripts {
    /// All tables of a game and of a map. What is missing has no sounds; what cannot be read is a finding.
    pub fn open(files: &GameFiles, map_name: &str, findings: &mut Vec<Finding>) -> Self {
        let mut reader = TableReader {
            format: FORMAT,
            files,
            findings,
        };
        let own = format!("maps/{map_name}_level_sounds.txt");
        Self(reader.listed(MANIFEST, &[&own]).iter().map(named).collect())
    }

    /// A sound by its name, whatever the case.
    pub fn get(&self, name: &str) -> Option<&SoundEntry> {
        self.0.get(&name.trim().to_lowercase())
    }
}

/// Reads tables of a game.
pub(crate) struct TableReader<'a> {
    /// What findings name as their format.
    pub format: &'static str,
    pub files: &'a GameFiles,
    pub findings: &'a mut Vec<Finding>,
}

impl TableReader<'_> {
    /// The entries of all tables that a manifest lists, then of others; of the same name the last counts. What is missing has
    /// none.
    pub fn listed(&mut self, manifest: &str, others: &[&str]) -> Vec<Entry> {
        let manifest = self.read(manifest);
        let listed = manifest.entries.iter().flat_map(Entry::entries);
        let listed = listed.filter_map(Entry::as_text).take(MAX_TABLES);
        let mut known = HashSet::new();
        let paths = listed.chain(others.iter().copied());
        let paths = paths.filter(|path| known.insert(path.to_lowercase()));
        paths.flat_map(|path| self.read(path).entries).collect()
    }

    /// A table by its path; empty where it is missing, or cannot be read, which is a finding.
    pub fn read(&mut self, path: &str) -> KeyValues {
        let data = self.files.open(path).map_err(|error| error.to_string());
        let text = data.and_then(|data| {
            let text = data.map(|data| KeyValues::read_with(self.format, &data, Tolerance::all()));
            text.transpose().map_err(|error| error.to_string())
        });
        let text = text.unwrap_or_else(|error| {
            let message = format!("{path}: {error}");
            self.findings
                .push(Finding::new(Severity::Warning, self.format, message));
            None
        });
        text.unwrap_or_default()
    }
}

/// The recordings of an entry: those to choose from, and one alone.
pub(crate) fn waves(entry: &Entry) -> Vec<String> {
    let chosen = entry.entries().iter().filter(|it| it.is("rndwave"));
    let alone = entry.entries().iter().filter(|it| it.is("wave"));
    let waves = chosen.flat_map(Entry::entries).chain(alone);
    waves
        .filter_map(Entry::as_text)
        .map(str::to_owned)
        .collect()
}

fn named(entry: &Entry) -> (String, SoundEntry) {
    let text = |key: &str| entry.get(key).unwrap_or_default();
    let sound = SoundEntry {
        waves: waves(entry),
        volume: middle(text("volume")).unwrap_or(1.0).clamp(0.0, 1.0),
        rate: pitch(text("pitch")),
        level_db: level(text("soundlevel")),
    };
    (entry.key.to_lowercase(), sound)
}

/// The middle of `0.5` or `0.4, 0.6`.
pub(crate) fn middle(text: &str) -> Option<f32> {
    let mut numbers = text.split(',').map(|it| it.trim().parse::<f32>());
    let first = numbers.next()?.ok().filter(|it| it.is_finite())?;
    let last = match numbers.next() {
        Some(last) => last.ok().filter(|it| it.is_finite())?,
        None => first,
    };
    Some(0.5 * first + 0.5 * last)
}

/// A factor of pitch: a number of hundredths, two of them, or a name.
pub(crate) fn pitch(text: &str) -> f32 {
    let hundredths = match &*text.trim().to_ascii_uppercase() {
        "PITCH_LOW" => 95.0,
        "PITCH_HIGH" => 120.0,
        _ => middle(text).unwrap_or(100.0),
    };
    (hundredths / 100.0).clamp(0.01, 2.55)
}

/// A level in decibels: `SNDLVL_75dB`, a number, or a name.
pub(crate) fn level(text: &str) -> f32 {
    let text = text.trim().to_ascii_uppercase();
    let name = text.strip_prefix("SNDLVL_").unwrap_or(&text);
    match name {
        "" | "NORM" => USUAL_DB,
        "NONE" => 0.0,
        "IDLE" => 60.0,
        "STATIC" => 66.0,
        "TALKING" => 80.0,
        "GUNFIRE" => 140.0,
        _ => middle(name.trim_end_matches("DB")).unwrap_or(USUAL_DB),
    }
}

/// How far a sound of a level is heard; `None` is everywhere alike.
pub(crate) fn reach_of_level(level_db: f32) -> Option<SoundReach> {
    let near = REFERENCE_UNITS * 10.0_f32.powf((level_db - REFERENCE_DB) / 20.0);
    (level_db > 0.0).then(|| reach(near))
}

/// How far a sound is heard that is said to be heard up to a radius; `None` is everywhere alike.
pub(crate) fn reach_of_radius(radius: f32) -> Option<SoundReach> {
    let level_db = RADIUS_DB + 20.0 * (radius / REFERENCE_UNITS).log10();
    // Levels are whole.
    (radius > 0.0).then(|| reach_of_level(level_db.trunc().max(1.0)))?
}

fn reach(near: f32) -> SoundReach {
    let near = near.clamp(0.01, 1e6);
    SoundReach {
        near,
        far: near * AUDIBLE,
    }
}

/// Path of a recording that a table or an entity names: signs before the name say how it is played.
pub(crate) fn wave_path(name: &str) -> String {
    let name = name.trim().to_lowercase().replace('\\', "/");
    let name = name.trim_start_matches([
        '*', '#', '@', '>', '<', '^', ')', '(', '}', '$', '!', '?', '&', '~', '`', '+', '%',
    ]);
    format!("sound/{}", name.trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_say_what_is_played_and_how() {
        let text = br#"
            "Door.Creak" { "channel" "CHAN_STATIC" "volume" "0.4, 0.6" "pitch" "95,105" "soundlevel" "SNDLVL_80dB"
                "rndwave" { "wave" ")doors/creak1.wav" "wave" "doors\Creak2.wav" } }
            "Alarm" { "volume" "VOL_NORM" "pitch" "PITCH_HIGH" "soundlevel" "SNDLVL_NONE" "wave" "alarm.wav" }
        "#;
        let table = KeyValues::read_with(FORMAT, text, Tolerance::all()).unwrap();
        let scripts = SoundScripts(table.entries.iter().map(named).collect());
        let creak = scripts.get("door.CREAK").unwrap();
        let paths: Vec<_> = creak.waves.iter().map(|it| wave_path(it)).collect();
        assert_eq!(paths, ["sound/doors/creak1.wav", "sound/doors/creak2.wav"]);
        assert_eq!((creak.volume, creak.rate, creak.level_db), (0.5, 1.0, 80.0));
        let alarm = scripts.get("Alarm").unwrap();
        assert_eq!((alarm.volume, alarm.rate, alarm.level_db), (1.0, 1.2, 0.0));
        assert_eq!(scripts.get("Door.Slam"), None);
    }

    #[test]
    fn levels_and_radii_say_how_far_a_sound_is_heard() {
        let near = |reach: Option<SoundReach>| reach.map(|it| it.near);
        assert_eq!(near(reach_of_level(0.0)), None);
        assert_eq!(near(reach_of_level(60.0)), Some(36.0));
        assert_eq!(near(reach_of_level(80.0)), Some(360.0));
        assert_eq!(near(reach_of_radius(0.0)), None);
        // 40 + 20 log 100 = 80.
        assert_eq!(near(reach_of_radius(3600.0)), Some(360.0));
        for name in ["SNDLVL_NORM", "", "75", "SNDLVL_75dB", "what"] {
            assert_eq!(level(name), 75.0, "{name}");
        }
    }
}
