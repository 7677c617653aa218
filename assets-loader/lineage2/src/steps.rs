//! Where steps in a region lead: open sides in front of ground too high to climb, and islands that no step reaches.
//!
//! No server's rule is followed to the letter: a step may go up as far as the most generous of them allows, and lands on
//! every layer that any of them may choose. So what is called out of reach is out of reach for all.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "spots of a region, at most 65,536 * 64 * 255, by numbers that were given to them"
)]

use super::cell::{Cell, Nswe};
use super::flat::Flat;
use super::grid::CELLS_PER_REGION_SIDE;
use super::region::{BLOCKS_PER_SIDE, Block, CELLS_PER_BLOCK, Region};
use ironlands_assets_core::bytes::{Finding, Severity};

/// No known rule lets a step go up further: dossier section 4.2.
const MAX_CLIMB: i32 = 64;
/// Every known rule lets a step go up so far.
const SURE_CLIMB: i32 = 32;

/// Sides that a step requires, and its direction. A diagonal requires both sides that it is between; whether the
/// ways around are free does not matter here.
const STEPS: [(Nswe, isize, isize); 8] = [
    (Nswe::EAST, 1, 0),
    (Nswe::WEST, -1, 0),
    (Nswe::SOUTH, 0, 1),
    (Nswe::NORTH, 0, -1),
    (Nswe::EAST.union(Nswe::SOUTH), 1, 1),
    (Nswe::WEST.union(Nswe::SOUTH), -1, 1),
    (Nswe::EAST.union(Nswe::NORTH), 1, -1),
    (Nswe::WEST.union(Nswe::NORTH), -1, -1),
];

/// The first four of [`STEPS`] go straight.
const N_STRAIGHT: usize = 4;

/// Open sides in front of ground that is too high, and islands, as notes. Looks at every cell twice.
pub fn check_steps(format: &'static str, region: &Region) -> Vec<Finding> {
    let ground = Ground::from_region(region);
    let (of_cells, of_flats) = ground.climbs();
    let islands = ground.islands();
    let note = |message| Finding::new(Severity::Note, format, message);
    let mut findings = Vec::new();
    for (climbs, what) in [
        (of_cells, "open sides of cells"),
        (
            of_flats,
            "sides of flat blocks' cells, which are always open,",
        ),
    ] {
        if let Some(first) = climbs.first {
            findings.push(note(format!(
                "{} {what} lead to ground more than {MAX_CLIMB} higher; first in {first}",
                climbs.n
            )));
        }
    }
    if let Some(largest) = islands.iter().max_by_key(|island| island.n_cells) {
        let n_cells: u64 = islands.iter().map(|island| island.n_cells).sum();
        findings.push(note(format!(
            "out of reach from the region's border, with steps of up to {MAX_CLIMB}: islands {}, cells {n_cells}; the \
             largest has {} cells, first in {}",
            islands.len(),
            largest.n_cells,
            largest.first
        )));
    }
    findings
}

/// Cells that are connected with each other, and that nothing else reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Island {
    /// Cell-layers; a flat block is 64.
    n_cells: u64,
    /// The first of them.
    first: Place,
}

/// Sides, and the first of them.
#[derive(Debug, Default)]
struct Climbs {
    n: u64,
    first: Option<Place>,
}

/// A cell of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    x: usize,
    y: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { x, y } = self;
        write!(f, "block {}, {}, cell {}", x / 8, y / 8, x % 8 * 8 + y % 8)
    }
}

/// A region as numbered spots to stand on: a flat block is one, all else has one per cell-layer.
struct Ground<'a> {
    blocks: &'a [Block],
    /// The first spot of each block, and behind them their number.
    first_spots: Vec<u32>,
}

/// What is in a cell, with the number of its first spot.
#[derive(Clone, Copy)]
enum Column<'a> {
    /// A part of a flat block, which is one spot.
    Flat(u32, Flat),
    /// A spot for each layer.
    Layers(u32, &'a [Cell]),
}

impl<'a> Ground<'a> {
    fn from_region(region: &'a Region) -> Self {
        let blocks = region.blocks();
        let mut n_spots = 0;
        let mut first_spots = Vec::with_capacity(blocks.len() + 1);
        for block in blocks {
            first_spots.push(n_spots);
            // 65,536 blocks of at most 64 * 255 layers stay below 2^31.
            n_spots += block.stored_layers().len().max(1) as u32;
        }
        first_spots.push(n_spots);
        Self {
            blocks,
            first_spots,
        }
    }

    fn n_spots(&self) -> usize {
        self.first_spots.last().map_or(0, |&n| n as usize)
    }

    fn column(&self, Place { x, y }: Place) -> Column<'a> {
        let block = (x >> 3) * BLOCKS_PER_SIDE + (y >> 3);
        let cell = (x & 7) * 8 + (y & 7);
        let first = self.first_spots[block];
        match &self.blocks[block] {
            Block::Flat(flat) => Column::Flat(first, *flat),
            Block::Complex(cells) => Column::Layers(first + cell as u32, &cells[cell..=cell]),
            Block::Multilayer(multilayer) => {
                let start = cell.checked_sub(1);
                let start = start.map_or(0, |before| multilayer.borrowed().ends()[before]);
                Column::Layers(first + u32::from(start), multilayer.layers(cell))
            }
        }
    }

    /// The cells of a block that steps leave it from: all, or of a flat one those at its sides.
    fn cells_of(&self, block: usize) -> impl Iterator<Item = Place> + use<> {
        let corner = (block / BLOCKS_PER_SIDE * 8, block % BLOCKS_PER_SIDE * 8);
        let is_flat = matches!(self.blocks[block], Block::Flat(_));
        let is_inside = |at: usize| (1..7).contains(&at);
        (0..CELLS_PER_BLOCK)
            .map(|cell| (cell / 8, cell % 8))
            .filter(move |&(x, y)| !(is_flat && is_inside(x) && is_inside(y)))
            .map(move |(x, y)| Place {
                x: corner.0 + x,
                y: corner.1 + y,
            })
    }

    /// Open sides, of cells that are stored and of flat blocks, in front of ground that is too high.
    fn climbs(&self) -> (Climbs, Climbs) {
        let (mut of_cells, mut of_flats) = (Climbs::default(), Climbs::default());
        for block in 0..self.blocks.len() {
            for place in self.cells_of(block) {
                let on_flat;
                let (climbs, layers) = match self.column(place) {
                    Column::Flat(_, flat) => {
                        on_flat = [standing_on(flat)];
                        (&mut of_flats, &on_flat[..])
                    }
                    Column::Layers(_, layers) => (&mut of_cells, layers),
                };
                for layer in layers {
                    let n = self.n_climbs_from(place, *layer);
                    if n > 0 {
                        climbs.n += n;
                        climbs.first.get_or_insert(place);
                    }
                }
            }
        }
        (of_cells, of_flats)
    }

    /// Open sides of a layer that have no ground behind them which could be climbed.
    fn n_climbs_from(&self, place: Place, from: Cell) -> u64 {
        let straight = STEPS[..N_STRAIGHT].iter();
        let n = straight.filter(|(side, x, y)| {
            let next = moved(place, *x, *y).filter(|_| from.nswe.contains(*side));
            let lowest = next.and_then(|next| match self.column(next) {
                Column::Flat(_, flat) => Some(flat.low()),
                Column::Layers(_, layers) => layers.iter().map(|layer| layer.height).min(),
            });
            lowest.is_some_and(|low| i32::from(low) - i32::from(from.height) > MAX_CLIMB)
        });
        n.count() as u64
    }

    /// Calls `each` with all spots that a step from a spot in a cell may lead to, and their cells.
    fn steps_from(&self, place: Place, from: Cell, mut each: impl FnMut(u32, Place)) {
        for (side, x, y) in STEPS {
            if !from.nswe.contains(side) {
                continue;
            }
            let Some(next) = moved(place, x, y) else {
                continue;
            };
            match self.column(next) {
                Column::Flat(spot, flat) => {
                    if i32::from(flat.low()) - i32::from(from.height) <= MAX_CLIMB {
                        each(spot, next);
                    }
                }
                Column::Layers(first, layers) => {
                    let climb = |layer: &Cell| i32::from(layer.height) - i32::from(from.height);
                    let surely = layers
                        .iter()
                        .map(climb)
                        .filter(|&climb| climb <= SURE_CLIMB);
                    let highest = surely.max().unwrap_or(i32::MAX);
                    for (spot, layer) in (first..).zip(layers) {
                        let climb = climb(layer);
                        if climb == highest || (SURE_CLIMB < climb && climb <= MAX_CLIMB) {
                            each(spot, next);
                        }
                    }
                }
            }
        }
    }

    /// Calls `each` with all spots that a step from the spots of a block in `wanted` may lead to.
    fn steps_of_block(
        &self,
        block: usize,
        is_wanted: impl Fn(u32) -> bool,
        mut each: impl FnMut(u32, u32),
    ) {
        for place in self.cells_of(block) {
            match self.column(place) {
                Column::Flat(spot, flat) => {
                    if is_wanted(spot) {
                        self.steps_from(place, standing_on(flat), |to, _| each(spot, to));
                    }
                }
                Column::Layers(first, layers) => {
                    for (spot, layer) in (first..).zip(layers) {
                        if is_wanted(spot) {
                            self.steps_from(place, *layer, |to, _| each(spot, to));
                        }
                    }
                }
            }
        }
    }

    /// Which spots steps lead to from the cells along the region's border, whose neighbors are not known.
    fn reached_from_border(&self) -> Vec<bool> {
        const LAST: usize = CELLS_PER_REGION_SIDE - 1;
        let mut is_reached = vec![false; self.n_spots()];
        let mut next = Vec::new();
        for along in 0..=LAST {
            for (x, y) in [(along, 0), (along, LAST), (0, along), (LAST, along)] {
                let place = Place { x, y };
                let (first, n) = match self.column(place) {
                    Column::Flat(spot, _) => (spot, 1),
                    Column::Layers(first, layers) => (first, layers.len()),
                };
                for spot in (first..).take(n) {
                    if !std::mem::replace(&mut is_reached[spot as usize], true) {
                        next.push((spot, place));
                    }
                }
            }
        }
        while let Some((spot, place)) = next.pop() {
            let mut visit = |to: u32, at: Place| {
                if !std::mem::replace(&mut is_reached[to as usize], true) {
                    next.push((to, at));
                }
            };
            match self.column(place) {
                Column::Flat(_, flat) => {
                    let block = (place.x >> 3) * BLOCKS_PER_SIDE + (place.y >> 3);
                    for place in self.cells_of(block) {
                        self.steps_from(place, standing_on(flat), &mut visit);
                    }
                }
                Column::Layers(first, layers) => {
                    self.steps_from(place, layers[(spot - first) as usize], visit);
                }
            }
        }
        is_reached
    }

    /// What is not reached from the border, by what hangs together.
    fn islands(&self) -> Vec<Island> {
        let is_reached = self.reached_from_border();
        let is_apart = |spot: u32| !is_reached[spot as usize];
        // 65,536 blocks of at most 64 * 255 layers stay below 2^31.
        let mut parents: Vec<u32> = (0..self.n_spots() as u32).collect();
        for block in 0..self.blocks.len() {
            self.steps_of_block(block, is_apart, |from, to| {
                if is_apart(to) {
                    let (a, b) = (root(&mut parents, from), root(&mut parents, to));
                    parents[a.max(b) as usize] = a.min(b);
                }
            });
        }
        let mut islands = Vec::new();
        let mut numbers = vec![u32::MAX; self.n_spots()];
        for (block, stored) in self.blocks.iter().enumerate() {
            let n_cells = match stored {
                Block::Flat(_) => CELLS_PER_BLOCK as u64,
                Block::Complex(_) | Block::Multilayer(_) => 1,
            };
            for spot in self.first_spots[block]..self.first_spots[block + 1] {
                if !is_apart(spot) {
                    continue;
                }
                let root = root(&mut parents, spot) as usize;
                if numbers[root] == u32::MAX {
                    numbers[root] = islands.len() as u32;
                    islands.push(Island {
                        n_cells: 0,
                        first: self.place_of(block, spot),
                    });
                }
                islands[numbers[root] as usize].n_cells += n_cells;
            }
        }
        islands
    }

    fn place_of(&self, block: usize, spot: u32) -> Place {
        let mut places = self.cells_of(block);
        let found = places.find(|place| match self.column(*place) {
            Column::Flat(..) => true,
            Column::Layers(first, layers) => (first..).take(layers.len()).any(|it| it == spot),
        });
        found.expect("every spot is in a cell of its block")
    }
}

/// All sides of a flat block are open, and characters stand on its upper height.
fn standing_on(flat: Flat) -> Cell {
    Cell::new(flat.high(), Nswe::ALL_SIDES)
}

/// The cell so far away, if it is in the region.
fn moved(Place { x, y }: Place, dx: isize, dy: isize) -> Option<Place> {
    let along = |at: usize, d| {
        let at = at.checked_add_signed(d)?;
        (at < CELLS_PER_REGION_SIDE).then_some(at)
    };
    Some(Place {
        x: along(x, dx)?,
        y: along(y, dy)?,
    })
}

/// The smallest spot that hangs together with one.
fn root(parents: &mut [u32], spot: u32) -> u32 {
    let mut at = spot;
    while parents[at as usize] != at {
        // Halves the path for later lookups.
        parents[at as usize] = parents[parents[at as usize] as usize];
        at = parents[at as usize];
    }
    at
}

#[cfg(test)]
mod tests;
