//! The light that a frame adds to what the scene's game had: preparing it, and drawing the maps of the sun's shadows.

use ironlands_scene::PassKind;

use super::Renderer;
use crate::{
    FrameState, Gpu, RenderError, SceneGpu,
    draw_list::ListOf,
    drawn_view::DrawnView,
    frame_lights::{FrameLights, MapDraw, sun_maps_of},
    lamp_maps::{LampView, N_LAMPS, N_SIDES},
    motion::{Placement, Which},
    passes::AddedLight,
    sun_maps::{N_SUN_MAPS, SunMaps},
    uniforms::FrameUniform,
    view_cells::Part,
    viewpoint::Viewpoint,
};

impl Renderer {
    /// Hands lamps to the device, and lists what throws shadows on what is in view, where a frame shows such.
    pub(super) fn prepare_lights(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        placement: Placement<'_>,
        state: &FrameState,
        (viewpoint, uniform): (&Viewpoint, &FrameUniform),
        size: [u32; 2],
    ) -> Result<(), RenderError> {
        self.sun_maps = sun_maps_of(scene, state, size);
        self.added = FrameLights::added(scene, state, self.sun_maps.is_some());
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
            self.prepare_lamp_maps(gpu, scene, placement, state, (viewpoint, uniform), size)?;
        }
        if let Some(maps) = self.sun_maps {
            let seen = (viewpoint, uniform);
            self.prepare_sun_maps(gpu, scene, placement, state, seen, (&maps, size))?;
        }
        Ok(())
    }

    fn prepare_sun_maps(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        placement: Placement<'_>,
        state: &FrameState,
        (viewpoint, uniform): (&Viewpoint, &FrameUniform),
        (maps, size): (&SunMaps, [u32; 2]),
    ) -> Result<(), RenderError> {
        let aspect = size[0] as f32 / size[1] as f32;
        let draws = self
            .lights
            .write_sun(gpu, scene, state, placement.motion, maps)?;
        for (index, map) in maps.maps.iter().enumerate() {
            let MapDraw { still, moving } = draws[index];
            let views = [
                (still, &mut self.casters[index], Which::Still),
                (moving, &mut self.moving_casters[index], Which::Moving),
            ];
            for (is_drawn, casters, which) in views {
                if !is_drawn {
                    continue;
                }
                let seen = (viewpoint, Part::Level);
                let within = Some((map.frustum, which));
                casters.list(scene, seen, placement, state, aspect, within);
                let uniform = uniform.for_sun_map(&map.clip_from_eye);
                casters.write((gpu, &self.layouts), &self.lights, &uniform)?;
            }
            let has_moving = moving && !self.moving_casters[index].list.is_empty();
            self.map_draws[index] = MapDraw {
                still,
                moving: moving && self.lights.has_to_be_drawn(index, still, has_moving),
            };
        }
        Ok(())
    }

    fn prepare_lamp_maps(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        placement: Placement<'_>,
        state: &FrameState,
        (viewpoint, uniform): (&Viewpoint, &FrameUniform),
        size: [u32; 2],
    ) -> Result<(), RenderError> {
        let aspect = size[0] as f32 / size[1] as f32;
        self.lamp_draws = (self.lights).lamps_to_draw(gpu, scene, state, placement.motion)?;
        if self.lamp_casters.is_empty() {
            let view = || DrawnView::new(gpu, &self.layouts, &self.lights, ListOf::Depths);
            self.lamp_casters =
                std::array::from_fn::<_, { N_LAMPS * N_SIDES }, _>(|_| view()).into();
        }
        let lamps = self
            .lamp_draws
            .iter()
            .zip(self.lamp_casters.chunks_mut(N_SIDES));
        for (lamp, casters) in lamps {
            let Some(light) = lamp.map(|lamp| &scene.lights[lamp]) else {
                continue;
            };
            for (side, casters) in casters.iter_mut().enumerate() {
                let LampView {
                    clip_from_eye,
                    frustum,
                } = LampView::new(light, side);
                let seen = (viewpoint, Part::Level);
                let within = Some((frustum, Which::All));
                casters.list(scene, seen, placement, state, aspect, within);
                let uniform = uniform.for_lamp_map(light.position, &clip_from_eye);
                casters.write((gpu, &self.layouts), &self.lights, &uniform)?;
            }
        }
        Ok(())
    }

    /// Draws what lamps see.
    pub(super) fn draw_lamp_maps(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        scene: &SceneGpu,
        state: &FrameState,
    ) {
        let plain = AddedLight::default();
        for slot in (0..N_LAMPS).filter(|slot| self.lamp_draws[*slot].is_some()) {
            for side in 0..N_SIDES {
                let view = &self.lamp_casters[slot * N_SIDES + side];
                let pass = &mut self.lights.begin_lamp_map(encoder, [slot, side]);
                pass.set_bind_group(0, &view.bind_group, &[]);
                self.draw_kinds(pass, scene, state, (view, plain), &PassKind::ALL);
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
        let plain = AddedLight::default();
        for (index, draw) in self.map_draws.iter().enumerate() {
            if draw.still {
                let view = &self.casters[index];
                let pass = &mut self.lights.begin_still_map(encoder, index);
                pass.set_bind_group(0, &view.bind_group, &[]);
                if let Some((tiles, maps)) = scene.tiles.as_ref().zip(self.sun_maps.as_ref()) {
                    self.tile.draw_depth(pass, tiles, &maps.maps[index].frustum);
                }
                self.draw_kinds(pass, scene, state, (view, plain), &PassKind::ALL);
            }
            if draw.moving {
                let view = &self.moving_casters[index];
                let pass = &mut self.lights.begin_moving_map(encoder, index);
                pass.set_bind_group(0, &view.bind_group, &[]);
                self.draw_kinds(pass, scene, state, (view, plain), &PassKind::ALL);
            }
        }
    }
}
