//! Heights: what stands over a point of the ground plane.

use super::blocks::Block;
use super::column::facts_at;
use super::height_stream::HeightRun;
use super::lanes::{Kernel, LaneMask, Lanes, N_LANES};
use super::plan::List;
use super::{TriangleIndex, set_lanes};
use crate::MaskFilter;
use glam::{Vec2, Vec3};
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

    fn height(&self, x: f32, y: f32, filter: MaskFilter, wanted: Wanted) -> Option<HeightHit> {
        self.instructions.run(HeightQuery {
            index: self,
            point: Vec2::new(x, y),
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
    point: Vec2,
    filter: MaskFilter,
    wanted: Wanted,
}

impl Kernel for HeightQuery<'_> {
    type Answer = Option<HeightHit>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Option<HeightHit> {
        let Self {
            index,
            point,
            filter,
            wanted,
        } = self;
        match over_point::<L>(index, point, index.plan.list_over(point), filter) {
            Over::None => None,
            Over::One(place) => {
                let facts = facts_at(index, place, point);
                let counts = wanted.counts(facts.z[0]);
                facts.hit(0, index, place).filter(|_| counts)
            }
            Over::Several => index.best_of_several(self),
        }
    }
}

/// What may be over a point.
#[derive(Clone, Copy)]
enum Over {
    None,
    /// One face alone, by its place.
    One(u32),
    Several,
}

#[inline(always)]
fn over_point<L: Lanes>(
    index: &TriangleIndex,
    point: Vec2,
    list: List,
    filter: MaskFilter,
) -> Over {
    let (mut n, mut place) = (0, 0);
    for &block_idx in index.plan.blocks(list) {
        let seen = index.seen_lanes(block_idx as usize, filter);
        let block = &index.blocks[block_idx as usize];
        let candidates = candidates_over::<L>(block, point) & seen;
        n += candidates.count_ones();
        // No branch: whether a face of this block is over the point cannot be foreseen.
        let found = block_idx * N_LANES as u32 + candidates.trailing_zeros();
        place = if candidates == 0 { place } else { found };
    }
    match n {
        0 => Over::None,
        1 => Over::One(place),
        _ => Over::Several,
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
        let mut best: Option<HeightHit> = None;
        for &block_idx in index.plan.blocks(index.plan.list_over(point)) {
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
/// The edge functions of [`Columns::facts`](super::column::Columns::facts) in f32. A difference of two f32 is off by
/// 2^-24 of itself at most, a product of two such by three times that; a face that holds the point lies within the
/// block's size s of it, so an edge function is off by less than 8 * 2^-24 * s^2; the smallest normal number covers
/// what underflows.
#[inline(always)]
pub(super) fn candidates_over<L: Lanes>(block: &Block, point: Vec2) -> LaneMask {
    let [[ax, bx, cx], [ay, by, cy]] = block.plan_corners::<L>();
    let (x, y) = (L::splat(point.x), L::splat(point.y));
    let margin = 8.0 * f32::EPSILON * block.size() * block.size() + f32::MIN_POSITIVE;
    block.with_area()
        & !outside(
            [ax.sub(x), bx.sub(x), cx.sub(x)],
            [ay.sub(y), by.sub(y), cy.sub(y)],
            margin,
        )
}

/// Lanes whose three edge functions about the origin differ in sign by more than a margin.
#[inline(always)]
pub(super) fn outside<L: Lanes>(
    [ax, bx, cx]: [L; 3],
    [ay, by, cy]: [L; 3],
    margin: f32,
) -> LaneMask {
    let u = cx.mul(by).sub(cy.mul(bx));
    let v = ax.mul(cy).sub(ay.mul(cx));
    let w = bx.mul(ay).sub(by.mul(ax));
    let least = u.min(v).min(w);
    let most = u.max(v).max(w);
    least.is_below(L::splat(-margin)) & L::splat(margin).is_below(most)
}
