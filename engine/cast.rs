//! What the models of a scene are: counts, names and places, for panels and labels.

use glam::Vec3;
use ironlands::scene::{Aabb, Affine, Model, ModelPiece, Scene};

/// The models of a scene and what stands of them, counted once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cast {
    /// What there is of each thing, in the order of the panel.
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

impl Cast {
    /// Counts and names.
    pub fn of(scene: &Scene, named: Named) -> Self {
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

    /// Levels of detail that can be asked for.
    pub fn lods(&self) -> Vec<u8> {
        (0..=u8::MAX).take(self.n_lods).collect()
    }

    /// Whether anything stands in the scene.
    pub fn is_empty(&self) -> bool {
        self.carriers.is_empty()
    }
}

fn pieces(scene: &Scene) -> impl Iterator<Item = &ModelPiece> {
    scene.models.iter().flat_map(|model| &model.pieces)
}

fn counts(scene: &Scene) -> Vec<(&'static str, usize)> {
    let sum = |count: fn(&Model) -> usize| scene.models.iter().map(count).sum();
    vec![
        ("objects", scene.instances.len()),
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

/// The nodes of each instance with the index of the first.
fn instances(scene: &Scene) -> impl Iterator<Item = (usize, &str, &Model)> {
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
        Named::Instances => vec![label(first, name)],
        Named::Nodes => {
            let nodes = model.nodes.iter().enumerate();
            nodes
                .map(|(index, node)| label(first + index, &node.name))
                .collect()
        }
    });
    all.filter(|label| !label.text.is_empty()).collect()
}

fn carriers(scene: &Scene) -> Vec<Option<usize>> {
    instances(scene)
        .flat_map(|(first, _, model)| {
            let nodes = model.nodes.iter();
            nodes.map(move |node| node.parent.map(|parent| first + parent as usize))
        })
        .collect()
}

/// The triangles that a node of the scene's first instance shows in one state at its finest, in the world.
pub fn triangles_of_node(
    scene: &Scene,
    node: usize,
    state: u8,
    world_from_node: &Affine,
) -> Vec<[Vec3; 3]> {
    let Some(instance) = scene.instances.first() else {
        return Vec::new();
    };
    let model = &scene.models[instance.model.0 as usize];
    let mut shown = Vec::new();
    let pieces = model.pieces.iter();
    for piece in pieces.filter(|piece| piece.node as usize == node && piece.state == state) {
        let corner = |index: &u32| {
            let position = model.mesh.positions[*index as usize];
            Vec3::from(world_from_node.transform_point(position))
        };
        let triangles = piece_indices(model, piece);
        shown.extend(triangles.map(|[a, b, c]| [corner(a), corner(b), corner(c)]));
    }
    shown
}

/// Around everything that instances show at rest at their finest; `None` where there is no vertex.
pub fn box_at_rest(scene: &Scene) -> Option<Aabb> {
    let poses = scene.rest_poses();
    let mut points = Vec::new();
    for ((first, _, model), instance) in instances(scene).zip(&scene.instances) {
        let pieces = model.pieces.iter();
        for piece in pieces.filter(|piece| piece.state == instance.state) {
            let world_from_node = &poses[first + piece.node as usize];
            let corners = piece_indices(model, piece).flatten();
            points.extend(corners.map(|index| {
                world_from_node.transform_point(model.mesh.positions[*index as usize])
            }));
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
