//! Java programs that load the library, and return what Rust returns.

#[path = "programs/jdk.rs"]
mod jdk;

use ironlands_geodata_set::fixtures::{assert_returns_what_rust_returns, sets};
use jdk::{compile, java};

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
