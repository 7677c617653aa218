//! What sprites and particles show.

use ironlands_scene::{SpriteFrame, TextureIdx};

use super::Materials;

/// Most sequences of a sheet that particles choose from.
const MAX_SEQUENCES: usize = 64;

/// What a sprite shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sprite {
    /// One texture for each frame; at least one.
    pub frames: Vec<TextureIdx>,
    /// Width and height of the first in pixels.
    pub size: [u32; 2],
    /// Whether its material adds to what is behind.
    pub adds: bool,
}

/// What particles of a material show.
#[derive(Debug, Clone, PartialEq)]
pub struct SpriteSequences {
    /// The pictures of each sequence in their order; at least one, and none of them empty.
    pub sequences: Vec<Vec<SpriteFrame>>,
    /// Whether the material adds to what is behind.
    pub adds: bool,
    /// Factor of the colors.
    pub overbright: f32,
    /// Over how much they fade out before a surface; 0: not at all.
    pub softness: f32,
    /// Whether fog hides them.
    pub is_fogged: bool,
    /// Pixels from the upper to the lower edge of the texture.
    pub height: u32,
}

impl Materials<'_> {
    /// What a sprite shows; `None` if its material or the texture of that is missing.
    pub fn sprite(&mut self, name: &str) -> Option<Sprite> {
        let look = self.look(name)?;
        let frames = self.textures.frames(look.base_texture.as_deref()?);
        let size = self.textures.size_of(*frames.first()?)?;
        let adds = look.blending.additive;
        Some(Sprite { frames, size, adds })
    }

    /// What particles show that choose from the sequences of these numbers, the last one included; `None` if the material or
    /// its texture is missing. Without a sheet each shows all of the texture.
    pub fn sprite_sequences(
        &mut self,
        name: &str,
        [first, last]: [u32; 2],
    ) -> Option<SpriteSequences> {
        let look = self.look(name)?;
        let texture_name = look.base_texture.as_deref()?;
        let textures = self.textures.frames(texture_name);
        let whole = *textures.first()?;
        let sequences = match self.textures.sheet(texture_name) {
            None => vec![textures.into_iter().map(SpriteFrame::whole).collect()],
            Some(sheet) => {
                let mut numbers = sheet.numbers(first..last.saturating_add(1));
                numbers.truncate(MAX_SEQUENCES);
                if numbers.is_empty() {
                    numbers.push(first);
                }
                let sequences = numbers.into_iter().filter_map(|it| sheet.sequence(it));
                let frames = sequences.map(|it| {
                    let pictures = it.frames.iter().filter_map(|it| it.pictures.first());
                    pictures.map(|it| cell(whole, *it)).collect()
                });
                let mut sequences: Vec<Vec<_>> = frames.collect();
                if sequences.is_empty() {
                    sequences.push(vec![SpriteFrame::whole(whole)]);
                }
                sequences
            }
        };
        Some(SpriteSequences {
            sequences,
            adds: look.blending.additive,
            overbright: look.blending.overbright,
            softness: look.blending.depth_blend.unwrap_or(0.0).max(0.0),
            is_fogged: !look.no_fog,
            height: self.textures.size_of(whole).map_or(1, |[_, height]| height),
        })
    }
}

/// Part of a texture; the whole where its edges are none.
fn cell(texture: TextureIdx, [left, upper, right, lower]: [f32; 4]) -> SpriteFrame {
    let edges = [left, upper, right, lower];
    let whole = SpriteFrame::whole(texture);
    match edges.iter().all(|it| it.is_finite()) {
        true => SpriteFrame {
            min: [left, upper].map(|it| it.clamp(0.0, 1.0)),
            max: [right, lower].map(|it| it.clamp(0.0, 1.0)),
            ..whole
        },
        false => whole,
    }
}
