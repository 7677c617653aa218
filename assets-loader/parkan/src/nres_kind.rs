//! What an NRes archive is, by the types of its entries: files of several formats are such archives.

use super::nres::NRes;

/// The faces of terrain, which only terrain has.
const TERRAIN_FACES: u32 = 21;
/// The areals, alone in their file.
const AREALS: u32 = 12;
/// What no model can do without: nodes, slots, positions, indices, batches.
const MODEL_CHUNKS: [u32; 5] = [1, 2, 3, 6, 13];

/// What an NRes archive is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NResKind {
    /// Terrain: `Land.msh`, by whatever name.
    LandMsh,
    /// An areal map: `Land.map`, by whatever name.
    LandMap,
    /// A model: `*.msh` with all chunks that a model must have.
    Msh,
    /// An archive of anything else.
    Other,
}

impl NResKind {
    /// By the types of its entries.
    pub fn from_archive(archive: &NRes) -> Self {
        let has = |type_id: u32| archive.find_type(type_id).is_some();
        if has(TERRAIN_FACES) {
            Self::LandMsh
        } else if has(AREALS) && archive.entries.len() == 1 {
            Self::LandMap
        } else if MODEL_CHUNKS.into_iter().all(has) {
            Self::Msh
        } else {
            Self::Other
        }
    }
}
