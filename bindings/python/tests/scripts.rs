//! Python programs that import the module, and return what Rust returns.

use ironlands_geodata_set::fixtures::{assert_returns_what_rust_returns, sets};
use std::path::Path;
use std::process::Command;

#[test]
#[expect(clippy::print_stderr, reason = "a test that skips says so")]
fn python_returns_what_rust_returns() {
    let folder = tempfile::tempdir().unwrap();
    let Some(python) = python(folder.path()) else {
        eprintln!("skipped: no `python3` with NumPy (IRONLANDS_PYTHON names another)");
        return;
    };
    let real_data = ironlands_real_data::find("lineage2");
    assert_returns_what_rust_returns(real_data, || {
        command(&python, folder.path(), "tests/run_script.py")
    });
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that skips says so")]
fn the_example_runs() {
    let folder = tempfile::tempdir().unwrap();
    let Some(python) = python(folder.path()) else {
        eprintln!("skipped: no `python3` with NumPy (IRONLANDS_PYTHON names another)");
        return;
    };
    let (demo, _) = sets(None).remove(0);
    let mut example = command(&python, folder.path(), "examples/geodata.py");
    let output = example.arg(demo).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{stderr}");
    for words in [
        "the path to the beacon has",
        "with the door closed a walk to it ends with 2",
        "with the door open it ends with 0",
        "no height: region 01_02 is not loaded",
    ] {
        assert!(text.contains(words), "{words} is not in\n{text}");
    }
}

/// An interpreter with NumPy, and the module in a folder under the name that it imports.
fn python(folder: &Path) -> Option<String> {
    let python = std::env::var("IRONLANDS_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_numpy = Command::new(&python).args(["-c", "import numpy"]).output();
    if !has_numpy.is_ok_and(|output| output.status.success()) {
        return None;
    }
    // Beside this test.
    let test = std::env::current_exe().unwrap();
    let library = format!(
        "{}ironlands_geodata{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    let library = test.parent().unwrap().join(library);
    let module = if cfg!(windows) {
        "ironlands_geodata.pyd"
    } else {
        "ironlands_geodata.so"
    };
    std::fs::copy(&library, folder.join(module))
        .unwrap_or_else(|error| panic!("{}: {error}", library.display()));
    Some(python)
}

fn command(python: &str, folder: &Path, script: &str) -> Command {
    let mut command = Command::new(python);
    command
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(script))
        .env("PYTHONPATH", folder);
    command
}
