//! What holds for any index, here and over levels of files.

use crate::plain::*;
use glam::Vec2;
use ironlands_sim_areal::{ArealCrossing, ArealFilter, ArealIndex, ArealRoute, StraightWalkEnd};
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

/// Compares a result outside of all areals with all edges.
pub fn check_nearest(
    index: &ArealIndex,
    point: Vec2,
    is_seen: impl Fn(u32) -> bool,
    filter: &ArealFilter,
) {
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
    if let Some(inside) = index.areal_at_filtered(point, filter) {
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

/// Each straight piece of a path can be walked, from one of the route's areals to one of them.
fn check_walkable(index: &ArealIndex, route: &ArealRoute) -> Result<(), TestCaseError> {
    for piece in route.path.windows(2) {
        let walks = |start: &u32| {
            let end =
                index.straight_walk_from(*start, piece[0], piece[1], &ArealFilter::ALL, |_| {});
            matches!(end, StraightWalkEnd::Reached { .. })
        };
        // A corner of a path is a vertex of an areal that the route passes.
        prop_assert!(route.areals.iter().any(walks), "{:?} of {:?}", piece, route);
    }
    Ok(())
}

pub fn check_path(
    index: &ArealIndex,
    route: &ArealRoute,
    [from, to]: [Vec2; 2],
) -> Result<(), TestCaseError> {
    prop_assert_eq!(route.portals.len() + 1, route.areals.len());
    for step in route.areals.windows(2) {
        prop_assert!(index.neighbors(step[0]).contains(&step[1]));
    }
    prop_assert_eq!(
        (route.path[0], route.path[route.path.len() - 1]),
        (from, to)
    );
    let lengths = route
        .path
        .windows(2)
        .map(|p| p[0].as_dvec2().distance(p[1].as_dvec2()));
    prop_assert!(
        (lengths.sum::<f64>() - f64::from(route.length)).abs() <= 1e-6 * f64::from(route.length)
    );
    prop_assert!(from.as_dvec2().distance(to.as_dvec2()) <= f64::from(route.length.next_up()));
    check_walkable(index, route)
}

pub fn straight_walk(
    index: &ArealIndex,
    from: [f32; 2],
    to: [f32; 2],
) -> (StraightWalkEnd, Vec<ArealCrossing>) {
    let mut crossings = Vec::new();
    let end = index.straight_walk(from.into(), to.into(), &ArealFilter::ALL, |crossing| {
        crossings.push(*crossing)
    });
    (end, crossings)
}

/// Between two crossings, points of the walk are in the areal between them.
pub fn check_samples(
    index: &ArealIndex,
    [from, to]: [Vec2; 2],
    end: &StraightWalkEnd,
    crossings: &[ArealCrossing],
) -> Result<(), TestCaseError> {
    let (mut areal, mut t) = (index.areal_at(from), 0.0);
    let (last, end_t) = match *end {
        StraightWalkEnd::Reached { areal } => (areal, 1.0),
        StraightWalkEnd::Blocked { areal, t, .. } => (areal, t),
        _ => return Err(TestCaseError::fail(format!("{end:?}"))),
    };
    let ends = crossings
        .iter()
        .map(|crossing| (Some(crossing.areal), crossing.t, Some(crossing.to_areal)));
    for (left, next_t, entered) in ends.chain([(Some(last), end_t, None)]) {
        prop_assert_eq!(areal, left);
        prop_assert!(next_t >= t);
        let outline: Vec<_> = index
            .outline(left.unwrap_or(0))
            .iter()
            .map(|v| v.truncate())
            .collect();
        for share in [0.01, 0.3, 0.5, 0.8, 0.99] {
            let at = t + (next_t - t) * share;
            let point = from.as_dvec2().lerp(to.as_dvec2(), at);
            let on_border = edges(&outline)
                .into_iter()
                .any(|edge| plain_distance(point, edge) < 1e-4);
            prop_assert!(
                on_border || plain_turns(&outline, point.as_vec2()) != 0,
                "{point} in {left:?}"
            );
        }
        (areal, t) = (entered, next_t);
    }
    Ok(())
}
