//! Nearest faces of many points at once.
//!
//! A single point spends most of its time on guesses about what is near, one leading to the next. Here each step is a
//! loop over a flat list: the faces right above and below all points, then level by level down the tree what is not
//! farther than these, then the faces of the blocks that this leads to.
#![allow(
    clippy::needless_range_loop,
    reason = "several lists are traversed in parallel, by index"
)]

use super::TriangleIndex;
use super::face_bound::are_beyond;
use super::near::{Gaps, square_above};
use super::nearest::{NearestFace, distance_limit};
use super::pairs::{N_OWNERS, Pairs};
use super::point_triangle::Faces;
use super::simd::{self, Kernel, LaneMask, N_F64, N_LANES, SimdVector};
use crate::MaskFilter;
use glam::Vec3;

/// Points that are taken together.
pub(super) const N_POINTS: usize = N_OWNERS;
/// Faces that are decided on together.
const N_FACES: usize = 256;

/// The points of one task, at most [`N_POINTS`].
pub(super) struct NearestRun<'a> {
    pub index: &'a TriangleIndex,
    pub points: &'a [Vec3],
    pub max_distance: f32,
    pub filter: MaskFilter,
    pub faces: &'a mut [Option<NearestFace>],
}

impl Kernel for NearestRun<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: SimdVector>(self) {
        let Self {
            index,
            points,
            max_distance,
            filter,
            faces,
        } = self;
        let mut search = Search::new(index, points, max_distance, filter);
        search.visit_columns::<L>();
        let is_complete = search.visit_tree::<L>().is_some();
        search.result(faces, max_distance, is_complete);
    }
}

struct Search<'a> {
    index: &'a TriangleIndex,
    filter: MaskFilter,
    points: &'a [Vec3],
    gaps: [Gaps; N_POINTS],
    /// Squares of distances beyond which nothing matters; below zero for inactive points.
    reaches: [f32; N_POINTS],
    /// The nearest face so far: the bits of its distance above its index, so that the least wins.
    nearest: [u64; N_POINTS],
    /// Blocks right above and below, which were visited first.
    columns: [[u32; 2]; N_POINTS],
    faces: FaceList,
}

/// Faces, each with a point.
struct FaceList {
    /// By axis, then by corner.
    corners: [[[f32; N_FACES + N_LANES]; 3]; 3],
    /// By axis.
    points: [[f32; N_FACES + N_LANES]; 3],
    reaches: [f32; N_FACES + N_LANES],
    faces: [u32; N_FACES + N_LANES],
    owners: [u32; N_FACES + N_LANES],
    n: usize,
}

const NO_FACE: u32 = u32::MAX;

impl<'a> Search<'a> {
    #[inline(always)]
    fn new(
        index: &'a TriangleIndex,
        points: &'a [Vec3],
        max_distance: f32,
        filter: MaskFilter,
    ) -> Self {
        let mut search = Self {
            index,
            filter,
            points,
            gaps: [const { Gaps::NONE }; N_POINTS],
            reaches: [-1.0; N_POINTS],
            nearest: [u64::from(NO_FACE); N_POINTS],
            columns: [[0; 2]; N_POINTS],
            faces: FaceList::new(),
        };
        for (i, &point) in points.iter().enumerate() {
            if let Some(limit) = distance_limit(point, max_distance) {
                search.gaps[i] = Gaps::new(point, index.bounds());
                search.reaches[i] = square_above(limit);
                search.nearest[i] |= u64::from(limit.to_bits()) << 32;
            }
        }
        search
    }

    /// Visits what lies right above and below: near enough to spare most of the tree.
    #[inline(always)]
    fn visit_columns<L: SimdVector>(&mut self) {
        let index = self.index;
        let mut cells = [0; N_POINTS];
        for (cell, point) in cells.iter_mut().zip(self.points) {
            *cell = index.column_grid.cell_under(point.truncate());
            index.column_grid.prefetch(*cell);
        }
        for i in 0..self.points.len() {
            (self.columns[i], _) = index.column_grid.blocks_over(cells[i]);
            simd::prefetch(&index.blocks[self.columns[i][0] as usize]);
            simd::prefetch(&index.blocks[self.columns[i][1] as usize]);
        }
        for i in 0..self.points.len() {
            for block_idx in self.columns[i] {
                let block = &index.blocks[block_idx as usize];
                let seen = block.held() & index.matching_lanes(block_idx as usize, self.filter);
                let is_seen = seen != 0 && seen == block.held();
                let square = self.gaps[i].square_above_nearest_vertex::<L>(block);
                let reach = self.reaches[i].min(square);
                self.reaches[i] = if is_seen { reach } else { self.reaches[i] };
            }
        }
        for i in 0..self.points.len() {
            for block_idx in self.columns[i] {
                self.add_faces::<L>(block_idx as usize, i);
            }
        }
        self.decide::<L>();
    }

    /// Visits all blocks within reach; `None` if there are too many to be taken together. Points without a bound, of
    /// which there are few, are left out.
    #[inline(always)]
    fn visit_tree<L: SimdVector>(&mut self) -> Option<()> {
        let tree = &self.index.tree;
        let (mut pairs, mut children) = (Pairs::new(), Pairs::new());
        for i in 0..self.points.len() {
            let is_wanted = self.reaches[i] >= 0.0 && self.reaches[i] < f32::INFINITY;
            pairs.add_if(is_wanted && tree.n_nodes() != 0, 0, i);
        }
        for _ in 0..tree.n_levels {
            children.n = 0;
            for pair in 0..pairs.n {
                let (node, point) = pairs.get(pair);
                let node = tree.node(node);
                let (mask, _) = self.gaps[point].to_children::<L>(node, self.reaches[point]);
                children.add_lanes::<L>(node.first_child(), mask, point);
                if children.is_full() {
                    return None;
                }
            }
            std::mem::swap(&mut pairs, &mut children);
        }
        // Blocks, without those that were visited as columns.
        let mut n = 0;
        for pair in 0..pairs.n {
            let (number, point) = pairs.get(pair);
            let block_idx = number - tree.n_nodes() as u32;
            pairs.things[n] = block_idx;
            pairs.owners[n] = point as u8;
            let [first, second] = self.columns[point];
            n += usize::from((block_idx != first) & (block_idx != second));
        }
        for &block_idx in &pairs.things[..n] {
            simd::prefetch(&self.index.blocks[block_idx as usize]);
        }
        for pair in 0..n {
            let (block_idx, point) = pairs.get(pair);
            self.add_faces::<L>(block_idx as usize, point);
        }
        self.decide::<L>();
        Some(())
    }

    /// Lists the faces of a block that may be within the reach of a point.
    #[inline(always)]
    fn add_faces<L: SimdVector>(&mut self, block_idx: usize, point: usize) {
        let block = &self.index.blocks[block_idx];
        let corners = block.all_corners::<L>();
        let mask = block.held()
            & self.index.matching_lanes(block_idx, self.filter)
            & self.gaps[point].within::<L>(&corners, self.reaches[point]);
        let list = &mut self.faces;
        let n = list.n;
        for axis in 0..3 {
            for corner in 0..3 {
                let out = lanes_at_mut(&mut list.corners[axis][corner], n);
                corners[axis][corner].compress(mask, out);
            }
            list.points[axis][n..n + N_LANES].fill(self.points[point][axis]);
        }
        L::compress_numbers(&block.faces, mask, lanes_at_mut(&mut list.faces, n));
        list.reaches[n..n + N_LANES].fill(self.reaches[point]);
        list.owners[n..n + N_LANES].fill(point as u32);
        list.n += mask.count_ones() as usize;
        if list.n > N_FACES {
            self.decide::<L>();
        }
    }

    /// Decides on the faces that are listed.
    #[inline(always)]
    fn decide<L: SimdVector>(&mut self) {
        let list = &mut self.faces;
        list.thin::<L>();
        let n = std::mem::take(&mut list.n);
        let mut keys = [0; N_FACES + N_LANES];
        for begin in (0..n).step_by(N_F64) {
            let squares = Faces::<N_F64>::from_list(&list.corners, begin)
                .distances_squared(&list.points, begin);
            for i in 0..N_F64 {
                let distance = squares[i].sqrt() as f32;
                keys[begin + i] =
                    u64::from(distance.to_bits()) << 32 | u64::from(list.faces[begin + i]);
            }
        }
        for i in 0..n {
            let nearest = &mut self.nearest[list.owners[i] as usize % N_POINTS];
            *nearest = keys[i].min(*nearest);
        }
        for (nearest, reach) in self.nearest.iter().zip(&mut self.reaches) {
            *reach = reach.min(square_above(f32::from_bits((nearest >> 32) as u32)));
        }
    }

    /// Stores the results of all points: one at a time for those without a bound, and for all if they did not descend
    /// the BVH.
    #[inline(always)]
    fn result(&self, results: &mut [Option<NearestFace>], max_distance: f32, is_complete: bool) {
        let (index, points) = (self.index, self.points);
        let (mut found, mut places, mut n) = ([0; N_POINTS], [0; N_POINTS], 0);
        for (i, result) in results.iter_mut().enumerate() {
            *result = None;
            if !is_complete || self.reaches[i] == f32::INFINITY {
                *result = index.closest_point(points[i], max_distance, self.filter);
            } else if self.nearest[i] as u32 != NO_FACE {
                found[n] = i;
                places[n] = index.place_of_face[self.nearest[i] as u32 as usize];
                n += 1;
            }
        }
        let mut groups = [const { (Faces::<N_F64>::new(), [[0.0; N_F64]; 3]) }; N_POINTS / N_F64];
        for i in 0..n {
            let (faces, of_group) = &mut groups[i / N_F64];
            faces.set(i % N_F64, &index.corners_at(places[i]));
            for (along, coordinate) in of_group.iter_mut().zip(points[found[i]].to_array()) {
                along[i % N_F64] = coordinate;
            }
        }
        for (group, (faces, points)) in groups[..n.div_ceil(N_F64)].iter().enumerate() {
            let nearest = faces.nearest_points(points);
            let begin = group * N_F64;
            for i in 0..N_F64.min(n - begin) {
                let (found, place) = (found[begin + i], places[begin + i]);
                let distance = f32::from_bits((self.nearest[found] >> 32) as u32);
                let result = NearestFace::from_point(index, place, distance, &nearest, i);
                results[found] = Some(result);
            }
        }
    }
}

impl FaceList {
    #[inline(always)]
    fn new() -> Self {
        Self {
            corners: [[[0.0; _]; 3]; 3],
            points: [[0.0; _]; 3],
            reaches: [0.0; _],
            faces: [0; _],
            owners: [0; _],
            n: 0,
        }
    }
    /// Leaves out faces that are beyond their reach.
    #[inline(always)]
    fn thin<L: SimdVector>(&mut self) {
        let n = std::mem::take(&mut self.n);
        for begin in (0..n).step_by(N_LANES) {
            let end = begin + N_LANES;
            let mut corners = [[L::splat(0.0); 3]; 3];
            let mut relative = corners;
            let mut points = [L::splat(0.0); 3];
            for axis in 0..3 {
                points[axis] = L::load(lanes_at(&self.points[axis], begin));
                for corner in 0..3 {
                    corners[axis][corner] = L::load(lanes_at(&self.corners[axis][corner], begin));
                    relative[axis][corner] = corners[axis][corner].sub(points[axis]);
                }
            }
            let reaches = L::load(lanes_at(&self.reaches, begin));
            let listed = LaneMask::MAX >> end.saturating_sub(n);
            let kept = listed & !are_beyond(&relative, reaches);
            let out = self.n;
            for axis in 0..3 {
                for corner in 0..3 {
                    let out = lanes_at_mut(&mut self.corners[axis][corner], out);
                    corners[axis][corner].compress(kept, out);
                }
                points[axis].compress(kept, lanes_at_mut(&mut self.points[axis], out));
            }
            for list in [&mut self.faces, &mut self.owners] {
                // The place to write to is at or before that to read from.
                let some = *lanes_at(list, begin);
                L::compress_numbers(&some, kept, lanes_at_mut(list, out));
            }
            self.n += kept.count_ones() as usize;
        }
    }
}

/// Sixteen of a list.
#[inline(always)]
fn lanes_at<T>(list: &[T; N_FACES + N_LANES], begin: usize) -> &[T; N_LANES] {
    list[begin..].first_chunk().expect("the list is padded")
}

#[inline(always)]
fn lanes_at_mut<T>(list: &mut [T; N_FACES + N_LANES], begin: usize) -> &mut [T; N_LANES] {
    let lanes = list[begin..].first_chunk_mut();
    lanes.expect("the list is padded")
}
