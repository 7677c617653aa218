//! The sets of queries: the same sets, in kind and number, as those of the shared files (module
//! [`files`](crate::files)).

use crate::random::Random;
use glam::Vec3;
use ironlands_sim_core::Ray;

const SEED: u64 = 0x1F0D_1A2D_5EED_0001;
const N_RAYS: usize = 16_384;
const N_BOXES: usize = 4_096;
/// Side of the squares that boxes are made of, world units: about one face of the demo levels.
const BOX_UNIT: f32 = 16.0;

/// A ray with an end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayQuery {
    /// From where, and a direction of length 1.
    pub ray: Ray,
    /// How far, world units.
    pub t_max: f32,
}

/// The sets of queries to one mesh. World axes, world units.
#[derive(Debug, Clone, Default)]
pub struct Queries {
    /// Points above everything, from which to look straight down.
    pub heights: Vec<Vec3>,
    /// Rays of which the nearest hit is wanted.
    pub rays: Vec<RayQuery>,
    /// Rays of which it matters only whether they are free.
    pub segments: Vec<RayQuery>,
    /// Boxes `[min, max]` of which the triangles are wanted.
    pub boxes: Vec<[Vec3; 2]>,
    /// Points to which the nearest triangle is wanted.
    pub points: Vec<Vec3>,
}

impl Queries {
    /// Queries from a fixed seed to a terrain with these bounds; `ground` returns its height at x and y.
    ///
    /// 16,384 each: heights anywhere; rays from 1 to 60 units above the ground, in all directions, 10 to 500 units
    /// long; lines of sight between two points 2 units above the ground, 10 to 500 apart horizontally. 4,096 each:
    /// boxes of 16 to 128 by 16 to 128 units over the whole height; points up to 40 units above the ground.
    pub fn new((min, max): (Vec3, Vec3), ground: impl Fn(f32, f32) -> f32) -> Self {
        let mut random = Random(SEED);
        let (low, high) = (min.truncate(), max.truncate());
        let above = max.z + 1.0;
        let heights = (0..N_RAYS).map(|_| random.point(low, high).extend(above));
        let heights = heights.collect();
        let rays = (0..N_RAYS).map(|_| {
            let start = random.point(low, high);
            let z = ground(start.x, start.y) + random.between(1.0, 60.0);
            RayQuery {
                ray: Ray {
                    origin: start.extend(z),
                    direction: random.direction(),
                },
                t_max: random.between(10.0, 500.0),
            }
        });
        let rays = rays.collect();
        let segments = (0..N_RAYS).map(|_| {
            let a = random.point(low, high);
            let b = (a + random.between(10.0, 500.0) * random.heading()).clamp(low, high);
            let [a, b] = [a, b].map(|end| end.extend(ground(end.x, end.y) + 2.0));
            RayQuery {
                ray: Ray {
                    origin: a,
                    direction: (b - a).try_normalize().unwrap_or(Vec3::X),
                },
                t_max: a.distance(b),
            }
        });
        let segments = segments.collect();
        let boxes = (0..N_BOXES).map(|_| {
            let mut side = || BOX_UNIT * (1 + random.below(8)) as f32;
            let size = Vec3::new(side(), side(), max.z - min.z);
            let corner = random.point(low, high).extend(min.z);
            [corner, corner + size]
        });
        let boxes = boxes.collect();
        let points = (0..N_BOXES).map(|_| {
            let point = random.point(low, high);
            point.extend(ground(point.x, point.y) + random.between(0.0, 40.0))
        });
        let points = points.collect();
        Self {
            heights,
            rays,
            segments,
            boxes,
            points,
        }
    }
}
