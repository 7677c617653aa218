//! Textures -> the device, with all their levels, and how they are sampled.

use ironlands_scene::{Addressing, Scene, Texture, TextureIdx};

use super::Uploader;
use crate::{RenderError, mips, target::extent};

/// A scene's textures while its passes are bound.
pub(super) struct Textures {
    white: wgpu::TextureView,
    textures: Vec<(wgpu::TextureView, Addressing)>,
    repeat: wgpu::Sampler,
    clamp: wgpu::Sampler,
}

impl Textures {
    /// White without a texture.
    pub fn view_and_sampler(
        &self,
        texture: Option<TextureIdx>,
    ) -> (&wgpu::TextureView, &wgpu::Sampler) {
        let Some(texture) = texture else {
            return (&self.white, &self.repeat);
        };
        let (view, addressing) = &self.textures[texture.0 as usize];
        match addressing {
            Addressing::Repeat => (view, &self.repeat),
            Addressing::Clamp => (view, &self.clamp),
        }
    }
}

impl Uploader<'_> {
    pub(super) fn upload_textures(&self, scene: &Scene) -> Result<Textures, RenderError> {
        let white = Texture {
            name: "white".to_owned(),
            width: 1,
            height: 1,
            mips: vec![vec![255; 4]],
            addressing: Addressing::Repeat,
        };
        Ok(Textures {
            white: self.upload_texture(&white)?,
            textures: scene
                .textures
                .iter()
                .map(|texture| Ok((self.upload_texture(texture)?, texture.addressing)))
                .collect::<Result<_, RenderError>>()?,
            repeat: self.sampler("repeat", wgpu::AddressMode::Repeat),
            clamp: self.sampler("clamp", wgpu::AddressMode::ClampToEdge),
        })
    }

    fn upload_texture(&self, texture: &Texture) -> Result<wgpu::TextureView, RenderError> {
        let side = texture.width.max(texture.height);
        let max_side = self.gpu.caps().max_texture_side;
        if side > max_side {
            return Err(RenderError::TooLarge {
                what: format!("texture {}", texture.name),
                needed: side.into(),
                limit: max_side.into(),
                unit: "pixels a side",
            });
        }
        self.gpu
            .guarded(format_args!("texture {}", texture.name), || {
                self.filled_texture(texture)
            })
    }

    fn filled_texture(&self, texture: &Texture) -> wgpu::TextureView {
        let levels = mips::levels(texture);
        let gpu_texture = self.gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some(&texture.name),
            size: extent([texture.width, texture.height]),
            mip_level_count: levels.len() as u32,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            // Not the `Srgb` kind: filtered and handed to the shader as display-space values.
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        for (level, pixels) in (0..).zip(&levels) {
            let [width, height] = texture.level_size(level);
            self.gpu.queue.write_texture(
                wgpu::TexelCopyTextureInfo {
                    mip_level: level,
                    ..gpu_texture.as_image_copy()
                },
                pixels,
                wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(width * 4),
                    rows_per_image: None,
                },
                extent([width, height]),
            );
        }
        gpu_texture.create_view(&wgpu::TextureViewDescriptor::default())
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
