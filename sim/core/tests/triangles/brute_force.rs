//! The triangle index against plain loops over all faces in f64, on random triangle soups: several layers,
//! upright and degenerate faces, rays along axes and through edges and corners.
//!
//! Close to an edge two methods may differ by rounding, so a plain result is a pair: a hit that leaves no doubt
//! must be found, and what is found must be possible.

use crate::soup::{Soup, filter, point, soup};
use glam::{DVec3, Vec2, Vec3};
use ironlands_sim_core::triangles::{Overlap, Sides, TriangleIndex};
use ironlands_sim_core::{MaskFilter, Ray};
use proptest::prelude::*;

/// Weights and box sides nearer to the border than this leave doubt.
const DOUBT: f64 = 1e-6;
/// Results are f32; coordinates stay below 32.
const T_TOLERANCE: f64 = 1e-4;

/// Between two points of the soup's space, along an axis, or straight down.
fn ray() -> impl Strategy<Value = Ray> {
    let start =
        [-2_i32..=20, -2..=20, -2..=20].prop_map(|p| Vec3::from_array(p.map(|i| i as f32 * 0.5)));
    let axis = prop::sample::select(vec![
        Vec3::X,
        Vec3::NEG_X,
        Vec3::Y,
        Vec3::NEG_Y,
        Vec3::Z,
        Vec3::NEG_Z,
    ]);
    let direction = prop_oneof![
        2 => axis,
        3 => [-16_i32..=16, -16..=16, -16..=16].prop_map(|p| Vec3::from_array(p.map(|i| i as f32 * 0.25))),
        2 => [-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0].prop_map(Vec3::from_array),
    ];
    (start, direction).prop_map(|(origin, direction)| Ray { origin, direction })
}

struct PlainCrossing {
    t: f64,
    /// Smallest weight: how far inside, negative outside.
    inside: f64,
    /// Sine of the angle between ray and face; doubt when it is small.
    sine: f64,
    front: bool,
}

/// Möller and Trumbore.
fn plain_crossing([a, b, c]: [DVec3; 3], origin: DVec3, direction: DVec3) -> Option<PlainCrossing> {
    let (e1, e2) = (b - a, c - a);
    let p = direction.cross(e2);
    let determinant = e1.dot(p);
    if determinant == 0.0 {
        return None;
    }
    let s = origin - a;
    let q = s.cross(e1);
    let (v, w) = (s.dot(p) / determinant, direction.dot(q) / determinant);
    let normal = e1.cross(e2);
    Some(PlainCrossing {
        t: e2.dot(q) / determinant,
        inside: v.min(w).min(1.0 - v - w),
        sine: (determinant / (normal.length() * direction.length())).abs(),
        front: normal.dot(direction) < 0.0,
    })
}

/// The nearest hit that leaves no doubt.
fn surely_nearest(
    soup: &Soup,
    ray: &Ray,
    t_max: f32,
    filter: MaskFilter,
    sides: Sides,
) -> Option<f64> {
    let (origin, direction) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
    let t_range = DOUBT..f64::from(t_max) - T_TOLERANCE;
    let crossings = soup.accepted(filter).filter_map(|face| {
        let crossing = plain_crossing(soup.corners(face), origin, direction)?;
        let seen = crossing.front || sides == Sides::Both || soup.masks[face] & 0x8 != 0;
        let sure =
            crossing.inside > DOUBT && crossing.sine > DOUBT && t_range.contains(&crossing.t);
        (seen && sure).then_some(crossing.t)
    });
    crossings.min_by(f64::total_cmp)
}

fn check_ray(
    soup: &Soup,
    index: &TriangleIndex,
    ray: &Ray,
    t_max: f32,
    filter: MaskFilter,
    sides: Sides,
) -> Result<(), TestCaseError> {
    let sure = surely_nearest(soup, ray, t_max, filter, sides);
    let hit = index.cast_ray_at_sides(ray, t_max, filter, sides);
    let Some(hit) = hit else {
        prop_assert!(sure.is_none(), "missed t {sure:?}");
        return Ok(());
    };
    prop_assert!((0.0..=t_max).contains(&hit.t));
    if let Some(t) = sure {
        prop_assert!(
            f64::from(hit.t) <= t + T_TOLERANCE,
            "t {} behind {t}",
            hit.t
        );
    }
    prop_assert!(
        soup.accepted(filter).any(|face| face == hit.face as usize),
        "face {} is filtered out",
        hit.face
    );
    let (origin, direction) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
    let crossing = plain_crossing(soup.corners(hit.face as usize), origin, direction);
    if let Some(c) = crossing.filter(|c| c.sine > DOUBT) {
        prop_assert!(
            c.inside > -DOUBT,
            "face {} is hit outside by {}",
            hit.face,
            c.inside
        );
        prop_assert!(
            (c.t - f64::from(hit.t)).abs() < T_TOLERANCE,
            "t {} is {}",
            hit.t,
            c.t
        );
        prop_assert_eq!(c.front, hit.front);
        prop_assert!(ray.at(hit.t).distance(hit.position) < 1e-3);
        prop_assert!((hit.barycentrics.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
    Ok(())
}

/// Heights of all faces over a point, with the doubt of each: (face, z, inside).
fn plain_heights(soup: &Soup, x: f32, y: f32, filter: MaskFilter) -> Vec<(usize, f64, f64)> {
    let faces = soup.accepted(filter).filter_map(|face| {
        let [a, b, c] = soup.corners(face);
        let area = (b - a).cross(c - a).z;
        let (x, y) = (f64::from(x), f64::from(y));
        let weight =
            |p: DVec3, q: DVec3| ((q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x)) / area;
        let weights = [weight(b, c), weight(c, a), weight(a, b)];
        let z = weights[0] * a.z + weights[1] * b.z + weights[2] * c.z;
        (area != 0.0).then(|| (face, z, weights.into_iter().fold(f64::INFINITY, f64::min)))
    });
    faces.collect()
}

/// What is left of a triangle inside a closed box: Sutherland and Hodgman, a method unlike the index's own.
fn clipped(corners: [DVec3; 3], min: DVec3, max: DVec3) -> Vec<DVec3> {
    let mut polygon = corners.to_vec();
    for axis in 0..3 {
        for (sign, limit) in [(1.0, max[axis]), (-1.0, min[axis])] {
            let depth = |p: DVec3| sign * (limit - p[axis]);
            let n = polygon.len();
            polygon = (0..n)
                .flat_map(|i| {
                    let (p, q) = (polygon[i], polygon[(i + 1) % n]);
                    let (dp, dq) = (depth(p), depth(q));
                    let cut = (dp * dq < 0.0).then(|| p + (q - p) * (dp / (dp - dq)));
                    (dp >= 0.0).then_some(p).into_iter().chain(cut)
                })
                .collect();
        }
    }
    polygon
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn rays_meet_what_the_plain_loop_meets(
        soup in soup(),
        rays in prop::collection::vec((ray(), prop::sample::select(vec![0.5, 4.0, 40.0, f32::INFINITY])), 40),
        filter in filter(),
    ) {
        let index = soup.index();
        for (ray, t_max) in rays {
            check_ray(&soup, &index, &ray, t_max, filter, Sides::Both)?;
            check_ray(&soup, &index, &ray, t_max, filter, Sides::FrontUnless(0x8))?;
            let end = ray.at(2.0);
            let nearest = index.cast_ray(&Ray { origin: ray.origin, direction: end - ray.origin }, 1.0, filter);
            prop_assert_eq!(index.cast_segment(ray.origin, end, filter), nearest.is_some());
        }
    }

    #[test]
    fn heights_are_those_of_the_plain_loop(
        soup in soup(),
        points in prop::collection::vec(point(), 40),
        filter in filter(),
    ) {
        let index = soup.index();
        for [x, y, limit] in points {
            let plain = plain_heights(&soup, x, y, filter);
            let highest = |below: f64| {
                let sure = plain.iter().filter(|(_, z, inside)| *inside > DOUBT && *z < below - DOUBT);
                sure.map(|(_, z, _)| *z).max_by(f64::total_cmp)
            };
            let hits = [
                (index.height_at(x, y, filter), f64::INFINITY),
                (index.height_at_or_below(x, y, limit, filter), f64::from(limit)),
            ];
            for (hit, below) in hits {
                let Some(hit) = hit else {
                    prop_assert_eq!(highest(below), None);
                    continue;
                };
                prop_assert!(f64::from(hit.z) <= below);
                prop_assert!(highest(below).is_none_or(|z| f64::from(hit.z) >= z - 1e-5), "{} under {:?}", hit.z, highest(below));
                let of_face = plain.iter().find(|(face, ..)| *face == hit.face as usize);
                prop_assert!(of_face.is_some_and(|(_, z, inside)| *inside > -DOUBT && (z - f64::from(hit.z)).abs() < 1e-5));
                prop_assert!(hit.normal.z >= 0.0);
            }
            let above = index.height_at_or_above(x, y, limit, filter).map(|hit| hit.z);
            let sure_above = plain.iter().filter(|(_, z, inside)| *inside > DOUBT && *z > f64::from(limit) + DOUBT);
            let lowest = sure_above.map(|(_, z, _)| *z).min_by(f64::total_cmp);
            prop_assert!(above.is_none_or(|z| z >= limit));
            prop_assert!(lowest.is_none_or(|z| above.is_some_and(|above| f64::from(above) <= z + 1e-5)));
        }
    }

    #[test]
    fn boxes_hold_what_the_plain_loop_holds(
        soup in soup(),
        boxes in prop::collection::vec([point(), point()], 30),
        filter in filter(),
    ) {
        let index = soup.index();
        let (mut by_bounds, mut exact) = (Vec::new(), Vec::new());
        for [a, b] in boxes {
            let (min, max) = (Vec3::from(a).min(Vec3::from(b)), Vec3::from(a).max(Vec3::from(b)));
            index.faces_in_aabb(min, max, filter, Overlap::Bounds, &mut by_bounds);
            let plain: Vec<u32> = soup.accepted(filter).filter(|&face| {
                let [a, b, c] = soup.corners(face);
                a.min(b).min(c).cmple(max.as_dvec3()).all() && a.max(b).max(c).cmpge(min.as_dvec3()).all()
            }).map(|face| face as u32).collect();
            by_bounds.sort_unstable();
            prop_assert_eq!(&by_bounds, &plain);

            index.faces_in_aabb(min, max, filter, Overlap::Exact, &mut exact);
            exact.sort_unstable();
            prop_assert!(exact.is_sorted_by(|a, b| a < b), "a face twice");
            for face in soup.accepted(filter) {
                let held = exact.contains(&(face as u32));
                let doubt = DVec3::splat(DOUBT);
                let surely = !clipped(soup.corners(face), min.as_dvec3() + doubt, max.as_dvec3() - doubt).is_empty();
                let possibly = !clipped(soup.corners(face), min.as_dvec3() - doubt, max.as_dvec3() + doubt).is_empty();
                prop_assert!(held || !surely || min.cmpeq(max).any(), "face {} is missing", face);
                prop_assert!(!held || possibly, "face {} is not in the box", face);
            }
        }
    }

    #[test]
    fn batches_return_what_single_calls_do_on_any_number_of_threads(
        soup in soup(),
        rays in prop::collection::vec(ray(), 300),
        filter in filter(),
    ) {
        let index = soup.index();
        let t_max = vec![20.0; rays.len()];
        let points: Vec<Vec2> = rays.iter().map(|ray| ray.origin.truncate()).collect();
        let segments: Vec<[Vec3; 2]> = rays.iter().map(|ray| [ray.origin, ray.at(3.0)]).collect();
        for n_threads in [1, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads can be started");
            let (mut hits, mut heights) = (vec![None; rays.len()], vec![None; rays.len()]);
            let (mut blocked, mut faces) = (vec![false; rays.len()], vec![Vec::new(); rays.len()]);
            pool.install(|| {
                index.cast_ray_batch(&rays, &t_max, filter, &mut hits);
                index.height_at_batch(&points, filter, &mut heights);
                index.cast_segment_batch(&segments, filter, &mut blocked);
                index.faces_in_aabb_batch(&segments, filter, Overlap::Exact, &mut faces);
            });
            let mut single = Vec::new();
            for i in 0..rays.len() {
                prop_assert_eq!(hits[i], index.cast_ray(&rays[i], t_max[i], filter));
                prop_assert_eq!(heights[i], index.height_at(points[i].x, points[i].y, filter));
                let [a, b] = segments[i];
                prop_assert_eq!(blocked[i], index.cast_segment(a, b, filter));
                index.faces_in_aabb(a, b, filter, Overlap::Exact, &mut single);
                prop_assert_eq!(&faces[i], &single);
            }
        }
    }
}
