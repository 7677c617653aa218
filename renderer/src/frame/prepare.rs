//! What is made ready before a frame is drawn: lists, viewpoints, particles, and the views of mirrors.

use super::*;

impl Renderer {
    /// Fills the draw lists with what the camera may see, and hands viewpoints and places to the device.
    pub(super) fn prepare_views(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        state: &FrameState,
        size: [u32; 2],
    ) -> Result<FrameStats, RenderError> {
        let frame_context = scene.models.frame_context(state)?;
        self.overlay
            .prepare_pointed_out(gpu, &state.highlight, &state.lines)?;
        let aspect = size[0] as f32 / size[1] as f32;
        let viewpoint = Viewpoint::from_frame_state(state);
        let has_sea = !scene.sea.is_empty();
        let uniform = FrameUniform::new(state, &viewpoint, scene.air(state), has_sea, size);
        self.prepare_lights(gpu, scene, state, (&viewpoint, &uniform), size)?;
        let part = if is_in_backdrop(scene, state) {
            Part::Everything
        } else {
            Part::Level
        };
        let seen = (&viewpoint, part);
        let mut stats = self
            .level
            .list(scene, seen, frame_context, state, aspect, None);
        self.prepare_particles(gpu, scene, &viewpoint, frame_context, (state, aspect))?;
        stats.particles_drawn = self.particle_list.len();
        stats.draw_calls += self.seen_through.n_particle_calls();
        stats.add(self.prepare_mirrors(gpu, scene, &viewpoint, frame_context, state, size)?);
        self.level
            .write((gpu, &self.layouts), &self.lights, &uniform)?;
        if let Some(tiles) = &scene.tiles {
            let eye = viewpoint.camera.position;
            self.tile.prepare(gpu, tiles, &state.tiles, eye)?;
            for tile in tiles.shown() {
                stats.tiles_drawn += 1;
                stats.tile_facets += u64::from(tile.n_facets);
            }
            stats.triangles += 2 * stats.tile_facets;
            stats.draw_calls += stats.tiles_drawn;
        }
        if let Some(GpuBackdrop { backdrop, .. }) = shown_backdrop(scene, state) {
            let viewpoint = Viewpoint::from_backdrop(&viewpoint, backdrop);
            let seen = (&viewpoint, Part::Backdrop);
            let backdrop_stats =
                self.backdrop
                    .list(scene, seen, frame_context, state, aspect, None);
            stats.add(backdrop_stats);
            let air = Air {
                fog: backdrop.fog,
                is_haze: false,
                is_water: false,
            };
            let uniform = FrameUniform::new(state, &viewpoint, air, false, size);
            self.backdrop
                .write((gpu, &self.layouts), &self.lights, &uniform)?;
        }
        Ok(stats)
    }

    pub(super) fn prepare_particles(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        viewpoint: &Viewpoint,
        frame_context: FrameContext<'_>,
        (state, aspect): (&FrameState, f32),
    ) -> Result<(), RenderError> {
        let list = &mut self.particle_list;
        list.clear();
        if state.switches.particles {
            self.level
                .list_particles(scene, viewpoint, frame_context, state, aspect, list)?;
        }
        let surfaces = self.level.list.of_kind(PassKind::Translucent);
        self.seen_through.arrange(surfaces, list);
        self.particles.write(gpu, list)
    }

    /// Whether particles look at the depth of what is behind them.
    pub(super) fn has_soft_particles(&self, state: &FrameState) -> bool {
        state.style == Style::Enhanced
            && state.switches.soft_particles
            && self.particle_list.is_any_soft()
    }

    /// Whether water in view is to be drawn as deep water.
    pub(super) fn has_deep_water(&self, scene: &SceneGpu, state: &FrameState) -> bool {
        let is_deep = |pipeline: usize| self.surface.has_deep(pipeline);
        let mut items = self.level.list.of_kind(PassKind::Water).iter();
        let mut sea = scene.sea.iter().filter(|_| shows_sea(state));
        let is_asked = state.adds(|it| it.deep_water && it.water);
        is_asked && (items.any(|item| is_deep(item.pipeline)) || sea.any(|it| is_deep(it.pipeline)))
    }

    /// Fills the draw lists of the mirrors of this frame.
    pub(super) fn prepare_mirrors(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        viewpoint: &Viewpoint,
        frame_context: FrameContext<'_>,
        state: &FrameState,
        size: [u32; 2],
    ) -> Result<FrameStats, RenderError> {
        let mut stats = FrameStats::default();
        let aspect = size[0] as f32 / size[1] as f32;
        self.deep_water.heights.clear();
        if !self.has_deep_water(scene, state) {
            return Ok(stats);
        }
        if state.adds(|it| it.mirrors) {
            let has_sea = shows_sea(state);
            self.deep_water.heights = (self.level).water_heights(scene, viewpoint, aspect, has_sea);
        }
        self.deep_water.pass.write(gpu, &self.deep_water.heights);
        let mirrors = self.deep_water.mirrors.iter_mut();
        for (mirror, height) in mirrors.zip(&self.deep_water.heights) {
            let viewpoint = Viewpoint::mirrored_at(viewpoint, *height);
            let seen = (&viewpoint, Part::Level);
            stats.add(mirror.list(scene, seen, frame_context, state, aspect, None));
            let size = WaterTargets::mirror_size(size);
            let uniform = FrameUniform::new(state, &viewpoint, scene.air(state), false, size);
            mirror.write((gpu, &self.layouts), &self.lights, &uniform)?;
        }
        Ok(stats)
    }
}
