use crate::game_files;
use std::fs;
use std::path::PathBuf;

use super::*;
use crate::mission::{Mission, Object};
use crate::test_game::{TestGame, models, prototypes, unit};
use ComponentType::{Armor, Cannon, Chassis, Turret};

const HUNTER: &str = r"UNITS\Units\Hunter.dat";

/// A robot of three meshes, with invisible armor and a cannon on it, and a tree.
fn game() -> TestGame {
    let hunter = [
        ("robots.rlb", "hunter.msh", Chassis, 0, 2),
        ("objects.rlb", "turret_01", Turret, 3, 1),
        ("robots.rlb", "cannon.msh", Cannon, 2, 0),
        ("robots.rlb", "plate.ctl", Armor, 7, 1),
        ("robots.rlb", "cannon.msh", Cannon, 1, 0),
    ];
    let names = [
        "hunter.msh",
        "hunter.wea",
        "turret.msh",
        "turret.wea",
        "cannon.msh",
        "cannon.wea",
    ];
    TestGame::new(&[
        ("UNITS/UNITS/hunter.DAT", unit(&hunter)),
        ("robots.rlb", models(&names)),
        ("static.rlb", models(&["tree.msh", "tree.wea", "bald.msh"])),
        (
            "objects.rlb",
            prototypes(&[
                ("turret_01", &[("robots.rlb", "turret.msh")]),
                ("tree_01", &[("static.rlb", "tree.msh")]),
                ("bald_01", &[("static.rlb", "bald.msh")]),
                ("sun_01", &[("static.rlb", "sun.ctl")]),
                ("lost_01", &[("objects.rlb", "lost_02")]),
            ]),
        ),
    ])
}

fn object(resource: &str) -> Object {
    Object {
        resource: resource.as_bytes().to_vec(),
        ..Object::default()
    }
}

fn mission(resources: &[&str]) -> Mission {
    Mission {
        objects: resources.iter().copied().map(object).collect(),
        ..Mission::default()
    }
}

fn place(game: &TestGame, resources: &[&str]) -> Placements {
    Placements::from_mission(&mission(resources), &game.vfs())
}

/// Mesh, parent and piece of each component.
fn parts(object: &PlacedObject) -> Vec<(&str, Option<usize>, Option<u32>)> {
    let part = |component: &'_ Component| {
        let parent = component.parent;
        assert_eq!(component.is_attached(), parent.is_some());
        (parent, component.attach_piece)
    };
    let names = object
        .components
        .iter()
        .map(|component| std::str::from_utf8(&component.mesh.mesh_entry).unwrap());
    let parts = object.components.iter().map(part);
    names
        .zip(parts)
        .map(|(name, (parent, piece))| (name, parent, piece))
        .collect()
}

fn reported(findings: &[Finding]) -> Vec<(Severity, &str)> {
    let reported = findings.iter().map(|f| (f.severity, f.message.as_str()));
    reported.collect()
}

#[test]
fn a_unit_is_put_together_from_the_records_that_have_a_mesh() {
    let placed = place(&game(), &[HUNTER]);
    assert_eq!(placed.findings, []);
    let expected = [
        ("hunter.msh", None, None),
        ("turret.msh", Some(0), Some(3)),
        ("cannon.msh", Some(1), Some(2)),
        // Its parent is the armor, which has no pieces: it goes to the root of what bears the armor.
        ("cannon.msh", Some(0), None),
    ];
    assert_eq!(parts(&placed.objects[0]), expected);
    let types = placed.objects[0]
        .components
        .iter()
        .map(|it| it.component_type);
    let expected = [Chassis, Turret, Cannon, Cannon].map(Some);
    assert!(types.eq(expected));
}

#[test]
fn a_prototype_stands_alone_and_a_sun_has_no_shape() {
    let placed = place(&game(), &["Tree_01", "sun_01"]);
    assert_eq!(placed.findings, []);
    assert_eq!(parts(&placed.objects[0]), [("tree.msh", None, None)]);
    let tree = &placed.objects[0].components[0];
    assert_eq!(tree.component_type, None);
    assert_eq!(tree.mesh.archive, "static.rlb");
    assert_eq!(tree.mesh.wear_entry.as_deref(), Some(&b"tree.wea"[..]));
    assert_eq!(parts(&placed.objects[1]), []);
}

#[test]
fn objects_of_one_resource_share_their_components() {
    let placed = place(
        &game(),
        &[HUNTER, "units/units/HUNTER.dat", &HUNTER.to_uppercase()],
    );
    let [first, _, third] = &placed.objects[..] else {
        panic!("three objects");
    };
    assert!(Arc::ptr_eq(&first.components, &third.components));
}

#[test]
fn objects_keep_their_place_in_the_mission_and_their_names() {
    let mut mission = mission(&["tree_01", "tree_01"]);
    mission.objects[1].instance_name = vec![0xC4, 0xF3, 0xE1];
    mission.objects[1].position = [1.0, 2.0, 3.0];
    let placed = Placements::from_mission(&mission, &game().vfs());
    let names: Vec<_> = placed
        .objects
        .iter()
        .map(|object| object.name.as_str())
        .collect();
    assert_eq!(names, ["tree_01", "Дуб"]);
    assert_eq!(placed.objects[1].object_idx, 1);
    let place = placed.objects[1].world_from_object;
    assert_eq!(place.transform_point([0.0; 3]), [1.0, 2.0, 3.0]);
}

#[test]
fn what_is_missing_is_reported_once_with_how_many_need_it() {
    let game = game();
    game.put(
        "UNITS/lost.dat",
        &unit(&[("objects.rlb", "Lost_02", Chassis, 0, 0)]),
    );
    let resources = [
        "lost_01",
        "tree_01",
        "LOST_01",
        r"UNITS\lost.dat",
        r"UNITS\no.dat",
    ];
    let placed = place(&game, &resources);
    assert_eq!(placed.objects.len(), 5);
    assert_eq!(
        parts(&placed.objects[1]).len(),
        1,
        "everything else continues"
    );
    let reported = reported(&placed.findings);
    assert_eq!(reported.len(), 2, "{reported:#?}");
    let ends = [
        "no entry \"lost_02\", requested by prototype \"lost_01\"; 3 objects need it, 0 first",
        "; object 4 needs it",
    ];
    for ((severity, message), end) in reported.into_iter().zip(ends) {
        assert_eq!(severity, Severity::Warning);
        assert!(message.ends_with(end), "{message}");
    }
}

#[test]
fn broken_files_are_errors_and_stop_nothing() {
    let game = game();
    game.put("UNITS/cut.dat", b"\xF1\xF0\0\0");
    game.put(
        "UNITS/greedy.dat",
        &unit(&[("robots.rlb", "hunter.msh", Chassis, 0, 9)]),
    );
    game.put("broken.rlb", b"NRes");
    game.put(
        "UNITS/broken.dat",
        &unit(&[("broken.rlb", "a.msh", Chassis, 0, 0)]),
    );
    let resources = [
        r"UNITS\cut.dat",
        "UNITS/greedy.dat",
        "UNITS/broken.dat",
        r"..\x.dat",
        HUNTER,
    ];
    let placed = place(&game, &resources);
    let severities: Vec<_> = placed.findings.iter().map(|f| f.severity).collect();
    assert_eq!(severities, [Severity::Error; 4], "{:#?}", placed.findings);
    assert_eq!(placed.objects[4].components.len(), 4);
}

#[test]
fn a_game_without_a_registry_is_one_finding() {
    let bare = TestGame::new(&[]);
    let placed = place(&bare, &["a", "b", "c"]);
    assert_eq!(placed.findings.len(), 1, "{:#?}", placed.findings);
    assert!(
        placed.findings[0]
            .message
            .ends_with("3 objects need it, 0 first")
    );
    assert_eq!(placed.objects.len(), 3);
}

#[test]
fn meshes_without_materials_and_pieces_below_zero_are_warnings() {
    let game = game();
    let rows = [
        ("static.rlb", "bald.msh", Chassis, 0, 1),
        ("robots.rlb", "cannon.msh", Cannon, -1, 0),
    ];
    game.put("UNITS/odd.dat", &unit(&rows));
    let placed = place(&game, &["bald_01", "UNITS/odd.dat", "UNITS/odd.dat"]);
    let expected = [
        (
            Severity::Warning,
            "static.rlb: \"bald.msh\" has no material table; 3 objects need it, 0 first",
        ),
        (
            Severity::Warning,
            "\"cannon.msh\" sits on piece -1 of its parent and is put at its root, requested by \
             unit UNITS/odd.dat; 2 objects need it, 1 first",
        ),
    ];
    assert_eq!(reported(&placed.findings), expected);
    let expected = [("bald.msh", None, None), ("cannon.msh", Some(0), None)];
    assert_eq!(parts(&placed.objects[1]), expected);
}

#[test]
fn objects_that_stand_nowhere_are_left_out() {
    let mut mission = mission(&["tree_01", "tree_01"]);
    mission.objects[0].orientation[2] = f32::INFINITY;
    let placed = Placements::from_mission(&mission, &game().vfs());
    assert_eq!(placed.objects.len(), 1);
    assert_eq!(placed.objects[0].object_idx, 1);
    let expected = [(
        Severity::Error,
        "object 0: a number of its place is not finite",
    )];
    assert_eq!(reported(&placed.findings), expected);
}

/// A game of one level, and a mission file for each row: its place, and its land base path.
fn campaign(rows: &[(&str, &str)]) -> TestGame {
    let game = TestGame::new(&[("DATA/MAPS/Map01/Land.msh", Vec::new())]);
    for (path, land_base) in rows {
        let mission = Mission {
            land_base: land_base.as_bytes().to_vec(),
            ..Mission::default()
        };
        game.put(path, &mission.write().unwrap());
    }
    game
}

fn find(game: &TestGame) -> (Option<PathBuf>, Vec<Finding>) {
    let level = game.root().join("DATA/MAPS/Map01");
    let (found, findings) = LevelMission::find(&game_files::of_level(&level).unwrap(), &level);
    let root = game.root().canonicalize().unwrap();
    let path = found.map(|it| it.path.strip_prefix(&root).unwrap().to_owned());
    (path, findings)
}

#[test]
fn the_first_mission_on_the_level_is_taken_and_the_others_named() {
    let game = campaign(&[
        ("Missions/single.02/data.tma", r"DATA\MAPS\map01\land"),
        ("Missions/Single.01/DATA.TMA", "data/maps/MAP01/Land"),
        (
            "Missions/Campaign/Campaign.00/Mission.02/data.tma",
            r"DATA\MAPS\KM_2\land",
        ),
        ("Missions/Autodemo.00/data.tma", "Map01"),
        ("elsewhere/data.tma", r"DATA\MAPS\Map01\land"),
    ]);
    game.put("Missions/Single.01/descr", b"not a mission");
    let (path, findings) = find(&game);
    assert_eq!(path, Some("Missions/Single.01/DATA.TMA".into()));
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!(findings[0].severity, Severity::Note);
    assert!(findings[0].message.contains("single.02"), "{findings:#?}");
}

#[test]
fn a_broken_mission_is_a_finding_and_a_level_without_one_is_none() {
    let game = campaign(&[("MISSIONS/b/data.tma", r"DATA\MAPS\Map01\land")]);
    game.put("MISSIONS/a/data.tma", b"\x02\0\0\0");
    let (path, findings) = find(&game);
    assert_eq!(path, Some("MISSIONS/b/data.tma".into()));
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].severity, Severity::Warning);
    assert!(findings[0].message.contains("mission: byte 0x0, version"));
    assert_eq!(find(&campaign(&[])), (None, Vec::new()));
}

#[cfg(unix)]
#[test]
fn links_and_deep_folders_are_not_followed() {
    let game = campaign(&[]);
    let deep = format!("MISSIONS/{}data.tma", "d/".repeat(9));
    let mission = Mission {
        land_base: br"DATA\MAPS\Map01\land".to_vec(),
        ..Mission::default()
    };
    game.put(&deep, &mission.write().unwrap());
    let link = game.root().join("MISSIONS/loop");
    std::os::unix::fs::symlink(game.root().join("MISSIONS"), link).unwrap();
    let (found, findings) = find(&game);
    assert_eq!(found, None);
    let [finding] = &findings[..] else {
        panic!("what is cut off is reported, and links are not: {findings:#?}")
    };
    assert_eq!(finding.severity, Severity::Warning);
    assert!(finding.message.contains("d/d/d: more than 8 folders"));
    let reachable = game
        .root()
        .join(format!("MISSIONS/{}data.tma", "d/".repeat(8)));
    fs::rename(game.root().join(&deep), reachable).unwrap();
    assert!(find(&game).0.is_some());
}

#[test]
fn folders_that_cannot_be_listed_are_named() {
    let game = campaign(&[("MISSIONS/a/data.tma", r"DATA\MAPS\Map01\land")]);
    let level = game.root().join("DATA/MAPS/Map01");
    let vfs = game_files::of_level(&level).unwrap();
    fs::remove_dir_all(&level).unwrap();
    let (found, findings) = LevelMission::find(&vfs, &level);
    assert!(found.unwrap().path.ends_with("MISSIONS/a/data.tma"));
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!(findings[0].severity, Severity::Warning);
    assert!(findings[0].message.contains("Map01: "), "{findings:#?}");
}

#[test]
fn a_level_that_no_mission_can_name_is_a_note() {
    let game = campaign(&[]);
    game.put("DATA/MAPS/地/Land.msh", b"");
    let level = game.root().join("DATA/MAPS/地");
    let (found, findings) = LevelMission::find(&game_files::of_level(&level).unwrap(), &level);
    assert_eq!(found, None);
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!(findings[0].severity, Severity::Note);
    assert!(findings[0].message.contains("地"), "{findings:#?}");
}

#[test]
fn a_mission_for_another_level_says_so() {
    let rows = [
        (r"DATA\MAPS\Map01\land", None),
        ("data/maps/MAP01/Land", None),
        ("land", None),
        (r"DATA\MAPS\KM_2\land", Some("is played on KM_2, not here")),
    ];
    for (land_base, expected) in rows {
        let game = campaign(&[("MISSIONS/a/Data.tma", land_base)]);
        let mission = LevelMission::open(&game.root().join("MISSIONS/a")).unwrap();
        assert!(mission.path.ends_with("Data.tma"));
        let finding = mission.check_level(&game.root().join("DATA/MAPS/Map01"));
        let reported = finding.as_ref().map(|it| (it.severity, &*it.message));
        match (reported, expected) {
            (None, None) => {}
            (Some((Severity::Warning, message)), Some(end)) => {
                assert!(message.ends_with(end), "{message}");
            }
            _ => panic!("{land_base}: {reported:?}"),
        }
    }
}
