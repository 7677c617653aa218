//! A texture as a scene has it.

use ironlands_scene::{Addressing, PixelFormat, Texture};

use super::Mmp;
use super::format::Unit;
use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_core::mips::full_chain;

impl Mmp {
    /// The texture for a renderer, rows in stored order: the first is at v = 0.
    ///
    /// Blocks stay blocks if they are whole and no renderer has to make the smaller levels; all else becomes plain
    /// pixels.
    ///
    /// # Errors
    /// As [`Self::level_rgba`]; a texture without levels.
    pub fn to_texture(&self, name: &str, addressing: Addressing) -> Result<Texture, FormatError> {
        // A level after that of one pixel has one pixel too, which no renderer takes.
        let n_levels = self
            .levels
            .len()
            .min(full_chain(self.width, self.height) as usize);
        let format = match self.format.unit() {
            Unit::Block(format) if self.can_stay_blocks(n_levels, addressing) => format,
            _ => PixelFormat::Rgba8,
        };
        let level = |level: usize| match format {
            PixelFormat::Rgba8 => self.level_rgba(level),
            _ => Ok(self.levels.get(level).cloned().unwrap_or_default()),
        };
        Ok(Texture {
            name: name.to_owned(),
            width: self.width,
            height: self.height,
            format,
            n_layers: 1,
            // Without a level this requests one, and reports that it is missing.
            mips: (0..n_levels.max(1)).map(level).collect::<Result<_, _>>()?,
            addressing,
        })
    }

    /// A renderer makes smaller levels of plain pixels only, and takes blocks of sides that are multiples of four.
    fn can_stay_blocks(&self, n_levels: usize, addressing: Addressing) -> bool {
        let sides = [self.width, self.height];
        let has_levels = n_levels > 1 || addressing == Addressing::Clamp;
        let is_whole = sides.iter().all(|side| side.is_multiple_of(4));
        let is_there = (0..n_levels).all(|level| {
            let size = self.level_size(level);
            let bytes = self.levels.get(level).map(|bytes| bytes.len() as u64);
            bytes.is_some() && bytes == self.format.level_bytes(size)
        });
        n_levels > 0 && has_levels && is_whole && is_there && !self.format.is_premultiplied()
    }
}
