//! What becomes of glTF files that others wrote.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::{DMat4, DQuat, DVec3};
use ironlands_assets_loader::parkan::msh::{
    BatchFlags, DraftNode, ModelDraft, stored_rotation, unpack_normal,
};
use ironlands_exchange::{ImportError, ImportOptions, Imported, read_glb, read_gltf};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A glTF file while it is put together; its one buffer is inside.
struct File {
    json: Value,
    bin: Vec<u8>,
}

impl File {
    /// One triangle on one node that stands at the origin.
    fn triangle() -> Self {
        let mut file = Self {
            json: json!({
                "asset": {"version": "2.0"},
                "scene": 0,
                "scenes": [{"nodes": [0]}],
                "nodes": [{"name": "tri", "mesh": 0}],
                "meshes": [{"primitives": [{"attributes": {}}]}],
                "accessors": [],
                "bufferViews": [],
            }),
            bin: Vec::new(),
        };
        let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let positions = file.floats(&corners, "VEC3");
        file.json["accessors"][positions]["min"] = json!([0.0, 0.0, 0.0]);
        file.json["accessors"][positions]["max"] = json!([1.0, 1.0, 0.0]);
        file.primitive()["attributes"]["POSITION"] = json!(positions);
        file
    }

    fn primitive(&mut self) -> &mut Value {
        &mut self.json["meshes"][0]["primitives"][0]
    }

    fn floats(&mut self, values: &[f32], kind: &str) -> usize {
        let size = [("SCALAR", 1), ("VEC2", 2), ("VEC3", 3), ("VEC4", 4)];
        let size = size.into_iter().find(|(name, _)| *name == kind).unwrap().1;
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.accessor(&bytes, 5126, values.len() / size, kind)
    }

    fn indices(&mut self, values: &[u16]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.accessor(&bytes, 5123, values.len(), "SCALAR")
    }

    fn accessor(&mut self, bytes: &[u8], component: u32, count: usize, kind: &str) -> usize {
        let view = self.view(bytes);
        let accessors = self.json["accessors"].as_array_mut().unwrap();
        accessors.push(json!({
            "bufferView": view, "componentType": component, "count": count, "type": kind,
        }));
        accessors.len() - 1
    }

    fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let views = self.json["bufferViews"].as_array_mut().unwrap();
        views.push(json!({
            "buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len(),
        }));
        self.bin.extend(bytes);
        views.len() - 1
    }

    /// Moves node 0 by a sampler of translations.
    fn animate(&mut self, path: &str, interpolation: &str, times: &[f32], values: &[f32]) {
        let kind = if path == "rotation" { "VEC4" } else { "VEC3" };
        let (input, output) = (self.floats(times, "SCALAR"), self.floats(values, kind));
        self.json["animations"] = json!([{
            "channels": [{"sampler": 0, "target": {"node": 0, "path": path}}],
            "samplers": [{"input": input, "output": output, "interpolation": interpolation}],
        }]);
    }

    fn text(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        if json["buffers"].is_null() {
            let uri = format!(
                "data:application/octet-stream;base64,{}",
                STANDARD.encode(&self.bin)
            );
            json["buffers"] = json!([{"byteLength": self.bin.len(), "uri": uri}]);
        }
        serde_json::to_vec(&json).unwrap()
    }

    fn try_read(&self) -> Result<Imported, ImportError> {
        read_glb(&self.text(), &ImportOptions::default())
    }

    fn read(&self) -> Imported {
        self.try_read().unwrap()
    }
}

fn told(imported: &Imported) -> Vec<String> {
    imported.findings.iter().map(ToString::to_string).collect()
}

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
    // x stays, y is up, z comes towards us.
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
        prop::array::uniform4(0.1..1.0),
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

#[test]
fn keys_at_whole_frames_stay_and_others_are_sampled() {
    let mut file = File::triangle();
    let values = [0.0, 0.0, 0.0, 3.0, 0.0, 0.0];
    file.animate("translation", "LINEAR", &[0.0, 0.2], &values);
    let imported = file.read();
    let x = |imported: &Imported| -> Vec<(f32, f32)> {
        let keys = imported.draft.nodes[0].keys.iter();
        keys.map(|key| (key.time, key.position[0])).collect()
    };
    assert_eq!(x(&imported), [(0.0, 0.0), (3.0, 3.0)]);
    // At 24 frames a second the second key lies at frame 4.8.
    let options = ImportOptions {
        frames_per_sec: Some(24.0),
    };
    let sampled = read_glb(&file.text(), &options).unwrap();
    let sampled = x(&sampled);
    assert_eq!(sampled.len(), 6);
    for (time, x) in &sampled[..5] {
        assert!((x - time * 3.0 / 4.8).abs() < 1e-5, "{sampled:?}");
    }
    assert_eq!(sampled[5], (5.0, 3.0), "after the end the last key holds");
    // The first key holds before it.
    file.animate("translation", "LINEAR", &[0.2, 0.4], &values);
    assert_eq!(x(&file.read()), [(0.0, 0.0), (3.0, 0.0), (6.0, 3.0)]);
}

#[test]
fn steps_and_curves_are_sampled_at_every_frame() {
    let mut file = File::triangle();
    file.animate(
        "translation",
        "STEP",
        &[0.0, 0.2],
        &[0.0, 0.0, 0.0, 3.0, 0.0, 0.0],
    );
    let x = |file: &File| -> Vec<f32> {
        let imported = file.read();
        assert!(
            told(&imported)
                .iter()
                .any(|it| it.contains("straight lines"))
        );
        imported.draft.nodes[0]
            .keys
            .iter()
            .map(|key| key.position[0])
            .collect()
    };
    assert_eq!(x(&file), [0.0, 0.0, 0.0, 3.0]);
    // In-tangent, value, out-tangent of two keys: from 0 to 1 over four frames, flat at the start.
    let (times, tangent) = ([0.0, 4.0 / 15.0], 6.0);
    let mut values = [0.0; 18];
    (values[9], values[12]) = (tangent, 1.0);
    file.animate("translation", "CUBICSPLINE", &times, &values);
    let found = x(&file);
    assert_eq!(found.len(), 5);
    for (frame, x) in found.iter().enumerate() {
        // (-2a^3 + 3a^2) p1 + t (a^3 - a^2) m1
        let a = frame as f32 / 4.0;
        let wanted = 3.0 * a * a - 2.0 * a * a * a + times[1] * (a * a * a - a * a) * tangent;
        assert!((x - wanted).abs() < 1e-5, "{found:?}");
    }
}

#[test]
fn rotations_go_the_short_way_and_are_stored_as_conjugates() {
    let mut file = File::triangle();
    let half = 0.5f32.sqrt();
    // A quarter turn about +Y of glTF, written with the other sign; it is about +Z of the model.
    let values = [0.0, 0.0, 0.0, 1.0, 0.0, -half, 0.0, -half];
    file.animate("rotation", "LINEAR", &[0.0, 0.1], &values);
    let draft = file.read().draft;
    assert_eq!(draft.nodes[0].keys.len(), 3, "frame 1.5 is sampled");
    let turned = |frame: usize| {
        let [w, x, y, z] = stored_rotation(draft.nodes[0].keys[frame].rotation).map(f64::from);
        DQuat::from_xyzw(x, y, z, w) * DVec3::Z
    };
    let (sin, cos) = (std::f64::consts::FRAC_PI_2 / 1.5).sin_cos();
    // The node's own +Z, which is -Y of the model at rest.
    assert!((turned(0) - DVec3::new(0.0, -1.0, 0.0)).length() < 1e-6);
    assert!(
        (turned(1) - DVec3::new(sin, -cos, 0.0)).length() < 1e-6,
        "{}",
        turned(1)
    );
    assert!(
        (turned(2) - DVec3::new(1.0, 0.0, 0.0)).length() < 1e-6,
        "{}",
        turned(2)
    );
}

#[test]
fn strips_fans_sparse_and_small_numbers_are_read() {
    let mut file = File::triangle();
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [1.0, 1.0, 0.0],
    ];
    let positions = file.floats(corners.as_flattened(), "VEC3");
    let [min, max] = [json!([0.0, 0.0, 0.0]), json!([1.0, 1.0, 9.0])];
    file.json["accessors"][positions]["min"] = min;
    file.json["accessors"][positions]["max"] = max;
    let replaced = file.view(&[3, 0]);
    let values: Vec<u8> = [1.0f32, 1.0, 9.0]
        .iter()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    let values = file.view(&values);
    file.json["accessors"][positions]["sparse"] = json!({
        "count": 1,
        "indices": {"bufferView": replaced, "componentType": 5121},
        "values": {"bufferView": values},
    });
    let uvs: Vec<u8> = [0u16, 65535, 0, 0, 0, 0, 0, 0]
        .iter()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    let uvs = file.accessor(&uvs, 5123, 4, "VEC2");
    file.json["accessors"][uvs]["normalized"] = json!(true);
    file.primitive()["attributes"] = json!({"POSITION": positions, "TEXCOORD_0": uvs});
    file.primitive()["mode"] = json!(5);
    let triangles = |file: &File| -> Vec<[[f32; 3]; 3]> {
        let batches = &file.read().draft.nodes[0].pieces[0].batches;
        batches[0]
            .triangles
            .iter()
            .map(|it| it.map(|v| v.position))
            .collect()
    };
    let [a, b, c, _] = corners;
    let d = [1.0, 1.0, 9.0];
    assert_eq!(triangles(&file), [[a, b, c], [b, d, c]]);
    assert_eq!(
        file.read().draft.nodes[0].pieces[0].batches[0].triangles[0][0].uv,
        [0.0, 1.0]
    );
    file.primitive()["mode"] = json!(6);
    let indices = file.indices(&[0, 1, 3, 2]);
    file.primitive()["indices"] = json!(indices);
    assert_eq!(triangles(&file), [[b, d, a], [d, c, a]]);
}

#[test]
fn far_texture_coordinates_move_by_whole_repeats() {
    let mut file = File::triangle();
    let uvs = file.floats(&[100.25, 0.5, 101.5, 0.5, 100.25, -0.5], "VEC2");
    file.primitive()["attributes"]["TEXCOORD_0"] = json!(uvs);
    let imported = file.read();
    let triangle = &imported.draft.nodes[0].pieces[0].batches[0].triangles[0];
    assert_eq!(
        triangle.map(|v| v.uv),
        [[0.25, 0.5], [1.5, 0.5], [0.25, -0.5]]
    );
    assert!(
        told(&imported)
            .iter()
            .any(|it| it.contains("whole repeats"))
    );
}

#[test]
fn materials_become_rows_by_name() {
    let mut file = File::triangle();
    let primitive = file.primitive().clone();
    let with = |material: Value| {
        let mut primitive = primitive.clone();
        primitive["material"] = material;
        primitive
    };
    file.json["meshes"][0]["primitives"] =
        json!([with(json!(2)), with(json!(0)), with(json!(2)), primitive]);
    file.json["materials"] = json!([
        {"name": "Броня 1", "doubleSided": true}, {"name": "unused"}, {"name": "漆"},
    ]);
    let imported = file.read();
    let batches = &imported.draft.nodes[0].pieces[0].batches;
    let rows: Vec<u8> = batches.iter().map(|batch| batch.wear_row).collect();
    assert_eq!(rows, [0, 1, 0, 2]);
    let flags: Vec<BatchFlags> = batches.iter().map(|batch| batch.flags).collect();
    assert_eq!(flags[1], BatchFlags::TWO_SIDED);
    let wear = imported.wear().unwrap();
    let names: Vec<&[u8]> = wear
        .materials
        .iter()
        .map(|row| row.name.as_slice())
        .collect();
    let armour = b"\xC1\xF0\xEE\xED\xFF_1";
    assert_eq!(names, [&b"_"[..], armour, b"DEFAULT"]);
    assert!(
        told(&imported)
            .iter()
            .any(|it| it.contains("they become _"))
    );
    assert_eq!(File::triangle().read().wear(), None);
}

#[test]
fn normals_come_in_steps_of_a_127th() {
    let mut file = File::triangle();
    let half = 0.5f32.sqrt();
    let normals = file.floats(&[half, 0.0, half].repeat(3), "VEC3");
    file.primitive()["attributes"]["NORMAL"] = json!(normals);
    let model = file.read().draft.build().unwrap();
    // 0.7071 * 127 is 89.8.
    assert_eq!(model.normals.as_ref().unwrap()[0], [90, 0, 90, 0]);
    assert_eq!(unpack_normal([90, 0, 90, 0])[0], 90.0 / 127.0);
}

#[test]
fn files_that_are_named_are_fetched() {
    let mut file = File::triangle();
    file.json["buffers"] = json!([{"byteLength": file.bin.len(), "uri": "a%20b.bin"}]);
    let bin = file.bin.clone();
    let mut asked = Vec::new();
    let imported = read_gltf(&file.text(), &ImportOptions::default(), &mut |uri| {
        asked.push(uri.to_owned());
        Ok(bin.clone())
    });
    assert!(imported.is_ok());
    assert_eq!(asked, ["a%20b.bin"]);
    let error = file.try_read().unwrap_err().to_string();
    assert_eq!(
        error,
        "gltf: buffers[0]: the file \"a%20b.bin\" cannot be read"
    );
}

#[test]
fn what_models_have_not_is_named() {
    let cases: [(fn(&mut File), &str); 12] = [
        (
            |f| f.primitive()["targets"] = json!([{"POSITION": 0}]),
            "meshes[0].primitives[0]: models have no morph targets; the mesh stays at rest",
        ),
        (
            |f| {
                f.json["skins"] = json!([{"joints": [0]}]);
                f.json["nodes"][0]["skin"] = json!(0);
            },
            "skins: models are rigid; meshes with a skin stay as they were modelled",
        ),
        (
            |f| f.json["images"] = json!([{"uri": "x.png"}]),
            "images: textures are left out: a model only names its materials",
        ),
        (
            |f| {
                f.json["cameras"] = json!([{
                    "type": "perspective", "perspective": {"yfov": 1.0, "znear": 1.0},
                }]);
            },
            "cameras: models have none; they are left out",
        ),
        (
            |f| f.primitive()["attributes"]["COLOR_0"] = json!(0),
            "meshes[0].primitives[0]: vertices of models have no COLOR_0; it is left out",
        ),
        (
            |f| f.primitive()["mode"] = json!(1),
            "meshes[0].primitives[0]: models have no Lines; they are left out",
        ),
        (
            |f| {
                f.json["scenes"]
                    .as_array_mut()
                    .unwrap()
                    .push(json!({"nodes": [0]}))
            },
            "scenes[1]: only one scene is taken",
        ),
        (
            |f| f.json["extensionsUsed"] = json!(["KHR_materials_unlit"]),
            "extensionsUsed: what KHR_materials_unlit adds is left out",
        ),
        (
            |f| f.animate("scale", "LINEAR", &[0.0, 1.0], &[1.0; 6]),
            "animations[0].channels[0]: nodes of models have no scale; its animation is left out",
        ),
        (
            |f| {
                f.animate("translation", "LINEAR", &[0.0, 1.0], &[1.0; 6]);
                let first = f.json["animations"][0].clone();
                f.json["animations"].as_array_mut().unwrap().push(first);
            },
            "animations[1]: a model has one animation; the others are left out",
        ),
        (
            |f| {
                f.animate("translation", "LINEAR", &[0.0, 1.0], &[1.0; 6]);
                let nodes = f.json["nodes"].as_array_mut().unwrap();
                nodes.push(json!({}));
                f.json["animations"][0]["channels"][0]["target"]["node"] = json!(1);
            },
            "nodes[1]: it moves, but is not in the scene",
        ),
        (
            |f| {
                f.json["nodes"][0]["extras"] =
                    json!({"msh_piece_of": 7, "msh_state": 0, "msh_lod": 1})
            },
            "nodes[0]: it holds a piece of a node that is not there; it is left out",
        ),
    ];
    for (change, wanted) in cases {
        let mut file = File::triangle();
        change(&mut file);
        let told = told(&file.read());
        assert!(told.iter().any(|it| it == wanted), "{wanted}: {told:#?}");
    }
}

#[test]
fn damage_is_named() {
    let cases: [(fn(&mut File), &str); 16] = [
        (
            |f| f.json["asset"]["version"] = json!("1.0"),
            "gltf: asset.version: expected 2.0, found 1.0",
        ),
        (
            |f| f.json["scene"] = json!(3),
            "gltf: scene: expected the index of an object, found one that leads nowhere",
        ),
        (
            |f| f.json["nodes"][0]["children"] = json!([0]),
            "gltf: scenes[0].nodes: expected nodes without parents, each once, found 0",
        ),
        (
            |f| {
                f.json["nodes"] = json!([{"children": [1]}, {"children": [2]}, {"children": [1]}]);
            },
            "gltf: nodes[2].children: expected a child of no other node, found 1",
        ),
        (
            |f| f.json["nodes"][0]["rotation"] = json!([0.0, 0.0, 0.0, 0.0]),
            "gltf: nodes[0]: expected a rotation of length 1, found [0, 0, 0, 0]",
        ),
        (
            |f| f.json["nodes"][0]["scale"] = json!([1.0, 1e39, 1.0]),
            "gltf: nodes[0]: expected a finite transform, found another",
        ),
        (
            |f| f.json["accessors"][0]["count"] = json!(4),
            "gltf: accessors[0]: expected elements inside of the 36 bytes of the view, found 4 every 12 bytes from 0",
        ),
        (
            |f| f.json["accessors"][0]["type"] = json!("VEC2"),
            "gltf: accessors[0]: expected Vec3, found Vec2",
        ),
        (
            |f| f.json["bufferViews"][0]["byteLength"] = json!(37),
            "gltf: bufferViews[0]: expected a range inside of the 36 bytes of buffer 0, found 37 bytes from 0",
        ),
        (
            |f| f.json["buffers"] = json!([{"byteLength": 99, "uri": "data:;base64,AAAA"}]),
            "gltf: buffers[0]: expected 99 bytes, found 3",
        ),
        (
            |f| f.json["buffers"] = json!([{"byteLength": 36, "uri": "data:text/plain,x"}]),
            "gltf: buffers[0]: expected a data URI in base64, found data:text/plain,x",
        ),
        (
            |f| {
                let indices = f.indices(&[0, 1, 3]);
                f.primitive()["indices"] = json!(indices);
            },
            "gltf: accessors[0]: expected an element below 3, found 3",
        ),
        (
            |f| f.bin[4..8].copy_from_slice(&f32::NAN.to_le_bytes()),
            "gltf: accessors[0]: expected finite numbers, found [0.0, NaN, 0.0] at 0",
        ),
        (
            |f| f.animate("translation", "LINEAR", &[0.5, 0.5], &[0.0; 6]),
            "gltf: animations[0].channels[0]: expected increasing times from 0 on, found 0.5",
        ),
        (
            |f| f.animate("translation", "LINEAR", &[0.0, 1e6], &[0.0; 6]),
            "gltf: nodes[0]: it moves at frame 15000000, beyond 65534",
        ),
        (
            |f| f.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]),
            "gltf: extensionsRequired[0] = \"KHR_draco_mesh_compression\": a required extension is not known",
        ),
    ];
    for (change, wanted) in cases {
        let mut file = File::triangle();
        change(&mut file);
        assert_eq!(file.try_read().unwrap_err().to_string(), wanted);
    }
}

#[test]
fn a_turn_below_a_scale_that_differs_by_axis_is_refused() {
    let mut file = File::triangle();
    file.animate(
        "rotation",
        "LINEAR",
        &[0.0, 1.0],
        &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0],
    );
    file.json["nodes"]
        .as_array_mut()
        .unwrap()
        .push(json!({"children": [0], "scale": [1.0, 2.0, 1.0]}));
    file.json["scenes"][0]["nodes"] = json!([1]);
    let error = file.try_read().unwrap_err().to_string();
    let wanted =
        "gltf: nodes[0]: it turns below a scale that differs by axis, which no rigid node can show";
    assert_eq!(error, wanted);
    // Under one scale for all axes it is fine.
    file.json["nodes"][1]["scale"] = json!([2.0, 2.0, 2.0]);
    assert!(file.try_read().is_ok());
}
