//! Missions and models that are hostile or broken: what is left out, and that it is reported once.

use crate::game_files;
use std::fs;
use std::sync::Arc;

use super::super::load::Limits;
use super::*;
use crate::material_table::MaterialResolver;
use crate::msh::Msh;
use ironlands_assets_core::bytes::Finding;

const NO_LIMITS: Limits = Limits {
    n_components: usize::MAX,
    n_nodes: usize::MAX,
};

/// What the mission of the test game, once edited, puts into a level.
fn load(
    root: &Path,
    limits: Limits,
    edit: impl FnOnce(&mut Mission),
) -> (LevelObjects, Vec<Finding>) {
    let data = fs::read(root.join("MISSIONS/single.01/data.tma")).unwrap();
    let mut mission = Mission::read(&data).unwrap();
    edit(&mut mission);
    let vfs = game_files::of_folder(root).unwrap();
    let mut resolver = MaterialResolver::new(&vfs);
    let mut findings = Vec::new();
    let level_objects =
        LevelObjects::load_within(limits, &mission, None, &vfs, &mut resolver, &mut findings);
    (level_objects, findings)
}

fn saying<'a>(findings: &'a [Finding], what: &str) -> Vec<&'a Finding> {
    let findings = findings.iter();
    findings.filter(|it| it.message.contains(what)).collect()
}

/// Other models in place of those of the test game.
fn put_models(root: &Path, models: &[(&str, Vec<u8>)]) {
    let models = models.iter();
    let models = models.map(|(name, data)| entry(*b"MESH", 0, name, data.clone()));
    fs::write(root.join("bases.rlb"), library(models)).unwrap();
}

#[test]
fn models_and_nodes_are_limited() {
    let root = tempfile::tempdir().unwrap();
    game(root.path());
    // A tank has three components and five nodes to show, a hull one and three.
    let few_models = Limits {
        n_components: 4,
        ..NO_LIMITS
    };
    let few_nodes = Limits {
        n_nodes: 8,
        ..NO_LIMITS
    };
    for (limits, expected) in [(few_models, 2), (few_nodes, 2), (NO_LIMITS, 3)] {
        let (level_objects, findings) = load(root.path(), limits, |_| {});
        assert_eq!(level_objects.objects.len(), expected);
        let reported = saying(&findings, "the rest is left out");
        assert_eq!(reported.len(), usize::from(expected < 3), "{findings:#?}");
    }
}

#[test]
fn a_model_is_read_once_for_both_of_its_uses() {
    let root = tempfile::tempdir().unwrap();
    game(root.path());
    let mut top = tower(2);
    // Attr1 of the first directory entry, nodes, contradicts its size.
    let n_entries = Msh::read(&top).unwrap().container.entries.len();
    let directory = top.len() - n_entries * 64;
    top[directory + 4] ^= 1;
    put_models(root.path(), &[("HULL.MSH", tower(3)), ("TOP.MSH", top)]);
    let (level_objects, findings) = load(root.path(), NO_LIMITS, |mission| {
        mission.objects.push(object("top", 50.0, Vec::new()));
    });
    let [_, attached, alone] = &level_objects.models[..] else {
        panic!("three models");
    };
    assert_eq!(attached.first_node, FirstNode::AttachRoot);
    assert_eq!(alone.first_node, FirstNode::Own);
    assert!(Arc::ptr_eq(&attached.msh, &alone.msh));
    let repairs = saying(&findings, "bases.rlb/TOP.MSH: ");
    assert_eq!(repairs.len(), 1, "{findings:#?}");
}

#[test]
fn problems_that_objects_share_are_reported_once() {
    let root = tempfile::tempdir().unwrap();
    game(root.path());
    let (level_objects, findings) = load(root.path(), NO_LIMITS, |mission| {
        let odd = mission.objects[4].clone();
        mission.objects.extend([odd.clone(), odd]);
        mission.objects.push(mission.objects[0].clone());
    });
    for what in [
        "hangs on node 7 of bases.rlb/HULL.MSH",
        "path 5, which is not there",
    ] {
        let [reported] = saying(&findings, what)[..] else {
            panic!("{what}: {findings:#?}");
        };
        let whose = "; 3 times, object \"UNITS\\ODD.dat\" first";
        assert!(reported.message.ends_with(whose), "{}", reported.message);
    }
    let movements = level_objects
        .objects
        .iter()
        .filter_map(|it| it.movement.as_ref());
    let walks: Vec<&Walk> = movements.filter_map(|it| it.walk.as_ref()).collect();
    assert_eq!(walks.len(), 2);
    assert!(Arc::ptr_eq(&walks[0].points, &walks[1].points));
}

#[test]
fn properties_of_no_use_are_reported_and_their_half_is_left_out() {
    let root = tempfile::tempdir().unwrap();
    game(root.path());
    let int = |name: &str, value| Property::int(&format!("Ironlands.{name}"), [0, value, 0]);
    let float = |name: &str, value| {
        let name = format!("Ironlands.{name}");
        Property::float(&name, [0.0, value, 0.0])
    };
    let good = [
        int("ClipFirst", 2),
        int("ClipLast", 8),
        float("ClipRate", 1.0),
        int("Path", 4),
        float("PathSpeed", 1.0),
        float("PathStart", 0.0),
    ];
    // The place of a good property, what is put there instead, and the expected message.
    let rows = [
        (0, Some(float("ClipFirst", 2.0)), "ClipFirst is no int"),
        (0, Some(int("ClipFirst", -1)), "ClipFirst is below 0"),
        (0, None, "ClipFirst is missing"),
        (1, Some(int("ClipLast", 1)), "ClipLast is before"),
        (2, Some(float("ClipRate", f32::NAN)), "Rate is not finite"),
        (2, None, "ClipRate is missing"),
        (3, Some(int("Path", 6)), "path 6, which has fewer than two"),
        (3, Some(int("Path", 7)), "path 7, a point of which is not"),
        (3, None, "Path is missing"),
        (4, Some(int("PathSpeed", 1)), "PathSpeed is no float"),
        (4, Some(float("PathSpeed", f32::INFINITY)), "not finite"),
        (5, Some(float("PathStart", f32::NAN)), "Start is not finite"),
    ];
    for (place, instead, reported) in rows {
        let mut properties = good.to_vec();
        properties.splice(place..=place, instead);
        let (level_objects, findings) = load(root.path(), NO_LIMITS, |mission| {
            let path = |id, points: &[[f32; 3]]| mission::Path {
                id,
                points: points.to_vec(),
            };
            mission.paths.push(path(6, &[[1.0; 3]]));
            mission.paths.push(path(7, &[[1.0; 3], [f32::NAN; 3]]));
            mission.objects = vec![object("hull", 0.0, properties)];
        });
        assert_eq!(
            saying(&findings, reported).len(),
            1,
            "{reported}: {findings:#?}"
        );
        assert_eq!(saying(&findings, "Ironlands.").len(), 1, "{findings:#?}");
        let movement = level_objects.objects[0].movement.as_ref().unwrap();
        let found = (movement.clip.is_some(), movement.walk.is_some());
        assert_eq!(found, (place >= 3, place < 3), "{reported}");
    }
}

#[test]
fn a_model_of_numbers_that_are_not_finite_is_left_out() {
    type Damage = fn(&mut Msh);
    let damages: [(Damage, &str); 2] = [
        (|it| it.positions[1] = [f32::NAN; 3], "vertex 1"),
        (|it| it.animation.keys[2].time = f32::NAN, "key 2"),
    ];
    for (damage, what) in damages {
        let root = tempfile::tempdir().unwrap();
        let (folder, _) = game(root.path());
        let mut hull = Msh::read(&tower(3)).unwrap();
        damage(&mut hull);
        let hull = hull.write().unwrap();
        put_models(root.path(), &[("HULL.MSH", hull), ("TOP.MSH", tower(2))]);
        let level = open_played(&folder);
        assert_eq!(level.scene.validate(), Ok(()));
        let models = level.files.level_objects.models.iter();
        let names: Vec<_> = models.map(|it| &it.name[..]).collect();
        assert_eq!(names, ["bases.rlb/TOP.MSH"]);
        let [reported] = saying(&level.findings, what)[..] else {
            panic!("{what}: {:#?}", level.findings);
        };
        assert_eq!(reported.severity, Severity::Error);
        assert!(
            reported.message.contains("HULL.MSH"),
            "{}",
            reported.message
        );
        let alone = root.path().join("bases.rlb/HULL.MSH");
        let error = ModelFile::open(&alone).unwrap_err();
        assert!(matches!(error, VfsError::Invalid { .. }), "{error}");
    }
}

#[test]
fn objects_beyond_all_numbers_are_left_out() {
    let root = tempfile::tempdir().unwrap();
    let (folder, file) = game(root.path());
    let mut mission = Mission::read(&fs::read(&file).unwrap()).unwrap();
    // Its place is finite, those of its nodes are not.
    mission.objects[0].scale = [3.0e38; 3];
    fs::write(&file, mission.write().unwrap()).unwrap();
    let level = open_played(&folder);
    assert_eq!(level.scene.validate(), Ok(()));
    let level_objects = &level.files.level_objects;
    let objects = level_objects.objects.iter();
    let names: Vec<_> = objects.map(|it| &it.name[..]).collect();
    assert_eq!(names, ["hull", "UNITS\\ODD.dat"]);
    let n_components = level_objects.components().count();
    assert_eq!(level.scene.instances.len(), n_components);
    let reported = saying(&level.findings, "places of its models are not finite");
    assert_eq!(reported.len(), 1, "{:#?}", level.findings);
}

#[test]
fn names_of_entries_need_not_be_paths() {
    let root = tempfile::tempdir().unwrap();
    game(root.path());
    put_models(root.path(), &[("HU/LL\\.MSH", tower(3))]);
    let refs = vec![ObjectRef::new("bases.rlb", "HU/LL\\.MSH").unwrap()];
    let prototype = Prototype { refs }.write().unwrap();
    let prototypes = library([entry(*b"OBJT", 0, "HULL", prototype)].into_iter());
    fs::write(root.path().join("objects.rlb"), prototypes).unwrap();
    let (level_objects, findings) = load(root.path(), NO_LIMITS, |_| {});
    let models = level_objects.models.iter();
    let names: Vec<_> = models.map(|it| &it.name[..]).collect();
    assert_eq!(names, ["bases.rlb/HU/LL\\.MSH"], "{findings:#?}");
}
