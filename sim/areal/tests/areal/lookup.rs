//! Which areal holds a point: what is promised, and the index against plain methods.

use crate::common::*;
use glam::Vec2;
use ironlands_sim_areal::{ArealError, ArealFilter, ArealIndex, ArealMap, ClassFilter, EdgeLink};
use proptest::prelude::*;

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
            ArealIndex::new(&map(vec![areal(&outline)], &[0]), None).expect("the map is valid");
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
        let index = ArealIndex::new(&map(areals(), listed), None).expect("the map is valid");
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
    let map = ArealMap {
        areals,
        cells_x: 2,
        cells_y: 2,
        cells,
    };
    let index =
        ArealIndex::new(&map, Some((Vec2::ZERO, Vec2::splat(10.0)))).expect("the map is valid");
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
    let wide = ArealMap {
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
    let index = index(areals.clone());
    assert_eq!(index.areal_at(Vec2::new(1.0, 1.0)), Some(0));
    // Nor does that of the file; its lists come first still.
    let map = ArealMap {
        cells_x: 16,
        cells_y: 16,
        cells: (0..256)
            .map(|cell| vec![cell; usize::from(cell % 2)])
            .collect(),
        ..map(areals, &[])
    };
    let index = ArealIndex::new(&map, None).expect("the map is valid");
    assert_eq!(index.areal_at(Vec2::new(0.1, 0.3)), Some(1));
    assert_eq!(index.areal_at(Vec2::new(0.1, 0.1)), Some(0));
}

#[test]
fn degenerate_outlines_hold_nothing_and_do_no_harm() {
    let areals = vec![
        areal(&[]),
        areal(&[[1.0, 1.0]]),
        areal(&[[0.0, 0.0], [2.0, 2.0]]),
        areal(&[[f32::NAN, 0.0], [1.0, 0.0], [0.0, 1.0]]),
    ];
    let index = ArealIndex::new(&map(areals, &[0, 1, 2]), None).expect("the map is valid");
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
/// exact integers, border first. For coordinates that are whole multiples of 1/65536.
fn plainly_holds(outline: &[[f32; 2]], point: [f32; 2]) -> bool {
    let whole = |p: [f32; 2]| p.map(|c| (f64::from(c) * 65536.0) as i128);
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

proptest! {
    #[test]
    fn points_lie_where_exact_integers_say(
        outlines in prop::collection::vec(outline(), 1..12),
        listed in prop::collection::vec(0_u16..12, 0..12),
        points in prop::collection::vec([-1_i32..=26, -1..=26].prop_map(|p| p.map(|i| i as f32 * 0.25)), 60),
    ) {
        let listed: Vec<_> = listed.into_iter().filter(|&areal| usize::from(areal) < outlines.len()).collect();
        let areals = outlines.iter().map(|outline| areal(outline)).collect();
        let index = ArealIndex::new(&map(areals, &listed), None).expect("the map is valid");
        for point in points {
            let order = listed.iter().map(|&areal| u32::from(areal)).chain(0..outlines.len() as u32);
            let expected = order.into_iter().find(|&areal| plainly_holds(&outlines[areal as usize], point));
            prop_assert_eq!(index.areal_at(point.into()), expected, "{:?}", point);
        }
    }

    #[test]
    fn points_beside_an_edge_lie_where_exact_integers_say(
        outline in prop::collection::vec([(0_i64..1 << 20, 0..12), (0..1 << 20, 0..12)], 3..9),
        shares in prop::collection::vec((0_usize..9, 0.0_f64..1.0), 40),
    ) {
        // Of very different size, so that differences do not fit an f32.
        let to_float = |p: [(i64, i32); 2]| p.map(|(bits, shift)| (bits << shift) as f32 / 65536.0);
        let outline: Vec<_> = outline.into_iter().map(to_float).collect();
        let index = index(vec![areal(&outline)]);
        for (edge, share) in shares {
            let [a, b] = [edge, edge + 1].map(|i| Vec2::from(outline[i % outline.len()]).as_dvec2());
            let point = ((a.lerp(b, share) * 65536.0).round() / 65536.0).as_vec2().to_array();
            prop_assert_eq!(index.areal_at(point.into()).is_some(), plainly_holds(&outline, point), "{:?}", point);
        }
    }

    #[test]
    fn cells_of_the_file_decide_the_order(
        outlines in prop::collection::vec(outline(), 1..12),
        n_cells in [0..4_u32, 0..4].prop_map(|n| n.map(|n| 1 << n)),
        lists in prop::collection::vec(prop::collection::vec(0_u16..12, 0..6), 64),
        points in prop::collection::vec([-9_i32..=37, -9..=37].prop_map(|p| p.map(|i| i as f32 * 0.25)), 60),
    ) {
        // The cells lie over -1 to 7, so all their borders are exact.
        let [n_x, n_y] = n_cells;
        let n_areals = outlines.len() as u16;
        let cells: Vec<Vec<u16>> = lists.into_iter().take((n_x * n_y) as usize).collect();
        let cells: Vec<Vec<u16>> =
            cells.into_iter().map(|list| list.into_iter().filter(|id| *id < n_areals).collect()).collect();
        let areals = outlines.iter().map(|outline| areal(outline)).collect();
        let map = ArealMap { areals, cells_x: n_x, cells_y: n_y, cells: cells.clone() };
        let index = ArealIndex::new(&map, Some((Vec2::splat(-1.0), Vec2::splat(7.0)))).expect("the map is valid");
        let only_odd = |areal: u32| areal % 2 == 1;
        let odd: Vec<u32> = (0..12).filter(|areal| only_odd(*areal)).collect();
        let classes: Vec<_> = (0..12).collect();
        for point in points {
            let cell_of = |c: f32, n: u32| (((c + 1.0) / 8.0 * n as f32).floor().max(0.0) as u32).min(n - 1);
            let cell = cell_of(point[0], n_x) * n_y + cell_of(point[1], n_y);
            let listed = cells[cell as usize].iter().map(|&areal| u32::from(areal));
            let order: Vec<u32> = listed.chain(0..u32::from(n_areals)).collect();
            let contains = |areal: &u32| plainly_holds(&outlines[*areal as usize], point);
            let expected = order.iter().copied().find(|areal| contains(areal));
            prop_assert_eq!(index.areal_at(point.into()), expected, "{:?}", point);
            prop_assert_eq!(index.areal_at_filtered(point.into(), &ArealFilter::ALL), expected);
            // The same areals with their index as class.
            let mut classed = map.clone();
            for (areal, class) in classed.areals.iter_mut().zip(&classes) {
                areal.class_id = *class;
            }
            let index = ArealIndex::new(&classed, Some((Vec2::splat(-1.0), Vec2::splat(7.0)))).expect("the map is valid");
            let filter = ArealFilter { classes: ClassFilter::Only(&odd), ..ArealFilter::ALL };
            let expected = order.iter().copied().find(|areal| only_odd(*areal) && contains(areal));
            prop_assert_eq!(index.areal_at_filtered(point.into(), &filter), expected, "odd ones at {:?}", point);
        }
    }
    #[test]
    fn batches_return_what_single_calls_do_on_any_number_of_threads(
        outlines in prop::collection::vec(outline(), 1..12),
        points in prop::collection::vec([-1.0_f32..7.0, -1.0_f32..7.0].prop_map(Vec2::from), 600),
    ) {
        let areals = outlines.iter().map(|outline| areal(outline)).collect();
        let index = ArealIndex::new(&map(areals, &[]), None).expect("the map is valid");
        let single: Vec<_> = points.iter().map(|&point| index.areal_at(point)).collect();
        for n_threads in [1, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads can be started");
            let mut batch = vec![None; points.len()];
            pool.install(|| index.areal_at_batch(&points, &mut batch));
            prop_assert_eq!(&batch, &single);
        }
    }
}
