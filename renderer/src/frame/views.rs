//! What a frame sees: the draw lists of its viewpoints.

use super::{Renderer, added_light::LitFrame, is_in_backdrop, shown_backdrop, shows_sea};
use crate::{
    FrameState, FrameStats, Gpu, RenderError, SceneGpu,
    blob_shadows::list_blobs,
    motion::Placement,
    scene_upload::{FrameContext, GpuBackdrop},
    seen_through::WaterView,
    uniforms::{Air, FrameUniform},
    view_cells::Part,
    viewpoint::Viewpoint,
};

impl Renderer {
    /// Fills the draw lists with what the camera may see, and hands viewpoints and places to the device.
    pub(super) fn prepare_views(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        state: &FrameState,
        size: [u32; 2],
    ) -> Result<FrameStats, RenderError> {
        let frame = scene.models.frame_context(state)?;
        let mut motion = std::mem::take(&mut self.motion);
        motion.update(scene.id, &scene.models, frame);
        let placement = Placement {
            frame,
            motion: &motion,
        };
        let prepared = self.prepare_placed(gpu, scene, placement, state, size);
        self.motion = motion;
        prepared
    }

    fn prepare_placed(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        placement: Placement<'_>,
        state: &FrameState,
        size: [u32; 2],
    ) -> Result<FrameStats, RenderError> {
        self.overlay
            .prepare_pointed_out(gpu, &state.highlight, &state.lines)?;
        let aspect = size[0] as f32 / size[1] as f32;
        let viewpoint = Viewpoint::from_frame_state(state);
        let has_sea = !scene.sea.is_empty();
        let uniform = FrameUniform::new(state, &viewpoint, scene.air(state), has_sea, size);
        let uniform = FrameUniform {
            occlusion_radius: scene.occlusion_radius,
            ..uniform
        };
        self.prepare_sky(gpu, state)?;
        self.prepare_lights(LitFrame {
            gpu,
            scene,
            placement,
            state,
            viewpoint: &viewpoint,
            uniform: &uniform,
            size,
        })?;
        let part = if is_in_backdrop(scene, state) {
            Part::Everything
        } else {
            Part::Level
        };
        let seen = (&viewpoint, part);
        let mut stats = self.level.list(scene, seen, placement, state, aspect, None);
        self.count_casters(&mut stats);
        self.prepare_particles(gpu, scene, &viewpoint, placement.frame, (state, aspect))?;
        stats.particles_drawn = self.particle_list.len();
        self.list_blob_shadows(scene, &viewpoint, placement, state, aspect);
        stats.draw_calls += self.seen_through.n_particle_calls();
        stats.add_mirror(self.prepare_mirrors(gpu, scene, &viewpoint, placement, state, size)?);
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
            let backdrop_stats = self
                .backdrop
                .list(scene, seen, placement, state, aspect, None);
            stats.add(backdrop_stats);
            let air = Air {
                adapts: scene.adapts(state),
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

    fn list_blob_shadows(
        &mut self,
        scene: &SceneGpu,
        viewpoint: &Viewpoint,
        placement: Placement<'_>,
        state: &FrameState,
        aspect: f32,
    ) {
        self.blobs.clear();
        if state.switches.models && state.adds(|it| it.sun_shadows && it.blob_shadows) {
            let unit = scene.occlusion_radius;
            list_blobs(
                &scene.models,
                placement,
                viewpoint,
                aspect,
                unit,
                &mut self.blobs,
            );
        }
    }

    fn prepare_particles(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        viewpoint: &Viewpoint,
        frame_context: FrameContext<'_>,
        (state, aspect): (&FrameState, f32),
    ) -> Result<(), RenderError> {
        let list = &mut self.particle_list;
        self.level
            .list_particles(scene, viewpoint, frame_context, state, aspect, list)?;
        self.arrange_seen_through(scene, viewpoint, state, aspect);
        self.particles.write(gpu, &self.particle_list)
    }

    fn arrange_seen_through(
        &mut self,
        scene: &SceneGpu,
        viewpoint: &Viewpoint,
        state: &FrameState,
        aspect: f32,
    ) {
        let camera = &viewpoint.camera;
        let view = WaterView {
            eye: camera.position,
            clip_from_world: &camera.clip_from_world(aspect),
            waters: Some(&scene.waters).filter(|_| state.switches.water),
            has_sea: shows_sea(state),
            is_deep: self.has_deep_water(scene, state),
        };
        let list = &self.level.list;
        self.seen_through.arrange(list, &self.particle_list, view);
    }
}
