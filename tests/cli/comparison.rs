//! Two levels side by side, in one picture.

use super::*;

/// Width and height of a half.
const HALF: &str = "48x36";
const BOTH: &str = "96x36";

fn picture(folder: &Path, name: &str, args: &[&str]) -> image::RgbaImage {
    let to = folder.join(name);
    let line = [
        &["render"],
        args,
        &["--to", to.to_str().unwrap(), "--msaa", "1"],
    ]
    .concat();
    let (code, _, said) = run(&line);
    assert_eq!(code, 0, "{said}");
    image::open(to).unwrap().into_rgba8()
}

#[test]
fn each_half_is_what_its_level_looks_like_alone_whatever_its_world() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    const HALL: &str = "DATA/SOURCE/demo.bsp";
    let camera = ["--camera", "-600,-70,84,10,-7", "--no-fog", "--time", "2"];
    let alone = |name: &str, level: &str| {
        let line = [&[level, "--size", HALF], &camera[..]].concat();
        picture(folder, name, &line)
    };
    let line = [&[MAP01, "--compare", HALL, "--size", BOTH], &camera[..]].concat();
    let both = picture(folder, "both.png", &line);
    let [left, right] = [alone("left.png", MAP01), alone("right.png", HALL)];
    assert_ne!(left, right);
    assert_eq!(both.dimensions(), (96, 36));
    let half = |x| image::imageops::crop_imm(&both, x, 0, 48, 36).to_image();
    assert_eq!(half(0), left);
    assert_eq!(half(48), right);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("x.png");
    let to = to.to_str().unwrap();
    let (code, _, said) = run(&["render", MAP01, "--compare", "no/such", "--to", to]);
    assert_eq!(code, 2);
    assert!(said.contains("no/such does not exist"), "{said}");
    for args in [
        &["--level", MAP01, "--compare", MAP01, "--frames", "2"][..],
        &["bench", MAP01, "--compare", MAP01],
    ] {
        let (code, _, said) = run(args);
        assert_eq!(code, 2, "{args:?}: {said}");
    }
    assert!(names_in(folder.path()).is_empty());
}
