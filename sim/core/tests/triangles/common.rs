//! What the tests of triangles share.

use glam::Vec3;
use ironlands_sim_core::MaskFilter;
use ironlands_sim_core::triangles::{Face, SimdLevel, TriangleIndex};

/// Sees every face.
pub const ALL: MaskFilter = MaskFilter::ALL;
/// A ray straight down.
pub const DOWN: Vec3 = Vec3::NEG_Z;

/// The SIMD levels that this processor has.
pub fn simd_levels() -> impl Iterator<Item = SimdLevel> {
    let all = SimdLevel::ALL.into_iter();
    all.filter(|level| level.is_available())
}

/// How many of `n` queries or worlds a test takes: an emulated processor, as `tools/test-simd.sh` says, takes a sixth of
/// them, for it is dozens of times slower.
pub fn some_of(n: u64) -> u64 {
    let is_emulated = std::env::var_os("IRONLANDS_EMULATED").is_some();
    if is_emulated { n / 6 } else { n }
}

/// Faces of corners and masks, with their own number as material.
pub fn faces(triangles: &[[u32; 3]], masks: &[u32]) -> Vec<Option<Face>> {
    assert_eq!(triangles.len(), masks.len(), "one mask a triangle");
    let faces = triangles.iter().zip(masks).enumerate();
    faces
        .map(|(i, (&corners, &mask))| {
            let material = i as u16;
            Some(Face {
                corners,
                mask,
                material,
            })
        })
        .collect()
}

/// An index of plain arrays.
pub fn index(positions: &[[f32; 3]], triangles: &[[u32; 3]], masks: &[u32]) -> TriangleIndex {
    TriangleIndex::new(positions, &faces(triangles, masks)).expect("indices are in range")
}

/// A square of side 4 at height `z`: faces 0 and 1, counter-clockwise from above, cut from (0,0) to (4,4).
pub const SQUARE: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

/// Corners of the square at height `z`.
pub fn square(z: f32) -> [[f32; 3]; 4] {
    [[0.0, 0.0, z], [4.0, 0.0, z], [4.0, 4.0, z], [0.0, 4.0, z]]
}
