//! Areals of the demo levels, held against plain methods: the checks are those that the index is tested with on made-up
//! maps.

#[path = "../../../../sim/areal/tests/areal/checks.rs"]
mod checks;
#[path = "../../../../sim/areal/tests/areal/plain.rs"]
mod plain;

use crate::checks::{check_nearest, check_path, check_samples, straight_walk};
use crate::plain::{edges, plain_distance, plain_turns, random_points};
use glam::Vec2;
use ironlands_assets_parkan::land_map::{Areal, LandMap};
use ironlands_assets_parkan::land_msh::LandMsh;
use ironlands_sim_areal::{
    ArealFilter, ArealIndex, ArealRoute, ClassFilter, RouteOptions, RouteSearch, StraightWalkEnd,
};
use ironlands_world_parkan::areal_map;
use std::path::Path;

/// The areals of a demo level, and its file.
fn level(name: &str) -> (ArealIndex, LandMap) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../DATA/MAPS")
        .join(name);
    let read = |file: &str| std::fs::read(folder.join(file)).expect("the demo level is there");
    let map = LandMap::read(&read("Land.map")).expect("valid areals");
    let land = LandMsh::read(&read("Land.msh")).expect("valid terrain");
    let corners = || land.header.corners.iter().map(|&[x, y, _]| Vec2::new(x, y));
    let bounds = corners().reduce(Vec2::min).zip(corners().reduce(Vec2::max));
    let index = ArealIndex::new(&areal_map(&map), bounds).expect("valid areals");
    (index, map)
}

fn plan(areal: &Areal) -> Vec<Vec2> {
    let vertices = areal.vertices.iter();
    vertices.map(|&[x, y, _]| Vec2::new(x, y)).collect()
}

/// Holds the index against all outlines of a level, by angles; near a border, where angles are not exact, against
/// the neighbors of that border only.
fn check_level(name: &str, n_points: usize) {
    let (index, map) = level(name);
    let points = random_points(&index, n_points);
    let mut found = vec![None; points.len()];
    index.areal_at_batch(&points, &mut found);
    let outlines: Vec<_> = map.areals.iter().map(plan).collect();
    let boxes: Vec<_> = outlines
        .iter()
        .map(|outline| {
            let (min, max) = (
                outline.iter().copied().reduce(Vec2::min),
                outline.iter().copied().reduce(Vec2::max),
            );
            min.zip(max).expect("areals have vertices")
        })
        .collect();
    let mut n_inside = 0;
    for (point, found) in points.iter().zip(found) {
        let near = boxes
            .iter()
            .enumerate()
            .filter(|(_, (min, max))| point.cmpge(*min).all() && point.cmple(*max).all());
        let mut holding = Vec::new();
        for (areal, _) in near {
            let mut edges = edges(&outlines[areal]).into_iter();
            let is_near_border = edges.any(|edge| plain_distance(point.as_dvec2(), edge) < 1e-9);
            if is_near_border || plain_turns(&outlines[areal], *point) != 0 {
                holding.push(areal as u32);
            }
        }
        match found {
            Some(areal) => assert!(
                holding.contains(&areal),
                "{name}, {point}: {areal}, not in {holding:?}"
            ),
            None => assert_eq!(holding, [0_u32; 0], "{name}, {point}"),
        }
        n_inside += usize::from(found.is_some());
    }
    assert!(
        n_inside > n_points / 5,
        "{name}: {n_inside} of {n_points} points in areals"
    );
}

#[test]
fn points_over_the_levels_lie_where_angles_say() {
    check_level("Map01", 20_000);
    check_level("Map02", 20_000);
}

#[test]
#[ignore = "long; ./test --long"]
fn a_million_points_over_the_levels_lie_where_angles_say() {
    check_level("Map01", 1_000_000);
    check_level("Map02", 1_000_000);
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
            check_nearest(&index, point, |_| true, &ArealFilter::ALL);
            check_nearest(
                &index,
                point,
                |areal| [2, 4].contains(&map.areals[areal as usize].class_id),
                &filter,
            );
        }
    }
}

#[test]
fn routes_over_the_levels_can_be_walked() {
    for name in ["Map01", "Map02"] {
        let (index, _) = level(name);
        let mut points = random_points(&index, 1000);
        points.retain(|point| index.areal_at(*point).is_some());
        let (mut search, mut route) = (RouteSearch::default(), ArealRoute::default());
        let mut n_found = 0;
        for pair in points.windows(2) {
            if index.find_route(
                pair[0],
                pair[1],
                &RouteOptions::default(),
                &mut search,
                &mut route,
            ) {
                n_found += 1;
                check_path(&index, &route, [pair[0], pair[1]])
                    .unwrap_or_else(|e| panic!("{name}: {e}"));
                assert!(
                    route.length <= route.cost * (1.0 + 1e-6),
                    "{name}: {} shortened, {} over the middles, {route:?}",
                    route.length,
                    route.cost
                );
            }
        }
        assert!(n_found > 30, "{name}: {n_found} routes");
    }
}

#[test]
fn walks_over_the_levels_stay_in_their_areals() {
    for name in ["Map01", "Map02"] {
        let (index, _) = level(name);
        let mut points = random_points(&index, 600);
        points.retain(|point| index.areal_at(*point).is_some());
        for pair in points.windows(2) {
            let near = pair[0].lerp(pair[1], 0.2);
            let (end, crossings) = straight_walk(&index, pair[0].into(), near.into());
            check_samples(&index, [pair[0], near], &end, &crossings)
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            // What stops a walk is a border that is not linked.
            if let StraightWalkEnd::Blocked { areal, edge, .. } = end {
                let outline = index.outline(areal);
                let [a, b] = [edge as usize, (edge as usize + 1) % outline.len()]
                    .map(|i| outline[i].truncate());
                let beyond = (a + b) * 0.5 + (b - a).perp().normalize() * -0.01;
                let is_linked = index
                    .areal_at(beyond)
                    .is_some_and(|other| index.neighbors(areal).contains(&other));
                assert!(!is_linked, "{name}: {end:?}");
            }
        }
    }
}
