//! Walks and lines of sight: the counts of sections 4.6 and 4.7.

use crate::regions::Loaded;
use crate::same;
use ironlands_assets_lineage2::{GeoCell, Nswe};
use ironlands_sim_geodata::{
    BlockedBy, GeoPoint, Geodata, GeodataError, NoDataRule, Profile, StraightWalk, StraightWalkEnd,
    Viewer,
};
use libtest_mimic::Failed;

/// The original server's limit with one height of flat blocks.
const ONE_HEIGHT: Profile = Profile {
    uses_flat_pair: false,
    ..Profile::PTS
};

/// File, center, reach, profile, walks that arrive in both directions.
type Walks = (&'static str, (i32, i32, i32), i32, Profile, (usize, usize));

const WALKS: [Walks; 7] = [
    (
        "17_25.l2j",
        (-84141, 244623, -3728),
        800,
        Profile::ACIS,
        (2517, 2514),
    ),
    (
        "17_25_conv.dat",
        (-84141, 244623, -3728),
        800,
        Profile::ACIS,
        (2517, 2514),
    ),
    (
        "19_21_conv.dat",
        (-12787, 122779, -3112),
        800,
        Profile::ACIS,
        (1867, 1897),
    ),
    (
        "20_18_conv.dat",
        (9709, 15566, -4568),
        800,
        Profile::ACIS,
        (1470, 1449),
    ),
    (
        "22_22.l2j",
        (83400, 147943, -3404),
        800,
        Profile::ACIS,
        (3562, 3557),
    ),
    (
        "19_21_conv.dat",
        (-10000, 130_000, -3112),
        8000,
        ONE_HEIGHT,
        (774, 777),
    ),
    (
        "19_21_conv.dat",
        (-10000, 130_000, -3112),
        8000,
        Profile::PTS,
        (821, 819),
    ),
];

/// File, center, pairs that see each other; floats of another language may decide three of them otherwise.
const SIGHTS: [(&str, (i32, i32, i32), i32); 4] = [
    ("17_25.l2j", (-84141, 244623, -3728), 3870),
    ("17_25_conv.dat", (-84141, 244623, -3728), 3870),
    ("19_21_conv.dat", (-12787, 122779, -3112), 3613),
    ("20_18_conv.dat", (9709, 15566, -4568), 1928),
];

const EYE: f32 = 34.5;

pub fn walks(loaded: &Loaded) -> Result<(), Failed> {
    for (file, center, reach, profile, expected) in WALKS {
        if file != loaded.file {
            continue;
        }
        let pairs = loaded.pairs(center, reach);
        let back: Vec<_> = pairs.iter().map(|&(a, b)| (b, a)).collect();
        let n_reached = |pairs: &[(GeoPoint, GeoPoint)]| -> Result<usize, Failed> {
            let none: Result<StraightWalk, GeodataError> = loaded
                .geodata
                .straight_walk(pairs[0].0, pairs[0].0, &profile);
            let mut straight_walk_batch = vec![none; pairs.len()];
            loaded
                .geodata
                .straight_walk_batch(pairs, &profile, &mut straight_walk_batch);
            let mut n_reached = 0;
            for (movement, (from, to)) in straight_walk_batch.iter().zip(pairs) {
                // Some ends lie outside of the region. There a walk has no ground to begin on; the dossier's began all
                // the same, and came in where its first step did.
                let Ok(movement) = movement else {
                    let open = profile.with_no_data(NoDataRule::Open);
                    let comes_in = leaves_north(*from, *to) && from.cell()?.y % 2048 == 0;
                    let walk = loaded.geodata.is_straight_walk_free(*from, *to, &open)?;
                    n_reached += usize::from(comes_in && walk);
                    continue;
                };
                let cell = movement.point.cell()?;
                same("cell of the last point", cell, movement.cell)?;
                if movement.end == StraightWalkEnd::Reached {
                    same("point", movement.point, *to)?;
                    n_reached += 1;
                }
            }
            Ok(n_reached)
        };
        same(
            "walks that arrive",
            (n_reached(&pairs)?, n_reached(&back)?),
            expected,
        )?;
    }
    Ok(())
}

/// Whether a line crosses the northern border of its first cell before any other.
fn leaves_north(from: GeoPoint, to: GeoPoint) -> bool {
    let half = |at: i32| i64::from(at.rem_euclid(16)) * 2 + 1;
    let (dx, dy) = (i64::from(to.x - from.x), i64::from(to.y - from.y));
    let to_x = if dx > 0 {
        32 - half(from.x)
    } else {
        half(from.x)
    };
    dy < 0 && half(from.y) * dx.abs() < to_x * dy.abs()
}

/// The first three pairs of section 4.6.
pub fn first_draws(loaded: &Loaded) -> Result<(), Failed> {
    let pairs = loaded.pairs((-84141, 244623, -3728), 800);
    let point = GeoPoint::new;
    let expected = [
        (point(-83627, 244_391, -3560), point(-84213, 244_651, -3728)),
        (point(-84701, 244_973, -3720), point(-83482, 245_198, -3496)),
        (point(-83886, 244_876, -3728), point(-84038, 245_297, -3728)),
    ];
    same("pairs", &pairs[..3], &expected[..])?;
    let walk =
        |pair: (GeoPoint, GeoPoint)| loaded.geodata.straight_walk(pair.0, pair.1, &Profile::ACIS);
    same("first", walk(pairs[0])?.end, StraightWalkEnd::Reached)?;
    let second = walk(pairs[1])?;
    same(
        "second",
        matches!(
            second.end,
            StraightWalkEnd::Blocked(BlockedBy::ClosedSide | BlockedBy::Climb)
        ),
        true,
    )?;
    same("last cell", second.cell, GeoCell { x: 35671, y: 52175 })?;
    same("last height", second.point.z, -3720)?;
    same("third", walk(pairs[2])?.end, StraightWalkEnd::Reached)
}

/// The dossier's counts are those of a float walk, whose line meets some borders in another order than the exact one.
/// Both are run: the float walk must give the count, and the exact one may differ in one pair of 300.
pub fn line_of_sight_batch(loaded: &Loaded) -> Result<(), Failed> {
    for (file, center, expected) in SIGHTS {
        if file != loaded.file {
            continue;
        }
        let points = loaded.pairs(center, 800);
        let pairs: Vec<_> = points
            .iter()
            .map(|&(a, b)| (Viewer::new(a, EYE), Viewer::new(b, EYE)))
            .collect();
        let mut line_of_sight_batch = vec![false; pairs.len()];
        loaded
            .geodata
            .line_of_sight_batch(&pairs, NoDataRule::Blocked, &mut line_of_sight_batch);
        let by_float: Vec<bool> = points
            .iter()
            .map(|&(a, b)| {
                let sees = |a, b| float_sight(&loaded.geodata, a, b).unwrap_or(false);
                sees(a, b) && sees(b, a)
            })
            .collect();
        let n_seen = by_float.iter().filter(|&&seen| seen).count() as i32;
        let n_exact = line_of_sight_batch.iter().filter(|&&seen| seen).count() as i32;
        let n_other = line_of_sight_batch
            .iter()
            .zip(&by_float)
            .filter(|(a, b)| a != b)
            .count();
        let what =
            format!("{n_seen} by floats, {n_exact} exactly, {n_other} differ, expected {expected}");
        same(&what, (n_seen - expected).abs() <= 3 && n_other <= 33, true)?;
    }
    Ok(())
}

/// The walk of aCis-400 in floats: a border in x is crossed if the line is still in the row there.
fn float_sight(geodata: &Geodata, from: GeoPoint, to: GeoPoint) -> Option<bool> {
    let (first, last) = (from.cell().ok()?, to.cell().ok()?);
    let layer = |at: GeoCell, z: i32| geodata.layer_below(at, z).ok()?;
    let mut ground = layer(first, from.z + 8)?;
    if first == last {
        return Some(layer(last, to.z + 8)?.z == ground.z);
    }
    let (dx, dy) = (f64::from(to.x - from.x), f64::from(to.y - from.y));
    let length = dx.hypot(dy);
    let slope = f64::from(to.z - from.z) / length;
    let mut cell = first;
    while cell != last {
        let (x, y) = cell.corner();
        // The last point of the cell on the way, in whole points.
        let edge = |corner: i32, d: f64| corner + if d > 0.0 { 15 } else { 0 };
        let at_x = edge(x, dx);
        let y_there = (f64::from(from.y) + f64::from(at_x - from.x) * dy / dx) as i32;
        let is_x = dx != 0.0 && y_there & !15 == y;
        let at_y = edge(y, dy);
        let x_there = match dx == 0.0 {
            true => from.x,
            false => (f64::from(from.x) + f64::from(at_y - from.y) * dx / dy) as i32,
        };
        let crossing = if is_x {
            (at_x, y_there)
        } else {
            (x_there, at_y)
        };
        let along = f64::from(crossing.0 - from.x).hypot(f64::from(crossing.1 - from.y)) / length;
        if cell.x.abs_diff(first.x) > last.x.abs_diff(first.x)
            || cell.y.abs_diff(first.y) > last.y.abs_diff(first.y)
        {
            return Some(false);
        }
        let (side, next) = match (is_x, dx > 0.0, dy > 0.0) {
            (true, true, _) => (
                Nswe::EAST,
                GeoCell {
                    x: cell.x + 1,
                    ..cell
                },
            ),
            (true, false, _) => (
                Nswe::WEST,
                GeoCell {
                    x: cell.x - 1,
                    ..cell
                },
            ),
            (false, _, true) => (
                Nswe::SOUTH,
                GeoCell {
                    y: cell.y + 1,
                    ..cell
                },
            ),
            (false, _, false) => (
                Nswe::NORTH,
                GeoCell {
                    y: cell.y - 1,
                    ..cell
                },
            ),
        };
        cell = next;
        ground = match ground.nswe.contains(side) {
            true => layer(cell, ground.z + 48)?,
            false => geodata.layer_above(cell, ground.z - 16).ok()??,
        };
        let limit = f64::from(from.z) + f64::from(EYE) + 32.0 + slope * along * length;
        if f64::from(ground.z) > limit {
            return Some(false);
        }
    }
    Some(true)
}
