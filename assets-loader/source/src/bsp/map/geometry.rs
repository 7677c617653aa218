//! Planes, edges, faces and what they are painted with (dossier sections 2 and 3).

use super::light::Rgbe;
use crate::bsp::records::Width;
use ironlands_assets_core::record::Record;

/// Lump 1 (section 2.1): `dot(normal, p) = dist`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
pub struct Plane {
    /// Unit normal.
    #[field("plane normal")]
    pub normal: [f32; 3],
    /// Distance from the origin.
    #[field("plane distance")]
    pub dist: f32,
    /// 0, 1, 2: the normal is an axis; 3, 4, 5: this axis is its largest.
    #[field("plane type")]
    pub kind: i32,
}

/// Lump 12.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
#[record(layout = Width)]
pub struct Edge {
    /// Indices of vertices.
    #[field("edge vertex", sized)]
    pub vertices: [u32; 2],
}

/// Lumps 7, 27, 58 (section 2.4). The ring is clockwise seen from the front.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Face {
    /// The plane, already outward for both sides.
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
    /// Primitives from `first_primitive` on.
    pub n_primitives: u32,
    /// Bit 15 of the count until version 21 = dynamic shadows are off; bit 0 in version 25 = they are on. As stored.
    pub shadow_bit: bool,
    /// Index into [`super::Map::primitives`].
    pub first_primitive: u32,
    /// Bits; faces with a common one share normals.
    pub smoothing_groups: u32,
    /// Version 17: average light of each style.
    pub v17_average_light: [Rgbe; 8],
    /// Version 17: styles by day and by night.
    pub v17_day_night_styles: [[u8; 8]; 2],
    /// Version 25: padding after `on_node`.
    pub unknown_06: [u8; 2],
}

/// Lump 37 (section 2.5).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
#[record(layout = Width)]
pub struct Primitive {
    /// 0 triangle list, 1 strip.
    #[field("primitive type")]
    pub kind: u8,
    /// Padding after `kind`; one byte until version 21.
    #[field("primitive padding", sized)]
    pub unknown_01: [u8; 3],
    /// First of `primitive_indices`.
    #[field("primitive first index", sized)]
    pub first_index: u32,
    /// Indices from there on.
    #[field("primitive index count", sized)]
    pub n_indices: u32,
    /// First of `primitive_vertices`.
    #[field("primitive first vertex", sized)]
    pub first_vertex: u32,
    /// Number of vertices; 0 = indices are positions in the face's ring.
    #[field("primitive vertex count", sized)]
    pub n_vertices: u32,
}

/// Lump 6 (section 3.1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
pub struct Texinfo {
    /// S and T: x, y, z, shift in texels.
    #[field("texture vectors")]
    pub texture_vecs: [[f32; 4]; 2],
    /// S and T: x, y, z, shift in luxels.
    #[field("lightmap vectors")]
    pub lightmap_vecs: [[f32; 4]; 2],
    /// Surface flags (section 3.4).
    #[field("texinfo flags")]
    pub flags: i32,
    /// Texdata; -1 = none.
    #[field("texinfo texdata")]
    pub texdata: i32,
}

/// Lump 2 (section 3.2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
pub struct Texdata {
    /// Average color, linear.
    #[field("texdata reflectivity")]
    pub reflectivity: [f32; 3],
    /// Index into `texture_name_offsets`.
    #[field("texdata name")]
    pub name: i32,
    /// Size in texels by which `texture_vecs` are divided.
    #[field("texdata size")]
    pub size: [i32; 2],
    /// As `size` in all known files.
    #[field("texdata view size")]
    pub view_size: [i32; 2],
}
