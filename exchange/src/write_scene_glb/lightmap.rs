//! A lightmap as a picture.

use half::f16;
use image::ExtendedColorType;
use ironlands_scene::{LightStyle, Lightmap, Texture};

use crate::error::ExportError;
use crate::picture::write_png;

/// A lightmap as a PNG file, and its scale.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LightmapPicture {
    /// 16 bits a channel, linear; 1 = `intensity`.
    pub(super) png: Vec<u8>,
    /// The brightest value; 1 where all is dark.
    pub(super) intensity: f32,
}

/// The light that falls on flat surfaces at time 0, all styles added up.
pub(super) fn lightmap_picture(
    texture: &Texture,
    lightmap: &Lightmap,
    styles: &[LightStyle],
) -> Result<LightmapPicture, ExportError> {
    let n_pixels = texture.width as usize * texture.height as usize;
    let mut sum = vec![[0.0; 3]; n_pixels];
    for (at, style) in (0u32..).zip(&lightmap.styles) {
        let factor = styles
            .get(usize::from(*style))
            .map_or(1.0, |style| style.at(0.0));
        let layer = texture
            .layer(0, at * lightmap.layers_per_style())
            .unwrap_or_default();
        for (sum, pixel) in sum.iter_mut().zip(layer.as_chunks::<8>().0) {
            for channel in 0..3 {
                let half = f16::from_le_bytes([pixel[2 * channel], pixel[2 * channel + 1]]);
                sum[channel] += factor * half.to_f32();
            }
        }
    }
    let brightest = sum.as_flattened().iter().copied().fold(0.0, f32::max);
    if !brightest.is_finite() {
        return Err(ExportError::NotFinite {
            what: format!("light in {}", texture.name),
        });
    }
    let intensity = if brightest > 0.0 { brightest } else { 1.0 };
    let encode = |value: &f32| (value / intensity * f32::from(u16::MAX)).round() as u16;
    let pixels: Vec<u8> = (sum.as_flattened().iter())
        .flat_map(|value| encode(value).to_ne_bytes())
        .collect();
    let size = [texture.width, texture.height];
    let png = write_png(&texture.name, &pixels, size, ExtendedColorType::Rgb16)?;
    Ok(LightmapPicture { png, intensity })
}
