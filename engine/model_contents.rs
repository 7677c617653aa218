//! What the models of a scene are: counts, names and places, for panels and labels.

use crate::scene::{Aabb, Affine, Model, ModelPiece, MorphWeight, Scene};
use glam::Vec3;

use crate::error::AppError;
use crate::renderer::FrameState;

/// Names, counts and places of the models of a scene, counted once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelContents {
    /// How many there are of each thing, in the order of the panel.
    pub counts: Vec<(&'static str, usize)>,
    /// States that some piece is drawn in, ascending.
    pub states: Vec<u8>,
    /// Most levels of detail of a piece; 0 without pieces.
    pub n_lods: usize,
    /// Names to show at their places.
    pub labels: Vec<Label>,
    /// The node that carries each node, among all nodes of all instances.
    pub carriers: Vec<Option<usize>>,
}

/// A name and what it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Node among all nodes of all instances.
    pub node: usize,
    /// Never empty.
    pub text: String,
}

/// What gets a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// Each instance, at its first node.
    Instances,
    /// Each node.
    Nodes,
}

impl ModelContents {
    /// Counts and names.
    pub fn new(scene: &Scene, named: Named) -> Self {
        let mut states: Vec<u8> = pieces(scene).map(|piece| piece.state).collect();
        states.sort_unstable();
        states.dedup();
        Self {
            counts: counts(scene),
            states,
            n_lods: pieces(scene)
                .map(|piece| piece.lods.len())
                .max()
                .unwrap_or(0),
            labels: labels(scene, named),
            carriers: carriers(scene),
        }
    }

    /// Levels of detail that can be chosen.
    pub fn lods(&self) -> Vec<u8> {
        (0..=u8::MAX).take(self.n_lods).collect()
    }

    /// The state, if there is something to be seen in it.
    ///
    /// # Errors
    /// [`AppError::NoChoice`].
    pub fn known_state(&self, wanted: Option<u8>) -> Result<Option<u8>, AppError> {
        known("state", wanted, &self.states)
    }

    /// The level of detail, if some piece has it.
    ///
    /// # Errors
    /// [`AppError::NoChoice`].
    pub fn known_lod(&self, wanted: Option<u8>) -> Result<Option<u8>, AppError> {
        known("level of detail", wanted, &self.lods())
    }

    /// Whether anything stands in the scene.
    pub fn is_empty(&self) -> bool {
        self.carriers.is_empty()
    }
}

/// The choice, if it is one.
fn known(what: &'static str, wanted: Option<u8>, choices: &[u8]) -> Result<Option<u8>, AppError> {
    match wanted {
        Some(wanted) if !choices.contains(&wanted) => Err(AppError::NoChoice {
            what,
            wanted,
            known: match choices {
                [] => "none".to_owned(),
                choices => {
                    let names: Vec<_> = choices.iter().map(u8::to_string).collect();
                    names.join(", ")
                }
            },
        }),
        wanted => Ok(wanted),
    }
}

fn pieces(scene: &Scene) -> impl Iterator<Item = &ModelPiece> {
    scene.models.iter().flat_map(|model| &model.pieces)
}

fn counts(scene: &Scene) -> Vec<(&'static str, usize)> {
    let sum = |count: fn(&Model) -> usize| scene.models.iter().map(count).sum();
    vec![
        ("instances", scene.instances.len()),
        ("models", scene.models.len()),
        ("nodes", sum(|model| model.nodes.len())),
        ("pieces", sum(|model| model.pieces.len())),
        ("batches", sum(|model| model.mesh.batches.len())),
        ("triangles", sum(|model| model.mesh.indices.len() / 3)),
        ("vertices", sum(|model| model.mesh.positions.len())),
        ("materials", scene.materials.len()),
        ("textures", scene.textures.len()),
    ]
}

/// Each instance: the index of its first node among those of all, its name, and its model.
pub fn instances(scene: &Scene) -> impl Iterator<Item = (usize, &str, &Model)> {
    let mut first = 0;
    scene.instances.iter().map(move |instance| {
        let model = &scene.models[instance.model.0 as usize];
        let own_first = first;
        first += model.nodes.len();
        (own_first, &*instance.name, model)
    })
}

fn labels(scene: &Scene, named: Named) -> Vec<Label> {
    let label = |node, text: &str| Label {
        node,
        text: text.to_owned(),
    };
    let all = instances(scene).flat_map(|(first, name, model)| match named {
        Named::Instances if model.nodes.is_empty() => Vec::new(),
        Named::Instances => vec![label(first, last_part(name))],
        Named::Nodes => {
            let nodes = model.nodes.iter().enumerate();
            nodes
                .map(|(index, node)| label(first + index, &node.name))
                .collect()
        }
    });
    all.filter(|label| !label.text.is_empty()).collect()
}

/// What a name that is a path ends with.
pub fn last_part(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

fn carriers(scene: &Scene) -> Vec<Option<usize>> {
    instances(scene)
        .flat_map(|(first, _, model)| {
            let nodes = model.nodes.iter();
            nodes.map(move |node| node.parent.map(|parent| first + parent as usize))
        })
        .collect()
}

/// The triangles that a node of the scene's first instance shows in one state at its finest, in the world, its vertices
/// moved by these weights.
pub fn triangles_of_node(
    scene: &Scene,
    node: usize,
    state: u8,
    world_from_node: &Affine,
    weights: &[MorphWeight],
) -> Vec<[Vec3; 3]> {
    let Some(instance) = scene.instances.first() else {
        return Vec::new();
    };
    let model = &scene.models[instance.model.0 as usize];
    let positions = model.mesh.morphed(weights);
    let mut shown = Vec::new();
    let pieces = model.pieces.iter();
    for piece in pieces.filter(|piece| piece.node as usize == node && piece.state == state) {
        let corner =
            |index: &u32| Vec3::from(world_from_node.transform_point(positions[*index as usize]));
        let triangles = piece_indices(model, piece);
        shown.extend(triangles.map(|[a, b, c]| [corner(a), corner(b), corner(c)]));
    }
    shown
}

/// The triangles that an instance shows at its finest in a frame whose models are posed.
pub fn triangles_of_instance(scene: &Scene, instance: usize, state: &FrameState) -> Vec<[Vec3; 3]> {
    let Some((first, _, model)) = instances(scene).nth(instance) else {
        return Vec::new();
    };
    let positions = model.mesh.morphed(state.morphs.of(instance));
    let mut shown = Vec::new();
    for (index, piece) in model.pieces.iter().enumerate() {
        let Some(world_from_node) = state.poses.get(first + piece.node as usize) else {
            continue;
        };
        if scene.instances[instance].shows(index, piece) {
            let corner = |index: &u32| {
                Vec3::from(world_from_node.transform_point(positions[*index as usize]))
            };
            let triangles = piece_indices(model, piece);
            shown.extend(triangles.map(|[a, b, c]| [corner(a), corner(b), corner(c)]));
        }
    }
    shown
}

/// Around everything that instances show at rest at their finest; `None` where there is no vertex.
pub fn box_at_rest(scene: &Scene) -> Option<Aabb> {
    let poses = scene.rest_poses();
    let mut points = Vec::new();
    for ((first, _, model), instance) in instances(scene).zip(&scene.instances) {
        let positions = model.mesh.morphed(&instance.morph);
        let pieces = model.pieces.iter().enumerate();
        for (_, piece) in pieces.filter(|(idx, piece)| instance.shows(*idx, piece)) {
            let world_from_node = &poses[first + piece.node as usize];
            let corners = piece_indices(model, piece).flatten();
            points.extend(
                corners.map(|index| world_from_node.transform_point(positions[*index as usize])),
            );
        }
    }
    Aabb::around(
        points
            .iter()
            .filter(|point| point.iter().all(|v| v.is_finite())),
    )
}

/// Corners of the triangles of a piece at its finest.
fn piece_indices<'a>(
    model: &'a Model,
    piece: &ModelPiece,
) -> impl Iterator<Item = &'a [u32; 3]> + use<'a> {
    let batches = piece.lods[0].batches.clone();
    let batches = &model.mesh.batches[batches.start as usize..batches.end as usize];
    batches.iter().flat_map(|batch| {
        let indices = batch.first_index as usize..(batch.first_index + batch.n_indices) as usize;
        model.mesh.indices[indices].as_chunks().0
    })
}

#[cfg(test)]
mod tests {
    use crate::scene::{Batch, Instance, MaterialIdx, Mesh, ModelIdx, ModelNode, PieceLod, Sphere};

    use super::*;

    fn moved(by: [f32; 3]) -> Affine {
        let mut affine = Affine::IDENTITY;
        for (row, by) in affine.0.iter_mut().zip(by) {
            row[3] = by;
        }
        affine
    }

    fn piece(node: u32, state: u8) -> ModelPiece {
        let lod = PieceLod {
            bounds: Sphere::default(),
            batches: 0..1,
        };
        ModelPiece {
            node,
            state,
            lods: vec![lod.clone(), lod],
        }
    }

    /// A triangle on the second of two nodes, 10 above the first; in state 2 one on the first.
    fn model() -> Model {
        let node = |name: &str, parent, z| ModelNode {
            name: name.to_owned(),
            parent,
            parent_from_node: moved([0.0, 0.0, z]),
        };
        Model {
            nodes: vec![node("base", None, 0.0), node("", Some(0), 10.0)],
            mesh: Mesh {
                positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]],
                indices: vec![0, 1, 2],
                batches: vec![Batch {
                    first_index: 0,
                    n_indices: 3,
                    material: MaterialIdx(0),
                }],
                ..Mesh::default()
            },
            pieces: vec![piece(1, 0), piece(0, 2)],
            ..Model::default()
        }
    }

    fn scene() -> Scene {
        let instance = |name: &str, x| Instance {
            name: name.to_owned(),
            model: ModelIdx(0),
            world_from_model: moved([x, 0.0, 0.0]),
            ..Instance::default()
        };
        Scene {
            models: vec![model()],
            instances: vec![instance("UNITS\\one.dat", 0.0), instance("two", 100.0)],
            ..Scene::default()
        }
    }

    fn labels_of(named: Named) -> Vec<(usize, String)> {
        let labels = ModelContents::new(&scene(), named).labels;
        labels
            .into_iter()
            .map(|label| (label.node, label.text))
            .collect()
    }

    #[test]
    fn objects_are_named_at_their_first_node_and_nodes_at_each() {
        let named = |node: usize, text: &str| (node, text.to_owned());
        let objects = labels_of(Named::Instances);
        assert_eq!(objects, [named(0, "one.dat"), named(2, "two")]);
        let nodes = labels_of(Named::Nodes);
        assert_eq!(nodes, [named(0, "base"), named(2, "base")], "1 has no name");
    }

    #[test]
    fn a_choice_that_is_not_there_is_reported_with_those_that_are() {
        assert_eq!(known("state", Some(1), &[0, 1]).unwrap(), Some(1));
        assert_eq!(known("state", None, &[]).unwrap(), None);
        for (choices, reported) in [(&[0, 2][..], "there are 0, 2"), (&[], "there are none")] {
            let error = known("state", Some(1), choices).unwrap_err().to_string();
            assert!(error.starts_with("no model has state 1"), "{error}");
            assert!(error.ends_with(reported), "{error}");
        }
    }

    #[test]
    fn carriers_are_counted_among_all_nodes() {
        let contents = ModelContents::new(&scene(), Named::Nodes);
        assert_eq!(contents.carriers, [None, Some(0), None, Some(2)]);
        assert_eq!((&*contents.states, contents.n_lods), (&[0, 2][..], 2));
    }

    #[test]
    fn the_box_holds_what_is_shown_at_rest() {
        let expected = Aabb {
            min: [0.0, 0.0, 10.0],
            max: [101.0, 2.0, 10.0],
        };
        assert_eq!(box_at_rest(&scene()), Some(expected));
        assert_eq!(box_at_rest(&Scene::default()), None);
    }

    #[test]
    fn a_nodes_triangles_are_those_of_the_state_that_is_shown() {
        let world_from_node = moved([0.0, 0.0, 5.0]);
        let triangles =
            |node, state| triangles_of_node(&scene(), node, state, &world_from_node, &[]);
        let expected = [[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [0.0, 2.0, 5.0]].map(Vec3::from);
        assert_eq!(triangles(1, 0), [expected]);
        assert_eq!(triangles(1, 2), [] as [[Vec3; 3]; 0]);
    }
}
