use super::*;
use crate::step::{GroundPosition, Steps};
use crate::test_world::{Ground, bridge, cell, middle, open, roof, some_points, walled};
use crate::{GeoObject, GeoPoint, Geodata, ObjectKind, Profile, RegionPack};
use ironlands_sim_regions::{Cell, GeoCell, Nswe, Region, RegionId};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const OPTIONS: PathOptions<'static> = PathOptions {
    budget: 4_000_000,
    rough_factor: 1,
    exact_cells: 0,
    cancel: None,
};

fn find(finder: &PathFinder<'_>, from: GeoPoint, to: GeoPoint) -> WalkPath {
    finder
        .find(
            &PathRequest { from, to },
            &OPTIONS,
            &mut PathSearch::default(),
        )
        .unwrap()
}

/// Each piece by the rule of walks, each step of the cells by the step rule, and the cost by its cells.
fn assert_walkable(geodata: &Geodata, profile: &Profile, path: &WalkPath) {
    for piece in path.points.windows(2) {
        assert_eq!(
            geodata.is_straight_walk_free(piece[0], piece[1], profile),
            Ok(true),
            "{piece:?}"
        );
    }
    let mut steps = Steps::new(geodata, *profile);
    let mut cost = 0;
    for pair in path.cells.windows(2) {
        let from = steps.stand(pair[0].0, pair[0].1).unwrap();
        let dx = i32::from(pair[1].0.x) - i32::from(pair[0].0.x);
        let dy = i32::from(pair[1].0.y) - i32::from(pair[0].0.y);
        assert!(dx.abs().max(dy.abs()) == 1, "{pair:?}");
        let next = steps.step(&from, dx, dy).map(|stand| stand.z);
        assert_eq!(next, Ok(pair[1].1), "{pair:?}");
        cost += if dx != 0 && dy != 0 { 14 } else { 10 };
    }
    assert_eq!(path.cost, cost);
}

/// Least costs to everywhere by a plain flood with a sorted list.
fn flood(
    geodata: &Geodata,
    profile: Profile,
    start: GroundPosition,
) -> HashMap<(GeoCell, i32), u32> {
    let mut steps = Steps::new(geodata, profile);
    let mut open = std::collections::BTreeSet::from([(0_u32, start.cell, start.z)]);
    let mut costs = HashMap::new();
    while let Some((cost, at, z)) = open.pop_first() {
        if costs.contains_key(&(at, z)) || at.x > cell(159, 0).x || at.y > cell(0, 159).y {
            continue;
        }
        costs.insert((at, z), cost);
        let stand = steps.stand(at, z).unwrap();
        for (dx, dy) in crate::step::DIRECTIONS {
            if let Ok(next) = steps.step(&stand, dx, dy) {
                let length = if dx != 0 && dy != 0 { 14 } else { 10 };
                open.insert((cost + length, next.cell, next.z));
            }
        }
    }
    costs
}

#[test]
fn exact_paths_are_the_cheapest() {
    for (seed, profile) in [(1, Profile::PTS), (2, Profile::ACIS), (3, Profile::LOOSE)] {
        let geodata = walled(seed).geodata();
        let finder = PathFinder::exact(&geodata, &profile);
        let points = some_points(&geodata, 15);
        let mut n_reached = 0;
        for from in points.iter().step_by(5) {
            let start = Steps::new(&geodata, profile)
                .stand(from.cell().unwrap(), from.z)
                .unwrap();
            let costs = flood(&geodata, profile, start);
            for to in &points {
                let path = find(&finder, *from, *to);
                let expected = costs.get(&(to.cell().unwrap(), to.z)).copied();
                let found = (path.end == PathEnd::Reached).then_some(path.cost);
                assert_eq!(found, expected, "{from:?} {to:?}");
                assert_walkable(&geodata, &profile, &path);
                n_reached += u32::from(found.is_some());
            }
        }
        assert!(n_reached > 9, "{n_reached}");
    }
}

/// The bound that [`PathFinder::find`] documents.
#[test]
fn planned_paths_exist_where_exact_ones_do_and_cost_little_more() {
    let (mut sum, mut sum_exact, mut worst, mut n_unreachable) = (0_u64, 0_u64, 0.0_f64, 0);
    for seed in 4..6 {
        let geodata = walled(seed).geodata();
        let graph = NavGraph::new(&geodata, &Profile::PTS);
        let over_zones = PathFinder::new(&geodata, &graph);
        let exact = PathFinder::exact(&geodata, &Profile::PTS);
        let points = some_points(&geodata, 24);
        for (from, to) in points.iter().zip(points.iter().skip(1)) {
            let best = find(&exact, *from, *to);
            let path = find(&over_zones, *from, *to);
            assert_eq!(path.end, best.end, "{from:?} {to:?}");
            let is_reachable = graph.is_reachable(&geodata, *from, *to).unwrap();
            assert_eq!(is_reachable, best.end == PathEnd::Reached);
            assert_walkable(&geodata, &Profile::PTS, &path);
            if is_reachable {
                assert!(path.cost >= best.cost);
                sum += u64::from(path.cost);
                sum_exact += u64::from(best.cost);
                worst = worst.max(f64::from(path.cost) / f64::from(best.cost.max(1)));
            } else {
                n_unreachable += 1;
            }
        }
    }
    let mean = sum as f64 / sum_exact as f64;
    assert!(
        mean <= 1.1 && worst <= 1.5,
        "mean {mean:.3}, worst {worst:.3}"
    );
    assert!(n_unreachable > 0);
}

#[test]
fn reachability_without_components_is_the_same() {
    let geodata = walled(8).geodata();
    let graph = NavGraph::new(&geodata, &Profile::ACIS);
    let bare = graph.with_changes(&geodata, [cell(0, 0)]);
    assert_eq!(bare.memory().n_components, 0);
    assert_eq!(bare.memory().n_zones, graph.memory().n_zones);
    assert_eq!(bare.memory().n_exits, graph.memory().n_exits);
    let points = some_points(&geodata, 20);
    for from in &points {
        for to in &points {
            assert_eq!(
                graph.is_reachable(&geodata, *from, *to),
                bare.is_reachable(&geodata, *from, *to)
            );
        }
    }
}

#[test]
fn one_way_drops_are_one_way() {
    let geodata = roof().geodata();
    let graph = NavGraph::new(&geodata, &Profile::PTS);
    let (up, down) = (middle(20, 20, 400), middle(60, 300, 0));
    assert_eq!(graph.is_reachable(&geodata, up, down), Ok(true));
    assert_eq!(graph.is_reachable(&geodata, down, up), Ok(false));
    let finder = PathFinder::new(&geodata, &graph);
    assert_eq!(find(&finder, up, down).end, PathEnd::Reached);
    let none = find(&finder, down, up);
    assert_eq!(
        (none.end, &none.points[..]),
        (PathEnd::Unreachable, &[down][..])
    );
    // The roof and the ground.
    assert_eq!(graph.memory().n_components, 2);
}

#[test]
fn layers_of_a_cell_are_places_of_their_own() {
    let geodata = bridge().geodata();
    let finder = PathFinder::exact(&geodata, &Profile::PTS);
    let on = find(&finder, middle(20, 0, 0), middle(20, 3, 160));
    assert_eq!(on.end, PathEnd::Reached);
    assert!(on.cost > 300, "by way of a ramp: {}", on.cost);
    let under = find(&finder, middle(20, 0, 0), middle(20, 3, 0));
    assert_eq!(under.cost, 30);
    assert_eq!(under.points, [middle(20, 0, 0), middle(20, 3, 0)]);
    assert_walkable(&geodata, &Profile::PTS, &on);
}

#[test]
fn budgets_and_canceling_leave_the_best_part() {
    let mut ground = Ground::new();
    for y in 0..40 {
        ground.flat(20, y, 400, 400);
    }
    let geodata = ground.geodata();
    let finder = PathFinder::exact(&geodata, &Profile::PTS);
    let request = PathRequest {
        from: middle(10, 10, 0),
        to: middle(300, 10, 0),
    };
    let mut scratch = PathSearch::default();
    let small = PathOptions {
        budget: 5000,
        ..OPTIONS
    };
    let path = finder.find(&request, &small, &mut scratch).unwrap();
    assert_eq!((path.end, path.n_expanded), (PathEnd::OutOfBudget, 5000));
    assert_walkable(&geodata, &Profile::PTS, &path);
    let last = path.points.last().unwrap();
    assert_eq!(
        last.cell().unwrap().x,
        cell(159, 0).x,
        "as near as the wall lets: {last:?}"
    );
    let cancel = AtomicBool::new(true);
    let canceled = PathOptions {
        cancel: Some(&cancel),
        ..OPTIONS
    };
    let path = finder.find(&request, &canceled, &mut scratch).unwrap();
    assert_eq!(path.end, PathEnd::Canceled);
    let path = finder.find(&request, &OPTIONS, &mut scratch).unwrap();
    assert_eq!(path.end, PathEnd::Reached);
    assert_walkable(&geodata, &Profile::PTS, &path);
}

#[test]
fn rough_ground_is_avoided_on_request() {
    let mut ground = Ground::new();
    ground.block(1, 0, |_, _| {
        vec![Cell::new(0, Nswe::ALL_SIDES - Nswe::NORTH)]
    });
    let geodata = ground.geodata();
    let finder = PathFinder::exact(&geodata, &Profile::PTS);
    let request = PathRequest {
        from: middle(2, 6, 0),
        to: middle(20, 6, 0),
    };
    let mut scratch = PathSearch::default();
    let mut rough_cells = |rough_factor: u32| {
        let options = PathOptions {
            rough_factor,
            ..OPTIONS
        };
        let path = finder.find(&request, &options, &mut scratch).unwrap();
        let is_rough = |at: &(GeoCell, i32)| at.0.block() == (1, 0);
        (
            path.cost,
            path.cells.iter().filter(|at| is_rough(at)).count(),
        )
    };
    assert_eq!(rough_cells(1), (180, 8));
    let (cost, n_rough) = rough_cells(3);
    assert_eq!(n_rough, 0);
    assert!(cost > 180);
    assert_eq!(
        rough_cells(u32::MAX).1,
        0,
        "the greatest factor is as good as any above"
    );
}

/// Two regions, a wall between them with one gap.
#[test]
fn paths_cross_regions_and_doors_close_them() {
    let ids = [
        RegionId::new(20, 18).unwrap(),
        RegionId::new(21, 18).unwrap(),
    ];
    let mut west = Region::flat(ids[0], 0);
    let east = Region::flat(ids[1], 0);
    let mut wall = Ground::at(ids[0]);
    wall.block(0, 0, |x, _| vec![open(if x == 4 { 400 } else { 0 })]);
    for y in 0..256 {
        if y != 100 {
            west.blocks_mut()[255 * 256 + y] = wall.region.blocks()[0].clone();
        }
    }
    let geodata = Geodata::new([west, east].map(|region| (region.id, RegionPack::new(&region))));
    let graph = NavGraph::new(&geodata, &Profile::PTS);
    let from = middle(1900, 700, 0);
    let to = middle(2300, 900, 0);
    let path = find(&PathFinder::new(&geodata, &graph), from, to);
    assert_eq!(path.end, PathEnd::Reached);
    assert_walkable(&geodata, &Profile::PTS, &path);
    let best = find(&PathFinder::exact(&geodata, &Profile::PTS), from, to);
    assert!(
        path.cost <= best.cost * 11 / 10,
        "{} {}",
        path.cost,
        best.cost
    );
    let gap = (2040 * 16, 800 * 16);
    let outline = [
        gap,
        (gap.0 + 128, gap.1),
        (gap.0 + 128, gap.1 + 127),
        (gap.0, gap.1 + 127),
    ];
    let door = GeoObject::from_outline(&outline, 0, 300, ObjectKind::Door).unwrap();
    let closed = geodata.with_object(1, &Arc::new(door));
    let closed_graph = graph.with_changes(&closed, [cell(2040, 800)]);
    assert_eq!(closed_graph.is_reachable(&closed, from, to), Ok(false));
    assert_eq!(
        closed_graph
            .clone()
            .with_components()
            .is_reachable(&closed, from, to),
        Ok(false)
    );
    assert_eq!(graph.is_reachable(&geodata, from, to), Ok(true));
}

#[test]
fn many_paths_are_the_same_as_one_by_one() {
    let geodata = walled(11).geodata();
    let graph = NavGraph::new(&geodata, &Profile::ACIS);
    let finder = PathFinder::new(&geodata, &graph);
    let points = some_points(&geodata, 20);
    let requests: Vec<PathRequest> = points
        .iter()
        .zip(points.iter().rev())
        .map(|(&from, &to)| PathRequest { from, to })
        .collect();
    let mut paths = vec![Ok(WalkPath::default()); requests.len()];
    finder.find_batch(&requests, &OPTIONS, &mut paths);
    for (path, request) in paths.iter().zip(&requests) {
        assert_eq!(
            *path.as_ref().unwrap(),
            find(&finder, request.from, request.to)
        );
    }
    let nowhere = PathRequest {
        from: GeoPoint::new(-5, -5, 0),
        to: points[0],
    };
    assert!(
        finder
            .find(&nowhere, &OPTIONS, &mut PathSearch::default())
            .is_err()
    );
}
