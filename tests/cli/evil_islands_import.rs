//! What `import` makes of other programs' files is what readers take, and what it takes over from a base.

use ironlands::worlds::evil_islands::formats::figure::Figure;

use super::evil_islands::{Folder, ZONE};
use super::*;

const HUMAN: &str = "DATA/EVIL_ISLANDS/Res/figures.res/unhuma.mod";

#[test]
fn numbers_and_files_that_no_reader_takes_are_not_written() {
    let folder = Folder::new();
    let (code, _, stderr) = run(&[
        "export",
        "DATA/EVIL_ISLANDS/Cameras/flight.cam",
        "--to",
        &folder.path("flight.json"),
    ]);
    assert_eq!(code, 0, "{stderr}");
    let json = String::from_utf8(folder.read("flight.json")).unwrap();
    let mut path: serde_json::Value = serde_json::from_str(&json).unwrap();
    path["records"][0]["position"][0] = serde_json::json!(1e39);
    folder.write("far.json", path.to_string());
    folder.write(
        "empty.json",
        r#"{"format": "Evil Islands MOB", "nodes": []}"#,
    );
    for (from, to, words) in [
        ("far.json", "far.cam", "fits 32 bits"),
        ("empty.json", "empty.mob", "at least one node"),
    ] {
        let (from, to) = (folder.path(from), folder.path(to));
        let (code, stdout, stderr) = run(&["import", &from, "--to", &to]);
        assert_eq!((code, &*stdout), (2, ""), "{from}");
        assert!(stderr.contains(words), "{stderr}");
        assert!(!Path::new(&to).exists(), "{to}");
    }
}

#[test]
fn a_figure_keeps_the_tracks_and_the_table_of_its_base() {
    let folder = Folder::new();
    let glb = folder.path("unhuma.glb");
    let (code, _, stderr) = run(&["export", HUMAN, "--to", &glb]);
    assert_eq!(code, 0, "{stderr}");
    folder.convert("import", "unhuma.glb", "unhuma.mod", &["--base", HUMAN]);
    let base = Figure::open(Path::new(HUMAN)).unwrap();
    let again = Figure::open(Path::new(&folder.path("unhuma.mod"))).unwrap();
    assert!(base.adb.is_some() && !base.animations.is_empty());
    assert_eq!(again.adb, base.adb);
    assert_eq!(again.animations, base.animations);

    let (code, _, stderr) = run(&[
        "import",
        &glb,
        "--to",
        &folder.path("b.mod"),
        "--base",
        "DATA/EVIL_ISLANDS/Res/figures.res/none.mod",
    ]);
    assert_eq!(code, 2);
    assert!(stderr.contains("as the base"), "{stderr}");
}

#[test]
fn the_region_of_the_light_can_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let shoot = |name: &str, args: &[&str]| {
        let view = [
            "--level",
            ZONE,
            "--camera",
            "86,4,15,110,-4",
            "--hour",
            "12",
        ];
        picture(folder.path(), name, &[&view, args].concat())
    };
    let own = shoot("own.png", &[]);
    assert_eq!(shoot("gipat.png", &["--region", "Gipat"]), own);
    let ingos = shoot("ingos.png", &["--region", "ingos"]);
    assert_ne!(ingos.get_pixel(2, 1), own.get_pixel(2, 1), "another sky");
    let wrong = ["--level", ZONE, "--region", "atlantis"];
    let (code, _, stderr) = run(&quick(&wrong));
    assert_eq!(code, 2);
    assert!(stderr.contains("gipat, ingos"), "{stderr}");
    let elsewhere = ["--level", "DATA/SOURCE/demo.bsp", "--region", "gipat"];
    let (code, _, stderr) = run(&quick(&elsewhere));
    assert_eq!(code, 2);
    assert!(stderr.contains("it has none"), "{stderr}");
}
