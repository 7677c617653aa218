//! Compares every result with parry's; where the two differ a plain loop decides.

use crate::world::World;
use glam::Vec3;
use ironlands_query_bench::peer::Boxed;
use ironlands_query_bench::plain::{closest_hit, is_same_found, nearest};
use ironlands_query_bench::{Checksum, Form, Found, Peer, RayQuery};
use ironlands_sim::Ray;
use ironlands_sim::triangles::Overlap;
use std::fmt::Debug;

type FoundHere = Option<Found>;

impl World {
    /// Compares all results with parry's, and panics if ours is wrong.
    pub fn check(&self) {
        let (mesh, queries) = (&self.mesh, &self.queries);
        let same = |&a: &FoundHere, &b: &FoundHere| is_same_found(a, b);
        let heights = self.results(|peer, form| peer.heights(&queries.heights, form));
        self.compare("height", heights, Checksum::add_found, same, |i| {
            closest_hit(mesh, &down(queries.heights[i]))
        });
        let rays = self.results(|peer, form| peer.rays(&queries.rays, form));
        self.compare("ray", rays, Checksum::add_found, same, |i| {
            closest_hit(mesh, &queries.rays[i])
        });
        let segments = self.results(|peer, form| peer.segments(&queries.segments, form));
        self.compare("segment", segments, Checksum::add_flag, bool::eq, |i| {
            closest_hit(mesh, &queries.segments[i]).is_some()
        });
        let points = self.results(|peer, form| peer.nearest(&queries.points, form));
        self.compare("nearest", points, Checksum::add_found, same, |i| {
            nearest(mesh, queries.points[i])
        });
        self.check_boxes();
    }

    /// Bounds against bounds is comparing f32 on both sides: there is nothing to tolerate, and nothing to decide.
    fn check_boxes(&self) {
        let boxes = &self.queries.boxes;
        let lists = self.results(|peer, form| peer.boxes(boxes, Overlap::Bounds, form));
        let [ours, peers] = lists.map(|mut lists| {
            lists.iter_mut().for_each(|list| list.sort_unstable());
            lists
        });
        assert!(ours == peers, "{}: boxes differ", self.name);
        let sum = Checksum::from_results(&ours, |list, sum| Checksum::add_list(list, sum));
        println!("{}/box: checksum {sum}", self.name);
    }

    /// Ours, in both forms the same, and parry's.
    fn results<'a, A: PartialEq + 'a>(
        &'a self,
        run_query: impl Fn(&'a dyn Peer, Form) -> Option<Boxed<'a, A>>,
    ) -> [Vec<A>; 2] {
        let results = |peer, form| {
            run_query(peer, form)
                .expect("both have all queries")
                .results()
        };
        let ours = results(&self.ours, Form::Single);
        let batch = results(&self.ours, Form::Batch);
        assert!(
            ours == batch,
            "{}: single and batch results differ",
            self.name
        );
        [ours, results(&*self.peers[0], Form::Single)]
    }

    fn compare<A: Debug>(
        &self,
        query: &str,
        [ours, peers]: [Vec<A>; 2],
        add: impl Fn(&A, &mut Checksum),
        is_same: impl Fn(&A, &A) -> bool,
        plain: impl Fn(usize) -> A,
    ) {
        let name = &self.name;
        let mut n_peer_wrong = 0;
        for (i, (ours, peer)) in ours.iter().zip(&peers).enumerate() {
            if !is_same(ours, peer) {
                let right = plain(i);
                let is_right = is_same(ours, &right);
                assert!(
                    is_right,
                    "{name}/{query} {i}: {ours:?}, should be {right:?}"
                );
                n_peer_wrong += 1;
            }
        }
        let sum = Checksum::from_results(&ours, add);
        println!("{name}/{query}: checksum {sum}, parry is wrong {n_peer_wrong} times");
    }
}

fn down(origin: Vec3) -> RayQuery {
    RayQuery {
        ray: Ray {
            origin,
            direction: Vec3::NEG_Z,
        },
        t_max: f32::INFINITY,
    }
}
