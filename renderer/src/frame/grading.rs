//! Frames whose brightness follows what is in them, or whose colors go through tables: they are drawn on a picture of their
//! own first.

use std::mem::offset_of;

use ironlands_scene::AutoExposure;

use super::{Renderer, shown_backdrop};
use crate::{
    FrameState, Gpu, RenderError, SceneGpu,
    attachments::Attachments,
    passes::{exposure::ExposurePass, grade::GradePass},
    uniforms::FrameUniform,
};

impl SceneGpu {
    /// Whether brightness follows the picture in a frame.
    pub(crate) fn adapts(&self, state: &FrameState) -> bool {
        self.auto_exposure.is_some() && state.switches.auto_exposure
    }

    /// What exposure is led to in a frame; `None` where it does not follow the picture.
    pub(crate) fn adaptation(&self, state: &FrameState) -> Option<AutoExposure> {
        let of_scene = self.auto_exposure.filter(|_| self.adapts(state))?;
        Some(state.grading.auto_exposure.unwrap_or(of_scene))
    }

    fn is_corrected(&self, state: &FrameState) -> bool {
        !self.color_corrections.is_empty() && state.switches.color_correction
    }

    /// Whether a frame is drawn on a picture of its own.
    pub(crate) fn is_graded(&self, state: &FrameState) -> bool {
        self.adapts(state) || self.is_corrected(state)
    }
}

impl Renderer {
    /// Makes what a frame is graded with, if it is. Returns how often it is drawn until its exposure has settled.
    pub(super) fn prepare_grading(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        state: &FrameState,
        size: [u32; 2],
    ) -> Result<u32, RenderError> {
        if !scene.is_graded(state) {
            return Ok(1);
        }
        let (layouts, color) = (&self.layouts, self.targets.color);
        let (grade, exposure) = (&mut self.grade, &mut self.exposure);
        gpu.guarded("a frame that is graded", || {
            let grade = grade.get_or_insert_with(|| GradePass::new(gpu, layouts, color));
            if grade.make_picture(gpu, layouts, size)
                && let Some(exposure) = exposure
            {
                exposure.unbind();
            }
            let corrections = match scene.is_corrected(state) {
                true => &scene.color_corrections[..],
                false => &[],
            };
            let eye = state.camera.position.to_array();
            let full_weights = &state.grading.correction_weights[..];
            let tables = (scene.id, &scene.color_tables[..]);
            grade.mix(gpu, tables, corrections, (full_weights, eye));
            let adapted = scene.adaptation(state);
            let Some((adapted, picture)) = adapted.zip(grade.picture()) else {
                return 1;
            };
            let exposure = exposure.get_or_insert_with(|| ExposurePass::new(gpu));
            let bias = state.exposure_stops.exp2();
            exposure.prepare(
                gpu,
                scene.id,
                &adapted,
                (bias, state.exposure_secs),
                (&picture.view, size),
            )
        })
    }

    /// Draws all stages of a frame on `target`, by way of a picture where it is graded, `n_times` until its exposure has
    /// settled.
    pub(super) fn draw_graded(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        scene: &SceneGpu,
        state: &FrameState,
        (attachments, target): (&Attachments, &wgpu::TextureView),
        (background, n_times): ([f32; 3], u32),
    ) {
        let grade = self.grade.as_ref().filter(|_| scene.is_graded(state));
        let picture = grade.and_then(GradePass::picture);
        let Some((grade, picture)) = grade.zip(picture) else {
            return self.draw_stages(encoder, scene, state, (attachments, target), background);
        };
        let exposure = self.exposure.as_ref().filter(|_| scene.adapts(state));
        for _ in 0..n_times {
            if let Some(exposure) = exposure {
                let place = offset_of!(FrameUniform, exposure) as u64;
                let backdrop = shown_backdrop(scene, state).map(|_| &self.backdrop);
                let mirrors = &self.deep_water.mirrors;
                let views = [&self.level].into_iter().chain(backdrop).chain(mirrors);
                exposure.expose(encoder, views.map(|view| (view.uniform(), place)));
            }
            let on = (attachments, &picture.view);
            self.draw_stages(encoder, scene, state, on, background);
            if let Some(exposure) = exposure {
                exposure.adapt(encoder);
            }
        }
        grade.draw(encoder, target);
    }
}
