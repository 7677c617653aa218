//! Areals: what the index promises, and the index against plain methods.

use glam::{DVec2, Vec2, Vec3};
use ironlands_assets_loader::parkan::land_map::{Areal, EdgeLink, LandMap};
use ironlands_assets_loader::parkan::nres::NRes;
use ironlands_sim::areal::{ArealError, ArealIndex};
use proptest::prelude::*;

const NO_LINK: EdgeLink = EdgeLink {
    areal: -1,
    edge: -1,
};

fn areal(outline: &[[f32; 2]]) -> Areal {
    Areal {
        anchor: [0.0; 3],
        reserved_0c: 0.0,
        area_metric: 0.0,
        normal: [0.0, 0.0, 1.0],
        logic_flag: 0,
        reserved_24: 0,
        class_id: 0,
        reserved_2c: 0,
        vertices: outline.iter().map(|&[x, y]| [x, y, 0.0]).collect(),
        edge_links: vec![NO_LINK; outline.len()],
        polygons: Vec::new(),
    }
}

/// A map whose one cell lists the areals in the given order.
fn map(areals: Vec<Areal>, listed: &[u16]) -> LandMap {
    LandMap {
        areals,
        cells_x: 1,
        cells_y: 1,
        cells: vec![listed.to_vec()],
        container: NRes::new(),
    }
}

fn rectangle(min: [f32; 2], max: [f32; 2]) -> Areal {
    areal(&[min, [max[0], min[1]], max, [min[0], max[1]]])
}

/// Links edge `edge_a` of `a` with edge `edge_b` of `b`, both ways.
fn link(areals: &mut [Areal], (a, edge_a): (usize, usize), (b, edge_b): (usize, usize)) {
    areals[a].edge_links[edge_a] = EdgeLink {
        areal: b as i32,
        edge: edge_b as i32,
    };
    areals[b].edge_links[edge_b] = EdgeLink {
        areal: a as i32,
        edge: edge_a as i32,
    };
}

/// Squares of side 10 in a field of `n_x` by `n_y`, linked where `is_open`; areal `x * n_y + y`.
fn field(n_x: usize, n_y: usize, is_open: impl Fn(usize, usize) -> bool) -> Vec<Areal> {
    let corner = |x: usize, y: usize| [x as f32 * 10.0, y as f32 * 10.0];
    let squares =
        (0..n_x).flat_map(|x| (0..n_y).map(move |y| rectangle(corner(x, y), corner(x + 1, y + 1))));
    let mut areals: Vec<_> = squares.collect();
    for x in 0..n_x {
        for y in 0..n_y {
            let here = x * n_y + y;
            if x + 1 < n_x && is_open(here, here + n_y) {
                link(&mut areals, (here, 1), (here + n_y, 3));
            }
            if y + 1 < n_y && is_open(here, here + 1) {
                link(&mut areals, (here, 2), (here + 1, 0));
            }
        }
    }
    areals
}

#[test]
fn outlines_are_closed_and_of_either_winding() {
    // An L: (0,0) to (4,4) without its upper right quarter.
    let outline = [
        [0.0, 0.0],
        [4.0, 0.0],
        [4.0, 2.0],
        [2.0, 2.0],
        [2.0, 4.0],
        [0.0, 4.0],
    ];
    let reversed: Vec<_> = outline.into_iter().rev().collect();
    for outline in [outline.to_vec(), reversed] {
        let index =
            ArealIndex::new(&map(vec![areal(&outline)], &[0]), None).expect("the map is sound");
        for (x, y, is_inside) in [
            (1.0, 1.0, true),
            (3.0, 1.0, true),
            (1.0, 3.0, true),
            (3.0, 3.0, false),
            (2.0, 2.0, true), // the inner corner
            (4.0, 4.0, false),
            (0.0, 0.0, true),
            (4.0, 2.0, true),
            (3.0, 2.0, true), // on an edge
            (2.0, 3.0, true),
            (2.001, 3.0, false),
            (3.0, 2.001, false),
            (-0.001, 1.0, false),
            (f32::NAN, 1.0, false),
            (1.0, f32::NEG_INFINITY, false),
        ] {
            let found = index.areal_at(Vec2::new(x, y));
            assert_eq!(found.is_some(), is_inside, "({x}, {y}) in {outline:?}");
        }
    }
}

#[test]
fn the_first_in_cell_order_wins_and_a_miss_scans_all() {
    let areals = || {
        vec![
            rectangle([0.0, 0.0], [4.0, 4.0]),
            rectangle([0.0, 0.0], [4.0, 4.0]),
            rectangle([6.0, 0.0], [8.0, 4.0]),
        ]
    };
    let found = |listed: &[u16], x| {
        let index = ArealIndex::new(&map(areals(), listed), None).expect("the map is sound");
        index.areal_at(Vec2::new(x, 1.0))
    };
    assert_eq!(found(&[1, 0], 1.0), Some(1));
    assert_eq!(found(&[0, 1], 1.0), Some(0));
    assert_eq!(found(&[2], 1.0), Some(0), "not listed: the lowest of all");
    assert_eq!(found(&[], 7.0), Some(2));
    assert_eq!(found(&[0, 1, 2], 5.0), None);
}

#[test]
fn cells_are_x_major_and_clamped_to_the_terrain() {
    // Four copies of one areal; each quarter of the terrain lists its own, and so does all beyond it.
    let areals = vec![rectangle([-50.0, -50.0], [50.0, 50.0]); 4];
    let cells = vec![vec![0], vec![1], vec![2], vec![3]];
    let map = LandMap {
        areals,
        cells_x: 2,
        cells_y: 2,
        cells,
        container: NRes::new(),
    };
    let index =
        ArealIndex::new(&map, Some((Vec2::ZERO, Vec2::splat(10.0)))).expect("the map is sound");
    for (x, y, areal) in [
        (1.0, 1.0, 0),
        (1.0, 9.0, 1),
        (9.0, 1.0, 2),
        (9.0, 9.0, 3),
        (-40.0, 40.0, 1),
        (10.0, -1.0, 2),
        (5.0, 4.9, 2),
    ] {
        assert_eq!(index.areal_at(Vec2::new(x, y)), Some(areal), "({x}, {y})");
    }
}

#[test]
fn a_route_passes_the_middles_of_the_portals() {
    let index =
        ArealIndex::new(&map(field(3, 1, |_, _| true), &[]), None).expect("the map is sound");
    let route = index
        .route(Vec2::new(5.0, 5.0), Vec2::new(25.0, 5.0))
        .expect("the row is open");
    assert_eq!(route.areals, [0, 1, 2]);
    assert_eq!(
        route.portals,
        [Vec3::new(10.0, 5.0, 0.0), Vec3::new(20.0, 5.0, 0.0)]
    );
    assert_eq!(route.length, 20.0);
    assert_eq!(index.neighbours(1), [2, 0], "in edge order");
    assert_eq!(index.neighbours(9), []);
}

#[test]
fn start_and_goal_in_one_areal_need_no_portal() {
    let index =
        ArealIndex::new(&map(field(2, 1, |_, _| true), &[]), None).expect("the map is sound");
    let route = index
        .route(Vec2::new(1.0, 1.0), Vec2::new(4.0, 5.0))
        .expect("it is one areal");
    assert_eq!(
        (route.areals, route.portals, route.length),
        (vec![0], vec![], 5.0)
    );
}

#[test]
fn no_route_leads_where_no_link_does() {
    let index = ArealIndex::new(&map(field(2, 2, |a, b| (a, b) == (0, 1)), &[]), None)
        .expect("the map is sound");
    assert!(
        index
            .route(Vec2::new(5.0, 5.0), Vec2::new(5.0, 15.0))
            .is_some()
    );
    assert_eq!(
        index.route(Vec2::new(5.0, 5.0), Vec2::new(15.0, 15.0)),
        None
    );
    assert_eq!(
        index.route(Vec2::new(5.0, 5.0), Vec2::new(50.0, 5.0)),
        None,
        "the goal is in no areal"
    );
    assert_eq!(
        index.route(Vec2::splat(f32::NAN), Vec2::new(5.0, 5.0)),
        None
    );
}

#[test]
fn of_equal_routes_the_one_whose_last_portal_is_lowest_wins() {
    // Around the middle of a field of 2 x 2 both ways are equally long.
    let index =
        ArealIndex::new(&map(field(2, 2, |_, _| true), &[]), None).expect("the map is sound");
    let route = index
        .route(Vec2::new(5.0, 5.0), Vec2::new(15.0, 15.0))
        .expect("the field is open");
    // Portals count by areal, then edge: that from 1 to 3 comes before that from 2 to 3.
    assert_eq!(route.areals, [0, 1, 3]);
    assert_eq!(route.length, (20.0_f64 / 2.0 + (50.0_f64).sqrt()) as f32);
}

#[test]
fn of_a_long_and_a_short_edge_the_short_one_is_the_portal() {
    let mut areals = vec![
        rectangle([0.0, 0.0], [10.0, 30.0]),
        rectangle([10.0, 0.0], [20.0, 10.0]),
    ];
    link(&mut areals, (0, 1), (1, 3));
    let index = ArealIndex::new(&map(areals, &[]), None).expect("the map is sound");
    for (from, to) in [([5.0, 5.0], [15.0, 5.0]), ([15.0, 5.0], [5.0, 5.0])] {
        let route = index
            .route(from.into(), to.into())
            .expect("they are linked");
        assert_eq!(
            (route.portals, route.length),
            (vec![Vec3::new(10.0, 5.0, 0.0)], 10.0)
        );
    }
}

#[test]
fn broken_maps_are_named() {
    let square = || rectangle([0.0, 0.0], [1.0, 1.0]);
    let with_link = |areal: i32, edge: i32| {
        let mut areals = vec![square(), square()];
        areals[1].edge_links[2] = EdgeLink { areal, edge };
        map(areals, &[0])
    };
    let link_error = |to_areal, to_edge| {
        Some(ArealError::LinkOutOfRange {
            areal: 1,
            edge: 2,
            to_areal,
            to_edge,
        })
    };
    for (to_areal, to_edge) in [(2, 0), (-2, 0), (0, 4), (0, -2)] {
        let error = ArealIndex::new(&with_link(to_areal, to_edge), None).err();
        assert_eq!(error, link_error(to_areal, to_edge));
    }
    let error = ArealIndex::new(&map(vec![square()], &[0, 1]), None).err();
    assert_eq!(
        error,
        Some(ArealError::CellArealOutOfRange {
            cell: 0,
            areal: 1,
            n_areals: 1
        })
    );
    let wide = LandMap {
        cells_x: 2,
        ..map(vec![square()], &[0])
    };
    let error = ArealIndex::new(&wide, None).err();
    assert_eq!(
        error,
        Some(ArealError::CellCount {
            n_lists: 1,
            cells_x: 2,
            cells_y: 1
        })
    );
    let mut short = square();
    short.edge_links.pop();
    let error = ArealIndex::new(&map(vec![short], &[0]), None).err();
    assert_eq!(
        error,
        Some(ArealError::LinkCount {
            areal: 0,
            n_links: 3,
            n_vertices: 4
        })
    );
}

#[test]
fn many_areals_over_the_whole_world_do_not_eat_memory() {
    // 60,000 areals that each cover everything: without a limit our own grid would hold 10^9 entries.
    let areals = vec![rectangle([0.0, 0.0], [4.0, 4.0]); 60_000];
    let index = ArealIndex::new(&map(areals, &[]), None).expect("the map is sound");
    assert_eq!(index.areal_at(Vec2::new(1.0, 1.0)), Some(0));
}

#[test]
fn degenerate_outlines_hold_nothing_and_do_no_harm() {
    let areals = vec![
        areal(&[]),
        areal(&[[1.0, 1.0]]),
        areal(&[[0.0, 0.0], [2.0, 2.0]]),
        areal(&[[f32::NAN, 0.0], [1.0, 0.0], [0.0, 1.0]]),
    ];
    let index = ArealIndex::new(&map(areals, &[0, 1, 2]), None).expect("the map is sound");
    assert_eq!(index.areal_at(Vec2::new(1.0, 1.0)), None);
}

/// All triangles and quads of half-unit corners: random outlines, many of them crossing themselves.
fn outline() -> impl Strategy<Value = Vec<[f32; 2]>> {
    prop::collection::vec(
        [0_i32..=12, 0..=12].prop_map(|p| p.map(|i| i as f32 * 0.5)),
        3..9,
    )
}

/// Even-odd by the winding of angles would be another rule; so: count crossings of a ray to the right with
/// exact integers (twice the coordinates), border first.
fn plainly_holds(outline: &[[f32; 2]], point: [f32; 2]) -> bool {
    let whole = |p: [f32; 2]| p.map(|c| (c * 4.0) as i64);
    let [px, py] = whole(point);
    let mut n_right = 0;
    for (i, &a) in outline.iter().enumerate() {
        let ([ax, ay], [bx, by]) = (whole(a), whole(outline[(i + 1) % outline.len()]));
        let cross = (bx - ax) * (py - ay) - (by - ay) * (px - ax);
        let is_between = (px - ax) * (px - bx) <= 0 && (py - ay) * (py - by) <= 0;
        if cross == 0 && is_between {
            return true;
        }
        if (ay <= py && by > py) || (by <= py && ay > py) {
            // x where the edge meets the line of the point, times (by - ay)
            let x_scaled = ax * (by - ay) + (py - ay) * (bx - ax);
            let is_right = if by > ay {
                x_scaled > px * (by - ay)
            } else {
                x_scaled < px * (by - ay)
            };
            n_right += i32::from(is_right);
        }
    }
    n_right % 2 == 1
}

/// Length of the shortest route: Floyd and Warshall over start, goal and all portals.
fn plain_route_length(areals: &[Areal], index: &ArealIndex, from: Vec2, to: Vec2) -> Option<f64> {
    let (start, goal) = (index.areal_at(from)? as i32, index.areal_at(to)? as i32);
    if start == goal {
        return Some(from.as_dvec2().distance(to.as_dvec2()));
    }
    // (areal left, areal entered, point); start enters, goal leaves.
    let mut nodes = vec![(-1, start, from.as_dvec2()), (goal, -1, to.as_dvec2())];
    for (areal_idx, areal) in areals.iter().enumerate() {
        for (edge, link) in areal
            .edge_links
            .iter()
            .enumerate()
            .filter(|(_, link)| link.areal >= 0)
        {
            let vertex = |i: usize| {
                let [x, y, _] = areal.vertices[i % areal.vertices.len()];
                DVec2::new(f64::from(x), f64::from(y))
            };
            nodes.push((
                areal_idx as i32,
                link.areal,
                (vertex(edge) + vertex(edge + 1)) / 2.0,
            ));
        }
    }
    let n = nodes.len();
    let mut length = vec![f64::INFINITY; n * n];
    for (i, a) in nodes.iter().enumerate() {
        for (j, b) in nodes
            .iter()
            .enumerate()
            .filter(|(_, b)| a.1 >= 0 && a.1 == b.0)
        {
            length[i * n + j] = a.2.distance(b.2);
        }
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                length[i * n + j] = length[i * n + j].min(length[i * n + k] + length[k * n + j]);
            }
        }
    }
    Some(length[1]).filter(|length| length.is_finite())
}

proptest! {
    #[test]
    fn points_lie_where_exact_integers_say(
        outlines in prop::collection::vec(outline(), 1..12),
        listed in prop::collection::vec(0_u16..12, 0..12),
        points in prop::collection::vec([-1_i32..=26, -1..=26].prop_map(|p| p.map(|i| i as f32 * 0.25)), 60),
    ) {
        let listed: Vec<_> = listed.into_iter().filter(|&areal| usize::from(areal) < outlines.len()).collect();
        let areals = outlines.iter().map(|outline| areal(outline)).collect();
        let index = ArealIndex::new(&map(areals, &listed), None).expect("the map is sound");
        for point in points {
            let order = listed.iter().map(|&areal| u32::from(areal)).chain(0..outlines.len() as u32);
            let expected = order.into_iter().find(|&areal| plainly_holds(&outlines[areal as usize], point));
            prop_assert_eq!(index.areal_at(point.into()), expected, "{:?}", point);
        }
    }

    #[test]
    fn routes_are_as_short_as_the_shortest(
        (n_x, n_y) in (1_usize..6, 1_usize..6),
        open in prop::collection::vec(prop::bool::weighted(0.7), 36 * 36),
        points in prop::collection::vec([0.0_f32..50.0, 0.0_f32..50.0].prop_map(Vec2::from), 8),
    ) {
        let areals = field(n_x, n_y, |a, b| open[a * 36 + b]);
        let index = ArealIndex::new(&map(areals.clone(), &[]), None).expect("the map is sound");
        for pair in points.windows(2) {
            let route = index.route(pair[0], pair[1]);
            let plain = plain_route_length(&areals, &index, pair[0], pair[1]);
            prop_assert_eq!(route.is_some(), plain.is_some());
            let (Some(route), Some(plain)) = (route, plain) else { continue };
            prop_assert!((f64::from(route.length) - plain).abs() < 1e-4, "{} against {plain}", route.length);
            prop_assert_eq!(route.portals.len() + 1, route.areals.len());
            for step in route.areals.windows(2) {
                prop_assert!(index.neighbours(step[0]).contains(&step[1]));
            }
            let stops = std::iter::once(pair[0]).chain(route.portals.iter().map(|p| p.truncate())).chain([pair[1]]);
            let stops: Vec<_> = stops.collect();
            let walked: f32 = stops.windows(2).map(|s| s[0].distance(s[1])).sum();
            prop_assert!((walked - route.length).abs() < 1e-3);
        }
    }

    #[test]
    fn batches_answer_like_single_calls_on_any_number_of_threads(
        outlines in prop::collection::vec(outline(), 1..12),
        points in prop::collection::vec([-1.0_f32..7.0, -1.0_f32..7.0].prop_map(Vec2::from), 600),
    ) {
        let areals = outlines.iter().map(|outline| areal(outline)).collect();
        let index = ArealIndex::new(&map(areals, &[]), None).expect("the map is sound");
        let single: Vec<_> = points.iter().map(|&point| index.areal_at(point)).collect();
        for n_threads in [1, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads can be started");
            let mut batch = vec![None; points.len()];
            pool.install(|| index.areals_at(&points, &mut batch));
            prop_assert_eq!(&batch, &single);
        }
    }
}
