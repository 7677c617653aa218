//! Soundscapes: what a place sounds like, as loops and sounds that come from time to time.
//!
//! In: `scripts/soundscapes_manifest.txt`, the tables that it lists, and that of the map. Source: Valve's developer wiki, page
//! `Soundscripts for soundscapes`.

use std::collections::HashMap;

use ironlands_assets_core::bytes::Finding;
use ironlands_scene::SoundReach;

use crate::game_files::GameFiles;
use crate::key_values::Entry;
use crate::sound_scripts::{TableReader, level, middle, pitch, reach_of_level, waves};

const MANIFEST: &str = "scripts/soundscapes_manifest.txt";
/// Soundscapes play others, this deep.
const MAX_DEPTH: usize = 8;
/// Most entries of a soundscape with those of others that it plays.
const MAX_ENTRIES: usize = 512;
/// The longest time between sounds, in seconds.
const LONGEST_SECS: f32 = 3600.0;
/// Seconds between sounds where that is not written.
const USUAL_SECS: f32 = 30.0;

/// One loop of a soundscape, or one kind of sound that comes from time to time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SoundscapePart {
    /// Recordings to choose from, as written.
    pub waves: Vec<String>,
    /// Share of the loudness of a recording.
    pub volume: f32,
    /// Factor of its pitch.
    pub rate: f32,
    /// Which of the places of the entity it comes from; `None` is all around the listener.
    pub position: Option<usize>,
    /// How it fades with the distance from there; `None` is not at all.
    pub reach: Option<SoundReach>,
    /// Seconds from one sound to the next; `None` is a loop.
    pub every_secs: Option<f32>,
}

/// Soundscapes by their names in lower case.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Soundscapes(HashMap<String, Entry>);

impl Soundscapes {
    /// All tables of a game and of a map. What is missing has no sounds; what cannot be read is a finding.
    pub fn open(files: &GameFiles, map_name: &str, findings: &mut Vec<Finding>) -> Self {
        let mut reader = TableReader {
            format: "soundscape",
            files,
            findings,
        };
        let own = format!("scripts/soundscapes_{map_name}.txt");
        let tables = reader.listed(MANIFEST, &["scripts/soundscapes.txt", &own]);
        let named = tables.into_iter().map(|it| (it.key.to_lowercase(), it));
        Self(named.collect())
    }

    /// All parts of a soundscape with those of others that it plays; `None` if there is none of the name.
    pub fn parts(&self, name: &str) -> Option<Vec<SoundscapePart>> {
        let entry = self.0.get(&name.trim().to_lowercase())?;
        let mut parts = Vec::new();
        let mut n_left = MAX_ENTRIES;
        self.collect(entry, (1.0, MAX_DEPTH), &mut n_left, &mut parts);
        Some(parts)
    }

    /// The number of the echo that a place has, of those of the engine.
    pub fn dsp(&self, name: &str) -> Option<i32> {
        let entry = self.0.get(&name.trim().to_lowercase())?;
        entry.get("dsp")?.trim().parse().ok()
    }

    fn collect(
        &self,
        scape: &Entry,
        (volume, depth): (f32, usize),
        n_left: &mut usize,
        parts: &mut Vec<SoundscapePart>,
    ) {
        for entry in scape.entries() {
            *n_left = match n_left.checked_sub(1) {
                Some(left) => left,
                None => return,
            };
            if entry.is("playlooping") || entry.is("playrandom") {
                parts.push(part(entry, volume));
            } else if entry.is("playsoundscape") {
                let name = entry.get("name").unwrap_or_default().trim().to_lowercase();
                let inner = volume * middle(entry.get("volume").unwrap_or("1")).unwrap_or(1.0);
                if let (Some(scape), Some(depth)) = (self.0.get(&name), depth.checked_sub(1)) {
                    self.collect(scape, (inner.clamp(0.0, 1.0), depth), n_left, parts);
                }
            }
        }
    }
}

fn part(entry: &Entry, volume: f32) -> SoundscapePart {
    let text = |key: &str| entry.get(key).unwrap_or_default();
    let own = middle(text("volume")).unwrap_or(1.0);
    let attenuation = middle(text("attenuation")).filter(|it| *it > 0.0);
    let level_db = match (entry.get("soundlevel"), attenuation) {
        (Some(text), _) => level(text),
        (None, Some(attenuation)) => 50.0 + 20.0 / attenuation,
        (None, None) => level(""),
    };
    let every_secs = middle(text("time"))
        .unwrap_or(USUAL_SECS)
        .clamp(0.1, LONGEST_SECS);
    SoundscapePart {
        waves: waves(entry),
        volume: (own * volume).clamp(0.0, 1.0),
        rate: pitch(text("pitch")),
        position: text("position").trim().parse().ok(),
        reach: reach_of_level(level_db),
        every_secs: entry.is("playrandom").then_some(every_secs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key_values::{KeyValues, Tolerance};

    fn soundscapes(text: &str) -> Soundscapes {
        let table = KeyValues::read_with("soundscape", text.as_bytes(), Tolerance::all()).unwrap();
        let named = table
            .entries
            .into_iter()
            .map(|it| (it.key.to_lowercase(), it));
        Soundscapes(named.collect())
    }

    #[test]
    fn parts_are_those_of_all_that_is_played() {
        let scapes = soundscapes(
            r#"
            "test.Yard" { "dsp" "1"
                "playlooping" { "volume" "0.5" "pitch" "100" "wave" "ambient/wind.wav" }
                "playrandom" { "time" "8,12" "volume" "0.4,0.8" "position" "random"
                    "rndwave" { "wave" "birds/a.wav" "wave" "birds/b.wav" } }
                "playsoundscape" { "name" "test.Fan" "volume" "0.5" } }
            "test.Fan" {
                "playlooping" { "volume" ".6" "position" "2" "attenuation" "2" "wave" "fan.wav" }
                "playsoundscape" { "name" "test.Yard" "volume" "0" } }
            "#,
        );
        assert_eq!(scapes.parts("test.nothing"), None);
        let dsp = ["test.nothing", "TEST.Yard", "test.Fan"].map(|it| scapes.dsp(it));
        assert_eq!(dsp, [None, Some(1), None]);
        let parts = scapes.parts("TEST.yard").unwrap();
        let [wind, birds, fan, ..] = &parts[..] else {
            panic!("{parts:?}");
        };
        assert_eq!(
            (wind.volume, wind.position, wind.every_secs),
            (0.5, None, None)
        );
        assert_eq!(birds.waves, ["birds/a.wav", "birds/b.wav"]);
        assert!((birds.volume - 0.6).abs() < 1e-6);
        assert_eq!((birds.position, birds.every_secs), (None, Some(10.0)));
        assert!((fan.volume - 0.3).abs() < 1e-6);
        assert_eq!(fan.position, Some(2));
        assert_eq!(fan.reach, reach_of_level(60.0));
        // They play one another without end.
        assert_eq!(parts.len(), (MAX_DEPTH / 2 + 1) * 2 + MAX_DEPTH / 2);
        let itself = r#""playsoundscape" { "name" "echo" } "#.repeat(20);
        let echo = soundscapes(&format!("echo {{ {itself} }}"));
        assert_eq!(
            echo.parts("echo"),
            Some(Vec::new()),
            "none of it sounds, and it ends"
        );
    }
}
