//! The light that a frame adds to what the scene's game had: preparing it, and drawing the maps of the sun's shadows.

use ironlands_scene::PassKind;

use super::Renderer;
use crate::{
    FrameState, Gpu, RenderError, SceneGpu, frame_lights::FrameLights, passes::AddedLight,
    sun_maps::N_SUN_MAPS, uniforms::FrameUniform, view_cells::Part, viewpoint::Viewpoint,
};

impl Renderer {
    /// Hands lamps to the device, and lists what throws shadows on what is in view, where a frame shows such.
    pub(super) fn prepare_lights(
        &mut self,
        gpu: &Gpu,
        scene: &SceneGpu,
        state: &FrameState,
        (viewpoint, uniform): (&Viewpoint, &FrameUniform),
        size: [u32; 2],
    ) -> Result<(), RenderError> {
        self.added = FrameLights::added(scene, state);
        self.is_map_drawn = [false; N_SUN_MAPS];
        if self.added == AddedLight::default() {
            return Ok(());
        }
        gpu.guarded("what draws shadows and lamps", || {
            self.surface.prepare_light(gpu, self.added);
            self.tile.prepare_light(gpu, self.added);
        })?;
        if self.added.local_lights {
            self.lights.write_lamps(gpu, scene, state, size)?;
        }
        if self.added.sun_shadows {
            let aspect = size[0] as f32 / size[1] as f32;
            let (maps, is_outdated) = self.lights.write_sun(gpu, scene, state, aspect)?;
            self.is_map_drawn = is_outdated;
            let frame_context = scene.models.frame_context(state)?;
            for (index, map) in maps.maps.iter().enumerate() {
                if !is_outdated[index] {
                    continue;
                }
                let casters = &mut self.casters[index];
                let seen = (viewpoint, Part::Level);
                let within = Some(map.frustum);
                casters.list(scene, seen, frame_context, state, aspect, within);
                let uniform = uniform.for_sun_map(&map.clip_from_eye);
                casters.write((gpu, &self.layouts), &self.lights, &uniform)?;
            }
        }
        Ok(())
    }

    /// Draws what the sun sees.
    pub(super) fn draw_sun_maps(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        scene: &SceneGpu,
        state: &FrameState,
    ) {
        let views = self.casters.iter().enumerate();
        for (index, view) in views.filter(|(index, _)| self.is_map_drawn[*index]) {
            let pass = &mut self.lights.begin_map(encoder, index);
            pass.set_bind_group(0, &view.bind_group, &[]);
            if let Some(tiles) = &scene.tiles {
                self.tile.draw_depth(pass, tiles);
            }
            let plain = AddedLight::default();
            self.draw_kinds(pass, scene, state, (view, plain), &PassKind::ALL);
        }
    }
}
