//! Which edge of a face each of its neighbors lies across (dossier section 4.4, Q-M9).
//!
//! No document says which edge `n_k` belongs to, so it is measured: edge `e` runs from vertex `e` to vertex
//! `(e + 1) % 3`, and two faces share an edge when its two ends stand at the same places. Places, not vertex
//! indices, because a border between materials doubles its vertices.

use super::{Face, LandMsh, NONE};

/// The edge that each of the three neighbor words of a face belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EdgeOrder(
    /// `edges[k]` is the edge across which `n_k` lies.
    [u8; 3],
);

impl EdgeOrder {
    /// `n_k` lies across the edge from vertex `k` to vertex `(k + 1) % 3`: the safe assumption.
    pub const IN_ORDER: Self = Self([0, 1, 2]);

    /// All orders, the assumed one first.
    const ALL: [Self; 6] = [
        Self::IN_ORDER,
        Self([1, 2, 0]),
        Self([2, 0, 1]),
        Self([0, 2, 1]),
        Self([1, 0, 2]),
        Self([2, 1, 0]),
    ];

    /// The edge across which neighbor `k` lies.
    pub fn edges(self) -> [u8; 3] {
        self.0
    }
}

/// Two places, lowest first, so that both faces of an edge give the same value.
pub(super) type EdgePlaces = [[u32; 3]; 2];

impl Face {
    /// The vertices that edge `edge` runs from and to.
    pub(super) fn edge_vertices(&self, edge: u8) -> [u16; 2] {
        let [a, b, c] = self.vertices;
        match edge {
            0 => [a, b],
            1 => [b, c],
            _ => [c, a],
        }
    }
}

impl LandMsh {
    /// The order that explains the most neighbors of this terrain; [`EdgeOrder::IN_ORDER`] if others are no
    /// better.
    pub fn edge_order(&self) -> EdgeOrder {
        let mut best = (EdgeOrder::IN_ORDER, 0);
        for order in EdgeOrder::ALL {
            let n_explained = self.explained_neighbors(order);
            if n_explained > best.1 {
                best = (order, n_explained);
            }
        }
        best.0
    }

    /// How many neighbors really share the edge that they are said to share.
    fn explained_neighbors(&self, order: EdgeOrder) -> usize {
        let explained = |face: &Face| {
            let links = face.neighbors.into_iter().zip(order.edges());
            let shared = links.filter(|(neighbor, edge)| {
                let places = self.edge_places(face, *edge);
                let neighbor = self.neighbor(*neighbor);
                places
                    .zip(neighbor)
                    .is_some_and(|(places, neighbor)| self.edge_at(neighbor, places).is_some())
            });
            shared.count()
        };
        self.faces.iter().map(explained).sum()
    }

    /// The face that a neighbor word names.
    pub(super) fn neighbor(&self, word: u16) -> Option<&Face> {
        let named = word != NONE;
        named.then(|| self.faces.get(usize::from(word)))?
    }

    /// The first edge of a face that has its ends at these places.
    pub(super) fn edge_at(&self, face: &Face, places: EdgePlaces) -> Option<u8> {
        (0..3).find(|edge| self.edge_places(face, *edge) == Some(places))
    }

    /// Where the ends of edge `edge` of a face stand; `None` for a vertex that does not exist.
    pub(super) fn edge_places(&self, face: &Face, edge: u8) -> Option<EdgePlaces> {
        let [from, to] = face.edge_vertices(edge);
        let mut places = [self.place(from)?, self.place(to)?];
        places.sort_unstable();
        Some(places)
    }

    fn place(&self, vertex: u16) -> Option<[u32; 3]> {
        let position = self.positions.get(usize::from(vertex))?;
        // Adding zero makes one place of -0.0 and 0.0.
        Some(position.map(|coordinate| (coordinate + 0.0).to_bits()))
    }
}
