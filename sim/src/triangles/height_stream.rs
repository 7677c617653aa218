//! Heights of many points at once.
//!
//! A single height spends most of its time waiting for memory, each read leading to the next. Here every step is a
//! loop over a flat list without branches that cannot be foreseen, so that the processor works ahead on other points.

use super::TriangleIndex;
use super::column::{ColumnFacts, Columns};
use super::height::{HeightHit, Wanted, candidates_over};
use super::lanes::{self, Kernel, Lanes, N_F64, N_LANES};
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
        let mut pairs = Pairs::new(index, filter);
        let chunks = hits.chunks_mut(N_AHEAD).zip(points.chunks(N_AHEAD));
        for (hits, points) in chunks {
            let mut cells = [0; N_AHEAD];
            for (cell, point) in cells.iter_mut().zip(points) {
                *cell = index.plan.cell_under(*point);
                index.plan.prefetch(*cell);
            }
            for i in 0..points.len() {
                hits[i] = None;
                pairs.add::<L>(i, cells[i], points, hits);
            }
            pairs.decide::<L>(points, hits);
        }
    }
}

/// Points that are taken together.
const N_AHEAD: usize = 64;
/// Pairs that are taken together: more than most points have.
const N_PAIRS: usize = 4 * N_AHEAD;
/// Faces that are decided on together, in groups of [`N_F64`].
const N_FACES: usize = 2 * N_AHEAD;

/// Points and blocks that may be over them, and then points and faces that may be. Kept from one chunk of points to the
/// next, so that it need not be cleared each time.
struct Pairs<'a> {
    index: &'a TriangleIndex,
    filter: MaskFilter,
    blocks: [u32; N_PAIRS],
    /// Which point, of each pair.
    owners: [u8; N_PAIRS],
    n: usize,
    faces: Faces,
}

/// Faces, each with a point.
struct Faces {
    /// Places; one more than can be, which is written but does not count.
    places: [u32; N_FACES + 1],
    owners: [u8; N_FACES + 1],
    n: usize,
    columns: [Columns<N_F64>; N_FACES / N_F64],
    facts: [ColumnFacts<N_F64>; N_FACES / N_F64],
}

impl<'a> Pairs<'a> {
    #[inline(always)]
    fn new(index: &'a TriangleIndex, filter: MaskFilter) -> Self {
        Self {
            index,
            filter,
            blocks: [0; N_PAIRS],
            owners: [0; N_PAIRS],
            n: 0,
            faces: Faces {
                places: [0; N_FACES + 1],
                owners: [0; N_FACES + 1],
                n: 0,
                columns: [const { Columns::NONE }; N_FACES / N_F64],
                facts: [const { ColumnFacts::NONE }; N_FACES / N_F64],
            },
        }
    }

    /// Adds the blocks of a point.
    #[inline(always)]
    fn add<L: Lanes>(
        &mut self,
        point: usize,
        cell: usize,
        points: &[Vec2],
        hits: &mut [Option<HeightHit>],
    ) {
        let (two, others) = self.index.plan.blocks_over(cell);
        if self.n + two.len() > N_PAIRS {
            self.decide::<L>(points, hits);
        }
        // Both are written, whether there is a second or not.
        self.blocks[self.n..self.n + 2].copy_from_slice(&two);
        self.owners[self.n..self.n + 2].fill(point as u8);
        self.n += 1 + usize::from(two[1] != self.index.plan.no_block());
        for &block in others {
            if self.n == N_PAIRS {
                self.decide::<L>(points, hits);
            }
            self.blocks[self.n] = block;
            self.owners[self.n] = point as u8;
            self.n += 1;
        }
    }

    /// Decides on all pairs so far.
    #[inline(always)]
    fn decide<L: Lanes>(&mut self, points: &[Vec2], hits: &mut [Option<HeightHit>]) {
        let Self {
            index,
            filter,
            ref blocks,
            ref owners,
            n,
            ref mut faces,
        } = *self;
        for &block in &blocks[..n] {
            lanes::prefetch(&index.blocks[block as usize]);
        }
        for pair in 0..n {
            let (block_idx, owner) = (blocks[pair], owners[pair]);
            let seen = index.seen_lanes(block_idx as usize, filter);
            let block = &index.blocks[block_idx as usize];
            let point = points[usize::from(owner)];
            let mut candidates = candidates_over::<L>(block, point) & seen;
            loop {
                let lane = candidates.trailing_zeros() % N_LANES as u32;
                faces.places[faces.n] = block_idx * N_LANES as u32 + lane;
                faces.owners[faces.n] = owner;
                faces.n += usize::from(candidates != 0);
                candidates &= candidates.wrapping_sub(1);
                if faces.n == N_FACES {
                    faces.decide(index, points, hits);
                }
                if candidates == 0 {
                    break;
                }
            }
        }
        faces.decide(index, points, hits);
        self.n = 0;
    }
}

impl Faces {
    /// Decides on faces, each over its point or not, and keeps the best for each point. Three loops rather than one:
    /// what is written number by number can only be read as a register some time later.
    #[inline(always)]
    fn decide(&mut self, index: &TriangleIndex, points: &[Vec2], hits: &mut [Option<HeightHit>]) {
        let n = std::mem::take(&mut self.n);
        for i in 0..n {
            let (place, point) = (self.places[i], points[usize::from(self.owners[i])]);
            self.columns[i / N_F64].set(i % N_F64, point, &index.corners_at(place));
        }
        let n_groups = n.div_ceil(N_F64);
        for (columns, facts) in self.columns[..n_groups].iter().zip(&mut self.facts) {
            *facts = columns.facts();
        }
        for i in 0..n {
            let (place, owner) = (self.places[i], usize::from(self.owners[i]));
            let Some(hit) = self.facts[i / N_F64].hit(i % N_F64, index, place) else {
                continue;
            };
            let best = &mut hits[owner];
            if best.is_none_or(|best| Wanted::Highest.prefers(&hit, &best)) {
                *best = Some(hit);
            }
        }
    }
}
