//! Height queries: the faces above or below a point of the ground plane.

use super::blocks::Block;
use super::column::hit_at;
use super::height_stream::HeightRun;
use super::simd::{Kernel, LaneMask, N_LANES, SimdVector, Slack, Winding};
use super::{TriangleIndex, set_lanes};
use crate::MaskFilter;
use glam::{Vec2, Vec3, Vec4, Vec4Swizzles};
use rayon::prelude::*;

/// Queries that one rayon task takes at least.
const MIN_QUERIES_PER_TASK: usize = 256;

/// A face over a point of the ground plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeightHit {
    /// Index of the face.
    pub face: u32,
    /// Height of the face there, world units.
    pub z: f32,
    /// Weights of the face's three vertices, sum 1.
    pub barycentrics: [f32; 3],
    /// Unit normal of the face, turned to point up.
    pub normal: Vec3,
    /// Material word of the face.
    pub material: u16,
}

impl TriangleIndex {
    /// The highest face over a point; of equal heights the face with the lowest index.
    ///
    /// Engine axes, world units. Edges belong to the faces on both sides, either winding counts; a face that
    /// stands upright has no height. `None` outside all faces, over a gap and for a non-finite point.
    pub fn height_at(&self, x: f32, y: f32, filter: MaskFilter) -> Option<HeightHit> {
        self.height(x, y, filter, Wanted::Highest)
    }

    /// The highest face at or below `z`: the floor under a character. Else as [`height_at`](Self::height_at).
    pub fn height_at_or_below(
        &self,
        x: f32,
        y: f32,
        z: f32,
        filter: MaskFilter,
    ) -> Option<HeightHit> {
        self.height(x, y, filter, Wanted::HighestUpTo(z))
    }

    /// The lowest face at or above `z`. Else as [`height_at`](Self::height_at).
    pub fn height_at_or_above(
        &self,
        x: f32,
        y: f32,
        z: f32,
        filter: MaskFilter,
    ) -> Option<HeightHit> {
        self.height(x, y, filter, Wanted::LowestFrom(z))
    }

    /// Unit normal of the highest face over a point, turned to point up. `None` as [`height_at`](Self::height_at).
    pub fn normal_at(&self, x: f32, y: f32, filter: MaskFilter) -> Option<Vec3> {
        self.height_at(x, y, filter).map(|hit| hit.normal)
    }

    /// [`height_at`](Self::height_at) for many points on all threads.
    ///
    /// # Panics
    /// If the two slices differ in length.
    pub fn height_at_batch(
        &self,
        points: &[Vec2],
        filter: MaskFilter,
        hits: &mut [Option<HeightHit>],
    ) {
        assert_eq!(points.len(), hits.len(), "one result per point");
        hits.par_chunks_mut(MIN_QUERIES_PER_TASK)
            .zip(points.par_chunks(MIN_QUERIES_PER_TASK))
            .for_each(|(hits, points)| {
                self.instructions.run(HeightRun {
                    index: self,
                    points,
                    filter,
                    hits,
                });
            });
    }

    #[inline(always)]
    fn height(&self, x: f32, y: f32, filter: MaskFilter, wanted: Wanted) -> Option<HeightHit> {
        let query = HeightQuery {
            index: self,
            point: Vec4::new(x, y, 0.0, 0.0),
            filter,
            wanted,
        };
        // Apart from each other, so that each has registers enough.
        if filter == MaskFilter::ALL {
            self.instructions.run(OneQuery::<false>(query))
        } else {
            self.instructions.run(OneQuery::<true>(query))
        }
    }
}

/// Which of the faces over a point.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    Highest,
    HighestUpTo(f32),
    LowestFrom(f32),
}

impl Wanted {
    #[inline(always)]
    fn counts(self, z: f32) -> bool {
        match self {
            Self::Highest => true,
            Self::HighestUpTo(limit) => z <= limit,
            Self::LowestFrom(limit) => z >= limit,
        }
    }

    /// Of two that count; of equal heights the lower index.
    #[inline(always)]
    pub fn prefers(self, hit: &HeightHit, other: &HeightHit) -> bool {
        let is_better = match self {
            Self::Highest | Self::HighestUpTo(_) => hit.z > other.z,
            Self::LowestFrom(_) => hit.z < other.z,
        };
        is_better || (hit.z == other.z && hit.face < other.face)
    }
}

#[derive(Clone, Copy)]
struct HeightQuery<'a> {
    index: &'a TriangleIndex,
    /// x and y, in a register, which is written at once. Two numbers that are written singly and read as one would
    /// keep this query waiting for the end of the previous one.
    point: Vec4,
    filter: MaskFilter,
    wanted: Wanted,
}

impl HeightQuery<'_> {
    /// Apart from the usual case, which it would make longer.
    #[inline(never)]
    fn best_of_several(self) -> Option<HeightHit> {
        self.index.instructions.run(SeveralQuery(self))
    }
}

/// The usual case: one or two blocks are over the point, and one face at most.
struct OneQuery<'a, const IS_MASKED: bool>(HeightQuery<'a>);

impl<const IS_MASKED: bool> Kernel for OneQuery<'_, IS_MASKED> {
    type Output = Option<HeightHit>;

    #[inline(always)]
    fn run<L: SimdVector>(self) -> Option<HeightHit> {
        let HeightQuery {
            index,
            point,
            filter,
            wanted,
        } = self.0;
        let point = point.xy();
        let cell = index.column_grid.cell(index.column_grid.cell_under(point));
        if cell.has_list() {
            return self.0.best_of_several();
        }
        let [first, second] = cell.blocks().map(|block_idx| block_idx as usize);
        let mut over_first = candidates_over::<L>(&index.blocks[first], point);
        let mut over_second = candidates_over::<L>(&index.blocks[second], point);
        if IS_MASKED {
            over_first &= index.matching_lanes(first, filter);
            over_second &= index.matching_lanes(second, filter);
        }
        let over = u32::from(over_first) | u32::from(over_second) << N_LANES;
        if over & over.wrapping_sub(1) != 0 {
            return self.0.best_of_several();
        }
        if over == 0 {
            return None;
        }
        let place = over.trailing_zeros() as usize;
        let block_idx = if place < N_LANES { first } else { second };
        let (block, attributes) = (&index.blocks[block_idx], &index.attributes[block_idx]);
        hit_at::<L>(block, attributes, place % N_LANES, point).filter(|hit| wanted.counts(hit.z))
    }
}

/// The best of several faces: over an edge, or floors above each other.
struct SeveralQuery<'a>(HeightQuery<'a>);

impl Kernel for SeveralQuery<'_> {
    type Output = Option<HeightHit>;

    #[inline(always)]
    fn run<L: SimdVector>(self) -> Option<HeightHit> {
        let HeightQuery {
            index,
            point,
            filter,
            wanted,
        } = self.0;
        let point = point.xy();
        let mut best: Option<HeightHit> = None;
        let (two, others) = index
            .column_grid
            .blocks_over(index.column_grid.cell_under(point));
        for &block_idx in two.iter().chain(others) {
            let seen = index.matching_lanes(block_idx as usize, filter);
            let block = &index.blocks[block_idx as usize];
            for lane in set_lanes(candidates_over::<L>(block, point) & seen) {
                let attributes = &index.attributes[block_idx as usize];
                let Some(hit) = hit_at::<L>(block, attributes, lane, point) else {
                    continue;
                };
                let replaces = best.is_none_or(|best| wanted.prefers(&hit, &best));
                if wanted.counts(hit.z) && replaces {
                    best = Some(hit);
                }
            }
        }
        best
    }
}

/// Lanes whose face may cover or touch a point of the ground plane: all that do, and few others.
///
/// The edge functions of [`Columns::write_facts`](super::column::Columns::write_facts) in f32. A difference of two
/// f32 is off by 2^-24 of itself at most, a product of two such by three times that; a face that holds the point lies
/// within the block's size s of it, so an edge function is off by less than 8 * 2^-24 * s^2; the smallest normal
/// number covers what underflows. Where products of the size overflow, so does the margin, and nothing is left out.
/// Nor is where the sign of a face's area is lost to rounding: its edge functions over it are as small.
#[inline(always)]
pub(super) fn candidates_over<L: SimdVector>(block: &Block, point: Vec2) -> LaneMask {
    // Sixteen vertices are moved rather than the three corners of sixteen faces. The signs of differences are exact.
    let x = L::load(block.coordinates(0)).sub(L::splat(point.x));
    let y = L::load(block.coordinates(1)).sub(L::splat(point.y));
    let slack = Slack {
        position: 0.0,
        edge: block.margin(),
    };
    let winding = if block.has_clockwise() {
        Winding::Any
    } else {
        Winding::CounterClockwise
    };
    block.with_area() & L::faces_around_origin(x, y, block.corners(), slack, winding)
}
