//! What is picked: the last thing, and the one before it, with what there is between them.

use ironlands::renderer::FrameState;
use ironlands::sim::motion::Poses;
use ironlands::sim::world::{Fact, Relation, World, WorldHit};

/// One or two places of a world.
#[derive(Debug, Default)]
pub struct Picks {
    last: Option<WorldHit>,
    before: Option<WorldHit>,
    relation: Option<Relation>,
}

impl Picks {
    /// Picks a thing; what was picked last is where the way to it begins.
    pub fn pick(&mut self, hit: WorldHit, world: &dyn World) {
        self.before = self.last.replace(hit);
        self.relation = self.before.and_then(|before| world.relate(&before, &hit));
    }

    /// What was picked last.
    pub fn last(&self) -> Option<WorldHit> {
        self.last
    }

    /// What is between the last two.
    pub fn relation_facts(&self) -> &[Fact] {
        self.relation
            .as_ref()
            .map_or(&[], |relation| &relation.facts)
    }

    /// Points both out in a frame, and draws what is between them.
    pub fn point_out(&self, world: &dyn World, poses: &Poses, state: &mut FrameState) {
        state.highlight.clear();
        let shown = match self.relation {
            Some(_) => [self.before, self.last],
            None => [None, self.last],
        };
        for hit in shown.iter().flatten() {
            state.highlight.extend(world.outline(hit, poses));
        }
        state.lines.clear();
        if let Some(relation) = &self.relation {
            state.lines.extend_from_slice(&relation.lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use ironlands::scene::OverlayVertex;
    use ironlands::sim::Ray;
    use ironlands::sim::motion::Clock;

    use super::*;

    /// A world that relates all that is picked by one line.
    struct Relating;

    impl World for Relating {
        fn bounds(&self) -> (Vec3, Vec3) {
            (Vec3::ZERO, Vec3::ZERO)
        }
        fn cast_ray(&self, _: &Ray, _: f32, _: &Poses) -> Option<WorldHit> {
            None
        }
        fn is_visible(&self, _: Vec3, _: Vec3, _: &Poses) -> bool {
            true
        }
        fn ground_below(&self, _: f32, _: f32, _: f32) -> Option<f32> {
            None
        }
        fn describe(&self, _: &WorldHit) -> Vec<Fact> {
            Vec::new()
        }
        fn outline(&self, hit: &WorldHit, _: &Poses) -> Vec<[Vec3; 3]> {
            vec![[hit.position; 3]]
        }
        fn pose(&self, _: &Clock, _: &mut Poses) {}
        fn last_frame(&self) -> f32 {
            0.0
        }
        fn relate(&self, from: &WorldHit, to: &WorldHit) -> Option<Relation> {
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

    fn hit(x: f32) -> WorldHit {
        WorldHit {
            element: 0,
            t: 1.0,
            position: Vec3::new(x, 0.0, 0.0),
            normal: Vec3::Z,
        }
    }

    #[test]
    fn the_way_leads_from_each_pick_to_the_next() {
        let mut picks = Picks::default();
        let mut state = FrameState::default();
        let mut ends = |picks: &Picks| {
            picks.point_out(&Relating, &Poses::default(), &mut state);
            let lines = state.lines.iter().map(|end| end.position[0]);
            (state.highlight.len(), lines.collect::<Vec<_>>())
        };
        assert_eq!(ends(&picks), (0, vec![]));
        picks.pick(hit(1.0), &Relating);
        assert_eq!(ends(&picks), (1, vec![]));
        picks.pick(hit(2.0), &Relating);
        assert_eq!(ends(&picks), (2, vec![1.0, 2.0]));
        picks.pick(hit(3.0), &Relating);
        assert_eq!(ends(&picks), (2, vec![2.0, 3.0]));
        picks = Picks::default();
        assert_eq!(ends(&picks), (0, vec![]));
    }
}
