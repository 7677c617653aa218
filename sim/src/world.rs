//! What camera, picking and HUD ask of any level, whatever its world.
//!
//! A world answers from its own structures and in its own words: the caller gets places, numbers and text, and
//! never learns of faces, leaves or cells. One file a world beside this one.

mod model;
mod parkan;

pub use model::ModelWorld;
pub use parkan::{ParkanWorld, ParkanWorldError};

use crate::Ray;
use crate::animation::RowMatrix;
use crate::motion::{Clock, ModelHit, Motion};
use glam::Vec3;

/// A level to stand on and to point at. Engine axes (right-handed, +Z up), world units.
pub trait World: Send + Sync {
    /// Smallest and largest corner of everything solid; both zero in an empty world.
    fn bounds(&self) -> (Vec3, Vec3);

    /// The nearest thing that a ray meets, `t` in lengths of its direction, `0.0..=t_max`. A ray that is not
    /// finite meets nothing.
    ///
    /// What stands in the level is met as `world_from_nodes` poses it; if that is not from [`pose`](Self::pose), as
    /// an empty slice, only the level itself is met.
    fn cast_ray(&self, ray: &Ray, t_max: f32, world_from_nodes: &[RowMatrix]) -> Option<WorldHit>;

    /// Height of the ground for who is at `z`: the highest at or below it, else the lowest above it, so that who
    /// has sunk into the ground is lifted out. Water is no ground: walkers stand on its bed. `None` where there
    /// is no ground at all.
    fn ground_below(&self, x: f32, y: f32, z: f32) -> Option<f32>;

    /// What is known of the thing that was hit, in the order to show it. Empty for a hit of another world.
    fn describe(&self, hit: &WorldHit) -> Vec<Fact>;

    /// Triangles that cover the thing that was hit, for a highlight, posed as `world_from_nodes` says. Empty for a
    /// hit of another world.
    fn outline(&self, hit: &WorldHit, world_from_nodes: &[RowMatrix]) -> Vec<[Vec3; 3]>;

    /// World from node for every node of everything that stands in the level, into `world_from_nodes`, which is
    /// cleared before; in the order of the scene's instances. All threads work on it.
    fn pose(&self, clock: &Clock, world_from_nodes: &mut Vec<RowMatrix>);

    /// The last frame of the longest animation in the level; 0 where nothing is animated.
    fn last_frame(&self) -> f32;
}

/// Where a ray meets a world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorldHit {
    /// What was hit; its meaning is the world's own.
    pub element: u32,
    /// Distance in lengths of the ray's direction.
    pub t: f32,
    /// The point, world units.
    pub position: Vec3,
    /// Unit normal of the surface, on the side that the ray came from.
    pub normal: Vec3,
}

/// A line of the HUD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What is told, in a word or two.
    pub label: String,
    /// What it is.
    pub value: String,
}

/// What is known of a node of a pose: whose it is.
fn model_facts(motion: &Motion, node: usize) -> Vec<Fact> {
    let names = motion.names_at(node);
    let facts = ["object", "model", "node"]
        .into_iter()
        .zip(names.into_iter().flatten());
    facts
        .filter(|(_, name)| !name.is_empty())
        .map(|(label, name)| Fact::new(label, name))
        .collect()
}

impl ModelHit {
    /// The same hit for a world whose elements before `first` are other things than nodes.
    fn in_world(self, first: usize) -> WorldHit {
        let Self {
            node,
            t,
            position,
            normal,
        } = self;
        WorldHit {
            // The nodes of a level fit; what does not is the world's last word on it.
            element: u32::try_from(first + node).unwrap_or(u32::MAX),
            t,
            position,
            normal,
        }
    }
}

impl Fact {
    fn new(label: &str, value: impl Into<String>) -> Self {
        Self {
            label: label.to_owned(),
            value: value.into(),
        }
    }
}
