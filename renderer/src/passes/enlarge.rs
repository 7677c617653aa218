//! Enlarges what was drawn at a part of the target's size.

use super::{
    Layouts,
    picture_pass::{Picture, PicturePipeline, begin_on, color_target, picture_sampler},
};
use crate::{Gpu, shaders};

/// Lives as long as the renderer; made when a frame first needs it.
#[derive(Debug)]
pub(crate) struct EnlargePass {
    pipeline: wgpu::RenderPipeline,
    sampler: wgpu::Sampler,
    color: wgpu::TextureFormat,
    /// That of the frame before, and its size.
    picture: Option<([u32; 2], Picture)>,
}

impl EnlargePass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, color: wgpu::TextureFormat) -> Self {
        let pipeline = PicturePipeline {
            shader: shaders::ENLARGE,
            groups: &[None, None, Some(&layouts.picture)],
            constants: &[],
            target: color_target(color, None),
            behind_depth: None,
        };
        Self {
            pipeline: pipeline.make(gpu),
            sampler: picture_sampler(gpu),
            color,
            picture: None,
        }
    }

    /// Makes room for a picture of this size, unless there is.
    pub fn make_picture(&mut self, gpu: &Gpu, layouts: &Layouts, size: [u32; 2]) {
        let is_known = self
            .picture
            .as_ref()
            .is_some_and(|(known, _)| *known == size);
        if !is_known {
            let label = ("small frame", size);
            let picture = Picture::new(gpu, layouts, label, self.color, &self.sampler);
            self.picture = Some((size, picture));
        }
    }

    /// What is drawn on in place of the target.
    pub fn view(&self) -> Option<&wgpu::TextureView> {
        self.picture.as_ref().map(|(_, picture)| &picture.view)
    }

    /// Fills the target with the picture.
    pub fn draw(&self, encoder: &mut wgpu::CommandEncoder, target: &wgpu::TextureView) {
        let Some((_, picture)) = &self.picture else {
            return;
        };
        let nothing = wgpu::LoadOp::Clear(wgpu::Color::BLACK);
        let mut pass = begin_on(encoder, "enlarge", target, nothing);
        pass.set_bind_group(2, &picture.bind_group, &[]);
        pass.set_pipeline(&self.pipeline);
        pass.draw(0..3, 0..1);
    }
}
