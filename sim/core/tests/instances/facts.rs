//! What is true of instances, one fact a test.

use glam::{Mat3, Mat4, Quat, Vec3};
use ironlands_sim_core::RowMatrix;
use ironlands_sim_core::instances::{Instance, InstanceError, InstanceIndex, Refit};
use ironlands_sim_core::{MaskFilter, Ray};

use crate::common::{
    ALL, HERE, Random, at, cast, down, faces_with, index, instances_with, nothing, scaled, square,
};

#[test]
fn an_instance_in_place_returns_the_same_as_its_shape() {
    let shape = square();
    let index = index(shape.clone(), &[HERE]);
    let origin = Vec3::new(0.3, -0.2, 1.7);
    for direction in [
        Vec3::new(0.1, 0.2, -1.0),
        Vec3::new(-0.3, 0.37, -0.77),
        Vec3::Z,
    ] {
        let ray = Ray { origin, direction };
        let found = cast(&index, &ray);
        let expected = shape.cast_ray(&ray, f32::INFINITY, MaskFilter::ALL);
        let reported = found.map(|it| {
            (
                it.face,
                it.t,
                it.barycentrics,
                it.position,
                it.normal,
                it.front,
            )
        });
        let hit_by_shape = expected.map(|it| {
            (
                it.face,
                it.t,
                it.barycentrics,
                it.position,
                it.normal,
                it.front,
            )
        });
        assert_eq!(reported, hit_by_shape);
    }
}

#[test]
fn a_hit_reports_all_of_its_face_where_it_lies() {
    // Twice as long in x, turned a quarter from X to Y, at (10, 20, 30).
    let turned = Mat4::from_scale_rotation_translation(
        Vec3::new(2.0, 1.0, 1.0),
        Quat::from_rotation_z(std::f32::consts::FRAC_PI_2),
        Vec3::new(10.0, 20.0, 30.0),
    );
    let index = index(square(), &[at(90.0, 0.0, 0.0), turned.into()]);
    let ray = Ray {
        origin: Vec3::new(10.5, 21.0, 34.0),
        direction: Vec3::new(0.0, 0.0, -2.0),
    };
    let hit = cast(&index, &ray).expect("the square");
    // In the shape that is (0.5, -0.5).
    assert_eq!(
        (hit.instance, hit.id, hit.face, hit.material),
        (1, 101, 0, 10)
    );
    assert!((hit.t - 2.0).abs() < 1e-6 && hit.front, "{hit:?}");
    assert!(
        hit.position.distance(Vec3::new(10.5, 21.0, 30.0)) < 1e-5,
        "{hit:?}"
    );
    assert!(hit.normal.distance(Vec3::Z) < 1e-6, "{hit:?}");
    let expected = [0.25, 0.5, 0.25];
    let off = hit.barycentrics.into_iter().zip(expected);
    assert!(
        off.map(|(a, b): (f32, f32)| (a - b).abs()).sum::<f32>() < 1e-5,
        "{hit:?}"
    );
}

#[test]
fn normals_stand_upright_on_faces_that_are_scaled_unequally() {
    // A slope of 45 degrees in x, made ten times as long: a rise of 1 in 10.
    let slope = Mat4::from_rotation_y(-std::f32::consts::FRAC_PI_4);
    let long = Mat4::from_scale(Vec3::new(10.0, 1.0, 1.0));
    let index = index(square(), &[(long * slope).into()]);
    let hit = cast(&index, &down(1.0, 0.5, 9.0)).expect("the slope");
    let expected = Vec3::new(-0.1, 0.0, 1.0).normalize();
    assert!(hit.normal.distance(expected) < 1e-6, "{hit:?}");
    assert!((hit.position.z - 0.1).abs() < 1e-6, "{hit:?}");
}

#[test]
fn a_mirror_turns_front_to_back() {
    for (matrix, is_front) in [
        (HERE, true),
        (scaled(-1.0, 1.0, 1.0), false), // the same place, seen the other way round
        (scaled(1.0, 1.0, -1.0), true),  // what is flat lies as before
        (scaled(-1.0, -1.0, 1.0), true),
        (scaled(-1.0, -1.0, -1.0), true),
        (Mat4::from_rotation_x(std::f32::consts::PI).into(), false),
    ] {
        let index = index(square(), &[matrix]);
        let hit = cast(&index, &down(0.5, 0.25, 3.0)).expect("the square");
        // By the winding of the corners where they lie now.
        let corners = square().face_corners(hit.face).expect("a face");
        let [a, b, c] = corners.map(|v| matrix.to_mat4().transform_point3(v));
        let normal = (b - a).cross(c - a).normalize();
        assert!(hit.normal.distance(normal) < 1e-6, "{matrix:?} {hit:?}");
        assert_eq!(
            (hit.front, hit.normal.z > 0.0),
            (is_front, is_front),
            "{matrix:?}"
        );
    }
}

#[test]
fn t_counts_in_lengths_of_the_direction_whatever_the_scale() {
    for scale in [1e-6_f32, 0.01, 1.0, 300.0, 1e6] {
        let index = index(square(), &[scaled(scale, scale, scale)]);
        for length in [1e-30_f32, 1e-3, 1.0, 1e4] {
            let origin = Vec3::new(0.25, 0.25, 2.0) * scale;
            let direction = Vec3::NEG_Z * length;
            let hit = cast(&index, &Ray { origin, direction });
            let (found, expected) = (hit.map(|it| it.t), 2.0 * scale / length);
            let is_near =
                found.is_some_and(|t| (t - expected).abs() <= 4.0 * f32::EPSILON * expected);
            assert!(
                is_near,
                "scale {scale}, length {length}: {found:?}, {expected}"
            );
        }
    }
}

#[test]
fn of_equal_distances_the_first_instance_counts() {
    let n = 20;
    for first in 0..n {
        // All in one place, but those before are elsewhere.
        let places: Vec<_> = (0..n)
            .map(|i| {
                if i < first {
                    at(50.0, i as f32, 0.0)
                } else {
                    HERE
                }
            })
            .collect();
        let index = index(square(), &places);
        let hit = cast(&index, &down(0.0, 0.0, 4.0)).expect("the squares");
        assert_eq!((hit.instance, hit.face, hit.t), (first, 0, 4.0));
        // From afar, where steps of t are long, and t is rounded.
        for length in [0.3, 3.0, 7.0, 11.0, 13.0] {
            let ray = Ray {
                origin: Vec3::new(0.5, 0.2, 77_777.0),
                direction: Vec3::NEG_Z * length,
            };
            let hit = cast(&index, &ray).expect("the squares");
            assert_eq!((hit.instance, hit.t), (first, 77_777.0 / length));
        }
    }
}

#[test]
fn both_filters_must_pass() {
    let index = index(square(), &[at(0.0, 0.0, 3.0), at(0.0, 0.0, 2.0), HERE]);
    let left = down(-0.5, 0.5, 9.0); // face 1, whose mask is 2
    let seen = |filter| index.cast_ray(&left, 100.0, filter).map(|hit| hit.instance);
    assert_eq!(seen(ALL), Some(0));
    assert_eq!(seen(instances_with(0, 1)), Some(1));
    assert_eq!(seen(instances_with(4, 0)), Some(2));
    assert_eq!(seen(instances_with(0, 7)), None);
    assert_eq!(seen(faces_with(2, 0)), Some(0));
    assert_eq!(seen(faces_with(1, 0)), None);
    assert_eq!(seen(faces_with(0, 2)), None);
    let mut both = instances_with(4, 0);
    both.faces = faces_with(2, 1).faces;
    assert_eq!(seen(both), Some(2));
    let (a, b) = (left.origin, left.at(100.0));
    assert!(index.cast_segment(a, b, both));
    assert!(!index.cast_segment(a, b, faces_with(1, 0)));
    assert!(!index.cast_segment(a, b, instances_with(8, 0)));
    let mut found = vec![7];
    let low = MaskFilter {
        required: 0,
        forbidden: 1,
    };
    index.instances_in_aabb(Vec3::splat(-1.0), Vec3::splat(3.0), low, &mut found);
    assert_eq!(found, [1, 2]);
}

#[test]
fn a_ray_may_begin_within_a_box_and_both_ends_count() {
    // A tent over the origin, whose box holds where the ray begins.
    let wall = |angle: f32| Mat4::from_rotation_y(angle) * Mat4::from_translation(Vec3::Z);
    let index = index(square(), &[wall(0.6).into(), wall(-0.6).into(), HERE]);
    let up = Ray {
        origin: Vec3::new(0.1, 0.2, 0.3),
        direction: Vec3::Z,
    };
    let hit = cast(&index, &up).expect("the tent");
    assert!(!hit.front && hit.position.z > 0.3, "{hit:?}");
    let (below, above) = (hit.t.next_down(), hit.t);
    assert_eq!(index.cast_ray(&up, below, ALL), None);
    assert!(index.cast_ray(&up, above, ALL).is_some());
    // From the floor itself, and down to it.
    let on_it = down(0.25, 0.5, 0.0);
    assert_eq!(
        cast(&index, &on_it).map(|hit| (hit.instance, hit.t)),
        Some((2, 0.0))
    );
    assert_eq!(index.cast_ray(&on_it, 0.0, ALL).map(|hit| hit.t), Some(0.0));
    let over = Vec3::new(0.25, 0.5, 0.25);
    assert!(index.cast_segment(over, on_it.origin, ALL));
    assert!(index.cast_segment(on_it.origin, over, ALL));
    assert!(!index.cast_segment(over, Vec3::new(0.25, 0.5, 0.001), ALL));
}

#[test]
fn a_ray_from_afar_meets_small_things_where_they_are() {
    // A square of a millimeter, a hundred kilometers away, tipped by 30 degrees.
    let place = Vec3::new(3.0, -2.0, 1.0);
    let small = Mat4::from_translation(place)
        * Mat4::from_rotation_x(0.5)
        * Mat4::from_scale(Vec3::splat(1e-3));
    let index = index(square(), &[small.into()]);
    let from = Vec3::new(65536.0, 32768.0, 65536.0);
    let aim = |to: Vec3| {
        // Whole steps, so that the ray goes through the point exactly.
        let origin = to + from;
        Ray {
            origin,
            direction: to - origin,
        }
    };
    let hit = cast(&index, &aim(place)).expect("the square");
    assert!((hit.t - 1.0).abs() <= f32::EPSILON, "{hit:?}");
    assert!(hit.position.distance(place) < 1e-6, "{hit:?}");
    assert!(index.cast_segment(place + from, place, ALL));
    assert_eq!(cast(&index, &aim(place + Vec3::X)), None);
}

#[test]
fn a_long_segment_meets_what_is_on_it() {
    // Through the origin, with ends whose difference is no f32: rounded, it would pass by.
    let index = index(square(), &[scaled(1e-5, 1e-5, 1e-5)]);
    let mut random = Random(5);
    for _ in 0..1000 {
        let a = random.point(Vec3::splat(1e4));
        let b = a * -0.5;
        let is_steep = a.z.abs() > 0.1 * a.length();
        assert!(index.cast_segment(a, b, ALL) || !is_steep, "{a} {b}");
    }
}

#[test]
fn an_index_reports_what_became_of_its_tree() {
    let row = |step: f32| -> Vec<_> { (0..64).map(|i| at(i as f32 * step, 0.0, 0.0)).collect() };
    let mut moving = index(square(), &row(3.0));
    assert_eq!(moving.refit(&row(3.0)), Refit::Unmoved);
    assert_eq!(moving.refit(&row(3.1)), Refit::Fitted);
    assert_eq!(moving.instances()[63].world_from_local, row(3.1)[63]);
    // Neighbors go apart: every second one to the far end.
    let mut apart = row(3.1);
    for (i, place) in apart.iter_mut().enumerate() {
        if i % 2 == 0 {
            *place = at(0.0, 500.0 + i as f32 * 3.0, 0.0);
        }
    }
    assert_eq!(moving.refit(&apart), Refit::Rebuilt);
    assert_eq!(moving.refit(&apart), Refit::Unmoved);
    let hit = cast(&moving, &down(0.0, 500.0, 3.0)).expect("the first");
    assert_eq!(hit.instance, 0);
    assert_eq!(moving.refit(&row(3.0)), Refit::Fitted);
    assert_eq!(cast(&moving, &down(0.0, 500.0, 3.0)), None);
}

#[test]
fn instances_come_and_go() {
    let mut index = index(square(), &[HERE]);
    let made = |z: f32| Instance {
        world_from_local: at(0.0, 0.0, z),
        ..index.instances()[0]
    };
    let (low, high) = (made(1.0), made(2.0));
    let top = |index: &InstanceIndex| cast(index, &down(0.0, 0.5, 9.0)).map(|hit| hit.t);
    index.rebuild(&[low, high]).expect("a valid shape");
    assert_eq!(top(&index), Some(7.0));
    index.rebuild(&[low]).expect("a valid shape");
    assert_eq!(top(&index), Some(8.0));
    let dangling = Instance { shape: 1, ..high };
    let expected = InstanceError::ShapeOutOfRange {
        instance: 1,
        shape: 1,
        n_shapes: 1,
    };
    assert_eq!(index.rebuild(&[high, dangling]), Err(expected));
    assert_eq!(top(&index), Some(8.0), "as it was");
    index.rebuild(&[]).expect("nothing is a valid shape");
    assert_eq!(top(&index), None);
    assert_eq!(index.refit(&[]), Refit::Unmoved);
}

#[test]
fn shapes_are_shared_and_may_be_empty() {
    let shapes = [nothing(), square()].into();
    let of = |shape, world_from_local: RowMatrix| Instance {
        shape,
        mask: 0,
        id: 0,
        world_from_local,
    };
    let turned = Mat4::from_mat3(Mat3::from_rotation_x(1.0)).into();
    let instances = [
        of(0, HERE),
        of(1, HERE),
        of(0, turned),
        of(1, at(0.0, 0.0, 1.0)),
    ];
    let index = InstanceIndex::new(shapes, &instances).expect("both shapes are there");
    assert_eq!(
        cast(&index, &down(0.0, 0.5, 9.0)).map(|hit| hit.instance),
        Some(3)
    );
    let mut found = Vec::new();
    let endless = [Vec3::NEG_INFINITY, Vec3::INFINITY];
    index.instances_in_aabb(endless[0], endless[1], MaskFilter::ALL, &mut found);
    assert_eq!(found, [1, 3]);
    let empty = InstanceIndex::new([].into(), &[]).expect("nothing is a valid shape");
    assert_eq!(cast(&empty, &down(0.0, 0.0, 1.0)), None);
}
