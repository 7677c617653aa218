//! Displacements (dossier section 5).

use crate::bsp::records::{DispLayout, Width};
use ironlands_assets_core::record::Record;

/// Lump 26 (section 5.1).
#[derive(Debug, Clone, Default, PartialEq, Record)]
#[record(layout = DispLayout)]
pub struct DispInfo {
    /// The corner of the face that row 0, column 0 stands at.
    #[field("displacement start")]
    pub start_position: [f32; 3],
    /// First of `disp_verts`.
    #[field("displacement first vertex")]
    pub first_vert: i32,
    /// First of `disp_tris`; not in version 17.
    #[field("displacement first triangle", if = layout != DispLayout::V17)]
    pub first_tri: i32,
    /// 2 to 4: `2^power + 1` vertices a side.
    #[field("displacement power")]
    pub power: i32,
    /// Flags where bit 31 is set.
    #[field("displacement tesselation")]
    pub min_tess: i32,
    /// Angle of smoothing.
    #[field("displacement smoothing")]
    pub smoothing_angle: f32,
    /// Contents bits (section 7.2).
    #[field("displacement contents")]
    pub contents: i32,
    /// Index into [`super::Map::faces`].
    #[field("displacement face", sized = layout.width())]
    pub map_face: u32,
    /// Padding after `map_face` until version 21.
    #[field("displacement padding", if = layout.width() == Width::Narrow)]
    pub unknown_26: [u8; 2],
    /// Byte offset in lump 32.
    #[field("displacement alpha start")]
    pub lightmap_alpha_start: i32,
    /// Byte offset in `disp_sample_positions`.
    #[field("displacement sample start")]
    pub lightmap_sample_position_start: i32,
    /// Left, top, right, bottom: two each.
    #[field("displacement neighbor", sized = layout.width())]
    pub edge_neighbors: [[SubNeighbor; 2]; 4],
    /// Lower left, upper left, upper right, lower right.
    #[field("displacement corner neighbor", sized = layout.width())]
    pub corner_neighbors: [CornerNeighbors; 4],
    /// Bits of vertices that are kept, row by row.
    #[field("displacement allowed vertices")]
    pub allowed_verts: [u32; 10],
}

/// Part of [`DispInfo`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
#[record(layout = Width)]
pub struct SubNeighbor {
    /// Displacement; the largest number of the field = none.
    #[field("displacement neighbor", sized)]
    pub disp_info: u32,
    /// Quarter turns counter-clockwise.
    #[field("displacement neighbor orientation")]
    pub orientation: u8,
    /// 0 whole edge, 1 first half, 2 second half.
    #[field("displacement neighbor span")]
    pub span: u8,
    /// The same, of the neighbor's edge.
    #[field("displacement neighbor span")]
    pub neighbor_span: u8,
    /// Padding.
    #[field("displacement neighbor padding")]
    pub unknown_05: u8,
}

/// Part of [`DispInfo`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
#[record(layout = Width)]
pub struct CornerNeighbors {
    /// Displacements; what lies beyond `n_neighbors` means nothing.
    #[field("displacement corner neighbor", sized)]
    pub neighbors: [u32; 4],
    /// Entries of `neighbors` that count.
    #[field("displacement corner neighbor count")]
    pub n_neighbors: u8,
    /// Padding; one byte until version 21.
    #[field("displacement corner padding", sized)]
    pub unknown_end: [u8; 3],
}

/// Lump 33 (section 5.2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
pub struct DispVert {
    /// Unit vector, or 0.
    #[field("displacement vector")]
    pub vector: [f32; 3],
    /// Distance along it.
    #[field("displacement distance")]
    pub dist: f32,
    /// 0 to 255: weight of the blend texture.
    #[field("displacement alpha")]
    pub alpha: f32,
}

/// Lump 63 (section 1.3): how much of each of four textures a vertex shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
pub struct DispMultiBlend {
    /// Of each texture.
    #[field("displacement blend")]
    pub blend: [f32; 4],
    /// Of each texture.
    #[field("displacement blend alpha")]
    pub alpha: [f32; 4],
    /// Color of each texture.
    #[field("displacement blend color")]
    pub colors: [[f32; 3]; 4],
}
