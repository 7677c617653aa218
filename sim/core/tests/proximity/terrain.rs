//! A terrain of some thousand faces, too many for a search on each: the plain loops pass over what a bounding box or
//! ball proves far.

use crate::common::ALL;
use crate::plain;
use glam::{DVec3, Vec3};
use ironlands_sim_core::triangles::TriangleIndex;
use rayon::prelude::*;

/// Cells a side, of 16 units.
const N_CELLS: u32 = 48;
/// No part of the ground is higher.
const HIGHEST: f32 = 23.0;

struct Terrain {
    index: TriangleIndex,
    corners: Vec<[DVec3; 3]>,
}

impl Terrain {
    /// Hills and bumps over 768 by 768 units, 4,608 faces.
    fn new() -> Self {
        let height = |x: f32, y: f32| {
            20.0 * (x * 0.03).sin() * (y * 0.05).cos() + 3.0 * (x * 0.9 + y * 1.3).sin()
        };
        let side = 0..=N_CELLS;
        let plan = side.clone().flat_map(|x| {
            side.clone()
                .map(move |y| [x as f32 * 16.0, y as f32 * 16.0])
        });
        let positions: Vec<_> = plan.map(|[x, y]| [x, y, height(x, y)]).collect();
        let row = N_CELLS + 1;
        let cells = (0..N_CELLS).flat_map(|x| (0..N_CELLS).map(move |y| x * row + y));
        let triangles: Vec<_> = cells
            .flat_map(|at| [[at, at + row, at + row + 1], [at, at + row + 1, at + 1]])
            .collect();
        let corner = |v: u32| DVec3::from_array(positions[v as usize].map(f64::from));
        let corners = triangles.iter().map(|face| face.map(corner)).collect();
        let masks = vec![0; triangles.len()];
        Self {
            index: crate::common::index(&positions, &triangles, &masks),
            corners,
        }
    }

    /// The plain least distance to a point.
    fn least_distance(&self, point: DVec3) -> f64 {
        let to_vertex = |face: &[DVec3; 3]| face[0].distance_squared(point);
        let known = self
            .corners
            .iter()
            .map(to_vertex)
            .fold(f64::INFINITY, f64::min);
        let in_reach = self.corners.iter().filter(|[a, b, c]| {
            let in_bounds = point.clamp(a.min(*b).min(*c), a.max(*b).max(*c));
            in_bounds.distance_squared(point) <= known
        });
        in_reach
            .map(|face| plain::to_triangle(point, *face))
            .fold(f64::INFINITY, f64::min)
    }

    /// The first moment at which a sphere touches any face.
    fn first_touch(&self, center: DVec3, radius: f64, motion: DVec3) -> f64 {
        let in_reach = self.corners.iter().filter(|[a, b, c]| {
            let middle = (*a + *b + *c) / 3.0;
            let ball = middle
                .distance(*a)
                .max(middle.distance(*b))
                .max(middle.distance(*c));
            plain::to_segment(middle, center, center + motion) <= ball + radius
        });
        let moments = in_reach.map(|face| {
            plain::first_within(|t| plain::to_triangle(center + t * motion, *face), radius)
        });
        moments.fold(f64::INFINITY, f64::min)
    }
}

/// Numbers in `0.0..1.0`, evenly spread and the same in every run: Weyl's sequences.
fn spread(i: u64) -> [f32; 5] {
    let steps = [
        0.754_877_666_246_693,
        0.569_840_290_998_053,
        0.618_033_988_749_895,
        0.414_213_562_373_095,
        0.236_067_977_499_79,
    ];
    steps.map(|step: f64| ((i as f64 + 1.0) * step).fract() as f32)
}

/// Compares results, single and in a batch, for points between 30 below and 50 above the terrain's mean height, and
/// around it.
fn check_closest_points(n_points: u64) {
    let terrain = Terrain::new();
    let spread_out = |i| {
        let [x, y, z, ..] = spread(i);
        Vec3::new(x * 900.0 - 66.0, y * 900.0 - 66.0, z * 80.0 - 30.0)
    };
    let points: Vec<Vec3> = (0..n_points).map(spread_out).collect();
    let mut batch = vec![None; points.len()];
    terrain
        .index
        .closest_point_batch(&points, f32::INFINITY, ALL, &mut batch);
    points
        .into_par_iter()
        .zip(batch)
        .for_each(|(point, batched)| {
            let near = terrain
                .index
                .closest_point(point, f32::INFINITY, ALL)
                .expect("there are faces");
            assert_eq!(batched, Some(near), "{point}");
            let plain = terrain.least_distance(point.as_dvec3());
            // f32 rounds by half of 2^-23 of the value; so two that become the same f32 are within that of each other.
            let rounding = plain * f64::from(f32::EPSILON) + 1e-12;
            let error = (f64::from(near.distance) - plain).abs();
            assert!(error <= rounding / 2.0, "{point} {near:?} {plain}");
            let own = plain::to_triangle(point.as_dvec3(), terrain.corners[near.face as usize]);
            assert!(
                (own - plain).abs() <= rounding,
                "{point} {near:?} {own} {plain}"
            );
        });
}

#[test]
fn a_thousand_points_find_what_the_plain_loop_finds() {
    check_closest_points(1000);
}

#[test]
#[ignore = "long; ./test --long"]
fn a_million_points_find_what_the_plain_loop_finds() {
    check_closest_points(1_000_000);
}

#[test]
fn long_ways_touch_what_the_plain_loop_touches() {
    let terrain = Terrain::new();
    let n_touched: usize = (0..120_u64)
        .into_par_iter()
        .map(|i| {
            let [x, y, z, turn, down] = spread(i);
            let center = Vec3::new(x * 768.0, y * 768.0, HIGHEST + 3.0 + z * 40.0);
            let yaw = turn * std::f32::consts::TAU;
            let motion = Vec3::new(yaw.cos() * 600.0, yaw.sin() * 600.0, -20.0 - down * 100.0);
            let radius = [0.25, 1.0, 2.5][i as usize % 3];
            let hit = terrain.index.cast_sphere(center, radius, motion, ALL);
            // A thinner sphere is later, a thicker one earlier.
            let [latest, earliest] = [-1e-6, 1e-6].map(|more| {
                terrain.first_touch(
                    center.as_dvec3(),
                    f64::from(radius) + more,
                    motion.as_dvec3(),
                )
            });
            let Some(hit) = hit else {
                assert!(latest.is_infinite(), "{i} missed t {latest}");
                return 0;
            };
            let t = f64::from(hit.t);
            assert!(
                (earliest - 1e-7..=latest + 1e-7).contains(&t),
                "{i} {t} not in {earliest} to {latest}"
            );
            1
        })
        .sum();
    assert!(
        (30..120).contains(&n_touched),
        "{n_touched} touch: the motions are not the intended ones"
    );
}

#[test]
fn who_walks_over_hills_stays_above_them_and_gets_on() {
    let terrain = Terrain::new();
    let radius = 0.5;
    let mut at = Vec3::new(100.0, 400.0, HIGHEST + 1.0);
    at = terrain
        .index
        .slide_sphere(at, radius, Vec3::NEG_Z * 60.0, ALL)
        .position;
    let mut walked = 0.0;
    for i in 0..1500 {
        let yaw = i as f32 * 0.003;
        let before = at;
        let motion = Vec3::new(yaw.cos() * 0.4, yaw.sin() * 0.4, -0.2);
        at = terrain.index.slide_sphere(at, radius, motion, ALL).position;
        walked += before.truncate().distance(at.truncate());
        let ground = terrain
            .index
            .height_at(at.x, at.y, ALL)
            .expect("it stays on the terrain");
        assert!(
            ground.z < at.z,
            "{before} to {at}, under the ground at {}",
            ground.z
        );
        // Positions of some hundred units are f32 to 6e-5.
        let gap = terrain.least_distance(at.as_dvec3());
        assert!(
            gap > f64::from(radius) - 1e-4,
            "{before} to {at}, {gap} from the ground"
        );
    }
    assert!(walked > 400.0, "{walked} of 600 walked");
}
