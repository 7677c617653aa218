//! Materials of a scene: the main pass of each, with its lightmap.

use std::collections::{BTreeSet, HashMap};

use gltf_json::Index;
use gltf_json::extensions::material::{Material as MaterialExtensions, Unlit};
use gltf_json::material::Material;
use ironlands_scene::{Lighting, Lightmap, MaterialIdx, Pass};
use serde_json::json;

use super::SceneWriter;
use super::lightmap::{LightmapPicture, lightmap_picture};
use crate::error::ExportError;
use crate::picture::{PictureAlpha, main_pass};
use crate::write_gltf::{Pictures, material_of};

/// Names the lightmap of a material, with a factor.
const LIGHTMAP_EXTENSION: &str = "MOZ_lightmap";
const UNLIT_EXTENSION: &str = "KHR_materials_unlit";

/// The materials and pictures that are in the file already.
#[derive(Debug, Default)]
pub(super) struct Materials {
    written: HashMap<MaterialIdx, Index<Material>>,
    pictures: Pictures,
    /// By the texture and the styles that shine at the beginning.
    lightmaps: HashMap<(u32, Vec<u16>), WrittenLightmap>,
    extensions: BTreeSet<&'static str>,
}

/// A lightmap in the file.
#[derive(Debug, Clone, Copy)]
struct WrittenLightmap {
    texture: Index<gltf_json::Texture>,
    intensity: f32,
}

impl Materials {
    /// Names of the extensions that materials use.
    pub(super) fn extensions_used(&self) -> impl Iterator<Item = String> + '_ {
        self.extensions.iter().map(|name| (*name).to_owned())
    }
}

impl SceneWriter<'_> {
    /// The material at an index of the scene; `None` for one that draws nothing.
    pub(super) fn add_material(
        &mut self,
        material: MaterialIdx,
    ) -> Result<Option<Index<Material>>, ExportError> {
        if let Some(known) = self.materials.written.get(&material) {
            return Ok(Some(*known));
        }
        let of_scene = &self.scene.materials[material.0 as usize];
        let Some(pass) = main_pass(of_scene) else {
            return Ok(None);
        };
        self.report_left_out_of(&of_scene.name, of_scene.passes.len(), pass);
        let texture = match pass.texture {
            None => None,
            Some(index) => {
                let index = index.0 as usize;
                let texture = &self.scene.textures[index];
                let (root, bin) = (&mut self.root, &mut self.bin);
                let alpha = PictureAlpha::from_pass(pass);
                let pictures = &mut self.materials.pictures;
                Some(pictures.texture(index, texture, alpha, root, bin)?)
            }
        };
        let extensions = self.extensions_of(pass)?;
        let written = self.root.push(Material {
            extensions,
            ..material_of(of_scene.name.clone(), pass, texture)?
        });
        self.materials.written.insert(material, written);
        Ok(Some(written))
    }

    fn extensions_of(&mut self, pass: &Pass) -> Result<Option<MaterialExtensions>, ExportError> {
        if let Some(light) = &pass.lightmap {
            let WrittenLightmap { texture, intensity } = self.add_lightmap(light)?;
            let lightmap = json!({
                "index": texture.value(),
                "texCoord": 1,
                "intensity": intensity,
            });
            self.materials.extensions.insert(LIGHTMAP_EXTENSION);
            let others = [(LIGHTMAP_EXTENSION.to_owned(), lightmap)];
            return Ok(Some(MaterialExtensions {
                others: others.into_iter().collect(),
                ..MaterialExtensions::default()
            }));
        }
        if pass.lighting == Lighting::Unlit {
            self.materials.extensions.insert(UNLIT_EXTENSION);
            return Ok(Some(MaterialExtensions {
                unlit: Some(Unlit {}),
                ..MaterialExtensions::default()
            }));
        }
        Ok(None)
    }

    fn add_lightmap(&mut self, light: &Lightmap) -> Result<WrittenLightmap, ExportError> {
        let key = (light.texture.0, light.styles.clone());
        if let Some(known) = self.materials.lightmaps.get(&key) {
            return Ok(*known);
        }
        let texture = &self.scene.textures[light.texture.0 as usize];
        let LightmapPicture { png, intensity } =
            lightmap_picture(texture, light, &self.scene.light_styles)?;
        let (root, bin) = (&mut self.root, &mut self.bin);
        let pictures = &mut self.materials.pictures;
        let texture = pictures.picture(&texture.name, png, texture.addressing, root, bin);
        let written = WrittenLightmap { texture, intensity };
        self.materials.lightmaps.insert(key, written);
        Ok(written)
    }

    fn report_left_out_of(&mut self, name: &str, n_passes: usize, pass: &Pass) {
        let changes = pass.animation.is_some() || pass.uv_scroll_per_sec != [0.0; 2];
        let light = pass.lightmap.as_ref();
        for (is_there, what) in [
            (n_passes > 1, "passes beyond the main one are left out"),
            (changes, "it changes with time and is written as it begins"),
            (
                pass.blend_texture.is_some(),
                "the blend texture that the first one fades to is left out",
            ),
            (
                light.is_some_and(|light| light.normal_map.is_some()),
                "light from three directions is written as it falls on the flat surface",
            ),
        ] {
            if is_there {
                self.findings.add(format!("material {name}"), what);
            }
        }
    }
}
