//! Two regions or sets compared.

use super::*;

#[test]
fn differences_are_listed_counted_and_drawn() {
    let world = World::new();
    let same = world.path("geodata/20_18.l2j");
    let (code, stdout, _) = run(&["geodata", "diff", &same, &same]);
    assert_eq!(code, 0);
    assert_eq!(
        stdout,
        "regions in both 1, changed 0, only in one 0: 0 cells differ\n"
    );
    let [geodata, dat] = ["geodata", "dat"].map(|it| world.path(it));
    let picture = world.path("diff.png");
    let picture_args = ["--limit", "2", "--picture", &picture, "--no-grid"];
    let args = [&["geodata", "diff", &geodata, &dat][..], &picture_args].concat();
    let (code, stdout, _) = run(&args);
    assert_eq!(code, 1);
    for line in [
        "20_18: 64 cells in 1 blocks: height 64; largest step 32",
        "  8,136 block 0,1 cell 0,0: height by 32",
        "  ... and 62 more",
        "regions in both 1, changed 1, only in one 0: 64 cells differ",
    ] {
        assert!(stdout.contains(line), "{line} is not in\n{stdout}");
    }
    let picture = image::open(&picture).unwrap().to_rgb8();
    assert_eq!(picture.get_pixel(0, 8).0, [255, 220, 40]);
    let [r, g, b] = picture.get_pixel(9, 9).0;
    assert!(r == g && g == b, "what is the same is gray");
    world.put("geodata/21_18.l2j", &world.bytes("geodata/20_18.l2j"));
    let (code, stdout, _) = run(&["geodata", "diff", &geodata, &same, "--limit", "0"]);
    assert_eq!(code, 1);
    assert!(stdout.contains("21_18: only in "), "{stdout}");
}

#[test]
fn regions_that_cannot_be_read_keep_no_other_from_being_compared() {
    let world = World::new();
    let sound = world.bytes("geodata/20_18.l2j");
    for name in ["a/20_18.l2j", "a/21_18.l2j", "a/22_18.l2j", "b/21_18.l2j"] {
        world.put(name, &sound);
    }
    let edited = L2j::from_region(&paired(), FlatRule::Max).write().unwrap();
    world.put("b/20_18.l2j", &edited);
    world.put("b/22_18.l2j", &sound[..1000]);
    let [a, b, picture] = ["a", "b", "diff.png"].map(|it| world.path(it));
    let args = ["geodata", "diff", &a, &b, "--picture", &picture];
    let (code, stdout, stderr) = run(&args);
    assert_eq!(code, 2, "whether all are the same is not known: {stderr}");
    for line in [
        "20_18: 64 cells in 1 blocks",
        "regions in both 3 (1 broken and left out), changed 1, only in one 0: 64 cells differ",
    ] {
        assert!(stdout.contains(line), "{line} is not in\n{stdout}");
    }
    for words in [
        "22_18.l2j: l2j: byte 0x",
        "1 of 3 regions are broken and left out; --strict stops",
        "error: 1 of 3 regions could not be compared",
    ] {
        assert!(stderr.contains(words), "{words} is not in\n{stderr}");
    }
    assert!(Path::new(&picture).exists(), "of the others");
    let (code, stdout, stderr) = run(&["geodata", "diff", &a, &b, "--strict"]);
    assert_eq!((code, &*stdout), (2, ""));
    assert!(stderr.contains("22_18.l2j: l2j: byte 0x"), "{stderr}");
    // Where nothing can be compared, the error alone is reported.
    let one = ["a/22_18.l2j", "b/22_18.l2j"].map(|it| world.path(it));
    let (code, stdout, stderr) = run(&["geodata", "diff", &one[0], &one[1]]);
    assert_eq!((code, &*stdout), (2, ""));
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}
