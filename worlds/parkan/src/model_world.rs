//! A model alone, to be looked at from all sides. An element is a node of a pose.

use crate::motion::{Motion, model_facts};
use crate::skeleton::MshSkeletonError;
use glam::Vec3;
use ironlands_assets_parkan::level_objects::LevelObjects;
use ironlands_scene::TileShape;
use ironlands_sim_core::Ray;
use ironlands_sim_world::{Clock, Fact, Poses, World, WorldHit};

/// Nothing but objects: there is no ground.
#[derive(Debug, Clone)]
pub struct ModelWorld {
    motion: Motion,
    bounds: (Vec3, Vec3),
}

impl ModelWorld {
    /// A world of these objects alone.
    ///
    /// # Errors
    /// A model whose nodes make no skeleton.
    pub fn new(level_objects: &LevelObjects) -> Result<Self, MshSkeletonError> {
        let models = level_objects.models.iter();
        let corners = models
            .flat_map(|model| model.msh.header.corners)
            .map(Vec3::from)
            .filter(|corner| corner.is_finite());
        let bounds = corners.fold(None, |bounds: Option<(Vec3, Vec3)>, corner| {
            let (min, max) = bounds.unwrap_or((corner, corner));
            Some((min.min(corner), max.max(corner)))
        });
        Ok(Self {
            motion: Motion::new(level_objects)?,
            bounds: bounds.unwrap_or_default(),
        })
    }
}

impl World for ModelWorld {
    fn bounds(&self) -> (Vec3, Vec3) {
        self.bounds
    }

    fn cast_ray(&self, ray: &Ray, t_max: f32, poses: &Poses) -> Option<WorldHit> {
        let hit = self.motion.cast_ray(ray, t_max, poses)?;
        Some(hit.in_world(0))
    }

    fn line_of_sight(&self, a: Vec3, b: Vec3, poses: &Poses) -> bool {
        a.is_finite() && b.is_finite() && !self.motion.cast_segment(a, b, poses)
    }

    fn ground_below(&self, _x: f32, _y: f32, _z: f32) -> Option<f32> {
        None
    }

    fn describe(&self, hit: &WorldHit) -> Vec<Fact> {
        model_facts(&self.motion, hit.element as usize)
    }

    fn outline(&self, hit: &WorldHit, poses: &Poses, _: TileShape) -> Vec<[Vec3; 3]> {
        self.motion.node_triangles(hit.element as usize, poses)
    }

    fn pose(&self, clock: &Clock, poses: &mut Poses) {
        self.motion.pose(clock, &|_| None, poses);
    }

    fn last_frame(&self) -> f32 {
        self.motion.last_frame()
    }
}
