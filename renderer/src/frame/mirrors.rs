//! Deep water of a frame: what its mirrors show.

use ironlands_scene::PassKind;

use super::{Renderer, shows_sea};
use crate::{
    FrameState, FrameStats, Gpu, RenderError, SceneGpu,
    motion::Placement,
    passes::{AddedLight, water::WaterTargets},
    uniforms::FrameUniform,
    view_cells::Part,
    viewpoint::Viewpoint,
};

/// What hides the sky in a mirror; no detail texture.
const OPAQUE: [PassKind; 3] = [PassKind::Base, PassKind::Decal, PassKind::Lightmap];

/// And what blends over it: no water, which would hide what it mirrors.
const BLENDED: [PassKind; 2] = [PassKind::SoftEdged, PassKind::Translucent];

impl Renderer {
    /// Whether water in view is to be drawn as deep water.
    pub(super) fn has_deep_water(&self, scene: &SceneGpu, state: &FrameState) -> bool {
        let is_deep = |pipeline: usize| self.surface.has_deep(pipeline);
        let mut items = self.level.list.of_kind(PassKind::Water).iter();
        let mut sea = scene.sea.iter().filter(|_| shows_sea(state));
        let has_sheets = scene.has_mirror_sheets && state.shows_mirror_sheets();
        let is_asked = has_sheets || state.adds(|it| it.deep_water && it.water);
        is_asked && (items.any(|item| is_deep(item.pipeline)) || sea.any(|it| is_deep(it.pipeline)))
    }

    /// Fills the draw lists of the mirrors of this frame.
    pub(super) fn prepare_mirrors(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        viewpoint: &Viewpoint,
        placement: Placement<'_>,
        state: &FrameState,
        size: [u32; 2],
    ) -> Result<FrameStats, RenderError> {
        let mut stats = FrameStats::default();
        let aspect = size[0] as f32 / size[1] as f32;
        self.deep_water.mirrored.clear();
        if !self.has_deep_water(scene, state) {
            return Ok(stats);
        }
        if state.shows_mirror_sheets() || state.adds(|it| it.mirrors) {
            let has_sea = shows_sea(state);
            let mirrored = &mut self.deep_water.mirrored;
            (self.level).list_waters(scene, viewpoint, aspect, has_sea, mirrored);
        }
        self.deep_water.pass.write(gpu, &self.deep_water.mirrored);
        let mirrors = self.deep_water.mirrors.iter_mut();
        for (mirror, surface) in mirrors.zip(&self.deep_water.mirrored) {
            let viewpoint = Viewpoint::mirrored_at(viewpoint, surface.height);
            let seen = (&viewpoint, Part::Level);
            stats.add_mirror(mirror.list(scene, seen, placement, state, aspect, None));
            let size = WaterTargets::mirror_size(size);
            let uniform = FrameUniform::new(state, &viewpoint, scene.air(state), false, size);
            mirror.write((gpu, &self.layouts), &self.lights, &uniform)?;
        }
        Ok(stats)
    }

    /// What is above each level of water, as it is seen in that; without light that the frame adds, which is listed by
    /// places in the picture of the camera.
    pub(super) fn draw_mirrors(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        water: &WaterTargets,
        scene: &SceneGpu,
        state: &FrameState,
        background: [f32; 3],
    ) {
        let mirrors = self.deep_water.mirrors.iter().enumerate();
        for (index, mirror) in mirrors.take(self.deep_water.mirrored.len()) {
            let pass = &mut water.begin_mirror(encoder, index, background);
            let view = (mirror, AddedLight::default());
            self.draw_opaque(pass, scene, state, view, &OPAQUE);
            self.draw_sky(pass, scene, state);
            self.draw_kinds(pass, scene, state, view, &BLENDED);
        }
    }
}
