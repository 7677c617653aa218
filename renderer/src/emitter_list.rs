//! Which emitters and patches of foliage may be seen in a frame, and their particles. Plain arithmetic, no GPU.

use glam::Vec3;
use ironlands_scene::{Aabb, Affine, LightStyle, Sphere};

use crate::{
    FrameState, RenderError, SceneGpu,
    drawn_view::CullContext,
    particle_list::ParticleList,
    scene_upload::{GpuEmitters, GpuFoliage},
};

impl ParticleList {
    /// Fills the list with the particles and the foliage that may be seen of a scene. `poses` are those of all nodes.
    ///
    /// # Errors
    /// [`RenderError::Emitters`] if the frame has moments, but not one for each emitter.
    pub(crate) fn list(
        &mut self,
        scene: &SceneGpu,
        poses: &[Affine],
        cull_context: CullContext<'_>,
        state: &FrameState,
    ) -> Result<(), RenderError> {
        self.clear();
        let Some(emitters) = scene.emitters.as_ref() else {
            return Ok(());
        };
        if state.switches.particles {
            self.list_emitters(emitters, scene, poses, cull_context, state)?;
        }
        if let Some(foliage) = (emitters.foliage.as_ref()).filter(|_| state.switches.foliage) {
            self.list_foliage(foliage, cull_context, state, scene.styles_in(state));
        }
        self.sort();
        Ok(())
    }

    fn list_emitters(
        &mut self,
        emitters: &GpuEmitters,
        scene: &SceneGpu,
        poses: &[Affine],
        cull_context: CullContext<'_>,
        state: &FrameState,
    ) -> Result<(), RenderError> {
        let world_from_node = |instance: u32, node: u32| {
            let first_node = scene.models.instances[instance as usize].first_node;
            poses[first_node + node as usize]
        };
        let hour = scene.hour(state);
        emitters.for_each_on(state, world_from_node, |emitter, at| {
            let cells = &emitter.emitter.cells;
            let is_seen = cull_context.cells.is_part(cells) && cull_context.cells.is_seen(cells);
            let Sphere { center, radius } = emitter.emitter.bounds(at);
            let [_, farthest] = emitter.emitter.range.far;
            let is_near = Vec3::from(center).distance(cull_context.eye) - radius < farthest;
            let is_there = (emitter.emitter.hours)
                .is_none_or(|window| hour.is_some_and(|hour| window.contains(hour)));
            if is_there
                && is_seen
                && is_near
                && cull_context.view.may_see_ball(center.into(), radius)
            {
                self.add(&emitter.emitter, &emitter.layers, at, &state.camera);
            }
        })
    }

    fn list_foliage(
        &mut self,
        foliage: &GpuFoliage,
        cull_context: CullContext<'_>,
        state: &FrameState,
        styles: &[LightStyle],
    ) {
        let eye = state.camera.position.to_array();
        let [_, farthest] = foliage.foliage.range.far;
        for patch in &foliage.foliage.patches {
            let is_seen = cull_context.cells.is_part(&patch.cells)
                && cull_context.cells.is_seen(&patch.cells)
                && cull_context.view.may_see_box(&patch.bounds);
            if is_seen && distance_to_box(eye, &patch.bounds) < farthest {
                self.add_patch(foliage, patch, state, styles);
            }
        }
    }
}

fn distance_to_box(point: [f32; 3], bounds: &Aabb) -> f32 {
    let outside = [0, 1, 2].map(|axis: usize| {
        let beyond = (point[axis] - bounds.max[axis]).max(bounds.min[axis] - point[axis]);
        beyond.max(0.0)
    });
    Vec3::from(outside).length()
}
