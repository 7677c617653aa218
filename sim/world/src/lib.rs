//! The queries of camera, picking and HUD to any level, whatever its world.
//!
//! A world computes results from its own structures and in its own terms: the caller gets places, numbers and text, and
//! never learns of faces, leaves or cells.
//!
//! Deliberately absent: the worlds themselves, each of which is a crate in `worlds`; files.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

mod clock;
mod land;
mod living;
mod model_hit;
mod poses;
mod skinned;
mod walker;

pub use clock::{Clock, Play};
pub use land::{ground_below, slide_on};
pub use living::{FiredOutput, LivingEntities};
pub use model_hit::ModelHit;
pub use poses::Poses;
pub use skinned::SkinnedModel;
pub use walker::{Gait, WalkInput, Walker};

use glam::{Vec2, Vec3};
use ironlands_scene::{
    CullingState, EmitterState, GradingState, LightStyle, OverlayVertex, SoundState, Spawn, Tile,
    TileKey, TileOptions, TileShape,
};
use ironlands_sim_core::Ray;
use std::sync::atomic::AtomicBool;

/// A level to stand on and to point at. Engine axes (right-handed, +Z up), world units.
pub trait World: Send + Sync {
    /// Smallest and largest corner of everything solid; both zero in an empty world.
    fn bounds(&self) -> (Vec3, Vec3);

    /// The nearest hit of a ray, `t` in lengths of its direction, `0.0..=t_max`. A ray that is not
    /// finite hits nothing.
    ///
    /// Objects are hit where `poses` has them. With poses that are not from [`pose`](Self::pose), such as
    /// `Poses::default()`, rays hit only the level itself.
    fn cast_ray(&self, ray: &Ray, t_max: f32, poses: &Poses) -> Option<WorldHit>;

    /// The nearest hit of a picking ray: as [`cast_ray`](Self::cast_ray), but of land as tiles of a shape show it.
    /// The default is for worlds whose scene has no [`TileTree`](ironlands_scene::TileTree).
    fn pick(&self, ray: &Ray, t_max: f32, poses: &Poses, _shape: TileShape) -> Option<WorldHit> {
        self.cast_ray(ray, t_max, poses)
    }

    /// Whether two points see each other: neither ground nor objects, as in [`cast_ray`](Self::cast_ray), are
    /// between them. Water hides nothing. Both ends count, so query from above the ground. `false` for a point that
    /// is not finite; any other point sees itself.
    fn line_of_sight(&self, a: Vec3, b: Vec3, poses: &Poses) -> bool;

    /// Height of the ground for a character at `z`: the highest at or below it, else the lowest above it, so that a
    /// character that has sunk into the ground is lifted out. Water is no ground: walkers stand on its bed. `None`
    /// where there is no ground at all.
    fn ground_below(&self, x: f32, y: f32, z: f32) -> Option<f32>;

    /// The motion of a walker's body that should move by `motion`: it stops short of walls and slides along
    /// them, and passes through no wall however long the motion is. The body is a capsule, all points at most `radius`
    /// from the segment `a` to `b`, and keeps its direction; a capsule that has sunk into walls is lifted out of them.
    ///
    /// Everything solid of the level itself stops it, including the ground, but not water. Objects do not stop
    /// walkers. Without contact it moves by all of `motion`, to the bit. The default has no contacts.
    fn slide(&self, _a: Vec3, _b: Vec3, _radius: f32, motion: Vec3) -> Vec3 {
        motion
    }

    /// Moves a walker for a time step by the rules of this world's game; `true` if it did. The default does nothing
    /// and returns `false`: then the caller moves the walker as in any world, by
    /// [`ground_below`](Self::ground_below) and [`slide`](Self::slide).
    fn walk(&self, _walker: &mut Walker, _wish: &WalkInput, _step_secs: f32) -> bool {
        false
    }

    /// The gait of walkers that [`walk`](Self::walk) moves; `None` if it does not.
    fn gait(&self) -> Option<Gait> {
        None
    }

    /// Facts about the thing that was hit, in the order to show them. Empty for a hit of another world.
    fn describe(&self, hit: &WorldHit) -> Vec<Fact>;

    /// Triangles that cover the thing that was hit, for a highlight, where `poses` has it, or where tiles of a shape
    /// show it. Empty for a hit of another world.
    fn outline(&self, hit: &WorldHit, poses: &Poses, shape: TileShape) -> Vec<[Vec3; 3]>;

    /// Where everything that stands in the level is, into `poses`, which replaces what they were; in the order of
    /// the scene's instances. All threads work on it. The default is for levels that nothing stands in.
    fn pose(&self, _clock: &Clock, poses: &mut Poses) {
        poses.clear();
    }

    /// Changes the emitters of the scene, in its order, to what they are at a time: given are all of them on, at the time of
    /// the clock, where their anchors have them. The default leaves them so.
    fn emit(&self, _clock: &Clock, _moments: &mut [EmitterState]) {}

    /// Changes the sounds of the scene, in its order, to what they are at a time, for a listener: given are all of them as they
    /// are by themselves. The default leaves them so.
    fn sound(&self, _clock: &Clock, _listener: Vec3, _states: &mut [SoundState]) {}

    /// Changes how the picture is shown to what it is at a time: given is what the scene says. The default leaves it so.
    fn grade(&self, _clock: &Clock, _grading: &mut GradingState) {}

    /// Changes which portals are open and which occluders hide something, in the scene's order, to what they are at a time:
    /// given are empty lists, for all as the scene has them. The default leaves them so.
    fn cull(&self, _clock: &Clock, _culling: &mut CullingState) {}

    /// How stored lights change with time, in place of [`Scene::light_styles`](ironlands_scene::Scene::light_styles); left
    /// empty where the scene says it, which is the default.
    fn light_styles(&self, _clock: &Clock, _styles: &mut Vec<LightStyle>) {}

    /// Its entities, if they live. The default has none.
    fn living_entities(&self) -> Option<&dyn LivingEntities> {
        None
    }

    /// The last frame of the longest animation in the level; 0 where nothing is animated, which is the default.
    fn last_frame(&self) -> f32 {
        0.0
    }

    /// Whether its animations play at rates of their own, whatever [`Play::All`] says. The default says no.
    fn has_own_rates(&self) -> bool {
        false
    }

    /// Named things with a position that the level's author placed, visible or not, in file order. The default has
    /// none.
    fn entities(&self) -> &[WorldEntity] {
        &[]
    }

    /// The initial view, as the position of the eye: of the spawns that the level's author chose, in their order, the
    /// first one that shows something, turned if necessary; else a position found by a search. `None` if there is
    /// none. The default takes the first spawn.
    fn first_view(&self, chosen: &[Spawn]) -> Option<Spawn> {
        chosen.first().cloned()
    }

    /// Converts a point from engine axes to the game's own coordinates, which [`describe`](Self::describe) uses, too.
    /// The default is for games with the engine's axes.
    fn in_game_axes(&self, point: Vec3) -> Vec3 {
        point
    }

    /// Builds a tile of the scene's [`TileTree`](ironlands_scene::TileTree), independent of earlier calls; an empty one
    /// where there is no land. Takes milliseconds: call it from another thread than the one that draws. `None` from
    /// worlds whose scene has no such tree, which is the default.
    fn tile(&self, _key: TileKey, _options: TileOptions) -> Option<Tile> {
        None
    }

    /// The largest number of layers of land above each other, as [`TileOptions::layer`] counts them. `None` from worlds
    /// whose land does not come in tiles, which is the default.
    fn n_layers(&self) -> Option<u8> {
        None
    }

    /// Counts changes of the level since it was opened. The default is for levels that nothing changes.
    fn revision(&self) -> u64 {
        0
    }

    /// Where land that comes in tiles changed after a [`revision`](Self::revision): smallest and largest x and y of
    /// rectangles. `None` if that is not known any more, and it may be anywhere.
    fn changes_since(&self, _revision: u64) -> Option<Vec<[Vec2; 2]>> {
        Some(Vec::new())
    }

    /// A hit from before the level changed, where that place is now.
    fn follow(&self, hit: &WorldHit) -> WorldHit {
        *hit
    }

    /// The place of a hit as text for other programs, such as the game's command that leads there; the default is its
    /// coordinates in [`in_game_axes`](Self::in_game_axes).
    fn place_text(&self, hit: &WorldHit) -> String {
        let Vec3 { x, y, z } = self.in_game_axes(hit.position);
        format!("{x:.1} {y:.1} {z:.1}")
    }

    /// Whether [`relate`](Self::relate) returns anything for two hits. Takes no time. `false` by default, and for
    /// hits of another world.
    fn relates(&self, _from: &WorldHit, _to: &WorldHit) -> bool {
        false
    }

    /// Facts and lines that relate two hits: line of sight, and the path from the first
    /// to the second. Lines lie on what tiles of a shape show. May take some tenths of a second: call it from another
    /// thread than the one that draws, and set `cancel` if the result is no longer needed. `None` then, and where
    /// [`relates`](Self::relates) is `false`.
    fn relate(
        &self,
        _from: &WorldHit,
        _to: &WorldHit,
        _shape: TileShape,
        _cancel: &AtomicBool,
    ) -> Option<Relation> {
        None
    }
}

/// How two positions of a world relate.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Relation {
    /// Facts, in the order to show them.
    pub facts: Vec<Fact>,
    /// Pairs of end points, world units.
    pub lines: Vec<OverlayVertex>,
}

/// A thing that a level's author placed.
#[derive(Debug, Clone, PartialEq)]
pub struct WorldEntity {
    /// Its class, in the world's own terms, such as `light_environment`.
    pub class: String,
    /// Name; empty = none.
    pub name: String,
    /// Position, if it has one.
    pub position: Option<Vec3>,
    /// All facts, in file order.
    pub facts: Vec<Fact>,
}

/// Where a ray hits a world.
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

/// A labeled line of the HUD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What the value is, in a word or two.
    pub label: String,
    /// The value.
    pub value: String,
}

impl Fact {
    /// Creates a fact from a label and a value.
    pub fn new(label: &str, value: impl Into<String>) -> Self {
        Self {
            label: label.to_owned(),
            value: value.into(),
        }
    }
}
