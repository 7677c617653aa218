//! What the terrain tests share.

use glam::Vec3;
use ironlands_assets_loader::parkan::face_mask::{FaceFilter, FaceFlags};
use ironlands_sim::terrain::TerrainIndex;

/// Sees every face.
pub const ALL: FaceFilter = FaceFilter {
    required: 0,
    forbidden: 0,
};
/// The way of a falling stone.
pub const DOWN: Vec3 = Vec3::NEG_Z;

/// An index of plain arrays.
pub fn index(positions: &[[f32; 3]], triangles: &[[u32; 3]], flags: &[u32]) -> TerrainIndex {
    let flags: Vec<_> = flags
        .iter()
        .map(|&bits| FaceFlags::from_bits_retain(bits))
        .collect();
    TerrainIndex::from_triangles(positions, triangles, &flags).expect("indices are in range")
}

/// A square of side 4 at height `z`: faces 0 and 1, counter-clockwise from above, cut from (0,0) to (4,4).
pub const SQUARE: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

/// Corners of the square at height `z`.
pub fn square(z: f32) -> [[f32; 3]; 4] {
    [[0.0, 0.0, z], [4.0, 0.0, z], [4.0, 4.0, z], [0.0, 4.0, z]]
}
