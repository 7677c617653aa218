//! What bends what is behind it, in parts of which each is seen as a whole: the panes of a mesh. Plain arithmetic, no GPU.

use std::{borrow::Cow, collections::HashMap};

use glam::Vec3;
use ironlands_scene::{Aabb, Batch, Mesh, PassKind, Scene};

use crate::uniforms::NodeMatrix;

/// A batch of more panes than this is one pane: such are splinters, or a mesh whose triangles share no vertices.
const MAX_PANES: usize = 64;

/// Corners that a pane has at most; others lie in a box with this many.
const N_CORNERS: usize = 8;

/// Connected triangles of a batch.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pane {
    /// Index into the batches of the mesh.
    pub batch: usize,
    pub first_index: u32,
    pub n_indices: u32,
    /// A hull around it, in mesh space; fewer corners than fit are repeated.
    corners: [Vec3; N_CORNERS],
}

#[cfg(test)]
impl Pane {
    /// Two triangles within these corners.
    pub fn from_corners(corners: [Vec3; N_CORNERS]) -> Self {
        Self {
            batch: 0,
            first_index: 0,
            n_indices: 6,
            corners,
        }
    }
}

/// A pane of a frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedPane {
    /// The hull around it, in the world.
    pub corners: [Vec3; N_CORNERS],
    /// How far from itself it shows the picture, in widths and heights of that.
    pub reach: f32,
}

impl PlacedPane {
    /// Where a matrix puts a pane.
    pub fn new(pane: &Pane, world_from_mesh: &NodeMatrix, reach: f32) -> Self {
        Self {
            corners: pane.corners.map(|corner| world_from_mesh.place(corner)),
            reach,
        }
    }

    /// The middle of its hull.
    pub fn middle(&self) -> Vec3 {
        let first = self.corners[0];
        let [min, max] = (self.corners.iter()).fold([first; 2], |[min, max], corner| {
            [min.min(*corner), max.max(*corner)]
        });
        min.midpoint(max)
    }
}

/// The panes of a mesh, in the order of their batches. Triangles of a pane stand together in `indices` then, which are those
/// of the mesh.
pub(crate) fn split_into_panes(
    scene: &Scene,
    mesh: &Mesh,
    indices: &mut Cow<'_, [u32]>,
) -> Vec<Pane> {
    let bends = |batch: &Batch| {
        let passes = &scene.materials[batch.material.0 as usize].passes;
        passes.iter().any(|pass| pass.kind == PassKind::Refracting)
    };
    let bending = mesh.batches.iter().enumerate();
    let bending = bending.filter(|(_, batch)| batch.n_indices > 0 && bends(batch));
    let mut panes = Vec::new();
    for (batch_idx, batch) in bending {
        let first = batch.first_index as usize;
        let own = &mut indices.to_mut()[first..first + batch.n_indices as usize];
        let mut n_before = 0;
        for n_indices in order_by_component(own) {
            let range = n_before as usize..(n_before + n_indices) as usize;
            panes.push(Pane {
                batch: batch_idx,
                first_index: batch.first_index + n_before,
                n_indices,
                corners: hull_of(mesh, &vertices_of(&own[range])),
            });
            n_before += n_indices;
        }
    }
    panes
}

/// The vertices that indices name, each once.
fn vertices_of(indices: &[u32]) -> Vec<u32> {
    let mut vertices = indices.to_vec();
    vertices.sort_unstable();
    vertices.dedup();
    vertices
}

/// Sorts triangles so that those that are connected by vertices follow each other; how many indices each component has.
fn order_by_component(indices: &mut [u32]) -> Vec<u32> {
    let (triangles, _) = indices.as_chunks_mut::<3>();
    let component = components(triangles);
    let n_components = component.iter().max().map_or(0, |last| last + 1);
    if n_components > MAX_PANES {
        return vec![indices.len() as u32];
    }
    let mut n_indices = vec![0; n_components];
    let mut sorted: Vec<_> = component.into_iter().zip(triangles.to_vec()).collect();
    sorted.sort_by_key(|(component, _)| *component);
    for (triangle, (component, from)) in triangles.iter_mut().zip(sorted) {
        *triangle = from;
        n_indices[component] += 3;
    }
    n_indices
}

/// For each triangle the number of its component, in the order of their first triangles.
fn components(triangles: &[[u32; 3]]) -> Vec<usize> {
    // For each triangle one of its component that is not behind it; roots are their own.
    let mut parents: Vec<usize> = (0..triangles.len()).collect();
    let mut triangle_at: HashMap<u32, usize> = HashMap::new();
    for (index, triangle) in triangles.iter().enumerate() {
        for vertex in triangle {
            let other = *triangle_at.entry(*vertex).or_insert(index);
            let [a, b] = [other, index].map(|it| root_of(&mut parents, it));
            parents[a.max(b)] = a.min(b);
        }
    }
    let mut number_of_root = HashMap::new();
    let roots = (0..triangles.len()).map(|index| root_of(&mut parents, index));
    roots
        .map(|root| {
            let next = number_of_root.len();
            *number_of_root.entry(root).or_insert(next)
        })
        .collect()
}

/// Halves the path for later calls.
fn root_of(parents: &mut [usize], mut index: usize) -> usize {
    while parents[index] != index {
        parents[index] = parents[parents[index]];
        index = parents[index];
    }
    index
}

/// The corners themselves if there are few, else those of a box around them.
fn hull_of(mesh: &Mesh, vertices: &[u32]) -> [Vec3; N_CORNERS] {
    let places = vertices
        .iter()
        .map(|vertex| mesh.positions[*vertex as usize]);
    let places: Vec<[f32; 3]> = places.collect();
    if places.len() <= N_CORNERS {
        let last = places.len() - 1;
        return std::array::from_fn(|index| places[index.min(last)].into());
    }
    let bounds = Aabb::around(&places).expect("a pane has corners");
    std::array::from_fn(|index| {
        let side = |axis: usize| match index >> axis & 1 {
            0 => bounds.min[axis],
            _ => bounds.max[axis],
        };
        Vec3::new(side(0), side(1), side(2))
    })
}

#[cfg(test)]
mod tests {
    use ironlands_scene::{Material, MaterialIdx, Pass};

    use super::*;

    /// Squares of two triangles in a row along x, of 1 unit at every second, and the given order of their triangles.
    fn squares(n_squares: u32, triangles: &[[u32; 3]]) -> (Scene, Mesh) {
        let bending = Pass {
            kind: PassKind::Refracting,
            ..Pass::default()
        };
        let material = |pass| Material {
            passes: vec![pass],
            ..Material::default()
        };
        let scene = Scene {
            materials: vec![material(Pass::default()), material(bending)],
            ..Scene::default()
        };
        let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let squares = (0..n_squares)
            .flat_map(|square| corners.map(|[x, y]: [f32; 2]| [x + 2.0 * square as f32, y, 0.0]));
        let indices: Vec<u32> = triangles.iter().flatten().copied().collect();
        let mesh = Mesh {
            positions: squares.collect(),
            batches: vec![Batch {
                first_index: 0,
                n_indices: indices.len() as u32,
                material: MaterialIdx(1),
            }],
            indices,
            ..Mesh::default()
        };
        (scene, mesh)
    }

    #[test]
    fn triangles_that_share_vertices_are_one_pane_wherever_they_stand() {
        let (scene, mesh) = squares(2, &[[0, 1, 2], [4, 5, 6], [0, 2, 3], [4, 6, 7]]);
        let mut indices = Cow::Borrowed(&mesh.indices[..]);
        let panes = split_into_panes(&scene, &mesh, &mut indices);
        assert_eq!(*indices, [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]);
        let ranges: Vec<_> = (panes.iter())
            .map(|pane| (pane.batch, pane.first_index, pane.n_indices))
            .collect();
        assert_eq!(ranges, [(0, 0, 6), (0, 6, 6)]);
        assert_eq!(panes[1].corners[0], Vec3::new(2.0, 0.0, 0.0));
        assert_eq!(panes[1].corners[7], Vec3::new(2.0, 1.0, 0.0));
    }

    #[test]
    fn a_late_triangle_joins_two_components() {
        let triangles = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [2, 3, 9]];
        assert_eq!(components(&triangles), [0, 0, 1, 0]);
    }

    #[test]
    fn other_materials_have_none_and_splinters_are_one() {
        let (scene, mut mesh) = squares(1, &[[0, 1, 2], [0, 2, 3]]);
        mesh.batches[0].material = MaterialIdx(0);
        let mut indices = Cow::Borrowed(&mesh.indices[..]);
        assert!(split_into_panes(&scene, &mesh, &mut indices).is_empty());
        let splinters: Vec<_> = (0..MAX_PANES as u32 + 1)
            .map(|i| [4 * i, 4 * i + 1, 4 * i + 2])
            .collect();
        let (scene, mesh) = squares(MAX_PANES as u32 + 1, &splinters);
        let mut indices = Cow::Borrowed(&mesh.indices[..]);
        let panes = split_into_panes(&scene, &mesh, &mut indices);
        assert_eq!(panes.len(), 1);
        let world = NodeMatrix::IDENTITY;
        let middle = PlacedPane::new(&panes[0], &world, 0.0).middle();
        assert_eq!(middle, Vec3::new(MAX_PANES as f32 + 0.5, 0.5, 0.0));
    }
}
