//! From a terrain file to the index of its finest faces.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

use ironlands_assets_parkan::face_mask::FaceFlags;
use ironlands_assets_parkan::land_msh::{Face as FileFace, LandMsh, NONE};
use ironlands_sim_core::MaskFilter;
use ironlands_sim_core::triangles::{Face, TriangleError, TriangleIndex};

/// Sees all faces but water: what walkers stand on, who go on its bed, and what hides things.
pub const GROUND: MaskFilter = MaskFilter {
    required: 0,
    forbidden: FaceFlags::WATER.bits(),
};

/// Why a terrain file cannot become an index: one table names what another does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TerrainError {
    /// A tile names a slot that is not there.
    #[error("tile {tile} names slot {slot} of {n_slots}")]
    SlotOutOfRange {
        /// Index of the tile.
        tile: usize,
        /// The slot that it names.
        slot: u16,
        /// Slots that there are.
        n_slots: usize,
    },
    /// A slot's faces end behind the last face.
    #[error("slot {slot} ends at face {end} of {n_faces}")]
    FacesOutOfRange {
        /// Index of the slot.
        slot: u16,
        /// One past its last face.
        end: usize,
        /// Faces that there are.
        n_faces: usize,
    },
    /// A face names what is not there.
    #[error(transparent)]
    Triangles(#[from] TriangleError),
}

/// The two rows of `Land1.wea` that a face of a terrain names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FaceMaterials {
    /// Row of the first material.
    pub first: u8,
    /// Row of the second, which is drawn over it, `NO_MATERIAL` for none.
    pub second: u8,
}

impl FaceMaterials {
    /// From the material word of a hit on a terrain.
    pub fn from_word(word: u16) -> Self {
        let [first, second] = word.to_le_bytes();
        Self { first, second }
    }

    /// The word that stands for both.
    pub fn to_word(self) -> u16 {
        u16::from_le_bytes([self.first, self.second])
    }
}

/// Indexes the finest faces of a terrain: those of the first slot of each tile (dossier section 4.9). Faces are
/// named by their index in the file, masks are the full ones, the material word is that of [`FaceMaterials`].
///
/// # Errors
/// If a tile, slot or face names what is not there.
pub fn index(land: &LandMsh) -> Result<TriangleIndex, TerrainError> {
    let mut faces = vec![None; land.faces.len()];
    for (tile, node) in land.nodes.iter().enumerate() {
        let slot_idx = node.slots[0];
        if slot_idx == NONE {
            continue;
        }
        let n_slots = land.slots.len();
        let slot = land.slots.get(usize::from(slot_idx));
        let slot = slot.ok_or(TerrainError::SlotOutOfRange {
            tile,
            slot: slot_idx,
            n_slots,
        })?;
        let begin = usize::from(slot.tri_start);
        let end = begin.saturating_add(slot.tri_count.into());
        let n_faces = land.faces.len();
        let of_file = land.faces.get(begin..end);
        let (held, of_file) =
            (faces.get_mut(begin..end).zip(of_file)).ok_or(TerrainError::FacesOutOfRange {
                slot: slot_idx,
                end,
                n_faces,
            })?;
        for (held, face) in held.iter_mut().zip(of_file) {
            *held = Some(face_of(face));
        }
    }
    Ok(TriangleIndex::new(&land.positions, &faces)?)
}

fn face_of(face: &FileFace) -> Face {
    Face {
        corners: face.vertices.map(u32::from),
        mask: face.flags.bits(),
        material: FaceMaterials {
            first: face.first_material,
            second: face.second_material,
        }
        .to_word(),
    }
}
