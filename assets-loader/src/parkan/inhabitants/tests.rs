mod damage;

use std::path::{Path, PathBuf};

use super::*;
use crate::bytes::Severity;
use crate::level::{self, Level, LevelError, LevelFiles, MissionChoice, OpenOptions};
use crate::parkan::mission::{self, Mission, Object, Property};
use crate::parkan::msh::{DraftBatch, DraftKey, DraftNode, DraftPiece, DraftVertex, ModelDraft};
use crate::parkan::registry::{ObjectRef, Prototype};
use crate::parkan::test_level::{TestLevel, entry, library, wear};
use crate::parkan::unit_dat::{UnitDat, UnitRecord};
use crate::text::fixed_name;

/// A model of nodes one above the other, each a unit higher, with a triangle each.
fn tower(n_nodes: usize) -> Vec<u8> {
    let corner = |x: f32, y: f32| DraftVertex {
        position: [x, y, 0.0],
        normal: [0.0, 0.0, 1.0],
        ..DraftVertex::default()
    };
    let triangles = vec![[corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0)]];
    let node = |idx: usize| DraftNode {
        parent: idx.checked_sub(1),
        keys: vec![DraftKey {
            time: 0.0,
            position: [0.0, 0.0, 1.0],
            rotation: [1.0, 0.0, 0.0, 0.0],
        }],
        pieces: vec![DraftPiece {
            batches: vec![DraftBatch {
                wear_row: idx as u8,
                triangles: triangles.clone(),
                ..DraftBatch::default()
            }],
            ..DraftPiece::default()
        }],
        ..DraftNode::default()
    };
    let draft = ModelDraft {
        nodes: (0..n_nodes).map(node).collect(),
        ..ModelDraft::default()
    };
    draft.build().unwrap().write().unwrap()
}

fn record(resource: &str, attach_idx: i32, component_word: i32, n_children: u32) -> UnitRecord {
    let field = |text: &str| fixed_name(text.as_bytes(), 32).unwrap();
    UnitRecord {
        archive_field: field("objects.rlb"),
        resource_field: field(resource),
        kind: 1,
        attach_idx,
        description_field: field(""),
        component_word,
        n_children,
    }
}

fn object(resource: &str, x: f32, properties: Vec<Property>) -> Object {
    Object {
        resource: resource.as_bytes().to_vec(),
        position: [x, 10.0, 5.0],
        scale: [2.0; 3],
        properties,
        ..Object::default()
    }
}

/// The test level with archives, a unit of hull and turret, and a mission; the level's folder and the mission's file.
fn game(root: &Path) -> (PathBuf, PathBuf) {
    let folder = TestLevel::new().write(root);
    let put = |name: &str, bytes: Vec<u8>| {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let table = wear(&["GRASS", "WATER"]).write().unwrap();
    let models = [
        entry(*b"MESH", 0, "HULL.MSH", tower(3)),
        entry(*b"WEAR", 0, "HULL.WEA", table),
        entry(*b"MESH", 0, "TOP.MSH", tower(2)),
    ];
    put("bases.rlb", library(models.into_iter()));
    let prototype = |resource: &str| {
        let refs = vec![ObjectRef::new("bases.rlb", resource).unwrap()];
        Prototype { refs }.write().unwrap()
    };
    let prototypes = [
        entry(*b"OBJT", 0, "HULL", prototype("HULL.MSH")),
        entry(*b"OBJT", 0, "TOP", prototype("TOP.MSH")),
        entry(*b"OBJT", 0, "GONE", prototype("GONE.MSH")),
    ];
    put("objects.rlb", library(prototypes.into_iter()));
    let unit = |attach_idx| UnitDat {
        unknown_02: [0; 2],
        scheme: 0x0100_8000,
        records: vec![
            record("HULL", 0, 0, 2),
            record("TOP", attach_idx, 1, 0),
            // Armour, which lies in a slot.
            record("TOP", 0, 2, 0),
        ],
    };
    put("UNITS/TANK.dat", unit(2).write().unwrap());
    put("UNITS/ODD.dat", unit(7).write().unwrap());
    let walk = vec![
        Property::int("Ironlands.Path", [0, 4, 0]),
        Property::float("Ironlands.PathSpeed", [0.0, 1.5, 0.0]),
        Property::int("Ironlands.ClipFirst", [0, 0, 0]),
        Property::int("Ironlands.ClipLast", [0, 24, 0]),
        Property::float("Ironlands.ClipRate", [0.0, 12.0, 0.0]),
    ];
    let astray = vec![Property::int("Ironlands.Path", [0, 5, 0])];
    let mission = Mission {
        paths: vec![mission::Path {
            id: 4,
            points: vec![[0.0, 0.0, 10.0], [20.0, 0.0, 10.0]],
        }],
        objects: vec![
            object("UNITS\\TANK.dat", 10.0, walk),
            object("hull", 20.0, Vec::new()),
            object("GONE", 30.0, Vec::new()),
            object("GONE", 35.0, Vec::new()),
            object("UNITS\\ODD.dat", 40.0, astray),
        ],
        land_base: b"DATA\\MAPS\\Map01\\land".to_vec(),
        ..Mission::default()
    };
    let file = put("MISSIONS/single.01/data.tma", mission.write().unwrap());
    (folder, file)
}

fn opened(level: &Level) -> &Inhabitants {
    match &level.files {
        LevelFiles::Parkan(files) => &files.inhabitants,
        _ => panic!("no Parkan level"),
    }
}

fn with(mission: MissionChoice) -> OpenOptions {
    OpenOptions {
        mission,
        ..OpenOptions::default()
    }
}

#[test]
fn a_level_is_inhabited_by_its_mission() {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = game(root.path());
    let level = level::open(&folder, &OpenOptions::default()).unwrap();
    let inhabitants = opened(&level);
    let names: Vec<_> = inhabitants.models.iter().map(|it| &it.name[..]).collect();
    assert_eq!(names, ["bases.rlb/HULL.MSH", "bases.rlb/TOP.MSH"]);
    let objects: Vec<_> = inhabitants.objects.iter().map(|it| &it.name[..]).collect();
    assert_eq!(objects, ["UNITS\\TANK.dat", "hull", "UNITS\\ODD.dat"]);
    let tank = &inhabitants.objects[0];
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
        inhabitants.models[top.model].first_node,
        FirstNode::AttachRoot
    );
}

#[test]
fn what_is_missing_is_named_once_and_the_level_opens() {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = game(root.path());
    let level = level::open(&folder, &OpenOptions::default()).unwrap();
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
    // The hull's third node asks for row 2 of a table of two; the top has no table at all.
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
    let level = level::open(&folder, &OpenOptions::default()).unwrap();
    let scene = &level.scene;
    assert_eq!(scene.validate(), Ok(()));
    assert_eq!(scene.instances.len(), opened(&level).components().count());
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
    let level = level::open(&folder, &OpenOptions::default()).unwrap();
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
    let level = level::open(&folder, &OpenOptions::default()).unwrap();
    let [tank, hull, odd] = &opened(&level).objects[..] else {
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
        let level = level::open(&folder, &with(mission)).unwrap();
        opened(&level).objects.len()
    };
    assert_eq!(n_objects(MissionChoice::Bare), 0);
    assert_eq!(n_objects(MissionChoice::At(file.clone())), 3);
    let of_mission = file.parent().unwrap().to_owned();
    assert_eq!(n_objects(MissionChoice::At(of_mission)), 3);
    let missing = with(MissionChoice::At(root.path().join("nothing")));
    let error = level::open(&folder, &missing).unwrap_err();
    assert!(error.to_string().contains("nothing"), "{error}");
    std::fs::write(&file, b"\x01\0\0\0").unwrap();
    let error = level::open(&folder, &with(MissionChoice::At(file))).unwrap_err();
    assert!(matches!(error, LevelError::Format { .. }), "{error}");
    // Nobody asked for this one by name: it is told, and the level opens.
    let level = level::open(&folder, &OpenOptions::default()).unwrap();
    assert!(opened(&level).objects.is_empty());
    let told = level
        .findings
        .iter()
        .any(|it| it.message.contains("data.tma"));
    assert!(told, "{:#?}", level.findings);
}

#[test]
fn a_mission_leads_to_its_level() {
    let root = tempfile::tempdir().unwrap();
    let (folder, file) = game(root.path());
    let land = folder.canonicalize().unwrap().join("Land.msh");
    assert_eq!(level::level_of_mission(&file).unwrap(), land);
    let of_mission = file.parent().unwrap();
    assert_eq!(level::level_of_mission(of_mission).unwrap(), land);
    std::fs::remove_file(&land).unwrap();
    let error = level::level_of_mission(&file).unwrap_err();
    assert!(
        error.to_string().contains("DATA\\MAPS\\Map01\\land"),
        "{error}"
    );
}

#[test]
fn a_model_opens_alone_from_an_archive_and_from_a_file() {
    let root = tempfile::tempdir().unwrap();
    game(root.path());
    let archive = root.path().join("bases.rlb/hull.msh");
    let level = level::open_model(&archive, &OpenOptions::default()).unwrap();
    assert_eq!(level.scene.name, "hull");
    assert_eq!(level.scene.instances.len(), 1);
    let batches = level.scene.models[0].mesh.batches.iter();
    let materials: Vec<u32> = batches.map(|batch| batch.material.0).collect();
    assert_eq!(materials, [0, 1, 0]);
    let loose = root.path().join("loose.msh");
    std::fs::write(&loose, tower(2)).unwrap();
    let level = level::open_model(&loose, &OpenOptions::default()).unwrap();
    assert_eq!(level.scene.models[0].nodes.len(), 2);
    let without = level
        .findings
        .iter()
        .any(|it| it.message.contains("loose.wea"));
    assert!(without, "{:#?}", level.findings);
    // From its spawn, the model is ahead.
    let spawn = &level.scene.spawns[0];
    let ahead = [
        spawn.yaw_rad.cos() * spawn.pitch_rad.cos(),
        spawn.yaw_rad.sin() * spawn.pitch_rad.cos(),
        spawn.pitch_rad.sin(),
    ];
    let bounds = level.scene.models[0].bounds;
    let to_center: [f32; 3] = std::array::from_fn(|i| bounds.center[i] - spawn.position[i]);
    let distance = to_center.iter().map(|v| v * v).sum::<f32>().sqrt();
    for (found, expected) in ahead.iter().zip(to_center) {
        assert!((found - expected / distance).abs() < 1e-4, "{ahead:?}");
    }
    assert!(distance > bounds.radius * 2.0);
}

#[test]
fn models_that_are_not_there_are_told_apart() {
    let root = tempfile::tempdir().unwrap();
    game(root.path());
    let refusal = |name: &str| {
        let path = root.path().join(name);
        level::open_model(&path, &OpenOptions::default()).unwrap_err()
    };
    assert!(matches!(refusal("base.rlb"), LevelError::NotFound { .. }));
    let error = refusal("bases.rlb").to_string();
    let is_told = error.contains("is an archive") && error.contains("HULL.MSH, ");
    assert!(is_told, "{error}");
    let error = refusal("base.rlb").to_string();
    assert!(error.contains("bases.rlb"), "{error}");
    let error = refusal("bases.rlb/NONE.MSH").to_string();
    assert!(error.contains("no entry \"NONE.MSH\""), "{error}");
    assert!(matches!(
        refusal("bases.rlb/HULL.WEA"),
        LevelError::Format { .. }
    ));
}
