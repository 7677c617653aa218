//! One glTF material for each WEAR row in use; a glTF material is one pass.
//!
//! That a surface adds light stands in the extras. Passes beyond the main one are left out.

use std::collections::HashMap;

use gltf_json::material::Material;
use gltf_json::{Index, Root};
use ironlands_exchange::picture::{PictureAlpha, main_pass, texture_at};
use ironlands_exchange::write_gltf::{BinaryChunk, Pictures, material_of};
use ironlands_exchange::{ExportError, to_extras};
use ironlands_scene::{Blend, Pass};

use super::super::extras::MaterialExtras;
use super::super::source::ModelSource;

/// The materials and textures that are in the file already.
pub(super) struct Materials<'a> {
    source: &'a ModelSource<'a>,
    rows: HashMap<usize, Index<Material>>,
    pictures: Pictures,
}

impl<'a> Materials<'a> {
    pub(super) fn new(source: &'a ModelSource<'a>) -> Self {
        Self {
            source,
            rows: HashMap::new(),
            pictures: Pictures::default(),
        }
    }

    /// The material of a row.
    pub(super) fn of_row(
        &mut self,
        row: usize,
        root: &mut Root,
        bin: &mut BinaryChunk,
    ) -> Result<Index<Material>, ExportError> {
        if let Some(known) = self.rows.get(&row) {
            return Ok(*known);
        }
        let name = self.source.row_name(row)?;
        let default = Pass::default();
        let pass = main_pass(self.source.material(row)?).unwrap_or(&default);
        let texture = match pass.texture {
            None => None,
            Some(index) => {
                let index = index.0 as usize;
                let texture = texture_at(self.source.textures, index)?;
                let alpha = PictureAlpha::from_pass(pass);
                Some(self.pictures.texture(index, texture, alpha, root, bin)?)
            }
        };
        let blend = pass.blend.filter(|blend| *blend != Blend::ALPHA);
        let extras = MaterialExtras {
            msh_wear_row: row as u16,
            msh_blend: blend
                .map(|it| [format!("{:?}", it.source), format!("{:?}", it.destination)]),
        };
        let material = root.push(Material {
            extras: to_extras(&extras)?,
            ..material_of(name, pass, texture)?
        });
        self.rows.insert(row, material);
        Ok(material)
    }
}
