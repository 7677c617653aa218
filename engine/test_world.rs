//! A world for tests: it has one node and nothing to hit, and counts its queries.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::scene::{EmitterState, OverlayVertex, TileShape};
use crate::sim::Ray;
use crate::sim::animation::RowMatrix;
use crate::sim::world::{Clock, Poses};
use crate::sim::world::{Fact, Relation, World, WorldHit};
use glam::Vec3;

/// Longest that tests wait for each other's threads; what is not there by then fails.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// Relates all that is picked by one line, once it may.
#[derive(Debug, Default)]
pub struct TestWorld {
    /// How often poses were queried.
    pub n_posed: AtomicUsize,
    /// How often they had been when emitters were queried last.
    pub n_posed_before_emitters: AtomicUsize,
    /// Whether it relates what is picked.
    pub has_relations: bool,
    /// Until this is set it looks for relations, unless it is stopped.
    pub may_relate: AtomicBool,
    /// How often it began to look for one.
    pub n_begun: AtomicUsize,
    /// In which shape the land was of those that it found.
    pub shapes: Mutex<Vec<TileShape>>,
    /// How many it found.
    pub n_related: AtomicUsize,
    /// How often it was stopped.
    pub n_stopped: AtomicUsize,
    /// How often it changed; each time all that was picked moves up by 1.
    pub n_changes: AtomicUsize,
}

impl World for TestWorld {
    fn bounds(&self) -> (Vec3, Vec3) {
        (Vec3::ZERO, Vec3::ZERO)
    }

    fn cast_ray(&self, _: &Ray, _: f32, _: &Poses) -> Option<WorldHit> {
        None
    }

    fn line_of_sight(&self, _: Vec3, _: Vec3, _: &Poses) -> bool {
        true
    }

    fn ground_below(&self, _: f32, _: f32, _: f32) -> Option<f32> {
        None
    }

    fn describe(&self, _: &WorldHit) -> Vec<Fact> {
        Vec::new()
    }

    fn outline(&self, hit: &WorldHit, _: &Poses, _: TileShape) -> Vec<[Vec3; 3]> {
        vec![[hit.position; 3]]
    }

    fn pose(&self, _: &Clock, poses: &mut Poses) {
        self.n_posed.fetch_add(1, Ordering::Relaxed);
        *poses = vec![RowMatrix([0.0; 16])].into();
    }

    fn emit(&self, _: &Clock, moments: &mut [EmitterState]) {
        let n_posed = self.n_posed.load(Ordering::Relaxed);
        (self.n_posed_before_emitters).store(n_posed, Ordering::Relaxed);
        if let Some(first) = moments.first_mut() {
            first.is_on = false;
        }
    }

    fn last_frame(&self) -> f32 {
        0.0
    }

    fn revision(&self) -> u64 {
        self.n_changes.load(Ordering::Relaxed) as u64
    }

    fn follow(&self, hit: &WorldHit) -> WorldHit {
        WorldHit {
            position: hit.position + Vec3::X,
            ..*hit
        }
    }

    fn relates(&self, _: &WorldHit, _: &WorldHit) -> bool {
        self.has_relations
    }

    fn relate(
        &self,
        from: &WorldHit,
        to: &WorldHit,
        shape: TileShape,
        cancel: &AtomicBool,
    ) -> Option<Relation> {
        self.n_begun.fetch_add(1, Ordering::Relaxed);
        let begun = Instant::now();
        while !self.may_relate.load(Ordering::Relaxed) && begun.elapsed() < PATIENCE {
            if cancel.load(Ordering::Relaxed) {
                self.n_stopped.fetch_add(1, Ordering::Relaxed);
                return None;
            }
            thread::sleep(Duration::from_millis(1));
        }
        self.shapes.lock().unwrap().push(shape);
        self.n_related.fetch_add(1, Ordering::Relaxed);
        let end = |hit: &WorldHit| OverlayVertex {
            position: hit.position.to_array(),
            color: [255; 4],
        };
        Some(Relation {
            facts: Vec::new(),
            lines: vec![end(from), end(to)],
        })
    }
}
