//! The demo's models go out as glTF and OBJ and come back, through the real program.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use glam::{DMat4, DQuat, DVec3};
use ironlands::sim::animation::{Instance, Playback, RowMatrix};
use ironlands::worlds::parkan::formats::model_file::ModelFile;
use ironlands::worlds::parkan::formats::msh::{Msh, N_LODS, N_STATES, TYPE_ID};
use ironlands::worlds::parkan::formats::nres::NRes;
use ironlands::worlds::parkan::formats::wear::Wear;
use ironlands::worlds::parkan::skeleton::{self, Bounds};
use serde_json::Value;

/// Runs the program in the repository's folder; its exit code, stdout and stderr.
fn run(args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("ironlands").unwrap();
    let output = command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("RUST_LOG")
        .args(args)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let code = output.status.code().expect("it ended by itself");
    (code, text(&output.stdout), text(&output.stderr))
}

/// Every model of the demo, as `DATA/bases.rlb/NAME.msh`.
fn demo_models() -> Vec<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("DATA");
    let mut models = Vec::new();
    for entry in fs::read_dir(data).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "rlb") {
            let archive = NRes::read(&fs::read(&path).unwrap()).unwrap();
            let entries = archive.entries.iter();
            let found = entries.filter(|entry| entry.type_id == TYPE_ID);
            models.extend(found.map(|entry| path.join(entry.name_text().into_owned())));
        }
    }
    models.sort();
    models
}

/// Flags, row, and corners with their packed normals and coordinates, of what a node shows.
type Shown = Vec<(u16, u8, Vec<([f32; 3], [i8; 4], [i16; 2])>)>;

fn shown(msh: &Msh, node: usize, state: usize, lod: usize) -> Option<Shown> {
    let word = msh.nodes.as_slice()[node].slot_word(state, lod)?;
    let batches = msh.slot_batches(&msh.slots[usize::from(word)]).iter();
    let corner = |v: usize| {
        let normals = msh.normals.as_ref().unwrap();
        (msh.positions[v], normals[v], msh.uv0.as_ref().unwrap()[v])
    };
    let shown = batches.map(|batch| {
        let corners = msh.batch_vertices(batch).map(corner).collect();
        (batch.flags.bits(), batch.wear_row, corners)
    });
    Some(shown.collect())
}

#[test]
fn every_model_of_the_demo_comes_back_from_glb() {
    let folder = tempfile::tempdir().unwrap();
    let models = demo_models();
    assert!(models.len() >= 5, "{models:?}");
    for model in models {
        let stem = model.file_stem().unwrap().to_str().unwrap().to_owned();
        let [glb, msh, wea] =
            ["glb", "msh", "wea"].map(|it| folder.path().join(format!("{stem}.{it}")));
        let args = [
            "export",
            model.to_str().unwrap(),
            "--to",
            glb.to_str().unwrap(),
        ];
        let (code, _, stderr) = run(&args);
        assert_eq!(code, 0, "{stem}: {stderr}");
        let (code, stdout, stderr) = run(&[
            "import",
            glb.to_str().unwrap(),
            "--to",
            msh.to_str().unwrap(),
        ]);
        assert_eq!(code, 0, "{stem}: {stderr}");
        assert_eq!(stdout.lines().count(), 2, "{stdout}");

        let before = ModelFile::open(&model).unwrap();
        let after = Msh::read(&fs::read(&msh).unwrap()).unwrap();
        assert_same(&stem, &before.msh, &after);
        let wear = Wear::read(&fs::read(&wea).unwrap()).unwrap();
        let names = |wear: &Wear| -> Vec<Vec<u8>> {
            wear.materials.iter().map(|row| row.name.clone()).collect()
        };
        assert_eq!(
            before.wear.as_ref().map(names),
            Some(names(&wear)),
            "{stem}"
        );
    }
}

fn assert_same(stem: &str, before: &Msh, after: &Msh) {
    let (nodes, nodes_after) = (before.nodes.as_slice(), after.nodes.as_slice());
    assert_eq!(nodes.len(), nodes_after.len(), "{stem}");
    assert_eq!(before.names, after.names, "{stem}");
    for (idx, (node, other)) in nodes.iter().zip(nodes_after).enumerate() {
        assert_eq!(
            (node.parent, node.flags),
            (other.parent, other.flags),
            "{stem}: node {idx}"
        );
        for place in 0..N_STATES * N_LODS {
            let (state, lod) = (place / N_LODS, place % N_LODS);
            let [a, b] = [before, after].map(|msh| shown(msh, idx, state, lod));
            assert!(a == b, "{stem}: node {idx} state {state} lod {lod}");
        }
    }
    let (animation, other) = (&before.animation, &after.animation);
    assert_eq!(
        (animation.frame_count, &animation.map),
        (other.frame_count, &other.map),
        "{stem}"
    );
    assert_eq!(animation.keys.len(), other.keys.len(), "{stem}");
    for (key, other) in animation.keys.iter().zip(&other.keys) {
        assert_eq!(
            (key.time, key.position),
            (other.time, other.position),
            "{stem}"
        );
        let is_near = key
            .rotation
            .iter()
            .zip(other.rotation)
            .all(|(a, b)| a.abs_diff(b) <= 1);
        assert!(is_near, "{stem}: {key:?} {other:?}");
    }
}

#[test]
fn an_obj_comes_with_what_it_names_and_goes_back() {
    let folder = tempfile::tempdir().unwrap();
    let model = demo_models().remove(0);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let args = [
        "export",
        model.to_str().unwrap(),
        "--to",
        &path("out.obj"),
        "--lod",
        "0",
    ];
    let (code, stdout, stderr) = run(&args);
    assert_eq!(code, 0, "{stderr}");
    let obj = fs::read_to_string(path("out.obj")).unwrap();
    assert!(obj.contains("mtllib out.mtl"));
    for line in fs::read_to_string(path("out.mtl")).unwrap().lines() {
        if let Some(picture) = line.strip_prefix("map_Kd ") {
            assert!(folder.path().join(picture).is_file(), "{picture}");
        }
    }
    let n_files = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(stdout.lines().count(), n_files, "{stdout}");
    let (code, _, stderr) = run(&["import", &path("out.obj"), "--to", &path("back.msh")]);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stderr.contains("colors and textures are left out"),
        "{stderr}"
    );
    let back = Msh::read(&fs::read(path("back.msh")).unwrap()).unwrap();
    let n_faces = obj.lines().filter(|line| line.starts_with("f ")).count();
    assert_eq!(back.indices.len(), 3 * n_faces);
}

#[test]
fn nothing_is_overwritten_and_mistakes_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let model = demo_models().remove(0);
    let model = model.to_str().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("mine.glb"), "mine").unwrap();
    fs::write(path("mine.mtl"), "mine").unwrap();
    fs::write(path("bad.glb"), "glTF").unwrap();
    fs::create_dir(path("x.msh")).unwrap();
    let cases: [(&[&str], &str); 12] = [
        (
            &[
                "import",
                &path("bad.glb"),
                "--to",
                &path("bad.glb"),
                "--force",
            ],
            "the name must end in .msh",
        ),
        (
            &["import", &path("bad.glb"), "--to", &path("bad.wea")],
            "wear files are imported from .json",
        ),
        (
            &["export", model, "--to", &path("x.obj"), "--state", "2"],
            "no model has state 2; there are",
        ),
        (
            &["export", model, "--to", &path("x.obj"), "--lod", "4"],
            "no model has level of detail 4; there are",
        ),
        (
            &["export", model, "--to", &path("x.glb"), "--rate", "-3"],
            "-3 frames per second; a number above 0 is needed",
        ),
        (
            &["export", model, "--to", &path("mine.glb")],
            "--force replaces it",
        ),
        (
            &["export", model, "--to", &path("mine.obj")],
            "mine.mtl is there already",
        ),
        (
            &["export", model, "--to", &path("x.fbx")],
            "the name must end in .glb or .obj",
        ),
        (
            &["export", model, "--to", &path("x.glb"), "--lod", "1"],
            "--lod is for models as OBJ",
        ),
        (
            &["export", model, "--to", &path("x.obj"), "--rate", "9"],
            "--rate is for models that move, as glTF",
        ),
        (
            &["import", &path("bad.glb"), "--to", &path("y.msh")],
            "glb: byte 0x4: expected four bytes",
        ),
        (
            &["import", &path("none.glb"), "--to", &path("y.msh")],
            "cannot read",
        ),
    ];
    for (args, wanted) in cases {
        let (code, stdout, stderr) = run(args);
        assert_eq!((code, stdout.as_str()), (2, ""), "{args:?}: {stderr}");
        assert!(stderr.contains(wanted), "{args:?}: {stderr}");
    }
    assert_eq!(fs::read(path("mine.glb")).unwrap(), b"mine");
    let n_files = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(n_files, 4, "nothing else was written");
    let (code, _, stderr) = run(&["export", model, "--to", &path("mine.glb"), "--force"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(fs::read(path("mine.glb")).unwrap().starts_with(b"glTF"));
    let args = [
        "import",
        &path("mine.glb"),
        "--to",
        &path("x.msh"),
        "--force",
    ];
    let (code, _, stderr) = run(&args);
    assert_eq!(code, 2);
    assert!(stderr.contains("x.msh is a folder"), "{stderr}");
    assert!(
        !Path::new(&path("x.wea")).exists(),
        "no table without its model"
    );
}

/// A GLB as an independent reader sees it: plain matrices in f64, straight from the document.
struct Glb {
    json: Value,
    bin: Vec<u8>,
}

impl Glb {
    fn read(file: &[u8]) -> Self {
        let json_end = 20 + u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
        Self {
            json: serde_json::from_slice(&file[20..json_end]).unwrap(),
            bin: file[json_end + 8..].to_vec(),
        }
    }

    fn floats<const N: usize>(&self, accessor: &Value) -> Vec<[f64; N]> {
        let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        let accessor = &self.json["accessors"][number(accessor)];
        let view = &self.json["bufferViews"][number(&accessor["bufferView"])];
        let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
        let bytes = &self.bin[start..start + number(&accessor["count"]) * N * 4];
        let floats = bytes
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes(b.try_into().unwrap()));
        let floats: Vec<f64> = floats.map(f64::from).collect();
        floats
            .chunks_exact(N)
            .map(|v| v.try_into().unwrap())
            .collect()
    }

    /// A channel of a node at a time in seconds, as glTF's LINEAR; `None` without one.
    fn sample<const N: usize>(
        &self,
        node: usize,
        path: &str,
        t: f64,
    ) -> Option<([f64; N], [f64; N], f64)> {
        let animation = &self.json["animations"][0];
        let channels = animation["channels"].as_array()?;
        let channel = channels
            .iter()
            .find(|it| it["target"]["node"] == node && it["target"]["path"] == path)?;
        let sampler = &animation["samplers"][channel["sampler"].as_u64()? as usize];
        let times = self.floats::<1>(&sampler["input"]);
        let values = self.floats::<N>(&sampler["output"]);
        let after = times
            .iter()
            .position(|[time]| *time > t)
            .unwrap_or(times.len() - 1)
            .max(1);
        let ([from], [to]) = (times[after - 1], times[after]);
        let a = ((t - from) / (to - from)).clamp(0.0, 1.0);
        Some((values[after - 1], values[after], a))
    }

    fn local(&self, node: usize, t: f64) -> DMat4 {
        let json = &self.json["nodes"][node];
        let list = |name: &str| -> Option<Vec<f64>> {
            json[name]
                .as_array()
                .map(|list| list.iter().map(|v| v.as_f64().unwrap()).collect())
        };
        let translation = list("translation").map_or(DVec3::ZERO, |v| DVec3::new(v[0], v[1], v[2]));
        let rotation = list("rotation").map_or(DQuat::IDENTITY, |v| {
            DQuat::from_xyzw(v[0], v[1], v[2], v[3])
        });
        let translation = self
            .sample::<3>(node, "translation", t)
            .map_or(translation, |(from, to, a)| {
                DVec3::from(from).lerp(to.into(), a)
            });
        let rotation = self
            .sample::<4>(node, "rotation", t)
            .map_or(rotation, |(from, to, a)| {
                DQuat::from_array(from).slerp(DQuat::from_array(to), a)
            });
        DMat4::from_rotation_translation(rotation, translation)
    }
}

/// What a glTF player shows is what the original's animation shows, bit for bit in `sim`.
#[test]
fn a_glb_poses_its_nodes_as_the_original_does() {
    let folder = tempfile::tempdir().unwrap();
    let mut n_moving = 0;
    for model in demo_models() {
        let glb = folder.path().join("model.glb");
        let args = [
            "export",
            model.to_str().unwrap(),
            "--to",
            glb.to_str().unwrap(),
            "--force",
            "--rate",
            "20",
        ];
        assert_eq!(run(&args).0, 0, "{model:?}");
        let glb = Glb::read(&fs::read(&glb).unwrap());
        let msh = ModelFile::open(&model).unwrap().msh;
        n_moving += usize::from(msh.animation.frame_count > 1);
        let skeleton = skeleton::from_model(&msh, Bounds::Strict).unwrap();
        for frame in [0.0, 1.0, 2.25, 7.5, 30.75, 1e4] {
            let identity = DMat4::IDENTITY.to_cols_array().map(|v| v as f32);
            let instance = Instance {
                world_from_model: RowMatrix(identity),
                playback: Playback::at(frame),
            };
            let mut poses = vec![RowMatrix(identity); skeleton.n_nodes()];
            skeleton.pose(&instance, &mut poses);
            let mut shown: Vec<DMat4> = Vec::new();
            for (node, pose) in poses.iter().enumerate() {
                let parent = msh.nodes.as_slice()[node].parent();
                let parent = parent.map_or(DMat4::IDENTITY, |parent| shown[parent]);
                // Node 0 of the file turns the axes.
                shown.push(parent * glb.local(node + 1, f64::from(frame) / 20.0));
                let wanted = DMat4::from_cols_array(&pose.0.map(f64::from)).transpose();
                let difference = (shown[node] - wanted).to_cols_array();
                let far = difference.iter().fold(0.0, |far: f64, v| far.max(v.abs()));
                // Stored quaternions are in steps of 1/32767, and arms are a few units long.
                assert!(far < 2e-3, "{model:?} node {node} frame {frame}: {far}");
            }
        }
    }
    assert!(n_moving >= 3, "some of them move");
}
