//! One glTF material for each WEAR row in use; a glTF material is one pass.
//!
//! Factors are linear in glTF and display-space in a scene, so they are decoded; textures are display-space in
//! both. Own light multiplies the texture, so the texture is the emissive one too. A surface that adds light is seen
//! through by a picture of its own; that it adds stands in the extras. What changes with time, and
//! passes beyond the main one, are left out.

use std::collections::HashMap;

use gltf_json::image::{Image, MimeType};
use gltf_json::material::{
    AlphaCutoff, AlphaMode, EmissiveFactor, Material, PbrBaseColorFactor, PbrMetallicRoughness,
    StrengthFactor,
};
use gltf_json::texture::{Info, MagFilter, MinFilter, Sampler, Texture, WrappingMode};
use gltf_json::validation::Checked;
use gltf_json::{Index, Root};
use ironlands_scene::{Addressing, Blend, Cull, Pass};

use super::buffer::BinaryChunk;
use crate::extras::{MaterialExtras, to_extras};
use crate::source::{
    ExportError, ModelSource, PictureAlpha, encode_png, finite, main_pass, opacity,
};

/// The materials and textures that are in the file already.
pub(super) struct Materials<'a> {
    source: &'a ModelSource<'a>,
    rows: HashMap<usize, Index<Material>>,
    textures: HashMap<(usize, PictureAlpha), Index<Texture>>,
    samplers: HashMap<Addressing, Index<Sampler>>,
}

impl<'a> Materials<'a> {
    pub(super) fn new(source: &'a ModelSource<'a>) -> Self {
        Self {
            source,
            rows: HashMap::new(),
            textures: HashMap::new(),
            samplers: HashMap::new(),
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
                Some(self.texture(index.0 as usize, PictureAlpha::of(pass), root, bin)?)
            }
        };
        let [r, g, b, _] = finite(pass.diffuse, || format!("the colour of {name}"))?;
        let emissive = finite(pass.emissive, || format!("the own light of {name}"))?;
        let emissive = emissive.map(linear);
        let shines = emissive.iter().any(|v| *v > 0.0);
        let (alpha_mode, alpha_cutoff) = alpha_mode(pass);
        let blend = pass.blend.filter(|blend| *blend != Blend::ALPHA);
        let extras = MaterialExtras {
            msh_wear_row: row as u16,
            msh_blend: blend
                .map(|it| [format!("{:?}", it.source), format!("{:?}", it.destination)]),
        };
        let material = root.push(Material {
            alpha_cutoff,
            alpha_mode: Checked::Valid(alpha_mode),
            double_sided: pass.cull == Cull::None,
            name: Some(name),
            pbr_metallic_roughness: PbrMetallicRoughness {
                base_color_factor: PbrBaseColorFactor([
                    linear(r),
                    linear(g),
                    linear(b),
                    opacity(pass).clamp(0.0, 1.0),
                ]),
                base_color_texture: texture.map(info),
                metallic_factor: StrengthFactor(0.0),
                roughness_factor: StrengthFactor(1.0),
                ..PbrMetallicRoughness::default()
            },
            emissive_texture: texture.filter(|_| shines).map(info),
            emissive_factor: EmissiveFactor(emissive),
            extras: to_extras(&extras)?,
            ..Material::default()
        });
        self.rows.insert(row, material);
        Ok(material)
    }

    fn texture(
        &mut self,
        index: usize,
        alpha: PictureAlpha,
        root: &mut Root,
        bin: &mut BinaryChunk,
    ) -> Result<Index<Texture>, ExportError> {
        if let Some(known) = self.textures.get(&(index, alpha)) {
            return Ok(*known);
        }
        let texture = self.source.texture(index)?;
        let image = root.push(Image {
            buffer_view: Some(bin.picture(encode_png(texture, alpha)?)),
            mime_type: Some(MimeType("image/png".to_owned())),
            name: Some(texture.name.clone()),
            uri: None,
            extensions: None,
            extras: None,
        });
        let sampler = self.samplers.entry(texture.addressing);
        let sampler = *sampler.or_insert_with(|| root.push(sampler_of(texture.addressing)));
        let written = root.push(Texture {
            name: None,
            sampler: Some(sampler),
            source: image,
            extensions: None,
            extras: None,
        });
        self.textures.insert((index, alpha), written);
        Ok(written)
    }
}

fn info(index: Index<Texture>) -> Info {
    Info {
        index,
        tex_coord: 0,
        extensions: None,
        extras: None,
    }
}

fn sampler_of(addressing: Addressing) -> Sampler {
    let wrap = match addressing {
        Addressing::Repeat => WrappingMode::Repeat,
        Addressing::Clamp => WrappingMode::ClampToEdge,
    };
    Sampler {
        mag_filter: Some(Checked::Valid(MagFilter::Linear)),
        min_filter: Some(Checked::Valid(MinFilter::LinearMipmapLinear)),
        name: None,
        wrap_s: Checked::Valid(wrap),
        wrap_t: Checked::Valid(wrap),
        extensions: None,
        extras: None,
    }
}

fn alpha_mode(pass: &Pass) -> (AlphaMode, Option<AlphaCutoff>) {
    match (pass.blend, pass.alpha_test) {
        (Some(_), _) => (AlphaMode::Blend, None),
        (None, Some(least)) if least.is_finite() => {
            (AlphaMode::Mask, Some(AlphaCutoff(least.max(0.0))))
        }
        (None, _) => (AlphaMode::Opaque, None),
    }
}

/// Display-space value to linear light, within what glTF allows.
fn linear(value: f32) -> f32 {
    let value = value.clamp(0.0, 1.0);
    if value <= 0.04045 {
        value / 12.92
    } else {
        ((value + 0.055) / 1.055).powf(2.4)
    }
}
