//! From plain arrays to the index.

use super::blocks::{BlockDraft, BlockDrafts};
use super::column_grid::ColumnGrid;
use super::curve;
use super::radix::sort_from_bit;
use super::simd::{N_LANES, SimdLevel};
use super::tree::{Bounds, Tree};
use super::{NOT_HELD, TriangleIndex};
use glam::{DVec3, Vec3};

/// Faces that an index can hold. Even without common vertices five go into a block, so that the places of all, 16 a
/// block, fit 32 bits, and the tree has six levels at most.
const MAX_FACES: usize = 1 << 26;

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
    /// One thread, a few passes over the faces and one sort.
    ///
    /// # Errors
    /// If a face names a vertex that is not there, or there are too many.
    pub fn new(positions: &[[f32; 3]], faces: &[Option<Face>]) -> Result<Self, TriangleError> {
        if faces.len() > MAX_FACES {
            return Err(TriangleError::TooManyFaces {
                n_faces: faces.len(),
            });
        }
        let (held, all) = held_faces(positions, faces)?;
        let order = along_curve(&held, all);
        let mut drafts = BlockDrafts::new(positions.len(), held.len());
        for i in order {
            drafts.add(held[i].face_idx, held[i].corners);
        }
        let drafts = drafts.finish();
        let block_bounds: Vec<_> = (drafts.iter())
            .map(|draft| draft.bounds(positions))
            .collect();
        let (tree, order) = Tree::new(&block_bounds);
        let mut place_of_face = vec![NOT_HELD; faces.len()];
        let mut blocks = Vec::with_capacity(drafts.len() + 1);
        let mut attributes = Vec::with_capacity(drafts.len() + 1);
        let mut bounds = Vec::with_capacity(drafts.len());
        for draft_idx in order {
            let draft = &drafts[draft_idx as usize];
            let first = (blocks.len() * N_LANES) as u32;
            for (place, &face_idx) in (first..).zip(draft.face_indices()) {
                place_of_face[face_idx as usize] = place;
            }
            let block_bounds = block_bounds[draft_idx as usize];
            let (block, block_attributes) = draft.finish(block_bounds, positions, faces);
            bounds.push(block_bounds);
            blocks.push(block);
            attributes.push(block_attributes);
        }
        let column_grid = ColumnGrid::new(&blocks, &bounds, all, held.len());
        // One without faces, for cells of the column grid without blocks.
        let (no_block, no_attributes) = BlockDraft::EMPTY.finish(Bounds::EMPTY, &[], &[]);
        blocks.push(no_block);
        attributes.push(no_attributes);
        let index = Self {
            column_grid,
            blocks,
            attributes,
            tree,
            place_of_face,
            n_faces: held.len(),
            bounds_min: all.low,
            bounds_max: all.high,
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

/// A face that the index holds.
struct HeldFace {
    face_idx: u32,
    corners: [u32; 3],
    /// The middle of its bounds.
    center: Vec3,
}

/// The faces that are there and all of whose vertices are finite, and the bounds of all of them: zero without faces.
fn held_faces(
    positions: &[[f32; 3]],
    faces: &[Option<Face>],
) -> Result<(Vec<HeldFace>, Bounds), TriangleError> {
    let mut held = Vec::with_capacity(faces.len());
    let mut all = Bounds::EMPTY;
    for (face_idx, face) in faces.iter().enumerate() {
        let Some(face) = *face else {
            continue;
        };
        let mut bounds = Bounds::EMPTY;
        let mut is_finite = true;
        for vertex in face.corners {
            let position = positions.get(vertex as usize);
            let position = position.ok_or(TriangleError::VertexOutOfRange {
                face: face_idx as u32,
                vertex,
                n_vertices: positions.len(),
            })?;
            let corner = Vec3::from_array(*position);
            is_finite &= corner.is_finite();
            bounds = bounds.join(Bounds::from_point(corner));
        }
        if is_finite {
            all = all.join(bounds);
            held.push(HeldFace {
                face_idx: face_idx as u32,
                corners: face.corners,
                center: bounds.center(),
            });
        }
    }
    if held.is_empty() {
        all = Bounds::from_point(Vec3::ZERO);
    }
    Ok((held, all))
}

/// Positions in `held`, sorted along a curve: in the ground plane for what is spread over it as terrain is, in space
/// for what is not.
fn along_curve(held: &[HeldFace], Bounds { low, high }: Bounds) -> impl Iterator<Item = usize> {
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
    // The position, of 26 bits, stands below the place: the sort keeps the order of faces of one place.
    let position_bits = MAX_FACES.ilog2();
    let keys = held.iter().enumerate();
    let keys = keys
        .map(|(i, held)| place(held.center) << position_bits | i as u64)
        .collect();
    let n_place_bits = if is_flat { 2 } else { 3 } * bits;
    sort_from_bit(keys, position_bits, n_place_bits)
        .into_iter()
        .map(|key| (key % MAX_FACES as u64) as usize)
}
