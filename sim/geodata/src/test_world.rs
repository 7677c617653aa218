//! Grounds made by hand for the tests of all queries: the fixtures of dossier section 9.

use super::{GeoPoint, Geodata, RegionPack};
use ironlands_sim_regions::{
    Block, Cell, Flat, GeoCell, Multilayer, Nswe, Region, RegionId, ZERO_REGION,
};

/// A region to be drawn on, cell by cell of the whole region.
pub struct Ground {
    /// What was drawn so far.
    pub region: Region,
}

/// A cell that is open on all sides.
pub fn open(height: i16) -> Cell {
    Cell::new(height, Nswe::ALL_SIDES)
}

impl Default for Ground {
    fn default() -> Self {
        Self::new()
    }
}

impl Ground {
    /// The region whose corner is the world's zero point, flat at 0.
    pub fn new() -> Self {
        Self::at(ZERO_REGION)
    }

    /// Any region, flat at 0.
    pub fn at(id: RegionId) -> Self {
        Self {
            region: Region::flat(id, 0),
        }
    }

    /// Makes a block flat, with two heights.
    pub fn flat(&mut self, x: usize, y: usize, high: i16, low: i16) {
        self.region.blocks_mut()[x * 256 + y] = Block::Flat(Flat::new(high, low));
    }

    /// A block whose cells are given by their position, layers from high to low.
    pub fn block(&mut self, x: usize, y: usize, of: impl Fn(usize, usize) -> Vec<Cell>) {
        let columns: Vec<Vec<Cell>> = (0..64).map(|cell| of(cell / 8, cell % 8)).collect();
        let cells: Vec<Cell> = columns
            .iter()
            .filter_map(|column| column.first().copied())
            .collect();
        let is_complex = columns.iter().all(|column| column.len() == 1);
        self.region.blocks_mut()[x * 256 + y] = match Box::try_from(cells) {
            Ok(cells) if is_complex => Block::Complex(cells),
            _ => Block::Multilayer(Box::new(
                Multilayer::new(columns.iter().map(Vec::as_slice)).expect("64 columns"),
            )),
        };
    }

    /// The region as geodata of its own.
    pub fn geodata(&self) -> Geodata {
        Geodata::new([(self.region.id, RegionPack::new(&self.region))])
    }
}

/// The middle of a cell of the zero region.
pub fn middle(x: i32, y: i32, z: i32) -> GeoPoint {
    GeoPoint::new(x * 16 + 8, y * 16 + 8, z)
}

/// A cell of the zero region.
pub fn cell(x: u16, y: u16) -> GeoCell {
    let first = ZERO_REGION.first_cell();
    GeoCell {
        x: first.x + x,
        y: first.y + y,
    }
}

/// The bridge of the fixtures: blocks (1, 0) to (3, 0) have ground at 0 and a bridge at 160 over their middle rows;
/// block (0, 0) climbs up to it from the west, and (4, 0) down from it to the east.
pub fn bridge() -> Ground {
    let mut ground = Ground::new();
    let is_bridge = |y: usize| (3..5).contains(&y);
    let side = |y: usize| match y {
        3 => Nswe::ALL_SIDES - Nswe::NORTH,
        _ => Nswe::ALL_SIDES - Nswe::SOUTH,
    };
    for x in 1..4 {
        ground.block(x, 0, |_, y| match is_bridge(y) {
            true => vec![Cell::new(160, side(y)), open(0)],
            false => vec![open(0)],
        });
    }
    let ramp = |steps: usize, y: usize| match is_bridge(y) {
        true => vec![Cell::new(steps as i16 * 20 / 8 * 8, side(y))],
        false => vec![open(0)],
    };
    ground.block(0, 0, |x, y| ramp(x + 1, y));
    ground.block(4, 0, |x, y| ramp(8 - x, y));
    ground
}

/// A roof in block (2, 2): its edge leads down, and nothing leads up.
pub fn roof() -> Ground {
    let mut ground = Ground::new();
    ground.block(2, 2, |_, _| vec![open(400)]);
    ground
}

/// Hills, walls and bridges by a seed, over the north-west of the region.
pub fn random(seed: u64) -> Ground {
    let mut ground = Ground::new();
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut draw = move |n: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) % n
    };
    for x in 0..20 {
        for y in 0..20 {
            match draw(10) {
                0..4 => {
                    let high = draw(4) as i16 * 8;
                    ground.flat(x, y, high + draw(5) as i16 * 8, high);
                }
                4..8 => {
                    let cells: Vec<Cell> = (0..64)
                        .map(|_| {
                            let closed =
                                Nswe::from_bits_truncate((draw(16) & draw(16) & draw(16)) as u8);
                            Cell::new(draw(7) as i16 * 8, Nswe::ALL_SIDES - closed)
                        })
                        .collect();
                    ground.block(x, y, |x, y| vec![cells[x * 8 + y]]);
                }
                _ => {
                    let columns: Vec<Vec<Cell>> = (0..64)
                        .map(|_| {
                            let low = open(draw(5) as i16 * 8);
                            let middle = open(64 + draw(5) as i16 * 8);
                            let high =
                                Cell::new(160 + draw(3) as i16 * 8, Nswe::EAST | Nswe::SOUTH);
                            let n = draw(3) as usize;
                            [high, middle, low].split_at(2 - n).1.to_vec()
                        })
                        .collect();
                    ground.block(x, y, |x, y| columns[x * 8 + y].clone());
                }
            }
        }
    }
    ground
}

/// [`random`], and around its part a wall of flat towers, so that a flood ends.
pub fn walled(seed: u64) -> Ground {
    let mut ground = random(seed);
    for at in 0..=20 {
        ground.flat(at, 20, 8000, 8000);
        ground.flat(20, at, 8000, 8000);
    }
    ground
}

/// Points on the ground of [`random`], at any of its heights.
pub fn some_points(geodata: &Geodata, n: i32) -> Vec<GeoPoint> {
    let points = (1..=n).map(|i| {
        let at = cell((i * 7919 % 160) as u16, (i * 104_729 % 160) as u16);
        let layer = geodata.nearest_layer(at, i * 31 % 250);
        GeoPoint::from_cell(at, layer.expect("ground everywhere").z)
    });
    points.collect()
}
