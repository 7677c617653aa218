//! The demo's effects: in, nothing; out, `effects.rlb`, the materials and textures of its blocks, and the control data
//! that puts effects on models.
//!
//! Effects emit along +Z of their frame, or along +X where something shoots or blows.

mod control;
mod looks;
mod recipes;

use ironlands_assets_parkan::fxid::{self, Block, EffectFlags, Emits, Fxid, Header};
use ironlands_assets_parkan::nres::{Entry, NRes};

use crate::DemoError;

pub use control::control;
pub use looks::{materials, textures};

/// Time modes of effects.
const ONCE: u32 = 1;
const LOOP: u32 = 2;
const SPEED: u32 = 5;

/// An effect and what it is called.
struct Recipe {
    name: &'static str,
    mode: u32,
    duration_secs: f32,
    flags: EffectFlags,
    blocks: Vec<Block>,
}

impl Recipe {
    fn effect(self) -> (&'static str, Fxid) {
        let header = Header {
            mode: self.mode,
            duration_secs: self.duration_secs,
            flag_bits: self.flags.bits(),
            scale: [1.0; 3],
            ..Header::default()
        };
        let blocks = self.blocks;
        (self.name, Fxid { header, blocks })
    }
}

fn blocks<const N: usize>(emits: [Emits; N]) -> Vec<Block> {
    emits.map(Block::new).into()
}

/// `effects.rlb`.
pub fn archive() -> Result<Vec<u8>, DemoError> {
    let entry = |(name, effect): (&str, Fxid)| -> Result<Entry, DemoError> {
        Ok(Entry::new(fxid::TYPE_ID, 0, 0, 0, name, effect.write()?)?)
    };
    let effects = recipes::all().into_iter().map(Recipe::effect);
    let entries = effects.map(entry).collect::<Result<_, _>>()?;
    Ok(NRes::from_entries(entries).write()?)
}
