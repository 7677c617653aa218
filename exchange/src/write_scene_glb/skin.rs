//! Skins of models whose vertices joints carry, and animations of their nodes.

use glam::{Mat3, Quat, Vec3};
use gltf_json::Index;
use gltf_json::animation::Property;
use gltf_json::scene::Node;
use gltf_json::skin::Skin;
use ironlands_scene::{Affine, Instance, Model};

use super::SceneWriter;
use crate::pose::Pose;
use crate::write_gltf::Tracks;

/// An animation of the nodes of an instance.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NodeMotion {
    /// Its name.
    pub name: String,
    /// Times of the keys in seconds, increasing.
    pub times: Vec<f32>,
    /// What becomes of nodes; others stay at rest.
    pub tracks: Vec<NodeTrack>,
}

/// What becomes of a node below its parent, a place and a turn for each key.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NodeTrack {
    /// Number of the node within its model.
    pub node: usize,
    /// Places.
    pub translations: Vec<[f32; 3]>,
    /// Unit quaternions x, y, z, w.
    pub rotations: Vec<[f32; 4]>,
}

impl NodeMotion {
    /// Adds it to the file, for the first instance.
    pub(super) fn add_to(&self, writer: &mut SceneWriter<'_>) {
        let Some(first) = writer.first_nodes.first().copied() else {
            return;
        };
        let (root, bin) = (&mut writer.root, &mut writer.bin);
        let mut tracks = Tracks::default();
        for track in &self.tracks {
            let node = Index::new((first.value() + 1 + track.node) as u32);
            let times = bin.times(root, &self.times);
            let places = bin.keys(root, &track.translations);
            let turns = bin.keys(root, &track.rotations);
            tracks.push(node, Property::Translation, times, places);
            tracks.push(node, Property::Rotation, times, turns);
        }
        if !tracks.is_empty() {
            tracks.finish(&self.name, None, root);
        }
    }
}

impl SceneWriter<'_> {
    /// What is shown of an instance, on nodes of its own, since its joints place it.
    pub(super) fn add_skin(
        &mut self,
        instance: &Instance,
        model: &Model,
        meshes: &[Option<Index<gltf_json::Mesh>>],
        top: Index<Node>,
    ) {
        let node_of = |node: usize| Index::new((top.value() + 1 + node) as u32);
        let inverses = model.joints.iter();
        let inverses: Vec<_> = inverses.map(|it| columns_of(&it.node_from_mesh)).collect();
        let inverses = self.bin.matrices(&mut self.root, &inverses);
        let joints = model.joints.iter();
        let skin = self.root.push(Skin {
            name: Some(model.name.clone()),
            inverse_bind_matrices: Some(inverses),
            joints: joints.map(|joint| node_of(joint.node as usize)).collect(),
            skeleton: None,
            extensions: None,
            extras: None,
        });
        let pieces = model.pieces.iter().enumerate().zip(meshes);
        let shown = pieces.filter(|((index, piece), _)| instance.shows(*index, piece));
        for mesh in shown.filter_map(|(_, mesh)| *mesh) {
            let written = self.root.push(Node {
                name: Some(model.name.clone()),
                mesh: Some(mesh),
                skin: Some(skin),
                ..Node::default()
            });
            let children = &mut self.root.nodes[top.value()].children;
            children.get_or_insert_default().push(written);
        }
    }
}

/// A node at a place that has a turn, but no other scale than 1.
pub(super) fn joint_node(place: &Affine) -> Node {
    let [x, y, z] = place.0;
    let axis = |at: usize| Vec3::new(x[at], y[at], z[at]);
    let turn = Quat::from_mat3(&Mat3::from_cols(axis(0), axis(1), axis(2)));
    Pose::new(axis(3).to_array(), turn.as_dquat()).to_node()
}

/// Columns, one after the other.
pub(super) fn columns_of(affine: &Affine) -> [f32; 16] {
    let [x, y, z] = affine.0;
    let column = |at: usize, last| [x[at], y[at], z[at], last];
    let columns = [
        column(0, 0.0),
        column(1, 0.0),
        column(2, 0.0),
        column(3, 1.0),
    ];
    std::array::from_fn(|at| columns[at / 4][at % 4])
}
