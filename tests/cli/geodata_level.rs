//! Geodata of Lineage II as a level: drawn, picked in, and refused where it cannot be.

use ironlands::worlds::lineage2::formats::l2j::L2j;
use ironlands::worlds::lineage2::formats::{
    Block, Cell, FlatRule, Nswe, Region, RegionId, conv_dat::ConvDat,
};

use super::*;

const GROUND: i16 = -3000;
/// Straight down from 400 above the middle of the first block of region 20_18, whose corner is the world's origin: the
/// top of the picture is east, its left side north.
const ABOVE: [&str; 2] = ["--camera", "64,-64,-2600,0,-90"];
/// The same from 60 above: three cells are as high as the picture.
const NEAR: [&str; 2] = ["--camera", "64,-64,-2940,0,-90"];

/// Flat ground. In the first block a wall of closed sides between its cells 3 and 4 to the east, and a roof 200 over
/// the cells 6 and 7 that hides the ground there.
fn region() -> Region {
    let id = RegionId::new(20, 18).unwrap();
    let mut region = Region::flat(id, GROUND);
    let mut cells = Box::new([Cell::new(GROUND, Nswe::ALL_SIDES); 64]);
    for (at, cell) in cells.iter_mut().enumerate() {
        match at / 8 {
            3 => cell.nswe -= Nswe::EAST,
            4 => cell.nswe -= Nswe::WEST,
            6 | 7 => cell.height = GROUND + 200,
            _ => {}
        }
    }
    region.blocks_mut()[0] = Block::Complex(cells);
    region
}

/// A folder with the region in one or both formats.
fn folder_with(formats: &[&str]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    for format in formats {
        let (name, bytes) = match *format {
            "l2j" => (
                "20_18.l2j",
                L2j::from_region(&region(), FlatRule::Max).write(),
            ),
            _ => ("20_18_conv.dat", ConvDat::from_region(&region()).write()),
        };
        fs::write(folder.path().join(name), bytes.unwrap()).unwrap();
    }
    let path = folder.path().to_str().unwrap().to_owned();
    (folder, path)
}

/// The picture from above with further arguments, and what was reported about it.
fn picture(path: &str, args: &[&str]) -> (image::RgbImage, String) {
    picture_from(&ABOVE, path, args)
}

fn picture_from(camera: &[&str], path: &str, args: &[&str]) -> (image::RgbImage, String) {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("picture.png");
    let render = ["--level", path, "--render", name.to_str().unwrap()];
    let (code, stdout, stderr) = run(&quick(&[&render, camera, args].concat()));
    assert_eq!(code, 0, "{stderr}");
    (image::open(&name).unwrap().to_rgb8(), stdout)
}

#[test]
fn a_region_is_seen_from_above() {
    let (_folder, path) = folder_with(&["l2j"]);
    let (plain, _) = picture_from(&NEAR, &path, &[]);
    let [width, height] = [plain.width(), plain.height()];
    let ground = *plain.get_pixel(width / 2, height / 2);
    let [r, g, b] = ground.0;
    assert!(g > r && g > b, "land is green at that height: {ground:?}");
    // Colors show heights, marks show sides and blocks; each changes the picture.
    for args in [
        &["--sides"][..],
        &["--grid"],
        &["--color-by", "block types"],
        &["--cut-above", "-3100"],
        &["--layer", "1"],
    ] {
        let (other, _) = picture_from(&NEAR, &path, args);
        let n_changed = plain.pixels().zip(other.pixels()).filter(|(a, b)| a != b);
        assert!(n_changed.count() > 10, "{args:?}");
    }
    let middle_of = |args: &[&str]| {
        let (picture, _) = picture_from(&NEAR, &path, args);
        *picture.get_pixel(width / 2, height / 2)
    };
    let without_land = middle_of(&["--layer", "9"]);
    assert_ne!(without_land, ground);
    assert_eq!(middle_of(&["--cut-above", "-3001"]), without_land);
    assert_eq!(middle_of(&["--cut-above", "-2999"]), ground);
}

#[test]
fn picks_show_cells_and_what_is_between_them() {
    let (_folder, path) = folder_with(&["l2j"]);
    let (image, _) = picture(&path, &[]);
    let [width, height] = [image.width() as f32, image.height() as f32];
    // A cell is as many pixels as 16 units are 400 below a camera whose picture is 74.5 degrees wide.
    let cell_px = 16.0 / 400.0 * 0.5 * width / (74.5_f32.to_radians() * 0.5).tan();
    let over = |east: f32, south: f32| {
        let [x, y] = [
            width * 0.5 + (south - 4.0) * cell_px,
            height * 0.5 - (east - 4.0) * cell_px,
        ];
        format!("{x},{y}")
    };
    let before = over(2.5, 4.5);
    let behind = over(5.5, 4.5);
    let (_, stdout) = picture(&path, &["--pick", &before, "--pick", &behind]);
    for line in [
        "  region: 20_18",
        "  block: 0, 0 (number 0), complex",
        "  cell: 2, 4 (number 20)",
        "  cell: 5, 4 (number 44)",
        "  line of sight: ",
        "  straight walk: stopped by a closed side at ",
    ] {
        assert!(stdout.contains(line), "{line} is not in\n{stdout}");
    }
    let path_line = stdout.lines().find(|line| line.starts_with("  path: "));
    // The wall is one block long: the way leads around its end.
    assert!(
        path_line.is_some_and(|line| !line.contains("none")),
        "{stdout}"
    );
    let (code, _, stderr) = run(&quick(&[
        "--level",
        &path,
        "--render",
        "never.png",
        "--pick",
        "99999,0",
    ]));
    assert_eq!(code, 2);
    assert!(stderr.contains("99999,0 is not in a picture"), "{stderr}");
}

#[test]
fn a_region_with_two_files_is_opened_by_the_format_that_was_chosen() {
    let (_folder, path) = folder_with(&["l2j", "conv.dat"]);
    let refused = ["--level", &path, "--render", "never.png"];
    let (code, _, stderr) = run(&quick(&refused));
    assert_eq!(code, 2);
    assert!(stderr.contains("region 20_18 is in both"), "{stderr}");
    assert!(stderr.contains("--from"), "{stderr}");
    let (image, _) = picture(&path, &["--from", "conv.dat"]);
    assert!(image.width() > 0);
}

#[test]
fn a_broken_region_and_an_unknown_coloring_are_reported() {
    let (folder, path) = folder_with(&["l2j"]);
    let (code, _, stderr) = run(&quick(&[
        "--level",
        &path,
        "--color-by",
        "colors",
        "--render",
        "never.png",
    ]));
    assert_eq!(code, 2);
    assert!(
        stderr.contains("no coloring \"colors\"; it has sides"),
        "{stderr}"
    );
    let file = folder.path().join("20_18.l2j");
    let mut bytes = fs::read(&file).unwrap();
    bytes[129] = 9;
    fs::write(&file, bytes).unwrap();
    let (code, _, stderr) = run(&quick(&["--level", &path, "--render", "never.png"]));
    assert_eq!(code, 2);
    assert!(
        stderr.contains("l2j: byte 0x81, block 0, 1, block type"),
        "{stderr}"
    );
}

#[test]
fn a_level_is_opened_without_its_broken_regions() {
    let (folder, path) = folder_with(&["l2j"]);
    let (alone, _) = picture(&path, &[]);
    let mut bytes = fs::read(folder.path().join("20_18.l2j")).unwrap();
    bytes.truncate(1000);
    fs::write(folder.path().join("20_19.l2j"), bytes).unwrap();
    let (beside_broken, _) = picture(&path, &[]);
    assert!(alone == beside_broken);
    let render = ["--level", &path, "--render", "never.png", "--strict"];
    let (code, _, stderr) = run(&quick(&render));
    assert_eq!(code, 2);
    assert!(stderr.contains("20_19.l2j: l2j: byte 0x"), "{stderr}");
    let never = folder.path().join("picture.png");
    let render = ["--level", &path, "--render", never.to_str().unwrap()];
    let (code, _, stderr) = run(&quick(&render));
    assert_eq!(code, 0);
    for words in [
        "20_19.l2j: l2j: byte 0x",
        "1 of 2 regions are broken and left out",
    ] {
        assert!(stderr.contains(words), "{words} is not in\n{stderr}");
    }
}

#[test]
fn options_that_change_nothing_are_named() {
    let (_folder, path) = folder_with(&["l2j"]);
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("picture.png");
    let warning = |option: &[&str]| {
        let render = [
            "--level",
            &path,
            "--render",
            name.to_str().unwrap(),
            "--force",
        ];
        let (code, _, stderr) = run(&quick(&[&render, option].concat()));
        assert_eq!(code, 0, "{stderr}");
        stderr
    };
    let layer = warning(&["--layer", "9"]);
    assert!(
        layer.contains("--layer 9 shows nothing: this land has only layer 0"),
        "{layer}"
    );
    let lod = warning(&["--no-lod"]);
    assert!(lod.contains("--no-lod does nothing here"), "{lod}");
    let plain = warning(&["--layer", "0"]);
    assert!(!plain.contains("nothing"), "{plain}");
}

#[test]
fn what_is_for_tiled_land_is_refused_by_other_levels() {
    for option in [
        &["--color-by", "sides"][..],
        &["--sides"],
        &["--grid"],
        &["--layer", "0"],
        &["--cut-above", "3"],
    ] {
        let level = ["--level", MAP01, "--render", "never.png"];
        let (code, _, stderr) = run(&quick(&[&level, option].concat()));
        assert_eq!(code, 2, "{option:?}");
        assert!(
            stderr.contains(&format!("{} is for land that comes in tiles", option[0])),
            "{stderr}"
        );
    }
}

#[test]
fn a_sea_is_there_only_when_it_is_requested() {
    let (_folder, path) = folder_with(&["l2j"]);
    let (plain, _) = picture(&path, &[]);
    let (flooded, _) = picture(&path, &["--water-level", "-2950"]);
    let (dry, _) = picture(&path, &["--water-level", "-3050"]);
    // To the south: there is no land to the west and north, and a roof to the east.
    let [x, y] = [plain.width() * 3 / 4, plain.height() / 2];
    let [r, _, b] = flooded.get_pixel(x, y).0;
    assert!(b > r, "blue over the ground");
    assert_eq!(
        dry.get_pixel(x, y),
        plain.get_pixel(x, y),
        "the ground is above the sea"
    );
}
