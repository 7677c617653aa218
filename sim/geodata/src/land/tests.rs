mod bounds;
mod changes;
mod far;
mod rays;
mod tile_surface;

use super::*;
use crate::test_world::{Ground, bridge, cell, open, random};
use glam::Vec3;
use ironlands_scene::{Facing, TileShape};
use ironlands_sim_core::Ray;
use ironlands_sim_regions::{Nswe, RegionId, ZERO_REGION};
use std::collections::HashMap;

/// The tile of the first 128 x 128 cells of the zero region, from its north-west corner.
const KEY: TileKey = TileKey {
    level: 0,
    x: 40960 / 128,
    y: (65535 - 36864) / 128,
};
const SHAPES: [TileShape; 2] = [TileShape::Slopes, TileShape::Plateaus];

fn land(ground: &Ground) -> Land {
    Land::new(ground.geodata(), Profile::ACIS)
}

fn random_at(seed: u64, x: u8, y: u8) -> Ground {
    let mut ground = random(seed);
    ground.region.id = RegionId::new(x, y).unwrap();
    ground
}

fn geodata_with(grounds: &[Ground]) -> Geodata {
    let packs = grounds
        .iter()
        .map(|it| (it.region.id, crate::RegionPack::new(&it.region)));
    Geodata::new(packs)
}

/// The cell of a step of a tile of level 0, counted from its south-west corner.
fn cell_of(key: TileKey, x: usize, y: usize) -> GeoCell {
    let x = key.x * 128 + x as u32;
    let y = 65535 - (key.y * 128 + y as u32);
    GeoCell {
        x: x as u16,
        y: y as u16,
    }
}

/// A tile taken apart: which facet covers a layer of a step, and which uprights stand on a border.
struct Apart {
    facets: Vec<Facet>,
    ground: HashMap<([usize; 2], u8), usize>,
    uprights: HashMap<([usize; 2], bool), Vec<[i16; 4]>>,
}

impl Apart {
    fn new(tile: Tile) -> Self {
        let mut apart = Self {
            facets: tile.facets,
            ground: HashMap::new(),
            uprights: HashMap::new(),
        };
        for (number, facet) in apart.facets.iter().enumerate() {
            let [x, y] = facet.at.map(usize::from);
            let [width, height] = facet.size.map(usize::from);
            assert!(
                x + width <= 128 && y + height <= 128,
                "inside of the tile: {facet:?}"
            );
            if facet.facing == Facing::Up {
                assert!(width > 0 && height > 0, "{facet:?}");
                for at_x in x..x + width {
                    for at_y in y..y + height {
                        let before = apart.ground.insert(([at_x, at_y], facet.layer), number);
                        assert_eq!(before, None, "two facets for a layer at {at_x}, {at_y}");
                    }
                }
                continue;
            }
            let is_along_y = width == 0;
            assert!((width == 0) != (height == 0), "{facet:?}");
            let n = width.max(height);
            let is_level = facet.z[0] == facet.z[1] && facet.z[2] == facet.z[3];
            assert!(n == 1 || is_level, "{facet:?}");
            for along in 0..n {
                let at = match is_along_y {
                    true => [x, y + along],
                    false => [x + along, y],
                };
                let uprights = apart.uprights.entry((at, is_along_y)).or_default();
                uprights.push(facet.z);
            }
        }
        apart
    }

    fn facet(&self, at: [usize; 2], layer: u8) -> usize {
        self.ground[&(at, layer)]
    }

    /// Heights at the ends of a border of a step, on the edge of the facet there.
    fn edge(&self, facet: usize, at: [usize; 2], is_east: bool, is_far: bool) -> [f64; 2] {
        let facet = &self.facets[facet];
        let z = facet.z.map(f64::from);
        let along = usize::from(is_east);
        let (from, to) = match (is_east, is_far) {
            (true, true) => (z[1], z[3]),
            (true, false) => (z[0], z[2]),
            (false, true) => (z[2], z[3]),
            (false, false) => (z[0], z[1]),
        };
        let across = 1 - along;
        let end = usize::from(facet.at[across])
            + if is_far {
                usize::from(facet.size[across])
            } else {
                0
            };
        assert_eq!(
            end,
            at[across] + usize::from(is_far),
            "the facet ends there"
        );
        let size = f64::from(facet.size[along]);
        [0, 1].map(|step| {
            let share = (at[along] + step - usize::from(facet.at[along])) as f64 / size;
            from + (to - from) * share
        })
    }
}

/// All that are nearest to each other, by looking at all.
fn slow_pairs(a: &[i32], b: &[i32]) -> Vec<(usize, usize)> {
    let nearest = |column: &[i32], z: i32| {
        let mut best = 0;
        for (at, &height) in column.iter().enumerate() {
            if (height - z).abs() <= (column[best] - z).abs() {
                best = at;
            }
        }
        best
    };
    let mut pairs = Vec::new();
    for (at, &z) in a.iter().enumerate() {
        let partner = nearest(b, z);
        if nearest(a, b[partner]) == at {
            pairs.push((at, partner));
        }
    }
    pairs
}

/// With the lowest two.
fn slow_walls(a: &[i32], b: &[i32]) -> Vec<(usize, usize)> {
    let mut pairs = slow_pairs(a, b);
    if !pairs.contains(&(0, 0)) {
        pairs.push((0, 0));
    }
    pairs
}

fn heights(land: &Land, cell: GeoCell) -> Vec<i32> {
    let layers = land.geodata().layers(cell).unwrap_or_default();
    layers.iter().map(|layer| layer.z).collect()
}

#[test]
fn neighbors_meet_or_are_joined_by_a_wall_of_that_height() {
    for seed in 1..4 {
        let land = land(&random(seed));
        for shape in SHAPES {
            let tile = Apart::new(land.tile(KEY, shape));
            let mut n_walls = 0;
            for x in 0..128 {
                for y in 0..128 {
                    for is_east in [true, false] {
                        n_walls += usize::from(check_border(&land, &tile, [x, y], is_east));
                    }
                }
            }
            assert!(n_walls > 100, "{seed} {shape:?}: {n_walls}");
        }
    }
}

/// Checks the border of a step to the east or the north; whether there is a wall.
fn check_border(land: &Land, tile: &Apart, at: [usize; 2], is_east: bool) -> bool {
    let beside = [at[0] + usize::from(is_east), at[1] + usize::from(!is_east)];
    if beside.contains(&128) {
        return false;
    }
    let [here, there] = [at, beside].map(|[x, y]| heights(land, cell_of(KEY, x, y)));
    let mut expected = Vec::new();
    for (a, b) in slow_walls(&here, &there) {
        let [a, b] = [tile.facet(at, a as u8), tile.facet(beside, b as u8)];
        if a == b {
            continue;
        }
        let [a, b] = [
            tile.edge(a, at, is_east, true),
            tile.edge(b, beside, is_east, false),
        ];
        if a != b {
            let ends = [
                a[0].min(b[0]),
                a[1].min(b[1]),
                a[0].max(b[0]),
                a[1].max(b[1]),
            ];
            expected.push(ends.map(|z| z as i16));
            assert_eq!(ends.map(f64::fract), [0.0; 4]);
        }
    }
    let found = tile.uprights.get(&(beside, is_east));
    let mut found = found.cloned().unwrap_or_default();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected, "{at:?} {is_east}: {here:?} {there:?}");
    !expected.is_empty()
}

#[test]
fn plateaus_are_the_layers_of_the_cells() {
    let land = land(&random(7));
    let tile = land.tile(KEY, TileShape::Plateaus);
    assert!(
        tile.z_range[0] < 0.0 && tile.z_range[1] >= 160.0,
        "{:?}",
        tile.z_range
    );
    let tile = Apart::new(tile);
    let mut n_layers = 0;
    for x in 0..128 {
        for y in 0..128 {
            let cell = cell_of(KEY, x, y);
            let layers = land.geodata().layers(cell).unwrap();
            for layer in &layers {
                let facet = tile.facets[tile.facet([x, y], layer.index)];
                assert_eq!(facet.z, [layer.z as i16; 4]);
                assert_eq!(facet.open_sides, layer.nswe.sides().bits());
                let kind = land.block(cell).unwrap().kind;
                assert_eq!(LandMark::from_number(facet.mark), Some(kind));
            }
            n_layers += layers.len();
        }
    }
    assert_eq!(tile.ground.len(), n_layers, "no more than there are");
}

#[test]
fn one_sees_below_a_bridge() {
    let land = land(&bridge());
    for shape in SHAPES {
        for level in 0..2 {
            let key = KEY.at_level(level);
            let tile = land.tile(key, shape);
            // Cells 8 to 31 in x and 3 and 4 from the north; of the next level half as many.
            let scale = 1 << level;
            let [x, y] = [16 / scale, (key.y == KEY.y >> level) as usize];
            assert_eq!(y, 1);
            let north_most = 127;
            let rows = (north_most - 4 / scale)..=(north_most - 3 / scale);
            for row in rows {
                let at = |facet: &&Facet| {
                    let [from_x, from_y] = facet.at.map(usize::from);
                    let [width, height] = facet.size.map(usize::from);
                    facet.facing == Facing::Up
                        && (from_x..from_x + width).contains(&x)
                        && (from_y..from_y + height).contains(&row)
                };
                let mut found: Vec<_> = tile.facets.iter().filter(at).collect();
                found.sort_by_key(|facet| facet.layer);
                let layers: Vec<_> = found.iter().map(|facet| (facet.layer, facet.z)).collect();
                assert_eq!(layers, [(0, [0; 4]), (1, [160; 4])], "{shape:?} {level}");
            }
            let between = |facet: &&Facet| {
                let [from_x, from_y] = facet.at.map(usize::from);
                let is_near = (10 / scale..30 / scale).contains(&from_x) && from_y < 128;
                facet.facing != Facing::Up && is_near && facet.z[0] < 100 && facet.z[2] > 100
            };
            assert_eq!(tile.facets.iter().find(between), None, "{shape:?} {level}");
        }
    }
}

#[test]
fn one_does_not_see_into_the_ground() {
    // A bridge that lands on a hill: the hill has a side below the bridge.
    let mut ground = Ground::new();
    ground.block(1, 0, |_, _| vec![open(160), open(0)]);
    ground.block(2, 0, |_, _| vec![open(160)]);
    let land = land(&ground);
    for shape in SHAPES {
        let tile = land.tile(KEY, shape);
        let side = tile
            .facets
            .iter()
            .find(|it| it.facing == Facing::West && it.at[0] == 16);
        let side = side.unwrap();
        assert_eq!(
            (side.at, side.size, side.z),
            ([16, 120], [0, 8], [0, 0, 160, 160])
        );
    }
    let [x, y, z] = [20.0 * 16.0, -24.0, 80.0];
    let ray = Ray {
        origin: Vec3::new(x - 160.0, y, z),
        direction: Vec3::X,
    };
    let hit = land
        .cast_ray(&LandRay::new(&ray).unwrap(), 1000.0, TileShape::Plateaus)
        .unwrap();
    assert_eq!((hit.position.x, hit.cell), (256.0, cell(16, 1)));
    assert_eq!(
        land.wall(cell(16, 1), 0, cell(15, 1)).map(|it| it.foot),
        Some(0)
    );
}

#[test]
fn a_flat_hillside_is_one_face_a_block() {
    let mut ground = Ground::new();
    for x in 0..16 {
        for y in 0..16 {
            ground.flat(x, y, (x * 24) as i16, (x * 24) as i16 - 24);
        }
    }
    let tile = land(&ground).tile(KEY, TileShape::Slopes);
    let middle = tile
        .facets
        .iter()
        .find(|it| it.facing == Facing::Up && it.at == [40, 40]);
    let middle = middle.unwrap();
    // Block 5, between 96 and 120: half way to block 4, half way to block 6, to whole eighths.
    assert_eq!((middle.size, middle.z), ([8, 8], [96, 120, 96, 120]));
    let n_ground = tile
        .facets
        .iter()
        .filter(|it| it.facing == Facing::Up)
        .count();
    assert!(n_ground <= 256, "{n_ground}");
}

#[test]
fn a_cliff_is_a_wall_and_says_who_crosses_it() {
    let mut ground = Ground::new();
    let height = |y: usize| [400, 48, 40, 40, 0][y / 2];
    ground.block(2, 2, |x, y| {
        let nswe = match (x, y) {
            // Closed where it would go down from 400.
            (0..4, 1) => Nswe::ALL_SIDES - Nswe::SOUTH,
            // Closed in both directions in the first two columns.
            (0..2, 2) => Nswe::ALL_SIDES - Nswe::NORTH,
            _ => Nswe::ALL_SIDES,
        };
        vec![ironlands_sim_regions::Cell::new(height(y.min(7)), nswe)]
    });
    let land = land(&ground);
    let wall = |x: u16, y: u16, down: (u16, u16)| {
        let wall = land.wall(cell(16 + x, 16 + y), 0, cell(16 + down.0, 16 + down.1));
        wall.map(|wall| (wall.foot, wall.mark))
    };
    assert_eq!(wall(0, 1, (0, 2)), Some((48, LandMark::WallClosed)));
    assert_eq!(
        wall(3, 1, (3, 2)),
        Some((48, LandMark::WallClosed)),
        "too high to go up"
    );
    assert_eq!(wall(5, 1, (5, 2)), Some((48, LandMark::WallOneWay)));
    assert_eq!(wall(5, 3, (5, 4)), Some((40, LandMark::WallOpen)));
    assert_eq!(wall(5, 4, (5, 3)), None, "up there is none");
    assert_eq!(wall(5, 3, (5, 6)), None, "not side by side");
    let tile = land.tile(KEY, TileShape::Plateaus);
    let marks = tile.facets.iter().filter(|it| it.z == [48, 48, 400, 400]);
    let mut marks: Vec<_> = marks.map(|it| (it.at[0], it.size[0], it.mark)).collect();
    marks.sort_unstable();
    let [closed, one_way] = [LandMark::WallClosed, LandMark::WallOneWay].map(|it| it as u8);
    assert_eq!(marks, [(16, 4, closed), (20, 4, one_way)]);
}

#[test]
fn tiles_of_neighboring_regions_meet() {
    let grounds = [
        random_at(1, 20, 18),
        random_at(2, 21, 18),
        random_at(5, 20, 19),
    ];
    let land = Land::new(geodata_with(&grounds), Profile::PTS);
    // The random part of a region is in its north-west: only the one of the east and of the south lies at a border.
    let east = TileKey {
        x: KEY.x + 16,
        ..KEY
    };
    let south = TileKey {
        y: KEY.y - 16,
        ..KEY
    };
    let west = TileKey {
        x: east.x - 1,
        ..east
    };
    let north = TileKey {
        y: south.y + 1,
        ..south
    };
    for shape in SHAPES {
        for (near, far, is_east) in [(west, east, true), (south, north, false)] {
            let [a, b] = [near, far].map(|key| Apart::new(land.tile(key, shape)));
            let mut n_met = 0;
            for along in 0..128 {
                let (at, beside) = match is_east {
                    true => ([127, along], [0, along]),
                    false => ([along, 127], [along, 0]),
                };
                let here = heights(&land, cell_of(near, at[0], at[1]));
                let there = heights(&land, cell_of(far, beside[0], beside[1]));
                for (low, high) in slow_pairs(&here, &there) {
                    let edge_a = a.edge(a.facet(at, low as u8), at, is_east, true);
                    let edge_b = b.edge(b.facet(beside, high as u8), beside, is_east, false);
                    let end = |is_near: bool| match (is_near, is_east) {
                        (true, true) => [128, along],
                        (true, false) => [along, 128],
                        (false, _) => beside,
                    };
                    // Nothing hangs below what is over the ground.
                    let depth = |layer: usize| if layer == 0 { 32.0 } else { 0.0 };
                    let reaches_down = |(apart, layer): (&Apart, usize),
                                        at: [usize; 2],
                                        top: [f64; 2],
                                        foot: [f64; 2]| {
                        let uprights = apart.uprights.get(&(at, is_east)).into_iter().flatten();
                        uprights.into_iter().any(|z| {
                            (0..2).all(|end| {
                                f64::from(z[end + 2]) == top[end]
                                    && f64::from(z[end]) == foot[end] - depth(layer)
                            })
                        })
                    };
                    let top = [0, 1].map(|end| edge_a[end].max(edge_b[end]));
                    let foot = [0, 1].map(|end| edge_a[end].min(edge_b[end]));
                    if edge_a == edge_b {
                        n_met += 1;
                        for (side, apart, layer) in [(true, &a, low), (false, &b, high)] {
                            let has_skirt = reaches_down((apart, layer), end(side), top, top);
                            assert_eq!(has_skirt, layer == 0, "{:?} of {layer}", end(side));
                        }
                    } else {
                        let wall = match here[low] > there[high] {
                            true => reaches_down((&a, low), end(true), top, foot),
                            false => reaches_down((&b, high), end(false), top, foot),
                        };
                        assert!(wall, "{shape:?} {at:?}: {edge_a:?} {edge_b:?}");
                    }
                }
            }
            assert!(n_met > 10, "{shape:?}: {n_met}");
        }
    }
}

#[test]
fn there_is_no_land_without_a_region() {
    let land = land(&Ground::new());
    let empty = |key: TileKey| {
        let tile = land.tile(key, TileShape::Slopes);
        assert_eq!(tile.key, key);
        assert_eq!(tile.z_range == [0.0; 2], tile.facets.is_empty());
        tile.facets.is_empty()
    };
    assert!(!empty(KEY));
    for level in 0..N_LEVELS - 1 {
        let key = KEY.at_level(level);
        assert!(empty(TileKey { x: 0, y: 0, level }), "{level}");
        assert!(!empty(key), "{level}");
    }
    assert!(empty(TileKey {
        x: KEY.x - 1,
        ..KEY
    }));
    assert!(empty(TileKey {
        y: KEY.y + 1,
        ..KEY
    }));
    for key in [
        TileKey {
            level: 0,
            x: 512,
            y: 0,
        },
        TileKey {
            level: 9,
            x: 0,
            y: 1,
        },
        TileKey {
            level: 10,
            x: 0,
            y: 0,
        },
        TileKey {
            level: 255,
            x: u32::MAX,
            y: 0,
        },
    ] {
        assert!(empty(key), "{key:?}");
    }
    // A sea of one height is as little as can be: the ground and its four sides.
    // Tiles are counted to the north, regions to the south.
    let of_region = TileKey {
        level: REGION_LEVEL,
        x: ZERO_REGION.x().into(),
        y: u32::from(31 - ZERO_REGION.y()),
    };
    let tile = land.tile(of_region, TileShape::Slopes);
    assert_eq!(tile.facets.len(), 5);
    assert_eq!(tile.z_range, [-512.0, 0.0]);
    assert_eq!(
        tile.facets
            .iter()
            .filter(|it| it.mark == LandMark::WallNoData as u8)
            .count(),
        4
    );
}

#[test]
fn edits_are_seen() {
    let ground = Ground::new();
    let block = ironlands_sim_regions::Block::Flat(ironlands_sim_regions::Flat::new(800, 800));
    let edited = ground.geodata().with_block(ZERO_REGION, 257, block);
    let land = Land::new(edited, Profile::ACIS);
    let tile = land.tile(KEY, TileShape::Plateaus);
    let lifted: Vec<_> = tile
        .facets
        .iter()
        .filter(|it| it.mark == LandMark::Edited as u8)
        .collect();
    assert_eq!(lifted.len(), 1);
    assert_eq!(
        (lifted[0].at, lifted[0].size, lifted[0].z),
        ([8, 112], [8, 8], [800; 4])
    );
    assert!(land.block(cell(8, 8)).unwrap().is_edited);
    assert_eq!(land.z_range(), Some([0, 800]));
}
