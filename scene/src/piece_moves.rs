//! How far weights can move what a piece shows: bounds that hold whatever the weights.

use std::ops::Range;

use crate::{Mesh, MorphWeight, PieceLod, Sphere};

/// How targets move the vertices of a piece at one level of detail.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PieceMoves {
    /// Around the offsets of its vertices, those that stay included, for each target that moves any; targets rise.
    balls: Vec<(u32, Sphere)>,
}

impl PieceMoves {
    /// Looks at every target that reaches to the piece, once.
    pub fn new(mesh: &Mesh, lod: &PieceLod) -> Self {
        if mesh.morph_targets.is_empty() {
            return Self::default();
        }
        let vertices = vertices_of(mesh, &lod.batches);
        let targets = (0..).zip(&mesh.morph_targets);
        let balls = targets.filter_map(|(index, target)| {
            let first = target.first_vertex;
            let end = first + target.offsets.len() as u32;
            let range = vertices.partition_point(|vertex| *vertex < first)
                ..vertices.partition_point(|vertex| *vertex < end);
            let stays = (range.len() < vertices.len()).then_some(&[0.0; 3]);
            let moved = vertices[range].iter();
            let moved = moved.map(|vertex| &target.offsets[(vertex - first) as usize]);
            let ball = Sphere::around(moved.chain(stays))?;
            (ball != Sphere::default()).then_some((index, ball))
        });
        Self {
            balls: balls.collect(),
        }
    }

    /// Those of the weights that move it, each with a ball around the offsets of its target.
    #[inline]
    pub fn active<'a>(
        &'a self,
        weights: &'a [MorphWeight],
    ) -> impl Iterator<Item = (MorphWeight, &'a Sphere)> {
        weights.iter().filter_map(|it| {
            let found = self
                .balls
                .binary_search_by_key(&it.target, |(target, _)| *target);
            let (_, ball) = &self.balls[found.ok()?];
            (it.weight != 0.0).then_some((*it, ball))
        })
    }

    /// A ball around all vertices under these weights, given one around them at rest.
    #[inline]
    pub fn grown(&self, at_rest: &Sphere, weights: &[MorphWeight]) -> Sphere {
        let mut grown = *at_rest;
        for (MorphWeight { weight, .. }, ball) in self.active(weights) {
            for axis in 0..3 {
                grown.center[axis] += weight * ball.center[axis];
            }
            grown.radius += weight.abs() * ball.radius;
        }
        grown
    }
}

/// The vertices of some batches, each once, rising.
fn vertices_of(mesh: &Mesh, batches: &Range<u32>) -> Vec<u32> {
    let batches = &mesh.batches[batches.start as usize..batches.end as usize];
    let indices = batches.iter().flat_map(|batch| {
        let first = batch.first_index as usize;
        &mesh.indices[first..first + batch.n_indices as usize]
    });
    let mut vertices: Vec<_> = indices.copied().collect();
    vertices.sort_unstable();
    vertices.dedup();
    vertices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Batch, MaterialIdx, MorphTarget};

    /// Two triangles with vertices of their own; the first target moves the second triangle and a vertex of the
    /// first, the second all of the first by the same, the third nothing.
    fn mesh() -> Mesh {
        let batch = |first_index| Batch {
            first_index,
            n_indices: 3,
            material: MaterialIdx(0),
        };
        let target = |first_vertex, offsets: &[[f32; 3]]| MorphTarget {
            name: String::new(),
            first_vertex,
            offsets: offsets.to_vec(),
        };
        Mesh {
            positions: vec![
                [0.0, 0.0, 0.0],
                [1.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [5.0, 0.0, 0.0],
                [6.0, 0.0, 0.0],
                [5.0, 1.0, 0.0],
            ],
            indices: vec![0, 1, 2, 3, 4, 5],
            batches: vec![batch(0), batch(3)],
            morph_targets: vec![
                target(
                    2,
                    &[
                        [0.0, 0.0, 4.0],
                        [1.0, 0.0, 0.0],
                        [0.0, 2.0, 0.0],
                        [0.0, 0.0, 3.0],
                    ],
                ),
                target(0, &[[0.0, 7.0, 0.0]; 3]),
                target(3, &[[0.0; 3]; 3]),
            ],
            ..Mesh::default()
        }
    }

    fn lod(batches: Range<u32>) -> PieceLod {
        PieceLod {
            bounds: Sphere::default(),
            batches,
        }
    }

    fn targets_that_move(moves: &PieceMoves) -> Vec<u32> {
        moves.balls.iter().map(|(target, _)| *target).collect()
    }

    #[test]
    fn a_piece_knows_the_targets_that_move_it() {
        let mesh = mesh();
        assert_eq!(
            targets_that_move(&PieceMoves::new(&mesh, &lod(0..1))),
            [0, 1]
        );
        assert_eq!(targets_that_move(&PieceMoves::new(&mesh, &lod(1..2))), [0]);
        assert_eq!(
            targets_that_move(&PieceMoves::new(&mesh, &lod(0..2))),
            [0, 1]
        );
        assert_eq!(targets_that_move(&PieceMoves::new(&mesh, &lod(0..0))), []);
    }

    #[test]
    fn a_shift_of_all_vertices_moves_the_bounds_and_grows_them_by_nothing() {
        let moves = PieceMoves::new(&mesh(), &lod(0..1));
        let at_rest = Sphere {
            center: [1.0, 2.0, 3.0],
            radius: 1.5,
        };
        let weights = [MorphWeight {
            target: 1,
            weight: -2.0,
        }];
        let grown = moves.grown(&at_rest, &weights);
        assert_eq!((grown.center, grown.radius), ([1.0, -12.0, 3.0], 1.5));
    }

    #[test]
    fn grown_bounds_hold_every_moved_vertex() {
        let mesh = mesh();
        for batches in [0..1, 1..2, 0..2] {
            let vertices = vertices_of(&mesh, &batches);
            let positions = vertices.iter().map(|it| &mesh.positions[*it as usize]);
            let at_rest = Sphere::around(positions).expect("there are vertices");
            let moves = PieceMoves::new(&mesh, &lod(batches));
            for step in 0..400i16 {
                let weight = |target, step| MorphWeight {
                    target,
                    weight: f32::from(step - 10) * 0.25,
                };
                let weights = [weight(0, step % 20), weight(1, step / 20), weight(2, 30)];
                let grown = moves.grown(&at_rest, &weights);
                let moved = mesh.morphed(&weights);
                for vertex in &vertices {
                    let position = moved[*vertex as usize];
                    let squares = (0..3).map(|axis| (position[axis] - grown.center[axis]).powi(2));
                    let distance = squares.sum::<f32>().sqrt();
                    // Sums of a few numbers below 100 in f32.
                    assert!(distance <= grown.radius + 1e-4, "{distance} {grown:?}");
                }
            }
        }
    }
}
