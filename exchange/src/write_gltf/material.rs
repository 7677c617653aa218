//! What a pass looks like in glTF: materials, textures and samplers, shared by all that is written.
//!
//! Factors are linear in glTF and display-space in a scene, so they are decoded; textures are display-space in
//! both. Own light multiplies the texture, so the texture is the emissive one too. A surface that adds light is seen
//! through by a picture of its own. What changes with time is left out.

use std::collections::HashMap;

use gltf_json::image::{Image, MimeType};
use gltf_json::material::{
    AlphaCutoff, AlphaMode, EmissiveFactor, Material, PbrBaseColorFactor, PbrMetallicRoughness,
    StrengthFactor,
};
use gltf_json::texture::{Info, MagFilter, MinFilter, Sampler, Texture, WrappingMode};
use gltf_json::validation::Checked;
use gltf_json::{Index, Root};
use ironlands_scene::{Addressing, Cull, Pass};

use super::buffer::BinaryChunk;
use crate::error::{ExportError, finite};
use crate::picture::{PictureAlpha, encode_png, opacity};

/// The pictures that are in the file already.
#[derive(Debug, Default)]
pub struct Pictures {
    textures: HashMap<(usize, PictureAlpha), Index<Texture>>,
    samplers: HashMap<Addressing, Index<Sampler>>,
}

impl Pictures {
    /// The texture that a scene has at `index`; written once for each alpha.
    ///
    /// # Errors
    /// Pixels that cannot be encoded.
    pub fn texture(
        &mut self,
        index: usize,
        texture: &ironlands_scene::Texture,
        alpha: PictureAlpha,
        root: &mut Root,
        bin: &mut BinaryChunk,
    ) -> Result<Index<Texture>, ExportError> {
        if let Some(known) = self.textures.get(&(index, alpha)) {
            return Ok(*known);
        }
        let png = encode_png(texture, alpha)?;
        let written = self.picture(&texture.name, png, texture.addressing, root, bin);
        self.textures.insert((index, alpha), written);
        Ok(written)
    }

    /// A picture that is no texture of the scene.
    pub fn picture(
        &mut self,
        name: &str,
        png: Vec<u8>,
        addressing: Addressing,
        root: &mut Root,
        bin: &mut BinaryChunk,
    ) -> Index<Texture> {
        let image = root.push(Image {
            buffer_view: Some(bin.picture(png)),
            mime_type: Some(MimeType("image/png".to_owned())),
            name: Some(name.to_owned()),
            uri: None,
            extensions: None,
            extras: None,
        });
        let sampler = self.samplers.entry(addressing);
        let sampler = *sampler.or_insert_with(|| root.push(sampler_of(addressing)));
        root.push(Texture {
            name: None,
            sampler: Some(sampler),
            source: image,
            extensions: None,
            extras: None,
        })
    }
}

/// A pass as a material of its own.
///
/// # Errors
/// Colors that are not finite.
pub fn material_of(
    name: String,
    pass: &Pass,
    texture: Option<Index<Texture>>,
) -> Result<Material, ExportError> {
    let [r, g, b, _] = finite(pass.diffuse, || format!("the color of {name}"))?;
    let emissive = finite(pass.emissive, || format!("the own light of {name}"))?;
    let emissive = emissive.map(linear);
    let shines = emissive.iter().any(|v| *v > 0.0);
    let (alpha_mode, alpha_cutoff) = alpha_mode(pass);
    Ok(Material {
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
        ..Material::default()
    })
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
