//! Light: samples, ambient cubes, lights, cubemaps (dossier sections 4, 6.3 and 11).

use crate::bsp::records::{AmbientSampleLayout, LightLayout, Width};
use ironlands_assets_core::record::Record;

/// Light: three mantissas and a signed exponent (section 4.1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Record)]
pub struct Rgbe {
    /// Red, green, blue.
    #[field("light mantissas")]
    pub mantissas: [u8; 3],
    /// Power of two.
    #[field("light exponent")]
    pub exponent: i8,
}

/// Lumps 52 and 51 (section 6.3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
#[record(layout = Width)]
pub struct LeafAmbientIndex {
    /// Number of samples; if 0, `first_sample` is the nearest leaf that has some.
    #[field("ambient sample count", sized)]
    pub n_samples: u32,
    /// Index into [`super::Map::ambient_samples`], or that of HDR.
    #[field("ambient first sample", sized)]
    pub first_sample: u32,
}

/// Lumps 56 and 55 (section 6.3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
#[record(layout = AmbientSampleLayout)]
pub struct LeafAmbientSample {
    /// Light from +X, -X, +Y, -Y, +Z, -Z; not divided by 255.
    #[field("ambient cube")]
    pub cube: [Rgbe; 6],
    /// Place in the leaf's box: 0 = mins, 255 = maxs.
    #[field("ambient sample place", if = layout == AmbientSampleLayout::Placed)]
    pub place: [u8; 3],
    /// Padding.
    #[field("ambient sample padding", if = layout == AmbientSampleLayout::Placed)]
    pub unknown_1b: u8,
}

/// Lumps 15 and 54 (section 11.4).
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
#[record(layout = LightLayout)]
pub struct WorldLight {
    /// Place.
    #[field("light origin")]
    pub origin: [f32; 3],
    /// Linear color.
    #[field("light intensity")]
    pub intensity: [f32; 3],
    /// Direction.
    #[field("light normal")]
    pub normal: [f32; 3],
    /// Lump version 1 on.
    #[field("light shadow offset", if = layout >= LightLayout::V1)]
    pub shadow_cast_offset: [f32; 3],
    /// Visibility cluster that the light is in.
    #[field("light cluster")]
    pub cluster: i32,
    /// 0 surface, 1 point, 2 spot, 3 sky, 4 quake, 5 sky ambient.
    #[field("light type")]
    pub kind: i32,
    /// Lump version 2 on, with padding.
    #[field("light mode", if = layout >= LightLayout::V2)]
    pub v2_mode: [u8; 4],
    /// Light style.
    #[field("light style")]
    pub style: i32,
    /// Cosines of the inner and the outer cone.
    #[field("light cone")]
    pub stop_dots: [f32; 2],
    /// Falloff between the cones.
    #[field("light exponent")]
    pub exponent: f32,
    /// 0 = unlimited.
    #[field("light radius")]
    pub radius: f32,
    /// Constant, linear, quadratic.
    #[field("light attenuation")]
    pub attenuation: [f32; 3],
    /// 1 = already in the ambient cubes.
    #[field("light flags")]
    pub flags: i32,
    /// Texinfo of a surface light.
    #[field("light texinfo")]
    pub texinfo: i32,
    /// Entity.
    #[field("light owner")]
    pub owner: i32,
}

/// Lump 42 (section 11.3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct CubemapSample {
    /// Place.
    #[field("cubemap origin")]
    pub origin: [i32; 3],
    /// 0 = 32 pixels, else `1 << (size - 1)`.
    #[field("cubemap size")]
    pub size: u8,
    /// Padding.
    #[field("cubemap padding")]
    pub unknown_0d: [u8; 3],
}
