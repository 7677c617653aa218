//! The contents of a written GLB.

use ironlands_assets_parkan::msh::{NONE, NodeTable};
use ironlands_exchange::ExportError;
use ironlands_scene::{Blend, BlendFactor};
use ironlands_world_parkan::exchange::{
    GlbOptions, ModelExportError, ObjOptions, write_glb, write_obj,
};
use serde_json::{Value, json};

use crate::common::{ROWS, Walker, walker};
use crate::glb::Glb;

fn glb_of(walker: &Walker) -> Vec<u8> {
    let glb = write_glb(&walker.source(), &GlbOptions::default()).unwrap();
    glb.bytes
}

fn picture(glb: &Glb, image: usize) -> Vec<u8> {
    let picture = glb.picture(image).to_rgba8();
    assert_eq!(picture.dimensions(), (4, 2));
    picture.into_raw()
}

impl Glb {
    fn new(walker: &Walker) -> Self {
        Self::read(&glb_of(walker))
    }

    fn node(&self, name: &str) -> &Value {
        let mut nodes = self.json["nodes"].as_array().unwrap().iter();
        nodes
            .find(|node| node["name"] == name)
            .unwrap_or_else(|| panic!("no node {name}"))
    }

    fn mesh_of(&self, name: &str) -> &Value {
        &self.json["meshes"][self.node(name)["mesh"].as_u64().unwrap() as usize]
    }

    fn names_below(&self, node: u64) -> Vec<String> {
        let node = &self.json["nodes"][node as usize];
        let children = node["children"].as_array().into_iter().flatten();
        let below = children.flat_map(|child| self.names_below(child.as_u64().unwrap()));
        std::iter::once(node["name"].as_str().unwrap().to_owned())
            .chain(below)
            .collect()
    }
}

#[test]
fn the_default_scene_is_the_tree_of_nodes_under_one_that_turns() {
    let glb = Glb::new(&walker());
    assert_eq!(glb.json["scene"], 0);
    assert_eq!(glb.json["scenes"][0]["nodes"], json!([0]));
    assert_eq!(glb.names_below(0), ["walker", "base", "Рука", "node_2"]);
    // A quarter turn about +X that takes +Z to +Y: sine and cosine of -45 degrees.
    let half = f64::from(0.5f32.sqrt());
    let rotation = glb.json["nodes"][0]["rotation"].as_array().unwrap();
    for (value, wanted) in rotation.iter().zip([-half, 0.0, 0.0, half]) {
        assert!((value.as_f64().unwrap() - wanted).abs() < 1e-7);
    }
    assert_eq!(glb.node("Рука")["translation"], json!([0.0, 0.0, 5.0]));
    assert_eq!(glb.node("node_2")["extras"]["msh_unnamed"], true);
    assert_eq!(glb.node("base")["extras"]["msh_flags"], 0x40);
}

#[test]
fn other_states_and_lods_stand_in_scenes_of_their_own() {
    let glb = Glb::new(&walker());
    let names: Vec<&str> = (glb.json["scenes"].as_array().unwrap().iter())
        .map(|scene| scene["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["walker", "state 0 lod 1", "state 1 lod 0"]);
    assert_eq!(glb.node("base state 1 lod 0")["extras"]["msh_state"], 1);
    // The destroyed base shows the slot of the arm, which is one mesh.
    let shared = glb.node("base state 1 lod 0")["mesh"].clone();
    assert_eq!(glb.node("Рука")["mesh"], shared);
    // The destroyed arm shows nothing, which is not the same as having no slot.
    assert_eq!(glb.node("Рука")["extras"]["msh_empty"], json!([[1, 0]]));
}

#[test]
fn vertices_are_those_of_the_model_in_the_space_of_their_node() {
    let glb = Glb::new(&walker());
    let mesh = glb.mesh_of("base");
    let [first, second] = [0, 1].map(|k| &mesh["primitives"][k]);
    let positions = glb.floats::<3>(&first["attributes"]["POSITION"]);
    assert_eq!(positions, &walker().msh.positions[..4]);
    let accessor =
        &glb.json["accessors"][first["attributes"]["POSITION"].as_u64().unwrap() as usize];
    assert_eq!(accessor["min"], json!([0.0, 0.0, 0.0]));
    assert_eq!(accessor["max"], json!([2.0, 2.0, 0.25]));
    let indices = |primitive: &Value| glb.bytes(&primitive["indices"], 2).to_vec();
    assert_eq!(indices(first), [0, 0, 1, 0, 2, 0]);
    assert_eq!(indices(second), [0, 0, 2, 0, 3, 0]);
    // Divided by 1024; v = 0 is the first row in both.
    let uvs = glb.floats::<2>(&first["attributes"]["TEXCOORD_0"]);
    assert_eq!(uvs[1], [300.0 / 1024.0, 924.0 / 1024.0]);
    let uvs = glb.floats::<2>(&first["attributes"]["TEXCOORD_1"]);
    assert_eq!(uvs[1], [(9.0 + 256.0) / 1024.0, (1.0 + 512.0) / 1024.0]);
    assert_eq!(first["extras"]["msh_flags"], 0x2002);
    assert_eq!(second["extras"]["msh_batch"], 1);
}

#[test]
fn normals_have_length_1_and_the_packed_ones_are_kept_where_that_changes_them() {
    let glb = Glb::new(&walker());
    let attributes = &glb.mesh_of("base")["primitives"][0]["attributes"];
    for normal in glb.floats::<3>(&attributes["NORMAL"]) {
        let length_sq: f32 = normal.iter().map(|v| v * v).sum();
        assert!((length_sq - 1.0).abs() < 1e-5, "{normal:?}");
    }
    let packed = glb.bytes(&attributes["_MSH_NORMAL"], 4);
    assert_eq!(packed[8..], [0x80, 0, 0, 0, 0, 0, 0, 0]);
    // All normals of the arm are -Y.
    let attributes = &glb.mesh_of("Рука")["primitives"][0]["attributes"];
    assert_eq!(attributes["_MSH_NORMAL"], Value::Null);
}

#[test]
fn keys_turn_by_the_conjugate_at_frames_by_the_rate() {
    let glb = Glb::new(&walker());
    let animation = &glb.json["animations"][0];
    assert_eq!(animation["name"], "all frames");
    assert_eq!(animation["extras"]["msh_frame_count"], 6);
    let channels = animation["channels"].as_array().unwrap();
    assert_eq!(channels.len(), 2, "only the arm moves");
    for (channel, path) in channels.iter().zip(["translation", "rotation"]) {
        assert_eq!(channel["target"], json!({"node": 2, "path": path}));
        let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        assert_eq!(sampler["interpolation"], "LINEAR");
        let times = glb.floats::<1>(&sampler["input"]);
        assert_eq!(times, [[0.0], [2.0 / 15.0], [5.0 / 15.0]]);
        if path == "translation" {
            let wanted = [[0.0, 0.0, 5.0], [0.0, 0.0, 5.0], [0.0, 0.0, 6.0]];
            assert_eq!(glb.floats::<3>(&sampler["output"]), wanted);
            continue;
        }
        // Stored is (0, 0, -sin, cos); glTF turns the other way round.
        let half = 0.5f32.sqrt();
        let rotations = glb.floats::<4>(&sampler["output"]);
        assert_eq!(rotations[0], [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(rotations[1], [0.0, 0.0, half, half]);
    }
}

#[test]
fn a_map_that_does_not_follow_from_the_times_is_sampled_frame_by_frame() {
    let mut jumping = walker();
    // Frames 0 and 1 begin at key 1, the others show the last key (dossier section 8.3).
    jumping.msh.animation.map = vec![1, 1, 3, 3, 3, 3];
    let glb = Glb::new(&jumping);
    let samplers = &glb.json["animations"][0]["samplers"];
    let times = glb.floats::<1>(&samplers[0]["input"]);
    assert_eq!(times.len(), 6);
    assert_eq!(times[1], [1.0 / 15.0]);
    let translations = glb.floats::<3>(&samplers[0]["output"]);
    let z: Vec<f32> = translations.iter().map(|v| v[2]).collect();
    assert_eq!(z, [5.0, 5.0, 6.0, 6.0, 6.0, 6.0]);
    // At frame 1 half of the quarter turn is done, by the formula of section 8.4 on the stored keys, whose length is
    // not quite 1.
    let stored = (0.5f64.sqrt() * 32767.0).round() / 32767.0;
    let angle = stored.acos();
    let second = (angle / 2.0).sin() / angle.sin();
    let first = (angle / 2.0).cos() - second * stored;
    let [z, w] = [second * stored, first + second * stored];
    let rotation = glb.floats::<4>(&samplers[1]["output"])[1].map(f64::from);
    let length = z.hypot(w);
    for (found, expected) in rotation.iter().zip([0.0, 0.0, z / length, w / length]) {
        assert!((found - expected).abs() < 1e-6, "{rotation:?}");
    }
}

#[test]
fn a_material_is_a_row_with_its_main_pass() {
    let glb = Glb::new(&walker());
    let materials = glb.json["materials"].as_array().unwrap();
    let of = |name: &str| materials.iter().find(|it| it["name"] == name).unwrap();
    let [hull, grate, glass] = ROWS.map(of);
    let modes = [hull, grate, glass].map(|it| it["alphaMode"].as_str());
    assert_eq!(modes, [Some("OPAQUE"), Some("MASK"), Some("BLEND")]);
    assert_eq!(grate["alphaCutoff"], 0.5);
    assert_eq!(hull["doubleSided"], true);
    // 0.5 in display space is 0.2140 in linear light (IEC 61966-2-1), 0.25 is 0.0509.
    let pbr = &hull["pbrMetallicRoughness"];
    assert!((pbr["baseColorFactor"][0].as_f64().unwrap() - 0.2140).abs() < 1e-4);
    assert!((hull["emissiveFactor"][0].as_f64().unwrap() - 0.0509).abs() < 1e-4);
    assert_eq!(hull["emissiveTexture"], pbr["baseColorTexture"]);
    assert_eq!(pbr["metallicFactor"], 0.0);
    assert_eq!(glass["pbrMetallicRoughness"]["baseColorFactor"][3], 0.5);
    assert_eq!(glass["extras"]["msh_wear_row"], 2);
    let sampler = &glb.json["samplers"][0];
    assert_eq!(
        (&sampler["wrapS"], &sampler["wrapT"]),
        (&json!(10497), &json!(10497))
    );
    assert_eq!(
        glb.json["images"].as_array().unwrap().len(),
        2,
        "one for each texture"
    );
}

#[test]
fn pictures_are_the_pixels_of_the_textures() {
    let glb = Glb::new(&walker());
    assert_eq!(picture(&glb, 0), walker().textures[0].mips[0]);
}

#[test]
fn a_surface_that_adds_light_is_seen_through_where_it_is_dark() {
    use BlendFactor::{One, SourceAlpha};
    for (source, alpha, factor) in [(One, 200, 0.5), (SourceAlpha, 100, 0.25)] {
        let mut walker = walker();
        // The same picture covers as it is and adds light.
        walker.textures[1].mips[0] = [40, 200, 40, 128].repeat(8);
        let pass = &mut walker.materials[2].passes[0];
        pass.diffuse = [0.25, 0.5, 0.0, 0.5];
        pass.blend = Some(Blend {
            source,
            destination: One,
        });
        let glb = Glb::new(&walker);
        let material = glb.json["materials"].as_array().unwrap();
        let glow = material.iter().find(|it| it["name"] == ROWS[2]).unwrap();
        assert_eq!(glow["extras"]["msh_blend"][1], "One");
        assert_eq!(glow["alphaMode"], "BLEND");
        let pbr = &glow["pbrMetallicRoughness"];
        assert_eq!(pbr["baseColorFactor"][3], factor);
        let texture = pbr["baseColorTexture"]["index"].as_u64().unwrap() as usize;
        let image = glb.json["textures"][texture]["source"].as_u64().unwrap() as usize;
        assert_eq!(picture(&glb, image)[..4], [40, 200, 40, alpha]);
        assert_eq!(picture(&glb, 1)[..4], [40, 200, 40, 128], "the grate's");
        let options = ObjOptions {
            state: 0,
            lod: 0,
            stem: "glow".to_owned(),
        };
        let files = write_obj(&walker.source(), &options).unwrap();
        assert!(files.mtl.ends_with("map_d glow_2.png\n"), "{}", files.mtl);
        let picture = image::load_from_memory(&files.pngs[2].1).unwrap();
        assert_eq!(picture.to_rgba8().into_raw()[..4], [40, 200, 40, alpha]);
    }
}

#[test]
fn nodes_that_no_one_can_read_are_one_mesh_of_all_batches() {
    let mut outlier = walker();
    outlier.msh.nodes = NodeTable::Stride24(vec![[7; 24]; 3]);
    let glb = Glb::new(&outlier);
    assert_eq!(glb.names_below(0), ["walker", "all batches"]);
    assert_eq!(
        glb.mesh_of("all batches")["primitives"]
            .as_array()
            .unwrap()
            .len(),
        4
    );
    assert_eq!(glb.json["animations"], Value::Null);
}

#[test]
fn what_glb_cannot_hold_is_refused_by_name() {
    let error = |change: fn(&mut Walker)| {
        let mut walker = walker();
        change(&mut walker);
        write_glb(&walker.source(), &GlbOptions::default())
            .unwrap_err()
            .to_string()
    };
    let reported = error(|it| it.msh.positions[2][1] = f32::NAN);
    assert_eq!(reported, "position 2 is not finite");
    let reported = error(|it| it.msh.animation.keys[2].position[0] = f32::INFINITY);
    assert_eq!(reported, "a key position of node 1 is not finite");
    let reported = error(|it| it.msh.batches[1].base_vertex = 5);
    assert_eq!(reported, "batch 1 names vertex 7, there are 7");
    let reported = error(|it| it.materials.truncate(1));
    assert_eq!(reported, "material 1 does not exist, there are 1");
    let reported = error(|it| it.textures[1].mips[0].truncate(31));
    assert_eq!(
        reported,
        "texture GRATE.0: 4x2 pixels need other than 31 bytes"
    );
    for rate in [0.0, -1.0, f32::NAN, f32::INFINITY, f32::MIN_POSITIVE / 4.0] {
        let options = GlbOptions {
            frames_per_sec: rate,
        };
        let reported = write_glb(&walker().source(), &options).unwrap_err();
        let is_rate = matches!(reported, ModelExportError::Format(ExportError::Rate { .. }));
        assert!(is_rate, "{rate}: {reported}");
    }
}

#[test]
fn slots_that_all_name_the_same_batches_do_not_fill_the_memory() {
    let mut hostile = walker();
    let msh = &mut hostile.msh;
    msh.indices = vec![0; 60_000];
    msh.batches[0].index_start = 0;
    msh.batches[0].index_count = 60_000;
    msh.slots[0].batch_count = 1;
    msh.slots = vec![msh.slots[0]; 200];
    let NodeTable::Nodes(nodes) = &mut msh.nodes else {
        panic!("nodes of 38 bytes");
    };
    nodes.iter_mut().for_each(|node| node.slots = [NONE; 15]);
    let reported = write_glb(&hostile.source(), &GlbOptions::default()).unwrap_err();
    let is_too_many = matches!(
        reported,
        ModelExportError::Format(ExportError::TooMany { .. })
    );
    assert!(is_too_many, "{reported}");
}
