//! Vertices that move by weights: what a mesh can become, and how much of it a thing shows.

use std::borrow::Cow;

use crate::Mesh;

/// A way in which vertices of a mesh move. At weight 1 each goes as far as its offset says, at others in proportion;
/// the offsets of several targets are added up. Normals stay as they are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MorphTarget {
    /// Name for reports; empty = none.
    pub name: String,
    /// Index into `Mesh::positions` of the first vertex that moves.
    pub first_vertex: u32,
    /// How far that vertex and those after it move, in the space of the vertices; may be empty.
    pub offsets: Vec<[f32; 3]>,
}

/// How much of a target is shown; targets without a weight are not.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MorphWeight {
    /// Index into [`Mesh::morph_targets`].
    pub target: u32,
    /// Any number: below 0 turns the target round, above 1 overdoes it.
    pub weight: f32,
}

/// Weights of many instances at one moment, in the order of the instances.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Morphs {
    weights: Vec<MorphWeight>,
    /// For each instance where its weights end; they begin where those of the one before end.
    ends: Vec<u32>,
}

impl Mesh {
    /// Where the vertices are under these weights: offsets are added in the order of the weights. A weight of a
    /// missing target counts as none.
    pub fn morphed(&self, weights: &[MorphWeight]) -> Cow<'_, [[f32; 3]]> {
        let mut positions = Cow::Borrowed(&self.positions[..]);
        for MorphWeight { target, weight } in weights {
            let Some(target) = self.morph_targets.get(*target as usize) else {
                continue;
            };
            if target.offsets.is_empty() || *weight == 0.0 {
                continue;
            }
            let moved = positions.to_mut()[target.first_vertex as usize..].iter_mut();
            for (position, offset) in moved.zip(&target.offsets) {
                *position = std::array::from_fn(|axis| position[axis] + weight * offset[axis]);
            }
        }
        positions
    }
}

impl Morphs {
    /// Adds the weights of the next instance.
    pub fn push(&mut self, weights: &[MorphWeight]) {
        self.weights.extend_from_slice(weights);
        self.ends.push(self.weights.len() as u32);
    }

    /// Adds those of the weights of the next instance that are not 0.
    pub fn push_shown(&mut self, weights: &[MorphWeight]) {
        let shown = weights.iter().filter(|it| it.weight != 0.0);
        self.weights.extend(shown);
        self.ends.push(self.weights.len() as u32);
    }

    /// Forgets all instances and keeps the memory.
    pub fn clear(&mut self) {
        self.weights.clear();
        self.ends.clear();
    }

    /// Number of instances.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no instance.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The weights of an instance; none for one that is not there.
    pub fn of(&self, instance: usize) -> &[MorphWeight] {
        let Some(end) = self.ends.get(instance) else {
            return &[];
        };
        let start = match instance.checked_sub(1) {
            Some(before) => self.ends[before],
            None => 0,
        };
        &self.weights[start as usize..*end as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(target: u32, weight: f32) -> MorphWeight {
        MorphWeight { target, weight }
    }

    /// Three vertices, of which the first target moves the last two along x, the second the middle one along y.
    fn mesh() -> Mesh {
        let target = |first_vertex, offsets: &[[f32; 3]]| MorphTarget {
            name: String::new(),
            first_vertex,
            offsets: offsets.to_vec(),
        };
        Mesh {
            positions: vec![[1.0, 2.0, 3.0]; 3],
            morph_targets: vec![
                target(1, &[[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]),
                target(1, &[[0.0, 8.0, 0.0]]),
                target(3, &[]),
            ],
            ..Mesh::default()
        }
    }

    #[test]
    fn weighted_offsets_add_up() {
        let mesh = mesh();
        let moved = mesh.morphed(&[weight(0, 0.5), weight(1, -0.25), weight(2, 9.0)]);
        assert_eq!(*moved, [[1.0, 2.0, 3.0], [1.5, 0.0, 3.0], [2.0, 2.0, 3.0]]);
    }

    #[test]
    fn without_a_weight_that_moves_anything_nothing_is_copied() {
        let mesh = mesh();
        let none = [weight(0, 0.0), weight(2, 1.0), weight(3, 1.0)];
        assert!(matches!(mesh.morphed(&none), Cow::Borrowed(_)));
    }

    #[test]
    fn each_instance_has_its_own_weights() {
        let mut morphs = Morphs::default();
        assert!(morphs.is_empty());
        morphs.push(&[weight(3, 0.5), weight(4, 0.25)]);
        morphs.push(&[]);
        morphs.push_shown(&[weight(9, 0.0), weight(3, 1.0), weight(0, -0.0)]);
        assert_eq!(morphs.len(), 3);
        assert_eq!(morphs.of(0), [weight(3, 0.5), weight(4, 0.25)]);
        assert_eq!(morphs.of(1), []);
        assert_eq!(morphs.of(2), [weight(3, 1.0)]);
        assert_eq!(morphs.of(3), []);
        morphs.clear();
        assert_eq!((morphs.len(), morphs.of(0)), (0, &[][..]));
    }
}
