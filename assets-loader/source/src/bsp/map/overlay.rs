//! Overlays and occluders (dossier sections 11.1 and 11.6).

/// Lumps 45 and 50 (section 11.1).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overlay {
    /// Id.
    pub id: i32,
    /// Only its texdata counts.
    pub texinfo: i32,
    /// Order among overlays.
    pub render_order: u16,
    /// Its faces.
    pub faces: Vec<i32>,
    /// What stands in the file after the faces that count (all 64 or 256 places are stored).
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
    /// Normal.
    pub normal: [f32; 3],
    /// Lump version 2 on: red, green, blue, alpha.
    pub tint: [u8; 4],
    /// Lump version 3: flags.
    pub v3_flags: u16,
    /// Padding.
    pub unknown_0a: [u8; 2],
}

/// Lump 9 (section 11.6).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Occlusion {
    /// Occluders.
    pub occluders: Vec<Occluder>,
    /// Their polygons.
    pub polys: Vec<OccluderPoly>,
    /// Vertices of the polygons.
    pub vertex_indices: Vec<i32>,
}

/// Part of [`Occlusion`].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Occluder {
    /// 1 = inactive.
    pub flags: i32,
    /// First polygon.
    pub first_poly: i32,
    /// Number of polygons.
    pub n_polys: i32,
    /// Smallest corner.
    pub mins: [f32; 3],
    /// Largest corner.
    pub maxs: [f32; 3],
    /// Area; lump version 2 on.
    pub area: i32,
}

/// Part of [`Occlusion`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OccluderPoly {
    /// First of `vertex_indices`.
    pub first_vertex_index: i32,
    /// Number of these.
    pub n_vertices: i32,
    /// Plane.
    pub plane: i32,
}
