//! Outlines of all areals, end to end, and which points they hold.

use super::Areal;
use super::lists::list_of;
use super::plane::orient;
use glam::{Vec2, Vec3};
use std::ops::Range;

/// Edges that are tested together.
const LANES: usize = 4;

/// All outlines. Edge `k` of an areal runs from its vertex `k` to the next; edges and vertices share an index.
#[derive(Debug, Clone)]
pub(super) struct Outlines {
    records: Vec<Outline>,
    vertices: Vec<Vec3>,
    /// Edges of areal `a` are those of `blocks[block_starts[a]..block_starts[a + 1]]`; none if it holds nothing.
    blocks: Vec<EdgeBlock>,
    block_starts: Vec<u32>,
}

/// An areal seen from above. One that holds nothing has inverted bounds: it has fewer than three vertices, or
/// one that is not finite.
#[derive(Debug, Clone, Copy)]
struct Outline {
    min: Vec2,
    max: Vec2,
    first: u32,
    n_vertices: u32,
}

/// A run of edges in the ground plane; edge `k` runs from corner `k` to the next. The last block of an areal is
/// filled up with its first vertex.
#[derive(Debug, Clone, Copy)]
struct EdgeBlock {
    x: [f32; LANES + 1],
    y: [f32; LANES + 1],
}

/// What a block says of a point.
enum Crossings {
    /// Whether a ray from the point crosses an odd number of edges.
    IsOdd(bool),
    /// The point is on an edge, or so near that `f32` cannot decide.
    Unsure,
}

impl Outlines {
    pub fn new(areals: &[Areal]) -> Self {
        let mut vertices: Vec<Vec3> = Vec::new();
        let mut records = Vec::with_capacity(areals.len());
        let mut blocks = Vec::new();
        let mut block_starts = vec![0];
        for areal in areals {
            let first = vertices.len();
            let outline = areal.vertices.iter().copied().map(Vec3::from_array);
            vertices.extend(outline.clone());
            let plan: Vec<Vec2> = outline.map(Vec3::truncate).collect();
            let is_sound = plan.len() >= 3 && plan.iter().all(|v| v.is_finite());
            if is_sound {
                let firsts = (0..plan.len()).step_by(LANES);
                blocks.extend(firsts.map(|first| EdgeBlock::new(&plan, first)));
            }
            block_starts.push(blocks.len() as u32);
            let (min, max) = if is_sound {
                let corners = || plan.iter().copied();
                (
                    corners().fold(Vec2::INFINITY, Vec2::min),
                    corners().fold(Vec2::NEG_INFINITY, Vec2::max),
                )
            } else {
                (Vec2::INFINITY, Vec2::NEG_INFINITY)
            };
            records.push(Outline {
                min,
                max,
                first: first as u32,
                n_vertices: areal.vertices.len() as u32,
            });
        }
        Self {
            records,
            vertices,
            blocks,
            block_starts,
        }
    }
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "hot; areals come from loops over all or from links and cells, which were compared with the outlines; \
              a vertex takes twelve bytes of a file, so all of them fit an index"
)]
impl Outlines {
    pub fn n_areals(&self) -> usize {
        self.records.len()
    }

    pub fn n_vertices(&self) -> usize {
        self.vertices.len()
    }

    /// Vertices of an areal, which are also its edges.
    pub fn vertices_of(&self, areal: u32) -> Range<usize> {
        let Outline {
            first, n_vertices, ..
        } = self.records[areal as usize];
        first as usize..first as usize + n_vertices as usize
    }

    pub fn outline(&self, areal: u32) -> &[Vec3] {
        &self.vertices[self.vertices_of(areal)]
    }

    pub fn vertex(&self, vertex: u32) -> Vec3 {
        self.vertices[vertex as usize]
    }

    /// A vertex in the ground plane.
    pub fn plan(&self, vertex: u32) -> Vec2 {
        self.vertices[vertex as usize].truncate()
    }

    /// Edges of an areal: index among all edges, where each begins, where it ends.
    #[inline]
    pub fn edges(&self, areal: u32) -> impl Iterator<Item = (u32, Vec2, Vec2)> {
        let range = self.vertices_of(areal);
        let vertices = &self.vertices[range.clone()];
        let ends = vertices.iter().cycle().skip(1);
        let edges = vertices.iter().zip(ends).zip(range.start as u32..);
        edges.map(|((a, b), edge)| (edge, a.truncate(), b.truncate()))
    }

    /// The vertex at the end of an edge of an areal.
    pub fn end_of(&self, areal: u32, edge: u32) -> u32 {
        let vertices = self.vertices_of(areal);
        let next = edge as usize + 1;
        if next == vertices.end {
            vertices.start as u32
        } else {
            next as u32
        }
    }

    /// Smallest and largest x, y; `None` for an areal that holds nothing.
    #[inline]
    pub fn bounds(&self, areal: u32) -> Option<(Vec2, Vec2)> {
        let Outline { min, max, .. } = self.records[areal as usize];
        min.cmple(max).all().then_some((min, max))
    }

    /// All areals that may hold something, with their bounds.
    pub fn valid(&self) -> impl Iterator<Item = (u32, (Vec2, Vec2))> {
        (0..self.records.len() as u32).filter_map(|areal| Some((areal, self.bounds(areal)?)))
    }

    /// Even-odd rule with the border included, exact for all finite points.
    #[inline]
    pub fn contains(&self, areal: u32, point: Vec2) -> bool {
        let mut is_inside = false;
        for block in list_of(&self.blocks, &self.block_starts, areal as usize) {
            match block.crossings(point) {
                Crossings::IsOdd(is_odd) => is_inside ^= is_odd,
                Crossings::Unsure => return self.contains_exactly(areal, point),
            }
        }
        is_inside
    }

    #[cold]
    fn contains_exactly(&self, areal: u32, point: Vec2) -> bool {
        let mut is_inside = false;
        for (_, a, b) in self.edges(areal) {
            let is_in_box = point.cmpge(a.min(b)).all() && point.cmple(a.max(b)).all();
            let crosses = (a.y > point.y) != (b.y > point.y);
            if is_in_box || crosses {
                let side = orient(a, b, point);
                if is_in_box && side == 0.0 {
                    return true;
                }
                is_inside ^= crosses && (side > 0.0) == (b.y > a.y);
            }
        }
        is_inside
    }
}

impl EdgeBlock {
    fn new(plan: &[Vec2], first: usize) -> Self {
        let corner = |i: usize| {
            let own = plan.get(first.saturating_add(i)).or(plan.first());
            own.copied().unwrap_or_default()
        };
        Self {
            x: std::array::from_fn(|i| corner(i).x),
            y: std::array::from_fn(|i| corner(i).y),
        }
    }

    /// Without a branch on what a single edge says; the loop becomes vector instructions.
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "hot; a block has a corner more than lanes"
    )]
    #[inline]
    fn crossings(&self, point: Vec2) -> Crossings {
        let (mut is_odd, mut is_unsure) = (0_u32, 0_u32);
        for i in 0..LANES {
            let (ax, bx) = (self.x[i], self.x[i + 1]);
            let (ay, by) = (self.y[i], self.y[i + 1]);
            let left = (bx - ax) * (point.y - ay);
            let right = (by - ay) * (point.x - ax);
            let side = left - right;
            // Two differences and a product, and the last difference: under four halves of an epsilon. The
            // smallest number covers products that are too small to be exact.
            let doubt = 2.0 * f32::EPSILON * (left.abs() + right.abs()) + f32::MIN_POSITIVE;
            let begins_above = ay > point.y;
            let ends_above = by > point.y;
            let is_level = (begins_above != ends_above) | (ay == point.y) | (by == point.y);
            is_unsure |= u32::from(is_level) & !u32::from(side.abs() > doubt);
            is_odd ^= u32::from((begins_above != ends_above) & ((side > 0.0) == ends_above));
        }
        if is_unsure != 0 {
            Crossings::Unsure
        } else {
            Crossings::IsOdd(is_odd != 0)
        }
    }
}
