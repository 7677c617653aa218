mod damage;

use std::path::Path;

use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::vfs::VfsError;
use ironlands_scene::Scene;

use super::*;
use crate::level::{MissionChoice, ParkanLevel};
use crate::level_scene;
use crate::mission::{self, Mission, Property};
use crate::model_file::ModelFile;
use crate::registry::{ObjectRef, Prototype};
use crate::test_level::{entry, library};
use crate::test_mission::{game, object, tower};
use crate::texm::PixelOptions;

/// A level, and the scene of it.
#[derive(Debug)]
struct Opened {
    files: ParkanLevel,
    scene: Scene,
    findings: Vec<Finding>,
}

fn open(folder: &Path, mission: &MissionChoice) -> Result<Opened, VfsError> {
    let files = ParkanLevel::open(folder, "Land", 1.0, mission, None)?;
    let (scene, of_scene) = level_scene::to_scene(&files, PixelOptions::default());
    Ok(Opened {
        findings: files.findings.iter().cloned().chain(of_scene).collect(),
        files,
        scene,
    })
}

/// A level by the mission that was played on it last.
fn open_played(folder: &Path) -> Opened {
    open(folder, &MissionChoice::default()).unwrap()
}

#[test]
fn a_level_is_inhabited_by_its_mission() {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = game(root.path());
    let level = open_played(&folder);
    let level_objects = &level.files.level_objects;
    let names: Vec<_> = level_objects.models.iter().map(|it| &it.name[..]).collect();
    assert_eq!(names, ["bases.rlb/HULL.MSH", "bases.rlb/TOP.MSH"]);
    let objects: Vec<_> = level_objects
        .objects
        .iter()
        .map(|it| &it.name[..])
        .collect();
    assert_eq!(objects, ["UNITS\\TANK.dat", "hull", "UNITS\\ODD.dat"]);
    let tank = &level_objects.objects[0];
    let [hull, top] = &tank.components[..] else {
        panic!("{tank:?}");
    };
    assert_eq!(hull.attached_to, None);
    let expected = Attachment {
        component: 0,
        node: Some(2),
    };
    assert_eq!(top.attached_to, Some(expected));
    assert_eq!(
        level_objects.models[top.model].first_node,
        FirstNode::AttachRoot
    );
}

#[test]
fn what_is_missing_is_named_once_and_the_level_opens() {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = game(root.path());
    let level = open_played(&folder);
    let saying = |what: &str| {
        let findings = level.findings.iter();
        findings.filter(|it| it.message.contains(what)).count()
    };
    assert_eq!(saying("GONE"), 1, "{:#?}", level.findings);
    assert_eq!(
        saying("hangs on node 7 of bases.rlb/HULL.MSH, which has 3"),
        1
    );
    assert_eq!(saying("path 5"), 1);
    // The hull's third node names row 2 of a table of two; the top has no table at all.
    assert_eq!(saying("name no row of its table of 2 materials"), 1);
    let errors = level
        .findings
        .iter()
        .filter(|it| it.severity == Severity::Error);
    assert!(errors.count() <= 1, "{:#?}", level.findings);
}

#[test]
fn instances_stand_where_their_components_hang() {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = game(root.path());
    let level = open_played(&folder);
    let scene = &level.scene;
    assert_eq!(scene.validate(), Ok(()));
    assert_eq!(
        scene.instances.len(),
        level.files.level_objects.components().count()
    );
    let origins: Vec<_> = scene
        .instances
        .iter()
        .map(|it| it.world_from_model.transform_point([0.0; 3]))
        .collect();
    // Nodes are a unit above each other, twice as large; a top without its node stands at the hull's origin.
    let expected = [
        [10.0, 10.0, 5.0],
        [10.0, 10.0, 11.0],
        [20.0, 10.0, 5.0],
        [40.0, 10.0, 5.0],
        [40.0, 10.0, 5.0],
    ];
    assert_eq!(origins, expected);
    // Of the top, the first node's triangle is left out.
    let n_pieces: Vec<_> = scene
        .models
        .iter()
        .map(|model| model.pieces.len())
        .collect();
    assert_eq!(n_pieces, [3, 1]);
    let names: Vec<_> = scene.instances.iter().map(|it| &it.name[..]).collect();
    assert_eq!(names, ["UNITS\\TANK.dat", "", "hull", "UNITS\\ODD.dat", ""]);
}

#[test]
fn batches_are_drawn_with_the_rows_of_their_own_table() {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = game(root.path());
    let level = open_played(&folder);
    let names = |model: usize| -> Vec<&str> {
        let batches = level.scene.models[model].mesh.batches.iter();
        let materials = batches.map(|batch| &level.scene.materials[batch.material.0 as usize]);
        materials.map(|material| &material.name[..]).collect()
    };
    assert_eq!(names(0), ["GRASS", "WATER", "GRASS"]);
    assert_eq!(names(1), ["", ""]);
}

#[test]
fn objects_move_by_properties_of_our_own() {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = game(root.path());
    let level = open_played(&folder);
    let [tank, hull, odd] = &level.files.level_objects.objects[..] else {
        panic!("three objects");
    };
    let expected = Movement {
        clip: Some(Clip {
            first: 0.0,
            last: 24.0,
            rate: 12.0,
            start: 0.0,
        }),
        walk: Some(Walk {
            points: [[0.0, 0.0, 10.0], [20.0, 0.0, 10.0]].into(),
            speed: 1.5,
            start: 0.0,
        }),
    };
    assert_eq!(tank.movement, Some(expected));
    assert_eq!(hull.movement, None);
    assert_eq!(odd.movement, None);
}

#[test]
fn the_mission_can_be_chosen() {
    let root = tempfile::tempdir().unwrap();
    let (folder, file) = game(root.path());
    let n_objects = |mission| {
        let level = open(&folder, &mission).unwrap();
        level.files.level_objects.objects.len()
    };
    assert_eq!(n_objects(MissionChoice::Bare), 0);
    assert_eq!(n_objects(MissionChoice::At(file.clone())), 3);
    let of_mission = file.parent().unwrap().to_owned();
    assert_eq!(n_objects(MissionChoice::At(of_mission)), 3);
    let missing = MissionChoice::At(root.path().join("nothing"));
    let error = open(&folder, &missing).unwrap_err();
    assert!(error.to_string().contains("nothing"), "{error}");
    std::fs::write(&file, b"\x01\0\0\0").unwrap();
    let error = open(&folder, &MissionChoice::At(file)).unwrap_err();
    assert!(matches!(error, VfsError::Invalid { .. }), "{error}");
    // This one was not requested by name: it is reported, and the level opens.
    let level = open_played(&folder);
    assert!(level.files.level_objects.objects.is_empty());
    let reported = level
        .findings
        .iter()
        .any(|it| it.message.contains("data.tma"));
    assert!(reported, "{:#?}", level.findings);
}

#[test]
fn a_model_opens_alone_from_an_archive_and_from_a_file() {
    let root = tempfile::tempdir().unwrap();
    game(root.path());
    let archive = root.path().join("bases.rlb/hull.msh");
    let scene = ModelFile::open(&archive)
        .unwrap()
        .to_scene(PixelOptions::default());
    assert_eq!(scene.name, "hull");
    assert_eq!(scene.instances.len(), 1);
    let batches = scene.models[0].mesh.batches.iter();
    let materials: Vec<u32> = batches.map(|batch| batch.material.0).collect();
    assert_eq!(materials, [0, 1, 0]);
    let loose = root.path().join("loose.msh");
    std::fs::write(&loose, tower(2)).unwrap();
    let model = ModelFile::open(&loose).unwrap();
    let scene = model.to_scene(PixelOptions::default());
    assert_eq!(scene.models[0].nodes.len(), 2);
    let without = model
        .findings
        .iter()
        .any(|it| it.message.contains("loose.wea"));
    assert!(without, "{:#?}", model.findings);
    // From its spawn, the model is ahead.
    let spawn = &scene.spawns[0];
    let ahead = [
        spawn.yaw_rad.cos() * spawn.pitch_rad.cos(),
        spawn.yaw_rad.sin() * spawn.pitch_rad.cos(),
        spawn.pitch_rad.sin(),
    ];
    let bounds = scene.models[0].bounds;
    let to_center: [f32; 3] = std::array::from_fn(|i| bounds.center[i] - spawn.position[i]);
    let distance = to_center.iter().map(|v| v * v).sum::<f32>().sqrt();
    for (found, expected) in ahead.iter().zip(to_center) {
        assert!((found - expected / distance).abs() < 1e-4, "{ahead:?}");
    }
    assert!(distance > bounds.radius * 2.0);
}
