//! The real program, run as a user runs it, on the demo level: output, exit codes, and what it leaves behind.

mod archives;
mod camera_paths;
mod comparison;
mod evil_islands;
mod evil_islands_import;
mod geodata;
mod geodata_level;
mod language;
mod parkan_files;
mod res_archives;
mod source_maps;
mod usage;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use assert_cmd::Command;

const MAP01: &str = "DATA/MAPS/Map01";
const MISSION: &str = "DATA/MISSIONS/single.01";
const WALKER: &str = "DATA/bases.rlb/WALKER.MSH";

/// The program in the repository's folder, without a display.
fn ironlands(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("ironlands").unwrap();
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .env_remove("RUST_LOG")
        // In English, whatever the tester's language.
        .env_remove("LANGUAGE")
        .env("LC_ALL", "C")
        .env("IRONLANDS_SETTINGS", "")
        .args(args);
    command
}

/// Runs the program; its exit code, stdout and stderr.
fn run(args: &[&str]) -> (i32, String, String) {
    outcome_of(&ironlands(args).output().unwrap())
}

fn outcome_of(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let code = output.status.code().expect("it ended by itself");
    (code, text(&output.stdout), text(&output.stderr))
}

/// Small, plain pictures: what they show is the golden pictures' matter.
const QUICK: [&str; 4] = ["--size", "64x36", "--msaa", "1"];

fn quick<'a>(args: &[&'a str]) -> Vec<&'a str> {
    args.iter().chain(&QUICK).copied().collect()
}

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn n_files_below(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap();
    let n_files = entries.map(|entry| match entry.unwrap().path() {
        path if path.is_dir() => n_files_below(&path),
        _ => 1,
    });
    n_files.sum()
}

/// A copy of the demo's first level and its libraries that a test may break.
fn copy_of_data() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("DATA");
    let level = folder.path().join("DATA/MAPS/Map01");
    fs::create_dir_all(&level).unwrap();
    for (from, to) in [
        (data.clone(), folder.path().join("DATA")),
        (data.join("MAPS/Map01"), level.clone()),
    ] {
        for entry in fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    (folder, level)
}

#[test]
fn help_teaches_options_examples_and_exit_codes() {
    let (code, stdout, stderr) = run(&["--help"]);
    assert_eq!((code, &*stderr), (0, ""));
    for word in [
        "--level <PATH>",
        "--model <FILE>",
        "--mission <PATH>",
        "--render <FILE.png>",
        "Examples:",
        "Exit codes:",
        "RUST_LOG",
        "ironlands check DATA",
    ] {
        assert!(stdout.contains(word), "{word} is not in\n{stdout}");
    }
    for command in ["check", "info", "demo"] {
        let (code, stdout, _) = run(&[command, "--help"]);
        assert_eq!(code, 0, "{command}");
        assert!(
            stdout.contains("Examples:"),
            "{command} --help has no example"
        );
    }
}

#[test]
fn a_command_line_without_sense_exits_2_and_leaves_stdout_empty() {
    for args in [
        &[][..],
        &["--size", "4x4"],
        &["--level", MAP01, "check", "DATA"],
        &["--level", MAP01, "--render", "a.png", "--frames", "3"],
        &["--level", MAP01, "--camera", "1,2,3"],
        &["--level", MAP01, "--time", "nan"],
        &["--model", WALKER, "--no-models"],
        &["--level", MAP01, "--force"],
        &["--level", MAP01, "--model", WALKER],
        &["--level", MAP01, "--bare", "--mission", "DATA"],
        &["--level", MAP01, "--play", "backward"],
        &["--level", MAP01, "--rate", "0"],
        &["--level", MAP01, "--frame", "1"],
        &["--model", WALKER, "--play", "all"],
        &["--model", WALKER, "--hour", "12"],
        &["--level", MAP01, "--hour", "25"],
        &["--level", MAP01, "--hour", "noon"],
        &["--level", MAP01, "--day-speed", "0"],
        &["--level", MAP01, "--loop"],
        &["--level", MAP01, "--record", "pictures"],
        &["--level", MAP01, "--fps", "10"],
        &["--model", WALKER, "--mission", "DATA"],
        &["--level", MAP01, "--render", "picture.jpg"],
        &["check"],
    ] {
        let (code, stdout, stderr) = run(args);
        assert_eq!((code, &*stdout), (2, ""), "{args:?}");
        assert!(!stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn numbers_below_0_are_reported_what_they_are_for() {
    for (args, words) in [
        (&["--level", MAP01, "--time", "-5"][..], "seconds from 0 on"),
        (&["--level", MAP01, "--rate", "-1"], "frames per second"),
        (&["--level", MAP01, "--fov", "-9"], "10 to 150 degrees"),
        (&["--level", MAP01, "--height-scale", "-1"], "height scale"),
    ] {
        let (code, _, stderr) = run(&[args, &["--offscreen"]].concat());
        assert_eq!(code, 2, "{args:?}");
        assert!(stderr.contains(words), "{args:?}: {stderr}");
    }
}

#[test]
fn a_missing_level_is_reported_with_the_names_near_it() {
    let (code, stdout, stderr) = run(&["--level", "DATA/MAPS/Mop01"]);
    assert_eq!((code, &*stdout), (2, ""));
    assert!(
        stderr.contains("DATA/MAPS/Mop01 does not exist"),
        "{stderr}"
    );
    assert!(stderr.contains(MAP01), "{stderr}");
    assert_eq!(
        stderr.lines().count(),
        1,
        "the chain is printed once\n{stderr}"
    );
}

#[test]
fn what_is_no_level_is_reported_with_what_it_is() {
    for (path, what) in [("Cargo.toml", "unknown"), ("DATA", MAP01)] {
        let (code, _, stderr) = run(&["--level", path]);
        assert_eq!(code, 2, "{path}");
        assert!(stderr.contains(what), "{path}: {stderr}");
    }
}

#[test]
fn the_option_that_a_path_is_for_is_reported() {
    let file = format!("{MISSION}/data.tma");
    for (args, words) in [
        (
            &["--level", WALKER][..],
            "is a Parkan model; type `ironlands --model",
        ),
        (
            &["--level", MISSION],
            "is a mission; type `ironlands --mission",
        ),
        (
            &["--level", &file],
            "is a mission; type `ironlands --mission",
        ),
        (&["--mission", "DATA/MISSIONS"], MISSION),
        (&["--mission", "DATA"], MISSION),
        (&["--level", MAP01, "--mission", "DATA/MISSIONS"], MISSION),
    ] {
        let (code, stdout, stderr) = run(&[args, &["--offscreen"]].concat());
        assert_eq!((code, &*stdout), (2, ""), "{args:?}");
        assert!(stderr.contains(words), "{args:?}: {stderr}");
    }
}

#[test]
fn the_demo_is_sound() {
    let (code, stdout, stderr) = run(&["check", "DATA"]);
    assert_eq!((code, &*stderr), (0, ""), "{stdout}");
    // Two maps and two regions of geodata.
    assert!(
        stdout.contains("levels 4: errors 0, warnings 0"),
        "{stdout}"
    );
}

#[test]
fn a_damaged_file_is_found_and_located() {
    let (_folder, level) = copy_of_data();
    let path = level.join("Land.map");
    let mut bytes = fs::read(&path).unwrap();
    bytes[0] = b'X';
    fs::write(&path, &bytes).unwrap();
    let (code, stdout, _) = run(&["check", level.to_str().unwrap()]);
    assert_eq!(code, 1, "{stdout}");
    let finding = stdout
        .lines()
        .find(|line| line.contains("Land.map: error: "))
        .unwrap_or_else(|| panic!("no finding in\n{stdout}"));
    assert!(finding.contains("byte 0x0"), "{finding}");
    assert!(!stdout.contains("errors 0,"), "{stdout}");
}

#[test]
fn a_path_that_cannot_be_checked_is_no_result() {
    for path in ["not/there", "README.md"] {
        let (code, stdout, stderr) = run(&["check", path]);
        assert_eq!((code, &*stdout), (2, ""), "{path}");
        assert!(stderr.contains(path), "{stderr}");
    }
}

#[test]
fn a_path_that_cannot_be_checked_keeps_no_other_from_being_checked() {
    let paths = ["README.md", "not/there", "DATA/MAPS/Map01/Land.msh"];
    let (code, stdout, stderr) = run(&[&["check"], &paths[..]].concat());
    assert_eq!(code, 2);
    assert!(stdout.contains("files 1, levels 0: errors 0"), "{stdout}");
    let reported: Vec<_> = stderr.lines().collect();
    assert_eq!(reported.len(), 3, "{stderr}");
    assert!(
        reported[0].contains(paths[0]) && reported[1].contains(paths[1]),
        "{stderr}"
    );
    assert!(reported[2].contains("2 of 3 paths"), "{stderr}");
}

#[test]
fn info_describes_facts_and_entries() {
    let (code, stdout, stderr) = run(&["info", "DATA/MAPS/Map01/Land.msh"]);
    assert_eq!((code, &*stderr), (0, ""));
    assert!(stdout.contains("16 x 16"), "{stdout}");
    let (code, stdout, _) = run(&["info", "DATA/Material.lib"]);
    assert_eq!(code, 0);
    let grass = stdout
        .lines()
        .find(|line| line.trim_start().starts_with("GRASS"));
    assert!(grass.is_some_and(|line| line.contains("MAT0")), "{stdout}");
}

#[test]
fn a_picture_has_the_size_that_was_requested_and_replaces_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    let name = path.to_str().unwrap();
    let (code, stdout, stderr) = run(&quick(&["--level", MAP01, "--render", name]));
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(stdout, format!("{name} 64x36\n"));
    let picture = image::open(&path).unwrap().to_rgb8();
    assert_eq!(picture.dimensions(), (64, 36));
    let n_colors = picture
        .pixels()
        .collect::<std::collections::HashSet<_>>()
        .len();
    assert!(n_colors > 100, "a level has more than {n_colors} colors");

    fs::write(&path, b"mine").unwrap();
    let (code, _, stderr) = run(&quick(&["--level", MAP01, "--render", name]));
    assert_eq!(code, 2);
    assert!(stderr.contains("--force"), "{stderr}");
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    let (code, ..) = run(&quick(&["--level", MAP01, "--render", name, "--force"]));
    assert_eq!(code, 0);
    assert_eq!(
        image::open(&path).unwrap().to_rgb8(),
        picture,
        "the same again"
    );
    assert_eq!(
        names_in(folder.path()),
        ["picture.png"],
        "nothing else is left behind"
    );
}

#[test]
fn walking_stands_on_the_ground() {
    let folder = tempfile::tempdir().unwrap();
    let [high, low] = ["high.png", "low.png"].map(|name| folder.path().join(name));
    let camera = ["--level", MAP01, "--camera", "600,600,900,90,0"];
    for (path, mode) in [(&high, "fly"), (&low, "walk")] {
        let render = ["--mode", mode, "--render", path.to_str().unwrap()];
        let (code, _, stderr) = run(&quick(&[camera, render].concat()));
        assert_eq!(code, 0, "{stderr}");
    }
    let open = |path| image::open(path).unwrap().to_rgb8();
    assert_ne!(open(&high), open(&low));
}

/// The picture that the program draws.
fn picture(folder: &Path, name: &str, args: &[&str]) -> image::RgbImage {
    let path = folder.join(name);
    let render = ["--render", path.to_str().unwrap(), "--force"];
    let (code, _, stderr) = run(&quick(&[args, &render].concat()));
    assert_eq!(code, 0, "{args:?}: {stderr}");
    image::open(&path).unwrap().to_rgb8()
}

#[test]
fn a_model_alone_is_seen_from_all_sides_at_all_frames() {
    let folder = tempfile::tempdir().unwrap();
    let shoot = |name: &str, args: &[&str]| {
        picture(folder.path(), name, &[&["--model", WALKER], args].concat())
    };
    let first = shoot("first.png", &["--frame", "0"]);
    assert_eq!(shoot("start.png", &[]), first, "a model begins at frame 0");
    // 15 frames a second, unless --rate says otherwise.
    let sixth = shoot("sixth.png", &["--frame", "6"]);
    assert_eq!(shoot("time.png", &["--time", "0.4"]), sixth);
    let slow = ["--time", "0.6", "--rate", "10"];
    assert_eq!(shoot("rate.png", &slow), sixth);
    for (name, args) in [
        ("frame.png", &["--frame", "6"][..]),
        ("turn.png", &["--turn", "-90"]),
        ("state.png", &["--state", "1"]),
        ("grid.png", &["--overlay", "bounds"]),
        ("camera.png", &["--camera", "9,0,3,180,0"]),
    ] {
        let other = shoot(&format!("other-{name}"), args);
        assert_ne!(other, first, "{args:?}");
    }
}

#[test]
fn what_a_model_has_not_is_reported_with_what_it_has() {
    for (args, words) in [
        (["--state", "9"], ["state 9", "0"]),
        (["--lod", "9"], ["level of detail 9", "0"]),
        (["--frame", "9999"], ["no frame 9999", "its last is"]),
        (["--frame", "-1"], ["no frame -1", "its last is"]),
        (
            ["--overlay", "areals"],
            ["the model has no overlay \"areals\"", "grid, bounds"],
        ),
    ] {
        let (code, stdout, stderr) =
            run(&[&["--model", WALKER, "--offscreen"], &args[..]].concat());
        assert_eq!((code, &*stdout), (2, ""), "{args:?}");
        for word in words {
            assert!(stderr.contains(word), "{args:?}: {stderr}");
        }
    }
}

#[test]
fn a_model_that_is_not_there_is_reported_with_the_names_near_it() {
    let (code, stdout, stderr) = run(&["--model", "DATA/basis.rlb/WALKER.MSH"]);
    assert_eq!((code, &*stdout), (2, ""));
    assert!(stderr.contains("DATA/bases.rlb"), "{stderr}");
    let (code, _, stderr) = run(&["--model", "DATA/bases.rlb/WALTER.MSH"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("WALTER.MSH"), "{stderr}");
    let (code, _, stderr) = run(&["--model", "Cargo.toml"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("Cargo.toml"), "{stderr}");
}

#[test]
fn a_bare_level_stands_still_whatever_plays() {
    let folder = tempfile::tempdir().unwrap();
    // Without water and clouds nothing else moves.
    let bare = ["--level", MAP01, "--bare", "--no-water", "--no-clouds"];
    let shoot = |name: &str, args: &[&str]| picture(folder.path(), name, &[&bare, args].concat());
    let still = shoot("still.png", &["--play", "still"]);
    let all = shoot("all.png", &["--play", "all", "--rate", "20", "--time", "3"]);
    assert_eq!(still, all);
}

#[test]
fn a_mission_stands_in_its_level_and_its_objects_move() {
    let folder = tempfile::tempdir().unwrap();
    // From a place where some of them are seen, with nothing else that moves.
    let view = [
        "--camera",
        "330,330,25,40,-10",
        "--no-water",
        "--no-reflection",
    ];
    let shoot = |name: &str, args: &[&str]| picture(folder.path(), name, &[args, &view].concat());
    let level = shoot("level.png", &["--level", MAP01, "--play", "still"]);
    let file = format!("{MISSION}/data.tma");
    for (name, args) in [
        ("folder.png", &["--mission", MISSION][..]),
        ("file.png", &["--mission", &file]),
        ("both.png", &["--level", MAP01, "--mission", MISSION]),
    ] {
        let mission = shoot(name, &[args, &["--play", "still"]].concat());
        assert_eq!(mission, level, "{args:?}: the level's first mission");
    }
    let without = ["--level", MAP01, "--play", "still"];
    for (name, arg) in [("bare.png", "--bare"), ("none.png", "--no-models")] {
        assert_ne!(
            shoot(name, &[&without[..], &[arg]].concat()),
            level,
            "{arg}"
        );
    }
    let later =
        |name: &str, play: &str| shoot(name, &["--level", MAP01, "--play", play, "--time", "4"]);
    assert_ne!(later("walking.png", "level"), later("still.png", "still"));
}

#[test]
fn frames_of_a_model_are_measured_around_it() {
    let args = ["--model", WALKER, "--frames", "3", "--offscreen"];
    let (code, stdout, stderr) = run(&quick(&args));
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(stdout.lines().count(), 2, "{stdout}");
}

#[test]
fn a_mission_that_is_not_there_is_reported() {
    for args in [
        &["--mission", "DATA/none"][..],
        &["--level", MAP01, "--mission", "DATA/none"],
    ] {
        let (code, stdout, stderr) = run(&[args, &["--offscreen"]].concat());
        assert_eq!((code, &*stdout), (2, ""), "{args:?}");
        assert!(stderr.contains("DATA/none"), "{args:?}: {stderr}");
    }
}

#[test]
fn an_unknown_overlay_is_reported_with_the_known_ones() {
    let (code, _, stderr) = run(&["--level", MAP01, "--overlay", "rivers", "--offscreen"]);
    assert_eq!(code, 2);
    assert!(
        stderr.contains("rivers") && stderr.contains("areals"),
        "{stderr}"
    );
}

#[test]
fn frames_print_a_table() {
    let (code, stdout, stderr) = run(&quick(&["--level", MAP01, "--frames", "5", "--offscreen"]));
    assert_eq!(code, 0, "{stderr}");
    let lines: Vec<_> = stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{stdout}");
    assert!(
        lines[0].starts_with("frames  min ms  median ms  p99 ms"),
        "{stdout}"
    );
    let numbers: Vec<f64> = lines[1]
        .split_whitespace()
        .map(|n| n.parse().unwrap())
        .collect();
    let [n_frames, min, median, p99, max, per_second] = numbers[..] else {
        panic!("{stdout}");
    };
    assert_eq!(n_frames, 5.0);
    assert!(
        0.0 < min && min <= median && median <= p99 && p99 <= max,
        "{stdout}"
    );
    assert!(per_second > 0.0);
}

/// Other systems always have a display.
#[cfg(all(unix, not(target_vendor = "apple")))]
#[test]
fn without_a_display_a_level_becomes_a_picture_and_it_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let level = Path::new(env!("CARGO_MANIFEST_DIR")).join(MAP01);
    for name in ["Map01.png", "Map01-1.png"] {
        let args = quick(&["--level", level.to_str().unwrap()]);
        let output = ironlands(&args)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let (code, stdout, stderr) = outcome_of(&output);
        assert_eq!(code, 0, "{stderr}");
        assert_eq!(stdout, format!("{name} 64x36\n"));
        assert!(stderr.contains("no display"), "{stderr}");
    }
    assert_eq!(names_in(folder.path()), ["Map01-1.png", "Map01.png"]);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_problem() {
    let program = assert_cmd::cargo::cargo_bin("ironlands");
    let mut child = std::process::Command::new(program)
        .args(["info", "DATA/Textures.lib"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let (code, _, stderr) = outcome_of(&child.wait_with_output().unwrap());
    assert_eq!((code, &*stderr), (0, ""));
}

#[test]
fn a_mission_whose_resources_are_not_there_is_faulty() {
    let (folder, _) = copy_of_data();
    let missions = folder.path().join("DATA/MISSIONS/single.01");
    fs::create_dir_all(&missions).unwrap();
    let mission = missions.join("data.tma");
    let original = Path::new(env!("CARGO_MANIFEST_DIR")).join(MISSION);
    fs::copy(original.join("data.tma"), &mission).unwrap();
    fs::remove_file(folder.path().join("DATA/static.rlb")).unwrap();
    let (code, stdout, stderr) = run(&["check", mission.to_str().unwrap()]);
    assert_eq!(code, 1, "{stdout}{stderr}");
    let is_problem = |line: &str| line.contains(": error: ") && line.contains("static.rlb");
    assert!(stdout.lines().any(is_problem), "{stdout}");
}
