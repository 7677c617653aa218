//! Walks and lines of sight by the rules of the L2J family, beside plain ones: Bresenham's line by its fractions.

use crate::test_world::{Ground, bridge, middle, open, random, roof, some_points};
use crate::{
    BlockedBy, CornerRule, GeoPoint, Geodata, NoDataRule, Profile, StraightWalkEnd, Viewer,
};
use ironlands_sim_regions::{Cell, GeoCell, Nswe};

/// All cells of Bresenham's line: along the longer axis each, along the other where its fraction passes a half.
fn plain_line(from: GeoCell, to: GeoCell) -> Vec<GeoCell> {
    let (dx, dy) = (
        i64::from(to.x) - i64::from(from.x),
        i64::from(to.y) - i64::from(from.y),
    );
    let n = dx.abs().max(dy.abs());
    (0..=n)
        .map(|step| {
            // The error begins with half the length, rounded down.
            let along = |d: i64| d.signum() * ((d.abs() * step + n / 2) / n.max(1));
            GeoCell {
                x: (i64::from(from.x) + along(dx)) as u16,
                y: (i64::from(from.y) + along(dy)) as u16,
            }
        })
        .collect()
}

fn nearest(geodata: &Geodata, at: GeoCell, z: i32) -> (i32, Nswe) {
    let layers = geodata.layers(at).unwrap();
    let layer = layers
        .iter()
        .rev()
        .min_by_key(|layer| layer.z.abs_diff(z))
        .unwrap();
    (layer.z, layer.nswe)
}

fn toward(a: GeoCell, b: GeoCell) -> Nswe {
    let mut sides = Nswe::empty();
    sides.set(Nswe::EAST, b.x > a.x);
    sides.set(Nswe::WEST, b.x < a.x);
    sides.set(Nswe::SOUTH, b.y > a.y);
    sides.set(Nswe::NORTH, b.y < a.y);
    sides
}

/// Whether a step can be made, by open sides alone.
fn is_open(geodata: &Geodata, a: GeoCell, z: i32, b: GeoCell, corners: CornerRule) -> bool {
    let own = nearest(geodata, a, z).1.contains(toward(a, b));
    if a.x == b.x || a.y == b.y || corners == CornerRule::SourceOnly {
        return own;
    }
    let [in_y, in_x] = [GeoCell { y: b.y, ..a }, GeoCell { x: b.x, ..a }];
    own && nearest(geodata, in_y, z).1.contains(toward(in_y, b))
        && nearest(geodata, in_x, z).1.contains(toward(in_x, b))
}

/// The last cell and its height, and whether that is the target's.
fn plain_walk(
    geodata: &Geodata,
    from: GeoPoint,
    to: GeoPoint,
    profile: &Profile,
) -> (GeoCell, i32, bool) {
    let last = to.cell().unwrap();
    let mut at = from.cell().unwrap();
    let mut z = nearest(geodata, at, from.z).0;
    for next in plain_line(at, last).into_iter().skip(1) {
        if !is_open(geodata, at, z, next, profile.corners) {
            return (at, z, false);
        }
        (at, z) = (next, nearest(geodata, next, z).0);
    }
    (at, z, z == nearest(geodata, last, to.z).0)
}

#[test]
fn walks_are_those_of_the_plain_rule() {
    let mut n_reached = 0;
    for (seed, profile) in [(1, Profile::L2J), (2, Profile::MOBIUS), (5, Profile::L2J)] {
        let geodata = random(seed).geodata();
        let points = some_points(&geodata, 60);
        for from in &points {
            for to in &points {
                let walk = geodata.straight_walk(*from, *to, &profile).unwrap();
                let (last, z, is_there) = plain_walk(&geodata, *from, *to, &profile);
                assert_eq!((walk.cell, walk.point.z), (last, z), "{from:?} {to:?}");
                assert_eq!(
                    walk.end == StraightWalkEnd::Reached,
                    is_there,
                    "{from:?} {to:?}"
                );
                n_reached += u32::from(is_there);
            }
        }
    }
    assert!(n_reached > 300, "{n_reached}");
}

#[test]
fn the_family_climbs_any_height_and_the_others_do_not() {
    let geodata = roof().geodata();
    let (below, above) = (middle(20, 14, 0), middle(20, 18, 400));
    for (profile, end) in [
        (Profile::ACIS, StraightWalkEnd::Blocked(BlockedBy::Climb)),
        (Profile::L2J, StraightWalkEnd::Reached),
        (Profile::MOBIUS, StraightWalkEnd::Reached),
    ] {
        assert_eq!(
            geodata.straight_walk(below, above, &profile).unwrap().end,
            end
        );
    }
    // Under a bridge the nearest layer is the ground; with the highest in reach it is, too.
    let geodata = bridge().geodata();
    let walk = geodata
        .straight_walk(middle(12, 0, 0), middle(12, 7, 0), &Profile::MOBIUS)
        .unwrap();
    assert_eq!((walk.end, walk.point.z), (StraightWalkEnd::Reached, 0));
}

/// A pillar at the corner of a diagonal step.
#[test]
fn corners_are_cut_by_one_rule_only() {
    let mut ground = Ground::new();
    ground.block(0, 0, |x, y| match (x, y) {
        (3, 2) => vec![Cell::new(0, Nswe::empty())],
        _ => vec![open(0)],
    });
    let geodata = ground.geodata();
    let (from, to) = (middle(2, 2, 0), middle(3, 3, 0));
    let walk = |profile| geodata.straight_walk(from, to, &profile).unwrap();
    assert_eq!(walk(Profile::L2J).end, StraightWalkEnd::Reached);
    let stopped = walk(Profile::MOBIUS);
    assert_eq!(stopped.end, StraightWalkEnd::Blocked(BlockedBy::ClosedSide));
    assert_eq!(stopped.point, from, "the middle of the last cell");
}

/// The rule as the servers' own: over a line whose z is in points, along its longest axis.
fn plain_sight(geodata: &Geodata, a: GeoPoint, b: GeoPoint, corners: CornerRule) -> bool {
    let on = |at: GeoPoint| {
        let cell = at.cell().unwrap();
        (cell, nearest(geodata, cell, at.z).0)
    };
    let ((mut at, from_z), (last, to_z)) = match (on(a), on(b)) {
        (a, b) if a.0 == b.0 => return a.1 == b.1,
        (a, b) if b.1 > a.1 => (b, a),
        (a, b) => (a, b),
    };
    let d = [
        i64::from(last.x) - i64::from(at.x),
        i64::from(last.y) - i64::from(at.y),
        i64::from(to_z - from_z),
    ];
    let n = d.iter().map(|d| d.abs()).max().unwrap();
    let start = [i64::from(at.x), i64::from(at.y), i64::from(from_z)];
    let (mut ground, mut n_cells) = (from_z, 0);
    for step in 1..=n {
        let [x, y, line_z] = [0, 1, 2].map(|axis: usize| {
            start[axis] + d[axis].signum() * ((d[axis].abs() * step + n / 2) / n)
        });
        let next = GeoCell {
            x: x as u16,
            y: y as u16,
        };
        if next == at {
            continue;
        }
        let line_z = line_z as i32;
        let limit = 48 + if n_cells < 2 { from_z } else { line_z };
        let top = |cell: GeoCell, is_open: bool| match is_open {
            true => nearest(geodata, cell, ground).0,
            false => {
                let layers = geodata.layers(cell).unwrap();
                layers
                    .iter()
                    .map(|layer| layer.z)
                    .find(|z| *z >= ground)
                    .unwrap_or(ground)
            }
        };
        let next_ground = top(next, is_open(geodata, at, ground, next, corners));
        if next_ground > limit {
            return false;
        }
        if next.x != at.x && next.y != at.y {
            let own = nearest(geodata, at, ground).1;
            let [in_y, in_x] = [GeoCell { y: next.y, ..at }, GeoCell { x: next.x, ..at }];
            for (beside, tested) in [(in_y, toward(at, in_x)), (in_x, toward(at, in_y))] {
                let top = top(beside, own.contains(tested));
                if top > limit || top > nearest(geodata, beside, line_z).0 {
                    return false;
                }
            }
        }
        (at, ground) = (next, next_ground);
        n_cells += 1;
    }
    true
}

#[test]
fn lines_of_sight_are_those_of_the_plain_rule() {
    let mut n_seen = 0;
    for (seed, profile) in [(1, Profile::L2J), (4, Profile::MOBIUS)] {
        let geodata = random(seed).geodata();
        let points = some_points(&geodata, 50);
        for a in &points {
            for b in &points {
                let viewers = [a, b].map(|at| Viewer::new(*at, 30.0));
                let sees = geodata.line_of_sight_both_ways(&viewers[0], &viewers[1], &profile);
                let expected = plain_sight(&geodata, *a, *b, profile.corners);
                assert_eq!(sees.unwrap(), [expected; 2], "{a:?} {b:?}");
                n_seen += u32::from(expected);
            }
        }
    }
    assert!(n_seen > 200, "{n_seen}");
}

#[test]
fn places_without_a_region_follow_the_profile() {
    let geodata = random(1).geodata();
    let (inside, outside) = (middle(4, 500, 0), middle(-40, 500, 0));
    let viewers = [inside, outside].map(|at| Viewer::new(at, 30.0));
    for (no_data, expected) in [(NoDataRule::Open, true), (NoDataRule::Blocked, false)] {
        let profile = Profile::MOBIUS.with_no_data(no_data);
        let walk = geodata.straight_walk(inside, outside, &profile).unwrap();
        assert_eq!(walk.end == StraightWalkEnd::Reached, expected);
        let sees = geodata.line_of_sight_both_ways(&viewers[0], &viewers[1], &profile);
        assert_eq!(sees.unwrap(), [expected; 2]);
    }
}
