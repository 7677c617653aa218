use std::fs;

use super::*;
use crate::evil_islands::test_zone::TestZone;
use crate::parkan::test_level::TestLevel;
use crate::parkan::test_mission::game;
use crate::source::bsp::BspFile;

fn refusal(path: &Path) -> String {
    open(path, &OpenOptions::default()).unwrap_err().to_string()
}

#[test]
fn a_level_opens_by_its_folder_and_by_its_file() {
    let root = tempfile::tempdir().unwrap();
    let folder = TestLevel::new().write(root.path());
    let by_folder = open(&folder, &OpenOptions::default()).unwrap();
    assert_eq!(by_folder.scene.name, "Map01");
    assert_eq!(by_folder.scene.validate(), Ok(()));
    assert!(by_folder.scene.water.is_some());
    let files = parkan_files(&by_folder);
    assert_eq!(files.land_msh.cells_x, 3);
    assert_eq!(by_folder.findings, files.findings);

    let by_file = open(&folder.join("Land.msh"), &OpenOptions::default()).unwrap();
    assert_eq!(by_file, by_folder);
}

#[test]
fn terrain_under_another_name_brings_its_own_neighbors() {
    let root = tempfile::tempdir().unwrap();
    let folder = TestLevel::new().write(root.path());
    for (from, to) in [
        ("Land.msh", "isle.MSH"),
        ("Land2.wea", "isle2.wea"),
        ("Land1.wea", "isle1.wea"),
    ] {
        fs::rename(folder.join(from), folder.join(to)).unwrap();
    }
    let level = open(&folder.join("isle.MSH"), &OpenOptions::default()).unwrap();
    let files = parkan_files(&level);
    assert!(files.base_wear.is_some());
    assert!(refusal(&folder).contains("a folder without levels"));
}

#[test]
fn what_is_no_level_is_named() {
    let root = tempfile::tempdir().unwrap();
    TestLevel::new().write(root.path());
    let put = |name: &str, bytes: &[u8]| {
        fs::write(root.path().join(name), bytes).unwrap();
        root.path().join(name)
    };
    let rows = [
        (
            put("zone2.MOB", b"\x00\xA0\x00\x00"),
            "what stands in a zone of Evil Islands; there is no *.mpr of its name beside it",
        ),
        (put("notes.txt", b"hello"), "a file of unknown kind"),
        (put("empty", b""), "a file of unknown kind"),
        (
            root.path().join("Material.lib"),
            "an NRes archive of 4 entries without terrain",
        ),
        (put("broken.lib", b"NRes\0\0\0\0"), "a broken NRes archive"),
    ];
    for (path, found) in rows {
        let refusal = refusal(&path);
        let said = format!("{} is {found}", path.display());
        assert!(refusal.starts_with(&said), "{refusal}");
        assert!(
            refusal.ends_with(
                "or a zone of Evil Islands (*.mpr), or a region of Lineage II geodata, as 22_16.l2j, or a folder of them"
            ),
            "{refusal}"
        );
    }
}

#[test]
fn a_folder_above_one_level_opens_it_and_of_several_it_lists_all() {
    let root = tempfile::tempdir().unwrap();
    let level = TestLevel::new().write(root.path());
    let maps = level.parent().unwrap();
    let options = OpenOptions::default();
    let opened = open(&level, &options).unwrap();
    for folder in [maps, maps.parent().unwrap(), root.path()] {
        assert_eq!(
            open(folder, &options).unwrap(),
            opened,
            "{}",
            folder.display()
        );
    }

    let others = ["SOURCE/a.bsp", "ei/Maps/zone.mpr", "l2/22_16.l2j"];
    let others = others.map(|name| root.path().join(name));
    for file in &others {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "").unwrap();
    }
    let [map, zone, region] = &others;
    let mut levels = [&*level, map, zone, region.parent().unwrap()];
    levels.sort();
    let error = open(root.path(), &options).unwrap_err();
    let LevelError::SeveralLevels { levels: listed, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(listed, &levels);
    assert!(error.to_string().contains("holds 4 levels"), "{error}");
    // Geodata is opened without being read.
    let geodata = region.parent().unwrap();
    assert!(open(geodata, &options).is_ok());
}

#[test]
fn what_does_not_exist_has_neighbors() {
    let root = tempfile::tempdir().unwrap();
    let level = TestLevel::new().write(root.path());
    let typo = level.with_file_name("map1");
    let expected = format!(
        "{} does not exist; near it: {}",
        typo.display(),
        level.display()
    );
    assert_eq!(refusal(&typo), expected);
    let far = level.with_file_name("Autodemo");
    assert_eq!(refusal(&far), format!("{} does not exist", far.display()));
    let through_a_file = level.join("Land.msh/x");
    assert!(refusal(&through_a_file).contains("does not exist"));
}

#[test]
fn a_broken_ground_is_an_error_with_its_file() {
    let root = tempfile::tempdir().unwrap();
    let folder = TestLevel::new().write(root.path());
    let file = folder.join("Land.msh");
    for broken in [&b"NRes"[..], b"", b"no archive at all"] {
        fs::write(&file, broken).unwrap();
        for path in [&folder, &file] {
            let error = open(path, &OpenOptions::default()).unwrap_err();
            let LevelError::Format { path, .. } = &error else {
                panic!("{error}")
            };
            assert!(path.ends_with("Land.msh"), "{error}");
        }
    }
}

#[test]
fn height_scales_are_numbers_above_zero() {
    for value in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let options = OpenOptions {
            height_scale: value,
            ..OpenOptions::default()
        };
        let error = open(Path::new("."), &options).unwrap_err();
        assert!(
            matches!(error, LevelError::BadHeightScale { .. }),
            "{error}"
        );
    }
}

#[test]
fn numbers_that_no_scene_can_hold_are_refused() {
    let root = tempfile::tempdir().unwrap();
    let mut test_level = TestLevel::new();
    // Finite heights whose difference is not: no skirt is that deep.
    for (position, sign) in test_level
        .land
        .positions
        .iter_mut()
        .zip([1.0, -1.0].into_iter().cycle())
    {
        position[2] = f32::MAX * sign;
    }
    let folder = test_level.write(root.path());
    let error = open(&folder, &OpenOptions::default()).unwrap_err();
    assert!(matches!(error, LevelError::InvalidScene { .. }), "{error}");

    // With all heights beyond the range there is nothing to draw, which is no broken scene.
    let options = OpenOptions {
        height_scale: 2.0,
        ..OpenOptions::default()
    };
    let level = open(&folder, &options).unwrap();
    assert_eq!(level.scene.meshes[0].clusters, []);
}

fn parkan_files(level: &Level) -> &ParkanLevel {
    match &level.files {
        LevelFiles::Parkan(files) => files,
        _ => panic!("no Parkan level"),
    }
}

#[test]
fn a_source_map_opens_by_its_file() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("empty.bsp");
    let map = BspFile::new(20).write().unwrap();
    fs::write(&path, &map).unwrap();
    let level = open(&path, &OpenOptions::default()).unwrap();
    assert_eq!(level.scene.name, "empty");
    assert_eq!(level.scene.validate(), Ok(()));
    assert!(matches!(level.files, LevelFiles::Source(_)));

    fs::write(&path, &map[..100]).unwrap();
    let error = open(&path, &OpenOptions::default()).unwrap_err();
    assert!(matches!(error, LevelError::Format { .. }), "{error}");
}

#[test]
fn a_zone_opens_by_its_land_and_by_its_map() {
    let root = tempfile::tempdir().unwrap();
    let land = TestZone::new().write(root.path());
    // Its map has another case on disk, and is found all the same.
    let map = land.with_extension("MOB");
    for path in [&land, &map] {
        let level = open(path, &OpenOptions::default()).unwrap();
        assert_eq!(level.scene.name, "Zone9");
        assert_eq!(level.scene.validate(), Ok(()));
        assert_eq!(level.findings, []);
        assert_eq!(level.files.check(), []);
        let LevelFiles::EvilIslands(zone) = &level.files else {
            panic!("a zone");
        };
        assert_eq!(zone.path, land);
    }
    fs::write(&land, b"\x3C\xE2\x9C\x01").unwrap();
    let error = open(&land, &OpenOptions::default()).unwrap_err();
    assert!(matches!(error, LevelError::Format { .. }), "{error}");
}

#[test]
fn geodata_opens_by_a_region_and_by_a_folder() {
    let root = tempfile::tempdir().unwrap();
    let geodata = root.path().join("geodata");
    fs::create_dir(&geodata).unwrap();
    for name in ["22_16.l2j", "23_16_conv.dat", "readme.txt"] {
        fs::write(geodata.join(name), "").unwrap();
    }
    let n_regions = |path: &Path, options: &OpenOptions| {
        let level = open(path, options).unwrap();
        assert_eq!(level.scene.validate(), Ok(()));
        let LevelFiles::Geodata(files) = &level.files else {
            panic!("geodata");
        };
        let land = level.scene.tiles.as_ref().unwrap().land.len();
        assert_eq!(files.files.len(), land);
        assert_eq!(level.files.check(), []);
        land
    };
    let options = OpenOptions::default();
    assert_eq!(
        sniff(&geodata).unwrap().to_string(),
        "a folder of 2 Lineage II geodata regions"
    );
    assert_eq!(n_regions(&geodata, &options), 2);
    assert_eq!(n_regions(&geodata.join("22_16.l2j"), &options), 1);

    // Two files of one region: a format must be chosen.
    fs::write(geodata.join("22_16_conv.dat"), "").unwrap();
    let refused = refusal(&geodata);
    for words in ["region 22_16 is in both", "22_16.l2j", "22_16_conv.dat"] {
        assert!(refused.contains(words), "{refused}");
    }
    let chosen = OpenOptions {
        geodata_format: Some(GeodataFormat::ConvDat),
        ..OpenOptions::default()
    };
    assert_eq!(n_regions(&geodata, &chosen), 2);
    let without = OpenOptions {
        geodata_format: Some(GeodataFormat::L2d),
        ..OpenOptions::default()
    };
    let error = open(&geodata, &without).unwrap_err().to_string();
    assert!(error.contains("geodata without any *.l2d"), "{error}");
}

#[test]
fn water_levels_are_numbers() {
    for value in [f32::NAN, f32::INFINITY] {
        let options = OpenOptions {
            water_level: Some(value),
            ..OpenOptions::default()
        };
        let error = open(Path::new("."), &options).unwrap_err();
        assert!(matches!(error, LevelError::BadWaterLevel { .. }), "{error}");
    }
}

#[test]
fn a_mission_leads_to_its_level() {
    let root = tempfile::tempdir().unwrap();
    let (folder, file) = game(root.path());
    let land = folder.canonicalize().unwrap().join("Land.msh");
    assert_eq!(level_of_mission(&file).unwrap(), land);
    let of_mission = file.parent().unwrap();
    assert_eq!(level_of_mission(of_mission).unwrap(), land);
    fs::remove_file(&land).unwrap();
    let error = level_of_mission(&file).unwrap_err();
    assert!(
        error.to_string().contains("DATA\\MAPS\\Map01\\land"),
        "{error}"
    );
}

#[test]
fn models_that_are_not_there_are_told_apart() {
    let root = tempfile::tempdir().unwrap();
    game(root.path());
    let refusal = |name: &str| {
        let path = root.path().join(name);
        open_model(&path, &OpenOptions::default()).unwrap_err()
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
