//! The faces near a position, for distance queries.

use super::blocks::Block;
use super::gather::CornerSides;
use super::point_triangle::Faces;
use super::simd::{Kernel, LaneMask, N_LANES, SimdVector};
use super::slabs::OpenBoxes;
use super::tree::{Area, NodeRef};
use super::{TriangleIndex, set_lanes};
use crate::MaskFilter;
use glam::{DVec3, Vec3, Vec4};

/// A face as a traversal hands it out.
#[derive(Debug, Clone, Copy)]
pub(super) struct FaceRef {
    /// Index in the arrays that the index was built from.
    pub face: u32,
    /// Block and lane, as `block * 16 + lane`.
    pub place: u32,
    /// Corners in its winding; finite.
    pub vertices: [[f32; 3]; 3],
}

impl TriangleIndex {
    /// Calls `visit` once with every face whose bounds overlap a closed box, in no stated order. A box with a NaN
    /// or with `low > high` holds nothing.
    pub(super) fn for_faces_near(
        &self,
        low: Vec3,
        high: Vec3,
        filter: MaskFilter,
        visit: impl FnMut(FaceRef),
    ) {
        if low.cmple(high).all() && self.n_faces != 0 {
            self.instructions.run(BoxVisit {
                index: self,
                low,
                high,
                filter,
                visit,
            });
        }
    }

    /// Calls `visit` once with each face whose distance, rounded to f32, is not above the limit of that moment, and
    /// with that distance; in no stated order. `visit` returns the new limit, never above the one before. `point` is
    /// finite.
    pub(super) fn for_faces_by_distance(
        &self,
        point: Vec3,
        filter: MaskFilter,
        limit: f32,
        wanted: Wanted,
        visit: impl FnMut(FaceRef, f32) -> f32,
    ) {
        self.instructions.run(DistanceVisit {
            index: self,
            point: point.extend(0.0),
            filter,
            limit,
            wanted,
            visit,
        });
    }

    #[inline(always)]
    pub(super) fn face_ref(&self, block: usize, lane: usize) -> FaceRef {
        FaceRef {
            face: self.blocks[block].faces[lane],
            place: (block * N_LANES + lane) as u32,
            vertices: self.blocks[block].face_corners(lane),
        }
    }
}

struct BoxVisit<'a, V> {
    index: &'a TriangleIndex,
    low: Vec3,
    high: Vec3,
    filter: MaskFilter,
    visit: V,
}

impl<V: FnMut(FaceRef)> Kernel for BoxVisit<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<L: SimdVector>(self) {
        let Self {
            index,
            low,
            high,
            filter,
            mut visit,
        } = self;
        let area = Area::new(low, high, index.bounds());
        let mut blocks = index.tree.blocks_in::<L>(area);
        while let Some((first, mut children)) = blocks.next::<L>() {
            while children != 0 {
                let block_idx = (first + children.trailing_zeros()) as usize;
                children &= children - 1;
                let block = &index.blocks[block_idx];
                let found = block.held()
                    & !CornerSides::<L>::new(block, &area).beside()
                    & index.matching_lanes(block_idx, filter);
                set_lanes(found).for_each(|lane| visit(index.face_ref(block_idx, lane)));
            }
        }
    }
}

struct DistanceVisit<'a, V> {
    index: &'a TriangleIndex,
    /// In a register, which is written at once, as that of `HeightQuery`.
    point: Vec4,
    filter: MaskFilter,
    limit: f32,
    wanted: Wanted,
    visit: V,
}

/// How many faces a visitor wants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The nearest, so that a face can be skipped if another is known to be nearer.
    One,
    Many,
}

impl<V: FnMut(FaceRef, f32) -> f32> Kernel for DistanceVisit<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<L: SimdVector>(mut self) {
        let index = self.index;
        let point = self.point.truncate();
        let gaps = Gaps::new(point, index.bounds());
        let mut reach = square_above(self.limit);
        // What lies right above or below is near enough to spare most of the tree.
        let cell = index.column_grid.cell_under(point.truncate());
        let (column, _) = index.column_grid.blocks_over(cell);
        for &block_idx in &column {
            reach = self.visit_block::<L>(&gaps, block_idx as usize, reach);
        }
        let n_nodes = index.tree.n_nodes();
        let mut open = OpenBoxes::new();
        if n_nodes != 0 {
            open.push(0.0, 0);
        }
        while let Some(number) = open.nearest_within(reach) {
            if number < n_nodes {
                let node = index.tree.node(number as u32);
                let (children, squares) = gaps.to_children::<L>(node, reach);
                open.add(node.first_child(), children, &squares);
                continue;
            }
            let block_idx = number - n_nodes;
            if !column.contains(&(block_idx as u32)) {
                reach = self.visit_block::<L>(&gaps, block_idx, reach);
            }
        }
    }
}

impl<V: FnMut(FaceRef, f32) -> f32> DistanceVisit<'_, V> {
    /// Visits the faces of a block that are within a reach; the new reach, the square of a distance.
    #[inline(always)]
    fn visit_block<L: SimdVector>(&mut self, gaps: &Gaps, block_idx: usize, mut reach: f32) -> f32 {
        let block = &self.index.blocks[block_idx];
        let seen = block.held() & self.index.matching_lanes(block_idx, self.filter);
        if self.wanted == Wanted::One && seen != 0 && seen == block.held() {
            // Each vertex is of a face that is seen.
            reach = reach.min(gaps.square_above_nearest_vertex::<L>(block));
        }
        let candidates = if L::PICKS_AT_ONCE {
            seen & gaps.within::<L>(&block.all_corners(), reach)
        } else {
            seen & !CornerSides::<L>::new(block, &gaps.area(reach)).beside()
        };
        // As many as a register holds: what is computed of fewer is for nothing.
        match L::N_F64 {
            8 => self.visit_faces::<8>(block_idx, candidates, reach),
            4 => self.visit_faces::<4>(block_idx, candidates, reach),
            _ => self.visit_faces::<2>(block_idx, candidates, reach),
        }
    }

    #[inline(always)]
    fn visit_faces<const N: usize>(
        &mut self,
        block_idx: usize,
        mut candidates: LaneMask,
        mut reach: f32,
    ) -> f32 {
        let block = &self.index.blocks[block_idx];
        let point = self.point.truncate().to_array().map(|along| [along; N]);
        while candidates != 0 {
            let (mut faces, mut lanes, mut n) = (Faces::<N>::new(), [0; N], 0);
            while n < N && candidates != 0 {
                lanes[n] = candidates.trailing_zeros() as usize;
                candidates &= candidates - 1;
                faces.set(n, &block.face_corners(lanes[n]));
                n += 1;
            }
            let mut squares = faces.distances_squared(&point, 0);
            squares[n..].fill(f64::INFINITY);
            if self.wanted == Wanted::One {
                let least = squares
                    .iter()
                    .fold(f64::INFINITY, |a, &b| if b < a { b } else { a });
                reach = reach.min(least as f32 * (1.0 + 32.0 * f32::EPSILON) + f32::MIN_POSITIVE);
            }
            // Bits first, then one branch for each: which faces are near enough cannot be foreseen.
            let bits = squares.iter().enumerate();
            let mut near = bits.fold(0_u32, |near, (i, &square)| {
                near | u32::from(square <= f64::from(reach)) << i
            });
            while near != 0 {
                let i = near.trailing_zeros() as usize % N;
                near &= near - 1;
                let distance = squares[i].sqrt() as f32;
                if distance <= self.limit {
                    let face = self.index.face_ref(block_idx, lanes[i]);
                    self.limit = (self.visit)(face, distance);
                    reach = reach.min(square_above(self.limit));
                }
            }
        }
        reach
    }
}

/// The square of a distance that may have been rounded down to a limit, and more than f32 rounding can take from
/// the squares that are compared with it.
#[inline(always)]
pub(super) fn square_above(limit: f32) -> f32 {
    let limit = limit.next_up();
    limit * limit * (1.0 + 32.0 * f32::EPSILON) + f32::MIN_POSITIVE
}

/// A point against boxes.
pub(super) struct Gaps {
    point: [f32; 3],
    /// More than rounding can move the planes of a node's children.
    slack: f32,
}

impl Gaps {
    /// Of no point.
    pub const NONE: Self = Self {
        point: [0.0; 3],
        slack: 0.0,
    };

    #[inline(always)]
    pub fn new(point: Vec3, (low, high): (Vec3, Vec3)) -> Self {
        let farthest = point.abs().max(low.abs()).max(high.abs()).max_element();
        Self {
            point: point.to_array(),
            // Endless where differences of coordinates may be more than f32 holds.
            slack: (16.0 * farthest) * f32::EPSILON,
        }
    }

    /// Children of a node that may be within a reach, and the squares of their distances, or less.
    #[inline(always)]
    pub fn to_children<L: SimdVector>(
        &self,
        node: NodeRef,
        reach: f32,
    ) -> (LaneMask, [f32; N_LANES]) {
        let low = [node.side(0), node.side(1), node.side(2)];
        let high = [node.side(3), node.side(4), node.side(5)];
        let squares = L::squares_to_boxes(low, high, self.point, self.slack);
        let is_beyond = L::splat(reach).is_below(squares);
        (node.held() & !is_beyond, squares.store())
    }

    /// A box around all that is within a reach.
    #[inline(always)]
    pub fn area(&self, reach: f32) -> Area {
        Area::around(self.point, reach.sqrt().next_up())
    }

    /// The square of the distance of the nearest vertex, or a little more.
    #[inline(always)]
    pub fn square_above_nearest_vertex<L: SimdVector>(&self, block: &Block) -> f32 {
        let mut squares = L::splat(0.0);
        for axis in 0..3 {
            let gap = L::load(block.coordinates(axis)).sub(L::splat(self.point[axis]));
            squares = squares.add(gap.mul(gap));
        }
        squares.least() * (1.0 + 32.0 * f32::EPSILON) + f32::MIN_POSITIVE
    }

    /// Lanes of faces whose bounds may be within a reach, by their corners.
    #[inline(always)]
    pub fn within<L: SimdVector>(&self, corners: &[[L; 3]; 3], reach: f32) -> LaneMask {
        let mut squares = L::splat(0.0);
        for (axis, &[a, b, c]) in corners.iter().enumerate() {
            let point = L::splat(self.point[axis]);
            let below = a.min(b).min(c).sub(point);
            let above = point.sub(a.max(b).max(c));
            let gap = below.max(above).max(L::splat(0.0));
            squares = squares.add(gap.mul(gap));
        }
        !L::splat(reach).is_below(squares)
    }
}

impl FaceRef {
    /// Smallest and largest corner.
    pub fn bounds(&self) -> [DVec3; 2] {
        let [a, b, c] = self.corners();
        [a.min(b).min(c), a.max(b).max(c)]
    }

    /// Corners in its winding.
    pub fn corners(&self) -> [DVec3; 3] {
        self.vertices.map(|v| Vec3::from_array(v).as_dvec3())
    }
}
