//! The sky dome: one triangle behind everything.

mod cloud_noise;

use super::{Layouts, TargetFormats, depth_state, flag};
use crate::{Gpu, shaders, target::extent};

/// Draws the sky of the bound environment.
#[derive(Debug)]
pub(crate) struct SkyPass {
    pipeline: wgpu::RenderPipeline,
    /// Draws only what glows in it, where nothing hides it.
    glow: wgpu::RenderPipeline,
    clouds: wgpu::BindGroup,
}

impl SkyPass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, targets: &TargetFormats) -> Self {
        let module = shaders::SKY.module(&gpu.device);
        let layout = gpu
            .device
            .create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some("sky"),
                bind_group_layouts: &[
                    Some(&layouts.frame),
                    Some(&layouts.environment),
                    Some(&layouts.picture),
                ],
                immediate_size: 0,
            });
        let pipeline = |compare, glow| {
            gpu.device
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
                    depth_stencil: depth_state(compare, false),
                    multisample: targets.multisample(),
                    fragment: Some(wgpu::FragmentState {
                        module: &module,
                        entry_point: Some("fs_main"),
                        compilation_options: wgpu::PipelineCompilationOptions {
                            constants: &[("GLOW", flag(glow))],
                            ..Default::default()
                        },
                        targets: &[targets.color_target(None)],
                    }),
                    multiview_mask: None,
                    cache: None,
                })
        };
        Self {
            pipeline: pipeline(wgpu::CompareFunction::Always, false),
            glow: pipeline(wgpu::CompareFunction::GreaterEqual, true),
            clouds: clouds(gpu, &layouts.picture),
        }
    }

    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.draw_with(pass, &self.pipeline);
    }

    /// Draws what glows.
    pub fn draw_glow(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.draw_with(pass, &self.glow);
    }

    fn draw_with(&self, pass: &mut wgpu::RenderPass<'_>, pipeline: &wgpu::RenderPipeline) {
        pass.set_pipeline(pipeline);
        pass.set_bind_group(2, &self.clouds, &[]);
        pass.draw(0..3, 0..1);
    }
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
