//! A continent that changes while it is queried: each query sees one state of it.

use super::GeodataWorld;
use crate::server::{DoorSet, ServerLayers};
use glam::{Vec2, Vec3};
use ironlands_assets_lineage2::{Block, GeoCell, REGION_SIZE, RegionId};
use ironlands_scene::{Tile, TileKey, TileOptions, TileShape};
use ironlands_sim_core::Ray;
use ironlands_sim_geodata::{GeoPoint, Geodata, RegionPack};
use ironlands_sim_world::{
    Clock, Fact, Gait, Poses, Relation, WalkInput, Walker, World, WorldEntity, WorldHit,
};
use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError, RwLock};

/// Changes whose places are remembered: a caller that looks every frame misses none.
const MAX_CHANGES: usize = 256;
/// Blocks of a change beyond which its place is one rectangle around all.
const MAX_RECTANGLES: usize = 64;

/// The newest [`GeodataWorld`] of an edited level.
#[derive(Debug)]
pub struct SharedWorld {
    state: RwLock<State>,
    server: ServerLayers,
}

#[derive(Debug)]
struct State {
    newest: Arc<GeodataWorld>,
    revision: u64,
    /// The last ones, each with the revision that it made.
    changes: VecDeque<(u64, Vec<[Vec2; 2]>)>,
}

impl SharedWorld {
    /// Begins with a world.
    pub fn new(world: GeodataWorld) -> Self {
        Self {
            state: RwLock::new(State {
                newest: Arc::new(world),
                revision: 0,
                changes: VecDeque::new(),
            }),
            server: ServerLayers::default(),
        }
    }

    /// The same with zones and spawn points of a server.
    #[must_use]
    pub fn with_server_layers(self, server: ServerLayers) -> Self {
        Self { server, ..self }
    }

    /// The newest state; it stays as it is.
    pub fn newest(&self) -> Arc<GeodataWorld> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&state.newest)
    }

    /// Replaces blocks.
    pub fn change_blocks(&self, blocks: Vec<(RegionId, u16, Block)>) {
        let places = blocks.iter().map(|(region, index, _)| (*region, *index));
        let places: Vec<_> = places.collect();
        self.change(&places, |geodata| geodata.with_blocks(blocks));
    }

    /// Replaces a region and all that was edited in it; doors stay.
    pub fn change_region(&self, id: RegionId, pack: RegionPack, doors: &DoorSet) {
        let places: Vec<_> = (0..=u16::MAX).map(|index| (id, index)).collect();
        self.change(&places, |geodata| {
            doors.apply(&geodata.with_region(id, Arc::new(pack)))
        });
    }

    /// Changes the ground at some blocks.
    pub(crate) fn change(
        &self,
        blocks: &[(RegionId, u16)],
        change: impl FnOnce(&Geodata) -> Geodata,
    ) {
        if blocks.is_empty() {
            return;
        }
        // One edits at a time, so nothing comes between; queries go on meanwhile.
        let before = self.newest();
        let geodata = change(before.land().geodata());
        let world = before.with_changes(geodata, blocks.iter().copied());
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.newest = Arc::new(world);
        state.revision = state.revision.saturating_add(1);
        let change = (state.revision, rectangles_of(blocks));
        state.changes.push_back(change);
        if state.changes.len() > MAX_CHANGES {
            state.changes.pop_front();
        }
    }
}

/// Where blocks are, engine axes.
fn rectangles_of(blocks: &[(RegionId, u16)]) -> Vec<[Vec2; 2]> {
    /// Side of a block, points.
    const SIDE: f32 = (REGION_SIZE / 256) as f32;
    let rectangle = |&(region, index): &(RegionId, u16)| {
        let (x, y) = GeoCell::in_region(region, index, 0).corner();
        let low = Vec2::new(x as f32, -(y as f32) - SIDE);
        [low, low + SIDE]
    };
    if blocks.len() <= MAX_RECTANGLES {
        return blocks.iter().map(rectangle).collect();
    }
    let all = blocks.iter().map(rectangle);
    let around = all.reduce(|[low, high], [a, b]| [low.min(a), high.max(b)]);
    around.into_iter().collect()
}

impl World for SharedWorld {
    fn bounds(&self) -> (Vec3, Vec3) {
        self.newest().bounds()
    }

    fn cast_ray(&self, ray: &Ray, t_max: f32, poses: &Poses) -> Option<WorldHit> {
        self.newest().cast_ray(ray, t_max, poses)
    }

    fn pick(&self, ray: &Ray, t_max: f32, poses: &Poses, shape: TileShape) -> Option<WorldHit> {
        self.newest().pick(ray, t_max, poses, shape)
    }

    fn line_of_sight(&self, a: Vec3, b: Vec3, poses: &Poses) -> bool {
        self.newest().line_of_sight(a, b, poses)
    }

    fn ground_below(&self, x: f32, y: f32, z: f32) -> Option<f32> {
        self.newest().ground_below(x, y, z)
    }

    fn walk(&self, walker: &mut Walker, wish: &WalkInput, step_secs: f32) -> bool {
        self.newest().walk(walker, wish, step_secs)
    }

    fn gait(&self) -> Option<Gait> {
        self.newest().gait()
    }

    fn in_game_axes(&self, point: Vec3) -> Vec3 {
        self.newest().in_game_axes(point)
    }

    fn describe(&self, hit: &WorldHit) -> Vec<Fact> {
        let Vec3 { x, y, z } = hit.position;
        let [x, y, z] = [x, -y, z].map(|at| at.round() as i32);
        let zones = self.server.facts_at(GeoPoint { x, y, z });
        self.newest()
            .describe(hit)
            .into_iter()
            .chain(zones)
            .collect()
    }

    fn entities(&self) -> &[WorldEntity] {
        &self.server.entities
    }

    fn outline(&self, hit: &WorldHit, poses: &Poses, shape: TileShape) -> Vec<[Vec3; 3]> {
        self.newest().outline(hit, poses, shape)
    }

    fn pose(&self, clock: &Clock, poses: &mut Poses) {
        self.newest().pose(clock, poses);
    }

    fn last_frame(&self) -> f32 {
        self.newest().last_frame()
    }

    fn tile(&self, key: TileKey, options: TileOptions) -> Option<Tile> {
        self.newest().tile(key, options)
    }

    fn n_layers(&self) -> Option<u8> {
        self.newest().n_layers()
    }

    fn revision(&self) -> u64 {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        state.revision
    }

    fn changes_since(&self, revision: u64) -> Option<Vec<[Vec2; 2]>> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        let n_missed = state.revision.saturating_sub(revision);
        if n_missed > state.changes.len() as u64 {
            return None;
        }
        let missed = state.changes.iter().filter(|(made, _)| *made > revision);
        Some(
            missed
                .flat_map(|(_, places)| places.iter().copied())
                .collect(),
        )
    }

    fn follow(&self, hit: &WorldHit) -> WorldHit {
        self.newest().follow(hit)
    }

    fn place_text(&self, hit: &WorldHit) -> String {
        self.newest().place_text(hit)
    }

    fn relates(&self, from: &WorldHit, to: &WorldHit) -> bool {
        self.newest().relates(from, to)
    }

    fn relate(
        &self,
        from: &WorldHit,
        to: &WorldHit,
        shape: TileShape,
        cancel: &AtomicBool,
    ) -> Option<Relation> {
        self.newest().relate(from, to, shape, cancel)
    }
}
