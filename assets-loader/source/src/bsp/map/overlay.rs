//! Overlays and occluders (dossier sections 11.1 and 11.6).

use crate::bsp::records::OccluderLayout;
use ironlands_assets_core::record::Record;

/// Lumps 45 and 50 (section 11.1).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overlay {
    /// Unique number of the overlay.
    pub id: i32,
    /// Only its texdata counts.
    pub texinfo: i32,
    /// Order among overlays.
    pub render_order: u16,
    /// Indices into [`super::Map::faces`].
    pub faces: Vec<i32>,
    /// What follows in the file after the faces that count (all 64 or 256 places are stored).
    pub unknown_faces: Vec<i32>,
    /// From left to right.
    pub u: [f32; 2],
    /// From bottom to top.
    pub v: [f32; 2],
    /// Corners in the plane of the overlay.
    pub corners: [[f32; 2]; 4],
    /// First axis of that plane.
    pub basis_u: [f32; 3],
    /// Whether the second axis is `-(normal x basis_u)`.
    pub is_v_flipped: bool,
    /// The number that stands for `is_v_flipped` in the file.
    pub unknown_flip: f32,
    /// Place.
    pub origin: [f32; 3],
    /// Normal of the plane that it lies in.
    pub normal: [f32; 3],
    /// Lump version 2 on: red, green, blue, alpha.
    pub tint: [u8; 4],
    /// Lump version 3: flags.
    pub v3_flags: u16,
    /// Padding.
    pub unknown_0a: [u8; 2],
}

/// Lump 61 (section 1.3): the slowest and fastest machines that show an overlay.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct OverlayLevels {
    /// Lowest level of the processor.
    #[field("lowest processor level of an overlay")]
    pub min_cpu: u8,
    /// Highest.
    #[field("highest processor level of an overlay")]
    pub max_cpu: u8,
    /// Lowest level of the graphics.
    #[field("lowest graphics level of an overlay")]
    pub min_gpu: u8,
    /// Highest.
    #[field("highest graphics level of an overlay")]
    pub max_gpu: u8,
}

/// Lump 9 (section 11.6).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Occlusion {
    /// Each a range of `polygons`.
    pub occluders: Vec<Occluder>,
    /// Their polygons.
    pub polys: Vec<OccluderPoly>,
    /// Vertices of the polygons.
    pub vertex_indices: Vec<i32>,
}

/// Part of [`Occlusion`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Record)]
#[record(layout = OccluderLayout)]
pub struct Occluder {
    /// 1 = inactive.
    #[field("occluder flags")]
    pub flags: i32,
    /// First polygon.
    #[field("occluder first polygon")]
    pub first_poly: i32,
    /// Number of polygons.
    #[field("occluder polygon count")]
    pub n_polys: i32,
    /// Smallest corner.
    #[field("occluder mins")]
    pub mins: [f32; 3],
    /// Largest corner.
    #[field("occluder maxs")]
    pub maxs: [f32; 3],
    /// Area; lump version 2 on.
    #[field("occluder area", if = layout == OccluderLayout::WithArea)]
    pub area: i32,
}

/// Part of [`Occlusion`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct OccluderPoly {
    /// First of `vertex_indices`.
    #[field("occluder polygon first vertex")]
    pub first_vertex_index: i32,
    /// Number of these.
    #[field("occluder polygon vertex count")]
    pub n_vertices: i32,
    /// Index into [`super::Map::planes`].
    #[field("occluder polygon plane")]
    pub plane: i32,
}
