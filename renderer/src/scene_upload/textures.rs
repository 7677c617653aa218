//! Textures -> the device, with all their levels and layers, and how they are sampled.

use ironlands_scene::{Addressing, PixelFormat, Scene, Texture, TextureIdx};

use super::Uploader;
use crate::{RenderError, mips, target::extent};

/// Sides of a cube.
const N_CUBE_SIDES: u32 = 6;

/// A scene's textures while its passes are bound.
pub(super) struct Textures {
    white: GpuTexture,
    /// In place of surroundings that are not there.
    white_cube: GpuTexture,
    textures: Vec<GpuTexture>,
    repeat: wgpu::Sampler,
    clamp: wgpu::Sampler,
}

/// A texture on the device.
pub(super) struct GpuTexture {
    /// The first layer.
    pub view: wgpu::TextureView,
    /// All of them.
    pub layers: wgpu::TextureView,
    /// All of them as a cube, if they are the sides of one.
    cube: Option<wgpu::TextureView>,
    addressing: Addressing,
    /// Whether pixels are linear light, and not display-space values.
    pub is_linear: bool,
}

impl Textures {
    /// White without a texture.
    pub fn get(&self, texture: Option<TextureIdx>) -> &GpuTexture {
        texture.map_or(&self.white, |texture| &self.textures[texture.0 as usize])
    }

    /// A texture as a cube; white if it is none.
    pub fn cube(&self, texture: Option<TextureIdx>) -> &wgpu::TextureView {
        let white = &self.white_cube;
        let cube = self.get(texture).cube.as_ref().or(white.cube.as_ref());
        cube.unwrap_or(&white.layers)
    }

    /// The sampler that shows a texture again beyond its edge.
    pub fn repeating(&self) -> &wgpu::Sampler {
        &self.repeat
    }

    /// The sampler that shows a texture's edge beyond it.
    pub fn clamped(&self) -> &wgpu::Sampler {
        &self.clamp
    }

    /// How a texture is sampled.
    pub fn sampler(&self, texture: Option<TextureIdx>) -> &wgpu::Sampler {
        match self.get(texture).addressing {
            Addressing::Repeat => &self.repeat,
            Addressing::Clamp => &self.clamp,
        }
    }
}

impl Uploader<'_> {
    pub(super) fn upload_textures(&self, scene: &Scene) -> Result<Textures, RenderError> {
        let white = Texture {
            name: "white".to_owned(),
            width: 1,
            height: 1,
            format: PixelFormat::Rgba8,
            n_layers: 1,
            mips: vec![vec![255; 4]],
            addressing: Addressing::Repeat,
        };
        let white_cube = Texture {
            n_layers: N_CUBE_SIDES,
            mips: vec![vec![255; 4 * N_CUBE_SIDES as usize]],
            ..white.clone()
        };
        Ok(Textures {
            white: self.upload_texture(&white, None)?,
            white_cube: self.upload_texture(&white_cube, None)?,
            textures: scene
                .textures
                .iter()
                .zip(hole_alphas(scene))
                .map(|(texture, hole_alpha)| self.upload_texture(texture, hole_alpha))
                .collect::<Result<_, _>>()?,
            repeat: self.sampler("repeat", wgpu::AddressMode::Repeat),
            clamp: self.sampler("clamp", wgpu::AddressMode::ClampToEdge),
        })
    }

    /// `hole_alpha`: pixels with less alpha are left out, if that is so wherever the texture is shown.
    pub(super) fn upload_texture(
        &self,
        texture: &Texture,
        hole_alpha: Option<f32>,
    ) -> Result<GpuTexture, RenderError> {
        let caps = self.gpu.caps();
        let side = texture.width.max(texture.height);
        for (needed, limit, unit) in [
            (side, caps.max_texture_side, "pixels a side"),
            (texture.n_layers, caps.max_texture_layers, "layers"),
        ] {
            if needed > limit {
                return Err(RenderError::TooLarge {
                    what: format!("texture {}", texture.name),
                    needed: needed.into(),
                    limit: limit.into(),
                    unit,
                });
            }
        }
        self.gpu
            .guarded(format_args!("texture {}", texture.name), || {
                self.filled_texture(texture, hole_alpha)
            })
    }

    fn filled_texture(&self, texture: &Texture, hole_alpha: Option<f32>) -> GpuTexture {
        let mips::Levels { format, levels } =
            mips::levels(texture, self.gpu.caps().has_block_textures, hole_alpha);
        let gpu_format = texture_format(format);
        let block_side = gpu_format.block_dimensions().0;
        let gpu_texture = self.gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some(&texture.name),
            size: layers_of(texture, [texture.width, texture.height]),
            mip_level_count: levels.len() as u32,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: gpu_format,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        for (level, pixels) in (0..).zip(&levels) {
            // Blocks are copied whole, also where the level is smaller than one.
            let size = texture.level_size(level);
            let [width, height] = size.map(|side| side.next_multiple_of(block_side));
            let n_rows = height / block_side;
            self.gpu.queue.write_texture(
                wgpu::TexelCopyTextureInfo {
                    mip_level: level,
                    ..gpu_texture.as_image_copy()
                },
                pixels,
                wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(format.n_bytes([width, block_side]) as u32),
                    rows_per_image: Some(n_rows),
                },
                layers_of(texture, [width, height]),
            );
        }
        let is_cube = texture.n_layers == N_CUBE_SIDES && texture.width == texture.height;
        let view = |dimension, n_layers| {
            gpu_texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(dimension),
                array_layer_count: Some(n_layers),
                ..Default::default()
            })
        };
        GpuTexture {
            view: view(wgpu::TextureViewDimension::D2, 1),
            layers: view(wgpu::TextureViewDimension::D2Array, texture.n_layers),
            cube: is_cube.then(|| view(wgpu::TextureViewDimension::Cube, N_CUBE_SIDES)),
            addressing: texture.addressing,
            is_linear: format == PixelFormat::Rgba16Float,
        }
    }

    fn sampler(&self, label: &str, address_mode: wgpu::AddressMode) -> wgpu::Sampler {
        self.gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some(label),
            address_mode_u: address_mode,
            address_mode_v: address_mode,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            anisotropy_clamp: self
                .settings
                .anisotropy()
                .min(self.gpu.caps().max_anisotropy),
            ..Default::default()
        })
    }
}

/// For each texture the alpha below which nothing of it is drawn; none if a pass shows it without such a test.
fn hole_alphas(scene: &Scene) -> Vec<Option<f32>> {
    let mut alphas = vec![Some(0.0f32); scene.textures.len()];
    for pass in scene.materials.iter().flat_map(|it| &it.passes) {
        let of_texture = pass.alpha_test.map(|reference| reference / pass.diffuse[3]);
        let phases = pass.animation.iter().flat_map(|it| &it.phases);
        let shown = phases.map(|phase| phase.texture).chain([pass.texture]);
        for texture in shown.flatten() {
            let known = &mut alphas[texture.0 as usize];
            *known = known.zip(of_texture).map(|(a, b)| a.max(b));
        }
    }
    let is_hole = |alpha: &f32| (f32::MIN_POSITIVE..=1.0).contains(alpha);
    alphas.into_iter().map(|it| it.filter(is_hole)).collect()
}

fn layers_of(texture: &Texture, size: [u32; 2]) -> wgpu::Extent3d {
    wgpu::Extent3d {
        depth_or_array_layers: texture.n_layers,
        ..extent(size)
    }
}

/// Not the `Srgb` kinds: filtered and handed to the shader as display-space values.
fn texture_format(format: PixelFormat) -> wgpu::TextureFormat {
    match format {
        PixelFormat::Rgba8 => wgpu::TextureFormat::Rgba8Unorm,
        PixelFormat::Rgba16Float => wgpu::TextureFormat::Rgba16Float,
        PixelFormat::Bc1 => wgpu::TextureFormat::Bc1RgbaUnorm,
        PixelFormat::Bc2 => wgpu::TextureFormat::Bc2RgbaUnorm,
        PixelFormat::Bc3 => wgpu::TextureFormat::Bc3RgbaUnorm,
    }
}
