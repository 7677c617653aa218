//! From a terrain file, or from plain arrays, to the index.

use super::grid::{Grid, MAX_TRIANGLES};
use super::{NOT_HELD, TerrainIndex, Triangle};
use glam::Vec3;
use ironlands_assets_loader::parkan::face_mask::FaceFlags;
use ironlands_assets_loader::parkan::land_msh::{LandMsh, NONE};

/// Why triangles cannot become an index: one table names what another does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TerrainError {
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
    /// A tile names a slot that is not there.
    #[error("tile {tile} names slot {slot} of {n_slots}")]
    SlotOutOfRange {
        /// Index of the tile.
        tile: usize,
        /// The slot that it names.
        slot: u16,
        /// Slots that there are.
        n_slots: usize,
    },
    /// A slot's faces end behind the last face.
    #[error("slot {slot} ends at face {end} of {n_faces}")]
    FacesOutOfRange {
        /// Index of the slot.
        slot: u16,
        /// One past its last face.
        end: usize,
        /// Faces that there are.
        n_faces: usize,
    },
    /// More faces than an index can hold.
    #[error("{n_faces} faces, more than {MAX_TRIANGLES}")]
    TooManyFaces {
        /// Faces given.
        n_faces: usize,
    },
    /// Flags and triangles come in different numbers.
    #[error("{n_flags} flag words for {n_triangles} triangles")]
    FlagCount {
        /// Flag words given.
        n_flags: usize,
        /// Triangles given.
        n_triangles: usize,
    },
}

impl TerrainIndex {
    /// Indexes the finest faces of a terrain: those of the first slot of each tile (dossier section 4.9), tiles
    /// x-major. A face that several tiles name is held once. Costs a few passes over the faces.
    ///
    /// # Errors
    /// If a tile, slot or face names what is not there.
    pub fn new(land: &LandMsh) -> Result<Self, TerrainError> {
        let mut triangles = Vec::new();
        let mut is_held = vec![false; land.faces.len()];
        for (tile, node) in land.nodes.iter().enumerate() {
            let slot_idx = node.slots[0];
            if slot_idx == NONE {
                continue;
            }
            let n_slots = land.slots.len();
            let slot = land.slots.get(usize::from(slot_idx));
            let slot = slot.ok_or(TerrainError::SlotOutOfRange {
                tile,
                slot: slot_idx,
                n_slots,
            })?;
            let begin = usize::from(slot.tri_start);
            let end = begin + usize::from(slot.tri_count);
            let n_faces = land.faces.len();
            let faces = land.faces.get(begin..end);
            let faces = faces.ok_or(TerrainError::FacesOutOfRange {
                slot: slot_idx,
                end,
                n_faces,
            })?;
            for (face_idx, face) in (begin..end).zip(faces) {
                if !std::mem::replace(&mut is_held[face_idx], true) {
                    let corners = face.vertices.map(u32::from);
                    triangles.push(Triangle::new(
                        face_idx as u32,
                        corners,
                        face.flags,
                        &land.positions,
                    )?);
                }
            }
        }
        Self::index(triangles, land.faces.len())
    }

    /// Indexes plain triangles: vertex positions in engine axes, three vertex indices a triangle, flags a
    /// triangle. The triangle's position is its face index and the query order.
    ///
    /// # Errors
    /// If a triangle names a vertex that is not there, or flags and triangles differ in number.
    pub fn from_triangles(
        positions: &[[f32; 3]],
        triangles: &[[u32; 3]],
        flags: &[FaceFlags],
    ) -> Result<Self, TerrainError> {
        if flags.len() != triangles.len() {
            return Err(TerrainError::FlagCount {
                n_flags: flags.len(),
                n_triangles: triangles.len(),
            });
        }
        let faces = triangles.iter().zip(flags).enumerate();
        let faces =
            faces.map(|(i, (&corners, &flags))| Triangle::new(i as u32, corners, flags, positions));
        let faces = faces.collect::<Result<Vec<_>, _>>()?;
        Self::index(faces, triangles.len())
    }

    fn index(mut triangles: Vec<Triangle>, n_faces: usize) -> Result<Self, TerrainError> {
        if triangles.len() > MAX_TRIANGLES {
            return Err(TerrainError::TooManyFaces {
                n_faces: triangles.len(),
            });
        }
        let n_given = triangles.len();
        triangles.retain(|triangle| {
            triangle
                .vertices
                .as_flattened()
                .iter()
                .all(|v| v.is_finite())
        });
        let mut triangle_of_face = vec![NOT_HELD; n_faces];
        for (at, triangle) in triangles.iter().enumerate() {
            triangle_of_face[triangle.face as usize] = at as u32;
        }
        let corners = || {
            triangles
                .iter()
                .flat_map(|triangle| triangle.vertices)
                .map(Vec3::from_array)
        };
        let bounds_min = corners().reduce(Vec3::min).unwrap_or(Vec3::ZERO);
        let bounds_max = corners().reduce(Vec3::max).unwrap_or(Vec3::ZERO);
        let grid = Grid::new(&triangles);
        log::debug!(
            "terrain index: {} of {n_given} faces, {bounds_min} to {bounds_max}",
            triangles.len()
        );
        Ok(Self {
            grid,
            triangles,
            triangle_of_face,
            bounds_min,
            bounds_max,
        })
    }
}

impl Triangle {
    fn new(
        face: u32,
        corners: [u32; 3],
        flags: FaceFlags,
        positions: &[[f32; 3]],
    ) -> Result<Self, TerrainError> {
        let mut vertices = [[0.0; 3]; 3];
        for (vertex, corner) in vertices.iter_mut().zip(corners) {
            let position = positions.get(corner as usize);
            let n_vertices = positions.len();
            *vertex = *position.ok_or(TerrainError::VertexOutOfRange {
                face,
                vertex: corner,
                n_vertices,
            })?;
        }
        Ok(Self {
            vertices,
            flags,
            face,
        })
    }
}
