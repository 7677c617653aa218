//! What a frame is drawn into before it reaches its target.
//!
//! A frame is one render pass, or several where something looks at what was drawn: ambient occlusion at the depth, deep
//! water at a picture of what is behind it, soft particles at the depth. From what is seen through on, depth is only read.

use crate::{
    Gpu,
    passes::{DEPTH_FORMAT, Layouts, TargetFormats, particles::depth_bind_group},
    target::extent,
};

/// Depth, and the samples before they are resolved; as large as the target.
#[derive(Debug)]
pub(crate) struct Attachments {
    pub size: [u32; 2],
    pub depth: wgpu::TextureView,
    /// Group 3 of what looks at the depth; none if the device cannot test and read it at once.
    pub readable_depth: Option<wgpu::BindGroup>,
    /// None without multisampling.
    samples: Option<wgpu::TextureView>,
}

impl Attachments {
    pub fn new(gpu: &Gpu, layouts: &Layouts, targets: &TargetFormats, size: [u32; 2]) -> Self {
        let attachment = |label, format, usage| {
            gpu.device
                .create_texture(&wgpu::TextureDescriptor {
                    label: Some(label),
                    size: extent(size),
                    mip_level_count: 1,
                    sample_count: targets.samples,
                    dimension: wgpu::TextureDimension::D2,
                    format,
                    usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                    view_formats: &[],
                })
                .create_view(&wgpu::TextureViewDescriptor::default())
        };
        let depth = attachment("depth", DEPTH_FORMAT, wgpu::TextureUsages::TEXTURE_BINDING);
        let is_readable = gpu.caps().has_readable_depth;
        Self {
            size,
            readable_depth: is_readable.then(|| depth_bind_group(gpu, layouts, &depth)),
            depth,
            samples: (targets.samples > 1)
                .then(|| attachment("samples", targets.color, wgpu::TextureUsages::empty())),
        }
    }

    /// Begins one of the render passes of a frame.
    pub fn begin<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        stage: &Stage<'_>,
    ) -> wgpu::RenderPass<'e> {
        let load = stage.background.map_or(wgpu::LoadOp::Load, cleared_to);
        let color = self.color(stage.picture, load, stage.samples);
        let written = |load, store| Some(wgpu::Operations { load, store });
        let depth_ops = match stage.depth {
            StageDepth::Only => written(wgpu::LoadOp::Clear(0.0), wgpu::StoreOp::Discard),
            StageDepth::First => written(wgpu::LoadOp::Clear(0.0), wgpu::StoreOp::Store),
            StageDepth::Written => written(wgpu::LoadOp::Load, wgpu::StoreOp::Store),
            StageDepth::Read => None,
        };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(stage.label),
            color_attachments: &[Some(color)],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops,
                stencil_ops: None,
            }),
            ..Default::default()
        })
    }

    fn color<'v>(
        &'v self,
        picture: &'v wgpu::TextureView,
        load: wgpu::LoadOp<wgpu::Color>,
        fate: Samples,
    ) -> wgpu::RenderPassColorAttachment<'v> {
        let (view, resolve_target, store) = match (&self.samples, fate) {
            (Some(samples), Samples::Last) => (samples, Some(picture), wgpu::StoreOp::Discard),
            (Some(samples), Samples::Kept) => (samples, Some(picture), wgpu::StoreOp::Store),
            (Some(samples), Samples::NotYet) => (samples, None, wgpu::StoreOp::Store),
            (None, _) => (picture, None, wgpu::StoreOp::Store),
        };
        wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target,
            ops: wgpu::Operations { load, store },
        }
    }
}

/// One of the render passes of a frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stage<'a> {
    pub label: &'a str,
    /// What is drawn on, or what samples are resolved to.
    pub picture: &'a wgpu::TextureView,
    /// What it is cleared to; else it is drawn on.
    pub background: Option<[f32; 3]>,
    pub samples: Samples,
    pub depth: StageDepth,
}

/// What a pass does with the depth.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StageDepth {
    /// Clears it to infinity; it is not kept.
    Only,
    /// Clears it to infinity; it is kept.
    First,
    /// Writes on.
    Written,
    /// Reads it.
    Read,
}

/// What becomes of samples after a pass.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Samples {
    /// Resolved, and drawn on again.
    Kept,
    /// Drawn on again.
    NotYet,
    /// Resolved, and done with.
    Last,
}

fn cleared_to([r, g, b]: [f32; 3]) -> wgpu::LoadOp<wgpu::Color> {
    let [r, g, b] = [r, g, b].map(f64::from);
    wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a: 1.0 })
}
