//! `geodata edit`: counts, files, backups, errors with their lines, and an edit that was interrupted.

use super::*;

const EDITS: &str = r#"
{"edit":"raise","rectangle":[0,0,15,15],"by":48}
{"edit":"close","brush":[1000,1000],"radius":40,"sides":"NS","z":-3000}

{"edit":"level","rectangle":[5000,5000,5040,5040],"height":0}
{"edit":"undo"}
"#;

#[test]
fn edits_are_counted_and_saved_with_a_backup() {
    let world = World::new();
    let geodata = world.path("geodata");
    let edits = world.put("edits.jsonl", EDITS.as_bytes());
    let before = world.bytes("geodata/20_18.l2j");
    let args = ["geodata", "edit", &geodata, "--apply", &edits];
    let (code, stdout, stderr) = run(&[&args[..], &["--dry-run"]].concat());
    assert_eq!((code, &*stderr), (0, ""));
    // One cell of the complex block; a disk of cells over a corner of four flat blocks, of which it reaches three.
    let count = |stdout: &str| stdout.lines().next().unwrap().to_owned();
    assert_eq!(
        count(&stdout),
        "would change: 22 cells in 4 blocks of 1 regions"
    );
    assert_eq!(names_in(Path::new(&geodata)), ["20_18.l2j"]);
    assert!(world.bytes("geodata/20_18.l2j") == before);

    let (code, stdout, stderr) = run(&args);
    assert_eq!((code, &*stderr), (0, ""));
    assert_eq!(count(&stdout), "changed: 22 cells in 4 blocks of 1 regions");
    assert!(stdout.contains("20_18.l2j: "), "{stdout}");
    assert_eq!(
        names_in(Path::new(&geodata)),
        ["20_18.l2j", "20_18.l2j.bak"]
    );
    assert!(world.bytes("geodata/20_18.l2j.bak") == before);
    assert_eq!(world.query("height", &[MIDDLE]).1["height"], -2952);
    assert_eq!(world.query("height", &["1000,1000,-3000"]).1["nswe"], "WE");
    assert_eq!(
        world.query("height", &["5008,5008,-3000"]).1["height"],
        -3000
    );
    assert_eq!(run(&["check", &geodata]).0, 0);
    // An older backup stays.
    assert_eq!(run(&args).0, 0);
    assert!(world.bytes("geodata/20_18.l2j.bak") == before);
    assert_eq!(run(&[&args[..], &["--no-backup"]].concat()).0, 0);
    assert_eq!(names_in(Path::new(&geodata)).len(), 3);

    let out = world.path("out");
    let to = [&args[..], &["--to", &out]].concat();
    let kept = world.bytes("geodata/20_18.l2j");
    assert_eq!(run(&to).0, 0);
    assert!(world.bytes("geodata/20_18.l2j") == kept);
    assert!(world.bytes("out/20_18.l2j") != kept);
    let (code, _, stderr) = run(&to);
    assert_eq!(code, 2);
    assert!(stderr.contains("--force replaces it"), "{stderr}");
    assert_eq!(run(&[&to[..], &["--force"]].concat()).0, 0);
}

#[test]
fn a_wrong_line_is_located_and_nothing_is_changed() {
    let world = World::new();
    let geodata = world.path("geodata");
    let before = world.bytes("geodata/20_18.l2j");
    for (line, words) in [
        (r#"{"edit":"rase"}"#, "unknown variant `rase`"),
        (
            r#"{"edit":"smooth","rectangle":[-99,-99,-60,-60]}"#,
            "no region is there",
        ),
        (r#"{"edit":"redo"}"#, "nothing to redo"),
        (
            r#"{"edit":"smooth","brush":[0,0],"radius":9999999}"#,
            "outside of all regions",
        ),
    ] {
        let text = format!("{{\"edit\":\"raise\",\"rectangle\":[0,0,9,9],\"by\":8}}\n\n{line}");
        let edits = world.put("edits.jsonl", text.as_bytes());
        let (code, stdout, stderr) = run(&["geodata", "edit", &geodata, "--apply", &edits]);
        assert_eq!((code, &*stdout), (2, ""), "{line}");
        for words in ["edits.jsonl: line 3", words] {
            assert!(stderr.contains(words), "{words} is not in\n{stderr}");
        }
        assert_eq!(names_in(Path::new(&geodata)), ["20_18.l2j"]);
        assert!(world.bytes("geodata/20_18.l2j") == before);
    }
    assert_eq!(run(&["geodata", "edit", &geodata]).0, 2);
}

/// Its journal stays, as after a crash between the first edit and the end of saving.
#[test]
fn an_interrupted_edit_is_completed_or_discarded() {
    let world = World::new();
    let geodata = world.path("geodata");
    let edits = world.put("edits.jsonl", EDITS.as_bytes());
    // A folder in place of the file that is written: saving fails.
    let out = world.path("out");
    fs::create_dir_all(world.path("out/20_18.l2j")).unwrap();
    let args = ["geodata", "edit", &geodata, "--apply", &edits];
    let (code, _, _) = run(&[&args[..], &["--to", &out, "--force"]].concat());
    assert_eq!(code, 2);
    let journal = world.path("geodata/geodata-edit.journal");
    assert!(Path::new(&journal).exists());
    let (code, _, stderr) = run(&args);
    assert_eq!(code, 2);
    assert!(stderr.contains("--recover completes it"), "{stderr}");
    let (code, stdout, stderr) = run(&["geodata", "edit", &geodata, "--recover"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("changed: 22 cells in 4 blocks"), "{stdout}");
    assert_eq!(world.query("height", &[MIDDLE]).1["height"], -2952);
    assert!(!Path::new(&journal).exists());

    run(&[&args[..], &["--to", &out, "--force"]].concat());
    assert_eq!(run(&["geodata", "edit", &geodata, "--discard"]).0, 0);
    assert!(!Path::new(&journal).exists());
    assert_eq!(world.query("height", &[MIDDLE]).1["height"], -2952);
}
