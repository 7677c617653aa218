//! Emitters -> what a frame needs of them: the textures of all their frames as the layers of one.
//!
//! One texture, so that one call draws all particles in their order. Each layer is a whole texture of the scene, stretched
//! to the size of the largest: filtered as it is drawn anyway, the difference is not seen.

use std::collections::HashMap;

use image::{RgbaImage, imageops};
use ironlands_scene::{
    Addressing, Affine, Emitter, EmitterAt, EmitterState, PixelFormat, Scene, SpriteFrame, Texture,
    TextureIdx,
};

use super::{
    Uploader,
    materials::{sampler_entry, view_entry},
    textures::Textures,
};
use crate::{FrameState, RenderError};

/// Longest side of a layer: a sprite is rarely larger on the screen.
const MAX_SIDE: u32 = 512;

/// All emitters of a scene.
#[derive(Debug)]
pub(crate) struct GpuEmitters {
    pub emitters: Vec<GpuEmitter>,
    /// Group 2 of particles.
    pub bind_group: wgpu::BindGroup,
}

/// An emitter, and the layer of each of its frames.
#[derive(Debug)]
pub(crate) struct GpuEmitter {
    pub emitter: Emitter,
    pub layers: Vec<u32>,
}

impl GpuEmitters {
    /// Hands out each emitter that is on at a moment, and where it is then. `poses` are those of all nodes.
    ///
    /// # Errors
    /// [`RenderError::Emitters`] if the frame has moments, but not one for each emitter.
    pub fn for_each_on(
        &self,
        state: &FrameState,
        world_from_node: impl Fn(u32, u32) -> Affine,
        mut take: impl FnMut(&GpuEmitter, &EmitterAt),
    ) -> Result<(), RenderError> {
        let moments = &state.emitters;
        if !moments.is_empty() && moments.len() != self.emitters.len() {
            return Err(RenderError::Emitters {
                given: moments.len(),
                needed: self.emitters.len(),
            });
        }
        let of_scene = EmitterState {
            clock_secs: state.time_secs,
            ..EmitterState::default()
        };
        let eye = state.camera.position.to_array();
        for (index, emitter) in self.emitters.iter().enumerate() {
            let moment = moments.get(index).unwrap_or(&of_scene);
            if let Some(at) = emitter.emitter.at(moment, &world_from_node, eye) {
                take(emitter, &at);
            }
        }
        Ok(())
    }
}

impl Uploader<'_> {
    /// None for a scene without emitters.
    pub(super) fn upload_emitters(
        &self,
        scene: &Scene,
        textures: &Textures,
    ) -> Result<Option<GpuEmitters>, RenderError> {
        if scene.emitters.is_empty() {
            return Ok(None);
        }
        let mut pictures = Pictures::default();
        let emitters = scene.emitters.iter().map(|emitter| GpuEmitter {
            emitter: emitter.clone(),
            layers: emitter.frames.iter().map(|it| pictures.layer(it)).collect(),
        });
        let emitters = emitters.collect();
        let texture = self.upload_texture(&pictures.joined("particles", scene), None)?;
        Ok(Some(GpuEmitters {
            emitters,
            bind_group: self
                .gpu
                .device
                .create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("particles"),
                    layout: &self.layouts.particles,
                    entries: &[
                        view_entry((0, &texture.layers)),
                        sampler_entry(1, textures.clamped()),
                    ],
                }),
        }))
    }
}

/// The distinct pictures of all frames.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    shown: Vec<(Option<TextureIdx>, u32)>,
    layers: HashMap<(Option<TextureIdx>, u32), u32>,
}

impl Pictures {
    pub(super) fn layer(&mut self, frame: &SpriteFrame) -> u32 {
        let picture = (frame.texture, frame.layer);
        *self.layers.entry(picture).or_insert_with(|| {
            self.shown.push(picture);
            self.shown.len() as u32 - 1
        })
    }

    /// All of them as layers, colors multiplied by alpha: so that the color of what is clear does not shine through
    /// where pixels are blended.
    pub(super) fn joined(&self, name: &str, scene: &Scene) -> Texture {
        let size_of = |texture: Option<TextureIdx>| {
            let texture = texture.map(|it| &scene.textures[it.0 as usize]);
            texture.map_or([1, 1], |it| [it.width, it.height])
        };
        let sizes = self.shown.iter().map(|(texture, _)| size_of(*texture));
        let largest = sizes.fold([1, 1], |[a, b]: [u32; 2], [c, d]| [a.max(c), b.max(d)]);
        let [width, height] = largest.map(|side| side.min(MAX_SIDE));
        let mut pixels = Vec::new();
        for (texture, layer) in &self.shown {
            let mut picture = picture_of(scene, *texture, *layer);
            for pixel in picture.pixels_mut() {
                let [r, g, b, a] = pixel.0;
                let times_alpha = |c: u8| ((u32::from(c) * u32::from(a) + 127) / 255) as u8;
                pixel.0 = [times_alpha(r), times_alpha(g), times_alpha(b), a];
            }
            let filter = imageops::FilterType::Triangle;
            pixels.extend(imageops::resize(&picture, width, height, filter).into_raw());
        }
        Texture {
            name: name.to_owned(),
            width,
            height,
            format: PixelFormat::Rgba8,
            n_layers: self.shown.len() as u32,
            mips: vec![pixels],
            // Smaller levels are made of pictures that repeat; they are sampled as if they did not.
            addressing: Addressing::Repeat,
        }
    }
}

/// The largest level of a layer; white without a texture.
fn picture_of(scene: &Scene, texture: Option<TextureIdx>, layer: u32) -> RgbaImage {
    let texture = texture.map(|it| &scene.textures[it.0 as usize]);
    let picture = texture.and_then(|texture| {
        let pixels = texture.rgba8(0, layer)?.into_owned();
        RgbaImage::from_raw(texture.width, texture.height, pixels)
    });
    picture.unwrap_or_else(|| RgbaImage::from_pixel(1, 1, image::Rgba([255; 4])))
}
