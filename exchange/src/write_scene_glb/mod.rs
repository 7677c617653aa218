//! A scene as binary glTF 2.0: its meshes and objects, with materials and lightmaps.
//!
//! One node for each mesh and each instance, below a root that turns +Z up to +Y up. A material is its main pass.
//! A lightmap is a picture of 16 bits a channel, linear, divided by the brightest value on it, laid by the second
//! set of texture coordinates, and named by the extension `MOZ_lightmap`, whose `intensity` multiplies it back.

mod lightmap;
mod materials;
mod meshes;
mod morphs;
mod skin;

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use gltf_json::scene::Node;
use gltf_json::{Index, Root};
use ironlands_scene::{Affine, Instance, Mesh, Model, MorphWeight, Scene};

use self::materials::Materials;
use self::meshes::{add_mesh, batches_of_clusters};
pub use self::skin::{NodeMotion, NodeTrack};
use crate::error::ExportError;
use crate::findings::Findings;
use crate::write_gltf::{BinaryChunk, Glb, new_root, push_scene, turning_node};

/// Writes a scene at rest, at its finest level of detail, everything in the state that it stands in.
///
/// Sky, fog, overlays and what changes with time are left out, and reported.
///
/// # Errors
/// Numbers that are not finite, a picture that cannot be encoded, a file beyond 4 GiB. The scene must have passed
/// [`Scene::validate`].
pub fn write_scene_glb(scene: &Scene) -> Result<Glb, ExportError> {
    write_moving_scene_glb(scene, &[])
}

/// As [`write_scene_glb`], with animations of the nodes of its first instance.
///
/// # Errors
/// As [`write_scene_glb`].
pub fn write_moving_scene_glb(scene: &Scene, motions: &[NodeMotion]) -> Result<Glb, ExportError> {
    let mut writer = SceneWriter {
        scene,
        root: new_root(),
        bin: BinaryChunk::default(),
        materials: Materials::default(),
        findings: Findings::default(),
        first_nodes: Vec::new(),
    };
    let top = writer.root.push(turning_node(&scene.name));
    let mut children = writer.add_ground()?;
    children.extend(writer.add_instances()?);
    writer.root.nodes[top.value()].children = (!children.is_empty()).then_some(children);
    writer.root.scene = Some(push_scene(&mut writer.root, &scene.name, top));
    for motion in motions {
        motion.add_to(&mut writer);
    }
    writer.report_left_out();
    writer.finish()
}

/// A file while it grows.
struct SceneWriter<'a> {
    scene: &'a Scene,
    root: Root,
    bin: BinaryChunk,
    materials: Materials,
    findings: Findings,
    /// For each instance its own node, which those of its model follow.
    first_nodes: Vec<Index<Node>>,
}

impl SceneWriter<'_> {
    fn add_ground(&mut self) -> Result<Vec<Index<Node>>, ExportError> {
        let mut nodes = Vec::new();
        for mesh in &self.scene.meshes {
            let batches = batches_of_clusters(mesh);
            if let Some(written) = add_mesh(self, mesh, &mesh.name, &batches)? {
                nodes.push(self.root.push(Node {
                    name: Some(mesh.name.clone()),
                    mesh: Some(written),
                    ..Node::default()
                }));
            }
        }
        Ok(nodes)
    }

    fn add_instances(&mut self) -> Result<Vec<Index<Node>>, ExportError> {
        // Instances of a model whose vertices have moved alike share its meshes.
        let mut meshes = HashMap::new();
        let mut nodes = Vec::new();
        for instance in &self.scene.instances {
            let model_idx = instance.model.0 as usize;
            let model = &self.scene.models[model_idx];
            let morph = instance.morph.iter();
            let morph: Vec<_> = morph.map(|it| [it.target, it.weight.to_bits()]).collect();
            let pieces = match meshes.entry((model_idx, morph)) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(self.add_pieces(model, &instance.morph)?),
            };
            let top = self.add_instance(instance, model, pieces);
            self.first_nodes.push(top);
            nodes.push(top);
        }
        Ok(nodes)
    }

    /// The meshes of a model's pieces, in their order, with every vertex where the weights have moved it.
    fn add_pieces(
        &mut self,
        model: &Model,
        weights: &[MorphWeight],
    ) -> Result<Vec<Option<Index<gltf_json::Mesh>>>, ExportError> {
        let mesh = match model.mesh.morphed(weights) {
            Cow::Borrowed(_) => Cow::Borrowed(&model.mesh),
            Cow::Owned(positions) => Cow::Owned(with_positions(&model.mesh, positions)),
        };
        let mut meshes = Vec::with_capacity(model.pieces.len());
        for piece in &model.pieces {
            let range = piece.lods.first().map(|lod| lod.batches.clone());
            let batches: Vec<u32> = range.into_iter().flatten().collect();
            meshes.push(add_mesh(self, &mesh, &model.name, &batches)?);
        }
        Ok(meshes)
    }

    fn add_instance(
        &mut self,
        instance: &Instance,
        model: &Model,
        meshes: &[Option<Index<gltf_json::Mesh>>],
    ) -> Index<Node> {
        let first = self.root.nodes.len();
        let name = match instance.name.as_str() {
            "" => &model.name,
            name => name,
        };
        let top = self.root.push(Node {
            name: Some(name.to_owned()),
            matrix: matrix_of(&instance.world_from_model),
            ..Node::default()
        });
        let places = instance.parent_from_nodes.iter().map(Some);
        let places = places.chain(std::iter::repeat(None));
        for ((index, node), place) in (0u32..).zip(&model.nodes).zip(places) {
            let mut pieces = model.pieces.iter().enumerate().zip(meshes);
            let shown = pieces.find(|((piece_idx, piece), _)| {
                piece.node == index && instance.shows(*piece_idx, piece)
            });
            let place = place.unwrap_or(&node.parent_from_node);
            let name = Some(node.name.clone()).filter(|name| !name.is_empty());
            let written = match model.joints.is_empty() {
                true => Node {
                    name,
                    matrix: matrix_of(place),
                    mesh: shown.and_then(|(_, mesh)| *mesh),
                    ..Node::default()
                },
                // Only nodes without a matrix can be animated.
                false => Node {
                    name,
                    ..skin::joint_node(place)
                },
            };
            let written = self.root.push(written);
            let parent = node
                .parent
                .map_or(first, |parent| first + 1 + parent as usize);
            let children = &mut self.root.nodes[parent].children;
            children.get_or_insert_default().push(written);
        }
        if !model.joints.is_empty() {
            self.add_skin(instance, model, meshes, top);
        }
        top
    }

    fn report_left_out(&mut self) {
        let scene = self.scene;
        let has_sky = scene.sky_box.is_some() || scene.fog.is_some();
        let n_overlays = scene.overlays.len();
        for (place, is_there, what) in [
            ("sky", has_sky, "sky and fog are left out"),
            ("overlays", n_overlays > 0, "debug layers are left out"),
            (
                "backdrop",
                scene.backdrop.is_some(),
                "the distant scenery is written at the place of its small model",
            ),
        ] {
            if is_there {
                self.findings.add(place, what);
            }
        }
    }

    fn finish(mut self) -> Result<Glb, ExportError> {
        let used = self.materials.extensions_used();
        self.root.extensions_used.extend(used);
        Glb::write(self.root, self.bin, self.findings)
    }
}

/// The mesh with its vertices elsewhere, and nothing that moves them.
fn with_positions(mesh: &Mesh, positions: Vec<[f32; 3]>) -> Mesh {
    Mesh {
        name: mesh.name.clone(),
        positions,
        normals: mesh.normals.clone(),
        uv_sets: mesh.uv_sets.clone(),
        colors: mesh.colors.clone(),
        indices: mesh.indices.clone(),
        batches: mesh.batches.clone(),
        ..Mesh::default()
    }
}

/// Columns, one after the other; nothing for a place that does not move anything.
fn matrix_of(affine: &Affine) -> Option<[f32; 16]> {
    (*affine != Affine::default()).then(|| skin::columns_of(affine))
}
