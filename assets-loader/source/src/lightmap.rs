//! Lightmaps of faces: where they lie in its lump, and textures that hold it side by side. Dossier section 4.
//!
//! In: faces and their lump. Out: an [`Atlas`] whose pages are textures of linear light.

mod atlas;
mod blocks;
mod skyline;

pub use self::atlas::{Atlas, PageKind, Place};
pub use self::blocks::{AlphaBlocks, LightBlock, light_blocks, light_lump};
pub use self::skyline::Skyline;

/// Lights that one surface adds up at most (section 4.4).
pub const MAX_STYLES: usize = 4;

/// One sample of light of a lightmap as stored, decoded: linear, 1 = fully lit (section 4.1).
pub fn linear_light([r, g, b, exponent]: [u8; 4]) -> [f32; 3] {
    let scale = 2f32.powi(i32::from(exponent.cast_signed())) / 255.0;
    [r, g, b].map(|mantissa| f32::from(mantissa) * scale)
}
