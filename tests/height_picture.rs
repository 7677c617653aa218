//! A world that the engine knows nothing of (`examples/height_picture.rs`) is opened, drawn, picked, walked, described,
//! checked and exported by the program that it is added to.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use image::{ImageBuffer, Luma};

/// A side of the picture, in samples.
const SIDE: u32 = 65;

/// The example, which `cargo test` builds beside the tests.
fn program() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let profile = test.ancestors().nth(2).expect("target/PROFILE");
    let name = format!("height_picture{}", std::env::consts::EXE_SUFFIX);
    profile.join("examples").join(name)
}

fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(program());
    // Without a display, whatever the machine has.
    let command = command
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .current_dir(folder)
        .args(args);
    command.output().expect("the example is built")
}

fn succeed(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {stderr}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A cone whose top is white, 16 bits a sample.
fn cone(folder: &Path) {
    let middle = (SIDE / 2) as f32;
    let picture = ImageBuffer::from_fn(SIDE, SIDE, |x, y| {
        let from_middle = (x as f32 - middle).hypot(y as f32 - middle);
        let height = (1.0 - from_middle / middle).max(0.0);
        Luma([(height * 65535.0) as u16])
    });
    picture.save(folder.join("cone.png")).unwrap();
}

#[test]
fn a_world_from_outside_has_all_that_the_program_offers() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    cone(folder);

    let info = succeed(folder, &["info", "cone.png"]);
    assert!(info.contains("height_png"), "{info}");
    assert!(info.contains("65 x 65"), "{info}");
    let check = succeed(folder, &["check", "cone.png"]);
    assert!(
        check.ends_with("errors 0, warnings 0, notes 0\n"),
        "{check}"
    );

    // Straight down onto the top, from high above it: 20 units of relief.
    let look = ["--camera", "32,32,100,0,-89.9", "--size", "64x64"];
    let render = [
        "--level",
        "cone.png",
        "--relief",
        "20",
        "--render",
        "cone-3d.png",
    ];
    let pick = ["--pick", "32,32"];
    let picked = succeed(folder, &[&render[..], &look, &pick].concat());
    let position = picked
        .lines()
        .find_map(|line| line.trim().strip_prefix("position: "));
    let position = position.unwrap_or_else(|| panic!("{picked}"));
    let z: f32 = position.rsplit(' ').next().unwrap().parse().unwrap();
    assert!((18.0..=20.0).contains(&z), "{position}");
    let picture = image::open(folder.join("cone-3d.png")).unwrap().to_rgb8();
    let [top, side] = [(32, 32), (4, 32)].map(|(x, y)| picture.get_pixel(x, y).0);
    assert_ne!(top, side, "the ramp colors it by height");

    let walk = [
        "--mode",
        "walk",
        "--camera",
        "10,32,90,0,0",
        "--render",
        "walk.png",
    ];
    succeed(
        folder,
        &[&["--level", "cone.png"][..], &walk, &["--size", "64x64"]].concat(),
    );
    succeed(folder, &["export", "cone.png", "--to", "cone.glb"]);
    let help = succeed(folder, &["--help"]);
    assert!(help.contains("--relief"), "its option is in the help");
}

#[test]
fn what_is_no_height_picture_is_reported_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cut.png"), b"\x89PNG\r\n\x1a\n\0\0").unwrap();
    let output = run(folder.path(), &["check", "cut.png"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("cut.png: error: height_png: byte 0x"),
        "{said}"
    );
    let output = run(folder.path(), &["--level", "cut.png", "--relief", "5"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn options_of_another_world_are_reported_to_do_nothing() {
    let folder = tempfile::tempdir().unwrap();
    cone(folder.path());
    let args = [
        "--level", "cone.png", "--light", "hdr", "--size", "32x32", "--render", "a.png",
    ];
    let output = run(folder.path(), &args);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("--light does nothing here: it is for Source maps"),
        "{said}"
    );
}
