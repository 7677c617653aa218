//! Models of rigid pieces that hang on nodes, and where they stand.

use std::ops::Range;

use crate::{Aabb, Affine, Joint, Mesh, MorphWeight, ViewRange};

/// Index into `Scene::models`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelIdx(pub u32);

/// A model: pieces that hang rigidly on nodes, or whose vertices several nodes carry. What moves is the nodes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Model {
    /// Name for reports.
    pub name: String,
    /// Nodes, parents before children.
    pub nodes: Vec<ModelNode>,
    /// Vertices, each in the space of the node whose piece draws it, or, with a skin, all in a space of their own. It has
    /// neither clusters nor a LOD grid.
    pub mesh: Mesh,
    /// What carries the vertices of a mesh that has a skin; else there are none.
    pub joints: Vec<Joint>,
    /// What hangs on the nodes; the pieces of a mesh that has a skin are where its joints carry them, whatever their node.
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
    /// Levels of detail, finest first; never empty. Beyond the last one, the last is used.
    pub lods: Vec<PieceLod>,
}

/// A level of detail of a piece.
#[derive(Debug, Clone, PartialEq)]
pub struct PieceLod {
    /// Around its vertices, in the space of its node, while no target of the mesh moves them.
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
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Instance {
    /// Name for reports.
    pub name: String,
    /// What it shows.
    pub model: ModelIdx,
    /// Where it stands at rest.
    pub world_from_model: Affine,
    /// Where its nodes are at rest, in place of [`ModelNode::parent_from_node`]: one for each node, or none if all are
    /// where the model has them.
    pub parent_from_nodes: Vec<Affine>,
    /// Which pieces it shows.
    pub state: u8,
    /// Indices into `Model::pieces` of those that it never shows; they rise. What hangs on their nodes stays.
    pub hidden_pieces: Vec<u32>,
    /// How its vertices have moved at rest; each target at most once.
    pub morph: Vec<MorphWeight>,
    /// Light that falls on it, for [`crate::Lighting::Ambient`]; `None` is the scene's ambient light from all sides.
    pub light: Option<AmbientCube>,
    /// What else falls on it, from single directions, likewise; at most [`MAX_DIRECT_LIGHTS`].
    pub direct_lights: Vec<DirectLight>,
    /// Cells of `Scene::visibility` that it reaches into; empty = it may be seen from everywhere.
    pub cells: Vec<u32>,
    /// Distances from the eye to its middle between which it is seen.
    pub range: ViewRange,
}

/// Light from six sides: +x, -x, +y, -y, +z, -z; linear, 1 = fully lit. A surface with the normal n gets, of each
/// axis, the side that n points to, times the square of n's share of that axis.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AmbientCube(pub [[f32; 3]; 6]);

/// Most lights that fall on an instance from single directions.
pub const MAX_DIRECT_LIGHTS: usize = 4;

/// Light that falls on an instance from one direction, the same all over it. A surface gets the color times the cosine of
/// the angle at which it falls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DirectLight {
    /// Unit vector toward where it comes from.
    pub direction_to_light: [f32; 3],
    /// Linear, 1 = fully lit.
    pub color: [f32; 3],
    /// Index into `Scene::light_styles` of what it is multiplied by; `None` is always 1.
    pub style: Option<u16>,
}

impl Sphere {
    /// Around the middle of the box around them; none without points.
    pub fn around<'a>(
        points: impl IntoIterator<Item = &'a [f32; 3], IntoIter: Clone>,
    ) -> Option<Self> {
        let points = points.into_iter();
        let center = Aabb::around(points.clone())?.center();
        let distance_sq = |point: &[f32; 3]| -> f32 {
            let from_center = |axis: usize| point[axis] - center[axis];
            (0..3).map(|axis| from_center(axis).powi(2)).sum()
        };
        let radius_sq = points.map(distance_sq).fold(0.0, f32::max);
        Some(Self {
            center,
            radius: radius_sq.sqrt(),
        })
    }

    /// The smallest ball around two.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let way: [f32; 3] = std::array::from_fn(|axis| other.center[axis] - self.center[axis]);
        let distance = way.iter().map(|part| part * part).sum::<f32>().sqrt();
        if distance + other.radius <= self.radius {
            return *self;
        }
        if distance + self.radius <= other.radius {
            return *other;
        }
        let radius = 0.5 * (distance + self.radius + other.radius);
        let share = (radius - self.radius) / distance;
        Self {
            center: std::array::from_fn(|axis| self.center[axis] + share * way[axis]),
            radius,
        }
    }
}

impl Model {
    /// Appends world from node for every node, where the model has them at rest.
    pub fn rest_pose(&self, world_from_model: &Affine, world_from_nodes: &mut Vec<Affine>) {
        let places = self.nodes.iter().map(|node| &node.parent_from_node);
        self.pose(world_from_model, places, world_from_nodes);
    }

    fn pose<'a>(
        &self,
        world_from_model: &Affine,
        parent_from_nodes: impl Iterator<Item = &'a Affine>,
        world_from_nodes: &mut Vec<Affine>,
    ) {
        let first = world_from_nodes.len();
        for (node, parent_from_node) in self.nodes.iter().zip(parent_from_nodes) {
            let world_from_parent = match node.parent {
                Some(parent) => world_from_nodes[first + parent as usize],
                None => *world_from_model,
            };
            world_from_nodes.push(world_from_parent.times(parent_from_node));
        }
    }
}

impl Instance {
    /// Whether it shows a piece of its model, given with its index.
    pub fn shows(&self, piece_idx: usize, piece: &ModelPiece) -> bool {
        let is_hidden = |hidden: &u32| *hidden as usize == piece_idx;
        piece.state == self.state && !self.hidden_pieces.iter().any(is_hidden)
    }

    /// Appends world from node for every node at rest; `model` is the one that it shows.
    pub fn rest_pose(&self, model: &Model, world_from_nodes: &mut Vec<Affine>) {
        if self.parent_from_nodes.is_empty() {
            model.rest_pose(&self.world_from_model, world_from_nodes);
        } else {
            let places = self.parent_from_nodes.iter();
            model.pose(&self.world_from_model, places, world_from_nodes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved([x, y, z]: [f32; 3]) -> Affine {
        Affine([[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]])
    }

    #[test]
    fn an_instance_may_have_its_nodes_elsewhere_than_its_model() {
        let node = |parent, z| ModelNode {
            parent,
            parent_from_node: moved([0.0, 0.0, z]),
            ..ModelNode::default()
        };
        let model = Model {
            nodes: vec![node(None, 1.0), node(Some(0), 2.0), node(Some(1), 4.0)],
            ..Model::default()
        };
        let mut instance = Instance {
            world_from_model: moved([100.0, 0.0, 0.0]),
            ..Instance::default()
        };
        let z_of = |instance: &Instance| {
            let mut poses = vec![Affine::IDENTITY];
            instance.rest_pose(&model, &mut poses);
            let [_, nodes @ ..] = &poses[..] else {
                panic!("what was there is gone");
            };
            let places = nodes.iter().map(|it| it.transform_point([0.0; 3]));
            places
                .map(|[x, y, z]| [x - 100.0, y, z])
                .collect::<Vec<_>>()
        };
        assert_eq!(z_of(&instance), [1.0, 3.0, 7.0].map(|z| [0.0, 0.0, z]));
        instance.parent_from_nodes = [10.0, 20.0, 40.0].map(|y| moved([0.0, y, 0.0])).into();
        assert_eq!(z_of(&instance), [10.0, 30.0, 70.0].map(|y| [0.0, y, 0.0]));
    }
}
