//! The light that a frame adds to what the scene's game had: preparing it, and drawing the maps of the sun's shadows.

use ironlands_scene::PassKind;

use super::Renderer;
use crate::{
    FrameState, FrameStats, Gpu, RenderError, SceneGpu,
    cull::Frustum,
    draw_list::ListOf,
    drawn_view::DrawnView,
    frame_lights::{FrameLights, MapDraw, sun_maps_of},
    lamp_maps::{LampView, N_LAMPS, N_SIDES},
    motion::{Placement, Which},
    passes::{AddedLight, Layouts, sky::SkyContent},
    sun_maps::{N_SUN_MAPS, SunMaps},
    uniforms::FrameUniform,
    view_cells::Part,
    viewpoint::Viewpoint,
};

/// What is lit in a frame, and from where it is seen.
#[derive(Clone, Copy)]
pub(super) struct LitFrame<'a> {
    pub gpu: &'a Gpu,
    pub scene: &'a SceneGpu,
    pub placement: Placement<'a>,
    pub state: &'a FrameState,
    pub viewpoint: &'a Viewpoint,
    pub uniform: &'a FrameUniform,
    /// Of the picture in pixels.
    pub size: [u32; 2],
}

impl LitFrame<'_> {
    /// Lists what throws shadows within a map's frustum, and hands it to the device; `uniform` is that of the map.
    fn list_casters(
        &self,
        casters: &mut DrawnView,
        within: (Frustum, Which),
        uniform: &FrameUniform,
        (layouts, lights): (&Layouts, &FrameLights),
    ) -> Result<(), RenderError> {
        let aspect = self.size[0] as f32 / self.size[1] as f32;
        let seen = (self.viewpoint, Part::Level);
        casters.list(
            self.scene,
            seen,
            self.placement,
            self.state,
            aspect,
            Some(within),
        );
        casters.write((self.gpu, layouts), lights, uniform)
    }
}

impl Renderer {
    /// Makes what is missing for the sky of a frame.
    pub(super) fn prepare_sky(&mut self, gpu: &Gpu, state: &FrameState) -> Result<(), RenderError> {
        let content = SkyContent {
            is_rich: state.adds(|it| it.rich_sky),
            has_clouds: state.adds(|it| it.clouds),
        };
        if self.sky.choose(content) {
            gpu.guarded("what draws the sky", || self.sky.prepare(gpu))?;
        }
        Ok(())
    }

    /// Hands lamps to the device, and lists what throws shadows on what is in view, where a frame shows such.
    pub(super) fn prepare_lights(&mut self, frame: LitFrame<'_>) -> Result<(), RenderError> {
        let LitFrame {
            gpu,
            scene,
            state,
            size,
            ..
        } = frame;
        self.sun_maps = sun_maps_of(scene, state, size);
        self.added =
            FrameLights::added(scene, state, self.targets.samples, self.sun_maps.is_some());
        self.map_draws = [MapDraw::default(); N_SUN_MAPS];
        self.lamp_draws = [None; N_LAMPS];
        if self.added == AddedLight::default() {
            return Ok(());
        }
        if self.added.local_lights {
            self.added.lamp_shadows = self.lights.write_lamps(gpu, scene, state, size)?;
        }
        gpu.guarded("what draws shadows and lamps", || {
            self.surface.prepare_light(gpu, self.added);
            self.tile.prepare_light(gpu, self.added);
        })?;
        if self.added.lamp_shadows {
            self.prepare_lamp_maps(frame)?;
        }
        if let Some(maps) = self.sun_maps {
            self.prepare_sun_maps(frame, &maps)?;
        }
        Ok(())
    }

    fn prepare_sun_maps(&mut self, frame: LitFrame<'_>, maps: &SunMaps) -> Result<(), RenderError> {
        let motion = frame.placement.motion;
        let draws = (self.lights).write_sun(frame.gpu, frame.scene, frame.state, motion, maps)?;
        for (index, map) in maps.maps.iter().enumerate() {
            let MapDraw { still, moving } = draws[index];
            let views = [
                (still, &mut self.casters[index], Which::Still),
                (moving, &mut self.moving_casters[index], Which::Moving),
            ];
            let uniform = frame.uniform.for_sun_map(&map.clip_from_eye);
            let device = (&self.layouts, &self.lights);
            for (_, casters, which) in views.into_iter().filter(|(is_drawn, ..)| *is_drawn) {
                frame.list_casters(casters, (map.frustum, which), &uniform, device)?;
            }
            let has_moving = moving && !self.moving_casters[index].list.is_empty();
            self.map_draws[index] = MapDraw {
                still,
                moving: moving && self.lights.has_to_be_drawn(index, still, has_moving),
            };
        }
        Ok(())
    }

    fn prepare_lamp_maps(&mut self, frame: LitFrame<'_>) -> Result<(), RenderError> {
        let LitFrame {
            gpu, scene, state, ..
        } = frame;
        self.lamp_draws = (self.lights).lamps_to_draw(gpu, scene, state, frame.placement.motion)?;
        if self.lamp_casters.is_empty() {
            let view = || DrawnView::new(gpu, &self.layouts, &self.lights, ListOf::Depths);
            self.lamp_casters =
                std::array::from_fn::<_, { N_LAMPS * N_SIDES }, _>(|_| view()).into();
        }
        let device = (&self.layouts, &self.lights);
        let casters = self.lamp_casters.chunks_mut(N_SIDES);
        for (lamp, casters) in self.lamp_draws.iter().zip(casters) {
            let Some(light) = lamp.map(|lamp| &scene.lights[lamp]) else {
                continue;
            };
            for (side, casters) in casters.iter_mut().enumerate() {
                let LampView {
                    clip_from_eye,
                    frustum,
                } = LampView::new(light, side);
                let uniform = (frame.uniform).for_lamp_map(light.position, &clip_from_eye);
                frame.list_casters(casters, (frustum, Which::All), &uniform, device)?;
            }
        }
        Ok(())
    }

    /// Counts what is drawn for shadows.
    pub(super) fn count_casters(&self, stats: &mut FrameStats) {
        let of_sun = self.map_draws.iter().enumerate();
        let of_sun = of_sun.flat_map(|(index, draw)| {
            let still = draw.still.then_some(&self.casters[index]);
            let moving = draw.moving.then_some(&self.moving_casters[index]);
            still.into_iter().chain(moving)
        });
        let of_lamps = self.lamp_casters.chunks(N_SIDES).zip(&self.lamp_draws);
        let of_lamps = of_lamps
            .filter(|(_, lamp)| lamp.is_some())
            .flat_map(|(sides, _)| sides);
        for casters in of_sun.chain(of_lamps) {
            stats.draw_calls += casters.list.n_draw_calls();
            let n_triangles = casters.list.n_triangles();
            stats.triangles += n_triangles;
            stats.triangles_without_visibility += n_triangles;
        }
    }

    /// Draws what lamps see.
    pub(super) fn draw_lamp_maps(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        scene: &SceneGpu,
        state: &FrameState,
    ) {
        for slot in (0..N_LAMPS).filter(|slot| self.lamp_draws[*slot].is_some()) {
            for side in 0..N_SIDES {
                let casters = &self.lamp_casters[slot * N_SIDES + side];
                let pass = &mut self.lights.begin_lamp_map(encoder, [slot, side]);
                self.draw_casters(pass, scene, state, casters);
            }
        }
    }

    /// Draws what the sun sees.
    pub(super) fn draw_sun_maps(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        scene: &SceneGpu,
        state: &FrameState,
    ) {
        for (index, draw) in self.map_draws.iter().enumerate() {
            if draw.still {
                let pass = &mut self.lights.begin_still_map(encoder, index);
                self.draw_casters(pass, scene, state, &self.casters[index]);
                if let Some((tiles, maps)) = scene.tiles.as_ref().zip(self.sun_maps.as_ref()) {
                    self.tile.draw_depth(pass, tiles, &maps.maps[index].frustum);
                }
            }
            if draw.moving {
                let pass = &mut self.lights.begin_moving_map(encoder, index);
                self.draw_casters(pass, scene, state, &self.moving_casters[index]);
            }
        }
    }

    /// Draws the depths that are listed for a map.
    fn draw_casters(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        scene: &SceneGpu,
        state: &FrameState,
        casters: &DrawnView,
    ) {
        pass.set_bind_group(0, &casters.bind_group, &[]);
        let view = (casters, AddedLight::default());
        self.draw_kinds(pass, scene, state, view, &PassKind::ALL);
    }
}
