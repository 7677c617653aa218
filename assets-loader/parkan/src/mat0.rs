//! MAT0: a material of phases, and tracks that show them one after the other (dossier sections 9.5 and 2.1).

use std::path::Path;

use thiserror::Error;

use crate::json;
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::format::{
    Conversion, Fidelity, FileKind, Format, Reference, inherent_methods,
};
use ironlands_assets_core::record::Record;
use ironlands_assets_core::text::{decode_cp1251, until_nul};
use serde::{Deserialize, Serialize};

#[cfg(test)]
mod tests;

const FORMAT: &str = Mat0::NAME;

/// Type of the entries of archives that are materials.
pub const TYPE_ID: u32 = u32::from_le_bytes(*b"MAT0");
/// A byte that is not set.
const NOT_SET: u8 = 0xFF;
/// Classes of surfaces: 0 snow, 1 stone, 2 grass, 3 swamp, 4 ice, 5 metal, 6 leaves, 7 water, 8 teleports, 9 animals,
/// 10 shields.
const MAX_CLASS: u8 = 10;
/// The original stops with `Too many animations for material.` at this many.
const TRACK_LIMIT: usize = 20;
/// Each surface of a level that shows a material has its own copy of what it plays: a small file must not make
/// much of it.
const MAX_PLAYED: usize = 1024;
/// Version of all known files, and the last that added a field is 4.
const KNOWN_VERSION: u32 = 6;

/// A material. `version` is the entry's attr2 in the archive and decides which fields are stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mat0 {
    /// Entry attr2: 6 in all known files.
    pub version: u32,
    /// What things that stand on it or hit it make of it (0 to 10); stored from version 2 on, else not set, 0xFF.
    pub class: u8,
    /// 0xFF in all known files; stored from version 2 on.
    pub unknown_05: u8,
    /// Multiplies the speed of units on it, 1 in all known files; stored from version 3 on, else 1.
    pub speed_factor: f32,
    /// Hit points that units on it lose each second; stored from version 4 on, else 0.
    pub damage_per_sec: f32,
    /// Phases; the first is the material at rest.
    pub phases: Vec<Phase>,
    /// Alternatives, fewer than 20: ground has its own look and its microtexture, insignia one for each clan.
    pub tracks: Vec<Track>,
}

/// attr2 of a material's entry, which its reader needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MaterialVersion(pub u32);

impl Default for MaterialVersion {
    /// That of all known files.
    fn default() -> Self {
        Self(KNOWN_VERSION)
    }
}

impl Format for Mat0 {
    type Context = MaterialVersion;

    const NAME: &'static str = "mat0";
    const EXTENSIONS: &'static [&'static str] = &["mat0"];
    const KIND: FileKind = FileKind::Material;

    inherent_methods!(write, check);

    fn contexts() -> Vec<MaterialVersion> {
        (0..=KNOWN_VERSION).map(MaterialVersion).collect()
    }

    fn read(data: &[u8], version: &MaterialVersion) -> Result<Self, FormatError> {
        Self::read(data, version.0)
    }

    fn conversions() -> &'static [Conversion] {
        const { &[json::conversion::<Self>(Fidelity::SameBytes)] }
    }

    fn references(&self, _: &Path) -> Vec<Reference> {
        let names = self.phases.iter().map(|phase| until_nul(&phase.texture));
        let named = names.filter(|name| !name.is_empty());
        named
            .map(|name| Reference::new(FileKind::Texture, decode_cp1251(name)))
            .collect()
    }
}

impl Mat0 {
    /// Reads the whole payload of an entry whose attr2 is `version`.
    ///
    /// # Errors
    /// Bytes cut short or left over, a count that the bytes cannot hold, or 20 tracks and more.
    pub fn read(data: &[u8], version: u32) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let phase_count = r.u16("phase count")?;
        let n_tracks = read_track_count(&mut r)?;
        let [class, unknown_05] = match version {
            0..2 => [NOT_SET; 2],
            _ => r.array("class and byte 5")?,
        };
        let speed_factor = match version {
            0..3 => 1.0,
            _ => r.f32("speed factor")?,
        };
        let damage_per_sec = match version {
            0..4 => 0.0,
            _ => r.f32("damage per second")?,
        };
        let n_phases = r.claim("phase count", u64::from(phase_count), Phase::SIZE)?;
        let phases = (0..n_phases)
            .map(|_| Phase::read(&mut r, ()))
            .collect::<Result<_, _>>()?;
        let tracks = (0..n_tracks)
            .map(|_| Track::read(&mut r))
            .collect::<Result<_, _>>()?;
        r.finish("after the last track")?;
        Ok(Self {
            version,
            class,
            unknown_05,
            speed_factor,
            damage_per_sec,
            phases,
            tracks,
        })
    }

    /// Writes the payload; the entry's attr2 must be set to `version`. Floats keep their bits.
    ///
    /// # Errors
    /// A value that the version does not store, too many phases or keys for their counts, 20 tracks.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            version,
            class,
            unknown_05,
            speed_factor,
            damage_per_sec,
            phases,
            tracks,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.count_u16("phase count", phases.len())?;
        if tracks.len() >= TRACK_LIMIT {
            let limit = TRACK_LIMIT.saturating_sub(1) as u64;
            return Err(w.too_large("track count", tracks.len() as u64, limit));
        }
        w.count_u16("track count", tracks.len())?;
        let bytes = [*class, *unknown_05];
        if *version >= 2 {
            w.bytes(&bytes);
        } else if bytes != [NOT_SET; 2] {
            let found = format!("{bytes:?}");
            return Err(not_stored(&w, "class and byte 5", "255, 255", &found));
        }
        if *version >= 3 {
            w.f32(*speed_factor);
        } else if speed_factor.to_bits() != 1.0f32.to_bits() {
            let found = speed_factor.to_string();
            return Err(not_stored(&w, "speed factor", "1", &found));
        }
        if *version >= 4 {
            w.f32(*damage_per_sec);
        } else if damage_per_sec.to_bits() != 0 {
            let found = damage_per_sec.to_string();
            return Err(not_stored(&w, "damage per second", "0", &found));
        }
        for phase in phases {
            phase.write(&mut w, ())?;
        }
        for track in tracks {
            track.write(&mut w)?;
        }
        Ok(w.finish())
    }

    /// Rules that the original leaves unchecked, and values that no known file has.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut find = |severity, message| findings.push(Finding::new(severity, FORMAT, message));
        if self.version != KNOWN_VERSION {
            let message = format!("version {}; all known files have 6", self.version);
            find(Severity::Note, message);
        }
        if !matches!(self.class, 0..=MAX_CLASS | NOT_SET) {
            let message = format!(
                "class {}; known are 0 to {MAX_CLASS}, and 255 for none",
                self.class
            );
            find(Severity::Warning, message);
        }
        if self.unknown_05 != NOT_SET {
            let message = format!("byte 5 is {}; all known files have 255", self.unknown_05);
            find(Severity::Note, message);
        }
        if !(self.speed_factor.is_finite() && self.damage_per_sec.is_finite()) {
            let message = "speed factor or damage per second is not finite".to_owned();
            find(Severity::Warning, message);
        }
        for (idx, phase) in self.phases.iter().enumerate() {
            let name = phase.texture_name();
            if !name.is_empty() && !name.contains(&b'.') {
                let message = format!(
                    "phase {idx}: texture name \"{}\" has no dot (Bad texture name.)",
                    name.escape_ascii()
                );
                find(Severity::Warning, message);
            }
        }
        for (idx, track) in self.tracks.iter().enumerate() {
            for problem in track.problems(self.phases.len()) {
                find(problem.severity(), format!("track {idx}: {problem}"));
            }
            for key in track.keys.iter().filter(|key| key.unknown_4 != 0) {
                let message = format!("track {idx}: word 4 of a key is {}", key.unknown_4);
                find(Severity::Note, message);
            }
            if !track.keys.is_sorted_by_key(|key| key.end_ms) {
                let message = format!("track {idx}: a key ends before the one before it");
                find(Severity::Warning, message);
            }
        }
        findings
    }

    /// The track that a surface is drawn with: the first, if there is any.
    ///
    /// # Errors
    /// What makes it impossible to play.
    pub fn first_track(&self) -> Result<Option<&Track>, TrackProblem> {
        let Some(first) = self.tracks.first() else {
            return Ok(None);
        };
        match first.problems(self.phases.len()).next() {
            None => Ok(Some(first)),
            Some(problem) => Err(problem),
        }
    }

    /// The phase of the microtexture: where the second track begins, or the first of a material with one track.
    pub fn microtexture_phase(&self) -> u16 {
        let track = self.tracks.get(1).or(self.tracks.first());
        let key = track.and_then(|track| track.keys.first());
        key.map_or(0, |key| key.phase)
    }
}

/// One state of a material (34 bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// Light of its own r g b over 255; the fourth is its opacity in hundredths.
    #[field("ambient")]
    pub ambient: [u8; 4],
    /// Reaction to direct light r g b a over 255; the alpha is not read.
    #[field("diffuse")]
    pub diffuse: [u8; 4],
    /// Specular r g b a over 255.
    #[field("specular")]
    pub specular: [u8; 4],
    /// Emissive r g b a over 255; not read.
    #[field("emissive")]
    pub emissive: [u8; 4],
    /// Logarithm of the specular power to base 2.
    #[field("power")]
    pub power: u8,
    /// Cell of the texture's page that is shown, -1 = the whole texture.
    #[field("cell")]
    pub cell: i8,
    /// Texture name, NUL optional; all 16 bytes kept.
    #[field("texture name")]
    #[serde(with = "crate::json::field")]
    pub texture: [u8; 16],
}

impl Phase {
    /// Name of the texture; empty where the material is meant to have none.
    pub fn texture_name(&self) -> &[u8] {
        until_nul(&self.texture)
    }
}

/// Phases in the order of time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// Low 3 bits: mode (0 loop, 1 ping-pong, 2 clamp, 3 random); the rest: mask of what is interpolated.
    pub head: u32,
    /// In the order of time.
    pub keys: Vec<TrackKey>,
}

/// How a track continues after its last key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TrackMode {
    /// From the first key again.
    Loop,
    /// Backward.
    PingPong,
    /// It stays.
    Clamp,
    /// From a random time again.
    Random,
}

/// What makes a track impossible to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TrackProblem {
    /// The numbers 4 to 7.
    #[error("mode {mode} is unknown")]
    UnknownMode {
        /// The number.
        mode: u32,
    },
    /// There is nothing to show.
    #[error("it has no keys")]
    NoKeys,
    /// More phases or keys than are played; the most known are 29 phases.
    #[error("{count} phases or keys are more than the {MAX_PLAYED} that are played")]
    TooLong {
        /// How many there are.
        count: usize,
    },
    /// A key names a phase that is not there.
    #[error("a key names phase {phase} of {n_phases}")]
    MissingPhase {
        /// The phase that the key names.
        phase: u16,
        /// How many there are.
        n_phases: usize,
    },
}

impl TrackProblem {
    fn severity(self) -> Severity {
        match self {
            Self::UnknownMode { .. } | Self::NoKeys | Self::TooLong { .. } => Severity::Warning,
            Self::MissingPhase { .. } => Severity::Error,
        }
    }
}

impl Track {
    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let head = r.u32("track head")?;
        let at = r.clone();
        let key_count = r.u16("key count")?;
        let n_keys = match r.claim("key count", u64::from(key_count), TrackKey::SIZE) {
            Ok(n_keys) => n_keys,
            Err(error) => return Err(at.error("key count", error.kind)),
        };
        let keys = (0..n_keys)
            .map(|_| TrackKey::read(r, ()))
            .collect::<Result<_, _>>()?;
        Ok(Self { head, keys })
    }

    fn write(&self, w: &mut Writer) -> Result<(), FormatError> {
        let Self { head, keys } = self;
        w.u32(*head);
        w.count_u16("key count", keys.len())?;
        keys.iter().try_for_each(|key| key.write(w, ()))
    }

    /// The mode; `None` for the numbers 4 to 7, which no known file has.
    pub fn mode(&self) -> Option<TrackMode> {
        match self.head & 7 {
            0 => Some(TrackMode::Loop),
            1 => Some(TrackMode::PingPong),
            2 => Some(TrackMode::Clamp),
            3 => Some(TrackMode::Random),
            _ => None,
        }
    }

    /// What makes the track impossible to play in a material of this many phases.
    fn problems(&self, n_phases: usize) -> impl Iterator<Item = TrackProblem> {
        let mode = self.head & 7;
        let mode_problem = self
            .mode()
            .is_none()
            .then_some(TrackProblem::UnknownMode { mode });
        let no_keys = self.keys.is_empty().then_some(TrackProblem::NoKeys);
        let count = self.keys.len().max(n_phases);
        let too_long = (count > MAX_PLAYED).then_some(TrackProblem::TooLong { count });
        let missing_phases = self
            .keys
            .iter()
            .map(|key| key.phase)
            .filter(move |phase| usize::from(*phase) >= n_phases)
            .map(move |phase| TrackProblem::MissingPhase { phase, n_phases });
        (mode_problem.into_iter())
            .chain(no_keys)
            .chain(too_long)
            .chain(missing_phases)
    }

    /// Each key's phase and how long it takes from the key to the next, in milliseconds. A key that ends before the
    /// one before it takes no time.
    pub fn durations_ms(&self) -> impl Iterator<Item = (u16, u16)> {
        self.keys.iter().scan(0u16, |begin, key| {
            let duration_ms = key.end_ms.saturating_sub(*begin);
            *begin = key.end_ms.max(*begin);
            Some((key.phase, duration_ms))
        })
    }

    /// What is interpolated between keys: bit 0 ambient, 1 diffuse, 2 specular, 3 emissive, 4 ambient alpha.
    pub fn interpolation_mask(&self) -> u32 {
        self.head >> 3
    }
}

/// One key of a track (6 bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrackKey {
    /// Phase index.
    #[field("key phase")]
    pub phase: u16,
    /// When its interval ends and that of the next begins, in milliseconds from the track's beginning.
    #[field("key end")]
    pub end_ms: u16,
    /// 0 and unused; kept.
    #[field("key word 4")]
    pub unknown_4: u16,
}

fn read_track_count(r: &mut Reader<'_>) -> Result<usize, FormatError> {
    let at = r.clone();
    let count = usize::from(r.u16("track count")?);
    if count < TRACK_LIMIT {
        return Ok(count);
    }
    Err(at.unexpected(
        "track count",
        "fewer than 20 (Too many animations for material.)",
        count,
    ))
}

fn not_stored(w: &Writer, field: &'static str, only: &str, found: &str) -> FormatError {
    w.unexpected(
        field,
        format!("{only}, since the version does not store it"),
        found,
    )
}
