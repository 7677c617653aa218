//! The demo program, run as its users run it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Exit code, stdout and stderr.
fn run(args: &[&str]) -> (i32, String, String) {
    let program = env!("CARGO_BIN_EXE_ironlands-demo");
    let output = Command::new(program).args(args).output().unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
    (output.status.code().unwrap(), stdout, stderr)
}

fn n_files_below(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap();
    let n_files = entries.map(|entry| match entry.unwrap().path() {
        path if path.is_dir() => n_files_below(&path),
        _ => 1,
    });
    n_files.sum()
}

#[test]
fn the_demo_is_built_where_requested_and_over_nothing_without_force() {
    let n_files = n_files_below(&root().join("DATA"));
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("new/DATA");
    let build = |more: &[&str]| {
        let args: Vec<_> = ["--to", to.to_str().unwrap()]
            .iter()
            .chain(more)
            .copied()
            .collect();
        run(&args)
    };
    let (code, stdout, stderr) = build(&[]);
    assert_eq!(code, 0);
    // No terminal: its steps are lines.
    for step in ["Map01: ", "Map02: ", "writing "] {
        assert!(
            stderr.lines().any(|line| line.starts_with(step)),
            "{stderr}"
        );
    }
    assert!(
        stdout.contains(&format!("{n_files} written, 0 were there already")),
        "{stdout}"
    );
    let (code, stdout, _) = build(&[]);
    assert_eq!(code, 0);
    assert!(
        stdout.contains(&format!("0 written, {n_files} were there already")),
        "{stdout}"
    );

    let mine = to.join("Textures.lib");
    fs::write(&mine, b"mine").unwrap();
    fs::remove_file(to.join("BuildDat.lst")).unwrap();
    let (code, stdout, stderr) = build(&[]);
    assert_eq!((code, &*stdout), (2, ""));
    assert!(
        stderr.contains("Textures.lib") && stderr.contains("--force"),
        "{stderr}"
    );
    assert_eq!(fs::read(&mine).unwrap(), b"mine");
    assert!(!to.join("BuildDat.lst").exists(), "all or nothing");

    let (code, stdout, _) = build(&["--force"]);
    assert_eq!(code, 0);
    assert!(
        stdout.contains(&format!("2 written, {} were there already", n_files - 2)),
        "{stdout}"
    );
    assert_ne!(fs::read(&mine).unwrap(), b"mine");
}
