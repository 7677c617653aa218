//! The path of a route, against all lines in its corridor and against the straight walk.

use crate::checks::check_path;
use crate::common::*;
use crate::plain::*;
use glam::{DVec2, Vec2};
use ironlands_sim_areal::{ArealIndex, ArealRoute};
use proptest::prelude::*;

/// Length of the shortest line through the areals of a route in their order, over all their vertices: two of them
/// see each other if the line between them crosses the portals in order and stays inside between.
fn plain_length(index: &ArealIndex, route: &ArealRoute) -> f64 {
    let outline = |k: usize| -> Vec<Vec2> {
        index
            .outline(route.areals[k])
            .iter()
            .map(|v| v.truncate())
            .collect()
    };
    let ends = [route.path[0], route.path[route.path.len() - 1]].map(Vec2::as_dvec2);
    let last = route.areals.len() - 1;
    let mut nodes = vec![(0, ends[0])];
    for k in 0..=last {
        nodes.extend(outline(k).iter().map(|vertex| (k, vertex.as_dvec2())));
    }
    nodes.push((last, ends[1]));
    let sees = |(k, a): (usize, DVec2), (m, b): (usize, DVec2)| {
        let mut t = 0.0;
        for step in k..=m {
            let end = if step == m {
                1.0
            } else {
                let portal = route.portals[step];
                let gate = [portal.left, portal.right].map(|v| v.truncate().as_dvec2());
                match share_at([a, b], gate) {
                    Some(end) if end >= t - 1e-9 => end.max(t),
                    _ => return false,
                }
            };
            if !stays_inside(&outline(step), [a.lerp(b, t), a.lerp(b, end)]) {
                return false;
            }
            t = end;
        }
        true
    };
    // Later nodes lie in the same or a later areal; within one, any order may be right.
    let mut length = vec![f64::INFINITY; nodes.len()];
    length[0] = 0.0;
    for _ in 0..nodes.len() {
        let before = length.clone();
        for i in 0..nodes.len() {
            for j in 0..nodes.len() {
                let offer = length[i] + nodes[i].1.distance(nodes[j].1);
                if nodes[i].0 <= nodes[j].0 && offer < length[j] - 1e-12 && sees(nodes[i], nodes[j])
                {
                    length[j] = offer;
                }
            }
        }
        if before == length {
            break;
        }
    }
    length[nodes.len() - 1]
}

/// Where a line crosses a segment; ends count, a line along it does not.
fn share_at([a, b]: [DVec2; 2], [p, q]: [DVec2; 2]) -> Option<f64> {
    if a == b {
        return (plain_distance(a, [p, q]) < 1e-9).then_some(0.0);
    }
    let across = (b - a).perp_dot(q - p);
    if across.abs() < 1e-9 {
        // A line along the gate, or past it: only from one of its ends.
        return (plain_distance(a, [p, q]) < 1e-9).then_some(0.0);
    }
    let t = (p - a).perp_dot(q - p) / across;
    let s = (p - a).perp_dot(b - a) / across;
    let is_on = (-1e-9..=1.0 + 1e-9).contains(&t) && (-1e-9..=1.0 + 1e-9).contains(&s);
    is_on.then_some(t.clamp(0.0, 1.0))
}

/// Whether a segment stays in a closed outline: between all points where it crosses the border, it is inside or on it.
fn stays_inside(outline: &[Vec2], [a, b]: [DVec2; 2]) -> bool {
    let mut stops = vec![0.0, 1.0];
    stops.extend(
        edges(outline)
            .into_iter()
            .filter_map(|edge| share_at([a, b], edge)),
    );
    let along = b - a;
    let vertices = outline
        .iter()
        .map(|vertex| (vertex.as_dvec2() - a).dot(along) / along.length_squared());
    stops.extend(vertices.filter(|t| (0.0..=1.0).contains(t)));
    stops.sort_by(f64::total_cmp);
    stops.windows(2).all(|pair| {
        let middle = a.lerp(b, (pair[0] + pair[1]) / 2.0);
        let on_border = edges(outline)
            .into_iter()
            .any(|edge| plain_distance(middle, edge) < 1e-6);
        on_border || plain_turns(outline, middle.as_vec2()) != 0
    })
}

proptest! {
    #[test]
    fn paths_are_the_shortest_in_their_corridor(
        (n_x, n_y) in (1_usize..5, 1_usize..4),
        bends in prop::collection::vec([-18_i32..=18, -18..=18], 36),
        is_clockwise in prop::bool::ANY,
        open in prop::collection::vec(prop::bool::weighted(0.7), 36 * 36),
        points in prop::collection::vec(point(40.0), 4),
        is_lattice in prop::bool::ANY,
    ) {
        // On a lattice, points lie on borders and vertices, and corners in line.
        let snap = |c: f32| if is_lattice { (c / 2.5).round() * 2.5 } else { c };
        let points: Vec<_> = points.iter().map(|point| Vec2::new(snap(point.x), snap(point.y))).collect();
        let bends: Vec<_> = bends.iter().map(|bend| bend.map(|c| if is_lattice { c / 15 * 10 } else { c })).collect();
        let mut areals = bent_field(n_x, n_y, &bends, |a, b| open[a * 36 + b]);
        if is_clockwise {
            for areal in &mut areals {
                areal.vertices.reverse();
                for link in &mut areal.edge_links {
                    *link = NO_LINK;
                }
            }
            link_equal_edges(&mut areals, |a, b| open[a * 36 + b]);
        }
        let index = index(areals);
        for pair in points.windows(2) {
            let Some(route) = index.route(pair[0], pair[1]) else { continue };
            check_path(&index, &route, [pair[0], pair[1]])?;
            let plain = plain_length(&index, &route);
            prop_assert!((f64::from(route.length) - plain).abs() < 1e-3, "{} against {plain}: {:?}", route.length, route);
        }
    }

    #[test]
    fn paths_in_any_outline_can_be_walked(
        outline in prop::collection::vec([0_i32..=12, 0..=12].prop_map(|p| p.map(|i| i as f32)), 3..10),
        points in prop::collection::vec(point(12.0), 12),
    ) {
        let index = index(vec![areal(&outline)]);
        for pair in points.windows(2) {
            if let Some(route) = index.route(pair[0], pair[1]) {
                check_path(&index, &route, [pair[0], pair[1]])?;
            }
        }
    }
}

#[test]
fn lines_through_outlines_that_touch_themselves_are_no_routes() {
    // Twice around, with three corners in line; a corner pushed through an edge; a doubled corner that bends in.
    let twice: &[[f32; 2]] = &[[7.0, 3.0], [0.0, 0.0], [0.0, 8.0], [12.0, 0.0], [0.0, 1.0]];
    let through = &[
        [0.0, 7.0],
        [10.0, 10.0],
        [12.0, 4.0],
        [4.0, 8.0],
        [9.0, 9.0],
        [8.0, 6.0],
    ];
    let doubled = &[[12.0, 10.0], [9.0, 7.0], [9.0, 7.0], [8.0, 0.0], [0.0, 7.0]];
    for (outline, from, to, n_stops) in [
        (twice, [0.0, 0.0], [6.884_874, 2.671_921], None),
        (
            through,
            [11.283_916, 5.513_294],
            [8.660_478, 9.068_358],
            None,
        ),
        (
            doubled,
            [10.881_473, 9.685_432],
            [8.502_038, 4.545_767],
            Some(3),
        ),
    ] {
        let index = index(vec![areal(outline)]);
        let ends = [from, to].map(Vec2::from);
        let route = index.route(ends[0], ends[1]);
        assert_eq!(
            route.as_ref().map(|route| route.path.len()),
            n_stops,
            "{outline:?}"
        );
        if let Some(route) = route {
            check_path(&index, &route, ends).expect("around the corner");
        }
    }
}
