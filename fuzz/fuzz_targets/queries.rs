//! Queries on triangles of any numbers, and on the brushes of damaged maps: every query returns, its result is a
//! number, and batches and all SIMD levels return the same.
//!
//! The first byte says what the rest is: triangles and queries, or a Source map.
#![no_main]

use glam::Vec3;
use ironlands_assets_source::bsp::{BspFile, Map};
use ironlands_assets_source::entities::Entities;
use ironlands_sim::brush::{ContentBits, ShapeCast, CastScratch};
use ironlands_sim::triangles::{Face, SimdLevel, Overlap, TriangleIndex};
use ironlands_sim::{MaskFilter, Ray};
use ironlands_world_source::brush_world;
use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;

const ALL: MaskFilter = MaskFilter::ALL;

fn vector(u: &mut Unstructured<'_>) -> Vec3 {
    Vec3::from_array([(); 3].map(|()| u.arbitrary().unwrap_or_default()))
}

fn triangles(u: &mut Unstructured<'_>) {
    let n_vertices = u.int_in_range(1..=40_u32).unwrap_or(1);
    let positions: Vec<[f32; 3]> = (0..n_vertices).map(|_| vector(u).to_array()).collect();
    let n_faces = u.int_in_range(0..=60).unwrap_or(0);
    let faces: Vec<Option<Face>> = (0..n_faces)
        .map(|_| {
            let mut corner = || u.int_in_range(0..=n_vertices - 1).unwrap_or(0);
            Some(Face {
                corners: [corner(), corner(), corner()],
                mask: u32::MAX,
                material: 0,
            })
        })
        .collect();
    let index = TriangleIndex::new(&positions, &faces).expect("corners that are there");
    let portable = index.clone().with_simd_level(SimdLevel::Portable);
    for _ in 0..4 {
        let (origin, direction, other) = (vector(u), vector(u), vector(u));
        let ray = Ray { origin, direction };
        let hit = index.cast_ray(&ray, f32::MAX, ALL);
        assert_eq!(hit, portable.cast_ray(&ray, f32::MAX, ALL));
        let mut hits = [None];
        index.cast_ray_batch(&[ray], &[f32::MAX], ALL, &mut hits);
        assert_eq!(hits[0], hit);
        assert!(hit.is_none_or(|hit| hit.position.is_finite() && hit.normal.is_finite()));
        let is_hit = index.cast_segment(origin, other, ALL);
        assert_eq!(is_hit, portable.cast_segment(origin, other, ALL));
        let height = index.height_at(origin.x, origin.y, ALL);
        assert!(height.is_none_or(|height| height.z.is_finite()));
        let nearest = index.closest_point(origin, f32::MAX, ALL);
        assert!(nearest.is_none_or(|nearest| nearest.distance.is_finite()));
        let mut found = Vec::new();
        let (low, high) = (origin.min(other), origin.max(other));
        index.faces_in_aabb(low, high, ALL, Overlap::Exact, &mut found);
        assert!(found.iter().all(|&face| (face as usize) < faces.len()));
    }
}

fn brushes(data: &[u8]) {
    let Ok(map) = BspFile::read(data).and_then(|file| Map::read(&file)) else {
        return;
    };
    let Ok(world) = brush_world(&map, &Entities::default(), &[]) else {
        return;
    };
    let mut scratch = CastScratch::default();
    let ends = [Vec3::splat(-500.0), Vec3::new(900.0, 20.0, -3.0), Vec3::splat(f32::MAX)];
    for end in ends {
        let mask = ContentBits::all();
        for sweep in [
            ShapeCast::from_ray(Vec3::ZERO, end, mask),
            ShapeCast::from_box(Vec3::ZERO, end, [Vec3::splat(-16.0), Vec3::splat(16.0)], mask),
        ] {
            let trace = world.cast_shape(&sweep, &mut scratch);
            assert!((0.0..=1.0).contains(&trace.fraction), "{trace:?}");
        }
        world.contents_at(end);
    }
}

fuzz_target!(|data: &[u8]| {
    match data.split_first() {
        Some((kind, data)) if kind % 2 == 0 => triangles(&mut Unstructured::new(data)),
        Some((_, data)) => brushes(data),
        None => {}
    }
});
