use std::fs;
use std::sync::Arc;

use super::*;
use crate::mat0::Mat0;
use crate::material_table::WearRows;
use crate::mission::Mission;
use crate::model_scene::FirstNode;
use crate::test_level::{TestLevel, material, triangle, wear};

fn open(folder: &Path) -> ParkanLevel {
    ParkanLevel::open(folder, BASE_NAME, 1.0, &MissionChoice::First, None).unwrap()
}

fn messages(level: &ParkanLevel) -> Vec<&str> {
    level
        .findings
        .iter()
        .map(|finding| finding.message.as_str())
        .collect()
}

#[test]
fn a_whole_level_opens() {
    let root = tempfile::tempdir().unwrap();
    let test_level = TestLevel::new();
    let level = open(&test_level.write(root.path()));
    assert_eq!(level.name(), "Map01");
    assert_eq!(level.land_msh.faces, test_level.land.faces);
    assert_eq!(
        level.microtexture_wear.as_ref(),
        Some(&test_level.microtextures)
    );
    assert_eq!(level.material_wear.as_ref(), Some(&test_level.surfaces));
    assert_eq!(level.build_dat.as_ref().unwrap().sections.len(), 12);
    assert_eq!(messages(&level), [""; 0]);

    let MaterialTable {
        materials,
        textures,
    } = &level.materials;
    let TerrainRows {
        surfaces,
        microtextures,
    } = &level.terrain_rows;
    let name = |idx: &usize| {
        let material = &materials[*idx];
        (material.name.as_str(), material.textures[0])
    };
    let rows: Vec<_> = (surfaces.iter())
        .map(|(row, idx)| (*row, name(idx)))
        .collect();
    assert_eq!(
        rows,
        [
            (0, ("DEFAULT", None)),
            (1, ("GRASS", Some(0))),
            (2, ("WATER", Some(1))),
            (3, ("EDGE", Some(2)))
        ]
    );
    assert_eq!(microtextures, surfaces);
    assert_eq!(textures[2].name, "EDGE.0");
    assert!(textures.iter().all(|texture| texture.texm.is_some()));
    assert!(
        level
            .check()
            .iter()
            .all(|finding| finding.severity < Severity::Error)
    );
}

#[test]
fn names_are_found_in_any_case() {
    let root = tempfile::tempdir().unwrap();
    let mut test_level = TestLevel::new();
    test_level.microtextures = wear(&["default", "grass", "wAtEr"]);
    let folder = test_level.write(root.path());
    fs::rename(folder.join("Land.msh"), folder.join("LAND.MSH")).unwrap();
    fs::rename(folder.join("Land2.wea"), folder.join("land2.WEA")).unwrap();
    fs::rename(
        root.path().join("Material.lib"),
        root.path().join("MATERIAL.LIB"),
    )
    .unwrap();
    assert_eq!(messages(&open(&folder)), [""; 0]);
}

#[test]
fn only_the_ground_is_required() {
    let root = tempfile::tempdir().unwrap();
    let folder = TestLevel::new().write(root.path());
    for file in ["Material.lib", "Textures.lib", "BuildDat.lst"] {
        fs::remove_file(root.path().join(file)).unwrap();
    }
    fs::remove_file(folder.join("Land2.wea")).unwrap();
    fs::remove_file(folder.join("Land.map")).unwrap();
    fs::write(folder.join("Land1.wea"), "0\r\n").unwrap();
    let level = open(&folder);
    let severity_of = |what: &str| {
        let about = |finding: &&Finding| finding.message.contains(what);
        let found: Vec<_> = level
            .findings
            .iter()
            .filter(about)
            .map(|f| f.severity)
            .collect();
        found
    };
    assert_eq!(severity_of("\"Land.map\" is not in"), [Severity::Warning]);
    assert_eq!(severity_of("\"Land2.wea\" is not in"), [Severity::Warning]);
    assert_eq!(severity_of("Illegal wear length."), [Severity::Error]);
    assert_eq!(
        severity_of("\"Material.lib\" is not in"),
        [Severity::Warning]
    );
    assert_eq!(
        severity_of("\"BuildDat.lst\" is not in"),
        [Severity::Warning]
    );
    assert_eq!(
        severity_of("2 first material rows, 1 to 2, are not in Land1.wea"),
        [Severity::Warning]
    );
    assert_eq!(
        severity_of("second material row 3 is not in Land1.wea"),
        [Severity::Warning]
    );
    // One for the rows of each table and for each absent file, no more: without a library no material is missed
    // by name.
    assert_eq!(level.findings.len(), 7, "{:#?}", level.findings);

    fs::remove_file(folder.join("Land.msh")).unwrap();
    let error =
        ParkanLevel::open(&folder, BASE_NAME, 1.0, &MissionChoice::First, None).unwrap_err();
    assert!(matches!(error, VfsError::FileMissing { .. }), "{error}");
}

#[test]
fn missing_materials_are_default_then_the_first() {
    let root = tempfile::tempdir().unwrap();
    let mut test_level = TestLevel::new();
    test_level.surfaces = wear(&["DEFAULT", "NOWHERE", "nowhere", "EDGE"]);
    test_level.microtextures = wear(&["EDGE"]);
    test_level.materials[0].1 = material("GRASS.0");
    let level = open(&test_level.write(root.path()));
    let surface = |level: &ParkanLevel, row| {
        let idx = level.terrain_rows.surfaces[&row];
        level.materials.materials[idx].mat0.clone()
    };
    assert_eq!(*surface(&level, 1), material("GRASS.0"));
    assert_eq!(
        messages(&level),
        ["Material NOWHERE not found; DEFAULT is drawn instead"],
        "once by name"
    );

    test_level.materials.remove(0);
    let level = open(&test_level.write(root.path()));
    assert_eq!(*surface(&level, 0), material("EDGE.0"), "entry 0");
}

#[test]
fn broken_materials_say_why() {
    let root = tempfile::tempdir().unwrap();
    let mut test_level = TestLevel::new();
    // Version 0 has no class; read as version 6 the entry is too long or too short.
    test_level.materials[2].1 = Mat0 {
        version: 0,
        ..material("GRASS.0")
    };
    let folder = test_level.write(root.path());
    let lib = root.path().join("Material.lib");
    let mut archive = crate::nres::NRes::read(&fs::read(&lib).unwrap()).unwrap();
    archive.entries[2].attr2 = 6;
    fs::write(lib, archive.write().unwrap()).unwrap();
    let level = open(&folder);
    let [message] = messages(&level)[..] else {
        panic!("{:#?}", level.findings)
    };
    assert!(
        message.starts_with("Material GRASS is broken: mat0: byte 0x"),
        "{message}"
    );
}

#[test]
fn missing_textures_are_found_once_by_name() {
    let root = tempfile::tempdir().unwrap();
    let mut test_level = TestLevel::new();
    test_level.materials[0].1 = material("LOST.0");
    test_level.materials[1].1 = material("lost.0");
    test_level.materials[3].1 = material("NODOT");
    let level = open(&test_level.write(root.path()));
    let messages = messages(&level);
    assert_eq!(messages.len(), 2, "{messages:#?}");
    assert_eq!(messages[0], "Texture LOST.0 of material DEFAULT not found");
    assert!(messages[1].starts_with("Material WATER: Bad texture name:"));
    let lost = level
        .materials
        .textures
        .iter()
        .filter(|texture| texture.texm.is_none());
    assert_eq!(lost.count(), 2);
}

#[test]
fn tolerated_rules_are_findings() {
    let root = tempfile::tempdir().unwrap();
    let test_level = TestLevel::new();
    let folder = test_level.write(root.path());
    fs::write(
        folder.join("Land1.wea"),
        "1\n0 EDGE\nLIGHTMAPS\n1\n0 LM.0\n",
    )
    .unwrap();
    fs::write(root.path().join("BuildDat.lst"), "MINE 0\n").unwrap();
    let mut map = test_level.map.write().unwrap();
    // The link of areal 0 across its first edge, after the header and four vertices.
    let first_link = 16 + 56 + 4 * 12;
    map[first_link] = 77;
    map[first_link + 1] = 0;
    fs::write(folder.join("Land.map"), map).unwrap();
    let mut land = fs::read(folder.join("Land.msh")).unwrap();
    // attr1 of the first directory entry, nodes, contradicts its size.
    let directory = land.len() - 8 * 64;
    land[directory + 4] ^= 1;
    fs::write(folder.join("Land.msh"), land).unwrap();
    let level = open(&folder);
    let messages = messages(&level).join("\n");
    for file in ["Land1.wea", "BuildDat.lst"] {
        assert!(
            messages.contains(&format!("{file} is read tolerantly: ")),
            "{messages}"
        );
    }
    // What was repaired is reported once, by the repair.
    let n_of = |format| level.findings.iter().filter(|f| f.format == format).count();
    assert_eq!([n_of("land_msh"), n_of("land_map")], [1, 1], "{messages}");
    for file in ["Land.msh", "Land.map"] {
        assert!(messages.contains(&format!("{file}: ")), "{messages}");
        assert!(!messages.contains(&format!("{file} is read")), "{messages}");
    }
    assert_eq!(level.material_wear.unwrap().materials.len(), 1);
}

#[test]
fn the_height_scale_multiplies_heights_only() {
    let root = tempfile::tempdir().unwrap();
    let folder = TestLevel::new().write(root.path());
    let plain = open(&folder);
    let scaled = ParkanLevel::open(&folder, BASE_NAME, 0.5, &MissionChoice::First, None).unwrap();
    for (scaled, plain) in scaled
        .land_msh
        .positions
        .iter()
        .zip(&plain.land_msh.positions)
    {
        assert_eq!(*scaled, [plain[0], plain[1], plain[2] * 0.5]);
    }
    for (scaled, plain) in scaled.land_map.iter().zip(&plain.land_map) {
        assert_eq!(scaled.areals, plain.areals, "areals at height 0 stay there");
    }
    assert_eq!(scaled.land_msh.grid(), plain.land_msh.grid());
    assert!(messages(&scaled).contains(&"heights are multiplied by 0.5"));
}

#[test]
fn a_mission_that_is_requested_and_played_elsewhere_is_a_warning() {
    let root = tempfile::tempdir().unwrap();
    let folder = TestLevel::new().write(root.path());
    let file = root.path().join("data.tma");
    let warnings = |land_base: &[u8]| {
        let mission = Mission {
            land_base: land_base.to_vec(),
            ..Mission::default()
        };
        fs::write(&file, mission.write().unwrap()).unwrap();
        let choice = MissionChoice::At(file.clone());
        let level = ParkanLevel::open(&folder, BASE_NAME, 1.0, &choice, None).unwrap();
        assert_eq!(level.mission.as_ref().unwrap().mission, mission);
        let reported = level
            .findings
            .into_iter()
            .map(|it| (it.severity, it.message));
        reported.collect::<Vec<_>>()
    };
    assert_eq!(warnings(br"DATA\MAPS\MAP01\land"), []);
    let reported = warnings(br"DATA\MAPS\Map02\land");
    let [(Severity::Warning, message)] = &reported[..] else {
        panic!("{reported:#?}")
    };
    assert!(message.ends_with("is played on Map02, not here"));
}

#[test]
fn problems_of_models_say_once_which_model_they_are_of() {
    let root = tempfile::tempdir().unwrap();
    let mut level = open(&TestLevel::new().write(root.path()));
    let mut msh = triangle();
    msh.header.sphere_radius = f32::INFINITY;
    let msh = Arc::new(msh);
    for first_node in [FirstNode::Own, FirstNode::AttachRoot] {
        level.level_objects.models.push(LevelModel {
            name: "bases.rlb/HUT.MSH".to_owned(),
            msh: Arc::clone(&msh),
            rows: WearRows::default(),
            first_node,
        });
    }
    let expected = "bases.rlb/HUT.MSH: the bounds of the whole model are not finite";
    let found = level.check();
    let reported = found.iter().filter(|finding| finding.message == expected);
    assert_eq!(reported.count(), 1, "{found:#?}");
}
