//! Displacements (dossier section 5).

/// Lump 26 (section 5.1).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DispInfo {
    /// The corner of the face that row 0, column 0 stands at.
    pub start_position: [f32; 3],
    /// First of `disp_verts`.
    pub first_vert: i32,
    /// First of `disp_tris`; not in version 17.
    pub first_tri: i32,
    /// 2 to 4: `2^power + 1` vertices a side.
    pub power: i32,
    /// Flags where bit 31 is set.
    pub min_tess: i32,
    /// Angle of smoothing.
    pub smoothing_angle: f32,
    /// Contents.
    pub contents: i32,
    /// Its face.
    pub map_face: u32,
    /// Padding after `map_face` until version 21.
    pub unknown_26: [u8; 2],
    /// Byte offset in lump 32.
    pub lightmap_alpha_start: i32,
    /// Byte offset in `disp_sample_positions`.
    pub lightmap_sample_position_start: i32,
    /// Left, top, right, bottom: two each.
    pub edge_neighbors: [[SubNeighbor; 2]; 4],
    /// Lower left, upper left, upper right, lower right.
    pub corner_neighbors: [CornerNeighbors; 4],
    /// Bits of vertices that are kept, row by row.
    pub allowed_verts: [u32; 10],
}

/// Part of [`DispInfo`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SubNeighbor {
    /// Displacement; the largest number of the field = none.
    pub disp_info: u32,
    /// Quarter turns counter-clockwise.
    pub orientation: u8,
    /// 0 whole edge, 1 first half, 2 second half.
    pub span: u8,
    /// The same, of the neighbour's edge.
    pub neighbor_span: u8,
    /// Padding.
    pub unknown_05: u8,
}

/// Part of [`DispInfo`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CornerNeighbors {
    /// Displacements; what lies beyond `n_neighbors` means nothing.
    pub neighbors: [u32; 4],
    /// Number of neighbours.
    pub n_neighbors: u8,
    /// Padding; one byte until version 21.
    pub unknown_end: [u8; 3],
}

/// Lump 33 (section 5.2).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DispVert {
    /// Unit vector, or 0.
    pub vector: [f32; 3],
    /// Distance along it.
    pub dist: f32,
    /// 0 to 255: weight of the second texture.
    pub alpha: f32,
}
