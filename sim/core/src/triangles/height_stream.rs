//! Heights of many points at once.
//!
//! A single height spends most of its time waiting for memory, each read leading to the next. Here every step is a
//! loop over a flat list without branches that cannot be foreseen, so that the processor works ahead on other points.

use super::TriangleIndex;
use super::column::{ColumnFacts, Columns};
use super::column_grid::Cell;
use super::height::{HeightHit, Wanted, candidates_over};
use super::simd::{self, Kernel, LaneMask, N_F64, N_LANES, SimdVector};
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
    type Output = ();

    #[inline(always)]
    fn run<L: SimdVector>(self) {
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
            for (cell, &point) in cells.iter_mut().zip(points) {
                *cell = index.column_grid.cell_under(point);
            }
            for &cell in &cells[..points.len()] {
                index.column_grid.prefetch(cell);
            }
            hits.fill(None);
            pairs.decide_over::<L>(&cells[..points.len()], points, hits);
        }
    }
}

/// Points that are taken together.
const N_AHEAD: usize = 64;
/// Pairs that are taken together: more than most points have.
const N_PAIRS: usize = 4 * N_AHEAD;
/// Faces that are decided on together, in groups of [`N_F64`].
const N_FACES: usize = 2 * N_AHEAD;
/// Groups that are in work at a time: while one is gathered, the one before is computed.
const N_GROUPS: usize = 2;

/// Points and blocks that may be over them, and then points and faces that may be. Kept from one chunk of points to the
/// next, so that it need not be cleared each time.
struct Pairs<'a> {
    index: &'a TriangleIndex,
    filter: MaskFilter,
    blocks: [u32; N_PAIRS],
    /// Which point, of each pair.
    owners: [u8; N_PAIRS],
    /// Faces of the block that may be over the point.
    masks: [LaneMask; N_PAIRS],
    faces: Faces,
}

/// Faces, each with a point.
struct Faces {
    /// Places; one more than can be, which is written but does not count.
    places: [u32; N_FACES + 1],
    owners: [u8; N_FACES + 1],
    columns: [Columns; N_GROUPS],
    facts: [ColumnFacts; N_GROUPS],
}

impl<'a> Pairs<'a> {
    #[inline(always)]
    fn new(index: &'a TriangleIndex, filter: MaskFilter) -> Self {
        Self {
            index,
            filter,
            blocks: [0; N_PAIRS],
            owners: [0; N_PAIRS],
            masks: [0; N_PAIRS],
            faces: Faces {
                places: [0; N_FACES + 1],
                owners: [0; N_FACES + 1],
                columns: [const { Columns::NONE }; N_GROUPS],
                facts: [const { ColumnFacts::NONE }; N_GROUPS],
            },
        }
    }

    /// Lists the blocks of points and decides on all of them.
    #[inline(always)]
    fn decide_over<L: SimdVector>(
        &mut self,
        cells: &[u32],
        points: &[Vec2],
        hits: &mut [Option<HeightHit>],
    ) {
        let column_grid = &self.index.column_grid;
        let mut lists = [(Cell::default(), 0); N_AHEAD];
        let (mut n, mut n_lists) = (0, 0);
        for (point, &cell) in cells.iter().enumerate() {
            let cell = column_grid.cell(cell);
            // Both are written, whether there is a second or not.
            self.blocks[n..n + 2].copy_from_slice(&cell.blocks());
            self.owners[n..n + 2].fill(point as u8);
            n += 1 + usize::from(cell.second_block() < column_grid.no_block());
            // Whether there are more cannot be foreseen: they are seen to later, where it is known that there are.
            lists[n_lists] = (cell, point as u8);
            n_lists += usize::from(cell.has_list());
        }
        for &(cell, point) in &lists[..n_lists] {
            for &block in column_grid.listed(cell) {
                if n == N_PAIRS {
                    self.decide::<L>(n, points, hits);
                    n = 0;
                }
                self.blocks[n] = block;
                self.owners[n] = point;
                n += 1;
            }
        }
        self.decide::<L>(n, points, hits);
    }

    /// Decides on all pairs so far.
    #[inline(always)]
    fn decide<L: SimdVector>(&mut self, n: usize, points: &[Vec2], hits: &mut [Option<HeightHit>]) {
        let Self {
            index,
            filter,
            blocks,
            owners,
            masks,
            faces,
        } = self;
        let pairs = blocks[..n].iter().zip(&owners[..n]);
        for &block_idx in &blocks[..n] {
            simd::prefetch(&index.blocks[block_idx as usize]);
        }
        for ((&block_idx, &owner), mask) in pairs.clone().zip(&mut *masks) {
            let point = points[usize::from(owner)];
            *mask = candidates_over::<L>(&index.blocks[block_idx as usize], point);
        }
        if *filter != MaskFilter::ALL {
            for (&block_idx, mask) in blocks[..n].iter().zip(&mut *masks) {
                *mask &= index.matching_lanes(block_idx as usize, *filter);
            }
        }
        let mut n_faces = 0;
        for ((&block_idx, &owner), &mask) in pairs.zip(&*masks) {
            let mut candidates = mask;
            loop {
                let lane = candidates.trailing_zeros() % N_LANES as u32;
                faces.places[n_faces] = block_idx * N_LANES as u32 + lane;
                faces.owners[n_faces] = owner;
                n_faces += usize::from(candidates != 0);
                candidates &= candidates.wrapping_sub(1);
                if n_faces == N_FACES {
                    faces.decide(n_faces, index, points, hits);
                    n_faces = 0;
                }
                if candidates == 0 {
                    break;
                }
            }
        }
        faces.decide(n_faces, index, points, hits);
    }
}

impl Faces {
    /// Decides on faces, each over its point or not, and keeps the best for each point. In groups, of which one is
    /// gathered, one computed and one stored in turn: each of these waits for something else, and what is written
    /// number by number can only be read as a register some time later.
    #[inline(always)]
    fn decide(
        &mut self,
        n: usize,
        index: &TriangleIndex,
        points: &[Vec2],
        hits: &mut [Option<HeightHit>],
    ) {
        let n_groups = n.div_ceil(N_F64);
        for step in 0..n_groups + 2 {
            if step < n_groups {
                self.gather(step, n, index, points);
            }
            if (1..=n_groups).contains(&step) {
                let group = (step - 1) % N_GROUPS;
                self.columns[group].write_facts(&mut self.facts[group]);
            }
            if step >= 2 {
                self.result(step - 2, n, index, hits);
            }
        }
    }

    #[inline(always)]
    fn gather(&mut self, group: usize, n: usize, index: &TriangleIndex, points: &[Vec2]) {
        let columns = &mut self.columns[group % N_GROUPS];
        let faces = group * N_F64..n.min((group + 1) * N_F64);
        for (i, face) in faces.enumerate() {
            let (place, point) = (self.places[face], points[usize::from(self.owners[face])]);
            columns.set(i % N_F64, point, &index.corners_at(place));
        }
    }

    #[inline(always)]
    fn result(
        &self,
        group: usize,
        n: usize,
        index: &TriangleIndex,
        hits: &mut [Option<HeightHit>],
    ) {
        let facts = &self.facts[group % N_GROUPS];
        let faces = group * N_F64..n.min((group + 1) * N_F64);
        for (i, face) in faces.enumerate() {
            let (place, owner) = (self.places[face], usize::from(self.owners[face]));
            let Some(hit) = facts.hit(i % N_F64, index, place) else {
                continue;
            };
            let best = &mut hits[owner];
            if best.is_none_or(|best| Wanted::Highest.prefers(&hit, &best)) {
                *best = Some(hit);
            }
        }
    }
}
