//! Meshes of a scene: streams once, and a primitive for each material.

use std::collections::BTreeMap;

use gltf_json::Index;
use gltf_json::mesh::{Mesh, Mode, Primitive, Semantic};
use gltf_json::validation::Checked;
use ironlands_scene::{MaterialIdx, SkinVertex};

use super::{SceneWriter, morphs};
use crate::error::{ExportError, finite};

/// The batches that clusters draw at their finest, each once.
pub(super) fn batches_of_clusters(mesh: &ironlands_scene::Mesh) -> Vec<u32> {
    let finest = mesh.clusters.iter().filter_map(|it| it.lods.first());
    let mut batches: Vec<u32> = finest.cloned().flatten().collect();
    batches.sort_unstable();
    batches.dedup();
    batches
}

/// Writes some batches of a mesh with the vertices that they use; `None` without a triangle.
pub(super) fn add_mesh(
    writer: &mut SceneWriter<'_>,
    mesh: &ironlands_scene::Mesh,
    name: &str,
    batches: &[u32],
) -> Result<Option<Index<Mesh>>, ExportError> {
    let mut vertices = UsedVertices::from_mesh(mesh);
    let mut by_material: BTreeMap<MaterialIdx, Vec<u32>> = BTreeMap::new();
    for batch in batches {
        let batch = mesh.batches[*batch as usize];
        let range = batch.first_index as usize..(batch.first_index + batch.n_indices) as usize;
        let indices = by_material.entry(batch.material).or_default();
        indices.extend(
            mesh.indices[range]
                .iter()
                .map(|vertex| vertices.take(*vertex)),
        );
    }
    by_material.retain(|_, indices| !indices.is_empty());
    if by_material.is_empty() {
        return Ok(None);
    }
    let attributes = vertices.attributes(writer, mesh, name)?;
    let (names, targets) = morphs::add(writer, mesh, &vertices.used);
    let mut primitives = Vec::with_capacity(by_material.len());
    for (material, indices) in by_material {
        primitives.push(Primitive {
            attributes: attributes.clone(),
            indices: Some(writer.bin.indices(&mut writer.root, &indices)),
            material: writer.add_material(material)?,
            mode: Checked::Valid(Mode::Triangles),
            targets: targets.clone(),
            extensions: None,
            extras: None,
        });
    }
    Ok(Some(writer.root.push(Mesh {
        name: Some(name.to_owned()),
        primitives,
        weights: None,
        extensions: None,
        extras: morphs::extras(names)?,
    })))
}

/// Which vertices of a mesh are written, and as which.
struct UsedVertices {
    written_as: Vec<Option<u32>>,
    used: Vec<u32>,
}

impl UsedVertices {
    fn from_mesh(mesh: &ironlands_scene::Mesh) -> Self {
        Self {
            written_as: vec![None; mesh.positions.len()],
            used: Vec::new(),
        }
    }

    fn take(&mut self, vertex: u32) -> u32 {
        *self.written_as[vertex as usize].get_or_insert_with(|| {
            self.used.push(vertex);
            (self.used.len() - 1) as u32
        })
    }

    fn attributes(
        &self,
        writer: &mut SceneWriter<'_>,
        mesh: &ironlands_scene::Mesh,
        name: &str,
    ) -> Result<BTreeMap<Checked<Semantic>, Index<gltf_json::Accessor>>, ExportError> {
        let (root, bin) = (&mut writer.root, &mut writer.bin);
        let positions = self.pick(&mesh.positions);
        let normals: Vec<_> = self.pick(&mesh.normals).into_iter().map(unit).collect();
        let uvs = mesh.uv_sets.each_ref().map(|uvs| self.pick(uvs));
        for uv in uvs.iter().flatten() {
            finite(*uv, || format!("a texture coordinate of {name}"))?;
        }
        let mut attributes: BTreeMap<_, _> = [
            (Semantic::Positions, bin.positions(root, &positions)),
            (Semantic::Normals, bin.vec3(root, &normals)),
            (Semantic::TexCoords(0), bin.vec2(root, &uvs[0])),
            (Semantic::TexCoords(1), bin.vec2(root, &uvs[1])),
        ]
        .map(|(semantic, accessor)| (Checked::Valid(semantic), accessor))
        .into();
        if !mesh.skin.is_empty() {
            let skin = self.pick(&mesh.skin);
            // A joint that carries nothing is the first one, as glTF demands.
            let joints: Vec<_> = skin.iter().map(carrying_joints).collect();
            let weights: Vec<_> = skin.iter().map(|it| it.weights).collect();
            let [joints, weights] = bin.skin(root, &joints, &weights);
            attributes.insert(Checked::Valid(Semantic::Joints(0)), joints);
            attributes.insert(Checked::Valid(Semantic::Weights(0)), weights);
        }
        Ok(attributes)
    }

    fn pick<T: Copy>(&self, stream: &[T]) -> Vec<T> {
        self.used
            .iter()
            .map(|vertex| stream[*vertex as usize])
            .collect()
    }
}

fn carrying_joints(vertex: &SkinVertex) -> [u16; 4] {
    let mut joints = vertex.joints;
    for (joint, weight) in joints.iter_mut().zip(vertex.weights) {
        if weight == 0.0 {
            *joint = 0;
        }
    }
    joints
}

/// Of length 1, as glTF demands; up where there is no direction.
fn unit(normal: [f32; 3]) -> [f32; 3] {
    let normal = glam::Vec3::from(normal);
    normal.try_normalize().unwrap_or(glam::Vec3::Z).into()
}
