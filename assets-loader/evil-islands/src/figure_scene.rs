//! A figure -> a model of the scene (dossier sections 9.4 and 9.5).
//!
//! In: a [`Figure`], and for each kind of surface a material. Out: a model with a node and, where there is something
//! to see, a piece for each part. Its mesh shows the first extreme state; the seven others and the frames of
//! animations that move vertices are morph targets. What an object makes of it (complection, body parts) becomes
//! weights, places of nodes and hidden pieces of its instance. Model axes are the engine's: nothing is turned.
//!
//! Deliberately absent: which textures an object wears, and time.
#![cfg_attr(
    not(test),
    expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "counts of what is in memory; readers have checked all indices"
    )
)]

mod targets;
#[cfg(test)]
mod tests;

use ironlands_scene::{
    Aabb, Affine, Batch, Blend, Instance, MaterialIdx, Mesh, Model, ModelNode, ModelPiece,
    MorphWeight, Pass, PassKind, PieceLod, Sphere, TextureIdx,
};

pub use self::targets::FigureTargets;
use super::bon::Bon;
use super::complection::{N_STATES, weights};
use super::fig::Fig;
use super::figure::Figure;

/// Below this much alpha nothing is drawn (dossier section 12.5).
const ALPHA_REFERENCE: f32 = 0.5;

/// Which of an object's two textures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextureSlot {
    /// The first.
    Primary,
    /// The second.
    Secondary,
}

/// What a part's material depends on besides the object's textures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartSurface {
    /// Render group.
    pub group: u32,
    /// What is laid on it.
    pub texture: TextureSlot,
}

impl PartSurface {
    /// As a mesh says.
    pub fn from_fig(fig: &Fig) -> Self {
        let texture = match fig.texture {
            2 => TextureSlot::Secondary,
            _ => TextureSlot::Primary,
        };
        Self {
            group: fig.group,
            texture,
        }
    }

    /// How it is drawn (dossier section 9.4.8). Both sides: nothing says that the game leaves out one.
    pub fn pass(&self, texture: Option<TextureIdx>) -> Pass {
        let pass = Pass {
            texture,
            ..Pass::default()
        };
        match self.group {
            19 | 22 => pass,
            25 => Pass {
                kind: PassKind::Translucent,
                blend: Some(Blend::ALPHA),
                depth_write: false,
                ..pass
            },
            _ => Pass {
                alpha_test: Some(ALPHA_REFERENCE),
                ..pass
            },
        }
    }
}

/// The model of a figure. `targets` are those that it gets; `material_of` is called for each part that shows something.
///
/// Numbers that are not finite count as 0: the checks of a mesh report them.
pub fn to_model(
    figure: &Figure,
    targets: &FigureTargets,
    material_of: &mut dyn FnMut(PartSurface) -> MaterialIdx,
) -> Model {
    let mut mesh = Mesh {
        name: figure.name.clone(),
        ..Mesh::default()
    };
    let mut pieces = Vec::new();
    let mut first_vertices = Vec::with_capacity(figure.parts.len());
    for (node, part) in (0..).zip(&figure.parts) {
        first_vertices.push(mesh.positions.len() as u32);
        if let Some(fig) = &part.fig {
            let batch = mesh.batches.len() as u32;
            if let Some(bounds) = add_fig(&mut mesh, fig, material_of) {
                pieces.push(ModelPiece {
                    node,
                    state: 0,
                    lods: vec![PieceLod {
                        bounds,
                        batches: batch..batch + 1,
                    }],
                });
            }
        }
    }
    mesh.morph_targets = targets.of_mesh(figure, &first_vertices);
    let nodes = figure.parts.iter().map(|part| ModelNode {
        name: part.name.clone(),
        parent: part.parent,
        parent_from_node: place_of(part.bon.as_ref(), [0.0; 3]),
    });
    let mut model = Model {
        name: figure.name.clone(),
        nodes: nodes.collect(),
        mesh,
        pieces,
        ..Model::default()
    };
    model.bounds = bounds_at_rest(&model);
    model
}

/// Where the nodes of an instance are at rest, for dexterity, strength, height: [`Instance::parent_from_nodes`].
pub fn places_at_rest(figure: &Figure, complection: [f32; 3]) -> Vec<Affine> {
    let parts = figure.parts.iter();
    parts
        .map(|part| place_of(part.bon.as_ref(), complection))
        .collect()
}

/// How much of each extreme state an instance shows at rest, for dexterity, strength, height: [`Instance::morph`].
/// Those that are not shown are left out.
pub fn weights_at_rest(complection: [f32; 3]) -> Vec<MorphWeight> {
    let all = state_weights(complection);
    all.into_iter().filter(|it| it.weight != 0.0).collect()
}

/// As [`weights_at_rest`], with those that are 0. The first state is what the mesh shows by itself, so its weight is
/// what the others leave of 1.
pub fn state_weights(complection: [f32; 3]) -> [MorphWeight; N_STATES - 1] {
    let [_, others @ ..] = weights(complection.map(finite));
    let mut target = 0;
    others.map(|weight| {
        let shown = MorphWeight { target, weight };
        target += 1;
        shown
    })
}

/// The pieces that a list of body parts leaves out; an empty list leaves out none (dossier section 9.5).
pub fn hidden_pieces(model: &Model, body_parts: &[impl AsRef<str>]) -> Vec<u32> {
    if body_parts.is_empty() {
        return Vec::new();
    }
    let is_listed = |piece: &ModelPiece| {
        let node = model.nodes.get(piece.node as usize);
        let names = body_parts.iter().map(AsRef::as_ref);
        node.is_some_and(|node| {
            names
                .into_iter()
                .any(|it| node.name.eq_ignore_ascii_case(it))
        })
    };
    let pieces = (0..).zip(&model.pieces);
    let hidden = pieces.filter(|(_, piece)| !is_listed(piece));
    hidden.map(|(index, _)| index).collect()
}

/// Height in the world of the lowest vertex that an instance shows at rest; `None` if it shows none. Units have their
/// origin at the hip, and stand on their lowest vertex (dossier section 12.3).
pub fn lowest_vertex(model: &Model, instance: &Instance) -> Option<f32> {
    let mut world_from_nodes = Vec::new();
    instance.rest_pose(model, &mut world_from_nodes);
    let positions = model.mesh.morphed(&instance.morph);
    let pieces = model.pieces.iter().enumerate();
    let shown = pieces.filter(|(index, piece)| instance.shows(*index, piece));
    let heights = shown.flat_map(|(_, piece)| {
        let world_from_node = world_from_nodes.get(piece.node as usize);
        let vertices = vertices_of(&model.mesh, piece);
        let positions = vertices.filter_map(|vertex| positions.get(*vertex as usize));
        positions.filter_map(move |position| {
            let [_, _, z] = world_from_node?.transform_point(*position);
            Some(z)
        })
    });
    heights.reduce(f32::min)
}

/// Adds the vertices and triangles of a part as a batch; the bounds of its first state. Nothing without triangles.
fn add_fig(
    mesh: &mut Mesh,
    fig: &Fig,
    material_of: &mut dyn FnMut(PartSurface) -> MaterialIdx,
) -> Option<Sphere> {
    let first_vertex = mesh.positions.len();
    for component in &fig.components {
        let position = fig.state_position(0, component.position.into());
        mesh.positions.push(position.map(finite));
        mesh.normals.push(unit(fig.normal(component.normal.into())));
        let uv = fig.texcoords.get(usize::from(component.texcoord));
        let uv = uv.copied().unwrap_or_default().map(finite);
        mesh.uv_sets[0].push(uv);
        mesh.uv_sets[1].push(uv);
    }
    let n_indices = fig.indices.len() / 3 * 3;
    if n_indices == 0 {
        return None;
    }
    let indices = fig.indices.iter().take(n_indices);
    let first_index = mesh.indices.len() as u32;
    mesh.indices
        .extend(indices.map(|index| first_vertex as u32 + u32::from(*index)));
    mesh.batches.push(Batch {
        first_index,
        n_indices: n_indices as u32,
        material: material_of(PartSurface::from_fig(fig)),
    });
    let own = mesh.positions.get(first_vertex..).unwrap_or_default();
    Some(ball_around(own.iter()))
}

fn place_of(bon: Option<&Bon>, complection: [f32; 3]) -> Affine {
    let [x, y, z] = bon
        .map_or([0.0; 3], |bon| bon.offset(complection))
        .map(finite);
    Affine([[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, y], [0.0, 0.0, 1.0, z]])
}

fn bounds_at_rest(model: &Model) -> Sphere {
    let mut model_from_nodes = Vec::new();
    model.rest_pose(&Affine::IDENTITY, &mut model_from_nodes);
    let mut points = Vec::new();
    for piece in &model.pieces {
        let vertices = vertices_of(&model.mesh, piece);
        let positions = vertices.filter_map(|vertex| model.mesh.positions.get(*vertex as usize));
        let model_from_node = &model_from_nodes[piece.node as usize];
        points.extend(positions.map(|position| model_from_node.transform_point(*position)));
    }
    ball_around(points.iter())
}

/// Of its finest level, as often as triangles name them.
fn vertices_of<'a>(mesh: &'a Mesh, piece: &ModelPiece) -> impl Iterator<Item = &'a u32> + use<'a> {
    let batches = piece.lods.first().map_or(0..0, |lod| lod.batches.clone());
    let batches = mesh
        .batches
        .get(batches.start as usize..batches.end as usize);
    batches.unwrap_or_default().iter().flat_map(|batch| {
        let first = batch.first_index as usize;
        let indices = mesh.indices.get(first..first + batch.n_indices as usize);
        indices.unwrap_or_default()
    })
}

/// Around the middle of the box around them; a point at the origin without any.
fn ball_around<'a>(points: impl Iterator<Item = &'a [f32; 3]> + Clone) -> Sphere {
    let Some(aabb) = Aabb::around(points.clone()) else {
        return Sphere::default();
    };
    let center = aabb.center();
    let distance_sq = |point: &[f32; 3]| -> f32 {
        let axes = point.iter().zip(center);
        axes.map(|(a, b)| (a - b) * (a - b)).sum()
    };
    let radius_sq = points.map(distance_sq).fold(0.0, f32::max);
    Sphere {
        center: center.map(finite),
        radius: finite(radius_sq.sqrt()),
    }
}

fn unit(normal: [f32; 3]) -> [f32; 3] {
    let length = normal.iter().map(|v| v * v).sum::<f32>().sqrt();
    if length.is_finite() && length > 0.0 {
        normal.map(|v| v / length)
    } else {
        [0.0, 0.0, 1.0]
    }
}

fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}
