//! Levels and models of all worlds, recognized and opened.

use std::fs;
use std::path::{Path, PathBuf};

use ironlands_assets_evil_islands::test_zone::TestZone;
use ironlands_assets_parkan::test_level::TestLevel;
use ironlands_assets_parkan::test_mission::game;
use ironlands_assets_proof::put_file;
use ironlands_assets_source::bsp::BspFile;
use ironlands_worlds::kind::{Level, OpenError, OpenOptions, Opened};
use ironlands_worlds::lineage2::formats::GeodataFormat;
use ironlands_worlds::lineage2::{Lineage2Error, Lineage2Options};
use ironlands_worlds::parkan::formats::level::ParkanLevel;
use ironlands_worlds::parkan::{ParkanError, ParkanOptions, level_of_mission};
use ironlands_worlds::{evil_islands, lineage2, parkan, registry};

fn open(path: &Path) -> Result<Opened, OpenError> {
    let opened = registry().open(path, &OpenOptions::default());
    opened.map(|(_, opened)| opened)
}

fn refusal(path: &Path) -> String {
    refused(open(path)).to_string()
}

fn refused(opened: Result<Opened, OpenError>) -> OpenError {
    opened.err().expect("it is refused")
}

/// A level of Parkan with its files.
fn parkan_level(path: &Path) -> Level<ParkanLevel> {
    parkan::open_level(path, &ParkanOptions::default()).unwrap()
}

#[test]
fn a_level_opens_by_its_folder_and_by_its_file() {
    let root = tempfile::tempdir().unwrap();
    let folder = TestLevel::new().write(root.path());
    let by_folder = parkan_level(&folder);
    assert_eq!(by_folder.scene.name, "Map01");
    assert_eq!(by_folder.scene.validate(), Ok(()));
    assert!(by_folder.scene.water.is_some());
    let files = &by_folder.files;
    assert_eq!(files.land_msh.cells_x, 3);
    assert_eq!(by_folder.findings, files.findings);

    let by_file = folder.join("Land.msh");
    assert_eq!(parkan_level(&by_file), by_folder);
    for path in [&folder, &by_file] {
        assert_eq!(open(path).unwrap().scene, by_folder.scene);
    }
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
    let level = parkan_level(&folder.join("isle.MSH"));
    assert!(level.files.microtexture_wear.is_some());
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
            "the objects of a zone of Evil Islands; there is no *.mpr of its name beside it",
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
                "an Evil Islands zone (*.mpr), or Lineage II geodata (a region such as 22_16.l2j, or a folder of regions)"
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
    let scene = open(&level).unwrap().scene;
    for folder in [maps, maps.parent().unwrap(), root.path()] {
        assert_eq!(open(folder).unwrap().scene, scene, "{}", folder.display());
    }

    let others = ["SOURCE/a.bsp", "ei/Maps/zone.mpr", "l2/22_16.l2j"];
    let others = others.map(|name| put_file(root.path(), name, ""));
    let [map, zone, region] = &others;
    let mut levels = [&*level, map, zone, region.parent().unwrap()];
    levels.sort();
    let error = refused(open(root.path()));
    let OpenError::SeveralLevels { levels: listed, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(listed, &levels);
    assert!(error.to_string().contains("holds 4 levels"), "{error}");
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
            let error = refused(open(path));
            let OpenError::Format { path, .. } = &error else {
                panic!("{error}")
            };
            assert!(path.ends_with("Land.msh"), "{error}");
        }
    }
}

/// The error of its world that an open error is.
fn of_world<E: std::error::Error + 'static>(error: OpenError) -> E {
    match error {
        OpenError::OfWorld(error) => *error.downcast::<E>().expect("an error of this world"),
        other => panic!("{other}"),
    }
}

#[test]
fn height_scales_are_numbers_above_zero() {
    for value in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let options = ParkanOptions {
            height_scale: Some(value),
            ..ParkanOptions::default()
        };
        let error = parkan::open_level(Path::new("."), &options).unwrap_err();
        let error = of_world::<ParkanError>(error);
        assert!(
            matches!(error, ParkanError::BadHeightScale { .. }),
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
    let error = refused(open(&folder));
    assert!(matches!(error, OpenError::InvalidScene { .. }), "{error}");

    // With all heights beyond the range there is nothing to draw, which is no broken scene.
    let options = ParkanOptions {
        height_scale: Some(2.0),
        ..ParkanOptions::default()
    };
    let level = parkan::open_level(&folder, &options).unwrap();
    assert_eq!(level.scene.meshes[0].clusters, []);
}

#[test]
fn a_source_map_opens_by_its_file() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("empty.bsp");
    let map = BspFile::new(20).write().unwrap();
    fs::write(&path, &map).unwrap();
    let (kind, level) = registry().open(&path, &OpenOptions::default()).unwrap();
    assert_eq!(kind.name(), "Source maps");
    assert_eq!(level.scene.name, "empty");
    assert_eq!(level.scene.validate(), Ok(()));

    fs::write(&path, &map[..100]).unwrap();
    let error = refused(open(&path));
    assert!(matches!(error, OpenError::Format { .. }), "{error}");
}

#[test]
fn a_zone_opens_by_its_land_and_by_its_map() {
    let root = tempfile::tempdir().unwrap();
    let land = TestZone::new().write(root.path());
    // Its map has another case on disk, and is found all the same.
    let map = land.with_extension("MOB");
    for path in [&land, &map] {
        let level = evil_islands::open_zone(path, &[]).unwrap();
        assert_eq!(level.scene.name, "Zone9");
        assert_eq!(level.scene.validate(), Ok(()));
        assert_eq!(level.findings, []);
        assert_eq!(level.files.check(), []);
        assert_eq!(level.files.path, land);
        assert_eq!(open(path).unwrap().scene, level.scene);
    }
    fs::write(&land, b"\x3C\xE2\x9C\x01").unwrap();
    let error = refused(open(&land));
    assert!(matches!(error, OpenError::Format { .. }), "{error}");
}

#[test]
fn geodata_opens_by_a_region_and_by_a_folder() {
    let root = tempfile::tempdir().unwrap();
    let geodata = root.path().join("geodata");
    fs::create_dir(&geodata).unwrap();
    for name in ["22_16.l2j", "23_16_conv.dat", "readme.txt"] {
        fs::write(geodata.join(name), "").unwrap();
    }
    let n_regions = |path: &Path, options: &Lineage2Options| {
        let level = lineage2::open_level(path, options).unwrap();
        assert_eq!(level.scene.validate(), Ok(()));
        let land = level.scene.tiles.as_ref().unwrap().land.len();
        assert_eq!(level.files.files.len(), land);
        land
    };
    let options = Lineage2Options::default();
    let (_, found) = registry().recognize(&geodata).unwrap().unwrap();
    assert_eq!(
        found.description,
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
    let chosen = Lineage2Options {
        from: Some(GeodataFormat::ConvDat),
        ..Lineage2Options::default()
    };
    assert_eq!(n_regions(&geodata, &chosen), 2);
    let without = Lineage2Options {
        from: Some(GeodataFormat::L2d),
        ..Lineage2Options::default()
    };
    let error = lineage2::open_level(&geodata, &without).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("no region in a file *.l2d"), "{error}");
}

#[test]
fn water_levels_are_numbers() {
    for value in [f32::NAN, f32::INFINITY] {
        let options = Lineage2Options {
            water_level: Some(value),
            ..Lineage2Options::default()
        };
        let error = lineage2::open_level(Path::new("."), &options).unwrap_err();
        let error = of_world::<Lineage2Error>(error);
        assert!(
            matches!(error, Lineage2Error::BadWaterLevel { .. }),
            "{error}"
        );
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
fn models_that_are_not_there_are_distinguished() {
    let root = tempfile::tempdir().unwrap();
    game(root.path());
    let refusal = |name: &str| {
        let path = root.path().join(name);
        let opened = registry().open_model(&path, &OpenOptions::default());
        refused(opened.map(|(_, opened)| opened))
    };
    assert!(matches!(refusal("base.rlb"), OpenError::NotFound { .. }));
    let error = refusal("bases.rlb").to_string();
    let is_reported = error.contains("is an archive") && error.contains("HULL.MSH, ");
    assert!(is_reported, "{error}");
    let error = refusal("base.rlb").to_string();
    assert!(error.contains("bases.rlb"), "{error}");
    let error = refusal("bases.rlb/NONE.MSH").to_string();
    assert!(error.contains("no entry \"NONE.MSH\""), "{error}");
    assert!(matches!(
        refusal("bases.rlb/HULL.WEA"),
        OpenError::NotExpected { .. }
    ));
}

#[test]
fn levels_of_every_world_are_found_in_the_order_of_their_paths() {
    let root = tempfile::tempdir().unwrap();
    let mut expected: Vec<PathBuf> = Vec::new();
    for (file, level) in [
        ("a/MAPS/One/LAND.MSH", Some("a/MAPS/One")),
        ("a/MAPS/One/Deeper/Land.msh", None),
        ("b/hl2/maps/d1.BSP", Some("b/hl2/maps/d1.BSP")),
        ("b/hl2/maps/d1.txt", None),
        ("c/Maps/zone.mpr", Some("c/Maps/zone.mpr")),
        ("c/Maps/zone.mob", None),
        ("d/22_16.l2j", Some("d")),
        (".hidden/x.bsp", None),
        ("1/2/3/4/here.bsp", Some("1/2/3/4/here.bsp")),
        ("1/2/3/4/5/too_deep.bsp", None),
    ] {
        put_file(root.path(), file, "");
        expected.extend(level.map(|level| root.path().join(level)));
    }
    expected.sort();
    assert_eq!(registry().levels_below(root.path()), expected);
}
