//! Heights: what stands over a point of the ground plane.

use super::blocks::{Block, pick};
use super::column::facts_at;
use super::height_stream::HeightRun;
use super::lanes::{Kernel, LaneMask, Lanes, N_LANES};
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

    /// The highest face at or below `z`: the floor of who stands there. Else as [`height_at`](Self::height_at).
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
    pub fn heights_at(&self, points: &[Vec2], filter: MaskFilter, hits: &mut [Option<HeightHit>]) {
        assert_eq!(points.len(), hits.len(), "one answer a point");
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

    /// Apart from the usual case, which it would make longer.
    #[inline(never)]
    fn best_of_several(&self, query: HeightQuery<'_>) -> Option<HeightHit> {
        self.instructions.run(SeveralQuery(query))
    }

    #[inline]
    fn height(&self, x: f32, y: f32, filter: MaskFilter, wanted: Wanted) -> Option<HeightHit> {
        self.instructions.run(HeightQuery {
            index: self,
            point: Vec4::new(x, y, 0.0, 0.0),
            filter,
            wanted,
        })
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
    /// keep this question waiting for the end of the one before.
    point: Vec4,
    filter: MaskFilter,
    wanted: Wanted,
}

impl Kernel for HeightQuery<'_> {
    type Answer = Option<HeightHit>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Option<HeightHit> {
        if self.filter == MaskFilter::ALL {
            self.answer::<L, false>()
        } else {
            self.answer::<L, true>()
        }
    }
}

impl HeightQuery<'_> {
    /// Where one or two blocks are over the point, and one face at most.
    #[inline(always)]
    fn answer<L: Lanes, const IS_MASKED: bool>(self) -> Option<HeightHit> {
        let Self {
            index,
            point,
            filter,
            wanted,
        } = self;
        let point = point.xy();
        let cell = index.plan.cell(index.plan.cell_under(point));
        if cell.has_list() {
            return index.best_of_several(self);
        }
        let mut over = Over::default();
        for block_idx in cell.blocks() {
            let mut candidates = candidates_over::<L>(&index.blocks[block_idx as usize], point);
            if IS_MASKED {
                candidates &= index.seen_lanes(block_idx as usize, filter);
            }
            over.add(block_idx, candidates);
        }
        if over.n > 1 {
            return index.best_of_several(self);
        }
        if over.n == 0 {
            return None;
        }
        let facts = facts_at(index, over.place, point);
        let counts = wanted.counts(facts.z[0]);
        facts.hit(0, index, over.place).filter(|_| counts)
    }
}

/// Faces that may be over a point.
#[derive(Default)]
struct Over {
    n: u32,
    /// Place of one of them.
    place: u32,
}

impl Over {
    /// Adds those of a block.
    #[inline(always)]
    fn add(&mut self, block_idx: u32, candidates: LaneMask) {
        self.n += candidates.count_ones();
        // No branch: whether a face of this block is over the point cannot be foreseen.
        let found = block_idx * N_LANES as u32 + candidates.trailing_zeros();
        self.place = if candidates == 0 { self.place } else { found };
    }
}

/// The best of several faces: over an edge, or storeys above each other.
struct SeveralQuery<'a>(HeightQuery<'a>);

impl Kernel for SeveralQuery<'_> {
    type Answer = Option<HeightHit>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Option<HeightHit> {
        let HeightQuery {
            index,
            point,
            filter,
            wanted,
        } = self.0;
        let point = point.xy();
        let mut best: Option<HeightHit> = None;
        let (two, others) = index.plan.blocks_over(index.plan.cell_under(point));
        for &block_idx in two.iter().chain(others) {
            let seen = index.seen_lanes(block_idx as usize, filter);
            let block = &index.blocks[block_idx as usize];
            for lane in set_lanes(candidates_over::<L>(block, point) & seen) {
                let place = block_idx * N_LANES as u32 + lane as u32;
                let Some(hit) = facts_at(index, place, point).hit(0, index, place) else {
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
/// The edge functions of [`Columns::write_facts`](super::column::Columns::write_facts) in f32. A difference of two f32 is off by
/// 2^-24 of itself at most, a product of two such by three times that; a face that holds the point lies within the
/// block's size s of it, so an edge function is off by less than 8 * 2^-24 * s^2; the smallest normal number covers
/// what underflows. Where products of the size overflow, so does the margin, and nothing is left out.
#[inline(always)]
pub(super) fn candidates_over<L: Lanes>(block: &Block, point: Vec2) -> LaneMask {
    let places = block.places::<L>();
    // Sixteen vertices are moved rather than the three corners of sixteen faces.
    let x = L::load(block.coordinates(0)).sub(L::splat(point.x));
    let y = L::load(block.coordinates(1)).sub(L::splat(point.y));
    let margin = 2.0 * block.size() * block.size() * (4.0 * f32::EPSILON) + f32::MIN_POSITIVE;
    block.with_area() & !outside(pick(x, places), pick(y, places), margin)
}

/// Lanes whose three edge functions about the origin differ in sign by more than a margin.
#[inline(always)]
pub(super) fn outside<L: Lanes>(
    [ax, bx, cx]: [L; 3],
    [ay, by, cy]: [L; 3],
    margin: f32,
) -> LaneMask {
    let u = cx.mul_sub(by, cy.mul(bx));
    let v = ax.mul_sub(cy, ay.mul(cx));
    let w = bx.mul_sub(ay, by.mul(ax));
    let least = u.min(v).min(w);
    let most = u.max(v).max(w);
    let margin = L::splat(margin);
    least.is_below(L::splat(0.0).sub(margin)) & margin.is_below(most)
}
