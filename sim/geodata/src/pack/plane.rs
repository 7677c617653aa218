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
//! their owner keeps [`PADDING`] bytes behind them.

use ironlands_sim_regions::Nswe;

/// Bytes that must follow the last record: a header and sides are read whole, however short they are.
pub(crate) const PADDING: usize = 40;

/// Most bytes in front of the deltas.
const HEADER: usize = 16;

pub(super) const WIDTH_BITS: u8 = 0x1F;
pub(super) const FITTED: u8 = 0x20;
pub(super) const FULL: u8 = 0x40;
pub(super) const POINTS: u8 = 0x80;
pub(super) const IN_NIBBLES: u8 = 0x10;
pub(super) const IN_PATTERNS: u8 = 0x20;

/// Sides of 64 cells, the first in the low bits.
pub(crate) type Pattern = [u8; 32];

/// Patterns of one set of sides, by that set.
const SAME: [Pattern; 16] = {
    let mut patterns = [[0; 32]; 16];
    let mut sides = 0;
    while sides < 16 {
        patterns[sides] = [sides as u8 * 0x11; 32];
        sides += 1;
    }
    patterns
};

/// A layer of a block, ready for queries.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plane<'a> {
    /// Cells that have this layer.
    mask: u64,
    base: i32,
    slope_x: i32,
    slope_y: i32,
    width: u32,
    flags: u8,
    /// Whether sides are only there for cells that have this layer.
    has_own_sides: bool,
    sides: &'a Pattern,
    deltas: &'a [u8],
}

impl<'a> Plane<'a> {
    /// The record at the start of `bytes`.
    #[inline]
    pub(super) fn new(bytes: &'a [u8], patterns: &'a [Pattern]) -> Self {
        let header: &[u8; HEADER] = part(bytes, 0);
        let (flags, sides) = (header[0], header[1]);
        let base = i32::from(i16::from_le_bytes([header[2], header[3]]));
        // What is not there is read too and left out: that is cheaper than a jump that no one can foresee.
        let n_slopes = usize::from(flags & FITTED != 0);
        let slope = |byte: u8| i32::from(byte.cast_signed()) * n_slopes as i32;
        let mut at = 4 + 2 * n_slopes;
        let is_full = flags & FULL != 0;
        let mask = u64::from_le_bytes(*part(header, at)) | if is_full { u64::MAX } else { 0 };
        at += if is_full { 0 } else { 8 };
        let mut plane = Self {
            mask,
            base,
            slope_x: slope(header[4]),
            slope_y: slope(header[5]),
            width: u32::from(flags & WIDTH_BITS),
            flags,
            has_own_sides: false,
            sides: &SAME[usize::from(sides & 0xF)],
            deltas: &[],
        };
        if sides & IN_PATTERNS != 0 {
            let pattern = u16::from_le_bytes([header[at], header[at + 1]]);
            plane.sides = &patterns[usize::from(pattern)];
            at += 2;
        }
        plane.deltas = &bytes[at..];
        if sides & IN_NIBBLES != 0 {
            let n_bits = mask.count_ones() * plane.width;
            plane.sides = part(plane.deltas, n_bits.div_ceil(8) as usize);
            plane.has_own_sides = true;
        }
        plane
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
        let word = u32::from_le_bytes(*part(self.deltas, (bit >> 3) as usize));
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
        let at = if self.has_own_sides {
            self.rank(cell)
        } else {
            cell
        };
        let pair = self.sides[(at >> 1) as usize & 31];
        Nswe::from_bits_retain(pair >> ((at & 1) * 4) & 0xF)
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

/// A part of a record; what follows the last one is long enough for each.
#[inline]
fn part<const N: usize>(bytes: &[u8], at: usize) -> &[u8; N] {
    let part = bytes.get(at..).and_then(<[u8]>::first_chunk);
    part.expect("records are followed by padding")
}
