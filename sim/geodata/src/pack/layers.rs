//! Columns of a block to its layers from the ground up, each over all 64 cells.
//!
//! Every layer goes through all cells, those that lack it too: loops without jumps are done several cells at a time,
//! and no processor foresees how many layers the next cell has.

use super::plane::Pattern;
use ironlands_sim_regions::{Cell, Columns};

/// A layer of a block.
#[derive(Clone)]
pub(super) struct Layer {
    /// Cells that have it, a bit each.
    pub mask: u64,
    /// The same: all bits of a cell that has it.
    pub own: [i16; 64],
    /// 0 in cells without it, as sides are.
    pub heights: [i16; 64],
    sides: [u8; 64],
}

/// The layers of a block, from the ground up.
#[derive(Default)]
pub(super) struct Stack {
    /// Their memory, which is used again.
    layers: Vec<Layer>,
    n_layers: usize,
    codes: Vec<u32>,
}

impl Layer {
    const NONE: Self = Self {
        mask: 0,
        own: [0; 64],
        heights: [0; 64],
        sides: [0; 64],
    };

    /// A layer that all cells have.
    pub(super) fn from_complex(cells: &[Cell; 64]) -> Self {
        let mut layer = Self::NONE;
        layer.fill([-1; 64], &cells.map(code));
        layer
    }

    /// Takes of these cells its own.
    fn fill(&mut self, own: [i16; 64], codes: &[u32; 64]) {
        self.mask = bits_of(&own);
        for ((to, code), own) in self.heights.iter_mut().zip(codes).zip(&own) {
            *to = *code as i16 & own;
        }
        for ((to, code), own) in self.sides.iter_mut().zip(codes).zip(&own) {
            *to = (code >> 16) as u8 & *own as u8;
        }
        self.own = own;
    }

    /// Sides of the first cell, and of all cells if they differ.
    pub(super) fn sides(&self) -> (u8, Option<Pattern>) {
        let first = self.sides[self.mask.trailing_zeros() as usize & 63];
        let others = self.sides.iter().zip(&self.own);
        let differ = others.fold(0, |differ, (sides, &own)| {
            differ | (sides ^ first) & own as u8
        });
        let all =
            || std::array::from_fn(|pair| self.sides[2 * pair] | self.sides[2 * pair + 1] << 4);
        (first, (differ != 0).then(all))
    }

    fn is_above(&self, below: &Self) -> bool {
        let pairs = self.heights.iter().zip(&below.heights).zip(&self.own);
        let lower = pairs.fold(0, |lower, ((height, below), own)| {
            lower | if height < below { -1 } else { 0 } & own
        });
        lower == 0
    }
}

impl Stack {
    /// The layers of some columns.
    pub(super) fn set_columns(&mut self, columns: Columns<'_>) -> &[Layer] {
        if !self.put_in_order(columns) {
            let sorted = columns.to_multilayer().sorted();
            self.put_in_order(sorted.borrowed());
        }
        &self.layers[..self.n_layers]
    }

    /// Takes each column from its last layer to its first. Returns whether that is from the ground up.
    fn put_in_order(&mut self, columns: Columns<'_>) -> bool {
        let ends = columns.ends();
        self.codes.clear();
        self.codes
            .extend(columns.all_layers().iter().copied().map(code));
        let mut starts = [0; 64];
        starts[1..].copy_from_slice(&ends[..63]);
        let counts: [u16; 64] = std::array::from_fn(|cell| ends[cell] - starts[cell]);
        let most = counts.iter().fold(0, |most, &count| most.max(count));
        self.n_layers = usize::from(most);
        if self.layers.len() < self.n_layers {
            self.layers.resize(self.n_layers, Layer::NONE);
        }
        for (from_ground, layer) in (1..=most).zip(&mut self.layers) {
            let own = counts.map(|count| if count >= from_ground { -1_i16 } else { 0 });
            let mut found = [0; 64];
            for ((to, &end), own) in found.iter_mut().zip(ends).zip(&own) {
                // Cells without this layer take the first one of all, and nothing of it.
                let place = end.wrapping_sub(from_ground) & own.cast_unsigned();
                *to = self.codes[usize::from(place)];
            }
            layer.fill(own, &found);
        }
        let mut pairs = self.layers[..self.n_layers].windows(2);
        pairs.all(|pair| pair[1].is_above(&pair[0]))
    }
}

/// Height and sides in one number, which is found and kept faster than two.
fn code(cell: Cell) -> u32 {
    u32::from(cell.height.cast_unsigned()) | u32::from(cell.nswe.sides().bits()) << 16
}

/// A bit of each cell, the first in the lowest one.
fn bits_of(own: &[i16; 64]) -> u64 {
    let ones = own.map(|own| own as u8 & 1);
    let (rows, _) = ones.as_chunks();
    let mut bits = [0; 8];
    for (bits, &row) in bits.iter_mut().zip(rows) {
        // Moves the lowest bit of byte n to bit 56 + n; no two meet.
        *bits = (u64::from_le_bytes(row).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
    }
    u64::from_le_bytes(bits)
}
