//! Planes, edges, faces and what they are painted with (dossier sections 2 and 3).

use super::light::Rgbe;

/// Lump 1 (section 2.1): `dot(normal, p) = dist`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Plane {
    /// Unit normal.
    pub normal: [f32; 3],
    /// Distance from the origin.
    pub dist: f32,
    /// 0, 1, 2: the normal is an axis; 3, 4, 5: this axis is its largest.
    pub kind: i32,
}

/// Lump 12.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Edge {
    /// Indices of vertices.
    pub vertices: [u32; 2],
}

/// Lumps 7, 27, 58 (section 2.4). The ring is clockwise seen from the front.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Face {
    /// The plane, already outwards for both sides.
    pub plane: u32,
    /// 1 = against the node's plane.
    pub side: u8,
    /// 1 = lies on the plane of a node.
    pub on_node: u8,
    /// First of its surfedges.
    pub first_edge: i32,
    /// Number of its surfedges.
    pub n_edges: i32,
    /// Texinfo; -1 = none.
    pub texinfo: i32,
    /// Displacement; -1 = none.
    pub disp_info: i32,
    /// -1 in all known files.
    pub surface_fog_volume: i32,
    /// Light styles, 255 = unused; only version 17 uses the last four.
    pub styles: [u8; 8],
    /// Byte offset of its light in the lump; -1 = none.
    pub light_offset: i32,
    /// Area in units².
    pub area: f32,
    /// Smallest s and t in luxels.
    pub lightmap_mins: [i32; 2],
    /// Luxels less one along s and t.
    pub lightmap_size: [i32; 2],
    /// Original face; -1 in lump 27.
    pub original_face: i32,
    /// Number of primitives.
    pub n_primitives: u32,
    /// Bit 15 of the count until version 21 = dynamic shadows are off; bit 0 in version 25 = they are on. As stored.
    pub shadow_bit: bool,
    /// First primitive.
    pub first_primitive: u32,
    /// Smoothing groups.
    pub smoothing_groups: u32,
    /// Version 17: average light of each style.
    pub v17_average_light: [Rgbe; 8],
    /// Version 17: styles by day and by night.
    pub v17_day_night_styles: [[u8; 8]; 2],
    /// Version 25: padding after `on_node`.
    pub unknown_06: [u8; 2],
}

/// Lump 37 (section 2.5).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Primitive {
    /// 0 triangle list, 1 strip.
    pub kind: u8,
    /// Padding after `kind`; one byte until version 21.
    pub unknown_01: [u8; 3],
    /// First of `primitive_indices`.
    pub first_index: u32,
    /// Number of indices.
    pub n_indices: u32,
    /// First of `primitive_vertices`.
    pub first_vertex: u32,
    /// Number of vertices; 0 = indices are positions in the face's ring.
    pub n_vertices: u32,
}

/// Lump 6 (section 3.1).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Texinfo {
    /// S and T: x, y, z, shift in texels.
    pub texture_vecs: [[f32; 4]; 2],
    /// S and T: x, y, z, shift in luxels.
    pub lightmap_vecs: [[f32; 4]; 2],
    /// Surface flags (section 3.4).
    pub flags: i32,
    /// Texdata; -1 = none.
    pub texdata: i32,
}

/// Lump 2 (section 3.2).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Texdata {
    /// Average colour, linear.
    pub reflectivity: [f32; 3],
    /// Index into `texture_name_offsets`.
    pub name: i32,
    /// Size in texels by which `texture_vecs` are divided.
    pub size: [i32; 2],
    /// As `size` in all known files.
    pub view_size: [i32; 2],
}
