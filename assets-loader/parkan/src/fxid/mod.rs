//! FXID: an effect, a list of blocks that emit light, sound, sprites and particles in the course of its time
//! (effects of `effects.rlb`).
//!
//! Document: "Parkan: what is settled since", section 3. Head, then blocks back to back; the file ends after the last.
//! Each block begins with a word: its type, and above that flags.
//!
//! Deliberately absent: what an effect looks like ([`crate::effect_scene`]).

mod blocks;
mod check;
mod header;
#[cfg(test)]
pub(crate) mod tests;

pub use self::blocks::{
    Bolt, Burst, Channel, Dome, Glow, Light, Ramp, Sound, SpreadChannel, Sprite, Stream, Window,
};
pub use self::header::{EffectFlags, Header, TimeMode};

use std::collections::BTreeMap;

use crate::json;
use crate::registry::ObjectRef;
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::format::{Conversion, Fidelity, FileKind, Format, inherent_methods};
use ironlands_assets_core::record::Record;
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::decode_cp1251;
use serde::{Deserialize, Serialize};

const FORMAT: &str = Fxid::NAME;
/// Type of the entries of archives that are effects.
pub const TYPE_ID: u32 = u32::from_le_bytes(*b"FXID");
/// The archive of all effects.
pub const ARCHIVE: &str = "effects.rlb";
/// Of a block's word: the type.
const TYPE_MASK: u32 = 0xFF;
/// Of a block's word: whether nothing hides it while the tested point is in view.
const OVERLAY: u32 = 0x100;
/// Bytes of the smallest block, its word alone.
const MIN_BLOCK_SIZE: usize = 4;

/// An effect.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fxid {
    /// How its time goes.
    pub header: Header,
    /// What it emits, in file order.
    pub blocks: Vec<Block>,
}

/// A block of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// The bits of its word above the type.
    pub flag_bits: u32,
    /// What it emits.
    pub emits: Emits,
}

/// What a block emits.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Emits {
    /// Type 1.
    Light(Light),
    /// Type 2.
    Sound(Sound),
    /// Type 3.
    Sprite(Sprite),
    /// Type 4: a sprite that depends on the distance of the eye.
    Glow(Glow),
    /// Type 5.
    Bolt(Bolt),
    /// Type 6.
    Nothing,
    /// Type 7.
    Burst(Burst),
    /// Type 8.
    Stream(Stream),
    /// Type 9.
    Dome(Dome),
    /// Type 10: as a burst, of solid bits.
    Debris(Burst),
}

impl Format for Fxid {
    type Context = ();

    const NAME: &'static str = "fxid";
    const EXTENSIONS: &'static [&'static str] = &["fxid"];
    const KIND: FileKind = FileKind::Effect;

    inherent_methods!(read, write, check);

    fn describe(&self, report: &mut Report) {
        report.fact("effect", self.summary());
        for (idx, block) in self.blocks.iter().enumerate() {
            report.fact("block", format!("{idx}: {}", block.summary()));
        }
    }

    fn conversions() -> &'static [Conversion] {
        const { &[json::conversion::<Self>(Fidelity::SameBytes)] }
    }
}

impl Fxid {
    /// Reads the whole payload of an entry.
    ///
    /// # Errors
    /// Bytes cut short or left over, a count that the bytes cannot hold, or a block of an unknown type, whose size is
    /// not known.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let at_count = r.clone();
        let n_blocks = r.u32("block count")?;
        let header = Header::read(&mut r, ())?;
        let n_blocks = match r.claim("block count", u64::from(n_blocks), MIN_BLOCK_SIZE) {
            Ok(n_blocks) => n_blocks,
            Err(error) => return Err(at_count.error("block count", error.kind)),
        };
        let blocks = (0..n_blocks)
            .map(|_| Block::read(&mut r))
            .collect::<Result<_, _>>()?;
        r.finish("after the last block")?;
        Ok(Self { header, blocks })
    }

    /// Writes the payload. Floats keep their bits.
    ///
    /// # Errors
    /// More blocks than their count can hold, or flags in the place of a block's type.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { header, blocks } = self;
        let mut w = Writer::new(FORMAT);
        w.count("block count", blocks.len())?;
        header.write(&mut w, ())?;
        blocks.iter().try_for_each(|block| block.write(&mut w))?;
        Ok(w.finish())
    }

    /// What it is, for a line: its time, and how many blocks of what.
    pub fn summary(&self) -> String {
        let mut counts: BTreeMap<u32, (&str, usize)> = BTreeMap::new();
        for block in &self.blocks {
            let (type_word, name) = block.emits.type_and_name();
            let (_, count) = counts.entry(type_word).or_insert((name, 0));
            *count = count.saturating_add(1);
        }
        let counts: Vec<String> = counts
            .values()
            .map(|(name, count)| format!("{count} {name}"))
            .collect();
        let Header {
            mode,
            duration_secs,
            ..
        } = self.header;
        let mode = match self.header.time_mode() {
            Some(mode) => format!("{mode:?}"),
            None => mode.to_string(),
        };
        format!("{mode}, {duration_secs} s: {}", counts.join(", "))
    }
}

impl Block {
    /// A block without flags.
    pub const fn new(emits: Emits) -> Self {
        Self {
            flag_bits: 0,
            emits,
        }
    }

    /// Whether nothing hides it while the effect's tested point is in view.
    pub const fn is_overlay(&self) -> bool {
        self.flag_bits & OVERLAY != 0
    }

    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let at = r.clone();
        let word = r.u32("block type")?;
        let emits = match word & TYPE_MASK {
            1 => Emits::Light(Light::read(r, ())?),
            2 => Emits::Sound(Sound::read(r, ())?),
            3 => Emits::Sprite(Sprite::read(r, ())?),
            4 => Emits::Glow(Glow::read(r, ())?),
            5 => Emits::Bolt(Bolt::read(r, ())?),
            6 => Emits::Nothing,
            7 => Emits::Burst(Burst::read(r, ())?),
            8 => Emits::Stream(Stream::read(r, ())?),
            9 => Emits::Dome(Dome::read(r, ())?),
            10 => Emits::Debris(Burst::read(r, ())?),
            other => return Err(at.unexpected("block type", "1 to 10", other)),
        };
        Ok(Self {
            flag_bits: word & !TYPE_MASK,
            emits,
        })
    }

    fn write(&self, w: &mut Writer) -> Result<(), FormatError> {
        let Self { flag_bits, emits } = self;
        if flag_bits & TYPE_MASK != 0 {
            let found = format!("{flag_bits:#x}");
            return Err(w.unexpected("block type", "flags above the type", found));
        }
        let (type_word, _) = emits.type_and_name();
        w.u32(flag_bits | type_word);
        match emits {
            Emits::Light(light) => light.write(w, ()),
            Emits::Sound(sound) => sound.write(w, ()),
            Emits::Sprite(sprite) => sprite.write(w, ()),
            Emits::Glow(glow) => glow.write(w, ()),
            Emits::Bolt(bolt) => bolt.write(w, ()),
            Emits::Nothing => Ok(()),
            Emits::Burst(burst) | Emits::Debris(burst) => burst.write(w, ()),
            Emits::Stream(stream) => stream.write(w, ()),
            Emits::Dome(dome) => dome.write(w, ()),
        }
    }

    /// What it is, for a line.
    pub fn summary(&self) -> String {
        let (_, name) = self.emits.type_and_name();
        let [low, high] = self.emits.window().unwrap_or([0.0, 1.0]);
        let overlay = if self.is_overlay() { ", overlay" } else { "" };
        let named = self.emits.resource().map(|it| {
            let [archive, resource] = [it.archive(), it.resource()].map(decode_cp1251);
            format!(", {archive}/{resource}")
        });
        let named = named.unwrap_or_default();
        format!("{name} from {low} to {high}{overlay}{named}")
    }
}

impl Emits {
    /// The type in the word of the block, and what a person calls it.
    const fn type_and_name(&self) -> (u32, &'static str) {
        match self {
            Self::Light(_) => (1, "light"),
            Self::Sound(_) => (2, "sound"),
            Self::Sprite(_) => (3, "sprite"),
            Self::Glow(_) => (4, "glow"),
            Self::Bolt(_) => (5, "bolt"),
            Self::Nothing => (6, "nothing"),
            Self::Burst(_) => (7, "burst"),
            Self::Stream(_) => (8, "stream"),
            Self::Dome(_) => (9, "dome"),
            Self::Debris(_) => (10, "debris"),
        }
    }

    /// Bytes of the block, with its word.
    const fn size(&self) -> usize {
        let content = match self {
            Self::Light(_) => Light::SIZE,
            Self::Sound(_) => Sound::SIZE,
            Self::Sprite(_) => Sprite::SIZE,
            Self::Glow(_) => Glow::SIZE,
            Self::Bolt(_) => Bolt::SIZE,
            Self::Nothing => 0,
            Self::Burst(_) | Self::Debris(_) => Burst::SIZE,
            Self::Stream(_) => Stream::SIZE,
            Self::Dome(_) => Dome::SIZE,
        };
        MIN_BLOCK_SIZE.saturating_add(content)
    }

    /// The window of the effect's time in which it is there.
    pub const fn window(&self) -> Option<Window> {
        Some(match self {
            Self::Light(light) => light.window,
            Self::Sound(sound) => sound.window,
            Self::Sprite(sprite)
            | Self::Glow(Glow { sprite, .. })
            | Self::Dome(Dome { sprite, .. }) => sprite.window,
            Self::Bolt(bolt) => bolt.window,
            Self::Burst(burst) | Self::Debris(burst) => burst.window,
            Self::Stream(stream) => stream.window,
            Self::Nothing => return None,
        })
    }

    /// The material or sound that it names.
    pub const fn resource(&self) -> Option<&ObjectRef> {
        Some(match self {
            Self::Light(light) => &light.material,
            Self::Sound(sound) => &sound.sound,
            Self::Sprite(sprite)
            | Self::Glow(Glow { sprite, .. })
            | Self::Dome(Dome { sprite, .. }) => &sprite.material,
            Self::Bolt(bolt) => &bolt.material,
            Self::Burst(burst) | Self::Debris(burst) => &burst.material,
            Self::Stream(stream) => &stream.material,
            Self::Nothing => return None,
        })
    }
}
