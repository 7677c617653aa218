//! Axes, scale, shear and mirroring.

use glam::{DMat4, DQuat, DVec3};
use ironlands_assets_parkan::msh::{DraftNode, ModelDraft, stored_rotation};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::File;

/// Model from node of each node at its first key, by plain matrices.
fn matrices(draft: &ModelDraft) -> Vec<DMat4> {
    let mut matrices: Vec<DMat4> = Vec::new();
    for node in &draft.nodes {
        let key = &node.keys[0];
        let [w, x, y, z] = stored_rotation(key.rotation).map(f64::from);
        let rotation = DQuat::from_xyzw(x, y, z, w);
        let translation = DVec3::from(key.position.map(f64::from));
        let local = DMat4::from_rotation_translation(rotation, translation);
        let parent = node
            .parent
            .map_or(DMat4::IDENTITY, |parent| matrices[parent]);
        matrices.push(parent * local);
    }
    matrices
}

/// Corners of all triangles where they are in the model.
fn corners(draft: &ModelDraft) -> Vec<DVec3> {
    let of_node = |(node, matrix): (&DraftNode, DMat4)| -> Vec<DVec3> {
        let batches = node.pieces.iter().flat_map(|piece| &piece.batches);
        let vertices = batches.flat_map(|batch| batch.triangles.as_flattened());
        vertices
            .map(|v| matrix.transform_point3(DVec3::from(v.position.map(f64::from))))
            .collect()
    };
    draft
        .nodes
        .iter()
        .zip(matrices(draft))
        .flat_map(of_node)
        .collect()
}

#[test]
fn y_up_becomes_z_up() {
    let mut file = File::triangle();
    file.json["nodes"][0]["translation"] = json!([1.0, 2.0, 3.0]);
    let draft = file.read().draft;
    // x stays, y is up, z comes toward us.
    assert_eq!(draft.nodes[0].keys[0].position, [1.0, -3.0, 2.0]);
    let corners = corners(&draft);
    assert!(
        (corners[2] - DVec3::new(1.0, -3.0, 3.0)).length() < 1e-6,
        "{corners:?}"
    );
}

#[test]
fn a_top_node_that_only_turns_the_axes_falls_away() {
    let mut file = File::triangle();
    let half = 0.5f32.sqrt();
    file.json["nodes"] = json!([
        {"rotation": [-half, 0.0, 0.0, half], "children": [1]},
        {"name": "tri", "mesh": 0, "translation": [1.0, 2.0, 3.0]},
    ]);
    let draft = file.read().draft;
    assert_eq!(draft.nodes.len(), 1);
    assert_eq!(
        (draft.nodes[0].name.as_slice(), draft.nodes[0].parent),
        (&b"tri"[..], None)
    );
    assert_eq!(draft.nodes[0].keys[0].position, [1.0, 2.0, 3.0]);
    assert_eq!(
        draft.nodes[0].keys[0].rotation,
        [1.0, 0.0, 0.0, 0.0].map(|v: f32| v + 0.0)
    );
    // One that moves stays.
    file.animate("translation", "LINEAR", &[0.0, 1.0], &[0.0; 6]);
    assert_eq!(file.read().draft.nodes.len(), 2);
}

#[test]
fn mirrored_triangles_change_their_order_and_stay_on_their_side() {
    let mut file = File::triangle();
    file.json["nodes"][0]["scale"] = json!([-2.0, 1.0, 1.0]);
    let draft = file.read().draft;
    let triangle = &draft.nodes[0].pieces[0].batches[0].triangles[0];
    let positions = triangle.map(|vertex| vertex.position);
    assert_eq!(positions, [[0.0; 3], [0.0, 1.0, 0.0], [-2.0, 0.0, 0.0]]);
    assert_eq!(
        triangle[0].normal,
        [0.0, 0.0, 1.0],
        "no normals: made of the triangle"
    );
    let normals = file.floats(&[0.0, 0.0, 1.0].repeat(3), "VEC3");
    file.primitive()["attributes"]["NORMAL"] = json!(normals);
    let draft = file.read().draft;
    assert_eq!(
        draft.nodes[0].pieces[0].batches[0].triangles[0][0].normal,
        [0.0, 0.0, 1.0]
    );
}

/// Translation, rotation, scale of a node, and which node before it is its parent.
type AnyNode = ([f64; 3], [f64; 4], [f64; 3], Option<prop::sample::Index>);

fn any_tree() -> impl Strategy<Value = Vec<AnyNode>> {
    let scale = prop::sample::select(vec![1.0, 1.0, 0.5, -1.0, 3.0]);
    let node = (
        prop::array::uniform3(-5.0..5.0),
        prop::array::uniform4(0.125..1.0),
        prop::array::uniform3(scale),
        prop::option::of(any::<prop::sample::Index>()),
    );
    prop::collection::vec(node, 1..6)
}

proptest! {
    /// Scale, shear and mirroring end up where plain matrices put them.
    #[test]
    fn any_tree_of_transforms_shows_the_same_triangles(tree in any_tree(), as_matrices: bool) {
        let mut file = File::triangle();
        let mut locals = Vec::new();
        let (mut nodes, mut tops) = (Vec::new(), Vec::new());
        for (index, (translation, rotation, scale, parent)) in tree.iter().enumerate() {
            let rotation = DQuat::from_array(*rotation).normalize();
            let [t, s] = [*translation, *scale].map(DVec3::from);
            let local = DMat4::from_scale_rotation_translation(s, rotation, t);
            let matrix = local.to_cols_array();
            nodes.push(match as_matrices {
                true => json!({"mesh": 0, "matrix": matrix}),
                false => json!({
                    "mesh": 0, "translation": translation, "rotation": rotation.to_array(), "scale": scale,
                }),
            });
            let parent = parent.filter(|_| index > 0).map(|parent| parent.index(index));
            match parent {
                None => tops.push(index),
                Some(parent) => {
                    let node: &mut Value = &mut nodes[parent];
                    if node["children"].is_null() {
                        node["children"] = json!([]);
                    }
                    node["children"].as_array_mut().unwrap().push(json!(index));
                }
            }
            locals.push((parent, local));
        }
        file.json["nodes"] = json!(nodes);
        file.json["scenes"][0]["nodes"] = json!(tops);
        // +Y up to +Z up.
        let turn = DMat4::from_rotation_x(std::f64::consts::FRAC_PI_2);
        let mut world: Vec<DMat4> = Vec::new();
        let mut wanted = Vec::new();
        for (parent, local) in locals {
            world.push(parent.map_or(turn, |parent| world[parent]) * local);
            let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
            wanted.extend(corners.map(|it| world[world.len() - 1].transform_point3(it)));
        }
        let found = corners(&file.read().draft);
        prop_assert_eq!(found.len(), wanted.len());
        // The order of nodes may differ, and that of corners does where there is a mirror.
        for point in &wanted {
            let nearest = found.iter().map(|it| it.distance(*point)).fold(f64::MAX, f64::min);
            prop_assert!(nearest < 1e-3, "{point} is {nearest} from all of {found:?}");
        }
    }
}
