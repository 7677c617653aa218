//! The typed content of a map: what the lumps hold, whatever the version that they are stored in.
//!
//! Numbers are as wide as the widest version has them; indices are plain numbers, as stored. Bytes that mean nothing
//! and yet differ from file to file (padding, leftovers of the compiler) are kept in `unknown_*` fields.

/// All lumps with a meaning. Lumps that a file lacks are empty.
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
    /// Lump 34: lightmap sample positions (section 5.6), coded.
    pub disp_sample_positions: Vec<u8>,
    /// Lump 45.
    pub overlays: Vec<Overlay>,
    /// Lump 50, as overlays.
    pub water_overlays: Vec<Overlay>,
    /// Lump 60: squared distances at which an overlay begins to fade and is gone.
    pub overlay_fades: Vec<[f32; 2]>,
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

/// Light: three mantissas and a signed exponent (section 4.1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Rgbe {
    /// Red, green, blue.
    pub mantissas: [u8; 3],
    /// Power of two.
    pub exponent: i8,
}

/// Lump 37 (section 2.5).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Primitive {
    /// 0 triangle list, 1 strip.
    pub kind: u8,
    /// First of `primitive_indices`.
    pub first_index: u32,
    /// Number of indices.
    pub n_indices: u32,
    /// First of `primitive_vertices`.
    pub first_vertex: u32,
    /// Number of vertices; 0 = indices are positions in the face's ring.
    pub n_vertices: u32,
    /// Padding after `kind`; one byte until version 21.
    pub unknown_01: [u8; 3],
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

/// Lump 5 (section 6.1).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Node {
    /// Plane.
    pub plane: i32,
    /// Front and back: a node, or `-1 - leaf`.
    pub children: [i32; 2],
    /// Smallest corner; whole numbers until version 21.
    pub mins: [f32; 3],
    /// Largest corner.
    pub maxs: [f32; 3],
    /// First face on its plane.
    pub first_face: u32,
    /// Number of faces on its plane.
    pub n_faces: u32,
    /// Area of all below it; -1 = several.
    pub area: i16,
    /// Padding.
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
    /// First of `leaf_faces`.
    pub first_leaf_face: u32,
    /// Number of leaf faces.
    pub n_leaf_faces: u32,
    /// First of `leaf_brushes`.
    pub first_leaf_brush: u32,
    /// Number of leaf brushes.
    pub n_leaf_brushes: u32,
    /// Leaf water; -1 = none.
    pub water: i32,
    /// Lump version 0: light from +X, -X, +Y, -Y, +Z, -Z.
    pub v0_ambient: [Rgbe; 6],
    /// Padding at its end.
    pub unknown_end: [u8; 2],
}

/// Lump 18.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Brush {
    /// First of its sides.
    pub first_side: i32,
    /// Number of its sides.
    pub n_sides: i32,
    /// Contents (section 7.2).
    pub contents: i32,
}

/// Lump 19 (section 7.1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BrushSide {
    /// Plane, outwards.
    pub plane: u32,
    /// Texinfo; -1 = none. Not to be trusted where the side has no face (section 12.3).
    pub texinfo: i32,
    /// Not to be trusted (section 5.8).
    pub disp_info: i32,
    /// 1 = only there for box traces. The low byte from version 21 on.
    pub bevel: u8,
    /// Version 21 on; before, the high byte of `bevel`.
    pub thin: u8,
    /// Version 25: padding.
    pub unknown_0e: [u8; 2],
}

/// Lump 14 (section 6.6).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Model {
    /// Smallest corner, relative to the entity.
    pub mins: [f32; 3],
    /// Largest corner.
    pub maxs: [f32; 3],
    /// 0 in all known files.
    pub origin: [f32; 3],
    /// Root of its tree: a node, or `-1 - leaf`.
    pub head_node: i32,
    /// First of its faces.
    pub first_face: i32,
    /// Number of its faces.
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Area {
    /// Number of its portals.
    pub n_area_portals: i32,
    /// First of its portals.
    pub first_area_portal: i32,
}

/// Lump 21 (section 6.7).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AreaPortal {
    /// The entity's `portalnumber`.
    pub portal_key: u32,
    /// The area beyond.
    pub other_area: u32,
    /// First of `clip_portal_vertices`.
    pub first_clip_portal_vertex: u32,
    /// Number of these.
    pub n_clip_portal_vertices: u32,
    /// Plane.
    pub plane: i32,
}

/// Lumps 52 and 51 (section 6.3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeafAmbientIndex {
    /// Number of samples; if 0, `first_sample` is the nearest leaf that has some.
    pub n_samples: u32,
    /// First sample.
    pub first_sample: u32,
}

/// Lumps 56 and 55 (section 6.3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeafAmbientSample {
    /// Light from +X, -X, +Y, -Y, +Z, -Z; not divided by 255.
    pub cube: [Rgbe; 6],
    /// Place in the leaf's box: 0 = mins, 255 = maxs.
    pub place: [u8; 3],
    /// Padding.
    pub unknown_1b: u8,
}

/// Lumps 15 and 54 (section 11.4).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WorldLight {
    /// Place.
    pub origin: [f32; 3],
    /// Linear colour.
    pub intensity: [f32; 3],
    /// Direction.
    pub normal: [f32; 3],
    /// Lump version 1 on.
    pub shadow_cast_offset: [f32; 3],
    /// Cluster.
    pub cluster: i32,
    /// 0 surface, 1 point, 2 spot, 3 sky, 4 quake, 5 sky ambient.
    pub kind: i32,
    /// Lump version 2 on, with padding.
    pub v2_mode: [u8; 4],
    /// Light style.
    pub style: i32,
    /// Cosines of the inner and the outer cone.
    pub stop_dots: [f32; 2],
    /// Falloff between the cones.
    pub exponent: f32,
    /// 0 = unlimited.
    pub radius: f32,
    /// Constant, linear, quadratic.
    pub attenuation: [f32; 3],
    /// 1 = already in the ambient cubes.
    pub flags: i32,
    /// Texinfo of a surface light.
    pub texinfo: i32,
    /// Entity.
    pub owner: i32,
}

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

/// Lump 42 (section 11.3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CubemapSample {
    /// Place.
    pub origin: [i32; 3],
    /// 0 = 32 pixels, else `1 << (size - 1)`.
    pub size: u8,
    /// Padding.
    pub unknown_0d: [u8; 3],
}

/// Lump 36 (section 11.5).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LeafWater {
    /// Height of the surface.
    pub surface_z: f32,
    /// Lowest height.
    pub min_z: f32,
    /// Texinfo of the surface.
    pub surface_texinfo: i32,
    /// Padding until version 21.
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
