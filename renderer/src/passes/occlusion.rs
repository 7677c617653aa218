//! Ambient occlusion in screen space: found in half the picture's size from its depth, smoothed along surfaces, and
//! multiplied into the picture before anything that is seen through is drawn.

use super::{
    Layouts, TargetFormats,
    picture_pass::{Picture, PicturePipeline, color_target, picture_sampler},
};
use crate::{Gpu, shaders};

/// Share of light, and the logarithm of the depth.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg16Float;
/// Pixels of the picture along a side of one of ours; as in `shared/picture_place.wgsl`.
const STEP: u32 = 2;

pub(super) const MULTIPLY: wgpu::BlendComponent = wgpu::BlendComponent {
    src_factor: wgpu::BlendFactor::Dst,
    dst_factor: wgpu::BlendFactor::Zero,
    operation: wgpu::BlendOperation::Add,
};

/// Lives as long as the renderer; made when a frame first needs it.
#[derive(Debug)]
pub(crate) struct OcclusionPass {
    find: wgpu::RenderPipeline,
    blur_x: wgpu::RenderPipeline,
    blur_y: wgpu::RenderPipeline,
    shade: wgpu::RenderPipeline,
    sampler: wgpu::Sampler,
    /// Those of the frame before.
    targets: Option<OcclusionTargets>,
}

/// Two pictures for targets of one size, which are drawn on in turn.
#[derive(Debug)]
struct OcclusionTargets {
    size: [u32; 2],
    pictures: [Picture; 2],
}

/// What is bound to see where the picture's surfaces are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeenDepth<'a> {
    /// Group 0.
    pub frame: &'a wgpu::BindGroup,
    /// Group 3.
    pub depth: &'a wgpu::BindGroup,
}

impl OcclusionPass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, targets: &TargetFormats) -> Self {
        let multisampled = usize::from(targets.samples > 1);
        let blur = |along_y: f64| {
            PicturePipeline {
                shader: shaders::OCCLUSION_BLUR,
                groups: &[None, None, Some(&layouts.picture)],
                constants: &[("ALONG_Y", along_y)],
                target: color_target(FORMAT, None),
                behind_depth: None,
            }
            .make(gpu)
        };
        let find = PicturePipeline {
            shader: shaders::OCCLUSION[multisampled],
            groups: &[Some(&layouts.frame), None, None, Some(&layouts.depth)],
            constants: &[],
            target: color_target(FORMAT, None),
            behind_depth: None,
        };
        let shade = PicturePipeline {
            shader: shaders::OCCLUSION_SHADE[multisampled],
            groups: &[
                Some(&layouts.frame),
                Some(&layouts.environment),
                Some(&layouts.picture),
                Some(&layouts.depth),
            ],
            constants: &[],
            target: color_target(targets.color, Some(MULTIPLY)),
            behind_depth: Some(*targets),
        };
        Self {
            find: find.make(gpu),
            blur_x: blur(0.0),
            blur_y: blur(1.0),
            shade: shade.make(gpu),
            sampler: picture_sampler(gpu),
            targets: None,
        }
    }

    /// Makes room for pictures on targets of a size, unless there is.
    pub fn make_targets(&mut self, gpu: &Gpu, layouts: &Layouts, size: [u32; 2]) {
        let is_known = self.targets.as_ref().is_some_and(|it| it.size == size);
        if !is_known {
            let own_size = size.map(|side| side.div_ceil(STEP));
            let picture =
                |label| Picture::new(gpu, layouts, (label, own_size), FORMAT, &self.sampler);
            self.targets = Some(OcclusionTargets {
                size,
                pictures: ["occlusion", "smoothed occlusion"].map(picture),
            });
        }
    }

    /// Finds out how much light reaches what is in the picture so far.
    pub fn find(&self, encoder: &mut wgpu::CommandEncoder, seen: SeenDepth<'_>) {
        let [first, second] = self.pictures();
        let nothing = wgpu::LoadOp::Clear(wgpu::Color::WHITE);
        {
            let pass = &mut first.begin(encoder, "occlusion", nothing);
            pass.set_bind_group(0, seen.frame, &[]);
            pass.set_bind_group(3, seen.depth, &[]);
            pass.set_pipeline(&self.find);
            pass.draw(0..3, 0..1);
        }
        let blurs = [(&self.blur_x, first, second), (&self.blur_y, second, first)];
        for (pipeline, from, to) in blurs {
            let pass = &mut to.begin(encoder, "occlusion blur", nothing);
            pass.set_bind_group(2, &from.bind_group, &[]);
            pass.set_pipeline(pipeline);
            pass.draw(0..3, 0..1);
        }
    }

    /// Darkens the picture; groups 0 and 1 are bound.
    pub fn shade(&self, pass: &mut wgpu::RenderPass<'_>, depth: &wgpu::BindGroup) {
        let [found, _] = self.pictures();
        pass.set_bind_group(2, &found.bind_group, &[]);
        pass.set_bind_group(3, depth, &[]);
        pass.set_pipeline(&self.shade);
        pass.draw(0..3, 0..1);
    }

    fn pictures(&self) -> &[Picture; 2] {
        let targets = self.targets.as_ref();
        &targets
            .expect("targets are made before they are drawn on")
            .pictures
    }
}
