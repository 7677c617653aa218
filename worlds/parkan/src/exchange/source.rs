//! What is exported, and why it could not be.

use ironlands_assets_core::text::decode_cp1251;
use ironlands_assets_parkan::msh::{Batch, MaterialReading, Msh};
use ironlands_assets_parkan::wear::{Wear, WearRow};
use ironlands_exchange::ExportError;
use ironlands_scene::{Material, MaterialIdx, Texture};
use thiserror::Error;

use crate::skeleton::MshSkeletonError;

/// A model with everything that its look is made of.
#[derive(Debug, Clone, Copy)]
pub struct ModelSource<'a> {
    /// What the model is called.
    pub name: &'a str,
    /// The model.
    pub msh: &'a Msh,
    /// Names of the material rows and of the lightmaps, if known; they stand in the file that is written.
    pub wear: Option<&'a Wear>,
    /// Material of each WEAR row, as an index into `materials`. Without rows the model is plain white.
    pub rows: &'a [MaterialIdx],
    /// What `rows` name.
    pub materials: &'a [Material],
    /// What the passes of `materials` name.
    pub textures: &'a [Texture],
}

/// Why a model could not be written.
#[derive(Debug, Error)]
pub enum ModelExportError {
    /// Nodes that cannot be posed.
    #[error(transparent)]
    Skeleton(#[from] MshSkeletonError),
    /// A batch names a vertex that is not there, which no model that was read does.
    #[error("batch {batch} names vertex {vertex}, there are {n_vertices}")]
    NoVertex {
        /// Index of the batch.
        batch: usize,
        /// The vertex.
        vertex: usize,
        /// Number of vertices.
        n_vertices: usize,
    },
    /// An OBJ of it would show nothing.
    #[error("it shows no face in state {state} at level of detail {lod}")]
    NoFace {
        /// State.
        state: u8,
        /// Level of detail.
        lod: u8,
    },
    /// Something that the format of the file does not allow.
    #[error(transparent)]
    Format(#[from] ExportError),
}

impl ModelSource<'_> {
    /// The WEAR row of a batch; `None` for a model without rows.
    pub(super) fn row(&self, batch: &Batch) -> Option<usize> {
        let row = batch.material_row(MaterialReading::ByteAt4, self.rows.len())?;
        Some(row.row)
    }

    /// What a row looks like.
    pub(super) fn material(&self, row: usize) -> Result<&Material, ExportError> {
        let missing = |what, index, len| ExportError::Missing { what, index, len };
        let index = self.rows.get(row);
        let index = index.ok_or_else(|| missing("material row", row, self.rows.len()))?;
        let index = index.0 as usize;
        let material = self.materials.get(index);
        material.ok_or_else(|| missing("material", index, self.materials.len()))
    }

    /// The name of a row: that of the WEAR table, else that of the material.
    pub(super) fn row_name(&self, row: usize) -> Result<String, ExportError> {
        let from_wear = self.wear.and_then(|wear| wear.materials.get(row));
        Ok(match from_wear {
            Some(row) => decode_cp1251(&row.name).into_owned(),
            None => self.material(row)?.name.clone(),
        })
    }

    /// Names of the rows of the WEAR table, materials and lightmaps.
    pub(super) fn wear_names(&self) -> (Vec<String>, Vec<String>) {
        let name = |row: &WearRow| decode_cp1251(&row.name).into_owned();
        let names = |rows: &[WearRow]| rows.iter().map(name).collect();
        self.wear.map_or_else(Default::default, |wear| {
            let lightmaps = wear.lightmaps.as_deref().unwrap_or_default();
            (names(&wear.materials), names(lightmaps))
        })
    }
}
