//! Triangles, their streams and their materials.

use ironlands_assets_parkan::msh::{BatchFlags, unpack_normal};
use ironlands_world_parkan::exchange::{ImportOptions, read_gltf};
use serde_json::{Value, json};

use crate::{File, reported};

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
        reported(&imported)
            .iter()
            .any(|it| it.contains("whole repeats"))
    );
}

#[test]
fn texture_coordinates_that_just_fit_are_moved_as_far_as_it_takes() {
    let mut file = File::triangle();
    // Around 0 they would end at 32.25, which is beyond 32767 / 1024.
    let uvs = file.floats(&[-30.75, 0.0, 32.25, 0.0, 0.0, 0.0], "VEC2");
    file.primitive()["attributes"]["TEXCOORD_0"] = json!(uvs);
    let model = file.read().draft.build().unwrap();
    let stored: Vec<i16> = model.uv0.unwrap().iter().map(|uv| uv[0]).collect();
    assert_eq!(stored, [-32512, 32000, -1024]);
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
    let armor = b"\xC1\xF0\xEE\xED\xFF_1";
    assert_eq!(names, [&b"_"[..], armor, b"DEFAULT"]);
    assert!(
        reported(&imported)
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
    let mut requested = Vec::new();
    let imported = read_gltf(&file.text(), &ImportOptions::default(), &mut |uri| {
        requested.push(uri.to_owned());
        Ok(bin.clone())
    });
    assert!(imported.is_ok());
    assert_eq!(requested, ["a%20b.bin"]);
    let error = file.try_read().unwrap_err().to_string();
    assert_eq!(
        error,
        "gltf: buffers[0]: the file \"a%20b.bin\" cannot be read"
    );
}

#[test]
fn quantized_positions_are_read() {
    let mut file = File::triangle();
    // Signed bytes that count as parts of 127, four to a vertex.
    let bytes = [0, 0, 0, 0, 127, 0, 0, 0, 0, 127, 0, 0];
    let positions = file.accessor(&bytes, 5120, 3, "VEC3");
    let view = file.json["accessors"][positions]["bufferView"]
        .as_u64()
        .unwrap() as usize;
    file.json["bufferViews"][view]["byteStride"] = json!(4);
    file.json["accessors"][positions]["normalized"] = json!(true);
    file.json["accessors"][positions]["min"] = json!([0, 0, 0]);
    file.json["accessors"][positions]["max"] = json!([127, 127, 0]);
    file.primitive()["attributes"]["POSITION"] = json!(positions);
    for key in ["extensionsUsed", "extensionsRequired"] {
        file.json[key] = json!(["KHR_mesh_quantization"]);
    }
    let imported = file.read();
    let triangle = &imported.draft.nodes[0].pieces[0].batches[0].triangles[0];
    let positions = triangle.map(|v| v.position);
    assert_eq!(positions, [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert!(
        !reported(&imported)
            .iter()
            .any(|it| it.contains("quantization"))
    );
}
