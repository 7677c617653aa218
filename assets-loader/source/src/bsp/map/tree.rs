//! The tree and its leaves, brushes, brush models, visibility, areas, water (dossier sections 6, 7 and 11.5).

use super::light::Rgbe;
use crate::bsp::records::Width;
use ironlands_assets_core::record::Record;

/// Lump 5 (section 6.1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
#[record(layout = Width)]
pub struct Node {
    /// Index into [`super::Map::planes`].
    #[field("node plane")]
    pub plane: i32,
    /// Front and back: a node, or `-1 - leaf`.
    #[field("node children")]
    pub children: [i32; 2],
    /// Smallest corner; whole numbers until version 21.
    #[field("node mins", sized)]
    pub mins: [f32; 3],
    /// Largest corner.
    #[field("node maxs", sized)]
    pub maxs: [f32; 3],
    /// First face on its plane.
    #[field("node first face", sized)]
    pub first_face: u32,
    /// Number of faces on its plane.
    #[field("node face count", sized)]
    pub n_faces: u32,
    /// Area of all below it; -1 = several.
    #[field("node area")]
    pub area: i16,
    /// Padding.
    #[field("node padding")]
    pub unknown_1e: [u8; 2],
}

/// Lump 10 (section 6.2).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Leaf {
    /// Contents of its brushes (section 7.2).
    pub contents: i32,
    /// Visibility cluster; -1 = none.
    pub cluster: i32,
    /// Area: 9 bits, 17 in version 25.
    pub area: u32,
    /// Flags: 7 bits, 15 in version 25: 1 = 3D sky seen, 2 = radial visibility, 4 = 2D sky seen.
    pub flags: u16,
    /// Smallest corner; whole numbers until version 21.
    pub mins: [f32; 3],
    /// Largest corner.
    pub maxs: [f32; 3],
    /// Index into [`super::Map::leaf_faces`].
    pub first_leaf_face: u32,
    /// Entries from there on.
    pub n_leaf_faces: u32,
    /// Index into [`super::Map::leaf_brushes`].
    pub first_leaf_brush: u32,
    /// Entries from there on.
    pub n_leaf_brushes: u32,
    /// Leaf water; -1 = none.
    pub water: i32,
    /// Lump version 0: light from +X, -X, +Y, -Y, +Z, -Z.
    pub v0_ambient: [Rgbe; 6],
    /// Padding at its end.
    pub unknown_end: [u8; 2],
}

/// Lump 18.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct Brush {
    /// Index into [`super::Map::brush_sides`].
    #[field("brush first side")]
    pub first_side: i32,
    /// Sides from there on.
    #[field("brush side count")]
    pub n_sides: i32,
    /// Contents (section 7.2).
    #[field("brush contents")]
    pub contents: i32,
}

/// Lump 19 (section 7.1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
#[record(layout = Width)]
pub struct BrushSide {
    /// Plane, outward.
    #[field("brush side plane", sized)]
    pub plane: u32,
    /// Texinfo; -1 = none. Not to be trusted where the side has no face (section 12.3).
    #[field("brush side texinfo", sized)]
    pub texinfo: i32,
    /// Not to be trusted (section 5.8).
    #[field("brush side dispinfo", sized)]
    pub disp_info: i32,
    /// 1 = only there for box traces. The low byte from version 21 on.
    #[field("brush side bevel")]
    pub bevel: u8,
    /// Version 21 on; before, the high byte of `bevel`.
    #[field("brush side thin")]
    pub thin: u8,
    /// Version 25: padding.
    #[field("brush side padding", if = layout == Width::Wide)]
    pub unknown_0e: [u8; 2],
}

/// Lump 14 (section 6.6).
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
pub struct Model {
    /// Smallest corner, relative to the entity.
    #[field("model mins")]
    pub mins: [f32; 3],
    /// Largest corner.
    #[field("model maxs")]
    pub maxs: [f32; 3],
    /// 0 in all known files.
    #[field("model origin")]
    pub origin: [f32; 3],
    /// Root of its tree: a node, or `-1 - leaf`.
    #[field("model head node")]
    pub head_node: i32,
    /// Index into [`super::Map::faces`].
    #[field("model first face")]
    pub first_face: i32,
    /// Faces from there on.
    #[field("model face count")]
    pub n_faces: i32,
}

/// Lump 4 (section 6.5).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Visibility {
    /// For each cluster where its rows begin, in bytes from the start of the lump: seen, heard.
    pub row_offsets: Vec<[i32; 2]>,
    /// All rows, coded; the first byte stands at `4 + 8 * clusters` of the lump.
    pub rows: Vec<u8>,
}

/// Lump 20 (section 6.7).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct Area {
    /// Portals from `first_area_portal` on.
    #[field("area portal count")]
    pub n_area_portals: i32,
    /// Index into [`super::Map::area_portals`].
    #[field("area first portal")]
    pub first_area_portal: i32,
}

/// Lump 21 (section 6.7).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
#[record(layout = Width)]
pub struct AreaPortal {
    /// The entity's `portalnumber`.
    #[field("area portal key", sized)]
    pub portal_key: u32,
    /// The area beyond.
    #[field("area portal other area", sized)]
    pub other_area: u32,
    /// First of `clip_portal_vertices`.
    #[field("area portal first vertex", sized)]
    pub first_clip_portal_vertex: u32,
    /// Number of these.
    #[field("area portal vertex count", sized)]
    pub n_clip_portal_vertices: u32,
    /// Index into [`super::Map::planes`].
    #[field("area portal plane")]
    pub plane: i32,
}

/// Lump 36 (section 11.5).
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
#[record(layout = Width)]
pub struct LeafWater {
    /// Height of the surface.
    #[field("water surface")]
    pub surface_z: f32,
    /// Lowest height.
    #[field("water lowest height")]
    pub min_z: f32,
    /// Index into [`super::Map::texinfos`].
    #[field("water texinfo", sized)]
    pub surface_texinfo: i32,
    /// Padding until version 21.
    #[field("water padding", if = layout == Width::Narrow)]
    pub unknown_0a: [u8; 2],
}
