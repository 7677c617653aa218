//! The typed content of a map: what the lumps hold, whatever the version that they are stored in.
//!
//! Numbers are as wide as the widest version has them; indices are plain numbers, as stored. Bytes that mean nothing
//! and yet differ from file to file (padding, leftovers of the compiler) are kept in `unknown_*` fields.

mod displacement;
mod geometry;
mod light;
mod overlay;
mod reused;
mod tree;

pub use self::displacement::{CornerNeighbors, DispInfo, DispMultiBlend, DispVert, SubNeighbor};
pub use self::geometry::{Edge, Face, Plane, Primitive, Texdata, Texinfo};
pub use self::light::{CubemapSample, LeafAmbientIndex, LeafAmbientSample, Rgbe, WorldLight};
pub use self::overlay::{Occluder, OccluderPoly, Occlusion, Overlay, OverlayLevels};
pub use self::reused::{
    DispHulls, FaceBrushList, FaceBrushes, PropCollision, PropHull, PropHulls, PropTriangles,
    ReusedLumps, Uncertain, VisCluster, VisPortal, VisPortals,
};
pub use self::tree::{
    Area, AreaPortal, Brush, BrushSide, Leaf, LeafWater, Model, Node, Visibility,
};

/// All lumps with a known meaning. Lumps that a file lacks are empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Map {
    /// Lump 1.
    pub planes: Vec<Plane>,
    /// Lump 3: corner points.
    pub vertices: Vec<[f32; 3]>,
    /// Lump 12; the first is a dummy.
    pub edges: Vec<Edge>,
    /// Lump 13: an edge, from its second vertex to its first if negative.
    pub surfedges: Vec<i32>,
    /// Lump 7.
    pub faces: Vec<Face>,
    /// Lump 58: the same faces with the styles and offsets of `lighting_hdr`.
    pub faces_hdr: Vec<Face>,
    /// Lump 27: polygons before they were cut; their `texinfo` is not to be trusted (section 2.4).
    pub original_faces: Vec<Face>,
    /// Lump 11: side ids of the editor, one per face; empty in version 19.
    pub face_ids: Vec<u32>,
    /// Lump 37.
    pub primitives: Vec<Primitive>,
    /// Lump 38.
    pub primitive_vertices: Vec<[f32; 3]>,
    /// Lump 39, relative to the ring of the face.
    pub primitive_indices: Vec<u32>,
    /// Lump 30.
    pub vertex_normals: Vec<[f32; 3]>,
    /// Lump 31: for each vertex of each face in order.
    pub vertex_normal_indices: Vec<u32>,
    /// Lump 6.
    pub texinfos: Vec<Texinfo>,
    /// Lump 2.
    pub texdata: Vec<Texdata>,
    /// Lump 44: offsets into `texture_names`.
    pub texture_name_offsets: Vec<i32>,
    /// Lump 43: names that end with NUL.
    pub texture_names: Vec<u8>,
    /// Lump 5.
    pub nodes: Vec<Node>,
    /// Lump 10; the first is a dummy that no node leads to.
    pub leaves: Vec<Leaf>,
    /// Lump 16: faces of leaves.
    pub leaf_faces: Vec<u32>,
    /// Lump 17: brushes of leaves.
    pub leaf_brushes: Vec<u32>,
    /// Lump 18.
    pub brushes: Vec<Brush>,
    /// Lump 19.
    pub brush_sides: Vec<BrushSide>,
    /// Lump 14; the first is the world.
    pub models: Vec<Model>,
    /// Lump 4; `None` if the lump is empty.
    pub visibility: Option<Visibility>,
    /// Lump 20.
    pub areas: Vec<Area>,
    /// Lump 21.
    pub area_portals: Vec<AreaPortal>,
    /// Lump 41: windings of area portals.
    pub clip_portal_vertices: Vec<[f32; 3]>,
    /// Lump 8: samples of light, as `Rgbe` but for the alpha blocks of section 4.6.
    pub lighting: Vec<u8>,
    /// Lump 53.
    pub lighting_hdr: Vec<u8>,
    /// Lumps 52 and 51, one per leaf, each with 56 and 55.
    pub ambient_index: Vec<LeafAmbientIndex>,
    /// See `ambient_index`.
    pub ambient_samples: Vec<LeafAmbientSample>,
    /// See `ambient_index`.
    pub ambient_index_hdr: Vec<LeafAmbientIndex>,
    /// See `ambient_index`.
    pub ambient_samples_hdr: Vec<LeafAmbientSample>,
    /// Lump 15.
    pub world_lights: Vec<WorldLight>,
    /// Lump 54.
    pub world_lights_hdr: Vec<WorldLight>,
    /// Lump 26.
    pub disp_infos: Vec<DispInfo>,
    /// Lump 33.
    pub disp_verts: Vec<DispVert>,
    /// Lump 48: tags of section 5.3.
    pub disp_tris: Vec<u16>,
    /// Lump 63, one per `disp_verts` where four textures blend.
    pub disp_multi_blend: Vec<DispMultiBlend>,
    /// Lump 32, of old versions: a byte for each luxel of displacements, from `DispInfo::lightmap_alpha_start` on.
    pub disp_luxel_alphas: Vec<u8>,
    /// Lump 34: lightmap sample positions (section 5.6), coded.
    pub disp_sample_positions: Vec<u8>,
    /// Lump 45.
    pub overlays: Vec<Overlay>,
    /// Lump 50, as overlays.
    pub water_overlays: Vec<Overlay>,
    /// Lump 60: squared distances at which an overlay begins to fade and is gone.
    pub overlay_fades: Vec<[f32; 2]>,
    /// Lump 61, one per overlay.
    pub overlay_levels: Vec<OverlayLevels>,
    /// Lump 42.
    pub cubemaps: Vec<CubemapSample>,
    /// Lump 36.
    pub leaf_water: Vec<LeafWater>,
    /// Lump 46, one per leaf: 65535 = far or none.
    pub leaf_min_dist_to_water: Vec<u16>,
    /// Lump 47, one per face: 65535 = none.
    pub face_macro_texture: Vec<u16>,
    /// Lump 9.
    pub occlusion: Occlusion,
    /// Lump 59 (section 1.6).
    pub flags: Option<u32>,
    /// Lumps 22 to 25.
    pub reused_lumps: Uncertain<ReusedLumps>,
    /// Lump 28.
    pub disp_hulls: Uncertain<DispHulls>,
}

/// Which faces and light a map is shown with (section 4.5).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum FaceSet {
    /// Lumps 7, 8, 15, 52, 56.
    #[default]
    Ldr,
    /// Lumps 58 (7 if that is empty), 53, 54, 51, 55.
    Hdr,
}
