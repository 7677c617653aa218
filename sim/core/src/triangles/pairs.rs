//! What many rays or points lead to: flat lists, so that a step is one loop over all of them.

use super::simd::{LaneMask, N_LANES, SimdVector};

/// Rays or points that are taken together.
pub(super) const N_OWNERS: usize = 64;
/// Pairs that a step may lead to: rays or points that have more with each other are processed one at a time.
const MAX_PAIRS: usize = N_LANES * N_OWNERS;

/// Rays or points, and for each one thing that it leads to: a node, a block (counted on behind the nodes), or a face.
pub(super) struct Pairs {
    pub things: [u32; MAX_PAIRS + N_LANES],
    pub owners: [u8; MAX_PAIRS + N_LANES],
    pub n: usize,
}

impl Pairs {
    pub const EMPTY: Self = Self {
        things: [0; _],
        owners: [0; _],
        n: 0,
    };

    pub fn new() -> Self {
        Self::EMPTY
    }

    #[inline(always)]
    pub fn is_full(&self) -> bool {
        self.n > MAX_PAIRS
    }

    /// Adds `first` + lane for each lane. There must be room for all sixteen.
    #[inline(always)]
    pub fn add_lanes<L: SimdVector>(&mut self, first: u32, mask: LaneMask, owner: usize) {
        self.owners[self.n..self.n + N_LANES].fill(owner as u8);
        self.n += write_lanes::<L>(first, mask, &mut self.things[self.n..]);
    }

    /// Puts `first` + lane for each lane behind the first `n` pairs; how many there are then, or `None` if there is no
    /// room for more. The number is the caller's, so that it stays in a register.
    #[inline(always)]
    pub fn put_lanes<L: SimdVector>(
        &mut self,
        n: usize,
        first: u32,
        mask: LaneMask,
        owner: usize,
    ) -> Option<usize> {
        if n > MAX_PAIRS {
            return None;
        }
        self.owners[n..n + N_LANES].fill(owner as u8);
        Some(n + write_lanes::<L>(first, mask, &mut self.things[n..]))
    }

    /// Adds a pair, if it is wanted. Written in any case: no branch.
    #[inline(always)]
    pub fn add_if(&mut self, is_wanted: bool, thing: u32, owner: usize) {
        self.things[self.n] = thing;
        self.owners[self.n] = owner as u8;
        self.n += usize::from(is_wanted);
    }

    #[inline(always)]
    pub fn get(&self, i: usize) -> (u32, usize) {
        (self.things[i], usize::from(self.owners[i]) % N_OWNERS)
    }
}

/// Writes `first` + lane for each lane of a mask; how many these are. Sixteen are written, whatever their number is: no
/// branch. What is too much will be overwritten.
#[inline(always)]
pub(super) fn write_lanes<L: SimdVector>(first: u32, mask: LaneMask, out: &mut [u32]) -> usize {
    let out = out.first_chunk_mut().expect("there is room for sixteen");
    L::number_lanes(first, mask, out);
    mask.count_ones() as usize
}
