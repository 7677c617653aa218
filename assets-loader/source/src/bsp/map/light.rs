//! Light: samples, ambient cubes, lights, cubemaps (dossier sections 4, 6.3 and 11).

/// Light: three mantissas and a signed exponent (section 4.1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Rgbe {
    /// Red, green, blue.
    pub mantissas: [u8; 3],
    /// Power of two.
    pub exponent: i8,
}

/// Lumps 52 and 51 (section 6.3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeafAmbientIndex {
    /// Number of samples; if 0, `first_sample` is the nearest leaf that has some.
    pub n_samples: u32,
    /// First sample.
    pub first_sample: u32,
}

/// Lumps 56 and 55 (section 6.3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeafAmbientSample {
    /// Light from +X, -X, +Y, -Y, +Z, -Z; not divided by 255.
    pub cube: [Rgbe; 6],
    /// Place in the leaf's box: 0 = mins, 255 = maxs.
    pub place: [u8; 3],
    /// Padding.
    pub unknown_1b: u8,
}

/// Lumps 15 and 54 (section 11.4).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WorldLight {
    /// Place.
    pub origin: [f32; 3],
    /// Linear colour.
    pub intensity: [f32; 3],
    /// Direction.
    pub normal: [f32; 3],
    /// Lump version 1 on.
    pub shadow_cast_offset: [f32; 3],
    /// Cluster.
    pub cluster: i32,
    /// 0 surface, 1 point, 2 spot, 3 sky, 4 quake, 5 sky ambient.
    pub kind: i32,
    /// Lump version 2 on, with padding.
    pub v2_mode: [u8; 4],
    /// Light style.
    pub style: i32,
    /// Cosines of the inner and the outer cone.
    pub stop_dots: [f32; 2],
    /// Falloff between the cones.
    pub exponent: f32,
    /// 0 = unlimited.
    pub radius: f32,
    /// Constant, linear, quadratic.
    pub attenuation: [f32; 3],
    /// 1 = already in the ambient cubes.
    pub flags: i32,
    /// Texinfo of a surface light.
    pub texinfo: i32,
    /// Entity.
    pub owner: i32,
}

/// Lump 42 (section 11.3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CubemapSample {
    /// Place.
    pub origin: [i32; 3],
    /// 0 = 32 pixels, else `1 << (size - 1)`.
    pub size: u8,
    /// Padding.
    pub unknown_0d: [u8; 3],
}
