//! What a frame is drawn into before it reaches its target.

use crate::{
    Gpu, TargetView,
    passes::{DEPTH_FORMAT, TargetFormats},
    target::extent,
};

/// Depth, and the samples before they are resolved; as large as the target.
#[derive(Debug)]
pub(crate) struct Attachments {
    pub size: [u32; 2],
    depth: wgpu::TextureView,
    /// None without multisampling.
    samples: Option<wgpu::TextureView>,
}

impl Attachments {
    pub fn new(gpu: &Gpu, targets: &TargetFormats, size: [u32; 2]) -> Self {
        let attachment = |label, format| {
            gpu.device
                .create_texture(&wgpu::TextureDescriptor {
                    label: Some(label),
                    size: extent(size),
                    mip_level_count: 1,
                    sample_count: targets.samples,
                    dimension: wgpu::TextureDimension::D2,
                    format,
                    usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                    view_formats: &[],
                })
                .create_view(&wgpu::TextureViewDescriptor::default())
        };
        Self {
            size,
            depth: attachment("depth", DEPTH_FORMAT),
            samples: (targets.samples > 1).then(|| attachment("samples", targets.color)),
        }
    }

    /// Clears the target to `background` and the depth to infinity.
    pub fn begin<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        target: TargetView<'_>,
        background: [f32; 3],
    ) -> wgpu::RenderPass<'e> {
        let [r, g, b] = background.map(f64::from);
        let load = wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a: 1.0 });
        let color = match &self.samples {
            Some(samples) => wgpu::RenderPassColorAttachment {
                view: samples,
                depth_slice: None,
                resolve_target: Some(target.view),
                ops: wgpu::Operations {
                    load,
                    store: wgpu::StoreOp::Discard,
                },
            },
            None => wgpu::RenderPassColorAttachment {
                view: target.view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load,
                    store: wgpu::StoreOp::Store,
                },
            },
        };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("world"),
            color_attachments: &[Some(color)],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        })
    }
}
