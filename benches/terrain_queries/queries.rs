//! The sets of queries, from a fixed seed.

use crate::ALL;
use crate::level::Level;
use glam::{Vec2, Vec3};
use ironlands_sim::Ray;
use parry3d::bounding_volume::Aabb;
use parry3d::math::Vector;
use parry3d::query::Ray as PeerRay;

const SEED: u64 = 0x1F0D_1A2D_5EED_0001;
pub const N_QUERIES: usize = 16_384;
pub const N_BOXES: usize = 4_096;
/// Side of the squares that boxes are made of, world units: about one face of the demo levels.
const BOX_UNIT: f32 = 16.0;

/// The sets of queries, and the same in parry's types.
pub struct Queries {
    pub points: Vec<Vec2>,
    pub rays: Vec<Ray>,
    pub t_max: Vec<f32>,
    pub segments: Vec<[Vec3; 2]>,
    pub boxes: Vec<[Vec3; 2]>,
    pub peer_downs: Vec<PeerRay>,
    pub peer_rays: Vec<PeerRay>,
    pub peer_segments: Vec<PeerRay>,
    pub peer_boxes: Vec<Aabb>,
}

impl Queries {
    pub fn new(level: &Level) -> Self {
        let mut random = Random(SEED);
        let (min, max) = level.index.bounds();
        let extent = max - min;
        let ground = |point: Vec2| {
            level
                .index
                .height_at(point.x, point.y, ALL)
                .map_or(min.z, |hit| hit.z)
        };
        let point = |random: &mut Random| {
            min.truncate() + extent.truncate() * Vec2::new(random.unit(), random.unit())
        };

        let points: Vec<_> = (0..N_QUERIES).map(|_| point(&mut random)).collect();
        let (mut rays, mut t_max, mut segments) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..N_QUERIES {
            let start = point(&mut random);
            rays.push(Ray {
                origin: start.extend(ground(start) + random.between(1.0, 60.0)),
                direction: random.direction(),
            });
            t_max.push(random.between(10.0, 500.0));
            let (a, angle) = (
                point(&mut random),
                random.between(0.0, std::f32::consts::TAU),
            );
            let b = (a + random.between(10.0, 500.0) * Vec2::from_angle(angle))
                .clamp(min.truncate(), max.truncate());
            segments.push([a, b].map(|end| end.extend(ground(end) + 2.0)));
        }
        let boxes = (0..N_BOXES).map(|_| {
            let size =
                BOX_UNIT * Vec2::new(1.0 + random.below(8) as f32, 1.0 + random.below(8) as f32);
            let low = point(&mut random);
            [low.extend(min.z), (low + size).extend(max.z)]
        });
        let boxes: Vec<_> = boxes.collect();

        let above = max.z + 1.0;
        Self {
            peer_downs: points
                .iter()
                .map(|p| peer_ray(p.extend(above), Vec3::NEG_Z))
                .collect(),
            peer_rays: rays
                .iter()
                .map(|ray| peer_ray(ray.origin, ray.direction))
                .collect(),
            peer_segments: segments.iter().map(|&[a, b]| peer_ray(a, b - a)).collect(),
            peer_boxes: boxes
                .iter()
                .map(|&[min, max]| Aabb::new(peer_vector(min), peer_vector(max)))
                .collect(),
            points,
            rays,
            t_max,
            segments,
            boxes,
        }
    }
}

fn peer_vector(v: Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

fn peer_ray(origin: Vec3, direction: Vec3) -> PeerRay {
    PeerRay::new(peer_vector(origin), peer_vector(direction))
}

/// SplitMix64: the same queries on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// In `0.0..1.0`.
    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u32 << 24) as f32
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// Uniform on the unit sphere.
    fn direction(&mut self) -> Vec3 {
        let (z, angle) = (
            self.between(-1.0, 1.0),
            self.between(0.0, std::f32::consts::TAU),
        );
        (Vec2::from_angle(angle) * (1.0 - z * z).sqrt()).extend(z)
    }
}
