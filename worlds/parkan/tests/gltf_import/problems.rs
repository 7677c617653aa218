//! What models have not is named, and so is what is wrong.

use std::error::Error;

use ironlands_world_parkan::exchange::{ImportOptions, read_glb};
use serde_json::json;

use crate::{File, reported};

/// A change to the file, and what is reported.
type Case = (fn(&mut File), &'static str);

#[test]
fn what_models_have_not_is_named() {
    let cases: [Case; 16] = [
        (
            |f| f.primitive()["targets"] = json!([{"POSITION": 0}]),
            "meshes[0].primitives[0]: models have no morph targets; the mesh stays at rest",
        ),
        (
            |f| {
                f.json["skins"] = json!([{"joints": [0]}]);
                f.json["nodes"][0]["skin"] = json!(0);
            },
            "skins: models are rigid; meshes with a skin stay as they were modeled",
        ),
        (
            |f| f.json["images"] = json!([{"uri": "x.png"}]),
            "images: textures are left out: a model only names its materials",
        ),
        (
            |f| f.json["materials"] = json!([{}, {"alphaMode": "MASK"}]),
            "materials[1]: colors and transparency are left out: a model only names its materials",
        ),
        (
            |f| {
                let color = json!([1.0, 0.5, 1.0, 1.0]);
                f.json["materials"] = json!([{"pbrMetallicRoughness": {"baseColorFactor": color}}]);
            },
            "materials[0]: colors and transparency are left out: a model only names its materials",
        ),
        (
            |f| f.json["nodes"][0]["scale"] = json!([1.0, 0.0, 1.0]),
            "nodes[0]: a scale of 0 makes its mesh flat",
        ),
        (
            |f| {
                f.json["materials"] = json!([{"name": "m".repeat(36)}]);
                f.primitive()["material"] = json!(0);
            },
            "materials[0]: a name is longer than the 35 bytes that the game can find in its libraries",
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
        let reported = reported(&file.read());
        assert!(
            reported.iter().any(|it| it == wanted),
            "{wanted}: {reported:#?}"
        );
    }
}

#[test]
fn a_text_that_is_no_json_is_reported_once() {
    let error = read_glb(b"{\"asset\": 3", &ImportOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "gltf: its text is no JSON of glTF");
    let cause = error.source().map(ToString::to_string);
    assert!(cause.is_some_and(|it| it.contains("line 1")), "{error:?}");
}

#[test]
fn damage_is_named() {
    let cases: [Case; 20] = [
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
            "gltf: its text is no JSON of glTF",
        ),
        (
            |f| f.primitive()["attributes"]["POSITION"] = json!(9),
            "gltf: meshes[0].primitives[0].attributes[\"POSITION\"]: expected the index of an object, found 9",
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
            |f| f.bin[4..8].copy_from_slice(&3e38f32.to_le_bytes()),
            "gltf: meshes[0].primitives[0]: it puts something at [0.0, 3e38, 0.0], beyond the 1e12 of a model",
        ),
        (
            |f| f.json["nodes"][0]["translation"] = json!([0.0, -3e38, 0.0]),
            "gltf: nodes[0]: it puts something at [0.0, 0.0, -3e38], beyond the 1e12 of a model",
        ),
        (
            |f| {
                let uvs = f.floats(&[-50.0, 0.0, 50.0, 0.0, 0.0, 0.0], "VEC2");
                f.primitive()["attributes"]["TEXCOORD_0"] = json!(uvs);
            },
            "gltf: meshes[0].primitives[0]: texture coordinates of one triangle go from -50 to 50; a model has room \
             for 63 repeats",
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
