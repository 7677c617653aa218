//! What covers the ground at the corners of the tiles.

use super::{FIELD, Island, N_TILES, ROADS, SEA, SQUARE, distance};
use crate::noise::{ENDLESS, fbm};

/// What covers the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ground {
    Grass,
    DryGrass,
    Earth,
    Sand,
    Rock,
    Snow,
}

/// Pairs that there are tiles between. The second comes in over the first.
pub const JOINS: [(Ground, Ground); 6] = [
    (Ground::Grass, Ground::DryGrass),
    (Ground::Grass, Ground::Earth),
    (Ground::Sand, Ground::Grass),
    (Ground::Grass, Ground::Rock),
    (Ground::Sand, Ground::Rock),
    (Ground::Rock, Ground::Snow),
];

/// Corners along a side of the map.
pub const N_CORNERS: usize = N_TILES + 1;

/// Grounds of all corners of tiles, row by row from the south: no tile has more than two, and those are joined.
pub fn grounds(island: &Island) -> Vec<Ground> {
    let mut grounds: Vec<Ground> = (0..N_CORNERS * N_CORNERS)
        .map(|i| {
            let (x, y) = (2.0 * (i % N_CORNERS) as f64, 2.0 * (i / N_CORNERS) as f64);
            at(island, x, y)
        })
        .collect();
    for [x, y] in grassy_tiles() {
        for corner in corners_of(x, y) {
            grounds[corner] = Ground::Grass;
        }
    }
    settle(&mut grounds);
    grounds
}

/// The four corners of a tile: south-west, south-east, north-west, north-east.
pub fn corners_of(x: usize, y: usize) -> [usize; 4] {
    let first = y * N_CORNERS + x;
    [first, first + 1, first + N_CORNERS, first + N_CORNERS + 1]
}

/// Tiles of all roads, in order along each.
pub fn road_tiles() -> Vec<Vec<[usize; 2]>> {
    ROADS
        .iter()
        .map(|corners| {
            let mut tiles = vec![corners[0]];
            for ends in corners.windows(2) {
                let mut at = ends[0];
                while at != ends[1] {
                    at = [0, 1].map(|axis| {
                        let (from, to) = (at[axis] as i64, ends[1][axis] as i64);
                        (from + (to - from).signum()) as usize
                    });
                    tiles.push(at);
                }
            }
            tiles
        })
        .collect()
}

/// Tiles whose pictures have grass at all four corners: roads and the field.
fn grassy_tiles() -> Vec<[usize; 2]> {
    let [east, north] = FIELD;
    let field = (north[0]..north[1]).flat_map(|y| (east[0]..east[1]).map(move |x| [x, y]));
    road_tiles().into_iter().flatten().chain(field).collect()
}

/// What nature puts at a point.
fn at(island: &Island, x: f64, y: f64) -> Ground {
    let (z, slope) = (island.height(x, y), island.slope(x, y));
    let from = island.river.nearest(x, y);
    let patch = fbm(0x404, x * 0.055, y * 0.055, 2, ENDLESS);
    let ragged = fbm(0x402, x * 0.11, y * 0.11, 3, ENDLESS);
    let is_bed = from.distance < from.half_width + 0.9;
    if z > 31.0 + 6.0 * ragged && slope < 2.8 {
        Ground::Snow
    } else if slope > 0.92 + 0.25 * ragged && !is_bed {
        Ground::Rock
    } else if is_bed || z < SEA + 1.15 + 0.8 * ragged {
        Ground::Sand
    } else if distance([x, y], SQUARE) < 7.0 + 2.0 * ragged {
        Ground::Earth
    } else if patch > 0.27 && z > SEA + 2.2 {
        Ground::DryGrass
    } else {
        Ground::Grass
    }
}

/// Gives way, one corner at a time, until every tile can be painted.
fn settle(grounds: &mut [Ground]) {
    // Snow becomes rock, all else becomes grass, and never back: this ends.
    for _ in 0..4 * N_TILES {
        let mut is_settled = true;
        for tile in 0..N_TILES * N_TILES {
            let corners = corners_of(tile % N_TILES, tile / N_TILES);
            if let Some((from, to)) = quarrel(corners.map(|corner| grounds[corner])) {
                is_settled = false;
                for corner in corners {
                    if grounds[corner] == from {
                        grounds[corner] = to;
                    }
                }
            }
        }
        if is_settled {
            return;
        }
    }
}

/// What must become what in a tile with these corners, if it cannot be painted.
fn quarrel(corners: [Ground; 4]) -> Option<(Ground, Ground)> {
    let has = |ground: Ground| corners.contains(&ground);
    if has(Ground::Snow) {
        let other = [Ground::Grass, Ground::DryGrass, Ground::Earth, Ground::Sand];
        return other
            .into_iter()
            .find(|ground| has(*ground))
            .map(|_| (Ground::Snow, Ground::Rock));
    }
    let soft = [Ground::DryGrass, Ground::Earth]
        .into_iter()
        .find(|ground| has(*ground));
    match soft {
        Some(soft) => corners
            .into_iter()
            .any(|ground| ground != soft && ground != Ground::Grass)
            .then_some((soft, Ground::Grass)),
        None => (has(Ground::Grass) && has(Ground::Sand) && has(Ground::Rock))
            .then_some((Ground::Rock, Ground::Grass)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_can_be_painted() {
        let grounds = grounds(&Island::new());
        let mut seen = std::collections::BTreeSet::new();
        for tile in 0..N_TILES * N_TILES {
            let mut kinds = corners_of(tile % N_TILES, tile / N_TILES)
                .map(|c| grounds[c])
                .to_vec();
            kinds.sort();
            kinds.dedup();
            if let [a, b] = kinds[..] {
                let is_joined = JOINS.contains(&(a, b)) || JOINS.contains(&(b, a));
                assert!(is_joined, "tile {tile}: {kinds:?}");
            }
            assert!(kinds.len() <= 2, "tile {tile}: {kinds:?}");
            seen.extend(kinds);
        }
        assert_eq!(seen.len(), 6, "{seen:?}");
    }

    #[test]
    fn roads_are_unbroken() {
        for road in road_tiles() {
            for ends in road.windows(2) {
                let step = ends[0][0].abs_diff(ends[1][0]) + ends[0][1].abs_diff(ends[1][1]);
                assert_eq!(step, 1, "{ends:?}");
            }
        }
    }
}
