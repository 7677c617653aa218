//! Moving spheres and capsules against plain loops over all faces: the moment of contact by bisection.
//!
//! Near a moment that is hardly a touch two methods may differ by rounding, so a plain result is a pair: a slightly
//! thinner shape that touches leaves no doubt, and a slightly thicker one must touch where a touch is found.

use crate::plain;
use crate::soup::{Soup, filter, point, soup};
use glam::{DVec3, Vec3};
use ironlands_sim_core::Ray;
use ironlands_sim_core::triangles::ShapeHit;
use proptest::prelude::*;

/// Thinner and thicker by this.
const DOUBT: f64 = 1e-6;
/// Results are f32; motions stay below 32.
const T_TOLERANCE: f64 = 1e-6;

/// A moving capsule; a sphere if the ends are equal.
#[derive(Debug, Clone, Copy)]
struct Moving {
    a: Vec3,
    b: Vec3,
    radius: f32,
    motion: Vec3,
}

impl Moving {
    fn distance_at(&self, t: f64, corners: [DVec3; 3]) -> f64 {
        let [a, b] = [self.a, self.b].map(|end| end.as_dvec3() + t * self.motion.as_dvec3());
        if self.a == self.b {
            plain::to_triangle(a, corners)
        } else {
            plain::segment_to_triangle(a, b, corners)
        }
    }

    /// The earliest and the latest moment at which a face may be touched first.
    fn moments(&self, corners: [DVec3; 3]) -> [f64; 2] {
        let radius = f64::from(self.radius);
        let distance = |t: f64| self.distance_at(t, corners);
        let at_start = distance(0.0);
        if at_start > radius + DOUBT {
            return [radius + DOUBT, radius - DOUBT].map(|r| plain::first_within(distance, r));
        }
        if self.motion == Vec3::ZERO {
            return [
                0.0,
                if at_start < radius - DOUBT {
                    0.0
                } else {
                    f64::INFINITY
                },
            ];
        }
        // Touched at the start, if nothing is in doubt; does it come nearer?
        let change = (distance(1e-4) - at_start) / 1e-4;
        let comes_nearer = change < -1e-3;
        let leaves = change > 1e-3 || at_start < DOUBT;
        match (at_start < radius - DOUBT, comes_nearer, leaves) {
            (true, true, _) => [0.0, 0.0],
            (true, _, true) => [f64::INFINITY; 2],
            _ => [0.0, f64::INFINITY],
        }
    }
}

fn offset() -> impl Strategy<Value = Vec3> {
    prop_oneof![
        3 => [-8_i32..=8, -8..=8, -8..=8].prop_map(|p| Vec3::from_array(p.map(|i| i as f32 * 0.5))),
        1 => prop::sample::select(vec![Vec3::X, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z]).prop_map(|v| v * 4.0),
        2 => [-6.0_f32..6.0, -6.0_f32..6.0, -6.0_f32..6.0].prop_map(Vec3::from_array),
        1 => Just(Vec3::ZERO),
    ]
}

fn moving_sphere() -> impl Strategy<Value = Moving> {
    let radius = prop::sample::select(vec![0.25, 0.5, 0.7, 1.0, 2.5]);
    (point(), radius, offset()).prop_map(|(center, radius, motion)| {
        let a = Vec3::from(center) * 1.5 - 2.0;
        Moving {
            a,
            b: a,
            radius,
            motion,
        }
    })
}

fn moving_capsule() -> impl Strategy<Value = Moving> {
    let upright = (0.5_f32..2.0).prop_map(|height| Vec3::Z * height);
    let axis = prop_oneof![1 => upright, 2 => offset().prop_map(|axis| axis * 0.5)];
    (moving_sphere(), axis).prop_map(|(sphere, axis)| Moving {
        b: sphere.a + axis,
        ..sphere
    })
}

fn check(
    soup: &Soup,
    moving: &Moving,
    hit: Option<ShapeHit>,
    seen: &[usize],
) -> Result<(), TestCaseError> {
    let moments = |face: usize| moving.moments(soup.corners(face));
    let latest = seen
        .iter()
        .map(|&face| moments(face)[1])
        .fold(f64::INFINITY, f64::min);
    let Some(hit) = hit else {
        prop_assert!(latest.is_infinite(), "missed t {}", latest);
        return Ok(());
    };
    let t = f64::from(hit.t);
    prop_assert!((0.0..=1.0).contains(&t));
    prop_assert!(t <= latest + T_TOLERANCE, "t {} behind {}", t, latest);
    prop_assert!(seen.contains(&(hit.face as usize)));
    let [earliest, _] = moments(hit.face as usize);
    prop_assert!(t >= earliest - T_TOLERANCE, "t {} before {}", t, earliest);

    let corners = soup.corners(hit.face as usize);
    let contact = hit.contact.as_dvec3();
    prop_assert!(plain::to_triangle(contact, corners) < 1e-5);
    let [a, b] = [moving.a, moving.b].map(|end| end.as_dvec3() + t * moving.motion.as_dvec3());
    prop_assert!(hit.position.as_dvec3().distance(a) < 1e-5);
    prop_assert!((hit.normal.length() - 1.0).abs() < 1e-6);
    let distance = moving.distance_at(t, corners);
    prop_assert!((plain::to_segment(contact, a, b) - distance).abs() < 1e-4);
    if distance > 0.01 {
        // From the contact along the normal lies the axis.
        let on_axis = contact + hit.normal.as_dvec3() * distance;
        prop_assert!(plain::to_segment(on_axis, a, b) < 1e-4);
        prop_assert!(hit.normal.dot(moving.motion) <= 1e-4);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_moving_sphere_touches_what_the_plain_loop_touches(
        soup in soup(),
        spheres in prop::collection::vec(moving_sphere(), 6),
        filter in filter(),
    ) {
        let index = soup.index();
        let seen: Vec<_> = soup.accepted(filter).collect();
        for moving in spheres {
            let Moving { a, radius, motion, .. } = moving;
            check(&soup, &moving, index.cast_sphere(a, radius, motion, filter), &seen)?;
        }
    }

    #[test]
    fn a_moving_capsule_touches_what_the_plain_loop_touches(
        soup in soup(),
        capsules in prop::collection::vec(moving_capsule(), 3),
        filter in filter(),
    ) {
        let index = soup.index();
        let seen: Vec<_> = soup.accepted(filter).collect();
        for moving in capsules {
            let Moving { a, b, radius, motion } = moving;
            check(&soup, &moving, index.cast_capsule(a, b, radius, motion, filter), &seen)?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_sphere_without_radius_is_a_ray(
        soup in soup(),
        ways in prop::collection::vec((point(), offset()), 40),
        filter in filter(),
    ) {
        let index = soup.index();
        for (origin, direction) in ways {
            let origin = Vec3::from(origin);
            let hit = index.cast_sphere(origin, 0.0, direction, filter);
            if direction != Vec3::ZERO {
                let ray = index.cast_ray(&Ray { origin, direction }, 1.0, filter);
                prop_assert_eq!(hit.map(|hit| (hit.face, hit.t)), ray.map(|ray| (ray.face, ray.t)));
            }
        }
    }

    #[test]
    fn no_center_goes_through_a_face_however_thin_the_sphere(
        soup in soup(),
        ways in prop::collection::vec((point(), offset(), prop::sample::select(vec![1e-30_f32, 1e-9, 1e-3])), 40),
        filter in filter(),
    ) {
        let index = soup.index();
        for (center, motion, radius) in ways {
            let center = Vec3::from(center);
            let ray = index.cast_ray(&Ray { origin: center, direction: motion }, 1.0, filter);
            // On a face at the start: free of that face.
            if let Some(ray) = ray.filter(|ray| ray.t > 1e-6) {
                let hit = index.cast_sphere(center, radius, motion, filter);
                prop_assert!(hit.is_some_and(|hit| hit.t <= ray.t), "{:?} {:?}", hit, ray);
            }
        }
    }

    #[test]
    fn a_world_of_another_size_returns_the_same(
        soup in soup(),
        spheres in prop::collection::vec(moving_capsule(), 10),
        exponent in prop::sample::select(vec![-90, 60, 118]),
    ) {
        let scale = 2.0_f32.powi(exponent);
        let positions = soup.positions.iter().map(|p| p.map(|v| v * scale)).collect();
        let (index, scaled) = (soup.index(), Soup { positions, ..soup }.index());
        for Moving { a, b, radius, motion } in spheres {
            let hit = index.cast_capsule(a, b, radius, motion, crate::common::ALL);
            let expected = hit.map(|hit| ShapeHit {
                position: hit.position * scale,
                contact: hit.contact * scale,
                ..hit
            });
            let [a, b, motion] = [a, b, motion].map(|v| v * scale);
            prop_assert_eq!(scaled.cast_capsule(a, b, radius * scale, motion, crate::common::ALL), expected);
        }
    }

    #[test]
    fn batches_return_what_single_calls_do_on_any_number_of_threads(
        soup in soup(),
        spheres in prop::collection::vec(moving_sphere(), 200),
        filter in filter(),
    ) {
        let index = soup.index();
        let centers: Vec<_> = spheres.iter().map(|s| s.a).collect();
        let radii: Vec<_> = spheres.iter().map(|s| s.radius).collect();
        let motions: Vec<_> = spheres.iter().map(|s| s.motion).collect();
        let single: Vec<_> = spheres.iter().map(|s| index.cast_sphere(s.a, s.radius, s.motion, filter)).collect();
        for n_threads in [1, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads can be started");
            let mut hits = vec![None; spheres.len()];
            pool.install(|| index.cast_sphere_batch(&centers, &radii, &motions, filter, &mut hits));
            prop_assert_eq!(&hits, &single);
        }
    }
}
