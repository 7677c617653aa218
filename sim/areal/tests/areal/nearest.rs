//! The nearest areal, against all edges.

use crate::common::*;
use glam::Vec2;
use ironlands_sim_areal::{ArealFilter, ArealIndex, ClassFilter};
use proptest::prelude::*;

/// Distance from a point to each outline, none inside.
fn plain_distances(index: &ArealIndex, point: Vec2) -> Vec<f64> {
    let outlines = (0..index.n_areals() as u32).map(|areal| index.outline(areal));
    let distance = |outline: &[glam::Vec3]| {
        let outline: Vec<_> = outline.iter().map(|v| v.truncate()).collect();
        let distances = edges(&outline)
            .into_iter()
            .map(|edge| plain_distance(point.as_dvec2(), edge));
        distances.fold(f64::INFINITY, f64::min)
    };
    outlines.map(distance).collect()
}

/// Holds an answer outside of all areals against all edges.
fn check(index: &ArealIndex, point: Vec2, is_seen: impl Fn(u32) -> bool, filter: &ArealFilter) {
    let distances = plain_distances(index, point);
    let seen = distances
        .iter()
        .enumerate()
        .filter(|(areal, _)| is_seen(*areal as u32));
    let least = seen
        .map(|(_, distance)| *distance)
        .fold(f64::INFINITY, f64::min);
    let found = index.nearest_areal(point, f32::INFINITY, filter);
    let Some(found) = found else {
        assert_eq!(least, f64::INFINITY, "{point}");
        return;
    };
    assert!(is_seen(found.areal), "{point}: {found:?}");
    if let Some(inside) = index.areal_at_where(point, filter) {
        assert_eq!(
            (found.areal, found.distance, found.point),
            (inside, 0.0, point)
        );
        return;
    }
    let slack = 1e-9 * (1.0 + least);
    assert!(
        (f64::from(found.distance) - least).abs() <= 1e-6 * least + slack,
        "{point}: {found:?}, not {least}"
    );
    assert!(
        (distances[found.areal as usize] - least).abs() <= slack,
        "{point}: {found:?}"
    );
    let lower = (0..found.areal).filter(|areal| is_seen(*areal));
    for areal in lower {
        assert!(
            distances[areal as usize] > least - slack,
            "{point}: {areal} is nearer"
        );
    }
    let on_border = plain_distances(index, found.point)[found.areal as usize];
    assert!(
        on_border < 1e-6 * f64::from(1.0 + found.point.abs().max_element()),
        "{point}: {found:?}"
    );
    // Inclusive, and not one step less.
    let to = |distance: f32| {
        index
            .nearest_areal(point, distance, filter)
            .map(|it| it.areal)
    };
    assert_eq!(to(found.distance.next_up()), Some(found.areal), "{point}");
    assert_eq!(to(found.distance.next_down().next_down()), None, "{point}");
}

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

#[test]
fn points_around_the_levels_find_what_all_edges_say() {
    for name in ["Map01", "Map02"] {
        let (index, map) = level(name);
        let filter = ArealFilter {
            classes: ClassFilter::Only(&[2, 4]),
            ..ArealFilter::ALL
        };
        for point in random_points(&index, 300) {
            check(&index, point, |_| true, &ArealFilter::ALL);
            check(
                &index,
                point,
                |areal| [2, 4].contains(&map.areals[areal as usize].class_id),
                &filter,
            );
        }
    }
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
            check(&index, point.into(), |_| true, &ArealFilter::ALL);
        }
    }
}
