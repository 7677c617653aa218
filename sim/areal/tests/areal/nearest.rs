//! The nearest areal, against all edges.

use crate::checks::check_nearest;
use crate::common::*;
use glam::Vec2;
use ironlands_sim_areal::ArealFilter;
use proptest::prelude::*;

#[test]
fn equally_near_areals_give_the_lowest() {
    let index = index(vec![
        rectangle([100.0, 0.0], [110.0, 10.0]),
        rectangle([30.0, 0.0], [40.0, 10.0]),
        rectangle([0.0, 0.0], [10.0, 10.0]),
        rectangle([-20.0, 0.0], [10.0, 10.0]),
    ]);
    let nearest = |x, y, max| index.nearest_areal(Vec2::new(x, y), max, &ArealFilter::ALL);
    let found = nearest(20.0, 5.0, 10.0).expect("two are near");
    assert_eq!(
        (found.areal, found.distance, found.point),
        (1, 10.0, Vec2::new(30.0, 5.0))
    );
    assert_eq!(
        nearest(20.0, 5.0, 10.0_f32.next_down()),
        None,
        "the distance is inclusive"
    );
    assert_eq!(
        nearest(13.0, 14.0, 9.0).map(|it| (it.areal, it.distance)),
        Some((2, 5.0))
    );
    let inside = nearest(5.0, 5.0, 0.0).expect("it is inside");
    assert_eq!(
        (inside.areal, inside.distance, inside.point),
        (2, 0.0, Vec2::splat(5.0))
    );
    let border = nearest(30.0, 10.0, 0.0).expect("borders belong to areals");
    assert_eq!((border.areal, border.distance), (1, 0.0));
}

#[test]
fn nothing_is_near_a_point_or_distance_that_is_no_number() {
    let index = index(vec![rectangle([0.0, 0.0], [10.0, 10.0])]);
    let nearest = |x, max| index.nearest_areal(Vec2::new(x, 5.0), max, &ArealFilter::ALL);
    assert_eq!(nearest(f32::NAN, 1e9), None);
    assert_eq!(nearest(f32::INFINITY, f32::INFINITY), None);
    assert_eq!(nearest(12.0, f32::NAN), None);
    assert_eq!(nearest(5.0, -1.0), None, "not even inside");
    assert!(nearest(f32::MAX, f32::INFINITY).is_some());
    assert!(nearest(f32::MIN, f32::MAX).is_some());
}

#[test]
fn areals_that_hold_nothing_are_not_near() {
    let outlines = [
        areal(&[]),
        areal(&[[1.0, 1.0]]),
        areal(&[[0.0, 0.0], [2.0, 2.0]]),
        areal(&[[f32::NAN, 0.0], [1.0, 0.0], [0.0, 1.0]]),
        areal(&[[9.0, 9.0]; 3]),
    ];
    let index = index(outlines.to_vec());
    let found = index
        .nearest_areal(Vec2::ONE, f32::INFINITY, &ArealFilter::ALL)
        .expect("the last is a point");
    assert_eq!((found.areal, found.point), (4, Vec2::splat(9.0)));
    assert_eq!(index.areal_at(Vec2::splat(9.0)), Some(4));
    let none = super::common::index(outlines[..4].to_vec());
    assert_eq!(
        none.nearest_areal(Vec2::ONE, f32::INFINITY, &ArealFilter::ALL),
        None
    );
}

proptest! {
    #[test]
    fn few_areals_far_apart_are_found(
        corners in prop::collection::vec([-60_i32..60, -60..60], 1..9),
        points in prop::collection::vec([-300_i32..300, -300..300].prop_map(|p| p.map(|i| i as f32 * 0.5)), 40),
    ) {
        let square = |&[x, y]: &[i32; 2]| rectangle([x as f32, y as f32], [x as f32 + 1.0, y as f32 + 2.0]);
        let index = index(corners.iter().map(square).collect());
        for point in points {
            check_nearest(&index, point.into(), |_| true, &ArealFilter::ALL);
        }
    }
}
