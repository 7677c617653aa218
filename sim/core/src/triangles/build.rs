//! From plain arrays to the index.

use super::blocks::{BlockDraft, BlockDrafts};
use super::column_grid::ColumnGrid;
use super::curve;
use super::radix::sort_parts;
use super::simd::{N_LANES, SimdLevel};
use super::tree::{Bounds, Tree};
use super::{NOT_HELD, TriangleIndex};
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// Faces that an index can hold. Even without common vertices five go into a block, so that the places of all, 16 a
/// block, fit 32 bits, and the tree has six levels at most.
const MAX_FACES: usize = 1 << 26;

/// Faces that one rayon task takes while an index is built; an index of no more is built on the calling thread alone.
const FACES_PER_PART: usize = 1 << 16;
/// As many blocks of them.
pub(super) const BLOCKS_PER_TASK: usize = FACES_PER_PART / N_LANES;

/// A face as an index takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Face {
    /// Vertex indices, in its winding.
    pub corners: [u32; 3],
    /// What [`MaskFilter`](crate::MaskFilter)s look at.
    pub mask: u32,
    /// A word that hits carry; its meaning is the world's own.
    pub material: u16,
}

/// Why triangles cannot become an index.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TriangleError {
    /// A face names a vertex that is not there.
    #[error("face {face} names vertex {vertex} of {n_vertices}")]
    VertexOutOfRange {
        /// Index of the face.
        face: u32,
        /// The vertex that it names.
        vertex: u32,
        /// Vertices that there are.
        n_vertices: usize,
    },
    /// More faces than an index can hold.
    #[error("{n_faces} faces, more than {MAX_FACES}")]
    TooManyFaces {
        /// Faces given.
        n_faces: usize,
    },
}

impl TriangleIndex {
    /// Indexes plain triangles: vertex positions in engine axes, faces that name them. A face is called by its
    /// position in `faces`; one that is `None` is not there, and the others keep their numbers.
    ///
    /// A few passes over the faces and one sort, on all threads if there are more than some ten thousand faces.
    ///
    /// # Errors
    /// If a face names a vertex that is not there, or there are too many.
    pub fn new(positions: &[[f32; 3]], faces: &[Option<Face>]) -> Result<Self, TriangleError> {
        if faces.len() > MAX_FACES {
            return Err(TriangleError::TooManyFaces {
                n_faces: faces.len(),
            });
        }
        let (n_faces, all) = held_faces(positions, faces)?;
        let keys = keys_along_curve(positions, faces, all);
        // Blocks end where parts do, so that they are the same for any number of threads.
        let parts = keys.par_chunks(FACES_PER_PART).map_init(
            || BlockDrafts::new(positions.len()),
            |drafts, keys| {
                drafts.reserve(keys.len());
                for key in keys {
                    let face_idx = (key % MAX_FACES as u64) as u32;
                    let corners = faces[face_idx as usize].map_or([0; 3], |face| face.corners);
                    drafts.add(face_idx, corners);
                }
                drafts.take()
            },
        );
        let parts: Vec<Vec<BlockDraft>> = parts.collect();
        let drafts: Vec<&BlockDraft> = parts.iter().flatten().collect();
        let block_bounds = drafts.par_iter().with_min_len(BLOCKS_PER_TASK);
        let block_bounds: Vec<_> = block_bounds.map(|draft| draft.bounds(positions)).collect();
        let (tree, order) = Tree::new(&block_bounds);
        // Behind them one without faces, for cells of the column grid without blocks.
        let drafts = order
            .iter()
            .map(|&i| (drafts[i as usize], block_bounds[i as usize]));
        let drafts: Vec<_> = drafts
            .chain([(&BlockDraft::EMPTY, Bounds::EMPTY)])
            .collect();
        let (mut blocks, mut attributes) = (Vec::new(), Vec::new());
        drafts
            .par_iter()
            .with_min_len(BLOCKS_PER_TASK)
            .map(|(draft, bounds)| draft.finish(*bounds, positions, faces))
            .unzip_into_vecs(&mut blocks, &mut attributes);
        let real_blocks = &blocks[..block_bounds.len()];
        let bounds: Vec<_> = order.iter().map(|&i| block_bounds[i as usize]).collect();
        let column_grid = ColumnGrid::new(real_blocks, &bounds, all, n_faces);
        let place_of_face = places(&drafts, faces.len());
        let index = Self {
            column_grid,
            blocks,
            attributes,
            tree,
            place_of_face,
            n_faces,
            bounds_min: all.low,
            bounds_max: all.high,
            farthest: all.low.abs().max(all.high.abs()).max_element(),
            instructions: SimdLevel::detect(),
        };
        log::debug!(
            "triangle index: {} of {} faces in {} blocks, {} to {}",
            index.n_faces,
            faces.len(),
            index.blocks.len(),
            all.low,
            all.high,
        );
        Ok(index)
    }
}

/// Block and lane of each face.
fn places(drafts: &[(&BlockDraft, Bounds)], n_faces: usize) -> Vec<u32> {
    let mut place_of_face = vec![NOT_HELD; n_faces];
    for (first, (draft, _)) in (0..).step_by(N_LANES).zip(drafts) {
        for (place, &face_idx) in (first..).zip(draft.face_indices()) {
            place_of_face[face_idx as usize] = place;
        }
    }
    place_of_face
}

/// The bounds of a face; `None` if it has a vertex that is not finite.
#[inline(always)]
fn bounds_of(corners: [[f32; 3]; 3]) -> Option<Bounds> {
    let corners = corners.map(Vec3::from_array);
    let points = corners.map(Bounds::from_point);
    let is_finite = corners.iter().all(|corner| corner.is_finite());
    is_finite.then(|| points[0].join(points[1]).join(points[2]))
}

/// How many faces are there with only finite vertices, and the bounds of all of them: zero without faces.
fn held_faces(
    positions: &[[f32; 3]],
    faces: &[Option<Face>],
) -> Result<(usize, Bounds), TriangleError> {
    let of_part = |(part, faces): (usize, &[Option<Face>])| {
        let (mut n_held, mut all) = (0, Bounds::EMPTY);
        for (i, face) in faces.iter().enumerate() {
            let Some(face) = face else {
                continue;
            };
            let mut corners = [[0.0; 3]; 3];
            for (corner, &vertex) in corners.iter_mut().zip(&face.corners) {
                let position = positions.get(vertex as usize);
                *corner = *position.ok_or(TriangleError::VertexOutOfRange {
                    face: (part * FACES_PER_PART + i) as u32,
                    vertex,
                    n_vertices: positions.len(),
                })?;
            }
            if let Some(bounds) = bounds_of(corners) {
                all = all.join(bounds);
                n_held += 1;
            }
        }
        Ok((n_held, all))
    };
    let parts = faces.par_chunks(FACES_PER_PART).enumerate().map(of_part);
    // The first error by index, whichever thread is the fastest.
    let parts: Vec<Result<_, _>> = parts.collect();
    let mut held = (0, Bounds::EMPTY);
    for part in parts {
        let (n_held, bounds) = part?;
        held = (held.0 + n_held, held.1.join(bounds));
    }
    if held.0 == 0 {
        held.1 = Bounds::from_point(Vec3::ZERO);
    }
    Ok(held)
}

/// A key of each face that is held, its remainder by [`MAX_FACES`] the index, sorted along a curve: in the ground plane
/// for what is spread over it as terrain is, in space for what is not.
fn keys_along_curve(
    positions: &[[f32; 3]],
    faces: &[Option<Face>],
    Bounds { low, high }: Bounds,
) -> Vec<u64> {
    let (low, high) = (low.as_dvec3(), high.as_dvec3());
    let extent = high - low;
    let is_flat = extent.z < 0.25 * extent.truncate().min_element();
    let bits = if is_flat {
        curve::PLANE_BITS
    } else {
        curve::SPACE_BITS
    };
    // One scale for all axes: cells of the curve are cubes.
    let per_unit = f64::from((1 << bits) - 1) / extent.max_element().max(f64::MIN_POSITIVE);
    let place = |center: Vec3| {
        let at: DVec3 = (center.as_dvec3() - low) * per_unit;
        let [x, y, z] = at.to_array().map(|v| v as u32);
        if is_flat {
            u64::from(curve::place_in_plane([x, y]))
        } else {
            curve::place_in_space([x, y, z])
        }
    };
    // The index, of 26 bits, stands below the place: the sort keeps the order of faces of one place.
    let index_bits = MAX_FACES.ilog2();
    let n_place_bits = if is_flat { 2 } else { 3 } * bits;
    let keys_of = |(part, faces): (usize, &[Option<Face>])| {
        let mut keys = Vec::with_capacity(faces.len());
        for (face_idx, face) in (part * FACES_PER_PART..).zip(faces) {
            let corners = face.map(|face| face.corners.map(|vertex| positions[vertex as usize]));
            if let Some(bounds) = corners.and_then(bounds_of) {
                keys.push(place(bounds.center()) << index_bits | face_idx as u64);
            }
        }
        keys
    };
    let parts = faces.par_chunks(FACES_PER_PART).enumerate().map(keys_of);
    sort_parts(parts.collect(), index_bits, n_place_bits)
}
