//! What is picked: the last thing, and the one before it, with the relation between them.
//!
//! The relation is computed on another thread, so that a pick is seen at once. A newer pick, and dropping
//! this, stops the search.

use std::sync::Arc;

use crate::renderer::FrameState;
use crate::scene::TileShape;
use crate::sim::world::Poses;
use crate::sim::world::{Fact, Relation, World, WorldHit};

use crate::background::Background;

/// One or two places of a world.
pub struct Picks {
    world: Arc<dyn World>,
    /// How its land is drawn.
    shape: TileShape,
    /// The revision of the world that the picks are of.
    revision: u64,
    last: Option<WorldHit>,
    before: Option<WorldHit>,
    relation: Option<Relation>,
    search: Background<Option<Relation>>,
}

impl Picks {
    /// Nothing is picked of a world whose land, if it comes in tiles, is drawn in a shape.
    pub fn new(world: Arc<dyn World>, shape: TileShape) -> Self {
        Self {
            revision: world.revision(),
            world,
            shape,
            last: None,
            before: None,
            relation: None,
            search: Background::default(),
        }
    }

    /// Picks a thing; what was picked last is where the way to it begins. Waits for nothing.
    pub fn pick(&mut self, hit: WorldHit) {
        self.before = self.last.replace(hit);
        self.relation = None;
        self.search();
    }

    /// Looks for what is between the last two, and for nothing else any more.
    fn search(&mut self) {
        self.search = Background::default();
        if let (Some(before), Some(last)) = (self.before, self.last)
            && self.world.relates(&before, &last)
        {
            let (world, shape) = (Arc::clone(&self.world), self.shape);
            self.search
                .spawn(move |is_unwanted| world.relate(&before, &last, shape, is_unwanted));
        }
    }

    /// Before a frame that draws land in a shape: takes what was found since the last one. In another shape lines lie
    /// elsewhere, so the search starts over, as it does once the level has changed. Does not block.
    pub fn update(&mut self, shape: TileShape) {
        let revision = self.world.revision();
        if (self.shape, self.revision) != (shape, revision) {
            (self.shape, self.revision) = (shape, revision);
            for hit in [&mut self.before, &mut self.last].into_iter().flatten() {
                *hit = self.world.follow(hit);
            }
            self.search();
        }
        if let Some(found) = self.search.fetch() {
            self.relation = found;
        }
    }

    /// Before a picture: waits for what is between the last two.
    pub fn wait(&mut self) {
        if let Some(found) = self.search.wait() {
            self.relation = found;
        }
    }

    /// What was picked last.
    pub fn last(&self) -> Option<WorldHit> {
        self.last
    }

    /// What is between the last two, as far as it is found.
    pub fn relation_facts(&self) -> &[Fact] {
        self.relation
            .as_ref()
            .map_or(&[], |relation| &relation.facts)
    }

    /// Whether what is between the last two is still looked for.
    pub fn is_searching(&self) -> bool {
        self.search.is_busy()
    }

    /// Points both out in a frame, and draws what is between them.
    pub fn point_out(&self, poses: &Poses, state: &mut FrameState) {
        state.highlight.clear();
        let shown = match self.relation.is_some() || self.is_searching() {
            true => [self.before, self.last],
            false => [None, self.last],
        };
        for hit in shown.iter().flatten() {
            state
                .highlight
                .extend(self.world.outline(hit, poses, self.shape));
        }
        state.lines.clear();
        if let Some(relation) = &self.relation {
            state.lines.extend_from_slice(&relation.lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::thread;
    use std::time::{Duration, Instant};

    use glam::Vec3;

    use super::*;
    use crate::test_world::{PATIENCE, TestWorld};

    fn picks(may_relate: bool) -> (Arc<TestWorld>, Picks) {
        let world = Arc::new(TestWorld {
            has_relations: true,
            may_relate: AtomicBool::new(may_relate),
            ..TestWorld::default()
        });
        (Arc::clone(&world), Picks::new(world, TileShape::Slopes))
    }

    fn hit(x: f32) -> WorldHit {
        WorldHit {
            element: 0,
            t: 1.0,
            position: Vec3::new(x, 0.0, 0.0),
            normal: Vec3::Z,
        }
    }

    /// How many things are pointed out, and the ends of all lines.
    fn shown(picks: &Picks) -> (usize, Vec<f32>) {
        let mut state = FrameState::default();
        picks.point_out(&Poses::default(), &mut state);
        let lines = state.lines.iter().map(|end| end.position[0]);
        (state.highlight.len(), lines.collect())
    }

    fn wait_for(mut is_so: impl FnMut() -> bool) {
        let start = Instant::now();
        while !is_so() {
            assert!(start.elapsed() < PATIENCE, "it never comes");
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Until other threads have come so far.
    fn wait_until(count: &AtomicUsize, n: usize) {
        wait_for(|| count.load(Ordering::Relaxed) >= n);
    }

    #[test]
    fn the_way_leads_from_each_pick_to_the_next() {
        let (_, mut picks) = picks(true);
        assert_eq!(shown(&picks), (0, vec![]));
        picks.pick(hit(1.0));
        picks.wait();
        assert_eq!(shown(&picks), (1, vec![]));
        picks.pick(hit(2.0));
        picks.wait();
        assert_eq!(shown(&picks), (2, vec![1.0, 2.0]));
        picks.pick(hit(3.0));
        picks.wait();
        assert_eq!(shown(&picks), (2, vec![2.0, 3.0]));
    }

    #[test]
    fn a_pick_is_shown_before_the_way_to_it_is_found() {
        let (world, mut picks) = picks(false);
        picks.pick(hit(1.0));
        assert!(!picks.is_searching(), "there is no way to the first");
        picks.pick(hit(2.0));
        picks.update(TileShape::Slopes);
        assert_eq!((shown(&picks), picks.is_searching()), ((2, vec![]), true));
        world.may_relate.store(true, Ordering::Relaxed);
        wait_until(&world.n_related, 1);
        wait_for(|| {
            picks.update(TileShape::Slopes);
            !picks.is_searching()
        });
        assert_eq!(shown(&picks), (2, vec![1.0, 2.0]));
    }

    #[test]
    fn a_newer_pick_stops_the_search_for_an_older_one() {
        let (world, mut picks) = picks(false);
        for at in [1.0, 2.0] {
            picks.pick(hit(at));
        }
        wait_until(&world.n_begun, 1);
        picks.pick(hit(3.0));
        wait_until(&world.n_stopped, 1);
        world.may_relate.store(true, Ordering::Relaxed);
        picks.wait();
        assert_eq!(shown(&picks), (2, vec![2.0, 3.0]));
        assert_eq!(world.n_related.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn what_was_found_for_an_older_pick_is_never_shown() {
        let (world, mut picks) = picks(true);
        for at in [1.0, 2.0] {
            picks.pick(hit(at));
        }
        wait_until(&world.n_related, 1);
        // It lies there to be fetched, or is about to.
        world.may_relate.store(false, Ordering::Relaxed);
        picks.pick(hit(3.0));
        for _ in 0..50 {
            picks.update(TileShape::Slopes);
            assert_eq!((shown(&picks), picks.is_searching()), ((2, vec![]), true));
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn in_another_shape_the_way_is_looked_for_anew() {
        let (world, mut picks) = picks(true);
        for at in [1.0, 2.0] {
            picks.pick(hit(at));
        }
        picks.wait();
        world.may_relate.store(false, Ordering::Relaxed);
        picks.update(TileShape::Plateaus);
        // Until then the old one is shown.
        assert_eq!(
            (shown(&picks), picks.is_searching()),
            ((2, vec![1.0, 2.0]), true)
        );
        world.may_relate.store(true, Ordering::Relaxed);
        picks.wait();
        picks.update(TileShape::Plateaus);
        assert!(!picks.is_searching(), "nothing is looked for twice");
        assert_eq!(world.n_related.load(Ordering::Relaxed), 2);
        assert_eq!(
            *world.shapes.lock().unwrap(),
            [TileShape::Slopes, TileShape::Plateaus]
        );
    }

    #[test]
    fn once_the_level_changed_picks_follow_and_the_way_is_looked_for_anew() {
        let (world, mut picks) = picks(true);
        for at in [1.0, 2.0] {
            picks.pick(hit(at));
        }
        picks.wait();
        picks.update(TileShape::Slopes);
        assert_eq!(shown(&picks), (2, vec![1.0, 2.0]));
        world.n_changes.fetch_add(1, Ordering::Relaxed);
        picks.update(TileShape::Slopes);
        picks.wait();
        assert_eq!(shown(&picks), (2, vec![2.0, 3.0]));
        picks.update(TileShape::Slopes);
        assert!(!picks.is_searching(), "nothing is looked for twice");
        assert_eq!(world.n_related.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn who_closes_the_window_stops_the_search() {
        let (world, mut picks) = picks(false);
        for at in [1.0, 2.0] {
            picks.pick(hit(at));
        }
        wait_until(&world.n_begun, 1);
        drop(picks);
        wait_for(|| Arc::strong_count(&world) == 1);
        assert_eq!(world.n_related.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_world_without_relations_is_never_requested_them() {
        let world = Arc::new(TestWorld::default());
        let mut picks = Picks::new(world.clone(), TileShape::Slopes);
        for at in [1.0, 2.0] {
            picks.pick(hit(at));
            assert!(!picks.is_searching());
            picks.wait();
            assert_eq!(shown(&picks), (1, vec![]));
        }
        assert_eq!(Arc::strong_count(&world), 2);
    }
}
