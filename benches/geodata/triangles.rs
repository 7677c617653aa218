//! Triangles of the same cells as geodata, level with walls between them, at each SIMD level.

use crate::group;
use crate::world::World;
use criterion::{Criterion, Throughput};
use glam::Vec3;
use ironlands::worlds::lineage2::formats::RegionId;
use ironlands::worlds::lineage2::formats::level_scene::tile_tree;
use ironlands_query_bench::random::Random;
use ironlands_scene::{Facing, Tile, TileKey, TileShape, TileTree};
use ironlands_sim::geodata::land::{Land, LandRay};
use ironlands_sim::geodata::{GeoPoint, NoDataRule, Profile, Viewer};
use ironlands_sim::triangles::{Face, SimdLevel, TriangleIndex};
use ironlands_sim::{MaskFilter, Ray};
use std::hint::black_box;

const ALL: MaskFilter = MaskFilter::ALL;
/// Tiles of the finest level along a side of the part of a region that is taken: half of it.
const N_TILES: u32 = 8;
const N_LINES: usize = 4096;
/// How far lines go along x and y at most, and stay away from the border; points.
const LENGTH: u64 = 200 * 16;
const EYE: f32 = 34.5;

/// Lines over the last region: what geodata makes of them, and what triangles do.
pub fn bench(criterion: &mut Criterion, world: &World) {
    let id = world.plain.last().expect("a region").id;
    let land = Land::new(world.geodata.clone(), Profile::ACIS);
    let tree = tile_tree(&[id]);
    let triangles = triangles(&land, &tree);
    let lines = lines(world, id);
    let points: Vec<_> = lines.iter().map(|line| line.map(above)).collect();
    let to_ray = |[a, b]: &[Vec3; 2]| Ray {
        origin: *a,
        direction: *b - *a,
    };
    let rays: Vec<Ray> = points.iter().map(to_ray).collect();
    check(&land, &triangles, &rays);
    let name = format!("triangles/{id}, {} faces", triangles.n_faces());
    let mut group = group(criterion, &name, Throughput::Elements(N_LINES as u64));
    let mut add = |name: &str, run: &dyn Fn(usize)| {
        group.bench_function(name, |bencher| bencher.iter(|| (0..N_LINES).for_each(run)));
    };
    add("walk", &|i| {
        let [from, to] = lines[i];
        _ = black_box(world.geodata.straight_walk(from, to, &Profile::ACIS));
    });
    add("sight", &|i| {
        let [a, b] = lines[i].map(|point| Viewer::new(point, EYE));
        _ = black_box(
            world
                .geodata
                .one_way_line_of_sight(&a, &b, NoDataRule::Blocked),
        );
    });
    add("ray at plateaus", &|i| {
        black_box(land_hit(&land, &rays[i]));
    });
    for level in [SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512] {
        if !level.is_available() {
            continue;
        }
        let triangles = triangles.clone().with_simd_level(level);
        add(&format!("triangles ray, {level:?}"), &|i| {
            black_box(triangles.cast_ray(&rays[i], 1.0, ALL));
        });
        add(&format!("triangles segment, {level:?}"), &|i| {
            let [a, b] = points[i];
            black_box(triangles.cast_segment(a, b, ALL));
        });
    }
}

/// Rays end where triangles say.
fn check(land: &Land, triangles: &TriangleIndex, rays: &[Ray]) {
    for ray in rays {
        let ours = land_hit(land, ray);
        let theirs = triangles
            .cast_ray(ray, 1.0, ALL)
            .map(|hit| f64::from(hit.t));
        let is_same = match (ours, theirs) {
            (Some(ours), Some(theirs)) => (ours - theirs).abs() < 1e-3,
            (None, None) => true,
            _ => false,
        };
        assert!(is_same, "{ray:?}: {ours:?}, triangles {theirs:?}");
    }
}

fn land_hit(land: &Land, ray: &Ray) -> Option<f64> {
    let ray = LandRay::new(ray).expect("a finite ray");
    let hit = land.cast_ray(&ray, 1.0, TileShape::Plateaus);
    hit.map(|hit| hit.t)
}

/// From ground to ground.
fn lines(world: &World, id: RegionId) -> Vec<[GeoPoint; 2]> {
    let (x, y) = id.corner();
    let mut random = Random(3);
    let ground = |x: i32, y: i32| {
        let point = GeoPoint::new(x, y, 0);
        world
            .geodata
            .height(point)
            .ok()
            .map(|z| GeoPoint { z, ..point })
    };
    let half = 16_384 - 2 * LENGTH;
    let mut lines = Vec::new();
    while lines.len() < N_LINES {
        let mut below = |n: u64| random.below(n) as i32;
        // Tiles begin in the south-west, at the largest y of the files.
        let from = [
            x + below(half) + LENGTH as i32,
            y + 32_767 - LENGTH as i32 - below(half),
        ];
        let to = from.map(|at| at + below(2 * LENGTH) - LENGTH as i32);
        lines.extend(
            ground(from[0], from[1])
                .zip(ground(to[0], to[1]))
                .map(<[_; 2]>::from),
        );
    }
    lines
}

/// Where an eye is over a point, engine axes; off the middle of cells, so that no ray lies within a wall.
fn above(point: GeoPoint) -> Vec3 {
    let GeoPoint { x, y, z } = point;
    Vec3::new(x as f32 + 0.25, -(y as f32) - 0.25, z as f32 + EYE)
}

fn triangles(land: &Land, tree: &TileTree) -> TriangleIndex {
    let TileKey { level, x, y } = tree.land[0];
    let (mut positions, mut faces) = (Vec::new(), Vec::new());
    for i in 0..N_TILES * N_TILES {
        let key = TileKey {
            level: 0,
            x: (x << level) + i % N_TILES,
            y: (y << level) + i / N_TILES,
        };
        for corners in squares(&land.tile(key, TileShape::Plateaus), tree) {
            let first = positions.len() as u32;
            positions.extend(corners.map(|it| it.to_array()));
            for corners in [[0, 1, 2], [1, 3, 2]] {
                faces.push(Some(Face {
                    corners: corners.map(|corner| first + corner),
                    ..Face::default()
                }));
            }
        }
    }
    TriangleIndex::new(&positions, &faces).expect("corners are there")
}

/// Corners of each facet, as strips of two triangles.
fn squares(tile: &Tile, tree: &TileTree) -> impl Iterator<Item = [Vec3; 4]> {
    let (corner, side) = tree.square_of(tile.key);
    let step = side / f32::from(tree.steps_per_tile);
    tile.facets.iter().map(move |facet| {
        let low = [0, 1].map(|i| corner[i] + step * f32::from(facet.at[i]));
        let high = [0, 1].map(|i| low[i] + step * f32::from(facet.size[i]));
        let [x, y] = [[low[0], high[0]], [low[1], high[1]]];
        let places = match facet.facing {
            Facing::Up => [[x[0], y[0]], [x[1], y[0]], [x[0], y[1]], [x[1], y[1]]],
            _ => [[x[0], y[0]], [x[1], y[1]], [x[0], y[0]], [x[1], y[1]]],
        };
        std::array::from_fn(|i| {
            let [x, y] = places[i];
            Vec3::new(x, y, f32::from(facet.z[i]) * tree.z_unit)
        })
    })
}
