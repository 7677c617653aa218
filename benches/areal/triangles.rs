//! Triangles of the same ground as areals, and of walls where no areal lies across an edge, at each SIMD level.

use crate::world::World;
use crate::{group, one_by_one};
use criterion::Criterion;
use glam::Vec3;
use ironlands_sim::triangles::{Face, SimdLevel, TriangleIndex};
use ironlands_sim::{MaskFilter, Ray};

const ALL: MaskFilter = MaskFilter::ALL;

/// Queries at triangles that come nearest to those at areals. The areals must be convex.
pub fn bench(criterion: &mut Criterion, world: &World) {
    let (mut ground, mut walls) = (Vec::new(), Vec::new());
    for areal in 0..world.index.n_areals() as u32 {
        let outline = world.index.outline(areal);
        let corners = outline[1..].windows(2);
        ground.extend(corners.map(|pair| [outline[0], pair[0], pair[1]]));
        let edges = outline.iter().zip(outline.iter().cycle().skip(1));
        for (&a, &b) in edges.filter(|(a, b)| !is_open(world, areal, [**a, **b])) {
            let up = Vec3::Z;
            walls.extend([[a - up, b - up, b + up], [a - up, b + up, a + up]]);
        }
    }
    let (ground, walls) = (index(&ground), index(&walls));
    for level in [SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512] {
        if !level.is_available() {
            continue;
        }
        let [ground, walls] = [&ground, &walls].map(|it| it.clone().with_simd_level(level));
        let name = |query: &str| format!("triangles/{query}, {level:?}");
        let mut heights = group(criterion, world, &name("height"), world.points.len());
        one_by_one(&mut heights, "single", &world.points, |point| {
            ground.height_at(point.x, point.y, ALL)
        });
        heights.finish();
        let n_outside = world.outside.len();
        let mut nearest = group(criterion, world, &name("closest point"), n_outside);
        one_by_one(&mut nearest, "single", &world.outside, |point| {
            ground.closest_point(point.extend(0.0), f32::INFINITY, ALL)
        });
        nearest.finish();
        let mut rays = group(criterion, world, &name("ray at walls"), world.pairs.len());
        one_by_one(&mut rays, "single", &world.pairs, |pair| {
            let ray = Ray {
                origin: pair.from.extend(0.0),
                direction: (pair.to - pair.from).extend(0.0),
            };
            walls.cast_ray(&ray, 1.0, ALL)
        });
    }
}

/// Whether an areal lies across an edge.
fn is_open(world: &World, areal: u32, ends: [Vec3; 2]) -> bool {
    let mut beside = world.index.neighbors(areal).iter();
    beside.any(|&other| {
        let outline = world.index.outline(other);
        ends.iter().all(|end| outline.contains(end))
    })
}

fn index(triangles: &[[Vec3; 3]]) -> TriangleIndex {
    let corners = triangles.as_flattened().iter().map(|it| it.to_array());
    let faces = (0..triangles.len() as u32).map(|i| {
        Some(Face {
            corners: [3 * i, 3 * i + 1, 3 * i + 2],
            ..Face::default()
        })
    });
    let (corners, faces): (Vec<_>, Vec<_>) = (corners.collect(), faces.collect());
    TriangleIndex::new(&corners, &faces).expect("corners are there")
}
