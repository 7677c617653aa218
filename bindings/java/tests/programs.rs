//! Java programs that load the library, and return what Rust returns.

use ironlands_geodata_set::fixtures::{assert_returns_what_rust_returns, sets};
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
#[expect(clippy::print_stderr, reason = "a test that skips says so")]
fn java_returns_what_rust_returns() {
    let folder = tempfile::tempdir().unwrap();
    if !compile("tests/RunScript.java", folder.path()) {
        eprintln!("skipped: no JDK of version 17 or newer (`javac`)");
        return;
    }
    let real_data = ironlands_real_data::find("lineage2");
    assert_returns_what_rust_returns(real_data, || java(folder.path(), "RunScript"));
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that skips says so")]
fn the_example_runs() {
    let folder = tempfile::tempdir().unwrap();
    if !compile("examples/GeoEngine.java", folder.path()) {
        eprintln!("skipped: no JDK of version 17 or newer (`javac`)");
        return;
    }
    let (demo, _) = sets(None).remove(0);
    let output = java(folder.path(), "GeoEngine").arg(demo).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{stderr}");
    for words in [
        "height of the harbor: -3736",
        "with a closed door: false",
        "with it open: true",
        "no region: region 01_02 is not loaded",
    ] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
}

/// Compiles the classes and a program with warnings as errors; `false` without a compiler.
fn compile(program: &str, folder: &Path) -> bool {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let version = Command::new("javac")
        .args(["--release", "17", "-version"])
        .output();
    if !version.is_ok_and(|output| output.status.success()) {
        return false;
    }
    let package = crate_folder.join("java/org/ironlands/geodata");
    let output = Command::new("javac")
        .args(["--release", "17", "-Xlint:all", "-Werror", "-d"])
        .arg(folder)
        .args(["Geodata.java", "GeodataException.java"].map(|name| package.join(name)))
        .arg(crate_folder.join(program))
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    true
}

fn java(classes: &Path, class: &str) -> Command {
    let mut command = Command::new("java");
    command
        .arg(format!(
            "-Dironlands.geodata.library={}",
            library().display()
        ))
        .arg("-cp")
        .arg(classes)
        .arg(class);
    command
}

/// Beside this test.
fn library() -> PathBuf {
    let name = format!(
        "{}ironlands_geodata_java{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().join(name)
}
