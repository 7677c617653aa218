//! What glTF has no place for, in the `extras` of its objects. Import restores it.
//!
//! Names stand flat and begin with `land_`, so that programs that keep `extras` as custom properties keep them.

use serde::{Deserialize, Serialize};

/// Of the node that turns the land from +Z up to +Y up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct RootExtras {
    /// Tiles in x and in y.
    pub(super) land_tiles: [u32; 2],
    /// World x and y where the first tile begins.
    pub(super) land_origin: [f32; 2],
    /// World units along the sides of a tile.
    pub(super) land_tile_size: [f32; 2],
    /// Whether vertices have weights.
    pub(super) land_weights: bool,
    /// Names of the rows of `Land1.wea`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) land_materials: Vec<String>,
    /// Names of the rows of `Land2.wea`, which surfaces of the same row take their microtexture from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) land_microtextures: Vec<String>,
}

/// Of the node of a tile.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct TileExtras {
    /// Tiles are counted from the south-west, those of the first column first.
    pub(super) land_tile: u32,
    /// Level of detail, 0 the finest.
    pub(super) land_lod: u8,
}

/// Of a material.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SurfaceExtras {
    /// Row of the first material.
    pub(super) land_first: u8,
    /// Row of the second, 255 for none.
    pub(super) land_second: u8,
    /// Flags of the faces.
    pub(super) land_flags: u32,
}

/// Of a primitive.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct FacesExtras {
    /// Place of each triangle among the faces of the file.
    pub(super) land_faces: Vec<u32>,
}
