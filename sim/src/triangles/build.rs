//! From plain arrays to the index.

use super::blocks::{Block, BlockAttributes, BlockBuilder};
use super::curve;
use super::lanes::{Instructions, N_LANES};
use super::plan::Plan;
use super::tree::{Bounds, Tree};
use super::{NOT_HELD, TriangleIndex, set_lanes};
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
        let held = held_faces(positions, faces)?;
        let bounds = held.iter().map(|held| held.bounds).reduce(Bounds::join);
        let Bounds { low, high } = bounds.unwrap_or(Bounds {
            low: Vec3::ZERO,
            high: Vec3::ZERO,
        });
        let order = along_curve(&held, low, high);
        let (blocks, block_bounds) = pack(positions, faces, &held, order);
        let (tree, order) = Tree::new(&block_bounds);
        let mut place_of_face = vec![NOT_HELD; faces.len()];
        let mut sorted = Vec::with_capacity(blocks.len());
        let mut attributes = Vec::with_capacity(blocks.len());
        for block_idx in order {
            let (block, block_attributes) = &blocks[block_idx as usize];
            let first = sorted.len() * N_LANES;
            for lane in set_lanes(block.held()) {
                place_of_face[block.faces[lane] as usize] = (first + lane) as u32;
            }
            sorted.push(block.clone());
            attributes.push(block_attributes.clone());
        }
        let plan = Plan::new(&sorted, low, high, held.len());
        // One without faces, for cells of the plan without blocks.
        let (no_block, no_attributes) = BlockBuilder::new().finish();
        sorted.push(no_block);
        attributes.push(no_attributes);
        let index = Self {
            plan,
            blocks: sorted,
            attributes,
            tree,
            place_of_face,
            n_faces: held.len(),
            bounds_min: low,
            bounds_max: high,
            instructions: Instructions::best(),
        };
        log::debug!(
            "triangle index: {} of {} faces in {} blocks, {low} to {high}",
            index.n_faces,
            faces.len(),
            index.blocks.len(),
        );
        Ok(index)
    }
}

/// A face that the index holds.
struct HeldFace {
    face_idx: u32,
    bounds: Bounds,
}

/// The faces that are there and all of whose vertices are finite.
fn held_faces(
    positions: &[[f32; 3]],
    faces: &[Option<Face>],
) -> Result<Vec<HeldFace>, TriangleError> {
    let mut held = Vec::with_capacity(faces.len());
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
            bounds = bounds.join(Bounds {
                low: corner,
                high: corner,
            });
        }
        if is_finite {
            held.push(HeldFace {
                face_idx: face_idx as u32,
                bounds,
            });
        }
    }
    Ok(held)
}

/// Positions in `held`, sorted along a curve: in the ground plane for what is spread over it as terrain is, in space
/// for what is not.
fn along_curve(held: &[HeldFace], low: Vec3, high: Vec3) -> impl Iterator<Item = usize> {
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
    let place = |bounds: &Bounds| {
        let at: DVec3 = (bounds.center().as_dvec3() - low) * per_unit;
        let [x, y, z] = at.to_array().map(|v| v as u32);
        if is_flat {
            u64::from(curve::place_in_plane([x, y]))
        } else {
            curve::place_in_space([x, y, z])
        }
    };
    // The position, of 26 bits, is part of the key: faces of one place keep their order, and the order is one.
    let keys = held.iter().enumerate();
    let mut keys: Vec<u64> = keys
        .map(|(i, held)| place(&held.bounds) << MAX_FACES.ilog2() | i as u64)
        .collect();
    keys.sort_unstable();
    keys.into_iter()
        .map(|key| (key % MAX_FACES as u64) as usize)
}

/// Fills blocks one after another.
fn pack(
    positions: &[[f32; 3]],
    faces: &[Option<Face>],
    held: &[HeldFace],
    order: impl Iterator<Item = usize>,
) -> (Vec<(Block, BlockAttributes)>, Vec<Bounds>) {
    let (mut blocks, mut bounds) = (Vec::new(), Vec::new());
    let mut builder = BlockBuilder::new();
    let mut close = |builder: BlockBuilder| {
        bounds.push(builder.bounds());
        blocks.push(builder.finish());
    };
    for i in order {
        let HeldFace {
            face_idx,
            ref bounds,
        } = held[i];
        let Some(face) = &faces[face_idx as usize] else {
            continue; // it is not: only faces that are there are held
        };
        let corners = face.corners.map(|vertex| positions[vertex as usize]);
        if !builder.try_add(face_idx, face, &corners, bounds) {
            close(std::mem::replace(&mut builder, BlockBuilder::new()));
            let is_added = builder.try_add(face_idx, face, &corners, bounds);
            debug_assert!(is_added, "an empty block has room for a face");
        }
    }
    if !builder.is_empty() {
        close(builder);
    }
    (blocks, bounds)
}
