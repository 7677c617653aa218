//! Triangles: heights, rays, segments, boxes and nearest points over any mesh, first of all a terrain.
//!
//! A [`TriangleIndex`] copies the triangles once into blocks of sixteen (`blocks.rs`) under a tree of sixteen
//! children a node (`tree.rs`). Every query descends the BVH, filters the faces of a block sixteen at a time
//! (`simd/`), and decides on the few that are left one at a time.
//!
//! Arithmetic: stored numbers are f32, as in the file. The tests that decide are made in f64 with edge functions
//! that two faces compute from the same numbers for a shared edge, and edges belong to both faces, so nothing
//! slips between them (`ray_triangle.rs`). Filters are f32 with a margin for their rounding: they leave out no
//! face that the decision would take, so no result depends on them.
//!
//! Why so: `README.md` of this crate, with what else was tried and measured.

mod blocks;
mod build;
mod cast_ray;
mod cast_ray_batch;
mod column;
mod column_grid;
mod curve;
mod face_bound;
mod gather;
mod grid;
mod height;
mod height_stream;
mod moving_capsule;
mod near;
mod nearest;
mod nearest_stream;
mod pairs;
mod point_triangle;
mod radix;
mod ray_stream;
mod segment_triangle;
mod shape_cast;
mod simd;
mod slabs;
mod slide;
mod tree;
mod visit_faces;

pub use build::{Face, TriangleError};
pub use cast_ray::{RayHit, Sides};
pub use gather::Overlap;
pub use height::HeightHit;
pub use nearest::NearestFace;
pub use shape_cast::ShapeHit;
pub use simd::SimdLevel;
pub use slide::Slide;

use crate::MaskFilter;
use crate::ray_triangle::ShearedRay;
use blocks::{Block, BlockAttributes, normal_of};
use column_grid::ColumnGrid;
use glam::Vec3;
use simd::{LaneMask, N_LANES};
use tree::Tree;

/// Triangles, ready for queries. Immutable after it is built; share it freely.
///
/// Faces are named by their position in the slice that the index was built from. A face without area has no height
/// and stops no ray; boxes, nearest points, moving spheres and capsules find it as the segment or point that it
/// covers. A face with a non-finite vertex is found by nothing.
///
/// ```
/// use glam::{Vec2, Vec3};
/// use ironlands_sim_core::triangles::{Face, TriangleIndex};
/// use ironlands_sim_core::{MaskFilter, Ray};
///
/// // A square that rises to the east.
/// let positions = [[0.0, 0.0, 0.0], [4.0, 0.0, 2.0], [4.0, 4.0, 2.0], [0.0, 4.0, 0.0]];
/// let faces = [[0, 1, 2], [0, 2, 3]].map(|corners| Some(Face { corners, ..Face::default() }));
/// let index = TriangleIndex::new(&positions, &faces)?;
///
/// let ground = index.height_at(3.0, 1.0, MaskFilter::ALL).expect("above a face");
/// assert_eq!((ground.face, ground.z), (0, 1.5));
///
/// let down = Ray { origin: Vec3::new(1.0, 3.0, 10.0), direction: Vec3::NEG_Z };
/// let hit = index.cast_ray(&down, 100.0, MaskFilter::ALL).expect("above a face");
/// assert_eq!((hit.face, hit.t), (1, 9.5));
///
/// // A batch runs on all threads and returns what single queries return.
/// let points = [Vec2::new(3.0, 1.0), Vec2::new(9.0, 9.0)];
/// let mut heights = [None; 2];
/// index.height_at_batch(&points, MaskFilter::ALL, &mut heights);
/// assert_eq!(heights, [Some(ground), None]);
/// # Ok::<(), ironlands_sim_core::triangles::TriangleError>(())
/// ```
#[derive(Debug, Clone)]
pub struct TriangleIndex {
    blocks: Vec<Block>,
    /// Masks and materials of each block's faces, which most queries do not read.
    attributes: Vec<BlockAttributes>,
    tree: Tree,
    column_grid: ColumnGrid,
    /// Block and lane of each face, as `block * 16 + lane`; `NOT_HELD` for those that are not there.
    place_of_face: Vec<u32>,
    n_faces: usize,
    bounds_min: Vec3,
    bounds_max: Vec3,
    /// Largest coordinate of all faces, without its sign.
    farthest: f32,
    instructions: SimdLevel,
}

const NOT_HELD: u32 = u32::MAX;

/// Positions of the set bits, lowest first.
#[inline(always)]
fn set_lanes(mut mask: LaneMask) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (lane < N_LANES).then_some(lane)
    })
}

/// The point of a face with these weights of its corners.
fn point_of(corners: &[[f32; 3]; 3], weights: [f64; 3]) -> Vec3 {
    let along = |axis: usize| {
        let sum: f64 = (0..3)
            .map(|i| weights[i] * f64::from(corners[i][axis]))
            .sum();
        sum as f32
    };
    Vec3::new(along(0), along(1), along(2))
}

impl TriangleIndex {
    /// The same index at another SIMD level than the best of this processor, for comparisons. The
    /// results are the same to the bit.
    ///
    /// # Panics
    /// If this processor does not have them ([`SimdLevel::is_available`]).
    #[must_use]
    pub fn with_simd_level(self, instructions: SimdLevel) -> Self {
        assert!(instructions.is_available(), "no {instructions:?} here");
        Self {
            instructions,
            ..self
        }
    }

    /// The SIMD level at which queries run.
    pub fn simd_level(&self) -> SimdLevel {
        self.instructions
    }

    /// Number of faces that queries see.
    pub fn n_faces(&self) -> usize {
        self.n_faces
    }

    /// Bytes that queries may read, vertices included; the table from faces to their places is not among them.
    pub fn memory_bytes(&self) -> usize {
        size_of_val(self.blocks.as_slice())
            + size_of_val(self.attributes.as_slice())
            + self.tree.memory_bytes()
            + self.column_grid.memory_bytes()
    }

    /// Smallest and largest corner of all faces, world units; both zero when there is no face.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        (self.bounds_min, self.bounds_max)
    }

    /// The faces that queries see, ascending.
    pub fn faces(&self) -> impl Iterator<Item = u32> {
        let places = self.place_of_face.iter().enumerate();
        places.filter_map(|(face, &place)| (place != NOT_HELD).then_some(face as u32))
    }

    /// Mask of a face; `None` if it is not held.
    pub fn face_mask(&self, face: u32) -> Option<u32> {
        let (block, lane) = self.place(face)?;
        Some(self.attributes[block].masks[lane])
    }

    /// Material word of a face; `None` if it is not held.
    pub fn face_material(&self, face: u32) -> Option<u16> {
        let (block, lane) = self.place(face)?;
        Some(self.attributes[block].materials[lane])
    }

    /// Corners of a face, in its winding; `None` if it is not held.
    pub fn face_corners(&self, face: u32) -> Option<[Vec3; 3]> {
        let (block, lane) = self.place(face)?;
        let corners = self.blocks[block].face_corners(lane);
        Some(corners.map(Vec3::from_array))
    }

    /// Unit normal of a face by its winding, zero for a face without area; `None` if it is not held.
    pub fn face_normal(&self, face: u32) -> Option<Vec3> {
        let (block, lane) = self.place(face)?;
        Some(normal_of(&self.blocks[block].face_corners(lane)))
    }

    /// Block and lane.
    fn place(&self, face: u32) -> Option<(usize, usize)> {
        let &place = self.place_of_face.get(face as usize)?;
        (place != NOT_HELD).then_some((place as usize / N_LANES, place as usize % N_LANES))
    }

    /// Index of the face at a place.
    #[inline(always)]
    fn face_at(&self, place: u32) -> u32 {
        let (block, lane) = (place as usize / N_LANES, place as usize % N_LANES);
        self.blocks[block].faces[lane]
    }

    /// Material word of the face at a place.
    #[inline(always)]
    fn material_at(&self, place: u32) -> u16 {
        let (block, lane) = (place as usize / N_LANES, place as usize % N_LANES);
        self.attributes[block].materials[lane]
    }

    /// Corners of the face at a place by axis of the sheared frame of a ray.
    #[inline(always)]
    fn corners_along(&self, place: u32, ray: &ShearedRay) -> [[f32; 3]; 3] {
        let (block, lane) = (place as usize / N_LANES, place as usize % N_LANES);
        self.blocks[block].corners_along(lane, ray)
    }

    /// Corners of the face at a place.
    #[inline(always)]
    fn corners_at(&self, place: u32) -> [[f32; 3]; 3] {
        let (block, lane) = (place as usize / N_LANES, place as usize % N_LANES);
        self.blocks[block].face_corners(lane)
    }

    /// Lanes of a block that a filter sees; those that hold no face may be among them.
    #[inline(always)]
    fn matching_lanes(&self, block_idx: usize, filter: MaskFilter) -> LaneMask {
        if filter == MaskFilter::ALL {
            return LaneMask::MAX;
        }
        let block = &self.blocks[block_idx];
        match block.matching(filter) {
            Some(true) => LaneMask::MAX,
            Some(false) => 0,
            None => self.attributes[block_idx].matching(filter),
        }
    }
}
