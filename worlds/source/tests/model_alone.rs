//! A model by itself: found beside its files, posed by its sequences, hit where it is drawn, and written as glTF.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "tests"
)]

use std::fs;
use std::path::{Path, PathBuf};

use glam::{Quat, Vec3};
use ironlands_assets_core::format::ConversionOptions;
use ironlands_assets_source::level_scene::Appearance;
use ironlands_assets_source::mdl::motion::SequenceLayer;
use ironlands_assets_source::mdl::motion::sample::{FPS, Kind, moving};
use ironlands_assets_source::model_file::ModelFile;
use ironlands_assets_source::studio_model::sample::{sample, sample_files};
use ironlands_assets_source::studio_model::{
    DraftBone, DraftSequence, FrameStorage, StudioDraft, StudioFiles, StudioModel,
};
use ironlands_sim_core::Ray;
use ironlands_sim_world::{Clock, Play, Poses, World};
use ironlands_world_kind::{Opened, WorldKind};
use ironlands_world_source::exchange::export_model;
use ironlands_world_source::{Source, SourceOptions};
use serde_json::Value;

/// The sample in the folder of a game.
fn write_model(folder: &Path) -> PathBuf {
    write_files(
        folder,
        StudioFiles {
            mdl: moving(Kind::Runs),
            ..sample_files()
        },
    )
}

fn write_files(folder: &Path, files: StudioFiles) -> PathBuf {
    let props = folder.join("game/models/props");
    fs::create_dir_all(&props).unwrap();
    let path = props.join("crate.mdl");
    fs::write(&path, files.mdl).unwrap();
    fs::write(props.join("crate.vvd"), files.vvd).unwrap();
    fs::write(props.join("crate.dx90.vtx"), files.vtx).unwrap();
    path
}

fn open(path: &Path) -> Opened {
    let opened = Source::open_model(path, &[], &SourceOptions::default());
    opened.unwrap().expect("a model")
}

fn pose(world: &dyn World, frame: f32) -> Poses {
    let mut poses = Poses::default();
    let play = Play::Figure {
        animation: Some(0),
        frame,
        sliders: [].into(),
    };
    let clock = Clock {
        time_secs: 0.0,
        play,
    };
    world.pose(&clock, &mut poses);
    poses
}

#[test]
fn a_model_is_posed_by_its_sequences_and_hit_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let Opened {
        scene,
        world,
        model,
        ..
    } = open(&write_model(folder.path()));
    scene.validate().unwrap();
    let sheet = model.expect("it has sequences");
    let names: Vec<_> = sheet.animations.iter().map(|it| &*it.name).collect();
    assert_eq!((names, sheet.idle), (vec!["turn"], Some(0)));
    assert!(sheet.sliders.is_empty());
    assert_eq!(sheet.last_frame(Some(0)), 4.0);
    let facts = &sheet.animations[0].facts;
    assert_eq!(facts, "turn, ACT_TURN, loops, at 0.50: AE_STEP left");

    // The corner of a triangle of the model, a little inside of it.
    let corner = Vec3::new(0.2, 0.2, 0.0);
    for frame in [0.0, 1.0, 1.5, 4.0] {
        let poses = pose(&*world, frame);
        let angle = f32::min(frame, 2.0);
        let place = Quat::from_rotation_z(angle) * corner + Vec3::new(5.0, 0.0, 0.0);
        let above = Ray {
            origin: place + Vec3::Z * 9.0,
            direction: -Vec3::Z,
        };
        let hit = world.cast_ray(&above, 99.0, &poses).expect("its triangle");
        assert!(hit.position.distance(place) < 1e-4, "{frame}: {hit:?}");
        assert_eq!(world.describe(&hit)[1].value, "static_prop");
        assert!(!world.outline(&hit, &poses, Default::default()).is_empty());
        // Where it was at rest there is nothing.
        let at_rest = Ray {
            origin: corner + Vec3::Z * 9.0,
            direction: -Vec3::Z,
        };
        assert_eq!(world.cast_ray(&at_rest, 99.0, &poses), None, "{frame}");
    }
}

#[test]
fn a_model_without_a_game_is_found_by_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_model(folder.path());
    let beside = folder.path().join("loose");
    fs::create_dir(&beside).unwrap();
    for file in fs::read_dir(path.parent().unwrap()).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), beside.join(file.file_name())).unwrap();
    }
    let alone = open(&beside.join("crate.mdl"));
    assert_eq!(alone.scene.models, open(&path).scene.models);
    fs::remove_file(beside.join("crate.vvd")).unwrap();
    let refused = Source::open_model(&beside.join("crate.mdl"), &[], &SourceOptions::default());
    let error = refused.err().expect("its vertices are missing").to_string();
    assert!(error.contains("crate.vvd"), "{error}");
}

#[test]
fn a_model_is_written_with_its_skin_and_its_sequences() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_model(folder.path());
    let to = folder.path().join("crate.glb");
    let exported = export_model(&path, &to, &ConversionOptions::default()).unwrap();
    let [(written_to, glb)] = &exported.files[..] else {
        panic!("one file")
    };
    assert_eq!(*written_to, to);
    let len = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let document: Value = serde_json::from_slice(&glb[20..20 + len]).unwrap();
    let bin = &glb[20 + len + 8..];
    let skin = &document["skins"][0];
    let joint = skin["joints"][0].as_u64().unwrap() as usize;
    assert_eq!(document["nodes"][joint]["name"], "static_prop");
    let attributes = &document["meshes"][0]["primitives"][0]["attributes"];
    for semantic in ["JOINTS_0", "WEIGHTS_0"] {
        assert!(attributes[semantic].is_u64(), "{attributes}");
    }
    let animation = &document["animations"][0];
    assert_eq!(animation["name"], "turn");
    let file = ModelFile::open(&path, &[], Appearance::default()).unwrap();
    for channel in animation["channels"].as_array().unwrap() {
        assert_eq!(channel["target"]["node"], joint);
        let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        let times = numbers(&document, bin, &sampler["input"], 1);
        assert_eq!(
            times,
            (0..5).map(|it| vec![it as f32 / FPS]).collect::<Vec<_>>()
        );
        let is_turn = channel["target"]["path"] == "rotation";
        let values = numbers(
            &document,
            bin,
            &sampler["output"],
            if is_turn { 4 } else { 3 },
        );
        for (frame, value) in (0i16..).zip(values) {
            let pose = file.motion.local_pose(0, frame.into()).unwrap()[0];
            match is_turn {
                true => assert_eq!(value, pose.rotation.to_array()),
                false => assert_eq!(value, pose.position.to_array()),
            }
        }
    }
}

/// A trunk that turns and an arm on it, which a layer turns from the middle of the sequence on.
fn layered() -> StudioFiles {
    let bone = |name: &str, parent| DraftBone {
        name: name.to_owned(),
        parent,
        ..DraftBone::default()
    };
    let sequence = |name: &str, frames: &[[f32; 2]]| DraftSequence {
        name: name.to_owned(),
        fps: FPS,
        frames: (frames.iter())
            .map(|turns| turns.map(|z| [0.0, 0.0, z]).into())
            .collect(),
        storage: FrameStorage::Frames { section_frames: 0 },
        ..DraftSequence::default()
    };
    let late = SequenceLayer {
        sequence: 1,
        start: 0.5,
        peak: 0.5,
        tail: 1.0,
        end: 1.0,
        ..SequenceLayer::default()
    };
    let draft = StudioDraft {
        bones: vec![bone("trunk", None), bone("arm", Some(0))],
        sequences: vec![
            DraftSequence {
                layers: vec![late],
                ..sequence("walk", &[[0.0, 0.0], [0.1, 0.0], [0.2, 0.0]])
            },
            DraftSequence {
                weights: vec![0.0, 1.0],
                ..sequence("wave", &[[9.0, 1.0]])
            },
        ],
        ..sample()
    };
    StudioModel::draft(&draft).unwrap()
}

#[test]
fn layers_are_seen_and_written_with_their_sequence() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_files(folder.path(), layered());
    let opened = open(&path);
    let sheet = opened.model.expect("it has sequences");
    assert_eq!(
        sheet.animations[0].facts,
        "walk, lays wave over it (0.50, 0.50 to 1.00, 1.00)"
    );
    // In the space of the model the arm is turned as much as the trunk, and from frame 1 on by 1 more.
    let turned = [[0.0, 0.0], [0.1, 1.1], [0.2, 1.2]];
    for (frame, turns) in (0_u8..).zip(turned) {
        let poses = pose(&*opened.world, frame.into());
        for (node, turn) in poses.world_from_nodes().iter().zip(turns) {
            let [[cos, ..], [sin, ..], _] = node.upper_rows();
            assert!((sin.atan2(cos) - turn).abs() < 1e-3, "{frame}: {node:?}");
        }
    }
    let to = folder.path().join("crate.glb");
    let exported = export_model(&path, &to, &ConversionOptions::default()).unwrap();
    let (_, glb) = &exported.files[0];
    let len = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let document: Value = serde_json::from_slice(&glb[20..20 + len]).unwrap();
    let bin = &glb[20 + len + 8..];
    let animation = &document["animations"][0];
    let of_arm = |channel: &&Value| {
        let node = channel["target"]["node"].as_u64().unwrap() as usize;
        document["nodes"][node]["name"] == "arm" && channel["target"]["path"] == "rotation"
    };
    let mut channels = animation["channels"].as_array().unwrap().iter();
    let channel = channels.find(of_arm).expect("the layer turns it");
    let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
    let turns = numbers(&document, bin, &sampler["output"], 4);
    assert_eq!(turns.len(), 3);
    for (found, z) in turns.into_iter().zip([0.0, 1.0, 1.0]) {
        let found = Quat::from_slice(&found);
        assert!(found.abs_diff_eq(Quat::from_rotation_z(z), 1e-3), "{found}");
    }
}

/// The rows of an accessor of floats.
fn numbers(document: &Value, bin: &[u8], accessor: &Value, n: usize) -> Vec<Vec<f32>> {
    let accessor = &document["accessors"][accessor.as_u64().unwrap() as usize];
    let view = &document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let offset = |it: &Value| it["byteOffset"].as_u64().unwrap_or(0) as usize;
    let at = offset(view) + offset(accessor);
    let count = accessor["count"].as_u64().unwrap() as usize;
    let bytes = &bin[at..at + count * n * 4];
    let floats = bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|it| f32::from_le_bytes(*it));
    floats
        .collect::<Vec<_>>()
        .chunks(n)
        .map(<[f32]>::to_vec)
        .collect()
}
