//! Input that is not fit for anything: what it is taken for.

use glam::{Mat4, Vec3};
use ironlands_sim_core::RowMatrix;
use ironlands_sim_core::instances::Refit;
use ironlands_sim_core::{MaskFilter, Ray};

use crate::common::{ALL, HERE, at, cast, down, index, instances_with, scaled, square};

/// One number of a matrix replaced.
fn with(element: usize, value: f32) -> RowMatrix {
    let mut matrix = HERE;
    matrix.0[element] = value;
    matrix
}

#[test]
fn an_instance_whose_transform_is_no_place_is_not_there() {
    let mut repeated = HERE;
    repeated.0[4..7].copy_from_slice(&[1.0, 0.0, 0.0]);
    let mut third = HERE;
    third.0[8..11].copy_from_slice(&[0.1, 0.7, 0.0]); // within the plane of the other two rows
    for (name, matrix) in [
        ("NaN in the first row", with(0, f32::NAN)),
        ("NaN off the diagonal", with(9, f32::NAN)),
        ("NaN in the place", with(7, f32::NAN)),
        ("infinite size", with(5, f32::INFINITY)),
        ("infinitely far", with(3, f32::NEG_INFINITY)),
        ("no size", scaled(0.0, 0.0, 0.0)),
        ("flat", scaled(1.0, 1.0, 0.0)),
        ("a line", scaled(0.0, 0.0, 1.0)),
        ("two rows alike", repeated),
        ("a row of the others", third),
        ("all zero", RowMatrix([0.0; 16])),
    ] {
        let mut index = index(square(), &[matrix, at(0.0, 0.0, -0.5)]);
        for direction in [Vec3::NEG_Z, Vec3::new(0.1, 0.2, -1.0)] {
            let origin = Vec3::new(0.1, 0.2, 3.0);
            let hit = cast(&index, &Ray { origin, direction });
            assert_eq!(hit.map(|hit| hit.instance), Some(1), "{name}");
        }
        let mut found = Vec::new();
        let endless = [Vec3::NEG_INFINITY, Vec3::INFINITY];
        index.instances_in_aabb(endless[0], endless[1], MaskFilter::ALL, &mut found);
        assert_eq!(found, [1], "{name}");
        // It comes, and goes again.
        assert_ne!(
            index.refit(&[HERE, at(0.0, 0.0, -0.5)]),
            Refit::Unmoved,
            "{name}"
        );
        let top = cast(&index, &down(0.1, 0.2, 3.0));
        assert_eq!(top.map(|hit| hit.instance), Some(0), "{name}");
        assert_ne!(index.refit(&[matrix, HERE]), Refit::Unmoved, "{name}");
        let top = cast(&index, &down(0.1, 0.2, 3.0));
        assert_eq!(top.map(|hit| hit.instance), Some(1), "{name}");
    }
}

#[test]
fn the_fourth_row_is_not_looked_at() {
    let mut odd = at(0.0, 0.0, 1.0);
    odd.0[12..].copy_from_slice(&[f32::NAN, 5.0, f32::INFINITY, 0.0]);
    let index = index(square(), &[odd]);
    assert_eq!(
        cast(&index, &down(0.5, 0.0, 3.0)).map(|hit| hit.t),
        Some(2.0)
    );
}

#[test]
fn rays_that_are_none_meet_nothing() {
    let index = index(square(), &[HERE, at(0.0, 0.0, -1.0)]);
    let good = down(0.25, 0.5, 1.0);
    assert!(index.cast_ray(&good, f32::INFINITY, ALL).is_some());
    for t_max in [
        f32::NAN,
        -1.0,
        f32::NEG_INFINITY,
        -f32::MIN_POSITIVE,
        0.0,
        0.999,
    ] {
        assert_eq!(index.cast_ray(&good, t_max, ALL), None, "t_max {t_max}");
    }
    for t_max in [1.0, f32::MAX] {
        assert!(index.cast_ray(&good, t_max, ALL).is_some(), "t_max {t_max}");
    }
    let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    for (value, axis) in bad
        .into_iter()
        .flat_map(|value| [0, 1, 2].map(|axis| (value, axis)))
    {
        let mut origin = good;
        origin.origin[axis] = value;
        assert_eq!(cast(&index, &origin), None, "origin {value}");
        let mut direction = good;
        direction.direction[axis] = value;
        assert_eq!(cast(&index, &direction), None, "direction {value}");
        assert!(
            !index.cast_segment(origin.origin, good.at(9.0), ALL),
            "{value}"
        );
        assert!(
            !index.cast_segment(good.at(9.0), origin.origin, ALL),
            "{value}"
        );
    }
    let still = Ray {
        direction: Vec3::ZERO,
        ..good
    };
    assert_eq!(cast(&index, &still), None);
    let on_it = good.at(1.0);
    assert!(!index.cast_segment(on_it, on_it, ALL), "no length");
    // Within the plane of the faces.
    let along = Ray {
        origin: Vec3::new(-5.0, 0.0, 0.0),
        direction: Vec3::X,
    };
    assert_eq!(cast(&index, &along), None);
}

#[test]
fn an_overflowing_t_is_no_hit() {
    let index = index(square(), &[HERE]);
    let slow = Ray {
        origin: Vec3::new(0.0, 0.5, 1e20),
        direction: Vec3::NEG_Z * 1e-30,
    };
    assert_eq!(cast(&index, &slow), None);
    // The smallest direction that there is.
    let smallest = Ray {
        origin: Vec3::new(0.0, 0.5, 1e-10),
        direction: Vec3::NEG_Z * f32::from_bits(1),
    };
    let hit = cast(&index, &smallest).expect("the square");
    assert!((hit.t / 7.136_238e34 - 1.0).abs() < 1e-6, "{hit:?}");
}

#[test]
fn boxes_that_are_none_hold_nothing() {
    let index = index(square(), &[HERE]);
    let (low, high) = (Vec3::splat(-9.0), Vec3::splat(9.0));
    for (min, max) in [
        (high, low),
        (low.with_y(f32::NAN), high),
        (low, high.with_z(f32::NAN)),
        (low.with_x(10.0), high),
    ] {
        let mut found = vec![3, 4];
        index.instances_in_aabb(min, max, MaskFilter::ALL, &mut found);
        assert!(found.is_empty(), "{min} {max}");
    }
}

#[test]
fn far_out_things_are_still_met() {
    // The step of an f32 is 1 here: sizes and places in whole steps.
    let far = 1e7_f32;
    let place = Mat4::from_scale_rotation_translation(
        Vec3::splat(8.0),
        glam::Quat::IDENTITY,
        Vec3::new(far, -far, far),
    );
    let index = index(square(), &[place.into(), HERE]);
    let ray = down(far + 3.0, -far + 2.0, far + 100.0);
    let hit = cast(&index, &ray).expect("the far square");
    assert_eq!((hit.instance, hit.t, hit.position.z), (0, 100.0, far));
    assert_eq!(
        cast(&index, &down(far + 9.0, -far + 2.0, far + 100.0)),
        None
    );
    assert!(index.cast_segment(ray.origin, ray.at(100.0), ALL));
    assert!(!index.cast_segment(ray.origin, ray.at(99.0), ALL));
    // From the origin out to there.
    let out = Ray {
        origin: Vec3::ZERO,
        direction: Vec3::new(1.0, -1.0, 1.0),
    };
    let hit = index
        .cast_ray(&out, f32::INFINITY, ALL)
        .expect("its own floor");
    assert_eq!((hit.instance, hit.t), (1, 0.0));
    let beyond = Ray {
        origin: Vec3::new(0.0, 0.0, 1.0),
        direction: Vec3::new(far + 3.0, -far + 2.0, far - 1.0),
    };
    assert_eq!(
        cast(&index, &beyond).map(|hit| (hit.instance, hit.t)),
        Some((0, 1.0))
    );
    assert!(index.cast_segment(beyond.origin, beyond.at(1.0), ALL));
}

#[test]
fn the_largest_numbers_do_no_harm() {
    let huge = f32::MAX;
    let places = [
        scaled(huge, huge, huge),
        at(huge, huge, huge),
        Mat4::from_scale_rotation_translation(
            Vec3::splat(huge),
            glam::Quat::from_rotation_x(0.7),
            Vec3::splat(huge),
        )
        .into(),
        scaled(1e-38, 1e-38, 1e-38),
        at(-huge, 0.0, 0.0),
        HERE,
    ];
    let mut index = index(square(), &places);
    let corners = [
        Vec3::splat(huge),
        Vec3::splat(-huge),
        Vec3::new(huge, 0.0, -huge),
        Vec3::Z,
    ];
    for a in corners {
        for b in corners {
            // No particular result is promised here, but there is one.
            let ray = Ray {
                origin: a,
                direction: b,
            };
            _ = cast(&index, &ray);
            _ = index.cast_segment(a, b, ALL);
        }
    }
    index.refit(&[at(0.0, 0.0, huge); 6]);
    index.refit(&places);
    // The one of a sane size is what it always was.
    let hit = index.cast_ray(&down(0.25, 0.5, 3.0), 3.0, instances_with(1 << 5, 0));
    assert_eq!(hit.map(|hit| (hit.instance, hit.t)), Some((5, 3.0)));
}
