//! One layer of a block as bytes, and how a cell of it is read.
//!
//! | bytes | what |
//! | --- | --- |
//! | 1 | bits 0-4 bits a delta (0 to 16), bit 5 fitted, bit 6 all cells, bit 7 heights in points rather than in 8 |
//! | 1 | bits 0-3 sides if all are the same, bits 4-5 where sides are: here, in nibbles below, in the patterns |
//! | 2 | base height |
//! | 2 if fitted | slope in x and in y, signed, in eighths a cell |
//! | 8 unless all cells | bit c is set where cell c has this layer |
//! | 2 if in the patterns | which one |
//! | n deltas | one after another from the lowest bit; n cells in order |
//! | n nibbles if below | sides, the first in the low bits |
//!
//! `height = unit * (base + delta + ((x * slope_x + y * slope_y) >> 3))`. Bytes may be read past the end of a record:
//! whoever owns them keeps [`PADDING`] bytes behind.

use ironlands_assets_loader::lineage2::Nswe;

/// Bytes that must follow the last record.
pub(crate) const PADDING: usize = 8;

pub(super) const WIDTH_BITS: u8 = 0x1F;
pub(super) const FITTED: u8 = 0x20;
pub(super) const FULL: u8 = 0x40;
pub(super) const POINTS: u8 = 0x80;
pub(super) const IN_NIBBLES: u8 = 0x10;
pub(super) const IN_PATTERNS: u8 = 0x20;

/// Sides of 64 cells, the first in the low bits.
pub(crate) type Pattern = [u8; 32];

/// A layer of a block, ready to be asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plane<'a> {
    /// Cells that have this layer.
    mask: u64,
    base: i32,
    slope_x: i32,
    slope_y: i32,
    width: u32,
    flags: u8,
    sides: u8,
    pattern: u16,
    deltas: &'a [u8],
    patterns: &'a [Pattern],
}

impl<'a> Plane<'a> {
    /// The record at the start of `bytes`.
    #[inline]
    pub(super) fn new(bytes: &'a [u8], patterns: &'a [Pattern]) -> Self {
        let (flags, sides) = (bytes[0], bytes[1]);
        let base = i32::from(i16::from_le_bytes([bytes[2], bytes[3]]));
        let mut at = 4;
        let (mut slope_x, mut slope_y) = (0, 0);
        if flags & FITTED != 0 {
            slope_x = i32::from(bytes[at].cast_signed());
            slope_y = i32::from(bytes[at + 1].cast_signed());
            at += 2;
        }
        let mut mask = u64::MAX;
        if flags & FULL == 0 {
            mask = u64::from_le_bytes(eight(bytes, at));
            at += 8;
        }
        let mut pattern = 0;
        if sides & IN_PATTERNS != 0 {
            pattern = u16::from_le_bytes([bytes[at], bytes[at + 1]]);
            at += 2;
        }
        Self {
            mask,
            base,
            slope_x,
            slope_y,
            width: u32::from(flags & WIDTH_BITS),
            flags,
            sides,
            pattern,
            deltas: &bytes[at..],
            patterns,
        }
    }

    /// Whether a cell, `0..64`, has this layer.
    #[inline]
    pub(crate) fn has(&self, cell: u32) -> bool {
        self.mask >> cell & 1 != 0
    }

    /// Height in a cell that has this layer.
    #[inline]
    pub(crate) fn height(&self, cell: u32) -> i32 {
        let bit = self.rank(cell) * self.width;
        let at = (bit >> 3) as usize;
        let word = u32::from_le_bytes([
            self.deltas[at],
            self.deltas[at + 1],
            self.deltas[at + 2],
            self.deltas[at + 3],
        ]);
        let delta = (word >> (bit & 7)) & ((1 << self.width) - 1);
        let slope = ((cell >> 3) as i32 * self.slope_x + (cell & 7) as i32 * self.slope_y) >> 3;
        let height = self.base + delta as i32 + slope;
        if self.flags & POINTS == 0 {
            height * 8
        } else {
            height
        }
    }

    /// Sides of a cell that has this layer.
    #[inline]
    pub(crate) fn nswe(&self, cell: u32) -> Nswe {
        let nibble = |bytes: &[u8], at: u32| bytes[(at >> 1) as usize] >> ((at & 1) * 4) & 0xF;
        let sides = if self.sides & IN_PATTERNS != 0 {
            nibble(&self.patterns[usize::from(self.pattern)], cell)
        } else if self.sides & IN_NIBBLES != 0 {
            let n_bits = self.mask.count_ones() * self.width;
            nibble(&self.deltas[n_bits.div_ceil(8) as usize..], self.rank(cell))
        } else {
            self.sides & 0xF
        };
        Nswe::from_bits_retain(sides)
    }

    /// Cells of this layer before a cell.
    #[inline]
    fn rank(&self, cell: u32) -> u32 {
        if self.flags & FULL != 0 {
            cell
        } else {
            (self.mask & ((1 << cell) - 1)).count_ones()
        }
    }
}

#[inline]
fn eight(bytes: &[u8], at: usize) -> [u8; 8] {
    let mut array = [0; 8];
    array.copy_from_slice(&bytes[at..at + 8]);
    array
}
