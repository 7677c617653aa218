//! Geodata of Lineage II on the command line: described, checked, converted, queried, drawn and compared.

mod batch;
mod diff;
mod edit;
mod merge;
mod paths;
mod spawns;

use ironlands::worlds::lineage2::formats::l2d::L2d;
use ironlands::worlds::lineage2::formats::l2j::L2j;
use ironlands::worlds::lineage2::formats::{
    Block, Cell, Flat, FlatRule, Nswe, Region, RegionId, conv_dat::ConvDat,
};
use serde_json::{Value, json};

use super::*;

/// Ground of the made regions.
const GROUND: i16 = -3000;
/// Region 20_18 begins at the world point 0, 0.
const MIDDLE: &str = "8,8,-3000";

fn id() -> RegionId {
    RegionId::new(20, 18).unwrap()
}

/// Flat ground; in the block in the north-west a wall between the cells 3 and 4 to the east, and a step of 40 up to
/// the cells 6 and 7.
fn walled() -> Region {
    let mut region = Region::flat(id(), GROUND);
    let mut cells = Box::new([Cell::new(GROUND, Nswe::ALL_SIDES); 64]);
    for (at, cell) in cells.iter_mut().enumerate() {
        match at / 8 {
            3 => cell.nswe -= Nswe::EAST,
            4 => cell.nswe -= Nswe::WEST,
            6 | 7 => cell.height = GROUND + 40,
            _ => {}
        }
    }
    region.blocks_mut()[0] = Block::Complex(cells);
    region
}

/// The same with a flat block of two heights beside it to the south.
fn paired() -> Region {
    let mut region = walled();
    region.blocks_mut()[1] = Block::Flat(Flat::new(GROUND + 32, GROUND));
    region
}

struct World {
    folder: tempfile::TempDir,
}

impl World {
    /// `geodata/20_18.l2j` with the wall, and `dat/20_18_conv.dat` with the pair.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let world = Self { folder };
        let l2j = L2j::from_region(&walled(), FlatRule::Max).write().unwrap();
        world.put("geodata/20_18.l2j", &l2j);
        let dat = ConvDat::from_region(&paired()).write().unwrap();
        world.put("dat/20_18_conv.dat", &dat);
        world
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn put(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        self.path(name)
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Queries the walled region: exit code and the JSON of the result.
    fn query(&self, kind: &str, points: &[&str]) -> (i32, Value) {
        let path = self.path("geodata");
        let args = [&["geodata", kind, &path], points, &["--json"]].concat();
        let (code, stdout, stderr) = run(&args);
        assert_eq!(stderr, "", "{args:?}");
        (code, serde_json::from_str(&stdout).unwrap())
    }
}

#[test]
fn info_describes_a_region_and_a_set_with_its_memory() {
    let world = World::new();
    let (code, stdout, stderr) = run(&["info", &world.path("geodata/20_18.l2j")]);
    assert_eq!((code, &*stderr), (0, ""));
    // 65,535 flat blocks, and 64 cells of a complex one, of which 16 are 40 higher.
    let sum = -3000 * 65535 + 64 * -3000 + 16 * 40;
    let sides = 64 * 15 - 8 - 2 * 8;
    for line in [
        "complex         1".to_owned(),
        "heights         -3000..-2960".to_owned(),
        format!("sum of heights  {sum}"),
        format!("sum of sides    {sides}"),
        "l2j: 1 regions, 196734 bytes in files, ".to_owned(),
    ] {
        assert!(stdout.contains(&line), "{line} is not in\n{stdout}");
    }
    fs::copy(
        world.path("geodata/20_18.l2j"),
        world.path("geodata/21_18.l2j"),
    )
    .unwrap();
    let (code, stdout, _) = run(&["info", &world.path("geodata")]);
    assert_eq!(code, 0);
    assert!(stdout.contains("geodata_set\n"), "{stdout}");
    assert!(stdout.contains("flat        131070"), "{stdout}");
    let rows = stdout.lines().filter(|line| line.contains("-3000..-2960"));
    assert_eq!(rows.count(), 2, "{stdout}");
    assert!(stdout.contains("l2j: 2 regions, 393468 bytes"), "{stdout}");
    assert!(stdout.contains("loaded in "), "{stdout}");
}

#[test]
fn check_names_block_cell_and_offset() {
    let world = World::new();
    let (code, stdout, _) = run(&["check", &world.path("geodata")]);
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.contains("files 1, levels 1: errors 0"), "{stdout}");
    let mut bytes = world.bytes("geodata/20_18.l2j");
    bytes[129 + 3 * 259] = 7;
    let broken = world.put("broken/20_18.l2j", &bytes);
    for command in ["check", "info"] {
        let (_, stdout, _) = run(&[command, &broken]);
        // Block 260, which is 1, 4: after the complex one and 259 flat ones.
        let words = "l2j: byte 0x38a, block 1, 4, block type";
        assert!(stdout.contains(words), "{stdout}");
    }
    assert_eq!(run(&["check", &broken]).0, 1);
    let wrong_name = world.put("broken/region.l2j", &bytes);
    let (code, stdout, _) = run(&["check", &wrong_name]);
    assert_eq!(code, 1);
    assert!(stdout.contains("no name of a region"), "{stdout}");
    world.put("twice/20_18_C4.l2j", &world.bytes("geodata/20_18.l2j"));
    world.put("twice/20_18.l2j", &world.bytes("geodata/20_18.l2j"));
    let (code, stdout, _) = run(&["check", &world.path("twice")]);
    assert_eq!(code, 1);
    let words = "region 20_18 has more than one file";
    assert!(stdout.contains(words), "{stdout}");
    // Neighbors that do not fit, and a flat height with bits that are none.
    let high = L2j::from_region(
        &Region::flat(RegionId::new(21, 18).unwrap(), 0),
        FlatRule::Max,
    );
    let mut high = high.write().unwrap();
    high[3 * 5 + 1] = 3;
    world.put("geodata/21_18.l2j", &high);
    let (code, stdout, _) = run(&["check", "--strict", &world.path("geodata")]);
    assert_eq!(code, 1);
    for words in [
        "the facing edges of regions 20_18 and 21_18 differ by 3000 in height on average",
        "byte 0xf: 1 flat heights that are no multiple of 8; first in block 0, 5",
    ] {
        assert!(stdout.contains(words), "{words} is not in\n{stdout}");
    }
}

#[test]
fn regions_go_through_formats_and_come_back() {
    let world = World::new();
    let [geodata, dat, l2d, back] = ["geodata", "dat", "l2d", "back"].map(|it| world.path(it));
    let (code, stdout, stderr) = run(&["convert", &geodata, "--format", "l2d", "--to", &l2d]);
    assert_eq!((code, &*stderr), (0, ""), "nothing is lost");
    assert!(stdout.contains(": 1 files, "), "{stdout}");
    let expected = L2d::from_region(&walled(), FlatRule::Max).write().unwrap();
    assert!(world.bytes("l2d/20_18.l2d") == expected);
    let (code, ..) = run(&["convert", &l2d, "--format", "l2j", "--to", &back]);
    assert_eq!(code, 0);
    assert!(world.bytes("back/20_18.l2j") == world.bytes("geodata/20_18.l2j"));
    // One of two heights is lost, and that is reported.
    for (rule, height) in [("max", -2968), ("min", -3000), ("avg", -2984)] {
        let out = world.path(rule);
        let args = [
            "convert", &dat, "--format", "l2j", "--to", &out, "--flat", rule,
        ];
        let (code, _, stderr) = run(&args);
        assert_eq!(code, 0);
        assert!(
            stderr.contains("lost: 1 flat block had two heights"),
            "{stderr}"
        );
        let file = L2j::read(id(), &world.bytes(&format!("{rule}/20_18.l2j"))).unwrap();
        let Block::Flat(flat) = file.region.block(0, 1) else {
            panic!("a flat block");
        };
        assert_eq!(flat.high(), height, "{rule}");
    }
}

#[test]
fn existing_output_is_kept_unless_forced() {
    let world = World::new();
    let geodata = world.path("geodata");
    // The second of two.
    world.put("geodata/19_18.l2j", &world.bytes("geodata/20_18.l2j"));
    let kept = world.put("out/20_18_conv.dat", b"mine");
    let out = world.path("out");
    let args = ["convert", &geodata, "--format", "conv.dat", "--to", &out];
    let (code, stdout, stderr) = run(&args);
    assert_eq!((code, &*stdout), (2, ""));
    assert!(stderr.contains("--force replaces it"), "{stderr}");
    assert_eq!(fs::read(&kept).unwrap(), b"mine");
    assert_eq!(names_in(Path::new(&out)), ["20_18_conv.dat"]);
    let (code, ..) = run(&[&args[..], &["--force"]].concat());
    assert_eq!(code, 0);
    assert!(fs::read(&kept).unwrap().len() > 393_234);
    assert_eq!(
        names_in(Path::new(&out)),
        ["19_18_conv.dat", "20_18_conv.dat"]
    );
    let picture = world.put("map.png", b"mine");
    let (code, _, stderr) = run(&["geodata", "map", &geodata, "--to", &picture]);
    assert_eq!(code, 2);
    assert!(stderr.contains("--force replaces it"), "{stderr}");
}

#[test]
fn a_broken_region_is_reported_with_its_place_and_the_others_are_converted() {
    let world = World::new();
    let mut bytes = world.bytes("geodata/20_18.l2j");
    bytes.truncate(1000);
    world.put("geodata/21_18.l2j", &bytes);
    let [geodata, out] = ["geodata", "out"].map(|it| world.path(it));
    let (code, stdout, stderr) = run(&["convert", &geodata, "--format", "l2d", "--to", &out]);
    assert_eq!((code, &*stdout), (2, ""));
    for words in ["21_18.l2j: l2j: byte 0x", "1 of 2 regions are in"] {
        assert!(stderr.contains(words), "{words} is not in\n{stderr}");
    }
    assert_eq!(names_in(Path::new(&out)), ["20_18.l2d"]);

    // Where nothing can be converted no folder is left.
    let [broken, nothing] = ["geodata/21_18.l2j", "nothing"].map(|it| world.path(it));
    let (code, _, stderr) = run(&["convert", &broken, "--format", "l2d", "--to", &nothing]);
    assert_eq!(code, 2, "{stderr}");
    assert!(!Path::new(&nothing).exists());
    let (code, _, stderr) = run(&["convert", &geodata, "--format", "l2d", "--to", &broken]);
    assert_eq!(code, 2);
    assert!(stderr.contains("not a directory"), "{stderr}");
    assert_eq!(
        stderr.matches("21_18.l2j").count(),
        1,
        "reported once:\n{stderr}"
    );
}

/// Beside a sound region a cut one, and a text that stands in place of one.
#[test]
fn broken_regions_are_left_out_named_and_counted() {
    let world = World::new();
    let mut bytes = world.bytes("geodata/20_18.l2j");
    bytes.truncate(1000);
    world.put("geodata/21_18.l2j", &bytes);
    world.put(
        "geodata/22_18.l2j",
        b"version 1\noid sha256:0\nsize 196734\n",
    );
    let [geodata, picture] = ["geodata", "map.png"].map(|it| world.path(it));
    let map = ["geodata", "map", &geodata, "--to", &picture, "--force"];
    // A path loads the regions that it reaches: this one begins beside the first broken one.
    let border = ["32760,8,-3000", "32744,8,-3000"];
    let path = ["geodata", "path", &geodata, border[0], border[1]];
    let all = [
        "21_18.l2j: l2j: byte 0x",
        "22_18.l2j: l2j: byte 0x0, blocks: ",
        "2 of 3 regions are broken and left out; --strict stops",
    ];
    let one = [
        "21_18.l2j: l2j: byte 0x",
        "1 of 3 regions are broken and left out; --strict stops",
    ];
    for (args, reported) in [(&map[..], &all[..]), (&path, &one)] {
        let (code, stdout, stderr) = run(args);
        assert_eq!(code, 0, "{stderr}");
        assert!(!stdout.is_empty());
        for words in reported {
            assert!(stderr.contains(words), "{words} is not in\n{stderr}");
        }
        let (code, stdout, stderr) = run(&[args, &["--strict"]].concat());
        assert_eq!((code, &*stdout), (2, ""), "{args:?}");
        assert!(stderr.contains("21_18.l2j: l2j: byte 0x"), "{stderr}");
    }
    let (_, stdout, _) = run(&map);
    let words = "1 regions (2 broken and left out)";
    assert!(stdout.contains(words), "{stdout}");
    // A query of a broken region fails.
    let (code, _, stderr) = run(&["geodata", "height", &geodata, "32776,8,0"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("21_18.l2j: l2j: byte 0x"), "{stderr}");
    // Conversion continues after them, unless it is to stop.
    let out = world.path("out");
    let convert = ["convert", &geodata, "--format", "l2d", "--to", &out];
    let (code, ..) = run(&convert);
    assert_eq!(
        (code, names_in(Path::new(&out))),
        (2, vec!["20_18.l2d".to_owned()])
    );
    let (code, stdout, _) = run(&["info", &geodata]);
    assert_eq!(code, 0);
    assert!(stdout.contains("l2j: 1 regions, 196734 bytes"), "{stdout}");
}

#[test]
fn queries_follow_the_step_rules() {
    let world = World::new();
    let (code, height) = world.query("height", &["8,8,-2990"]);
    assert_eq!(code, 0);
    assert_eq!(
        height,
        json!({
            "height": -3000, "nswe": "NSWE", "layer": 0, "below": null, "above": null,
            "below_and_above_of": -3000,
            "at": {"region": "20_18", "block": [0, 0], "cell": [0, 0]},
        })
    );
    let (_, layers) = world.query("layers", &["104,8,0"]);
    assert_eq!(layers["layers"][0]["height"], -2960);
    // Before the wall, on this side of the border at 64.
    let (code, walk) = world.query("move", &[MIDDLE, "88,8,-3000"]);
    assert_eq!(code, 1);
    assert_eq!(walk["end"], "closed_side");
    assert_eq!(walk["point"], json!([63, 8, -3000]));
    // A step of 40: too high for the original server, not for others.
    for (profile, code, end) in [("pts", 1, "climb"), ("acis", 0, "reached")] {
        let found = world.query("move", &["72,8,-3000", "104,8,-2960", "--profile", profile]);
        assert_eq!((found.0, &found.1["end"]), (code, &json!(end)), "{profile}");
    }
    let (code, path) = world.query("path", &[MIDDLE, "88,8,-3000"]);
    assert_eq!((code, &path["end"]), (0, &json!("reached")));
    assert!(path["cost"].as_u64().unwrap() > 50, "around the wall");
    // A search that gives up reports how far it came.
    let (code, stdout, _) = run(&[
        "geodata",
        "path",
        &world.path("dat"),
        "40,8,-3000",
        "104,8,-2960",
        "--budget",
        "2",
    ]);
    assert_eq!(code, 1);
    assert!(
        stdout.contains("the nearest point is reached by"),
        "{stdout}"
    );
    let (_, step) = world.query("step", &["56,8,-3000"]);
    let ends: Vec<_> = (step["steps"].as_array().unwrap().iter())
        .map(|step| (step["direction"].as_str().unwrap(), step["end"].as_str()))
        .collect();
    assert!(ends.contains(&("east", Some("closed_side"))), "{ends:?}");
    assert!(ends.contains(&("west", Some("reached"))), "{ends:?}");
    let (code, fall) = world.query("drop", &["104,8,-2900"]);
    assert_eq!((code, &fall["fall"]), (0, &json!(60)));
    assert_eq!(world.query("snap", &["8,8,0"]).0, 1);
    assert_eq!(world.query("sight", &[MIDDLE, "40,8,-3000"]).0, 0);
    assert_eq!(world.query("fly", &[MIDDLE, "200,8,-3050"]).0, 1);
    let (_, spot) = world.query("spot", &["20000,20000,-3000", "--radius", "200"]);
    let near = |at: usize| (spot["point"][at].as_i64().unwrap() - 20000).abs() <= 200;
    assert!(near(0) && near(1), "{spot}");
    let (code, stdout, _) = run(&["geodata", "cell", "-84141,244623,0"]);
    assert_eq!(code, 0);
    assert_eq!(
        stdout,
        "17_25 block 110,119 cell 5,0, its middle is -84136,244616\n"
    );
}

#[test]
fn a_wrong_query_is_reported_with_similar_names() {
    let world = World::new();
    let [geodata, missing] = ["geodata", "geodato"].map(|it| world.path(it));
    let both = world.path("both");
    for name in ["both/20_18.l2j", "both/20_18.l2d"] {
        world.put(name, &world.bytes("geodata/20_18.l2j"));
    }
    for (args, words) in [
        (
            &["geodata", "height", &missing, MIDDLE][..],
            "does not exist; near it: ",
        ),
        (&["geodata", "height", "src", MIDDLE], "does not exist"),
        (
            &["geodata", "height", "DATA", MIDDLE],
            "expected a region of Lineage II geodata",
        ),
        (
            &["geodata", "height", &geodata, "-8,8,0"],
            "in region 19_18, which has no file in",
        ),
        (
            &["geodata", "path", &geodata, MIDDLE, "-8,8,0"],
            "in region 19_18, which has no file in",
        ),
        (
            &["geodata", "height", &geodata, "9999999,0,0"],
            "outside of all regions",
        ),
        (
            &["geodata", "height", &geodata, "1,2"],
            "three whole numbers",
        ),
        (
            &["geodata", "height", &both, MIDDLE],
            "--from chooses a format",
        ),
        (&["geodata", "heigt", &geodata, MIDDLE], "'height'"),
        (
            &["convert", &geodata, "--format", "l2x", "--to", "o"],
            "possible values: conv.dat, l2j",
        ),
        (
            &["geodata", "map", &geodata, "--to", "a.png", "--scale", "3"],
            "a power of two",
        ),
    ] {
        let (code, stdout, stderr) = run(args);
        assert_eq!((code, &*stdout), (2, ""), "{args:?}");
        assert!(stderr.contains(words), "{args:?}: {stderr}");
    }
    let (code, ..) = run(&["geodata", "height", &both, MIDDLE, "--from", "l2j"]);
    assert_eq!(code, 0);
    // Another region's two files do not matter.
    world.put("both/20_19.l2j", &world.bytes("geodata/20_18.l2j"));
    let (code, _, stderr) = run(&["geodata", "height", &both, "8,32776,-3000"]);
    assert_eq!((code, &*stderr), (0, ""));
    let (_, stdout, _) = run(&["geodata", "--help"]);
    assert!(stdout.contains("Examples:"), "{stdout}");
}

#[test]
fn a_map_shows_the_world_with_north_up() {
    let world = World::new();
    let north_east = RegionId::new(21, 17).unwrap();
    let high = L2j::from_region(&Region::flat(north_east, 6000), FlatRule::Max);
    world.put("geodata/21_17.l2j", &high.write().unwrap());
    let picture = world.path("map.png");
    let args = ["geodata", "map", &world.path("geodata"), "--to", &picture];
    let (code, stdout, stderr) = run(&args);
    assert_eq!((code, &*stderr), (0, ""));
    assert!(stdout.contains("512 x 512 pixels, 2 regions"), "{stdout}");
    let map = image::open(&picture).unwrap().to_rgb8();
    assert_eq!(map.get_pixel(400, 100).0, [242, 244, 248], "21_17 is white");
    assert_eq!(map.get_pixel(100, 100).0, [0; 3], "19_17 is not there");
    assert_ne!(map.get_pixel(100, 400).0, [0; 3]);
    assert_ne!(map.get_pixel(100, 400), map.get_pixel(400, 100));
    // Lines part the regions, and numbers name them, unless that is not wanted.
    let n_white = |map: &image::RgbImage| map.pixels().filter(|it| it.0 == [255; 3]).count();
    assert!(n_white(&map) > 100);
    let plain = world.path("plain.png");
    let args = [
        "geodata",
        "map",
        &world.path("geodata"),
        "--to",
        &plain,
        "--no-grid",
    ];
    assert_eq!(run(&args).0, 0);
    let plain = image::open(&plain).unwrap().to_rgb8();
    assert_eq!(n_white(&plain), 0);
    assert_ne!(map.get_pixel(256, 100), plain.get_pixel(256, 100));
    assert_eq!(map.get_pixel(300, 100), plain.get_pixel(300, 100));
    // Said before a file is opened.
    world.put("far/00_00.l2j", b"");
    world.put("far/31_31.l2j", b"");
    let (far, to) = (world.path("far"), world.path("far.png"));
    let (code, _, stderr) = run(&["geodata", "map", &far, "--to", &to, "--scale", "4"]);
    assert_eq!(code, 2);
    assert!(
        stderr.contains("--scale 8 makes it small enough"),
        "{stderr}"
    );
    let blocks = world.path("blocks.png");
    let one = world.path("geodata/20_18.l2j");
    let look = [
        "--to",
        &blocks,
        "--show",
        "blocks",
        "--scale",
        "8",
        "--no-grid",
    ];
    let (code, ..) = run(&[&["geodata", "map", &one][..], &look].concat());
    assert_eq!(code, 0);
    let map = image::open(&blocks).unwrap().to_rgb8();
    let [r, _, b] = map.get_pixel(0, 0).0;
    assert!(b > r, "the complex block is blue");
    assert_eq!(map.get_pixel(3, 3).0, [98, 134, 88]);
}

/// Real regions are not ours and not in the repository.
#[test]
#[expect(clippy::print_stderr, reason = "a test that skips says so")]
fn a_real_region_is_land_and_sea() {
    let Some(region) = ironlands_real_data::find("lineage2/17_25.l2j") else {
        eprintln!("skipped: no lineage2/17_25.l2j under IRONLANDS_DATA or ../shared/data");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("map.png");
    let [region, to] = [&region, &picture].map(|path| path.to_str().unwrap());
    let (code, ..) = run(&["geodata", "map", region, "--to", to, "--scale", "8"]);
    assert_eq!(code, 0);
    let map = image::open(&picture).unwrap().to_rgb8();
    let mut colors: Vec<_> = map.pixels().map(|pixel| pixel.0).collect();
    colors.sort_unstable();
    colors.dedup();
    assert!(colors.len() > 500, "{} colors", colors.len());
    // The figures of the dossier's section 9.
    let (_, stdout, _) = run(&["info", region]);
    for figure in [
        "51293",
        "11434",
        "2809",
        "237392",
        "-3887160600",
        "13310033",
    ] {
        assert!(stdout.contains(figure), "{figure} is not in\n{stdout}");
    }
}

#[test]
fn regions_are_exported_as_triangles() {
    let world = World::new();
    world.put("geodata/21_18.l2j", b"version 1\n");
    let glb = world.path("land.glb");
    let args = ["export", &world.path("geodata"), "--to", &glb];
    let (code, stdout, stderr) = run(&args);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("land.glb: "), "{stdout}");
    for words in [
        "1 of 2 regions are broken",
        "open sides and the lower heights",
    ] {
        assert!(stderr.contains(words), "{words} is not in\n{stderr}");
    }
    let bytes = world.bytes("land.glb");
    assert!(bytes.starts_with(b"glTF"));
    let has = |name: &[u8]| bytes.windows(name.len()).any(|window| window == name);
    assert!(has(b"20_18"), "a mesh by the name of its region");
    let (code, _, stderr) = run(&[&args[..], &["--force", "--strict"]].concat());
    assert_eq!(code, 2);
    assert!(stderr.contains("21_18.l2j: l2j: byte 0x0"), "{stderr}");
    let vmf = world.path("land.vmf");
    let (code, ..) = run(&["export", &world.path("dat"), "--to", &vmf]);
    assert_eq!(code, 2);
    let map01 = ["export", MAP01, "--to", &vmf, "--strict"];
    assert_eq!(run(&map01).0, 2);
}
