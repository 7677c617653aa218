//! The two materials of faces, and the evidence that they are read as the game does.

use super::{Face, LandMsh, NO_MATERIAL};

/// Edges between a face with two materials and a neighbor with one (at the finest level of detail).
///
/// Both bytes of a face name rows of one table and the weights of vertices blend between them, so that on known maps
/// nearly all of these edges fit: 14,990 of 15,011.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MaterialBorders {
    /// Weight 1 at both ends, and the neighbor wears the face's second material.
    pub n_second: usize,
    /// Weight 0 at both ends, and the neighbor wears the face's first material.
    pub n_first: usize,
    /// Neither.
    pub n_other: usize,
}

impl MaterialBorders {
    /// All edges.
    pub fn total(&self) -> usize {
        let Self {
            n_second,
            n_first,
            n_other,
        } = self;
        n_second.saturating_add(*n_first).saturating_add(*n_other)
    }
}

impl Face {
    /// The second material, if it has one.
    pub fn second(&self) -> Option<u8> {
        Some(self.second_material).filter(|row| *row != NO_MATERIAL)
    }
}

impl LandMsh {
    /// How opaque the second material is at a vertex; a terrain without weights has it opaque everywhere.
    pub fn second_weight(&self, vertex: u16) -> f32 {
        let weights = self.second_weights.as_ref();
        let weight = weights.and_then(|weights| weights.get(usize::from(vertex)));
        weight.copied().unwrap_or(1.0)
    }

    /// How the materials of neighbors fit together.
    pub fn material_borders(&self) -> MaterialBorders {
        let mut borders = MaterialBorders::default();
        let order = self.edge_order().edges();
        let faces = self
            .lod0_face_indices()
            .filter_map(|idx| self.faces.get(idx));
        for (face, second) in faces.filter_map(|face| Some((face, face.second()?))) {
            for (word, edge) in face.neighbors.into_iter().zip(order) {
                let neighbor = self.neighbor(word).filter(|it| it.second().is_none());
                let Some(neighbor) = neighbor else { continue };
                let ends = face.edge_vertices(edge);
                let weights = ends.map(|vertex| self.second_weight(vertex));
                let worn = neighbor.first_material;
                let count = match weights {
                    [1.0, 1.0] if worn == second => &mut borders.n_second,
                    [0.0, 0.0] if worn == face.first_material => &mut borders.n_first,
                    _ => &mut borders.n_other,
                };
                *count = count.saturating_add(1);
            }
        }
        borders
    }
}
