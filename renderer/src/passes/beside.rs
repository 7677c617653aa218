//! Places pictures beside each other in a target.

use super::{
    Layouts,
    picture_pass::{Picture, PicturePipeline, begin_on, color_target, picture_sampler},
};
use crate::{Gpu, TargetView, shaders};

/// Lives as long as the renderer; made when pictures are first placed.
#[derive(Debug)]
pub(crate) struct BesidePass {
    pipeline: wgpu::RenderPipeline,
    sampler: wgpu::Sampler,
    color: wgpu::TextureFormat,
}

impl BesidePass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, color: wgpu::TextureFormat) -> Self {
        let pipeline = PicturePipeline {
            shader: shaders::BESIDE,
            groups: &[None, None, Some(&layouts.picture)],
            constants: &[],
            target: color_target(color, None),
            behind_depth: None,
        };
        Self {
            pipeline: pipeline.make(gpu),
            sampler: picture_sampler(gpu),
            color,
        }
    }

    pub fn picture(&self, gpu: &Gpu, layouts: &Layouts, size: [u32; 2]) -> Picture {
        Picture::new(
            gpu,
            layouts,
            ("side picture", size),
            self.color,
            &self.sampler,
        )
    }

    /// Draws pictures of these sizes from the left edge of the target on, as far as it goes.
    pub fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pictures: [(&Picture, [u32; 2]); 2],
        target: TargetView<'_>,
    ) {
        let nothing = wgpu::LoadOp::Clear(wgpu::Color::BLACK);
        let mut pass = begin_on(encoder, "beside", target.view, nothing);
        pass.set_pipeline(&self.pipeline);
        let mut left = 0;
        for (picture, [width, height]) in pictures {
            let seen = [width.min(target.size[0] - left), height.min(target.size[1])];
            if seen.iter().all(|side| *side > 0) {
                pass.set_viewport(left as f32, 0.0, width as f32, height as f32, 0.0, 1.0);
                pass.set_scissor_rect(left, 0, seen[0], seen[1]);
                pass.set_bind_group(2, &picture.bind_group, &[]);
                pass.draw(0..3, 0..1);
            }
            left += seen[0];
        }
    }
}
