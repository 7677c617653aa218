//! The 64 lumps of a map by name (dossier section 1.3), and the order in which compilers store them (1.9).

use super::file::LumpOrder;

macro_rules! lump_ids {
    ($($(#[$doc:meta])* $name:ident = $number:literal,)*) => {
        /// A lump by its place in the directory. Names are those of version 20; other versions use some places
        /// otherwise, as stated.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum LumpId {
            $($(#[$doc])* $name = $number,)*
        }

        impl LumpId {
            /// All lumps, in the order of the directory.
            pub const ALL: [Self; N_LUMPS] = [$(Self::$name,)*];
        }
    };
}

/// Lumps in every file, most of them empty.
pub const N_LUMPS: usize = 64;

lump_ids! {
    /// Text: the entities of the level.
    Entities = 0,
    /// Planes.
    Planes = 1,
    /// Textures by name, and their size.
    Texdata = 2,
    /// Corner points.
    Vertexes = 3,
    /// What is seen and heard from where.
    Visibility = 4,
    /// Nodes of the tree.
    Nodes = 5,
    /// How textures lie on faces.
    Texinfo = 6,
    /// Faces.
    Faces = 7,
    /// Light of the faces.
    Lighting = 8,
    /// Occluders.
    Occlusion = 9,
    /// Leaves of the tree.
    Leafs = 10,
    /// Side ids of the editor.
    FaceIds = 11,
    /// Edges.
    Edges = 12,
    /// Edges of faces.
    Surfedges = 13,
    /// Brush models.
    Models = 14,
    /// Lights.
    Worldlights = 15,
    /// Faces of leaves.
    LeafFaces = 16,
    /// Brushes of leaves.
    LeafBrushes = 17,
    /// Brushes.
    Brushes = 18,
    /// Sides of brushes.
    BrushSides = 19,
    /// Areas.
    Areas = 20,
    /// Portals between areas.
    AreaPortals = 21,
    /// Until version 20: portals between clusters; version 21: hulls of props (L4D2), or brushes of faces; version 25: brushes of
    /// faces.
    Portals = 22,
    /// Until version 20: clusters; version 21: hulls, or as version 25: brushes of each face, by number or as a range of
    /// `Portals`.
    Clusters = 23,
    /// Until version 20: vertices of portals; version 21: vertices of hulls.
    PortalVerts = 24,
    /// Until version 20: portals of clusters; version 21: triangles of hulls.
    ClusterPortals = 25,
    /// Displacements.
    DispInfo = 26,
    /// Faces before they were cut.
    OriginalFaces = 27,
    /// Collision of displacements.
    PhysDisp = 28,
    /// Collision of brush models.
    PhysCollide = 29,
    /// Normals.
    VertNormals = 30,
    /// Normals of the vertices of faces.
    VertNormalIndices = 31,
    /// Alphas of the luxels of displacements, of old versions.
    DispLightmapAlphas = 32,
    /// Vertices of displacements.
    DispVerts = 33,
    /// Where the luxels of displacements lie.
    DispLightmapSamplePositions = 34,
    /// Props and what else the game adds.
    GameLump = 35,
    /// Water.
    LeafWaterData = 36,
    /// Triangulations of faces.
    Primitives = 37,
    /// Vertices of primitives.
    PrimVerts = 38,
    /// Indices of primitives.
    PrimIndices = 39,
    /// A zip archive.
    Pakfile = 40,
    /// Windings of area portals.
    ClipPortalVerts = 41,
    /// Where reflections were taken.
    Cubemaps = 42,
    /// Names of textures.
    TexdataStringData = 43,
    /// Where the names begin.
    TexdataStringTable = 44,
    /// Overlays.
    Overlays = 45,
    /// Distance of leaves to water.
    LeafMinDistToWater = 46,
    /// Macro textures of faces.
    FaceMacroTextureInfo = 47,
    /// Tags of the triangles of displacements.
    DispTris = 48,
    /// Legacy, of the form of `PhysCollide`; L4D2: more of props.
    PhysCollideSurface = 49,
    /// Overlays on water.
    WaterOverlays = 50,
    /// Ambient samples of leaves, HDR.
    LeafAmbientIndexHdr = 51,
    /// Ambient samples of leaves.
    LeafAmbientIndex = 52,
    /// Light of the faces, HDR.
    LightingHdr = 53,
    /// Lights, HDR.
    WorldlightsHdr = 54,
    /// Ambient samples, HDR.
    LeafAmbientLightingHdr = 55,
    /// Ambient samples.
    LeafAmbientLighting = 56,
    /// The archive for a console, no longer written.
    XZipPakfile = 57,
    /// Faces, HDR.
    FacesHdr = 58,
    /// Flags of the map.
    MapFlags = 59,
    /// Distances at which overlays fade.
    OverlayFades = 60,
    /// Detail levels of overlays.
    OverlaySystemLevels = 61,
    /// The level for a second physics engine that no known game has.
    PhysLevel = 62,
    /// Blending of four textures on displacements.
    DispMultiBlend = 63,
}

impl LumpId {
    /// Place in the directory.
    pub fn index(self) -> usize {
        usize::from(self as u8)
    }

    /// The order in which the compiler of a version stores lumps; the few that it never writes stand before the game
    /// lump and the archive, which always come last.
    pub(super) fn physical_order(version: u32, order: LumpOrder) -> Vec<Self> {
        let known: &[u8] = match (version, order) {
            (..=19, _) => &ORDER_19,
            (20..=24, LumpOrder::Standard | LumpOrder::VersionFirst) => &ORDER_20,
            _ => &ORDER_25,
        };
        let last = [Self::GameLump, Self::Pakfile];
        let listed = known
            .iter()
            .filter_map(|&id| Self::ALL.get(usize::from(id)));
        let unlisted = Self::ALL
            .iter()
            .filter(|id| !known.contains(&(**id as u8)) && !last.contains(id));
        listed.chain(unlisted).chain(&last).copied().collect()
    }
}

const ORDER_19: [u8; 42] = [
    1, 10, 3, 5, 6, 2, 26, 33, 48, 34, 47, 37, 38, 39, 7, 27, 18, 19, 16, 17, 13, 12, 14, 20, 21,
    8, 4, 0, 15, 32, 36, 9, 41, 42, 43, 44, 45, 29, 49, 30, 31, 46,
];

const ORDER_20: [u8; 60] = [
    1, 10, 56, 52, 51, 55, 3, 5, 6, 2, 26, 33, 48, 63, 34, 47, 37, 38, 39, 7, 58, 11, 27, 18, 19,
    16, 17, 13, 12, 14, 20, 21, 8, 53, 4, 0, 15, 54, 36, 9, 59, 41, 42, 43, 44, 45, 50, 60, 29, 28,
    30, 31, 46, 22, 23, 24, 25, 49, 61, 62,
];

const ORDER_25: [u8; 55] = [
    59, 6, 2, 43, 44, 10, 17, 1, 18, 19, 14, 5, 20, 21, 4, 0, 29, 26, 3, 12, 13, 7, 58, 33, 48, 63,
    28, 9, 8, 53, 37, 38, 39, 30, 31, 56, 52, 51, 55, 16, 36, 45, 50, 60, 61, 46, 15, 41, 42, 54,
    22, 34, 23, 27, 11,
];
