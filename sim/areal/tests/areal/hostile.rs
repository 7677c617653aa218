//! Outlines and links that no level should have: no panic, no hang, and results as documented.

use crate::common::*;
use crate::plain::random_points;
use glam::Vec2;
use ironlands_sim_areal::{
    ArealFilter, ArealIndex, EdgeLink, RouteOptions, RouteRequest, StraightWalkEnd,
};
use proptest::prelude::*;

/// Runs all queries between some points; `Ok` if the results are consistent.
fn query_all(index: &ArealIndex, points: &[Vec2]) -> Result<(), TestCaseError> {
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let found = index.areal_at(from);
        let nearest = index.nearest_areal(from, f32::INFINITY, &ArealFilter::ALL);
        if found.is_some() {
            prop_assert_eq!(
                nearest.map(|it| (it.areal, it.distance)),
                found.map(|areal| (areal, 0.0))
            );
        }
        let mut t = 0.0;
        let mut areal = found;
        let end = index.straight_walk(from, to, &ArealFilter::ALL, |crossing| {
            assert!(crossing.t >= t && crossing.t <= 1.0, "{crossing:?}");
            assert_eq!(Some(crossing.areal), areal);
            assert!(index.neighbors(crossing.areal).contains(&crossing.to_areal));
            (t, areal) = (crossing.t, Some(crossing.to_areal));
        });
        match end {
            StraightWalkEnd::Reached { areal: last }
            | StraightWalkEnd::Blocked { areal: last, .. } => {
                prop_assert_eq!(Some(last), areal);
            }
            StraightWalkEnd::Outside => prop_assert!(found.is_none() || !to.is_finite()),
            StraightWalkEnd::TooLong => {}
        }
        if let Some(route) = index.route(from, to) {
            prop_assert_eq!(route.areals.first().copied(), found);
            // Of points as far apart as an f32 goes, a length may be infinite.
            prop_assert!(!route.length.is_nan() && !route.cost.is_nan());
            prop_assert!(
                f64::from(route.length.next_up()) >= from.as_dvec2().distance(to.as_dvec2())
            );
        }
    }
    Ok(())
}

/// Small whole numbers, and some that are no coordinate of any level.
fn coordinate() -> impl Strategy<Value = f32> {
    let odd = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        -0.0,
        1e-45,
        1e20,
    ];
    prop_oneof![40 => (0_i32..6).prop_map(|c| c as f32), 4 => 0.0_f32..6.0, 1 => prop::sample::select(odd.to_vec())]
}

proptest! {
    #[test]
    fn any_outlines_and_links_are_queried(
        outlines in prop::collection::vec(prop::collection::vec([coordinate(), coordinate()], 0..8), 1..8),
        links in prop::collection::vec((0_i32..8, -1_i32..8), 64),
        points in prop::collection::vec([coordinate(), coordinate()].prop_map(Vec2::from), 12),
    ) {
        let mut areals: Vec<_> = outlines.iter().map(|outline| areal(outline)).collect();
        let n_edges: Vec<_> = outlines.iter().map(|outline| outline.len() as i32).collect();
        let mut links = links.into_iter().cycle();
        for areal in &mut areals {
            for link in &mut areal.edge_links {
                let (to_areal, edge) = links.next().unwrap_or((0, -1));
                if let Some(&n_edges) = n_edges.get(to_areal as usize) {
                    *link = EdgeLink { areal: to_areal, edge: edge.min(n_edges - 1) };
                }
            }
        }
        let index = index(areals);
        query_all(&index, &points)?;
        let requests: Vec<_> = points.windows(2).map(|pair| RouteRequest { from: pair[0], to: pair[1] }).collect();
        let mut routes = vec![Default::default(); requests.len()];
        index.find_route_batch(&requests, &RouteOptions::default(), &mut routes);
        for (request, route) in requests.iter().zip(routes) {
            prop_assert_eq!(index.route(request.from, request.to).unwrap_or_default(), route);
        }
    }

    #[test]
    fn areals_that_all_link_to_each_other_are_queried(
        (n_x, n_y) in (1_usize..5, 1_usize..5),
        links in prop::collection::vec((0_usize..16, 0_usize..4), 64),
        points in prop::collection::vec([0_i32..=10, 0..=10].prop_map(|p| Vec2::from(p.map(|c| c as f32 * 5.0))), 8),
    ) {
        let mut areals = field(n_x, n_y, |_, _| true);
        let n = areals.len();
        for (i, (to, edge)) in links.into_iter().enumerate().filter(|(i, _)| i % 3 == 0) {
            areals[i / 4 % n].edge_links[i % 4] = EdgeLink { areal: (to % n) as i32, edge: edge as i32 };
        }
        query_all(&index(areals), &points)?;
    }
}

#[test]
fn doubled_vertices_and_slits_do_not_hinder_a_route() {
    // A ring: a square with a square hole, cut open by a slit from hole to border, and doubled vertices.
    let ring = [
        [0.0, 0.0],
        [30.0, 0.0],
        [30.0, 0.0],
        [30.0, 30.0],
        [0.0, 30.0],
        [0.0, 0.0],
        [10.0, 10.0],
        [10.0, 20.0],
        [20.0, 20.0],
        [20.0, 20.0],
        [20.0, 10.0],
        [10.0, 10.0],
    ];
    let mut areals = vec![areal(&ring), rectangle([30.0, 0.0], [40.0, 30.0])];
    link(&mut areals, (0, 2), (1, 3));
    let index = index(areals);
    assert_eq!(index.areal_at(Vec2::new(15.0, 15.0)), None, "in the hole");
    let (from, to) = (Vec2::new(5.0, 15.0), Vec2::new(35.0, 16.0));
    let route = index.route(from, to).expect("the ring is one areal");
    assert_eq!(route.areals, [0, 1]);
    assert_eq!(
        route.path,
        [from, Vec2::new(10.0, 20.0), Vec2::new(20.0, 20.0), to]
    );
}

#[test]
fn huge_outlines_take_bounded_time() {
    // A spiral of 40,000 corners, a star of as many points, and links between all their edges.
    let n = 40_000;
    let arm = |i: usize, width: f32| {
        let angle = i as f32 * 0.01;
        let radius = 10.0 + angle + width;
        [angle.cos() * radius, angle.sin() * radius]
    };
    let spiral: Vec<_> = (0..n / 2)
        .map(|i| arm(i, 0.0))
        .chain((0..n / 2).rev().map(|i| arm(i, 3.0)))
        .collect();
    let star: Vec<_> = (0..n)
        .map(|i| {
            let angle = i as f32 / n as f32 * std::f32::consts::TAU;
            let radius = if i % 2 == 0 { 500.0 } else { 1.0 };
            [angle.cos() * radius, angle.sin() * radius]
        })
        .collect();
    let mut areals = vec![areal(&spiral), areal(&star)];
    for (i, link) in areals
        .iter_mut()
        .flat_map(|areal| &mut areal.edge_links)
        .enumerate()
    {
        *link = EdgeLink {
            areal: (i % 2) as i32,
            edge: (i * 7 % n) as i32,
        };
    }
    let index = index(areals);
    let points = random_points(&index, 6);
    query_all(&index, &points).expect("every query has a result");
}
