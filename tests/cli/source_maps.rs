//! A Source map as a user meets it: viewed, described, extracted and packed again.

mod first_views;

use super::*;

const DEMO_MAP: &str = "DATA/SOURCE/demo.bsp";

#[test]
fn a_map_becomes_a_picture_that_its_light_and_its_places_change() {
    let folder = tempfile::tempdir().unwrap();
    let shown = |name: &str, args: &[&str]| {
        let level = ["--level", DEMO_MAP];
        picture(folder.path(), name, &[&level, args].concat())
    };
    let start = shown("start.png", &[]);
    let dark = shown("unlit.png", &["--no-lightmap"]);
    let elsewhere = shown("yard.png", &["--camera=120,-300,64,40,-4"]);
    assert_ne!(start, dark, "lightmaps can be disabled");
    assert_ne!(start, elsewhere);
    assert_eq!(
        start,
        shown("again.png", &["--no-visibility"]),
        "what is hidden is hidden"
    );
}

#[test]
fn a_walker_stands_on_the_floor_of_a_map() {
    let folder = tempfile::tempdir().unwrap();
    let shown = |name: &str, mode: &str| {
        let args = ["--level", DEMO_MAP, "--mode", mode, "--camera=0,0,90,0,0"];
        picture(folder.path(), name, &args)
    };
    assert_ne!(shown("fly.png", "fly"), shown("walk.png", "walk"));
}

#[test]
fn a_map_is_described_and_valid() {
    let (code, stdout, stderr) = run(&["info", DEMO_MAP]);
    assert_eq!(code, 0, "{stderr}");
    for reported in ["version", "19", "entities", "materials/"] {
        assert!(stdout.contains(reported), "{reported}: {stdout}");
    }
    let (code, stdout, _) = run(&["check", DEMO_MAP]);
    assert_eq!(code, 0, "{stdout}");
}

#[test]
fn a_damaged_map_is_refused_with_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut.bsp");
    let whole = fs::read(DEMO_MAP).unwrap();
    fs::write(&path, &whole[..2000]).unwrap();
    let (code, _, stderr) = run(&["--level", path.to_str().unwrap(), "--render", "never.png"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("cut.bsp: bsp: byte 0x"), "{stderr}");
    let (code, stdout, _) = run(&["check", path.to_str().unwrap()]);
    assert_eq!(code, 1);
    assert!(stdout.contains("error: bsp: byte 0x"), "{stdout}");
}

#[test]
fn a_map_of_another_engine_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("q3dm1.bsp");
    fs::write(&path, b"IBSP\x2E\0\0\0 and more").unwrap();
    let path = path.to_str().unwrap();
    let (code, _, stderr) = run(&["--level", path, "--render", "never.png"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("Quake 2 and 3"), "{stderr}");
    let (code, stdout, _) = run(&["check", path]);
    assert_eq!(code, 1);
    assert!(stdout.contains("Quake 2 and 3"), "{stdout}");
}

#[test]
fn the_files_of_a_map_go_out_and_in_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (files, again) = (path("files"), path("again.bsp"));
    let (code, _, stderr) = run(&["extract", DEMO_MAP, "--to", &files]);
    assert_eq!(code, 0, "{stderr}");
    let n_files = n_files_below(Path::new(&files));
    assert!(n_files > 10, "{n_files}");
    let (code, stdout, stderr) = run(&["pack", &files, "--map", DEMO_MAP, "--to", &again]);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stdout.contains(&format!("{n_files} files in its pakfile")),
        "{stdout}"
    );
    let (code, stdout, _) = run(&["check", &again]);
    assert_eq!(code, 0, "{stdout}");

    assert_eq!(
        fs::read(&again).unwrap(),
        fs::read(DEMO_MAP).unwrap(),
        "what does not differ stays as it is"
    );

    // A file more; the others are kept by default.
    fs::create_dir(path("more")).unwrap();
    fs::write(path("more/note.txt"), "a note").unwrap();
    let more = ["pack", &path("more"), "--map", &again, "--to", &again];
    let (code, _, stderr) = run(&more);
    assert_eq!(code, 2, "the map is there");
    assert!(stderr.contains("is there already and is kept"), "{stderr}");
    let (code, stdout, stderr) = run(&[&more[..], &["--force"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let reported = format!("{} files in its pakfile, 1 of them from", n_files + 1);
    assert!(stdout.contains(&reported), "{stdout}");
    let (code, _, stderr) = run(&["extract", &again, "note.txt", "--to", &path("out")]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(fs::read_to_string(path("out/note.txt")).unwrap(), "a note");

    // Removed files are listed.
    let (code, stdout, stderr) = run(&[&more[..], &["--force", "--replace-all"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let n_removed = stdout
        .lines()
        .filter(|it| it.starts_with("removed "))
        .count();
    assert_eq!(n_removed, n_files, "{stdout}");
    assert!(stdout.contains("removed materials/"), "{stdout}");
    let sum = "1 files in its pakfile, 1 of them from";
    let last = stdout.lines().last().unwrap_or_default();
    assert!(last.contains(sum) && last.ends_with(&format!("; {n_files} other files removed")));
}

#[test]
fn a_map_is_exported_for_its_editor_and_as_gltf() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (vmf, glb) = (path("demo.vmf"), path("demo.glb"));
    let (code, _, stderr) = run(&["export", DEMO_MAP, "--to", &vmf]);
    assert_eq!(code, 0, "{stderr}");
    let text = fs::read_to_string(&vmf).unwrap();
    for reported in [
        "versioninfo",
        "\"classname\" \"light_environment\"",
        "dispinfo",
        "prop_static",
    ] {
        assert!(text.contains(reported), "{reported}");
    }
    let (code, stdout, _) = run(&["check", &vmf]);
    assert_eq!(code, 0, "{stdout}");
    let (code, _, stderr) = run(&["export", DEMO_MAP, "--to", &glb]);
    assert_eq!(code, 0, "{stderr}");
    let bytes = fs::read(&glb).unwrap();
    let has_light = bytes.windows(12).any(|window| window == b"MOZ_lightmap");
    assert!(has_light, "the lightmap is exported");
}

#[test]
fn models_are_checked_described_shown_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let out = path("out");
    assert_eq!(run(&["extract", DEMO_MAP, "--to", &out]).0, 0);
    let vase = path("out/models/ironlands/vase.mdl");
    assert!(Path::new(&vase).is_file(), "the demo's model is there");
    let (code, stdout, _) = run(&["check", "--strict", &path("out/models")]);
    assert_eq!(code, 0, "{stdout}");
    let (code, stdout, _) = run(&["info", &vase]);
    assert_eq!(code, 0, "{stdout}");
    assert!(
        stdout.contains(": mdl\n") && stdout.contains("vertices"),
        "{stdout}"
    );
    let picture = path("vase.png");
    let args = ["--model", &vase, "--render", &picture, "--size", "64x48"];
    let (code, _, stderr) = run(&args);
    assert_eq!(code, 0, "{stderr}");
    let (code, _, stderr) = run(&["export", &vase, "--to", &path("vase.glb")]);
    assert_eq!(code, 0, "{stderr}");
    assert!(Path::new(&path("vase.glb")).is_file());
    let (code, _, stderr) = run(&["--level", &vase, "--render", "never.png"]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("is a Source engine model"), "{stderr}");
    let vertices = path("out/models/ironlands/vase.vvd");
    let whole = fs::read(&vertices).unwrap();
    fs::write(&vertices, &whole[..whole.len() / 2]).unwrap();
    let (code, stdout, _) = run(&["check", &vase]);
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains("vase.vvd: vvd: byte 0x"), "{stdout}");
    fs::remove_file(&vertices).unwrap();
    let (code, stdout, _) = run(&["check", &vase]);
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains("vase.vvd is missing"), "{stdout}");
}
