//! The face grid of a terrain: heights, rays, segments and boxes over its finest level of detail.
//!
//! A [`TerrainIndex`] copies the LOD0 triangles once and sorts them into a uniform grid over x and y: terrain is
//! spread over the ground plane and thin above it, so a column of cells is short and a height range per cell
//! refuses most of what a ray flies over. Deterministic order: dossier section 12.2.
//!
//! Arithmetic: stored numbers are f32, as in the file. The tests that decide are made in f64 with edge functions
//! that two faces compute from the same numbers for a shared edge, and edges belong to both faces, so nothing
//! slips between them (`ray_triangle.rs`).

mod build;
mod cast_ray;
mod gather;
mod grid;
mod height;

pub use build::TerrainError;
pub use cast_ray::{RayHit, Sides};
pub use gather::Overlap;
pub use height::HeightHit;

use glam::Vec3;
use grid::Grid;
use ironlands_assets_loader::parkan::face_mask::FaceFlags;

/// The finest faces of one terrain, ready for queries. Immutable after it is built; share it freely.
///
/// Faces are named by their index in the file's face table. A face without area is found by
/// [`faces_in_aabb`](Self::faces_in_aabb) only; a face with a non-finite vertex is found by nothing.
#[derive(Debug, Clone)]
pub struct TerrainIndex {
    grid: Grid,
    /// In query order: tiles x-major, then slot order.
    triangles: Vec<Triangle>,
    /// Position of each face of the file in `triangles`, `NOT_HELD` for those of other levels of detail.
    triangle_of_face: Vec<u32>,
    bounds_min: Vec3,
    bounds_max: Vec3,
}

const NOT_HELD: u32 = u32::MAX;

/// One face as queries need it, 44 bytes.
#[derive(Debug, Clone, Copy)]
struct Triangle {
    vertices: [[f32; 3]; 3],
    flags: FaceFlags,
    /// Index in the file.
    face: u32,
}

impl Triangle {
    fn corner(&self, i: usize) -> Vec3 {
        Vec3::from_array(self.vertices[i])
    }

    /// Unit normal by winding: counter-clockwise faces look along it. Zero for a face without area.
    fn normal(&self) -> Vec3 {
        let [a, b, c] = self
            .vertices
            .map(|v| glam::DVec3::from_array(v.map(f64::from)));
        (b - a).cross(c - a).normalize_or_zero().as_vec3()
    }

    /// The point with these weights of the three vertices.
    fn point(&self, weights: [f64; 3]) -> Vec3 {
        let along = |axis: usize| {
            let sum: f64 = (0..3)
                .map(|i| weights[i] * f64::from(self.vertices[i][axis]))
                .sum();
            sum as f32
        };
        Vec3::new(along(0), along(1), along(2))
    }
}

impl TerrainIndex {
    /// Number of faces that queries see.
    pub fn n_faces(&self) -> usize {
        self.triangles.len()
    }

    /// Smallest and largest corner of all faces, world units; both zero when there is no face.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        (self.bounds_min, self.bounds_max)
    }

    /// Flags of a face of the file; `None` if it is not a LOD0 face.
    pub fn face_flags(&self, face: u32) -> Option<FaceFlags> {
        self.triangle(face).map(|t| t.flags)
    }

    /// Corners of a face of the file, in its winding; `None` if it is not a LOD0 face.
    pub fn face_corners(&self, face: u32) -> Option<[Vec3; 3]> {
        self.triangle(face)
            .map(|t| [t.corner(0), t.corner(1), t.corner(2)])
    }

    /// Unit normal of a face by its winding, zero for a face without area; `None` if it is not a LOD0 face.
    pub fn face_normal(&self, face: u32) -> Option<Vec3> {
        self.triangle(face).map(Triangle::normal)
    }

    fn triangle(&self, face: u32) -> Option<&Triangle> {
        let &at = self.triangle_of_face.get(face as usize)?;
        self.triangles.get(at as usize)
    }
}
