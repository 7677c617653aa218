//! The outlines of tiles: edges that only one face of a tile and level of detail has.

use std::collections::HashMap;

use super::surfaces::Surface;

/// A triangle as the ground draws it.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroundFace {
    pub vertices: [u32; 3],
    pub surface: Surface,
}

/// An edge of a tile's outline.
#[derive(Debug, Clone, Copy)]
pub(super) struct BorderEdge {
    /// Vertex indices.
    pub vertices: [u32; 2],
    /// Positions of the vertices.
    pub ends: [[f32; 3]; 2],
    /// Surface of the one face that has the edge.
    pub surface: Surface,
}

/// The outline of faces: their edges that no other of them shares.
///
/// Edges are compared by position, since a vertex is stored once for each texture coordinate that it has.
/// Edges without extent in x and y have nothing beside them and are left out.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "collected faces name vertices that exist; a count of faces in memory"
)]
pub(super) fn border_edges(faces: &[GroundFace], positions: &[[f32; 3]]) -> Vec<BorderEdge> {
    let edges = || faces.iter().flat_map(edges_of);
    let ends = |edge: BorderVertices| edge.vertices.map(|vertex| positions[vertex as usize]);
    let mut n_faces: HashMap<[[u32; 3]; 2], u32> = HashMap::new();
    for edge in edges() {
        *n_faces.entry(position_key(ends(edge))).or_default() += 1;
    }
    edges()
        .map(|edge| BorderEdge {
            vertices: edge.vertices,
            ends: ends(edge),
            surface: edge.surface,
        })
        .filter(|edge| n_faces.get(&position_key(edge.ends)) == Some(&1))
        .filter(|BorderEdge { ends: [a, b], .. }| a[..2] != b[..2])
        .collect()
}

#[derive(Clone, Copy)]
struct BorderVertices {
    vertices: [u32; 2],
    surface: Surface,
}

fn edges_of(face: &GroundFace) -> impl Iterator<Item = BorderVertices> + use<> {
    let [a, b, c] = face.vertices;
    let surface = face.surface;
    [[a, b], [b, c], [c, a]]
        .into_iter()
        .map(move |vertices| BorderVertices { vertices, surface })
}

/// The same for both directions of an edge, and for both zeros.
pub(super) fn position_key(ends: [[f32; 3]; 2]) -> [[u32; 3]; 2] {
    let mut key = ends.map(|end| end.map(|v| (v + 0.0).to_bits()));
    key.sort();
    key
}
