//! Every answer against parry's; where the two differ a plain loop decides.

use crate::world::World;
use glam::Vec3;
use ironlands_query_bench::peer::Boxed;
use ironlands_query_bench::plain::{closest_hit, is_same_found, nearest};
use ironlands_query_bench::{Checksum, Form, Found, Peer, RayQuestion};
use ironlands_sim::Ray;
use ironlands_sim::triangles::Overlap;
use std::fmt::Debug;

type FoundHere = Option<Found>;

impl World {
    /// Compares all answers with parry's, and panics where ours is wrong.
    pub fn check(&self) {
        let (mesh, asked) = (&self.mesh, &self.questions);
        let same = |&a: &FoundHere, &b: &FoundHere| is_same_found(a, b);
        let heights = self.answers(|peer, form| peer.heights(&asked.heights, form));
        self.compare("height", heights, Checksum::add_found, same, |i| {
            closest_hit(mesh, &down(asked.heights[i]))
        });
        let rays = self.answers(|peer, form| peer.rays(&asked.rays, form));
        self.compare("ray", rays, Checksum::add_found, same, |i| {
            closest_hit(mesh, &asked.rays[i])
        });
        let segments = self.answers(|peer, form| peer.segments(&asked.segments, form));
        self.compare("segment", segments, Checksum::add_flag, bool::eq, |i| {
            closest_hit(mesh, &asked.segments[i]).is_some()
        });
        let points = self.answers(|peer, form| peer.nearest(&asked.points, form));
        self.compare("nearest", points, Checksum::add_found, same, |i| {
            nearest(mesh, asked.points[i])
        });
        self.check_boxes();
    }

    /// Bounds against bounds is comparing f32 on both sides: there is nothing to tolerate, and nothing to decide.
    fn check_boxes(&self) {
        let boxes = &self.questions.boxes;
        let lists = self.answers(|peer, form| peer.boxes(boxes, Overlap::Bounds, form));
        let [ours, peers] = lists.map(|mut lists| {
            lists.iter_mut().for_each(|list| list.sort_unstable());
            lists
        });
        assert!(ours == peers, "{}: boxes differ", self.name);
        let sum = Checksum::of(&ours, |list, sum| Checksum::add_list(list, sum));
        println!("{}/box: checksum {sum}", self.name);
    }

    /// Ours, in both forms the same, and parry's.
    fn answers<'a, A: PartialEq + 'a>(
        &'a self,
        ask: impl Fn(&'a dyn Peer, Form) -> Option<Boxed<'a, A>>,
    ) -> [Vec<A>; 2] {
        let answers = |peer, form| ask(peer, form).expect("both have all queries").answers();
        let ours = answers(&self.ours, Form::Single);
        let batch = answers(&self.ours, Form::Batch);
        assert!(
            ours == batch,
            "{}: single and batch answers differ",
            self.name
        );
        [ours, answers(&*self.peers[0], Form::Single)]
    }

    fn compare<A: Debug>(
        &self,
        question: &str,
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
                    "{name}/{question} {i}: {ours:?}, should be {right:?}"
                );
                n_peer_wrong += 1;
            }
        }
        let sum = Checksum::of(&ours, add);
        println!("{name}/{question}: checksum {sum}, parry is wrong {n_peer_wrong} times");
    }
}

fn down(origin: Vec3) -> RayQuestion {
    RayQuestion {
        ray: Ray {
            origin,
            direction: Vec3::NEG_Z,
        },
        t_max: f32::INFINITY,
    }
}
