//! Lumps 22 to 25, of which every generation of games makes other use, and lump 28 (dossier sections 1.3 and 7.7).
//!
//! Real files of most of these uses are rare, so nothing here keeps a map from being read: see [`Uncertain`].

use std::slice;

use crate::bsp::geometry::range_of;
use crate::bsp::records::Width;
use ironlands_assets_core::record::Record;

/// The content of lumps that some games use otherwise than documented.
#[derive(Debug, Clone, PartialEq)]
pub enum Uncertain<T> {
    /// The bytes fit the type: every index leads to a record.
    Typed(T),
    /// They do not. Writing the map leaves the lumps of the file as they are.
    Bytes {
        /// What does not fit, and where.
        reason: String,
    },
}

impl<T> Uncertain<T> {
    /// The content, if it has the documented form.
    pub fn typed(&self) -> Option<&T> {
        match self {
            Self::Typed(content) => Some(content),
            Self::Bytes { .. } => None,
        }
    }
}

impl<T: Default> Default for Uncertain<T> {
    fn default() -> Self {
        Self::Typed(T::default())
    }
}

/// Lumps 22 to 25.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum ReusedLumps {
    /// All four are empty, as compilers of releases leave them in most games.
    #[default]
    Empty,
    /// Until version 20.
    Portals(VisPortals),
    /// Version 21 of Left 4 Dead 2.
    PropCollision(PropCollision),
    /// Version 21 of games that paint surfaces, and version 25.
    FaceBrushes(FaceBrushes),
}

/// What visibility is computed from: clusters, and the openings between them. The compiler writes it for debugging.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VisPortals {
    /// Lump 22.
    pub portals: Vec<VisPortal>,
    /// Lump 23, by the numbers of [`Leaf::cluster`](super::Leaf::cluster).
    pub clusters: Vec<VisCluster>,
    /// Lump 24: indices into [`Map::vertices`](super::Map::vertices).
    pub vertex_indices: Vec<u16>,
    /// Lump 25: indices into `portals`.
    pub portal_indices: Vec<u16>,
}

/// The polygon between two clusters that touch: 16 bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct VisPortal {
    /// Index into [`VisPortals::vertex_indices`].
    #[field("portal first vertex")]
    pub first_vertex: i32,
    /// Corners from there on.
    #[field("portal vertex count")]
    pub n_vertices: i32,
    /// Index into [`Map::planes`](super::Map::planes).
    #[field("portal plane")]
    pub plane: i32,
    /// The clusters on both sides.
    #[field("portal clusters")]
    pub clusters: [u16; 2],
}

/// The portals that lead out of a cluster: 8 bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct VisCluster {
    /// Index into [`VisPortals::portal_indices`].
    #[field("cluster first portal")]
    pub first_portal: i32,
    /// Portals from there on.
    #[field("cluster portal count")]
    pub n_portals: i32,
}

impl VisPortals {
    /// Indices of the corners of a portal.
    pub fn vertices_of(&self, portal: &VisPortal) -> &[u16] {
        range_of(&self.vertex_indices, portal.first_vertex, portal.n_vertices)
    }

    /// Indices of the portals of a cluster.
    pub fn portals_of(&self, cluster: &VisCluster) -> &[u16] {
        range_of(
            &self.portal_indices,
            cluster.first_portal,
            cluster.n_portals,
        )
    }
}

/// Convex hulls of static props. The triangles of the hulls are listed in lump 49, whose form is not known.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PropCollision {
    /// Lump 22.
    pub props: Vec<PropHulls>,
    /// Lump 23.
    pub hulls: Vec<PropHull>,
    /// Lump 24: corners of hulls.
    pub vertices: Vec<[f32; 3]>,
    /// Lump 25, one for each hull.
    pub triangles: Vec<PropTriangles>,
}

/// The hulls of a prop: 8 bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct PropHulls {
    /// Hulls from `first_hull` on.
    #[field("prop hull count")]
    pub n_hulls: i32,
    /// Index into [`PropCollision::hulls`].
    #[field("prop first hull")]
    pub first_hull: i32,
}

/// A convex hull: 16 bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct PropHull {
    /// Corners from `first_vertex` on.
    #[field("hull vertex count")]
    pub n_vertices: i32,
    /// Index into [`PropCollision::vertices`].
    #[field("hull first vertex")]
    pub first_vertex: i32,
    /// Its physical material; what it is an index of is not known.
    #[field("hull surface property")]
    pub surface_property: i32,
    /// Contents (section 7.2).
    #[field("hull contents")]
    pub contents: u32,
}

/// The triangles of a hull: 8 bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct PropTriangles {
    /// First index of a corner, in lump 49.
    #[field("hull first index")]
    pub first_index: i32,
    /// Indices from there on.
    #[field("hull index count")]
    pub n_indices: i32,
}

/// From which brushes the compiler made each face.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FaceBrushes {
    /// Lump 23, one for each face.
    pub lists: Vec<FaceBrushList>,
    /// Lump 22: brushes of the faces that were made from several.
    pub brushes: Vec<u32>,
}

/// The brushes of a face: 4 bytes, 8 in version 25.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
#[record(layout = Width)]
pub struct FaceBrushList {
    /// Number of brushes.
    #[field("face brush count", sized)]
    pub n_brushes: u32,
    /// The brush, if there is one; of several, the index of the first into [`FaceBrushes::brushes`].
    #[field("face first brush", sized)]
    pub start: u32,
}

impl FaceBrushes {
    /// Indices of the brushes of a face.
    pub fn brushes_of<'a>(&'a self, list: &'a FaceBrushList) -> &'a [u32] {
        match list.n_brushes {
            1 => slice::from_ref(&list.start),
            n_brushes => range_of(&self.brushes, list.start, n_brushes),
        }
    }
}

/// Lump 28: what the physics of each displacement begins with, as bytes of the physics library.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DispHulls {
    /// One for each displacement, some of which have none; `None` in place of the list if the lump is empty.
    pub hulls: Option<Vec<Option<Vec<u8>>>>,
}
