//! What a newcomer types: folders, other cases, no option at all, options for other games, and what the README shows.

use std::fs;
use std::path::Path;

use super::{MAP01, MISSION, WALKER, ironlands, outcome_of, picture, quick, run};

const DEMO_MAP: &str = "DATA/SOURCE/demo.bsp";
const ZONE: &str = "DATA/EVIL_ISLANDS/Maps/zone1.mpr";

#[test]
fn a_folder_that_holds_one_level_opens_it_in_any_case() {
    let folder = tempfile::tempdir().unwrap();
    for (level, same) in [
        (DEMO_MAP, &["DATA/SOURCE", "data/source/Demo.BSP"][..]),
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
    ];
    assert_eq!(listed, expected, "{stderr}");
    assert!(stderr.contains("DATA holds 5 levels"), "{stderr}");
}

#[test]
fn a_path_without_an_option_names_what_to_type() {
    for (typed, command) in [
        (MAP01, "--level DATA/MAPS/Map01"),
        ("data/source/demo.bsp", "--level DATA/SOURCE/demo.bsp"),
        ("DATA", "--level DATA"),
        (WALKER, "--model DATA/bases.rlb/WALKER.MSH"),
        (MISSION, "--mission DATA/MISSIONS/single.01"),
        ("README.md", "info README.md"),
    ] {
        let (code, stdout, stderr) = run(&[typed]);
        assert_eq!((code, &*stdout), (2, ""), "{typed}");
        let command = format!("type `ironlands {command}`");
        assert!(stderr.contains(&command), "{typed}: {stderr}");
    }
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

/// Lines of the README's tool block, without their comments.
fn tool_lines(readme: &str) -> Vec<String> {
    let (_, tools) = readme.split_once("## Tools").expect("it has tools");
    let (_, block) = tools.split_once("```sh\n").expect("in a block");
    let (block, _) = block.split_once("```").expect("that ends");
    let lines = block
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default());
    let lines = lines.map(|line| line.trim().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

#[cfg(unix)]
#[test]
fn every_line_of_the_readmes_tools_runs_on_the_demo() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lines = tool_lines(&fs::read_to_string(root.join("README.md")).unwrap());
    assert!(lines.len() > 10, "{lines:?}");
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root.join("DATA"), folder.path().join("DATA")).unwrap();
    for line in lines {
        let words: Vec<_> = line.split_whitespace().collect();
        let ["ironlands", args @ ..] = &words[..] else {
            panic!("{line}");
        };
        if args.first() == Some(&"demo") {
            // Built in a test of its own; it takes long.
            continue;
        }
        let output = ironlands(args).current_dir(folder.path()).output().unwrap();
        let (code, stdout, stderr) = outcome_of(&output);
        assert_eq!(code, 0, "{line}\n{stdout}{stderr}");
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
