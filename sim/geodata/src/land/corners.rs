//! Heights of the corners of all sheets.
//!
//! Around each corner of the grid are four columns. Layers that continue in each other over the borders between these,
//! and are no farther apart than a slope may rise, are one group, and the group's corner is one height: so two sheets
//! that continue in each other meet along all of their border, whatever is around them.
//!
//! A flat block is one face: its corners are means as all are, but of the middle of its two heights, and rounded to
//! whole eighths of its side, so that its edges are straight lines over whole heights, and whatever meets it there
//! meets these lines.

use super::columns::{Columns, Sheet, StepGrid};
use super::partners::{Partners, Side};
use ironlands_scene::TileShape;

/// Cells along a side of a block.
const BLOCK: usize = 8;

/// Heights of each sheet at its south-west, south-east, north-west and north-east corner.
#[derive(Debug, Clone)]
pub(super) struct Corners {
    heights: Vec<[i16; 4]>,
    /// Layers that are no farther apart share corners.
    max_slope: i32,
}

/// The columns around a corner of the grid, in a ring, with the corner of theirs that it is and the side toward the
/// next.
const RING: [(usize, Side); 4] = [
    (3, Side::East),
    (2, Side::North),
    (0, Side::West),
    (1, Side::South),
];

impl Corners {
    /// As a shape has them.
    pub fn new(columns: &Columns, partners: &Partners, grid: &StepGrid, shape: TileShape) -> Self {
        match shape {
            TileShape::Slopes => Self::sloped(columns, partners, grid.max_slope()),
            TileShape::Plateaus => Self::level(columns),
        }
    }

    /// All sheets level.
    fn level(columns: &Columns) -> Self {
        Self {
            heights: columns.sheets.iter().map(|sheet| [sheet.z; 4]).collect(),
            max_slope: 0,
        }
    }

    /// Slopes between sheets that continue in each other.
    fn sloped(columns: &Columns, partners: &Partners, max_slope: i32) -> Self {
        let mut corners = Self::from_blocks(columns, partners, max_slope);
        let mut vertex = Vertex::new(columns, partners, max_slope);
        for y in 1..columns.side {
            for x in 1..columns.side {
                if !is_block_corner(x, y) {
                    vertex.groups(x, y, &mut corners);
                }
            }
        }
        corners
    }

    /// Those of slopes that are corners of blocks, too: what lies on the edge of a flat block needs the corners of it.
    pub fn from_blocks(columns: &Columns, partners: &Partners, max_slope: i32) -> Self {
        let mut corners = Self {
            heights: vec![[0; 4]; columns.sheets.len()],
            max_slope,
        };
        let mut vertex = Vertex::new(columns, partners, max_slope);
        for y in (1..columns.side).step_by(BLOCK) {
            for x in (1..columns.side).step_by(BLOCK) {
                vertex.groups(x, y, &mut corners);
            }
        }
        corners
    }

    /// Adds those around a corner of the grid, the south-west corner of column (x, y), to those of blocks.
    pub fn add(&mut self, columns: &Columns, partners: &Partners, [x, y]: [usize; 2]) {
        Vertex::new(columns, partners, self.max_slope).groups(x, y, self);
    }

    /// Corners of a sheet.
    #[inline]
    pub fn get(&self, sheet: usize) -> [i16; 4] {
        self.heights[sheet]
    }

    /// Heights of a sheet along a side, from the smaller coordinate on.
    #[inline]
    pub fn edge(&self, sheet: usize, side: Side) -> [i16; 2] {
        side.ends().map(|corner| self.heights[sheet][corner])
    }

    /// Whether a sheet and the one on a side of it that it continues in touch, rather than being joined by a wall.
    #[inline]
    pub fn meet(&self, sheet: &Sheet, beside: &Sheet, side: Side) -> bool {
        sheet.is_slope(beside, side, self.max_slope)
    }
}

/// A corner of the grid.
struct Vertex<'a> {
    columns: &'a Columns,
    partners: &'a Partners,
    max_slope: i32,
    /// Ring index and sheet of those in the current group.
    members: Vec<(usize, usize)>,
}

fn is_block_corner(x: usize, y: usize) -> bool {
    (x - 1).is_multiple_of(BLOCK) && (y - 1).is_multiple_of(BLOCK)
}

impl<'a> Vertex<'a> {
    fn new(columns: &'a Columns, partners: &'a Partners, max_slope: i32) -> Self {
        Self {
            columns,
            partners,
            max_slope,
            members: Vec::new(),
        }
    }

    /// Sets the corners of all sheets around (x, y), the south-west corner of that column.
    fn groups(&mut self, x: usize, y: usize, corners: &mut Corners) {
        let north_east = y * self.columns.side + x;
        let south_east = north_east - self.columns.side;
        let ring = [south_east - 1, south_east, north_east, north_east - 1];
        if self.is_inside_flat(x, y, north_east) {
            return;
        }
        if self.is_one_group(&ring) {
            self.members.clear();
            let sheets = ring.map(|column| self.columns.range(column).start);
            self.members.extend(sheets.into_iter().enumerate());
            return self.set_group(x, y, corners);
        }
        let mut done = [0_u128; 8];
        for place in 0..4 {
            let range = self.columns.range(ring[place]);
            for (layer, sheet) in range.enumerate() {
                // 4 columns of at most 255 sheets.
                let bit = place * 256 + layer;
                if done[bit >> 7] >> (bit & 127) & 1 == 0 {
                    self.flood(&ring, place, sheet, &mut done);
                    self.set_group(x, y, corners);
                }
            }
        }
    }

    /// Sets the corner of the current group.
    fn set_group(&self, x: usize, y: usize, corners: &mut Corners) {
        let z = self.height(x, y, corners);
        for &(place, sheet) in &self.members {
            corners.heights[sheet][RING[place].0] = z;
        }
    }

    /// Whether there is one layer all around and it continues over three of the four borders: then all are one group.
    /// Most ground is like this.
    fn is_one_group(&self, ring: &[usize; 4]) -> bool {
        let ranges = ring.map(|column| self.columns.range(column));
        if ranges.iter().any(|range| range.len() != 1) {
            return false;
        }
        // Two single layers always continue in each other.
        let sheets = ranges.map(|range| &self.columns.sheets[range.start]);
        let meets = |&place: &usize| {
            let (_, side) = RING[place];
            sheets[place].is_slope(sheets[(place + 1) % 4], side, self.max_slope)
        };
        (0..4).filter(meets).count() >= 3
    }

    /// A flat block is one face: there is no corner inside of it.
    fn is_inside_flat(&self, x: usize, y: usize, column: usize) -> bool {
        let is_inside = !(x - 1).is_multiple_of(BLOCK) && !(y - 1).is_multiple_of(BLOCK);
        let sheet = self.columns.range(column).next();
        is_inside && sheet.is_some_and(|sheet| self.columns.sheets[sheet].is_flat)
    }

    /// Gathers the group of a sheet.
    fn flood(&mut self, ring: &[usize; 4], place: usize, sheet: usize, done: &mut [u128; 8]) {
        self.members.clear();
        let mut mark = |members: &mut Vec<_>, place: usize, sheet: usize| {
            let bit = place * 256 + (sheet - self.columns.range(ring[place]).start);
            let word = &mut done[bit >> 7];
            if *word >> (bit & 127) & 1 == 0 {
                *word |= 1 << (bit & 127);
                members.push((place, sheet));
            }
        };
        mark(&mut self.members, place, sheet);
        let mut at = 0;
        while let Some(&(place, sheet)) = self.members.get(at) {
            at += 1;
            let (next, before) = ((place + 1) % 4, (place + 3) % 4);
            let sides = [(next, RING[place].1), (before, RING[before].1.opposite())];
            for (beside, side) in sides {
                let Some(partner) = self.partners.of(sheet, side) else {
                    continue;
                };
                let partner = self.columns.range(ring[beside]).start + partner;
                let [a, b] = [sheet, partner].map(|it| &self.columns.sheets[it]);
                if a.is_slope(b, side, self.max_slope) {
                    mark(&mut self.members, beside, partner);
                }
            }
        }
    }

    /// The one height of the group.
    fn height(&self, x: usize, y: usize, corners: &Corners) -> i16 {
        let flat = self
            .members
            .iter()
            .find(|&&(_, sheet)| self.columns.sheets[sheet].is_flat);
        if let Some(&(place, _)) = flat
            && !is_block_corner(x, y)
        {
            return self.on_edge_of_flat(x, y, place, corners);
        }
        let members = self.members.iter();
        let sum: i32 = members
            .map(|&(_, sheet)| self.columns.sheets[sheet].z_of_slope())
            .sum();
        // 4 columns of at most 255 sheets.
        let z = mean(sum, self.members.len() as i32);
        match flat {
            // The highest that 16 bits hold is no whole eighth.
            Some(_) => z.saturating_add(4).div_euclid(8) * 8,
            None => z,
        }
    }

    /// Height on the line between two corners of the flat block that is at a place of the ring.
    fn on_edge_of_flat(&self, x: usize, y: usize, place: usize, corners: &Corners) -> i16 {
        let (block_x, block_y) = ((x - 1) / BLOCK * BLOCK + 1, (y - 1) / BLOCK * BLOCK + 1);
        let is_east = place == 1 || place == 2;
        let is_north = place >= 2;
        // Along y if the corner is on a border between blocks in x, else along x.
        let (first, last, share) = if x == block_x {
            let column = if is_east { x } else { x - 1 };
            let at = |y: usize, north: usize| {
                let corner = usize::from(!is_east) + 2 * north;
                (y * self.columns.side + column, corner)
            };
            (at(block_y, 0), at(block_y + BLOCK - 1, 1), y - block_y)
        } else {
            let row = if is_north { y } else { y - 1 };
            let at = |x: usize, east: usize| {
                let corner = 2 * usize::from(!is_north) + east;
                (row * self.columns.side + x, corner)
            };
            (at(block_x, 0), at(block_x + BLOCK - 1, 1), x - block_x)
        };
        // A flat block has one sheet a column.
        let height = |(column, corner): (usize, usize)| {
            let sheet = self.columns.range(column).start;
            i32::from(corners.heights[sheet][corner])
        };
        let (first, last) = (height(first), height(last));
        (first + (last - first) * share as i32 / BLOCK as i32) as i16
    }
}

/// The mean, rounded.
fn mean(sum: i32, n: i32) -> i16 {
    // A mean of numbers of 16 bits has no more.
    (2 * i64::from(sum) + i64::from(n)).div_euclid(2 * i64::from(n)) as i16
}
