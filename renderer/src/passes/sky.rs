//! The sky dome: one triangle at infinity.

mod cloud_noise;

use super::{Layouts, TargetFormats, depth_state, flag};
use crate::{Gpu, shaders, target::extent};

/// Draws the sky of the bound environment.
#[derive(Debug)]
pub(crate) struct SkyPass {
    module: wgpu::ShaderModule,
    targets: TargetFormats,
    layout: wgpu::PipelineLayout,
    /// By what is in the sky, and whether only what glows in it is drawn; made when that is first drawn.
    pipelines: [Option<wgpu::RenderPipeline>; 2 * SkyContent::N],
    content: SkyContent,
    clouds: wgpu::BindGroup,
}

/// What a frame has in the sky.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SkyContent {
    /// A glow along the horizon, and stars.
    pub is_rich: bool,
    pub has_clouds: bool,
}

impl SkyContent {
    const N: usize = 4;

    /// The place of its pipeline.
    fn index(self, glow: bool) -> usize {
        usize::from(self.is_rich) + 2 * usize::from(self.has_clouds) + Self::N * usize::from(glow)
    }
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
        Self {
            module,
            targets: *targets,
            layout,
            pipelines: [const { None }; 2 * SkyContent::N],
            content: SkyContent::default(),
            clouds: clouds(gpu, &layouts.picture),
        }
    }

    /// Chooses what the frame has in the sky; true if that has to be prepared.
    pub fn choose(&mut self, content: SkyContent) -> bool {
        self.content = content;
        self.pipelines[content.index(true)].is_none()
    }

    /// Makes the pipelines for what was chosen.
    pub fn prepare(&mut self, gpu: &Gpu) {
        for glow in [false, true] {
            let made = self.pipeline(gpu, self.content, glow);
            self.pipelines[self.content.index(glow)] = Some(made);
        }
    }

    /// `glow` draws only what glows in it, where nothing hides it.
    fn pipeline(&self, gpu: &Gpu, content: SkyContent, glow: bool) -> wgpu::RenderPipeline {
        let constants = [
            ("GLOW", flag(glow)),
            ("RICH", flag(content.is_rich)),
            ("CLOUDS", flag(content.has_clouds)),
        ];
        gpu.device
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some("sky"),
                layout: Some(&self.layout),
                vertex: wgpu::VertexState {
                    module: &self.module,
                    entry_point: Some("vs_main"),
                    compilation_options: Default::default(),
                    buffers: &[],
                },
                primitive: wgpu::PrimitiveState::default(),
                depth_stencil: depth_state(wgpu::CompareFunction::GreaterEqual, false),
                multisample: self.targets.multisample(),
                fragment: Some(wgpu::FragmentState {
                    module: &self.module,
                    entry_point: Some("fs_main"),
                    compilation_options: wgpu::PipelineCompilationOptions {
                        constants: &constants,
                        ..Default::default()
                    },
                    targets: &[self.targets.color_target(None)],
                }),
                multiview_mask: None,
                cache: None,
            })
    }

    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.draw_with(pass, false);
    }

    /// Draws what glows.
    pub fn draw_glow(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.draw_with(pass, true);
    }

    fn draw_with(&self, pass: &mut wgpu::RenderPass<'_>, glow: bool) {
        let pipeline = self.pipelines[self.content.index(glow)].as_ref();
        pass.set_pipeline(pipeline.expect("pipelines are made before they are drawn with"));
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
