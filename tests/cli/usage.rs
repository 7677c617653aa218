//! What a newcomer types: folders, other cases, no option at all, options for other games, and what the README shows.

use std::fs;
use std::path::Path;

use super::{MAP01, MISSION, WALKER, copy_of_data, ironlands, outcome_of, picture, quick, run};

const DEMO_MAP: &str = "DATA/SOURCE/demo.bsp";
const ZONE: &str = "DATA/EVIL_ISLANDS/Maps/zone1.mpr";

#[test]
fn a_folder_that_holds_one_level_opens_it_in_any_case() {
    let folder = tempfile::tempdir().unwrap();
    for (level, same) in [
        (DEMO_MAP, &["data/source/Demo.BSP"][..]),
        (
            "DATA/EVIL_ISLANDS/Maps/zone1.mpr",
            &["DATA/EVIL_ISLANDS", "data/evil_islands/maps"],
        ),
        ("DATA/LINEAGE2", &["data/lineage2"]),
        (MAP01, &["data/maps/MAP01", "data/MAPS/map01/land.msh"]),
    ] {
        let expected = picture(folder.path(), "picture.png", &["--level", level]);
        for path in same {
            let found = picture(folder.path(), "picture.png", &["--level", path]);
            assert!(found == expected, "{path} is {level}");
        }
    }
    let walker = picture(folder.path(), "picture.png", &["--model", WALKER]);
    let same = picture(
        folder.path(),
        "picture.png",
        &["--model", "data/BASES.rlb/walker.msh"],
    );
    assert!(same == walker);
}

#[test]
fn a_folder_that_holds_several_levels_lists_them_all() {
    let (code, stdout, stderr) = run(&["--level", "DATA", "--offscreen"]);
    assert_eq!((code, &*stdout), (2, ""));
    let listed: Vec<_> = stderr.lines().skip(1).map(str::trim).collect();
    let expected = [
        "DATA/EVIL_ISLANDS/Maps/zone1.mpr",
        "DATA/LINEAGE2",
        MAP01,
        "DATA/MAPS/Map02",
        DEMO_MAP,
        "DATA/SOURCE/garden.bsp",
        "DATA/SOURCE/shading.bsp",
    ];
    assert_eq!(listed, expected, "{stderr}");
    assert!(stderr.contains("DATA holds 7 levels"), "{stderr}");
}

#[test]
fn a_path_alone_opens_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let picture = |args: &[&str]| picture(folder.path(), "picture.png", args);
    for (path, option, opened) in [
        (MAP01, "--level", MAP01),
        (
            "data/evil_islands",
            "--level",
            "DATA/EVIL_ISLANDS/Maps/zone1.mpr",
        ),
        ("data/bases.RLB/walker.msh", "--model", WALKER),
        (MISSION, "--mission", MISSION),
    ] {
        let expected = picture(&[option, opened]);
        assert!(picture(&[path]) == expected, "{path}");
        assert!(picture(&["view", path]) == expected, "view {path}");
        assert!(picture(&["--software", path]) == expected, "before {path}");
    }
    // What is not to be shown is described.
    for path in [
        "DATA/Textures.lib",
        "DATA/EVIL_ISLANDS/Res/textures.res/human01.mmp",
    ] {
        let described = run(&["info", path]);
        assert_eq!(described.0, 0);
        assert_eq!(run(&[path]), described, "{path}");
    }
    let (code, stdout, stderr) = run(&["README.md"]);
    assert_eq!((code, &*stdout), (2, ""));
    assert!(stderr.contains("nothing of a known format"), "{stderr}");
    let (code, _, stderr) = run(&["DATA/MAPS/Map07"]);
    assert_eq!(code, 2);
    assert!(
        stderr.contains("DATA/MAPS/Map07 does not exist"),
        "{stderr}"
    );
    let (code, _, stderr) = run(&["chekc"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("'check'"), "{stderr}");
}

#[test]
fn commands_do_what_the_options_do() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let flight = "DATA/EVIL_ISLANDS/Cameras/flight.cam";
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let [a, b, c, d] = ["a.png", "b.png", "c", "d"].map(file);
    for args in [
        &["render", WALKER, "--frame", "6", "--to", &a][..],
        &["--model", WALKER, "--frame", "6", "--render", &b],
        &[
            "record", DEMO_MAP, "--play", flight, "--fps", "0.1", "--to", &c,
        ],
        &[
            "--level", DEMO_MAP, "--play", flight, "--fps", "0.1", "--record", &d,
        ],
    ] {
        let (code, _, stderr) = run(&quick(args));
        assert_eq!(code, 0, "{args:?}: {stderr}");
    }
    assert_eq!(read("a.png"), read("b.png"));
    assert_eq!(read("c/frame-0001.png"), read("d/frame-0001.png"));
    let (code, stdout, stderr) = run(&quick(&["bench", DEMO_MAP, "--frames", "2"]));
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stdout.lines().nth(1).unwrap().trim().starts_with("2 "),
        "{stdout}"
    );
    for (args, words) in [
        (&["render", MAP01][..], "--to <FILE.png>"),
        (&["record", MAP01, "--to", "x"], "--play"),
        (&["render", "--to", "x.png"], "<PATH"),
        (
            &["view", MAP01, "--frame", "3"],
            "cannot be used with '--frame",
        ),
        (
            &["render", "DATA/Textures.lib", "--to", "x.png"],
            "without terrain",
        ),
        (&["view", "no/level"], "no/level does not exist"),
        (
            &["--size", "4x4", "render", MAP01, "--to", "x.png"],
            "put options after",
        ),
    ] {
        let (code, stdout, stderr) = run(args);
        assert_eq!((code, &*stdout), (2, ""), "{args:?}");
        assert!(stderr.contains(words), "{args:?}: {stderr}");
    }
}

/// What a program reads of a command's JSON.
fn json_of(args: &[&str]) -> (i32, serde_json::Value) {
    let (code, stdout, _) = run(args);
    (
        code,
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}")),
    )
}

#[test]
fn info_and_check_print_json() {
    let (code, info) = json_of(&["info", "DATA/Material.lib", "--json"]);
    assert_eq!(code, 0);
    let report = &info["reports"][0];
    assert_eq!(report["format"], "nres");
    let facts = report["facts"].as_array().unwrap();
    assert!(
        facts.iter().any(|fact| fact["name"] == "entries"),
        "{report}"
    );
    let entries = report["entries"].as_array().unwrap();
    let grass = entries.iter().find(|entry| entry["name"] == "GRASS");
    assert_eq!(grass.unwrap()["type"], "MAT0");
    let (_, geodata) = json_of(&["info", "DATA/LINEAGE2", "--json"]);
    let notes = geodata["notes"].as_array().unwrap();
    assert!(!notes.is_empty(), "what worlds add: {geodata}");

    let (_folder, level) = copy_of_data();
    fs::write(level.join("notes.txt"), "?").unwrap();
    let land = level.join("Land.map");
    let mut bytes = fs::read(&land).unwrap();
    bytes[0] = b'X';
    fs::write(&land, &bytes).unwrap();
    let (code, check) = json_of(&["check", level.to_str().unwrap(), "--json"]);
    assert_eq!(code, 1);
    let totals = &check["totals"];
    assert!(totals["errors"].as_u64() > Some(0), "{totals}");
    assert_eq!(totals["unknown"], 1);
    let unknown = check["unknown"][0].as_str().unwrap();
    assert!(unknown.ends_with("notes.txt"), "{unknown}");
    let reports = check["reports"].as_array().unwrap();
    let is_land = |report: &&serde_json::Value| {
        report["path"].as_str().unwrap().ends_with("Land.map") && report["scope"] == "file"
    };
    let finding = &reports.iter().find(is_land).unwrap()["findings"][0];
    assert_eq!(
        (&finding["severity"], &finding["offset"]),
        (&"error".into(), &0.into())
    );
}

#[test]
fn shells_and_manuals_know_all_commands() {
    let folder = tempfile::tempdir().unwrap();
    let man = folder.path().join("man");
    let man = man.to_str().unwrap();
    let (code, stdout, stderr) = run(&["man", "--to", man]);
    assert_eq!(code, 0, "{stderr}");
    let page = |name: &str| fs::read_to_string(format!("{man}/{name}.1")).unwrap();
    assert!(page("ironlands-render").contains("\\-\\-to"), "its options");
    assert!(
        page("ironlands").contains("ironlands\\-check"),
        "its commands"
    );
    assert!(
        page("ironlands-geodata-path").contains("geodata"),
        "those of worlds"
    );
    let n_pages = super::names_in(Path::new(man)).len();
    assert_eq!(stdout.lines().count(), n_pages, "{stdout}");
    let (code, ..) = run(&["man", "--to", man]);
    assert_eq!(code, 2, "pages are not overwritten");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, stdout, _) = run(&["completions", shell]);
        assert_eq!(code, 0, "{shell}");
        for word in ["render", "geodata", "water-level", "no-clouds"] {
            assert!(stdout.contains(word), "{shell} does not know {word}");
        }
    }
}

#[test]
fn info_on_what_cannot_be_read_is_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("Land.msh");
    fs::write(&broken, "no terrain").unwrap();
    let (code, stdout, stderr) = run(&["info", broken.to_str().unwrap()]);
    assert_eq!(code, 2, "{stdout}{stderr}");
    assert!(stdout.contains("error: nres: byte 0x0"), "{stdout}");
    assert!(stderr.contains("could not be read"), "{stderr}");
    // The others of a folder can be described.
    let (code, stdout, _) = run(&["info", folder.path().to_str().unwrap()]);
    assert_eq!(code, 0, "{stdout}");
    let (code, ..) = run(&["check", broken.to_str().unwrap()]);
    assert_eq!(code, 1, "an error");
}

#[cfg(unix)]
#[test]
fn what_is_no_file_can_be_neither_reported_nor_checked() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket.bsp");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    for command in ["info", "check"] {
        let (code, stdout, stderr) = run(&[command, socket.to_str().unwrap()]);
        assert_eq!(code, 2, "{command}: {stdout}{stderr}");
        assert!(stderr.contains("socket.bsp"), "{command}: {stderr}");
    }
}

#[test]
fn check_names_what_it_does_not_know() {
    let folder = tempfile::tempdir().unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("DATA");
    fs::copy(
        data.join("BuildDat.lst"),
        folder.path().join("BuildDat.lst"),
    )
    .unwrap();
    for name in ["notes.txt", "saved.game"] {
        fs::write(folder.path().join(name), "?").unwrap();
    }
    let (code, stdout, _) = run(&["check", folder.path().to_str().unwrap()]);
    assert_eq!(code, 0, "{stdout}");
    for name in ["notes.txt", "saved.game"] {
        let line = format!("{name}: not checked: of no known format");
        assert!(stdout.contains(&line), "{stdout}");
    }
    assert!(stdout.contains("of no known format 2"), "{stdout}");
}

#[test]
fn a_report_holds_figures_and_no_names() {
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("DATA");
    let (code, stdout, stderr) = run(&["check", "--report", game.to_str().unwrap()]);
    assert_eq!((code, &*stderr), (0, ""), "{stdout}");
    let fits = "fits: models fit their boxes with quaternions w, x, y, z: ";
    for part in ["files of land_msh: 2\n", "note of geodata: 2\n", fits] {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
    assert!(!stdout.contains("does not fit"), "{stdout}");
    for name in ["DATA", "Map01", "MAPS", ".rlb", "zone1", "20_18"] {
        assert!(!stdout.contains(name), "{name}: {stdout}");
    }
}

#[test]
fn options_that_do_nothing_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.png");
    let to = ["--force", "--render", path.to_str().unwrap()];
    for (args, words) in [
        (
            &["--level", DEMO_MAP, "--bare"][..],
            "--bare does nothing here: it is for Parkan",
        ),
        (
            &["--level", MAP01, "--light", "hdr", "--bare"],
            "--light does nothing here: it is for Source maps",
        ),
        (
            &["--level", "DATA/LINEAGE2", "--assets", "DATA"],
            "--assets does nothing here: it is for Source maps and Evil Islands",
        ),
        (
            &["--level", MAP01, "--bare", "--from", "l2j", "--strict"],
            "--from does nothing here: it is for geodata",
        ),
        (
            &["--model", WALKER, "--no-water"],
            "--no-water does nothing here: it has no water",
        ),
        (
            &["--level", MAP01, "--bare", "--no-vsync"],
            "--no-vsync does nothing here: there is no window",
        ),
        (
            &["--level", MAP01, "--rate", "9", "--time", "1"],
            "--rate does nothing here: it is for --play all and for a model alone",
        ),
        (
            &["--level", DEMO_MAP, "--rate", "9"],
            "--rate does nothing here: nothing in it has frames",
        ),
        (
            &[
                "--level", ZONE, "--play", "all", "--rate", "9", "--time", "1",
            ],
            "--rate does nothing here: its animations play at rates of their own",
        ),
        (
            &["--model", WALKER, "--rate", "9"],
            "--rate does nothing here: the picture shows the first moment",
        ),
        (
            &[
                "--model", WALKER, "--rate", "9", "--frame", "3", "--time", "1",
            ],
            "--rate does nothing here: --frame stands still",
        ),
        (
            &["--level", "DATA/LINEAGE2", "--play", "all"],
            "--play does nothing here: it has no models",
        ),
        (
            &["--level", ZONE, "--day-speed", "1"],
            "--day-speed does nothing here: the picture shows the first moment",
        ),
        (
            &["--level", MAP01, "--bare", "--land-detail", "9"],
            "--land-detail does nothing here: it is for land that comes in tiles",
        ),
        (
            &["--level", MAP01, "--bare", "--land-memory", "9"],
            "--land-memory does nothing here: it is for land that comes in tiles",
        ),
    ] {
        let (code, _, stderr) = run(&quick(&[args, &to].concat()));
        assert_eq!(code, 0, "{args:?}: {stderr}");
        assert!(stderr.contains(words), "{args:?}: {stderr}");
    }
    for args in [
        &[
            "--level",
            MAP01,
            "--no-water",
            "--no-fog",
            "--no-sea",
            "--no-lod",
        ][..],
        &[
            "--level", MAP01, "--play", "all", "--rate", "9", "--time", "1",
        ],
        &["--model", WALKER, "--rate", "9", "--time", "1"],
        &[
            "--level",
            ZONE,
            "--play",
            "still",
            "--day-speed",
            "1",
            "--time",
            "1",
        ],
        &[
            "--level",
            "DATA/LINEAGE2",
            "--land-detail",
            "9",
            "--land-memory",
            "9",
        ],
    ] {
        let (code, _, stderr) = run(&quick(&[args, &to].concat()));
        assert_eq!(code, 0, "{args:?}: {stderr}");
        assert!(!stderr.contains("does nothing"), "{args:?}: {stderr}");
    }
}

/// The README's lines that run the program, without their comments.
fn program_lines(readme: &str) -> Vec<String> {
    let blocks = readme.split("```sh\n").skip(1);
    let blocks = blocks.map(|block| block.split_once("```").expect("it ends").0);
    let lines = blocks.flat_map(str::lines);
    let lines = lines.map(|line| line.split(" #").next().unwrap_or_default().trim());
    let lines = lines.filter_map(|line| {
        let from_sources = line.strip_prefix("cargo run --release -- ");
        from_sources.or_else(|| line.strip_prefix("ironlands "))
    });
    lines.map(str::to_owned).collect()
}

/// The words of a line; of what shows pictures, small ones.
fn small_pictures(line: &str) -> Vec<&str> {
    let mut words: Vec<_> = line.split_whitespace().collect();
    let draws = ["view", "render", "record", "bench", "--level", "--model"];
    if draws.contains(&words[0]) || Path::new(words[0]).components().count() > 1 {
        for option in ["--size", "--fps"] {
            let Some(at) = words.iter().position(|word| *word == option) else {
                continue;
            };
            words.drain(at..at + 2);
        }
        words = quick(&words);
    }
    words
}

#[cfg(unix)]
#[test]
fn every_line_of_the_readme_runs_on_the_demo() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lines = program_lines(&fs::read_to_string(root.join("README.md")).unwrap());
    assert!(lines.len() > 30, "{lines:?}");
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root.join("DATA"), folder.path().join("DATA")).unwrap();
    let has_encoder = std::process::Command::new("ffmpeg")
        .arg("-version")
        .output()
        .is_ok();
    // The demo is built in a test of its own; it takes long. Videos need a program that a machine may lack.
    let is_run =
        |line: &&String| !line.starts_with("demo ") && (has_encoder || !line.contains(".mp4"));
    for line in lines.iter().filter(is_run) {
        let args = small_pictures(line);
        let output = ironlands(&args)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let (code, stdout, stderr) = outcome_of(&output);
        assert_eq!(code, 0, "{line}\n{stdout}{stderr}");
        assert!(!stderr.contains("does nothing"), "{line}\n{stderr}");
    }
}

#[test]
fn an_entry_of_an_archive_is_checked_and_reported_alone() {
    let (code, stdout, stderr) = run(&["check", WALKER]);
    assert_eq!((code, &*stderr), (0, ""), "{stdout}");
    assert!(stdout.contains("files 1, levels 0: errors 0"), "{stdout}");
    let (code, stdout, stderr) = run(&["info", WALKER]);
    assert_eq!((code, &*stderr), (0, ""));
    assert!(
        stdout.contains("MESH") && stdout.contains("nodes"),
        "{stdout}"
    );
    let (code, stdout, stderr) = run(&["check", "DATA/bases.rlb/WALTER.MSH"]);
    assert_eq!((code, &*stdout), (2, ""));
    assert!(stderr.contains("near it: WALKER.msh"), "{stderr}");
}
