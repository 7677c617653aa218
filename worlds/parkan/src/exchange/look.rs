//! What the rows of an opened model look like.

use ironlands_assets_parkan::material_scene::{BatchLook, model_material, to_texture};
use ironlands_assets_parkan::model_file::ModelFile;
use ironlands_assets_parkan::texm::PixelOptions;
use ironlands_scene::{Material, MaterialIdx, Texture};

use super::source::ModelSource;

/// Materials and textures of an opened model, one material for each WEAR row.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelAppearance {
    rows: Vec<MaterialIdx>,
    materials: Vec<Material>,
    textures: Vec<Texture>,
}

impl ModelAppearance {
    /// Makes them; `pixels` reads texture formats whose channel order is not certain. Lightmaps are left out: neither
    /// glTF nor OBJ can modulate with a second picture.
    pub fn new(file: &ModelFile, pixels: PixelOptions) -> Self {
        let rows = &file.rows.materials;
        let table = &file.materials;
        let material = |row: &usize| model_material(table, *row, BatchLook::default());
        let texture = |texture| to_texture(texture, pixels);
        Self {
            rows: (0..rows.len() as u32).map(MaterialIdx).collect(),
            materials: rows.iter().map(material).collect(),
            textures: table.textures.iter().map(texture).collect(),
        }
    }

    /// The model with its look, to be exported.
    pub fn source<'a>(&'a self, file: &'a ModelFile) -> ModelSource<'a> {
        ModelSource {
            name: &file.name,
            msh: &file.msh,
            wear: file.wear.as_ref(),
            rows: &self.rows,
            materials: &self.materials,
            textures: &self.textures,
        }
    }
}
