//! Emitters and foliage -> what a frame needs of them: the textures of all their frames as the layers of one.
//!
//! One texture, so that one call draws all particles in their order. Each layer is a whole texture of the scene, or what
//! foliage shows of one, stretched to the size of the largest: filtered as it is drawn anyway, the difference is not seen.

use std::collections::HashMap;

use image::{RgbaImage, imageops};
use ironlands_scene::{
    Addressing, Affine, Emitter, EmitterAt, EmitterState, Foliage, PixelFormat, Scene, SpriteFrame,
    Texture, TextureIdx,
};

use super::{
    Uploader,
    materials::{sampler_entry, view_entry},
    textures::Textures,
};
use crate::{FrameState, RenderError};

/// Longest side of a layer: a sprite is rarely larger on the screen.
const MAX_SIDE: u32 = 512;
/// Most frames of foliage that get a layer each, so that distant sprites do not show their neighbors in the texture.
const MAX_CUT_FRAMES: usize = 128;

/// All emitters of a scene, and what is drawn with them.
#[derive(Debug)]
pub(crate) struct GpuEmitters {
    pub emitters: Vec<GpuEmitter>,
    pub foliage: Option<GpuFoliage>,
    /// Group 2 of particles.
    pub bind_group: wgpu::BindGroup,
}

/// An emitter, and the layer of each of its frames.
#[derive(Debug)]
pub(crate) struct GpuEmitter {
    pub emitter: Emitter,
    pub layers: Vec<u32>,
}

/// Foliage, and the layer of each of its frames.
#[derive(Debug)]
pub(crate) struct GpuFoliage {
    /// Its frames are what layers show.
    pub foliage: Foliage,
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
            let of_scene = EmitterState {
                is_on: emitter.emitter.starts_on,
                ..of_scene
            };
            let moment = moments.get(index).unwrap_or(&of_scene);
            if let Some(at) = emitter.emitter.at(moment, &world_from_node, eye) {
                take(emitter, &at);
            }
        }
        Ok(())
    }
}

impl Uploader<'_> {
    /// None for a scene without emitters and foliage.
    pub(super) fn upload_emitters(
        &self,
        scene: &Scene,
        textures: &Textures,
    ) -> Result<Option<GpuEmitters>, RenderError> {
        if scene.emitters.is_empty() && scene.foliage.is_none() {
            return Ok(None);
        }
        let mut pictures = Pictures::default();
        let emitters = scene.emitters.iter().map(|emitter| GpuEmitter {
            emitter: emitter.clone(),
            layers: emitter.frames.iter().map(|it| pictures.layer(it)).collect(),
        });
        let emitters = emitters.collect();
        let foliage = scene.foliage.as_ref().map(|it| pictures.foliage(it));
        let texture = self.upload_texture(&pictures.joined("particles", scene), None)?;
        Ok(Some(GpuEmitters {
            emitters,
            foliage,
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

/// A layer of a texture, or a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct ShownPicture {
    /// Plain white without one.
    texture: Option<TextureIdx>,
    layer: u32,
    /// Bits of the corners of the part: smallest u and v, largest u and v.
    part: Option<[u32; 4]>,
}

/// The distinct pictures of all frames.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    shown: Vec<ShownPicture>,
    layers: HashMap<ShownPicture, u32>,
}

impl Pictures {
    pub(super) fn layer(&mut self, frame: &SpriteFrame) -> u32 {
        self.layer_of(ShownPicture {
            texture: frame.texture,
            layer: frame.layer,
            part: None,
        })
    }

    fn layer_of(&mut self, picture: ShownPicture) -> u32 {
        *self.layers.entry(picture).or_insert_with(|| {
            self.shown.push(picture);
            self.shown.len() as u32 - 1
        })
    }

    /// With a layer for each frame, unless they are too many.
    fn foliage(&mut self, foliage: &Foliage) -> GpuFoliage {
        let mut foliage = foliage.clone();
        let is_cut = foliage.frames.len() <= MAX_CUT_FRAMES;
        let mut layers = Vec::new();
        for frame in &mut foliage.frames {
            let [[u0, v0], [u1, v1]] = [frame.min, frame.max];
            let corners = [u0.min(u1), v0.min(v1), u0.max(u1), v0.max(v1)];
            let part = is_cut.then_some(corners.map(f32::to_bits));
            layers.push(self.layer_of(ShownPicture {
                texture: frame.texture,
                layer: frame.layer,
                part,
            }));
            if is_cut {
                // What is mirrored stays so.
                let whole = |from: f32, to: f32| if from <= to { [0.0, 1.0] } else { [1.0, 0.0] };
                let [[u0, u1], [v0, v1]] = [whole(u0, u1), whole(v0, v1)];
                [frame.min, frame.max] = [[u0, v0], [u1, v1]];
            }
        }
        GpuFoliage { foliage, layers }
    }

    /// All of them as layers, colors multiplied by alpha: so that the color of what is clear does not shine through
    /// where pixels are blended.
    pub(super) fn joined(&self, name: &str, scene: &Scene) -> Texture {
        let sizes = self.shown.iter().map(|it| {
            let [_, _, width, height] = it.pixels(scene);
            [width, height]
        });
        let largest = sizes.fold([1, 1], |[a, b]: [u32; 2], [c, d]| [a.max(c), b.max(d)]);
        let [width, height] = largest.map(|side| side.min(MAX_SIDE));
        let mut pixels = Vec::new();
        for shown in &self.shown {
            let mut picture = picture_of(scene, shown.texture, shown.layer);
            if shown.part.is_some() {
                let [left, top, width, height] = shown.pixels(scene);
                picture = imageops::crop_imm(&picture, left, top, width, height).to_image();
            }
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

impl ShownPicture {
    /// Left and upper edge, width and height of what is shown of the texture; at least a pixel.
    fn pixels(&self, scene: &Scene) -> [u32; 4] {
        let texture = self.texture.map(|it| &scene.textures[it.0 as usize]);
        let [width, height] = texture.map_or([1, 1], |it| [it.width, it.height]);
        let Some(part) = self.part else {
            return [0, 0, width, height];
        };
        let [u0, v0, u1, v1] = part.map(f32::from_bits);
        let span = |from: f32, to: f32, side: u32| {
            let first = ((from * side as f32).round() as u32).min(side - 1);
            let end = ((to * side as f32).round() as u32).clamp(first + 1, side);
            [first, end - first]
        };
        let [[left, width], [top, height]] = [span(u0, u1, width), span(v0, v1, height)];
        [left, top, width, height]
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
