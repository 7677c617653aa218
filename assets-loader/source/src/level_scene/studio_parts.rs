//! What is drawn of a studio model: for each appearance and level of detail its meshes in their materials.
//!
//! Appearances are the states of the scene's model, body parts its pieces. All of them share vertices, and levels of detail
//! share indices wherever the meshes are the same.

use std::collections::HashMap;
use std::ops::Range;

use ironlands_scene::{
    Batch, MaterialIdx, Mesh, Model, ModelNode, ModelPiece, PieceLod, SkinVertex, Sphere,
};

use super::Appearance;
use crate::studio_model::{StudioMesh, StudioModel};

/// A level of detail comes into use where a unit of length is narrower than this many pixels over its switch point. From memory
/// of how the games behave.
const PIXELS_PER_UNIT: f32 = 100.0;
/// Height of the picture that switch points are taken to be meant for.
const PICTURE_HEIGHT: f32 = 1080.0;

/// Baked light of each vertex of each mesh, linear.
pub type MeshColors<'a> = &'a [Vec<[f32; 3]>];

/// Gives the material of a mesh in a skin and at a level of detail, or none if it is not drawn.
pub type MaterialOf<'a> = &'a mut dyn FnMut(&StudioMesh, i32, usize) -> Option<MaterialIdx>;

/// What is drawn of a model.
#[derive(Debug, Default)]
pub struct StudioParts {
    /// Vertices and triangles.
    pub mesh: Mesh,
    /// For each mesh of the model its first vertex; `None` if no appearance shows it.
    pub first_vertices: Vec<Option<u32>>,
    /// What carries each vertex, where the model is to move.
    pub skin: Vec<SkinVertex>,
    /// For each appearance one for each body part.
    pub pieces: Vec<ModelPiece>,
    /// As of [`ironlands_scene::Model`].
    pub lod_sizes: Vec<f32>,
    /// Around all vertices.
    pub bounds: Sphere,
}

impl StudioParts {
    /// A model on one node, whose bones stay at rest.
    pub fn standing(self, name: String) -> Model {
        Model {
            nodes: vec![ModelNode::default()],
            bounds: self.bounds,
            mesh: Mesh {
                name: name.clone(),
                ..self.mesh
            },
            name,
            joints: Vec::new(),
            pieces: self.pieces,
            lod_sizes: self.lod_sizes,
        }
    }

    /// A model whose nodes are its bones, which carry its vertices.
    pub fn on_bones(mut self, name: String, studio: &StudioModel) -> Model {
        let skin = std::mem::take(&mut self.skin);
        let standing = self.standing(name);
        Model {
            nodes: studio.nodes().collect(),
            joints: studio.joints(),
            mesh: Mesh {
                skin,
                ..standing.mesh
            },
            ..standing
        }
    }
}

/// Vertices and triangles of a model while they are laid out.
struct Layout<'a> {
    studio: &'a StudioModel,
    mesh: Mesh,
    first_vertices: Vec<Option<u32>>,
    /// Indices of each mesh at each level of detail, from the first on.
    indices: Vec<Vec<Range<u32>>>,
    /// Batches of a model of a body part at a level of detail in a skin.
    batches: HashMap<(usize, usize, usize, i32), Range<u32>>,
}

/// Lays out a model in up to 256 appearances. `colors` gives the baked light of its vertices.
///
/// `None` if nothing of it is drawn.
pub fn lay_out(
    studio: &StudioModel,
    appearances: &[Appearance],
    colors: Option<MeshColors<'_>>,
    material: MaterialOf<'_>,
) -> Option<StudioParts> {
    let mut layout = Layout::new(studio, appearances, colors)?;
    let bounds = Sphere::around(&layout.mesh.positions)?;
    let mut pieces = Vec::new();
    for (state, appearance) in (0..=u8::MAX).zip(appearances) {
        for part in 0..studio.body_parts.len() {
            let lods = (0..=studio.lod_switches.len()).map(|lod| PieceLod {
                bounds,
                batches: layout.batches((part, lod), appearance, material),
            });
            let lods: Vec<PieceLod> = lods.collect();
            if lods.iter().any(|lod| !lod.batches.is_empty()) {
                pieces.push(ModelPiece {
                    node: 0,
                    state,
                    lods,
                });
            }
        }
    }
    let shown = studio.meshes.iter();
    let shown = shown.filter(|mesh| is_shown(studio, mesh, appearances));
    let skin = shown.flat_map(|mesh| &mesh.skin).copied();
    (!pieces.is_empty()).then(|| StudioParts {
        skin: skin.collect(),
        mesh: layout.mesh,
        first_vertices: layout.first_vertices,
        pieces,
        lod_sizes: lod_sizes(&studio.lod_switches, bounds.radius),
        bounds,
    })
}

impl<'a> Layout<'a> {
    /// All vertices of what is shown, and their triangles without a material; `None` if there are more than a mesh can have.
    fn new(
        studio: &'a StudioModel,
        appearances: &[Appearance],
        colors: Option<MeshColors<'_>>,
    ) -> Option<Self> {
        let mut mesh = Mesh {
            name: studio.name.clone(),
            ..Mesh::default()
        };
        let mut indices = Vec::new();
        let mut first_vertices = Vec::new();
        for (number, part) in studio.meshes.iter().enumerate() {
            if !is_shown(studio, part, appearances) {
                indices.push(Vec::new());
                first_vertices.push(None);
                continue;
            }
            let first = u32::try_from(mesh.positions.len()).ok()?;
            let colors = colors.and_then(|colors| colors.get(number));
            first_vertices.push(Some(first));
            add_vertices(part, colors.map(Vec::as_slice), &mut mesh);
            let lods = part.lods().map(|triangles| {
                let start = u32::try_from(mesh.indices.len()).ok()?;
                let shifted = triangles.iter().map(|index| first.checked_add(*index));
                for index in shifted {
                    mesh.indices.push(index?);
                }
                Some(start..u32::try_from(mesh.indices.len()).ok()?)
            });
            indices.push(lods.collect::<Option<Vec<_>>>()?);
        }
        if colors.is_none() {
            mesh.colors.clear();
        }
        Some(Self {
            studio,
            mesh,
            first_vertices,
            indices,
            batches: HashMap::new(),
        })
    }

    /// The batches that show a body part at a level of detail.
    fn batches(
        &mut self,
        (part, lod): (usize, usize),
        appearance: &Appearance,
        material: MaterialOf<'_>,
    ) -> Range<u32> {
        let choices = self.studio.body_parts.get(part);
        let Some(choice) = choices.and_then(|choices| choices.choice(appearance.body)) else {
            return 0..0;
        };
        let key = (part, choice, lod, appearance.skin);
        if let Some(known) = self.batches.get(&key) {
            return known.clone();
        }
        let start = self.mesh.batches.len();
        let meshes = self.studio.meshes.iter().zip(&self.indices);
        for (mesh, lods) in meshes.filter(|(it, _)| (it.body_part, it.model) == (part, choice)) {
            let Some(indices) = lods.get(lod).filter(|indices| !indices.is_empty()) else {
                continue;
            };
            let Some(material) = material(mesh, appearance.skin, lod) else {
                continue;
            };
            self.mesh.batches.push(Batch {
                first_index: indices.start,
                n_indices: indices.end.saturating_sub(indices.start),
                material,
            });
        }
        // No more than there are triangles in all appearances.
        let made = start as u32..self.mesh.batches.len() as u32;
        self.batches.insert(key, made.clone());
        made
    }
}

fn is_shown(studio: &StudioModel, mesh: &StudioMesh, appearances: &[Appearance]) -> bool {
    let part = studio.body_parts.get(mesh.body_part);
    part.is_some_and(|part| {
        let mut choices = appearances.iter().map(|it| part.choice(it.body));
        choices.any(|choice| choice == Some(mesh.model))
    })
}

fn add_vertices(part: &StudioMesh, colors: Option<&[[f32; 3]]>, mesh: &mut Mesh) {
    let [uvs, light_uvs] = &mut mesh.uv_sets;
    for (index, position) in part.positions.iter().enumerate() {
        let color = colors.and_then(|colors| colors.get(index)).copied();
        let [r, g, b] = color.unwrap_or_default();
        mesh.positions.push(*position);
        let normal = part.normals.get(index).copied();
        mesh.normals.push(normal.unwrap_or([0.0, 0.0, 1.0]));
        uvs.push(part.uvs.get(index).copied().unwrap_or_default());
        light_uvs.push(part.iris_uvs.get(index).copied().unwrap_or_default());
        mesh.colors.push([r, g, b, 0.0]);
    }
}

/// Sizes at which levels of detail come into use, by their switch points.
fn lod_sizes(switches: &[f32], radius: f32) -> Vec<f32> {
    let mut last = f32::MAX;
    let sizes = switches.iter().map(|switch| {
        let pixels = 2.0 * radius * PIXELS_PER_UNIT / switch;
        // A coarser one never comes first.
        last = last.min(pixels / PICTURE_HEIGHT);
        last
    });
    sizes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::studio_model::BodyChoices;

    /// A triangle at x whose coarser level of detail has another order of corners.
    fn triangle(body_part: usize, model: usize, material: usize, x: f32) -> StudioMesh {
        StudioMesh {
            body_part,
            model,
            material,
            positions: vec![[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0]],
            normals: vec![[0.0, 0.0, 1.0]; 3],
            uvs: vec![[0.0; 2]; 3],
            iris_uvs: Vec::new(),
            skin: vec![SkinVertex::rigid(0); 3],
            indices: vec![0, 1, 2],
            coarser: vec![vec![1, 2, 0]],
            color_vertices: Vec::new(),
        }
    }

    fn studio() -> StudioModel {
        let part = |base, names: &[&str]| BodyChoices {
            base,
            names: names.iter().map(|it| (*it).to_owned()).collect(),
            ..BodyChoices::default()
        };
        StudioModel {
            meshes: vec![
                triangle(0, 0, 0, 0.0),
                triangle(1, 0, 1, 10.0),
                triangle(1, 1, 0, 20.0),
            ],
            body_parts: vec![part(1, &["body"]), part(1, &["hat", "helmet"])],
            lod_switches: vec![20.0],
            ..StudioModel::default()
        }
    }

    #[test]
    fn each_appearance_shows_its_parts_in_its_materials_at_each_level() {
        let appearances = [(0, 0), (0, 1), (1, 1)].map(|(skin, body)| Appearance { skin, body });
        let mut material = |mesh: &StudioMesh, skin: i32, lod: usize| {
            // The lid of the second skin is not drawn.
            let number = 100 * lod as u32 + 10 * skin as u32 + mesh.material as u32;
            (number != 10 || mesh.body_part == 1).then_some(MaterialIdx(number))
        };
        let parts = lay_out(&studio(), &appearances, None, &mut material).unwrap();
        assert_eq!(parts.mesh.positions.len(), 9);
        assert_eq!(parts.mesh.indices.len(), 2 * 9, "states share triangles");
        let drawn = |state: u8, lod: usize| -> Vec<(u32, f32)> {
            let pieces = parts.pieces.iter().filter(|it| it.state == state);
            let batches = pieces.flat_map(|it| {
                let Range { start, end } = it.lods[lod].batches;
                parts.mesh.batches[start as usize..end as usize].iter()
            });
            let of = |batch: &Batch| {
                let first = parts.mesh.indices[batch.first_index as usize];
                (batch.material.0, parts.mesh.positions[first as usize][0])
            };
            batches.map(of).collect()
        };
        assert_eq!(drawn(0, 0), [(0, 0.0), (1, 10.0)]);
        assert_eq!(drawn(1, 0), [(0, 0.0), (0, 20.0)]);
        assert_eq!(drawn(2, 0), [(10, 20.0)]);
        assert_eq!(drawn(0, 1), [(100, 1.0), (101, 11.0)]);
        assert_eq!(parts.skin.len(), 9);
    }

    #[test]
    fn a_switch_point_is_a_width_in_pixels() {
        // A ball of 54 units across: by 20, five pixels a unit, are 270 of 1080.
        let sizes = lod_sizes(&[20.0, 40.0, 10.0], 27.0);
        assert_eq!(sizes, [0.25, 0.125, 0.125]);
    }
}
