//! Triangles of a displacement without cracks toward coarser neighbors (dossier sections 5.4 and 5.7).
//!
//! A grid is a tree of squares, each with its center and the middles of its sides. Where a neighbor is coarser, the compiler
//! forbids middles of the finer edge; what a vertex needs, but is not there, takes the vertex away as well.

/// The four corners of a square and the middles of its sides, as rows and columns from its center, clockwise in rows and
/// columns, which is counter-clockwise seen from the front.
const RING: [[isize; 2]; 8] = [
    [-1, -1],
    [-1, 0],
    [-1, 1],
    [0, 1],
    [1, 1],
    [1, 0],
    [1, -1],
    [0, -1],
];

/// Which vertices of a grid are drawn.
pub(super) struct Tessellation {
    side: usize,
    used: Vec<bool>,
}

#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "rows and columns are at most 16, and what is outside of the grid is looked for before it is used"
)]
impl Tessellation {
    /// `side`: 5, 9 or 17; `allowed`: a bit for each vertex. A displacement that forbids all of them allows all: so do maps
    /// whose compiler did not know the field.
    pub fn new(side: usize, allowed: &[u32; 10]) -> Self {
        let allows_all = allowed.iter().all(|word| *word == 0);
        let is_allowed = |vertex: usize| {
            let word = allowed.get(vertex / 32);
            allows_all || word.is_some_and(|word| word >> (vertex % 32) & 1 == 1)
        };
        let mut it = Self {
            side,
            used: vec![false; side * side],
        };
        let last = side - 1;
        for vertex in [0, last, side * last, side * side - 1] {
            it.used[vertex] = true;
        }
        let mut half = last / 2;
        while half > 0 {
            // Centers need their corners; middles need the centers on both of their sides.
            it.add(half, [1, 1], &[[-1, -1], [-1, 1], [1, -1], [1, 1]], |at| {
                half == last / 2 || is_allowed(at)
            });
            it.add(half, [1, 0], &[[0, -1], [0, 1]], is_allowed);
            it.add(half, [0, 1], &[[-1, 0], [1, 0]], is_allowed);
            half /= 2;
        }
        it
    }

    /// Of the vertices at `first` and every second one from there, in lengths of `half`, uses those that are allowed and whose
    /// needs, in the same lengths from them, are used or outside of the grid.
    fn add(
        &mut self,
        half: usize,
        first: [usize; 2],
        needs: &[[isize; 2]],
        is_allowed: impl Fn(usize) -> bool,
    ) {
        for row in (first[0] * half..self.side).step_by(2 * half) {
            for column in (first[1] * half..self.side).step_by(2 * half) {
                let vertex = row * self.side + column;
                let mut needed = needs
                    .iter()
                    .filter_map(|step| self.at([row, column], *step, half));
                self.used[vertex] = needed.all(|it| self.used[it]) && is_allowed(vertex);
            }
        }
    }

    /// The vertex some lengths from a place; `None` outside of the grid.
    fn at(&self, place: [usize; 2], step: [isize; 2], length: usize) -> Option<usize> {
        let [row, column] = moved(place, step, length)?;
        (row < self.side && column < self.side).then_some(row * self.side + column)
    }

    /// Triangles as indices of vertices, counter-clockwise seen from the front.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        let half = self.side / 2;
        let mut triangles = Vec::with_capacity(2 * (self.side - 1) * (self.side - 1));
        self.add_square([half, half], half, &mut triangles);
        triangles
    }

    /// A fan around the center, but for the quarters that are squares of their own.
    fn add_square(&self, center: [usize; 2], half: usize, triangles: &mut Vec<[u32; 3]>) {
        let quarter = |corner: [isize; 2]| {
            let place = moved(center, corner, half / 2)?;
            let is_used = half > 1 && self.used[place[0] * self.side + place[1]];
            is_used.then_some(place)
        };
        let is_corner = |step: &[isize; 2]| step[0] != 0 && step[1] != 0;
        let vertex = |step| self.at(center, step, half).filter(|it| self.used[*it]);
        let ring: Vec<_> = (RING.iter())
            .filter_map(|step| Some((*step, vertex(*step)?)))
            .collect();
        let middle = (center[0] * self.side + center[1]) as u32;
        for (index, (step, from)) in ring.iter().enumerate() {
            let (next_step, to) = ring[(index + 1) % ring.len()];
            let corner = if is_corner(step) { *step } else { next_step };
            if quarter(corner).is_none() {
                triangles.push([middle, *from as u32, to as u32]);
            }
        }
        for place in RING
            .iter()
            .filter(|step| is_corner(step))
            .filter_map(|it| quarter(*it))
        {
            self.add_square(place, half / 2, triangles);
        }
    }
}

fn moved(place: [usize; 2], step: [isize; 2], length: usize) -> Option<[usize; 2]> {
    let length = isize::try_from(length).ok()?;
    let [rows, columns] = step.map(|it| it.saturating_mul(length));
    Some([
        place[0].checked_add_signed(rows)?,
        place[1].checked_add_signed(columns)?,
    ])
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// Twice the area of triangles in rows and columns, and edges that only one of them has, as pairs of vertices.
    fn measured(side: usize, triangles: &[[u32; 3]]) -> (i64, BTreeSet<[u32; 2]>) {
        let place = |vertex: u32| {
            [
                i64::from(vertex) / side as i64,
                i64::from(vertex) % side as i64,
            ]
        };
        let mut area = 0;
        let mut edges = BTreeMap::new();
        for [a, b, c] in triangles.iter().copied() {
            let ([ar, ac], [br, bc], [cr, cc]) = (place(a), place(b), place(c));
            let part = (cr - ar) * (bc - ac) - (br - ar) * (cc - ac);
            assert!(part > 0, "{a} {b} {c} is turned over");
            area += part;
            for [from, to] in [[a, b], [b, c], [c, a]] {
                *edges.entry([from, to]).or_insert(0) += 1;
            }
        }
        assert!(edges.values().all(|n| *n == 1));
        let border = edges
            .keys()
            .filter(|[from, to]| !edges.contains_key(&[*to, *from]));
        (area, border.copied().collect())
    }

    /// Vertices on a border that starts at 0 and goes along the first row.
    fn first_row(side: usize, border: &BTreeSet<[u32; 2]>) -> Vec<u32> {
        let on_it = |edge: &&[u32; 2]| edge.iter().all(|it| (*it as usize) < side);
        let vertices: BTreeSet<_> = border.iter().filter(on_it).flatten().copied().collect();
        vertices.into_iter().collect()
    }

    fn without(side: usize, forbidden: impl Fn(usize, usize) -> bool) -> [u32; 10] {
        let mut mask = [0; 10];
        for vertex in 0..side * side {
            if !forbidden(vertex / side, vertex % side) {
                mask[vertex / 32] |= 1_u32 << (vertex % 32);
            }
        }
        mask
    }

    #[test]
    fn all_vertices_make_two_triangles_of_each_cell() {
        for side in [5, 9, 17] {
            for mask in [[0; 10], [u32::MAX; 10]] {
                let triangles = Tessellation::new(side, &mask).triangles();
                let (area, border) = measured(side, &triangles);
                assert_eq!(triangles.len(), 2 * (side - 1) * (side - 1));
                assert_eq!(area, 2 * ((side - 1) * (side - 1)) as i64);
                assert_eq!(border.len(), 4 * (side - 1));
            }
        }
    }

    #[test]
    fn an_edge_has_the_vertices_of_its_coarser_neighbor() {
        for (side, step) in [(9, 2), (17, 2), (17, 4), (17, 8), (5, 4)] {
            let mask = without(side, |row, column| row == 0 && column % step != 0);
            let triangles = Tessellation::new(side, &mask).triangles();
            let (area, border) = measured(side, &triangles);
            assert_eq!(area, 2 * ((side - 1) * (side - 1)) as i64);
            let expected: Vec<_> = (0..side as u32).step_by(step).collect();
            assert_eq!(first_row(side, &border), expected, "{side} {step}");
            // Of the other edges what depends on middles of this one, at their ends, is gone.
            let gone = match step {
                2 => 0,
                4 => 1,
                _ => 4,
            };
            assert_eq!(border.len(), 3 * (side - 1) + (side - 1) / step - 2 * gone);
        }
    }

    #[test]
    fn any_mask_covers_the_square_once_and_uses_nothing_forbidden() {
        let mut state = 0x2545_F491_4F6C_DD1D_u64;
        for round in 0..3000 {
            let side = [5, 9, 17][round % 3];
            let mask: [u32; 10] = std::array::from_fn(|_| {
                let mut draw = || {
                    state ^= state << 13;
                    state ^= state >> 7;
                    state ^= state << 17;
                    (state >> 32) as u32
                };
                (0..round % 7).fold(draw(), |word, _| word | draw())
            });
            let triangles = Tessellation::new(side, &mask).triangles();
            let (area, border) = measured(side, &triangles);
            assert_eq!(area, 2 * ((side - 1) * (side - 1)) as i64);
            let on_border = |vertex: u32| {
                let (row, column) = (vertex as usize / side, vertex as usize % side);
                [row, column].iter().any(|it| *it == 0 || *it == side - 1)
            };
            // What only one triangle has is at the border: there are no cracks within.
            assert!(border.iter().flatten().all(|vertex| on_border(*vertex)));
            let last = side - 1;
            let always = [0, last, side * last, side * side - 1, (side * side - 1) / 2];
            for vertex in triangles.iter().flatten().map(|it| *it as usize) {
                let is_allowed = mask[vertex / 32] >> (vertex % 32) & 1 == 1;
                assert!(is_allowed || always.contains(&vertex), "{vertex} of {side}");
            }
        }
    }
}
