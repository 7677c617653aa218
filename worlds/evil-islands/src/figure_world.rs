//! A figure alone, to be looked at from all sides. An element is a part.

use crate::figure::{Actor, Build, Crowd, FrameAt, Rig};
use glam::Vec3;
use ironlands_scene::{Scene, TileShape};
use ironlands_sim_core::Ray;
use ironlands_sim_world::{Clock, Fact, Play, Poses, World, WorldHit};

/// Nothing but figures: there is no ground.
#[derive(Debug, Clone)]
pub struct FigureWorld {
    rig: Rig,
    /// Dexterity, strength, height at the beginning.
    complection: [f32; 3],
    crowd: Crowd,
    bounds: (Vec3, Vec3),
}

impl FigureWorld {
    /// A world of the only instance of a scene, which wears the figure of this rig. Its bounds are those of the first
    /// frame of its idle animation; at rest, units stand half in the ground.
    ///
    /// # Panics
    /// As [`Crowd::new`].
    pub fn new(rig: Rig, complection: [f32; 3], scene: &Scene) -> Self {
        let actor = Actor {
            complection,
            animation: rig.idle(),
            ..Actor::default()
        };
        let crowd = Crowd::new(vec![rig.clone()], vec![actor], scene);
        let mut poses = Poses::default();
        let clock = Clock {
            time_secs: 0.0,
            play: Play::Level,
        };
        crowd.pose(&clock, &mut poses);
        Self {
            bounds: crowd.bounds(&poses).unwrap_or_default(),
            rig,
            complection,
            crowd,
        }
    }
}

impl World for FigureWorld {
    fn bounds(&self) -> (Vec3, Vec3) {
        self.bounds
    }

    fn cast_ray(&self, ray: &Ray, t_max: f32, poses: &Poses) -> Option<WorldHit> {
        let hit = self.crowd.cast_ray(ray, t_max, poses)?;
        Some(hit.in_world(0))
    }

    fn line_of_sight(&self, a: Vec3, b: Vec3, poses: &Poses) -> bool {
        a.is_finite() && b.is_finite() && !self.crowd.cast_segment(a, b, poses)
    }

    fn ground_below(&self, _x: f32, _y: f32, _z: f32) -> Option<f32> {
        None
    }

    fn describe(&self, hit: &WorldHit) -> Vec<Fact> {
        figure_facts(&self.crowd, hit.element as usize)
    }

    fn outline(&self, hit: &WorldHit, poses: &Poses, _: TileShape) -> Vec<[Vec3; 3]> {
        self.crowd.node_triangles(hit.element as usize, poses)
    }

    fn pose(&self, clock: &Clock, poses: &mut Poses) {
        let Play::Figure {
            animation,
            frame,
            sliders,
        } = &clock.play
        else {
            self.crowd.pose(clock, poses);
            return;
        };
        let mut complection = self.complection;
        for (own, slider) in complection.iter_mut().zip(sliders.iter()) {
            *own = *slider;
        }
        let build: Build = self.rig.build(complection);
        let at = animation.map(|animation| FrameAt {
            animation,
            frame: *frame,
        });
        self.crowd.pose_as(&build, at, poses);
    }

    fn last_frame(&self) -> f32 {
        let animations = 0..self.rig.n_animations();
        let last_frames = animations.map(|animation| self.rig.last_frame(animation));
        last_frames.fold(0.0, f32::max)
    }
}

/// What is known of a part: which figure it belongs to.
pub(super) fn figure_facts(crowd: &Crowd, node: usize) -> Vec<Fact> {
    let names = crowd.names_at(node);
    let labels = ["object", "figure", "part"];
    let facts = labels.into_iter().zip(names.into_iter().flatten());
    facts
        .filter(|(_, name)| !name.is_empty())
        .map(|(label, name)| Fact::new(label, name))
        .collect()
}
