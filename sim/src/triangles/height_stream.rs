//! Heights of many points at once.
//!
//! A single height spends most of its time waiting for memory, each read leading to the next. Here every step is a
//! loop over a flat list without branches that cannot be foreseen, so that the processor works ahead on other points.

use super::TriangleIndex;
use super::column::Columns;
use super::height::{HeightHit, Wanted, candidates_over};
use super::lanes::{self, Kernel, Lanes, N_F64, N_LANES};
use super::plan::List;
use crate::MaskFilter;
use glam::Vec2;

/// The points of one task.
pub(super) struct HeightRun<'a> {
    pub index: &'a TriangleIndex,
    pub points: &'a [Vec2],
    pub filter: MaskFilter,
    pub hits: &'a mut [Option<HeightHit>],
}

impl Kernel for HeightRun<'_> {
    type Answer = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self {
            index,
            points,
            filter,
            hits,
        } = self;
        let chunks = hits.chunks_mut(N_AHEAD).zip(points.chunks(N_AHEAD));
        for (hits, points) in chunks {
            hits.fill(None);
            let mut pairs = Pairs::new(index, points, filter, hits);
            let mut lists = [List::default(); N_AHEAD];
            for (list, point) in lists.iter_mut().zip(points) {
                *list = index.plan.list_over(*point);
                index.plan.prefetch(*list);
            }
            for (i, list) in lists[..points.len()].iter().enumerate() {
                pairs.add::<L>(i, *list);
            }
            pairs.decide::<L>();
        }
    }
}

/// Points that are taken together.
const N_AHEAD: usize = 64;
/// Pairs that are taken together: more than most points have.
const N_PAIRS: usize = 4 * N_AHEAD;

/// Points and blocks that may be over them.
struct Pairs<'a> {
    index: &'a TriangleIndex,
    points: &'a [Vec2],
    filter: MaskFilter,
    hits: &'a mut [Option<HeightHit>],
    blocks: [u32; N_PAIRS],
    /// Which point, of each pair.
    owners: [u8; N_PAIRS],
    n: usize,
}

impl<'a> Pairs<'a> {
    #[inline(always)]
    fn new(
        index: &'a TriangleIndex,
        points: &'a [Vec2],
        filter: MaskFilter,
        hits: &'a mut [Option<HeightHit>],
    ) -> Self {
        Self {
            index,
            points,
            filter,
            hits,
            blocks: [0; N_PAIRS],
            owners: [0; N_PAIRS],
            n: 0,
        }
    }

    /// Adds the blocks of a point.
    #[inline(always)]
    fn add<L: Lanes>(&mut self, point: usize, list: List) {
        for four in self.index.plan.fours(list) {
            if self.n + four.blocks.len() > N_PAIRS {
                self.decide::<L>();
            }
            // All four are written, whatever their number is; what is too much will be overwritten.
            let end = self.n + four.blocks.len();
            self.blocks[self.n..end].copy_from_slice(&four.blocks);
            self.owners[self.n..end].fill(point as u8);
            self.n += four.n;
        }
    }

    /// Decides on all pairs so far.
    #[inline(always)]
    fn decide<L: Lanes>(&mut self) {
        let index = self.index;
        for &block in &self.blocks[..self.n] {
            lanes::prefetch(&index.blocks[block as usize]);
        }
        // Places of the faces that may be over their point; one more than can be, for the same reason as above.
        let mut places = [0_u32; N_PAIRS + N_F64];
        let mut owners = [0_u8; N_PAIRS + N_F64];
        let mut n = 0;
        for pair in 0..self.n {
            let (block_idx, owner) = (self.blocks[pair], self.owners[pair]);
            let seen = index.seen_lanes(block_idx as usize, self.filter);
            let block = &index.blocks[block_idx as usize];
            let point = self.points[usize::from(owner)];
            let mut candidates = candidates_over::<L>(block, point) & seen;
            loop {
                places[n] = block_idx * N_LANES as u32 + (candidates.trailing_zeros() & 15);
                owners[n] = owner;
                n += usize::from(candidates != 0);
                candidates &= candidates.wrapping_sub(1);
                if n >= N_PAIRS {
                    self.settle(&places[..n], &owners[..n]);
                    n = 0;
                }
                if candidates == 0 {
                    break;
                }
            }
        }
        self.settle(&places[..n], &owners[..n]);
        self.n = 0;
    }

    /// Decides on faces, each over its point or not, and keeps the best for each point.
    #[inline(always)]
    fn settle(&mut self, places: &[u32], owners: &[u8]) {
        let index = self.index;
        for (places, owners) in places.chunks(N_F64).zip(owners.chunks(N_F64)) {
            let mut columns = Columns::<N_F64>::new();
            for (i, (&place, &owner)) in places.iter().zip(owners).enumerate() {
                columns.set(i, self.points[usize::from(owner)], &index.corners_at(place));
            }
            let facts = columns.facts();
            for (i, (&place, &owner)) in places.iter().zip(owners).enumerate() {
                let Some(hit) = facts.hit(i, index, place) else {
                    continue;
                };
                let best = &mut self.hits[usize::from(owner)];
                if best.is_none_or(|best| Wanted::Highest.prefers(&hit, &best)) {
                    *best = Some(hit);
                }
            }
        }
    }
}
