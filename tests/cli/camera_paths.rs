//! Camera paths as numbered pictures, and the hour of a day.

use ironlands::scene::{CameraKey, CameraPath};
use ironlands::worlds::evil_islands::formats::cam::{Cam, CamRecord};
use ironlands::worlds::evil_islands::formats::camera_path::{CameraZero, from_camera_path};

use super::*;

/// From 600, 600, 80 along +x to 680, 600, 80, in two seconds; a camera of the scene is not turned.
fn straight() -> CameraPath {
    let key = |time_secs, x| CameraKey {
        time_secs,
        position: [x, 600.0, 80.0],
        rotation: [0.0, 0.0, 0.0, 1.0],
    };
    CameraPath {
        name: "straight".to_owned(),
        keys: vec![key(0.0, 600.0), key(2.0, 680.0)],
    }
}

fn write_cam(folder: &Path, name: &str, cam: &Cam) -> String {
    let path = folder.join(name);
    fs::write(&path, cam.write().unwrap()).unwrap();
    path.to_str().unwrap().to_owned()
}

fn flight(folder: &Path) -> String {
    let cam = from_camera_path(&straight(), CameraZero::default());
    write_cam(folder, "straight.cam", &cam)
}

/// Nothing that moves with time.
const STILL: [&str; 5] = ["--level", MAP01, "--bare", "--no-water", "--no-clouds"];

fn record(cam: &str, to: &Path, more: &[&str]) -> (i32, String, String) {
    let play = ["--play", cam, "--record", to.to_str().unwrap()];
    run(&quick(&[&STILL[..], &play, more].concat()))
}

#[test]
fn a_path_becomes_numbered_pictures_of_what_is_seen_along_it() {
    let folder = tempfile::tempdir().unwrap();
    let cam = flight(folder.path());
    let to = folder.path().join("new/pictures");
    let (code, stdout, stderr) = record(&cam, &to, &["--fps", "2"]);
    assert_eq!(code, 0, "{stderr}");
    let names = ["0000", "0001", "0002", "0003", "0004"].map(|it| format!("frame-{it}.png"));
    assert_eq!(names_in(&to), names);
    let first = to.join(&names[0]);
    let reported = format!("{} to {} 64x36\n", first.display(), names[4]);
    assert_eq!(stdout, reported);
    for (name, x) in [(&names[0], 600), (&names[2], 640), (&names[4], 680)] {
        let camera = format!("{x},600,80,0,0");
        let args = [&STILL, &["--camera", &camera][..]].concat();
        let expected = picture(folder.path(), &format!("still-{x}.png"), &args);
        let found = image::open(to.join(name)).unwrap().to_rgb8();
        assert!(found == expected, "{name} is not what is seen from {x}");
    }
}

#[test]
fn a_single_picture_is_taken_at_its_time_on_the_path() {
    let folder = tempfile::tempdir().unwrap();
    let cam = flight(folder.path());
    let shoot = |name: &str, args: &[&str]| picture(folder.path(), name, &[&STILL, args].concat());
    let on_path = shoot("path.png", &["--play", &cam, "--time", "1"]);
    let still = ["--camera", "640,600,80,0,0", "--time", "1"];
    assert_eq!(on_path, shoot("still.png", &still));
    let with_models = ["--play", &cam, "--play", "still", "--time", "1"];
    assert_eq!(on_path, shoot("both.png", &with_models));
}

#[test]
fn the_zero_of_cameras_can_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let cam = from_camera_path(&straight(), CameraZero::MinusZ);
    let cam = write_cam(folder.path(), "gl.cam", &cam);
    let shoot = |name: &str, args: &[&str]| picture(folder.path(), name, &[&STILL, args].concat());
    let expected = shoot("still.png", &["--camera", "600,600,80,0,0"]);
    let found = shoot("gl.png", &["--play", &cam, "--camera-zero", "-z"]);
    assert_eq!(found, expected);
    assert_ne!(shoot("other.png", &["--play", &cam]), expected);
}

#[test]
fn pictures_that_are_there_are_kept_without_force() {
    let folder = tempfile::tempdir().unwrap();
    let cam = flight(folder.path());
    let to = folder.path().join("pictures");
    fs::create_dir(&to).unwrap();
    let mine = to.join("frame-0003.png");
    fs::write(&mine, b"mine").unwrap();
    let (code, stdout, stderr) = record(&cam, &to, &["--fps", "2"]);
    assert_eq!((code, &*stdout), (2, ""));
    assert!(
        stderr.contains("frame-0003.png is there already"),
        "{stderr}"
    );
    assert_eq!(names_in(&to), ["frame-0003.png"], "nothing is drawn");
    assert_eq!(fs::read(&mine).unwrap(), b"mine");
    let (code, ..) = record(&cam, &to, &["--fps", "2", "--force"]);
    assert_eq!(code, 0);
    assert_ne!(fs::read(&mine).unwrap(), b"mine");
    assert_eq!(names_in(&to).len(), 5);
}

#[test]
fn measured_frames_go_along_the_path() {
    let folder = tempfile::tempdir().unwrap();
    let cam = flight(folder.path());
    let args = ["--play", &cam, "--frames", "3", "--offscreen"];
    let (code, stdout, stderr) = run(&quick(&[&STILL, &args[..]].concat()));
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(stdout.lines().count(), 2, "{stdout}");
}

#[test]
fn what_is_no_path_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let record = |rotation| CamRecord {
        time: 0,
        step: 0,
        position: [0.0; 3],
        rotation,
    };
    let unturned = record([1.0, 0.0, 0.0, 0.0]);
    let mut cut = Cam::draft(vec![unturned]).write().unwrap();
    cut.pop();
    fs::write(folder.path().join("cut.cam"), cut).unwrap();
    let flat = Cam::draft(vec![unturned, record([0.0; 4])]);
    write_cam(folder.path(), "flat.cam", &flat);
    write_cam(folder.path(), "empty.cam", &Cam::draft(Vec::new()));
    for (name, words) in [
        ("cut.cam", "byte 0x0, record: needs 36 bytes, 35 are left"),
        ("flat.cam", "byte 0x38, rotation"),
        ("empty.cam", "record: expected at least one"),
        ("none.cam", "cannot read"),
    ] {
        let path = folder.path().join(name);
        let play = ["--play", path.to_str().unwrap(), "--offscreen"];
        let (code, stdout, stderr) = run(&quick(&[&STILL, &play[..]].concat()));
        assert_eq!((code, &*stdout), (2, ""), "{name}");
        assert!(stderr.contains(name) && stderr.contains(words), "{stderr}");
    }
}

#[test]
fn options_of_paths_that_make_no_sense_together_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let cam = flight(folder.path());
    for (args, words) in [
        (&["--play", &cam, "--play", &cam][..], "once for a FILE.cam"),
        (&["--play", "all", "--play", "still"], "once for the models"),
        (
            &["--play", "all", "--record", "no/where"],
            "--play FILE.cam",
        ),
        (&["--play", "all", "--loop"], "--play FILE.cam"),
        (&["--play", "walk"], "camera path, FILE.cam"),
        (&["--play", "walk.txt"], "no camera path; expected *.cam"),
    ] {
        let (code, stdout, stderr) = run(&[&STILL, args].concat());
        assert_eq!((code, &*stdout), (2, ""), "{args:?}");
        assert!(stderr.contains(words), "{args:?}: {stderr}");
    }
}

#[test]
fn an_hour_is_for_levels_that_have_a_day() {
    for args in [&["--hour", "12"][..], &["--day-speed", "1"]] {
        let (code, stdout, stderr) = run(&[&STILL, args, &["--offscreen"]].concat());
        assert_eq!((code, &*stdout), (2, ""), "{args:?}");
        assert!(stderr.contains("it has no day"), "{stderr}");
    }
}

#[test]
fn a_recording_that_fails_says_how_much_of_it_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let cam = flight(folder.path());
    let to = folder.path().join("pictures");
    fs::create_dir_all(to.join("frame-0002.png")).unwrap();
    let (code, _, stderr) = record(&cam, &to, &["--fps", "2", "--force"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("only 2 of 5 files are in"), "{stderr}");
    assert!(stderr.contains("frame-0002.png is a folder"), "{stderr}");
    assert!(!stderr.contains("nothing written"), "{stderr}");
}

/// By Ctrl-C as a terminal sends it, and as systems end programs, which it does not take for Ctrl-C.
#[cfg(unix)]
#[test]
fn a_stopped_recording_keeps_its_finished_pictures() {
    for signal in ["-INT", "-TERM"] {
        stop_a_recording(signal);
    }
}

#[cfg(unix)]
fn stop_a_recording(signal: &str) {
    let folder = tempfile::tempdir().unwrap();
    let cam = flight(folder.path());
    let to = folder.path().join("pictures");
    let play = [
        "--play",
        &cam,
        "--record",
        to.to_str().unwrap(),
        "--fps",
        "1000",
    ];
    let program = assert_cmd::cargo::cargo_bin("ironlands");
    let child = std::process::Command::new(program)
        .args(quick(&[&STILL, &play[..]].concat()))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let is_there = || to.join("frame-0002.png").exists();
    let since = std::time::Instant::now();
    while !is_there() && since.elapsed().as_secs() < 120 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let id = child.id().to_string();
    std::process::Command::new("kill")
        .args([signal, &id])
        .status()
        .unwrap();
    let (code, stdout, stderr) = outcome_of(&child.wait_with_output().unwrap());
    assert_eq!((code, &*stdout), (2, ""), "{stderr}");
    let names = names_in(&to);
    assert!(
        stderr.contains(&format!("error: stopped: {} of 2001 pictures", names.len())),
        "{signal}: {stderr}"
    );
    for name in names {
        assert!(name.ends_with(".png"), "{name} is not finished");
        image::open(to.join(&name)).unwrap();
    }
}
