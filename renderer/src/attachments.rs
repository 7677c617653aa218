//! What a frame is drawn into before it reaches its target.
//!
//! A frame is one render pass, or where it has deep water three: what is behind the water goes into a picture of its
//! own, the water is drawn with that in view, and then what is before it. From what is seen through on, depth is only
//! read: particles may look at it.

use crate::{
    Gpu, TargetView,
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

    /// All of a frame: clears the target to `background` and the depth to infinity.
    pub fn begin<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        target: TargetView<'_>,
        background: [f32; 3],
    ) -> wgpu::RenderPass<'e> {
        let color = self.color(target.view, cleared_to(background), Samples::Last);
        let depth = wgpu::Operations {
            load: wgpu::LoadOp::Clear(0.0),
            store: wgpu::StoreOp::Discard,
        };
        self.begin_pass(encoder, "world", color, Some(depth))
    }

    /// All that writes depth, where something before it looks at the depth.
    pub fn begin_solid<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        target: TargetView<'_>,
        background: [f32; 3],
    ) -> wgpu::RenderPass<'e> {
        let color = self.color(target.view, cleared_to(background), Samples::NotYet);
        let depth = wgpu::Operations {
            load: wgpu::LoadOp::Clear(0.0),
            store: wgpu::StoreOp::Store,
        };
        self.begin_pass(encoder, "solid", color, Some(depth))
    }

    /// What is behind water, drawn into a picture of its own.
    pub fn begin_behind<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        picture: &wgpu::TextureView,
        background: [f32; 3],
    ) -> wgpu::RenderPass<'e> {
        let color = self.color(picture, cleared_to(background), Samples::Kept);
        let depth = wgpu::Operations {
            load: wgpu::LoadOp::Clear(0.0),
            store: wgpu::StoreOp::Store,
        };
        self.begin_pass(encoder, "behind water", color, Some(depth))
    }

    /// Water, for which depth is only read. Without samples, the target does not have the picture yet.
    pub fn begin_water<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        target: TargetView<'_>,
    ) -> wgpu::RenderPass<'e> {
        let color = self.color(target.view, wgpu::LoadOp::Load, Samples::NotYet);
        self.begin_pass(encoder, "water", color, None)
    }

    /// What is before water, or before all that writes depth.
    pub fn begin_before<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        target: TargetView<'_>,
    ) -> wgpu::RenderPass<'e> {
        let color = self.color(target.view, wgpu::LoadOp::Load, Samples::Last);
        self.begin_pass(encoder, "before", color, None)
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

    fn begin_pass<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        label: &str,
        color: wgpu::RenderPassColorAttachment<'_>,
        depth_ops: Option<wgpu::Operations<f32>>,
    ) -> wgpu::RenderPass<'e> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(label),
            color_attachments: &[Some(color)],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops,
                stencil_ops: None,
            }),
            ..Default::default()
        })
    }
}

/// What becomes of samples after a pass.
#[derive(Debug, Clone, Copy)]
enum Samples {
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
