//! Straight lines: walks, sight, swimming, flying, places to stand. Sections 4.6 to 4.8.

use crate::line::{Crossing, Line};
use crate::test_world::{Ground, bridge, cell, middle, open, random, roof};
use crate::{
    BlockedBy, GeoPoint, Geodata, NoDataRule, Profile, RegionPack, SpotOptions, StraightWalkEnd,
    SwimEnd, Viewer,
};
use ironlands_sim_regions::{Block, Cell, Flat, GeoCell, Nswe, Region, RegionId, ZERO_REGION};
use proptest::prelude::*;

/// The cell behind the border of a cell.
fn over(crossing: Crossing, cell: GeoCell) -> GeoCell {
    GeoCell {
        x: cell.x.wrapping_add_signed(crossing.dx as i16),
        y: cell.y.wrapping_add_signed(crossing.dy as i16),
    }
}

/// Cells of a line, both sides of a corner left out.
fn cells(from: GeoPoint, to: GeoPoint) -> Vec<GeoCell> {
    let mut at = from.cell().unwrap();
    let mut cells = vec![at];
    let mut line = Line::new(from, to).unwrap();
    while let Some(crossing) = line.crossing() {
        at = over(crossing, at);
        cells.push(at);
        line.pass();
    }
    cells
}

proptest! {
    #[test]
    fn a_line_passes_the_same_cells_from_both_ends(
        x0 in -900..900_i32, y0 in -900..900_i32, x1 in -900..900_i32, y1 in -900..900_i32,
    ) {
        let (a, b) = (GeoPoint::new(x0, y0, 0), GeoPoint::new(x1, y1, 0));
        let there = cells(a, b);
        let mut back = cells(b, a);
        back.reverse();
        prop_assert_eq!(&there, &back);
        prop_assert_eq!(there.last().copied(), b.cell().ok());
        // Each cell holds a part of the line: its corners are not all on one side.
        let (dx, dy) = (i64::from(x1 - x0), i64::from(y1 - y0));
        for cell in there {
            let (cx, cy) = cell.corner();
            let side = |x: i32, y: i32| {
                // Half points, where points lie in the middle of their own square.
                let (px, py) = (i64::from(2 * (x - x0) - 1), i64::from(2 * (y - y0) - 1));
                px * dy - py * dx
            };
            let sides = [side(cx, cy), side(cx + 16, cy), side(cx, cy + 16), side(cx + 16, cy + 16)];
            prop_assert!(sides.iter().any(|&it| it >= 0) && sides.iter().any(|&it| it <= 0));
        }
    }

    #[test]
    fn a_walk_ends_in_the_cell_that_it_says(
        x0 in 0..2500_i32, y0 in 0..2500_i32, x1 in 0..2500_i32, y1 in 0..2500_i32, seed in 0..4_u64,
    ) {
        let geodata = random(seed).geodata();
        let from = GeoPoint::new(x0, y0, geodata.height(GeoPoint::new(x0, y0, 100)).unwrap());
        let to = GeoPoint::new(x1, y1, geodata.height(GeoPoint::new(x1, y1, 100)).unwrap());
        let movement = geodata.straight_walk(from, to, &Profile::ACIS).unwrap();
        prop_assert_eq!(movement.point.cell(), Ok(movement.cell));
        prop_assert_eq!(geodata.height(movement.point).unwrap(), movement.point.z);
        if movement.end == StraightWalkEnd::Reached {
            prop_assert_eq!(movement.point, to);
        }
    }
}

#[test]
fn a_walk_is_blocked_at_the_border_of_its_last_cell() {
    let mut ground = Ground::new();
    ground.block(0, 0, |x, _| vec![open(if x == 5 { 100 } else { 0 })]);
    let geodata = ground.geodata();
    let movement = geodata
        .straight_walk(middle(1, 1, 0), middle(7, 1, 0), &Profile::ACIS)
        .unwrap();
    assert_eq!(movement.end, StraightWalkEnd::Blocked(BlockedBy::Climb));
    assert_eq!(movement.cell, cell(4, 1));
    assert_eq!(movement.point, GeoPoint::new(5 * 16 - 1, 24, 0));
    let back = geodata
        .straight_walk(middle(7, 1, 0), middle(1, 1, 0), &Profile::ACIS)
        .unwrap();
    assert_eq!(
        (back.cell, back.point),
        (cell(6, 1), GeoPoint::new(6 * 16, 24, 0))
    );
}

#[test]
fn over_the_bridge_and_under_it() {
    let geodata = bridge().geodata();
    let end =
        |from: GeoPoint, to: GeoPoint| geodata.straight_walk(from, to, &Profile::PTS).unwrap().end;
    assert_eq!(
        end(middle(0, 3, 0), middle(39, 3, 0)),
        StraightWalkEnd::Reached,
        "over it"
    );
    assert_eq!(
        end(middle(20, 0, 0), middle(20, 7, 0)),
        StraightWalkEnd::Reached,
        "under it"
    );
    assert_eq!(
        end(middle(0, 3, 0), middle(20, 3, 160)),
        StraightWalkEnd::Reached
    );
    assert_eq!(
        end(middle(0, 3, 0), middle(20, 3, 0)),
        StraightWalkEnd::OtherLayer
    );
    let off = end(middle(20, 3, 160), middle(20, 0, 0));
    assert_eq!(off, StraightWalkEnd::Blocked(BlockedBy::ClosedSide));
}

#[test]
fn from_a_roof_one_way() {
    let geodata = roof().geodata();
    let (up, down) = (middle(20, 20, 400), middle(40, 20, 0));
    assert_eq!(
        geodata.is_straight_walk_free(up, down, &Profile::PTS),
        Ok(true)
    );
    let back = geodata.straight_walk(down, up, &Profile::PTS).unwrap();
    assert_eq!(back.end, StraightWalkEnd::Blocked(BlockedBy::Climb));
    assert_eq!(back.cell, cell(24, 20));
}

/// Fixture (g): the corner of four regions, with one of them missing in turn.
#[test]
fn a_corner_of_four_regions_is_crossed_by_all_of_them() {
    let ids = [(20, 18), (19, 18), (20, 17), (19, 17)].map(|(x, y)| RegionId::new(x, y).unwrap());
    let pack = |id| (id, RegionPack::new(&Region::flat(id, 0)));
    let geodata = Geodata::new(ids.map(pack));
    assert_eq!(geodata.memory().n_regions, 4);
    let one = Geodata::new([pack(ids[0])]).memory().packs;
    assert_eq!(geodata.memory().packs, one, "the same content once");
    let (a, b) = (GeoPoint::new(-9, -9, 0), GeoPoint::new(8, 8, 0));
    assert_eq!(cells(a, b).len(), 2, "through the corner");
    assert_eq!(geodata.is_straight_walk_free(a, b, &Profile::PTS), Ok(true));
    for missing in [ids[1], ids[2]] {
        let geodata = geodata.without_region(missing);
        let movement = geodata.straight_walk(a, b, &Profile::PTS).unwrap();
        assert_eq!(
            movement.end,
            StraightWalkEnd::Blocked(BlockedBy::NoData),
            "{missing}"
        );
        let open = Profile::PTS.with_no_data(NoDataRule::Open);
        assert_eq!(geodata.is_straight_walk_free(a, b, &open), Ok(true));
    }
    assert!(
        geodata
            .without_region(ZERO_REGION)
            .straight_walk(b, a, &Profile::PTS)
            .is_err()
    );
}

#[test]
fn walls_hide_and_railings_do_not() {
    let ground_with = |height: i16, nswe: Nswe| {
        let mut ground = Ground::new();
        ground.block(1, 0, |x, _| match x {
            3 => vec![Cell::new(height, nswe)],
            2 => vec![Cell::new(0, Nswe::ALL_SIDES - Nswe::EAST)],
            4 => vec![Cell::new(0, Nswe::ALL_SIDES - Nswe::WEST)],
            _ => vec![open(0)],
        });
        ground.geodata()
    };
    let sees = |geodata: &Geodata, eye: f32| {
        let a = Viewer::new(middle(2, 2, 0), eye);
        let b = Viewer::new(middle(20, 2, 0), eye);
        geodata.line_of_sight(&a, &b, NoDataRule::Blocked).unwrap()
    };
    // Behind the closed side the next layer up counts as the wall's top.
    assert!(!sees(&ground_with(96, Nswe::ALL_SIDES), 34.5));
    assert!(
        sees(&ground_with(96, Nswe::ALL_SIDES), 64.0),
        "32 above the line is no obstacle"
    );
    assert!(!sees(&ground_with(104, Nswe::ALL_SIDES), 64.0));
    assert!(sees(&ground_with(0, Nswe::ALL_SIDES), 34.5), "a railing");
}

#[test]
fn sight_begins_on_the_ground() {
    let geodata = bridge().geodata();
    let viewer = |x, y, z| Viewer::new(middle(x, y, z), 34.5);
    let sees = |a: Viewer, b: Viewer| geodata.line_of_sight(&a, &b, NoDataRule::Blocked).unwrap();
    assert!(sees(viewer(20, 0, 0), viewer(20, 7, 0)), "under the bridge");
    assert!(sees(viewer(20, 3, 160), viewer(20, 3, 160)));
    assert!(
        !sees(viewer(20, 3, 160), viewer(20, 3, 0)),
        "of one cell, another layer"
    );
    assert!(
        !sees(viewer(20, 3, -50), viewer(20, 3, 0)),
        "below the ground"
    );
    let outside = viewer(-5, 0, 0);
    assert!(
        geodata
            .one_way_line_of_sight(&outside, &viewer(5, 0, 0), NoDataRule::Blocked)
            .is_err()
    );
    assert!(
        !geodata
            .one_way_line_of_sight(&viewer(5, 0, 0), &outside, NoDataRule::Blocked)
            .unwrap()
    );
    assert!(
        geodata
            .one_way_line_of_sight(&viewer(5, 0, 0), &outside, NoDataRule::Open)
            .unwrap()
    );
    let far = Viewer::new(GeoPoint::new(8, 8, i32::MAX), f32::MAX);
    assert!(
        geodata
            .one_way_line_of_sight(&far, &viewer(5, 0, 0), NoDataRule::Open)
            .is_ok()
    );
}

#[test]
fn swimmers_land_and_meet_walls() {
    let mut ground = Ground::new();
    for x in 0..4 {
        ground.flat(x, 0, -400, -400);
    }
    ground.block(4, 0, |x, _| vec![open(-400 + x as i16 * 40)]);
    ground.block(2, 1, |x, _| match x {
        3 => vec![Cell::new(-400, Nswe::ALL_SIDES - Nswe::EAST)],
        4 => vec![open(80)],
        _ => vec![open(-400)],
    });
    for x in [0, 1, 3] {
        ground.flat(x, 1, -400, -400);
    }
    let geodata = ground.geodata();
    let swim = |from: GeoPoint, to: GeoPoint| geodata.swim(from, to).unwrap();
    assert_eq!(
        swim(middle(1, 1, -10), middle(30, 1, -10)).end,
        SwimEnd::Reached
    );
    let landed = swim(middle(1, 1, -210), middle(39, 1, -210));
    assert_eq!(
        (landed.end, landed.point),
        (SwimEnd::Land, middle(37, 1, -200))
    );
    let wall = swim(middle(1, 9, -100), middle(30, 9, -100));
    assert_eq!(
        (wall.end, wall.point),
        (SwimEnd::Wall, GeoPoint::new(20 * 16 - 1, 152, -100))
    );
    assert_eq!(
        swim(middle(1, 9, 100), middle(18, 9, 100)).end,
        SwimEnd::Reached
    );
    let away = swim(middle(1, 1, -10), middle(1, -3, -10));
    assert_eq!(away.end, SwimEnd::NoGround);
}

#[test]
fn flyers_need_their_height() {
    let geodata = bridge().geodata();
    let fly = |from: GeoPoint, to: GeoPoint, height: i32| geodata.fly(from, to, height).unwrap();
    assert!(
        fly(middle(20, 0, 40), middle(20, 7, 40), 100).is_reached,
        "under the bridge"
    );
    let stopped = fly(middle(20, 0, 80), middle(20, 7, 80), 100);
    assert!(!stopped.is_reached);
    assert_eq!(stopped.point.cell(), Ok(cell(20, 2)));
    assert!(
        fly(middle(20, 0, 180), middle(20, 7, 180), 100).is_reached,
        "over it"
    );
    assert!(
        !fly(middle(20, 0, 40), middle(20, -4, 40), 10).is_reached,
        "no region"
    );
}

#[test]
fn spots_are_where_one_can_walk() {
    let geodata = random(3).geodata();
    let mut seed = 1;
    let options = SpotOptions {
        radius: 300,
        profile: Profile::ACIS,
        n_tries: 8,
    };
    let at = GeoPoint::new(1200, 1200, 50);
    let start = GeoPoint {
        z: geodata.height(at).unwrap(),
        ..at
    };
    let mut distinct = std::collections::HashSet::new();
    for _ in 0..200 {
        let spot = geodata.random_spot(at, &options, &mut seed).unwrap();
        let (dx, dy) = (spot.x - at.x, spot.y - at.y);
        assert!(dx * dx + dy * dy <= 300 * 300);
        assert_eq!(geodata.height(spot).unwrap(), spot.z);
        let walk = geodata.straight_walk(start, spot, &Profile::ACIS).unwrap();
        assert!(spot == start || !matches!(walk.end, StraightWalkEnd::Blocked(BlockedBy::NoData)));
        distinct.insert(spot);
    }
    assert!(distinct.len() > 50, "{}", distinct.len());
    let mut again = 1;
    let first = geodata.random_spot(at, &options, &mut again).unwrap();
    let mut once_more = 1;
    assert_eq!(geodata.random_spot(at, &options, &mut once_more), Ok(first));
}

#[test]
fn spawns_snap_and_things_fall() {
    let geodata = bridge().geodata();
    assert_eq!(
        geodata.snap_spawn(middle(20, 3, 150), 16),
        Ok(Some(middle(20, 3, 160)))
    );
    assert_eq!(geodata.snap_spawn(middle(20, 3, 80), 16), Ok(None));
    assert_eq!(
        geodata.fall(middle(20, 3, 159)),
        Ok(Some((middle(20, 3, 0), 159)))
    );
    assert_eq!(
        geodata.fall(middle(20, 3, 160)),
        Ok(Some((middle(20, 3, 160), 0)))
    );
    assert_eq!(geodata.fall(middle(20, 3, -1)), Ok(None));
}

#[test]
fn batches_return_what_single_walks_do() {
    let geodata = random(9).geodata();
    let point = |i: i32| {
        let at = GeoPoint::new(i * 7919 % 2500, i * 104_729 % 2500, 100);
        GeoPoint {
            z: geodata.height(at).unwrap(),
            ..at
        }
    };
    let near = |from: GeoPoint, i: i32| {
        let at = GeoPoint::new(from.x + i * 37 % 120, from.y + i * 53 % 120, 100);
        GeoPoint {
            z: geodata.height(at).unwrap(),
            ..at
        }
    };
    let lines: Vec<_> = (1..400).map(|i| (point(i), near(point(i), i))).collect();
    let mut straight_walk_batch =
        vec![geodata.straight_walk(lines[0].0, lines[0].0, &Profile::PTS); lines.len()];
    geodata.straight_walk_batch(&lines, &Profile::PTS, &mut straight_walk_batch);
    let pairs: Vec<_> = lines
        .iter()
        .map(|&(a, b)| (Viewer::new(a, 30.0), Viewer::new(b, 30.0)))
        .collect();
    let mut line_of_sight_batch = vec![false; pairs.len()];
    geodata.line_of_sight_batch(&pairs, NoDataRule::Blocked, &mut line_of_sight_batch);
    for (i, &(from, to)) in lines.iter().enumerate() {
        assert_eq!(
            straight_walk_batch[i],
            geodata.straight_walk(from, to, &Profile::PTS)
        );
        let (a, b) = &pairs[i];
        assert_eq!(
            line_of_sight_batch[i],
            geodata.line_of_sight(a, b, NoDataRule::Blocked).unwrap()
        );
    }
    assert!(
        line_of_sight_batch.iter().any(|&seen| seen)
            && line_of_sight_batch.iter().any(|&seen| !seen)
    );
}

/// A tile of one flat ground is crossed at once, but not what was edited in it, and not over its border.
#[test]
fn an_edit_in_even_ground_stops_who_comes_by() {
    let geodata = Ground::new().geodata();
    let (from, to) = (middle(3, 20, 0), middle(300, 70, 0));
    let walk = |geodata: &Geodata, profile| geodata.straight_walk(from, to, &profile).unwrap();
    assert_eq!(walk(&geodata, Profile::ACIS).end, StraightWalkEnd::Reached);
    let viewers = [from, to].map(|point| Viewer::new(point, 34.5));
    let sees = |geodata: &Geodata| {
        geodata.one_way_line_of_sight(&viewers[0], &viewers[1], NoDataRule::Blocked)
    };
    assert_eq!(sees(&geodata), Ok(true));
    // The line passes block (10, 4).
    let tower = Block::Flat(Flat::from_height(400));
    let edited = geodata.with_block(ZERO_REGION, 10 * 256 + 4, tower);
    let stopped = walk(&edited, Profile::ACIS);
    assert_eq!(stopped.end, StraightWalkEnd::Blocked(BlockedBy::Climb));
    assert_eq!(stopped.cell, cell(79, 33));
    assert_eq!(sees(&edited), Ok(false));
    // If every step climbs or falls too far, nothing is reachable.
    let falls = Profile {
        max_up: -8,
        ..Profile::ACIS
    };
    assert_eq!(walk(&geodata, falls).cell, cell(3, 20));
}

/// Lines that rise and fall over one flat ground are cut where they come too near to it, not elsewhere.
#[test]
fn eyes_below_even_ground_see_nothing_over_it() {
    let geodata = Ground::new().geodata();
    let viewer = |x: i32, eye: f32| Viewer::new(middle(x, 20, 0), eye);
    let sees = |from: f32, to: f32| {
        geodata.one_way_line_of_sight(&viewer(3, from), &viewer(100, to), NoDataRule::Blocked)
    };
    // What may be in the way is 32 above the line.
    assert_eq!(sees(-31.0, -31.0), Ok(true));
    assert_eq!(sees(-33.0, -33.0), Ok(false));
    assert_eq!(sees(-40.0, 40.0), Ok(false));
    assert_eq!(sees(40.0, -40.0), Ok(false));
    // Below the ground only behind the last border: 97 cells, of which the line falls 7 / 97 in each.
    assert_eq!(sees(-26.0, -32.01), Ok(true));
    assert_eq!(sees(-26.0, -32.1), Ok(false));
    assert_eq!(sees(f32::NAN, 40.0), Ok(false));
    assert_eq!(sees(40.0, f32::NAN), Ok(false));
}

#[test]
fn a_square_is_left_where_single_crossings_leave_it() {
    let mut state = 77_u64;
    let mut draw = |n: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % n) as i32
    };
    let mut n_corners = 0;
    for number in 0..20_000 {
        let from = GeoPoint::new(draw(3000) - 1500, draw(3000) - 1500, 0);
        let length = [40, 400, 3000][number % 3];
        let (dx, dy) = (draw(length) - draw(length), draw(length) - draw(length));
        // Along an axis, through corners, and any.
        let (dx, dy) = match draw(6) {
            0 => (dx, 0),
            1 => (0, dy),
            2 => (dx, dx),
            3 => (dx, -dx),
            _ => (dx, dy),
        };
        let to = GeoPoint::new(from.x + dx, from.y + dy, 0);
        let side = [8, 128][draw(2) as usize];
        let (mut line, mut single) = [(); 2].map(|()| Line::new(from, to).unwrap()).into();
        let mut cell = from.cell().unwrap();
        while line.crossing().is_some() {
            let mut expected = cell;
            while let Some(crossing) = single.crossing() {
                let next = over(crossing, expected);
                if next.x / side != cell.x / side || next.y / side != cell.y / side {
                    break;
                }
                n_corners += usize::from(crossing.dx != 0 && crossing.dy != 0);
                expected = next;
                single.pass();
            }
            cell = line.pass_within(cell, side);
            assert_eq!(cell, expected, "{from:?} {to:?} {side}");
            assert_eq!(line.crossing(), single.crossing(), "{from:?} {to:?} {side}");
            assert_eq!(line.along(), single.along());
            assert_eq!(line.along_before(), single.along_before());
            if let Some(crossing) = line.crossing() {
                cell = over(crossing, cell);
                line.pass();
                single.pass();
            }
        }
        assert_eq!(cell, to.cell().unwrap(), "{from:?} {to:?} {side}");
    }
    assert!(n_corners > 1000, "{n_corners}");
}
