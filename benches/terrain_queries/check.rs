//! Every answer against parry's; where the two differ a plain loop decides.

use crate::ALL;
use crate::level::Level;
use crate::queries::Queries;
use glam::Vec3;
use ironlands_sim::terrain::Overlap;
use parry3d::query::RayCast;

impl Level {
    /// Compares all answers with parry's, and panics where ours is wrong.
    pub fn check(&self, queries: &Queries) {
        self.check_heights(queries);
        self.check_rays(queries);
        self.check_segments(queries);
        self.check_boxes(queries);
        self.check_areals(queries);
    }

    fn check_heights(&self, queries: &Queries) {
        let (mut sum, mut n_peer_wrong) = (Checksum::new(), 0);
        for (point, down) in queries.points.iter().zip(&queries.peer_downs) {
            let hit = self.index.height_at(point.x, point.y, ALL);
            sum.add(hit.map_or(u32::MAX, |hit| hit.face));
            let (t, peer_t) = (
                hit.map(|hit| down.origin.z - hit.z),
                self.peer_ray(down, f32::MAX).map(|hit| hit.1),
            );
            if !is_same_t(t, peer_t) {
                let origin = Vec3::new(down.origin.x, down.origin.y, down.origin.z);
                self.expect_plain(t, origin, Vec3::NEG_Z, f32::INFINITY);
                n_peer_wrong += 1;
            }
        }
        self.tell("height", sum);
        self.tell_peer("height", n_peer_wrong);
    }

    fn check_rays(&self, queries: &Queries) {
        let (mut sum, mut n_peer_wrong) = (Checksum::new(), 0);
        for ((ray, &t_max), peer_ray) in queries
            .rays
            .iter()
            .zip(&queries.t_max)
            .zip(&queries.peer_rays)
        {
            let hit = self.index.cast_ray(ray, t_max, ALL);
            sum.add(hit.map_or(u32::MAX, |hit| hit.face));
            let t = hit.map(|hit| hit.t);
            if !is_same_t(t, self.peer_ray(peer_ray, t_max).map(|hit| hit.1)) {
                self.expect_plain(t, ray.origin, ray.direction, t_max);
                n_peer_wrong += 1;
            }
        }
        self.tell("ray", sum);
        self.tell_peer("ray", n_peer_wrong);
    }

    fn check_segments(&self, queries: &Queries) {
        let (mut sum, mut n_peer_wrong) = (Checksum::new(), 0);
        for (&[a, b], peer_ray) in queries.segments.iter().zip(&queries.peer_segments) {
            let is_hit = self.index.segment_hit(a, b, ALL);
            sum.add(u32::from(is_hit));
            if is_hit != self.peer.intersects_local_ray(peer_ray, 1.0) {
                assert_eq!(
                    is_hit,
                    self.plain_nearest(a, b - a, 1.0).is_some(),
                    "{a} to {b}"
                );
                n_peer_wrong += 1;
            }
        }
        self.tell("segment", sum);
        self.tell_peer("segment", n_peer_wrong);
    }

    /// Bounds against bounds is comparing f32 on both sides: there is nothing to tolerate.
    fn check_boxes(&self, queries: &Queries) {
        let mut sum = Checksum::new();
        let (mut ours, mut peers) = (Vec::new(), Vec::new());
        for (&[min, max], aabb) in queries.boxes.iter().zip(&queries.peer_boxes) {
            self.index
                .faces_in_aabb(min, max, ALL, Overlap::Bounds, &mut ours);
            ours.iter().for_each(|&face| sum.add(face));
            ours.sort_unstable();
            peers.clear();
            peers.extend(
                self.peer
                    .bvh()
                    .intersect_aabb(aabb)
                    .map(|triangle| self.peer_faces[triangle as usize]),
            );
            peers.sort_unstable();
            assert_eq!(ours, peers, "{min} to {max}");
        }
        self.tell("box", sum);
    }

    /// The areals of the demo levels do not overlap, and no point of the set lies on a border.
    fn check_areals(&self, queries: &Queries) {
        let mut sum = Checksum::new();
        for &point in &queries.points {
            let areal = self.areals.areal_at(point);
            sum.add(areal.unwrap_or(u32::MAX));
            assert_eq!(areal, self.plain_areal(point), "{point}");
        }
        self.tell("areal", sum);
    }

    fn tell(&self, question: &str, Checksum(sum): Checksum) {
        println!("{}/{question}: checksum {sum:#018x}", self.name);
    }

    fn tell_peer(&self, question: &str, n_wrong: usize) {
        println!("{}/{question}: parry is wrong {n_wrong} times", self.name);
    }

    fn expect_plain(&self, t: Option<f32>, origin: Vec3, direction: Vec3, t_max: f32) {
        let plain = self.plain_nearest(origin, direction, t_max);
        assert!(
            is_same_t(t, plain),
            "ours is wrong: {t:?}, should be {plain:?}; from {origin} along {direction}"
        );
    }

    /// Möller and Trumbore in f64 over all faces.
    fn plain_nearest(&self, origin: Vec3, direction: Vec3, t_max: f32) -> Option<f32> {
        let (origin, direction) = (origin.as_dvec3(), direction.as_dvec3());
        let crossings = self.corners.iter().filter_map(|&[a, b, c]| {
            let (e1, e2, s) = (b - a, c - a, origin - a);
            let (p, q) = (direction.cross(e2), s.cross(e1));
            let determinant = e1.dot(p);
            let (u, v, t) = (
                s.dot(p) / determinant,
                direction.dot(q) / determinant,
                e2.dot(q) / determinant,
            );
            (determinant != 0.0
                && u >= 0.0
                && v >= 0.0
                && u + v <= 1.0
                && t >= 0.0
                && t <= f64::from(t_max))
            .then_some(t)
        });
        crossings.min_by(f64::total_cmp).map(|t| t as f32)
    }
}

/// f32 on one side, some hundred units away: the tolerance of the shared query set.
fn is_same_t(a: Option<f32>, b: Option<f32>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= 2e-3 + 1e-4 * b,
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// FNV-1a over words.
struct Checksum(u64);

impl Checksum {
    fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    fn add(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x0100_0000_01B3);
    }
}
