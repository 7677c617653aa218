//! Models of rigid pieces that hang on nodes, and where they stand.

use std::ops::Range;

use crate::{Affine, Mesh};

/// Index into `Scene::models`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelIdx(pub u32);

/// A model: pieces that hang rigidly on nodes. What moves is the nodes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Model {
    /// Name for reports.
    pub name: String,
    /// Nodes, parents before children.
    pub nodes: Vec<ModelNode>,
    /// Vertices, each in the space of the node whose piece draws it. It has neither clusters nor a LOD grid.
    pub mesh: Mesh,
    /// What hangs on the nodes.
    pub pieces: Vec<ModelPiece>,
    /// When coarser levels of detail are used: level `k + 1` where the diameter of `bounds` is below `lod_sizes[k]`
    /// times the picture's height. Descending, as in `[0.2, 0.1]`.
    pub lod_sizes: Vec<f32>,
    /// Around the whole model at rest, in model space; decides the level of detail.
    pub bounds: Sphere,
}

/// A joint of a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelNode {
    /// Name for reports; empty = none.
    pub name: String,
    /// The node that carries it; `None` for a root, which the model itself carries.
    pub parent: Option<u32>,
    /// Its place at rest, in the space of its parent.
    pub parent_from_node: Affine,
}

/// What is drawn of a node in one state.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelPiece {
    /// Index into `Model::nodes`.
    pub node: u32,
    /// The state that it is drawn in, as in 0 whole, 1 destroyed; an instance shows one state.
    pub state: u8,
    /// Levels of detail, finest first; never empty. Where there are fewer than asked for, the last serves.
    pub lods: Vec<PieceLod>,
}

/// A level of detail of a piece.
#[derive(Debug, Clone, PartialEq)]
pub struct PieceLod {
    /// Around its vertices, in the space of its node.
    pub bounds: Sphere,
    /// Range of the mesh's batches; may be empty.
    pub batches: Range<u32>,
}

/// A ball; a point counts as one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sphere {
    /// Its middle.
    pub center: [f32; 3],
    /// At least 0.
    pub radius: f32,
}

/// A model in the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// Name for reports.
    pub name: String,
    /// What it shows.
    pub model: ModelIdx,
    /// Where it stands at rest.
    pub world_from_model: Affine,
    /// Which pieces it shows.
    pub state: u8,
    /// Light that falls on it, for [`crate::Lighting::Ambient`]; `None` is the scene's ambient light from all sides.
    pub light: Option<AmbientCube>,
    /// Cells of `Scene::visibility` that it reaches into; empty = it may be seen from everywhere.
    pub cells: Vec<u32>,
}

/// Light from six sides: +x, -x, +y, -y, +z, -z; linear, 1 = fully lit. A surface with the normal n gets, of each
/// axis, the side that n points to, times the square of n's share of that axis.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AmbientCube(pub [[f32; 3]; 6]);

impl Model {
    /// Appends world from node for every node of an instance at rest.
    pub fn rest_pose(&self, world_from_model: &Affine, world_from_nodes: &mut Vec<Affine>) {
        let first = world_from_nodes.len();
        for node in &self.nodes {
            let world_from_parent = match node.parent {
                Some(parent) => world_from_nodes[first + parent as usize],
                None => *world_from_model,
            };
            world_from_nodes.push(world_from_parent.times(&node.parent_from_node));
        }
    }
}
