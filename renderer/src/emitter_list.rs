//! Which emitters may be seen in a frame, and their particles. Plain arithmetic, no GPU.

use glam::Vec3;
use ironlands_scene::{Affine, Sphere};

use crate::{
    FrameState, RenderError, SceneGpu, drawn_view::CullContext, particle_list::ParticleList,
};

impl ParticleList {
    /// Fills the list with the particles that may be seen of a scene. `poses` are those of all nodes.
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
        })?;
        self.sort();
        Ok(())
    }
}
