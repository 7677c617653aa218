//! One file per pass. A pass lives as long as the device; what it draws lives as long as the scene.

pub(crate) mod hud;
pub(crate) mod overlay;
pub(crate) mod particles;
pub(crate) mod sky;
pub(crate) mod sky_box;
pub(crate) mod surface;
pub(crate) mod tile;
pub(crate) mod water;

use std::num::NonZeroU64;

use crate::uniforms::{
    ActiveMorph, BakedUniform, CubeOfNode, EnvironmentUniform, FrameUniform, GpuSkinVertex,
    MaterialUniform, MorphedNode, NodeMatrix, SkyFaceUniform, StylesUniform,
};

/// Reversed: 1 at the near plane, cleared to 0 = infinity, nearer or equal wins.
pub(crate) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// What pipelines must know of what they draw on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TargetFormats {
    pub color: wgpu::TextureFormat,
    pub samples: u32,
}

impl TargetFormats {
    /// Blended color; alpha stays as it was cleared, so that a picture is opaque whatever was blended.
    pub fn color_target(&self, blend: Option<wgpu::BlendState>) -> Option<wgpu::ColorTargetState> {
        Some(wgpu::ColorTargetState {
            format: self.color,
            blend,
            write_mask: wgpu::ColorWrites::COLOR,
        })
    }

    pub fn multisample(&self) -> wgpu::MultisampleState {
        wgpu::MultisampleState {
            count: self.samples,
            ..Default::default()
        }
    }
}

pub(crate) fn depth_state(
    compare: wgpu::CompareFunction,
    write: bool,
) -> Option<wgpu::DepthStencilState> {
    Some(wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(write),
        depth_compare: Some(compare),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    })
}

/// Bind group layouts by rate of change: group 0 frame, 1 scene, 2 material, 3 node matrices, or the depth of what is
/// behind.
#[derive(Debug)]
pub(crate) struct Layouts {
    pub frame: wgpu::BindGroupLayout,
    pub environment: wgpu::BindGroupLayout,
    pub material: wgpu::BindGroupLayout,
    /// Begins as `material`.
    pub baked_material: wgpu::BindGroupLayout,
    pub sky_face: wgpu::BindGroupLayout,
    pub nodes: wgpu::BindGroupLayout,
    /// In place of `nodes`, for deep water.
    pub water: wgpu::BindGroupLayout,
    pub particles: wgpu::BindGroupLayout,
    /// In place of `nodes`, for particles.
    pub depth: wgpu::BindGroupLayout,
}

impl Layouts {
    /// `samples`: per pixel of what is drawn on.
    pub fn new(device: &wgpu::Device, samples: u32) -> Self {
        let make = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(label),
                entries,
            })
        };
        let texture_of = |view_dimension| wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension,
            multisampled: false,
        };
        let texture = texture_of(wgpu::TextureViewDimension::D2);
        let layers = texture_of(wgpu::TextureViewDimension::D2Array);
        let depth = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Depth,
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: samples > 1,
        };
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        let material = [
            uniform_entry::<MaterialUniform>(0),
            fragment_entry(1, texture),
            fragment_entry(2, sampler),
        ];
        let baked = [
            uniform_entry::<BakedUniform>(3),
            fragment_entry(4, texture),
            fragment_entry(5, texture),
            fragment_entry(6, texture),
            fragment_entry(7, layers),
            fragment_entry(8, sampler),
        ];
        let sky_face = [
            uniform_entry::<SkyFaceUniform>(0),
            fragment_entry(1, texture),
            fragment_entry(2, sampler),
        ];
        Self {
            frame: make(
                "frame",
                &[
                    uniform_entry::<FrameUniform>(0),
                    storage_entry::<MorphedNode>(1, wgpu::ShaderStages::VERTEX),
                    storage_entry::<ActiveMorph>(2, wgpu::ShaderStages::VERTEX),
                    storage_entry::<NodeMatrix>(3, wgpu::ShaderStages::VERTEX),
                ],
            ),
            environment: make(
                "environment",
                &[
                    uniform_entry::<EnvironmentUniform>(0),
                    uniform_entry::<StylesUniform>(1),
                ],
            ),
            material: make("material", &material),
            baked_material: make("baked material", &[&material[..], &baked].concat()),
            water: water::layout(device, samples),
            sky_face: make("sky face", &sky_face),
            particles: make(
                "particles",
                &[fragment_entry(0, layers), fragment_entry(1, sampler)],
            ),
            depth: make("depth", &[fragment_entry(2, depth)]),
            nodes: make(
                "nodes",
                &[
                    storage_entry::<NodeMatrix>(0, wgpu::ShaderStages::VERTEX),
                    storage_entry::<CubeOfNode>(1, wgpu::ShaderStages::FRAGMENT),
                    storage_entry::<f32>(2, wgpu::ShaderStages::VERTEX),
                    storage_entry::<GpuSkinVertex>(3, wgpu::ShaderStages::VERTEX),
                ],
            ),
        }
    }
}

fn storage_entry<T>(binding: u32, visibility: wgpu::ShaderStages) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Storage { read_only: true },
            has_dynamic_offset: false,
            min_binding_size: NonZeroU64::new(size_of::<T>() as u64),
        },
        count: None,
    }
}

fn uniform_entry<T>(binding: u32) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: NonZeroU64::new(size_of::<T>() as u64),
        },
        count: None,
    }
}

fn fragment_entry(binding: u32, ty: wgpu::BindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    }
}
