//! MAT0: a material of phases and animations (dossier section 9.5).

use thiserror::Error;

use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::format::{Format, inherent_methods};
use ironlands_assets_core::record::Record;
use ironlands_assets_core::text::until_nul;

#[cfg(test)]
mod tests;

const FORMAT: &str = Mat0::NAME;

/// Type of the entries of archives that are materials.
pub const TYPE_ID: u32 = u32::from_le_bytes(*b"MAT0");
/// No blend code, no texture stage.
const NONE: u8 = 255;
/// The original stops with `Too many animations for material.` at this many.
const ANIMATION_LIMIT: usize = 20;
/// Each surface of a level that shows a material has its own copy of what it plays: a small file must not make
/// much of it.
const MAX_PLAYED: usize = 1024;
/// Version of all known files, and the last that added a field is 4.
const KNOWN_VERSION: u32 = 6;

/// A material. `version` is the entry's attr2 in the archive and decides which fields are stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Mat0 {
    /// Entry attr2: 6 in all known files.
    pub version: u32,
    /// D3DBLEND code, 255 = none; stored from version 2 on.
    pub source_blend: u8,
    /// D3DBLEND code, 255 = none; stored from version 2 on.
    pub destination_blend: u8,
    /// Alpha multiplier; stored from version 3 on, else 1.
    pub alpha_multiplier: f32,
    /// Emissive intensity; stored from version 4 on, else 0.
    pub emissive_intensity: f32,
    /// Phases; the first is the material at rest.
    pub phases: Vec<Phase>,
    /// Animation blocks, fewer than 20.
    pub animations: Vec<Animation>,
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
    const EXTENSIONS: &'static [&'static str] = &[];

    inherent_methods!(write, check);

    fn contexts() -> Vec<MaterialVersion> {
        (0..=KNOWN_VERSION).map(MaterialVersion).collect()
    }

    fn read(data: &[u8], version: &MaterialVersion) -> Result<Self, FormatError> {
        Self::read(data, version.0)
    }
}

impl Mat0 {
    /// Reads the whole payload of an entry whose attr2 is `version`.
    ///
    /// # Errors
    /// Bytes cut short or left over, a count that the bytes cannot hold, or 20 animations and more.
    pub fn read(data: &[u8], version: u32) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let phase_count = r.u16("phase count")?;
        let n_animations = read_animation_count(&mut r)?;
        let [source_blend, destination_blend] = match version {
            0..2 => [NONE; 2],
            _ => r.array("blend codes")?,
        };
        let alpha_multiplier = match version {
            0..3 => 1.0,
            _ => r.f32("alpha multiplier")?,
        };
        let emissive_intensity = match version {
            0..4 => 0.0,
            _ => r.f32("emissive intensity")?,
        };
        let n_phases = r.claim("phase count", u64::from(phase_count), Phase::SIZE)?;
        let phases = (0..n_phases)
            .map(|_| Phase::read(&mut r, ()))
            .collect::<Result<_, _>>()?;
        let animations = (0..n_animations)
            .map(|_| Animation::read(&mut r))
            .collect::<Result<_, _>>()?;
        r.finish("after the last animation")?;
        Ok(Self {
            version,
            source_blend,
            destination_blend,
            alpha_multiplier,
            emissive_intensity,
            phases,
            animations,
        })
    }

    /// Writes the payload; the entry's attr2 must be set to `version`. Floats keep their bits.
    ///
    /// # Errors
    /// A value that the version does not store, too many phases or keys for their counts, 20 animations.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            version,
            source_blend,
            destination_blend,
            alpha_multiplier,
            emissive_intensity,
            phases,
            animations,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.count_u16("phase count", phases.len())?;
        if animations.len() >= ANIMATION_LIMIT {
            let limit = ANIMATION_LIMIT.saturating_sub(1) as u64;
            return Err(w.too_large("animation count", animations.len() as u64, limit));
        }
        w.count_u16("animation count", animations.len())?;
        let blends = [*source_blend, *destination_blend];
        if *version >= 2 {
            w.bytes(&blends);
        } else if blends != [NONE; 2] {
            return Err(not_stored(
                &w,
                "blend codes",
                "255, 255",
                &format!("{blends:?}"),
            ));
        }
        if *version >= 3 {
            w.f32(*alpha_multiplier);
        } else if alpha_multiplier.to_bits() != 1.0f32.to_bits() {
            let found = alpha_multiplier.to_string();
            return Err(not_stored(&w, "alpha multiplier", "1", &found));
        }
        if *version >= 4 {
            w.f32(*emissive_intensity);
        } else if emissive_intensity.to_bits() != 0 {
            let found = emissive_intensity.to_string();
            return Err(not_stored(&w, "emissive intensity", "0", &found));
        }
        for phase in phases {
            phase.write(&mut w, ())?;
        }
        for animation in animations {
            animation.write(&mut w)?;
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
        for (field, code) in [
            ("source", self.source_blend),
            ("destination", self.destination_blend),
        ] {
            if !matches!(code, 1..=13 | NONE) {
                let message = format!("{field} blend code {code} is no D3DBLEND value");
                find(Severity::Warning, message);
            }
        }
        if !(self.alpha_multiplier.is_finite() && self.emissive_intensity.is_finite()) {
            let message = "alpha multiplier or emissive intensity is not finite".to_owned();
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
        for (idx, animation) in self.animations.iter().enumerate() {
            for problem in animation.problems(self.phases.len()) {
                find(problem.severity(), format!("animation {idx}: {problem}"));
            }
            for key in animation.keys.iter().filter(|key| key.unknown_4 != 0) {
                let message = format!("animation {idx}: word 4 of a key is {}", key.unknown_4);
                find(Severity::Note, message);
            }
            if let Some((cycle_ms, last_ms)) = animation.other_reading() {
                let message = format!(
                    "animation {idx}: the times of its keys never decrease. Read as durations, as here, they \
                     make a cycle of {cycle_ms} ms; read as moments they would end at {last_ms} ms"
                );
                find(Severity::Note, message);
            }
        }
        findings
    }

    /// The animation that a material is drawn with: its first, if it has any. The others are kept and not played,
    /// since what chooses among them is not known.
    ///
    /// # Errors
    /// What makes it impossible to play.
    pub fn first_animation(&self) -> Result<Option<&Animation>, AnimationProblem> {
        let Some(first) = self.animations.first() else {
            return Ok(None);
        };
        match first.problems(self.phases.len()).next() {
            None => Ok(Some(first)),
            Some(problem) => Err(problem),
        }
    }
}

/// One state of a material (34 bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record)]
pub struct Phase {
    /// Ambient r g b over 255; the fourth is alpha times 0.01.
    #[field("ambient")]
    pub ambient: [u8; 4],
    /// Diffuse r g b a over 255.
    #[field("diffuse")]
    pub diffuse: [u8; 4],
    /// Specular r g b a over 255.
    #[field("specular")]
    pub specular: [u8; 4],
    /// Emissive r g b a over 255.
    #[field("emissive")]
    pub emissive: [u8; 4],
    /// Specular power.
    #[field("power")]
    pub power: u8,
    /// Texture stage, 255 = none.
    #[field("texture stage")]
    pub texture_stage: u8,
    /// Texture name, NUL optional; all 16 bytes kept.
    #[field("texture name")]
    pub texture: [u8; 16],
}

impl Phase {
    /// Name of the texture; empty where the material is meant to have none.
    pub fn texture_name(&self) -> &[u8] {
        until_nul(&self.texture)
    }
}

/// One animation block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Animation {
    /// Low 3 bits: mode (0 loop, 1 ping-pong, 2 clamp, 3 random); the rest: mask of what is interpolated.
    pub head: u32,
    /// In the order of time.
    pub keys: Vec<AnimationKey>,
}

/// How an animation continues after its last key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnimationMode {
    /// From the first key again.
    Loop,
    /// Backward.
    PingPong,
    /// It stays.
    Clamp,
    /// From a random time again.
    Random,
}

/// What makes an animation impossible to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum AnimationProblem {
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

impl AnimationProblem {
    fn severity(self) -> Severity {
        match self {
            Self::UnknownMode { .. } | Self::NoKeys | Self::TooLong { .. } => Severity::Warning,
            Self::MissingPhase { .. } => Severity::Error,
        }
    }
}

impl Animation {
    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let head = r.u32("animation head")?;
        let at = r.clone();
        let key_count = r.u16("key count")?;
        let n_keys = match r.claim("key count", u64::from(key_count), AnimationKey::SIZE) {
            Ok(n_keys) => n_keys,
            Err(error) => return Err(at.error("key count", error.kind)),
        };
        let keys = (0..n_keys)
            .map(|_| AnimationKey::read(r, ()))
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
    pub fn mode(&self) -> Option<AnimationMode> {
        match self.head & 7 {
            0 => Some(AnimationMode::Loop),
            1 => Some(AnimationMode::PingPong),
            2 => Some(AnimationMode::Clamp),
            3 => Some(AnimationMode::Random),
            _ => None,
        }
    }

    /// What makes the animation impossible to play in a material of this many phases.
    fn problems(&self, n_phases: usize) -> impl Iterator<Item = AnimationProblem> {
        let mode = self.head & 7;
        let mode_problem = self
            .mode()
            .is_none()
            .then_some(AnimationProblem::UnknownMode { mode });
        let no_keys = self.keys.is_empty().then_some(AnimationProblem::NoKeys);
        let count = self.keys.len().max(n_phases);
        let too_long = (count > MAX_PLAYED).then_some(AnimationProblem::TooLong { count });
        let missing_phases = self
            .keys
            .iter()
            .map(|key| key.stage)
            .filter(move |stage| usize::from(*stage) >= n_phases)
            .map(move |phase| AnimationProblem::MissingPhase { phase, n_phases });
        (mode_problem.into_iter())
            .chain(no_keys)
            .chain(too_long)
            .chain(missing_phases)
    }

    /// Sum and last of the keys' times, if these could as well be moments on the cycle (Q-T3): they begin at 0,
    /// never decrease, and the last is more than half of the sum.
    fn other_reading(&self) -> Option<(u64, u64)> {
        let times = || self.keys.iter().map(|key| u64::from(key.duration_ms));
        let cycle_ms = times().fold(0, u64::saturating_add);
        let last_ms = times().next_back()?;
        let could_be_moments = times().next() == Some(0)
            && times().is_sorted()
            && last_ms.saturating_mul(2) > cycle_ms;
        could_be_moments.then_some((cycle_ms, last_ms))
    }

    /// What is interpolated between keys: bit 0 ambient, 1 diffuse, 2 specular, 3 emissive, 4 ambient alpha.
    pub fn interpolation_mask(&self) -> u32 {
        self.head >> 3
    }
}

/// One key of an animation (6 bytes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record)]
pub struct AnimationKey {
    /// Phase index.
    #[field("key stage")]
    pub stage: u16,
    /// Duration in milliseconds.
    #[field("key duration")]
    pub duration_ms: u16,
    /// 0 and unused; kept.
    #[field("key word 4")]
    pub unknown_4: u16,
}

fn read_animation_count(r: &mut Reader<'_>) -> Result<usize, FormatError> {
    let at = r.clone();
    let count = usize::from(r.u16("animation count")?);
    if count < ANIMATION_LIMIT {
        return Ok(count);
    }
    Err(at.unexpected(
        "animation count",
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
