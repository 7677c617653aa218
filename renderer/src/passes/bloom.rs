//! Bloom: a soft light around what glows. What glows is drawn once more, into a picture of its own in which everything
//! else is black, so that neither snow nor sky blooms; that picture is made smaller step by step, and its steps are
//! laid over the frame. Where exposure follows the picture, it is what is bright in the frame itself that blooms.

use super::{
    Layouts, TargetFormats,
    picture_pass::{Picture, PicturePipeline, begin_on, color_target, picture_sampler},
};
use crate::{Gpu, shaders, target::extent};

/// Of the smaller pictures, whose lights add up.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// How much smaller each picture is than the one before.
const STEPS: [u32; 5] = [4, 2, 2, 2, 2];
/// How much of the light of all steps is laid over the frame.
const STRENGTH: f64 = 0.45;
/// The same around what is bright, of which there is more.
const BRIGHT_STRENGTH: f64 = 0.12;

const ADD: wgpu::BlendComponent = wgpu::BlendComponent {
    src_factor: wgpu::BlendFactor::One,
    dst_factor: wgpu::BlendFactor::One,
    operation: wgpu::BlendOperation::Add,
};
/// Adds as much as is chosen when it is drawn.
const ADD_PART: wgpu::BlendComponent = wgpu::BlendComponent {
    src_factor: wgpu::BlendFactor::Constant,
    ..ADD
};
/// Adds less where the frame is bright already.
const SCREEN: wgpu::BlendComponent = wgpu::BlendComponent {
    dst_factor: wgpu::BlendFactor::OneMinusSrc,
    ..ADD
};

/// Lives as long as the renderer; made when a frame first needs it.
#[derive(Debug)]
pub(crate) struct BloomPass {
    down_first: wgpu::RenderPipeline,
    down: wgpu::RenderPipeline,
    up: wgpu::RenderPipeline,
    up_last: wgpu::RenderPipeline,
    /// In place of the first and the last, around what is bright.
    down_bright: wgpu::RenderPipeline,
    up_bright: wgpu::RenderPipeline,
    sampler: wgpu::Sampler,
    formats: TargetFormats,
    /// Those of the frame before.
    targets: Option<BloomTargets>,
}

/// What glows, and its smaller pictures, for targets of one size.
#[derive(Debug)]
struct BloomTargets {
    size: [u32; 2],
    glow: Picture,
    /// None without multisampling.
    glow_samples: Option<wgpu::TextureView>,
    smaller: Vec<Picture>,
}

impl BloomPass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, formats: &TargetFormats) -> Self {
        let groups = [None, None, Some(&layouts.picture)];
        let pipeline = |shader, constants: &[(&str, f64)], target| {
            PicturePipeline {
                shader,
                groups: &groups,
                constants,
                target,
                behind_depth: None,
            }
            .make(gpu)
        };
        let [first, next, ..] = STEPS.map(f64::from);
        let (down, up) = (shaders::BLOOM_DOWN, shaders::BLOOM_UP);
        let last = [("STEP", first), ("STRENGTH", STRENGTH)];
        Self {
            down_first: pipeline(down, &[("STEP", first)], color_target(FORMAT, None)),
            down: pipeline(down, &[("STEP", next)], color_target(FORMAT, None)),
            up: pipeline(up, &[("STEP", next)], color_target(FORMAT, Some(ADD))),
            up_last: pipeline(up, &last, color_target(formats.color, Some(SCREEN))),
            down_bright: pipeline(
                shaders::BLOOM_BRIGHT,
                &[("STEP", first)],
                color_target(FORMAT, None),
            ),
            up_bright: pipeline(
                up,
                &[("STEP", first)],
                color_target(formats.color, Some(ADD_PART)),
            ),
            sampler: picture_sampler(gpu),
            formats: *formats,
            targets: None,
        }
    }

    /// Makes room for pictures on targets of a size, unless there is.
    pub fn make_targets(&mut self, gpu: &Gpu, layouts: &Layouts, size: [u32; 2]) {
        if self.targets.as_ref().is_some_and(|it| it.size == size) {
            return;
        }
        let TargetFormats { color, samples } = self.formats;
        let picture =
            |label, size, format| Picture::new(gpu, layouts, (label, size), format, &self.sampler);
        let mut side = size;
        let smaller = STEPS.map(|step| {
            side = side.map(|side| side.div_ceil(step));
            picture("bloom", side, FORMAT)
        });
        let glow_samples = || {
            let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("glow samples"),
                size: extent(size),
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format: color,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        self.targets = Some(BloomTargets {
            size,
            glow: picture("glow", size, color),
            glow_samples: (samples > 1).then(glow_samples),
            smaller: smaller.into(),
        });
    }

    /// Begins to draw what glows, as far as nothing of this depth hides it.
    pub fn begin_glow<'e>(
        &self,
        encoder: &'e mut wgpu::CommandEncoder,
        depth: &wgpu::TextureView,
    ) -> wgpu::RenderPass<'e> {
        let BloomTargets {
            glow, glow_samples, ..
        } = self.targets();
        let (view, resolve_target, store) = match glow_samples {
            Some(samples) => (samples, Some(&glow.view), wgpu::StoreOp::Discard),
            None => (&glow.view, None, wgpu::StoreOp::Store),
        };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("glow"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Load,
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        })
    }

    /// Lays the light around what glows over a frame.
    pub fn lay_over(&self, encoder: &mut wgpu::CommandEncoder, frame: &wgpu::TextureView) {
        let spread = self.spread(encoder, (&self.down_first, &self.targets().glow));
        let pass = begin_on(encoder, "bloom", frame, wgpu::LoadOp::Load);
        draw_from(pass, &self.up_last, spread);
    }

    /// Lays light around what is bright in a frame over it, by a factor of its usual strength.
    pub fn lay_over_bright(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        frame: &Picture,
        strength: f32,
    ) {
        let spread = self.spread(encoder, (&self.down_bright, frame));
        let mut pass = begin_on(encoder, "bloom", &frame.view, wgpu::LoadOp::Load);
        let part = BRIGHT_STRENGTH * f64::from(strength);
        pass.set_blend_constant(wgpu::Color {
            r: part,
            g: part,
            b: part,
            a: 1.0,
        });
        draw_from(pass, &self.up_bright, spread);
    }

    /// The sum of ever smaller pictures of a first one; the first step has a pipeline of its own.
    fn spread(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        (first, from): (&wgpu::RenderPipeline, &Picture),
    ) -> &Picture {
        let smaller = &self.targets().smaller;
        let nothing = wgpu::LoadOp::Clear(wgpu::Color::BLACK);
        let mut larger = from;
        for (index, picture) in smaller.iter().enumerate() {
            let pipeline = if index == 0 { first } else { &self.down };
            let pass = picture.begin(encoder, "bloom down", nothing);
            draw_from(pass, pipeline, larger);
            larger = picture;
        }
        for pair in smaller.windows(2).rev() {
            let [to, from] = pair else { continue };
            let pass = to.begin(encoder, "bloom up", wgpu::LoadOp::Load);
            draw_from(pass, &self.up, from);
        }
        &smaller[0]
    }

    fn targets(&self) -> &BloomTargets {
        let targets = self.targets.as_ref();
        targets.expect("targets are made before they are drawn on")
    }
}

fn draw_from(mut pass: wgpu::RenderPass<'_>, pipeline: &wgpu::RenderPipeline, from: &Picture) {
    pass.set_bind_group(2, &from.bind_group, &[]);
    pass.set_pipeline(pipeline);
    pass.draw(0..3, 0..1);
}
