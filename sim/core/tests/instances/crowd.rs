//! Many instances: the same bits on any number of threads and from any tree, and queries that batch.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use ironlands_sim_core::RowMatrix;
use ironlands_sim_core::instances::{Instance, InstanceHit, InstanceIndex, Refit};
use ironlands_sim_core::{MaskFilter, Ray};
use rayon::ThreadPoolBuilder;

use crate::common::{ALL, Random, cast, down, index, plain_crossing, square};

/// More than one task builds, moves and fits.
const N: usize = 12_000;
const HALF: Vec3 = Vec3::new(300.0, 300.0, 20.0);

fn places(random: &mut Random) -> Vec<RowMatrix> {
    let place = |_| {
        let turn = Quat::from_rotation_y(random.between(0.0, 6.3));
        let size = Vec3::splat(random.between(0.5, 3.0));
        Mat4::from_scale_rotation_translation(size, turn, random.point(HALF)).into()
    };
    (0..N).map(place).collect()
}

fn rays(random: &mut Random) -> Vec<Ray> {
    let ray = |_| Ray {
        origin: random.point(HALF),
        direction: random.point(Vec3::ONE),
    };
    (0..2000).map(ray).collect()
}

#[derive(Debug, PartialEq)]
struct ExpectedResults {
    refits: Vec<Refit>,
    hits: Vec<Option<InstanceHit>>,
    are_hit: Vec<bool>,
    in_boxes: Vec<Vec<u32>>,
}

fn results(index: &InstanceIndex, rays: &[Ray], refits: Vec<Refit>) -> ExpectedResults {
    let segments: Vec<_> = rays.iter().map(|ray| [ray.origin, ray.at(30.0)]).collect();
    let boxes: Vec<_> = segments
        .iter()
        .map(|[a, b]| [a.min(*b), a.max(*b)])
        .collect();
    let t_max: Vec<_> = (0..rays.len()).map(|i| 5.0 * i as f32).collect();
    let mut results = ExpectedResults {
        refits,
        hits: vec![None; rays.len()],
        are_hit: vec![false; rays.len()],
        in_boxes: vec![Vec::new(); rays.len()],
    };
    index.cast_ray_batch(rays, &t_max, ALL, &mut results.hits);
    index.cast_segment_batch(&segments, ALL, &mut results.are_hit);
    index.instances_in_aabb_batch(&boxes, MaskFilter::ALL, &mut results.in_boxes);
    for i in 0..rays.len() {
        assert_eq!(results.hits[i], index.cast_ray(&rays[i], t_max[i], ALL));
        let [a, b] = segments[i];
        assert_eq!(results.are_hit[i], index.cast_segment(a, b, ALL));
        let mut single = Vec::new();
        index.instances_in_aabb(boxes[i][0], boxes[i][1], MaskFilter::ALL, &mut single);
        assert_eq!(results.in_boxes[i], single);
    }
    results
}

#[test]
fn threads_and_trees_change_no_bit() {
    let on_threads = |n_threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(n_threads).build();
        pool.expect("threads").install(|| {
            let mut random = Random(1);
            let mut index = index(square(), &places(&mut random));
            let mut refits = Vec::new();
            // All go elsewhere, then a little on.
            let mut moved = places(&mut random);
            refits.push(index.refit(&moved));
            for place in &mut moved {
                place.0[3] += random.between(-0.1, 0.1);
            }
            refits.push(index.refit(&moved));
            let rays = rays(&mut random);
            let anew = InstanceIndex::new(Arc::clone(index.shapes()), index.instances());
            let results = results(&index, &rays, refits);
            let of_anew = self::results(&anew.expect("as before"), &rays, results.refits.clone());
            assert_eq!(results, of_anew);
            results
        })
    };
    let results = on_threads(1);
    assert_eq!(results, on_threads(4));
    assert_eq!(results.refits, [Refit::Rebuilt, Refit::Fitted]);
    let n_hits = results.hits.iter().flatten().count();
    assert!(
        (200..1800).contains(&n_hits),
        "{n_hits} of 2000 hit: nothing is proven"
    );
}

#[test]
fn a_crowd_is_met_as_a_loop_over_it_is() {
    let mut random = Random(2);
    let places = places(&mut random);
    let index = index(square(), &places);
    let shape = square();
    for ray in rays(&mut random).iter().take(100) {
        let (origin, direction) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
        let mut nearest: Option<(f64, usize)> = None;
        for (i, place) in places.iter().enumerate() {
            let world_from_local = crate::common::affine(place);
            for face in 0..2 {
                let corners = shape.face_corners(face).expect("a face");
                let corners = corners.map(|v| world_from_local.transform_point3(v.as_dvec3()));
                let Some((t, weights)) = plain_crossing(corners, origin, direction) else {
                    continue;
                };
                let is_inside = weights.into_iter().all(|w| w >= 0.0) && t >= 0.0;
                if is_inside && nearest.is_none_or(|(other, _)| t < other) {
                    nearest = Some((t, i));
                }
            }
        }
        let found = cast(&index, ray);
        assert_eq!(
            found.map(|hit| hit.instance as usize),
            nearest.map(|(_, i)| i)
        );
        if let (Some(hit), Some((t, _))) = (found, nearest) {
            assert!(
                (f64::from(hit.t) - t).abs() < 1e-4 * (1.0 + t),
                "{hit:?} {t}"
            );
        }
    }
}

#[test]
fn a_tree_is_never_too_deep() {
    // Each a sixteenth as far out as the one before, on one axis after the other: cuts by area take one at a time,
    // and leave the rest where a walk goes first.
    let nested = (0..3).flat_map(|axis| {
        (-31..=31).rev().map(move |power| {
            let mut place = Vec3::ZERO;
            place[axis] = -(16.0_f32.powi(power));
            Mat4::from_scale_rotation_translation(Vec3::splat(1e-30), Quat::IDENTITY, place).into()
        })
    });
    let nested: Vec<RowMatrix> = nested.collect();
    let index = index(square(), &nested);
    let mut found = Vec::new();
    let endless = [Vec3::NEG_INFINITY, Vec3::INFINITY];
    index.instances_in_aabb(endless[0], endless[1], MaskFilter::ALL, &mut found);
    assert_eq!(found.len(), nested.len());
    // Many in one place cannot be cut at all.
    let index = crate::common::index(square(), &vec![RowMatrix::IDENTITY; 3000]);
    let hit = cast(&index, &down(0.0, 0.0, 9.0));
    assert_eq!(hit.map(|hit| hit.instance), Some(0));
}

#[test]
fn ids_and_masks_stay_with_their_instances() {
    let shape = square();
    let instances: Vec<_> = places(&mut Random(3))
        .into_iter()
        .zip(0..)
        .map(|(world_from_local, i)| Instance {
            shape: 0,
            mask: i % 3,
            id: i * 7,
            world_from_local,
        })
        .collect();
    let index = InstanceIndex::new([shape].into(), &instances).expect("a valid shape");
    let mut n_hits = 0;
    for ray in rays(&mut Random(4)) {
        let filter = crate::common::instances_with(1, 0);
        if let Some(hit) = index.cast_ray(&ray, 1e9, filter) {
            assert_eq!((hit.id, hit.instance % 3), (hit.instance * 7, 1));
            n_hits += 1;
        }
    }
    assert!(n_hits > 100, "{n_hits}");
}
