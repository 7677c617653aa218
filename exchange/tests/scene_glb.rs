//! The contents of the GLB of a scene.

#[path = "common/glb.rs"]
mod glb;
#[path = "common/lit_scene.rs"]
mod lit_scene;

use glb::Glb;
use ironlands_exchange::write_scene_glb;
use ironlands_scene::{MorphTarget, Scene};
use lit_scene::lit_scene;
use serde_json::json;

fn written(scene: &Scene) -> Glb {
    scene.validate().unwrap();
    Glb::read(&write_scene_glb(scene).unwrap().bytes)
}

#[test]
fn a_mesh_is_written_with_the_vertices_that_its_finest_batches_use() {
    let glb = written(&lit_scene());
    let mesh = &glb.json["meshes"][0];
    assert_eq!(mesh["primitives"].as_array().unwrap().len(), 2);
    let attributes = &mesh["primitives"][0]["attributes"];
    assert_eq!(
        glb.floats::<3>(&attributes["POSITION"]),
        [
            [0.0, 0.0, 5.0],
            [4.0, 0.0, 5.0],
            [4.0, 3.0, 5.0],
            [0.0, 3.0, 5.0]
        ],
        "the vertex of the coarse level is not there"
    );
    assert_eq!(glb.floats::<2>(&attributes["TEXCOORD_1"])[2], [0.75, 0.5]);
    assert_eq!(
        glb.bytes(&mesh["primitives"][0]["indices"], 2),
        [0, 0, 1, 0, 2, 0]
    );
    assert_eq!(
        glb.bytes(&mesh["primitives"][1]["indices"], 2),
        [0, 0, 2, 0, 3, 0]
    );
}

#[test]
fn a_lightmap_is_the_sum_of_its_styles_over_the_brightest() {
    let glb = written(&lit_scene());
    let lightmap = &glb.json["materials"][0]["extensions"]["MOZ_lightmap"];
    // 2 of style 0, and 4 of style 1, which begins with half of its light.
    assert_eq!(lightmap["intensity"], json!(4.0));
    assert_eq!(lightmap["texCoord"], json!(1));
    let texture = lightmap["index"].as_u64().unwrap() as usize;
    let image = glb.json["textures"][texture]["source"].as_u64().unwrap();
    let pixels = glb.picture(image as usize).into_rgb16();
    let expected = [[1.0, 0.5, 0.25], [0.125, 0.0, 0.0]];
    let expected = expected
        .as_flattened()
        .iter()
        .map(|v: &f32| (v * 65535.0).round() as u16);
    assert_eq!(pixels.into_raw(), expected.collect::<Vec<_>>());
    assert_eq!(
        glb.json["extensionsUsed"],
        json!(["KHR_materials_unlit", "MOZ_lightmap"])
    );
}

#[test]
fn blocks_are_decoded() {
    let glb = written(&lit_scene());
    let texture = &glb.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"];
    let texture = texture["index"].as_u64().unwrap() as usize;
    let image = glb.json["textures"][texture]["source"].as_u64().unwrap();
    let pixels = glb.picture(image as usize).into_rgba8();
    assert_eq!(pixels.into_raw(), [255, 0, 0, 255].repeat(16));
}

#[test]
fn instances_stand_where_they_stand_and_share_a_mesh() {
    let glb = written(&lit_scene());
    let nodes = glb.json["nodes"].as_array().unwrap();
    let named = |name: &str| nodes.iter().find(|node| node["name"] == name).unwrap();
    let lamp = named("lamp 2");
    let moved = [
        1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 7.0, 8.0, 9.0, 1.0,
    ];
    assert_eq!(
        lamp["matrix"],
        json!(moved.map(f64::from)),
        "columns, one after the other"
    );
    let shown = |name: &str| {
        let child = named(name)["children"][0].as_u64().unwrap() as usize;
        nodes[child]["mesh"].clone()
    };
    assert!(shown("lamp 1").is_u64());
    assert_eq!(shown("lamp 1"), shown("lamp 2"));
}

#[test]
fn what_is_left_out_is_reported() {
    let glb = write_scene_glb(&lit_scene()).unwrap();
    let reported: Vec<_> = glb.findings.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(
        reported,
        [
            "light from three directions is written as it falls on the flat surface",
            "debug layers are left out",
        ]
    );
}

#[test]
fn numbers_that_json_cannot_hold_are_refused() {
    let mut scene = lit_scene();
    scene.meshes[0].uv_sets[0][1] = [f32::NAN, 0.0];
    let error = write_scene_glb(&scene).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a texture coordinate of floor is not finite"
    );
}

#[test]
fn an_empty_scene_is_a_file_with_a_root() {
    let scene = Scene {
        name: "nothing".to_owned(),
        ..Scene::default()
    };
    let file = write_scene_glb(&scene).unwrap().bytes;
    let json: serde_json::Value = serde_json::from_slice(&file[20..]).unwrap();
    assert_eq!(json["nodes"][0]["name"], "nothing");
    assert_eq!(json["scenes"][0]["nodes"], json!([0]));
}

#[test]
fn morph_targets_of_one_name_are_one_target() {
    let mut scene = lit_scene();
    let lamp = &mut scene.models[0].mesh;
    let target = |name: &str, first_vertex: u32, xs: &[f32]| MorphTarget {
        name: name.to_owned(),
        first_vertex,
        offsets: xs.iter().map(|x| [*x, 0.0, 0.0]).collect(),
    };
    lamp.morph_targets = vec![
        target("smile", 0, &[1.0]),
        target("frown", 1, &[8.0]),
        target("smile", 0, &[2.0, 4.0]),
    ];
    let glb = written(&scene);
    let meshes = glb.json["meshes"].as_array().unwrap();
    let moved = meshes
        .iter()
        .find(|it| it["primitives"][0]["targets"].is_array());
    let moved = moved.expect("the lamp has targets");
    assert_eq!(moved["extras"]["targetNames"], json!(["smile", "frown"]));
    let targets = &moved["primitives"][0]["targets"];
    let smile = glb.floats::<3>(&targets[0]["POSITION"]);
    assert_eq!(smile[..2], [[3.0, 0.0, 0.0], [4.0, 0.0, 0.0]]);
    assert_eq!(glb.floats::<3>(&targets[1]["POSITION"])[1], [8.0, 0.0, 0.0]);
}
