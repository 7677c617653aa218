//! `*.bsp`: a compiled map. Dossier sections 1 to 11.
//!
//! Two views of one file. [`BspFile`] is the container: header, directory, and the bytes of 64 lumps; it alone reads
//! and writes files, byte for byte. [`Map`] is the typed content of the lumps, in the numbers of the file and in file
//! order; it is decoded from a `BspFile` and encoded into one. File axes are the engine's own: right-handed, +Z up.

mod check;
mod displacement;
mod file;
mod flags;
mod format;
pub mod game_lump;
mod geometry;
mod lump_id;
mod lzma;
mod map;
mod map_read;
mod patch_file;
mod phys_collide;
mod records;
#[cfg(any(test, feature = "fixtures"))]
pub mod test_map;
#[cfg(test)]
mod tests;
mod verify;

pub use displacement::DisplacementGrid;
pub(crate) use displacement::layer_ranges;
pub use file::{BspFile, LumpOrder};
pub use flags::{Contents, SurfaceFlags};
pub(crate) use geometry::range_of;
pub use geometry::{MAX_COORDINATE, is_place};
pub use lump_id::{LumpId, N_LUMPS};
pub use map::{
    Area, AreaPortal, Brush, BrushSide, CornerNeighbors, CubemapSample, DispHulls, DispInfo,
    DispMultiBlend, DispVert, Edge, Face, FaceBrushList, FaceBrushes, FaceSet, Leaf,
    LeafAmbientIndex, LeafAmbientSample, LeafWater, Map, Model, Node, Occluder, OccluderPoly,
    Occlusion, Overlay, OverlayLevels, Plane, Primitive, PropCollision, PropHull, PropHulls,
    PropTriangles, ReusedLumps, Rgbe, SubNeighbor, Texdata, Texinfo, Uncertain, VisCluster,
    VisPortal, VisPortals, Visibility, WorldLight,
};
pub use patch_file::PatchFile;
pub use phys_collide::PhysModel;
