//! The sky dome: one triangle behind everything.

mod cloud_noise;

use super::{Layouts, TargetFormats, depth_state, fragment_entry};
use crate::{Gpu, shaders, target::extent};

/// Draws the sky of the bound environment.
#[derive(Debug)]
pub(crate) struct SkyPass {
    pipeline: wgpu::RenderPipeline,
    clouds: wgpu::BindGroup,
}

impl SkyPass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, targets: &TargetFormats) -> Self {
        let module = shaders::SKY.module(&gpu.device);
        let clouds_layout = clouds_layout(&gpu.device);
        let layout = gpu
            .device
            .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("sky"),
                bind_group_layouts: &[
                    Some(&layouts.frame),
                    Some(&layouts.environment),
                    Some(&clouds_layout),
                ],
                immediate_size: 0,
            });
        let pipeline = gpu
            .device
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some("sky"),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some("vs_main"),
                    compilation_options: Default::default(),
                    buffers: &[],
                },
                primitive: wgpu::PrimitiveState::default(),
                depth_stencil: depth_state(wgpu::CompareFunction::Always, false),
                multisample: targets.multisample(),
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some("fs_main"),
                    compilation_options: Default::default(),
                    targets: &[targets.color_target(None)],
                }),
                multiview_mask: None,
                cache: None,
            });
        Self {
            pipeline,
            clouds: clouds(gpu, &clouds_layout),
        }
    }

    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(2, &self.clouds, &[]);
        pass.draw(0..3, 0..1);
    }
}

fn clouds_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let texture = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: true },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("clouds"),
        entries: &[fragment_entry(0, texture), fragment_entry(1, sampler)],
    })
}

/// The texture of densities that all layers share, and how it is sampled.
fn clouds(gpu: &Gpu, layout: &wgpu::BindGroupLayout) -> wgpu::BindGroup {
    let side = cloud_noise::SIDE as u32;
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("clouds"),
        size: extent([side; 2]),
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rg8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    gpu.queue.write_texture(
        texture.as_image_copy(),
        cloud_noise::pixels().as_flattened(),
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(2 * side),
            rows_per_image: Some(side),
        },
        extent([side; 2]),
    );
    let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("clouds"),
        address_mode_u: wgpu::AddressMode::Repeat,
        address_mode_v: wgpu::AddressMode::Repeat,
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        ..Default::default()
    });
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("clouds"),
        layout,
        entries: &[
            wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(
                    &texture.create_view(&Default::default()),
                ),
            },
            wgpu::BindGroupEntry {
                binding: 1,
                resource: wgpu::BindingResource::Sampler(&sampler),
            },
        ],
    })
}
