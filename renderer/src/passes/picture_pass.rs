//! Pipelines that draw on all of a picture with one triangle, and pictures that are drawn on and read in turn.

use super::{Layouts, TargetFormats, depth_state, fragment_entry};
use crate::{
    Gpu,
    scene_upload::{sampler_entry, view_entry},
    shaders::Shader,
    target::extent,
};

/// What a pipeline over a whole picture is made of.
pub(crate) struct PicturePipeline<'a> {
    pub shader: Shader,
    /// By their index; those that the shader does not use are left out.
    pub groups: &'a [Option<&'a wgpu::BindGroupLayout>],
    pub constants: &'a [(&'a str, f64)],
    pub target: Option<wgpu::ColorTargetState>,
    /// Of what is drawn on, if a depth belongs to it; then what is not as far away as the triangle is left alone.
    pub behind_depth: Option<TargetFormats>,
}

impl PicturePipeline<'_> {
    pub fn make(&self, gpu: &Gpu) -> wgpu::RenderPipeline {
        let module = self.shader.module(&gpu.device);
        let label = Some(self.shader.name);
        let layout = (gpu.device).create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: self.groups,
            immediate_size: 0,
        });
        let options = wgpu::PipelineCompilationOptions {
            constants: self.constants,
            ..Default::default()
        };
        gpu.device
            .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label,
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some("vs_main"),
                    compilation_options: options.clone(),
                    buffers: &[],
                },
                primitive: wgpu::PrimitiveState::default(),
                depth_stencil: self
                    .behind_depth
                    .and_then(|_| depth_state(wgpu::CompareFunction::LessEqual, false)),
                multisample: (self.behind_depth)
                    .map_or_else(Default::default, |it| it.multisample()),
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some("fs_main"),
                    compilation_options: options,
                    targets: std::slice::from_ref(&self.target),
                }),
                multiview_mask: None,
                cache: None,
            })
    }
}

/// A target that is replaced, or blended with what is drawn.
pub(crate) fn color_target(
    format: wgpu::TextureFormat,
    blend: Option<wgpu::BlendComponent>,
) -> Option<wgpu::ColorTargetState> {
    Some(wgpu::ColorTargetState {
        format,
        blend: blend.map(|color| wgpu::BlendState {
            color,
            // A frame stays opaque.
            alpha: wgpu::BlendComponent {
                src_factor: wgpu::BlendFactor::Zero,
                dst_factor: wgpu::BlendFactor::One,
                operation: wgpu::BlendOperation::Add,
            },
        }),
        write_mask: wgpu::ColorWrites::ALL,
    })
}

/// Group 2 of what reads a picture.
pub(super) fn picture_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let texture = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: true },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("picture"),
        entries: &[fragment_entry(0, texture), fragment_entry(1, sampler)],
    })
}

/// A picture that one pass draws on and another reads.
#[derive(Debug)]
pub(crate) struct Picture {
    pub view: wgpu::TextureView,
    /// Group 2 of what reads it.
    pub bind_group: wgpu::BindGroup,
}

impl Picture {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        (label, size): (&str, [u32; 2]),
        format: wgpu::TextureFormat,
        sampler: &wgpu::Sampler,
    ) -> Self {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some(label),
            size: extent(size),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self {
            bind_group: gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(label),
                layout: &layouts.picture,
                entries: &[view_entry((0, &view)), sampler_entry(1, sampler)],
            }),
            view,
        }
    }

    /// Begins to draw on it: on what it has, or on nothing.
    pub fn begin<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        label: &str,
        load: wgpu::LoadOp<wgpu::Color>,
    ) -> wgpu::RenderPass<'e> {
        begin_on(encoder, label, &self.view, load)
    }
}

/// Begins to draw on a picture without a depth.
pub(crate) fn begin_on<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    label: &str,
    view: &wgpu::TextureView,
    load: wgpu::LoadOp<wgpu::Color>,
) -> wgpu::RenderPass<'e> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load,
                store: wgpu::StoreOp::Store,
            },
        })],
        ..Default::default()
    })
}

/// Reads pictures between their pixels, and no farther than their edge.
pub(crate) fn picture_sampler(gpu: &Gpu) -> wgpu::Sampler {
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("picture"),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        ..Default::default()
    })
}
