//! Python programs that import the module, and return what Rust returns.

use ironlands_geodata_set::fixtures::{Script, sets};
use ironlands_geodata_set::{GeodataSet, LoadOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Rounds of calls on a set.
const N_ROUNDS: u32 = 120;

#[test]
#[expect(clippy::print_stderr, reason = "a test that skips says so")]
fn python_returns_what_rust_returns() {
    let folder = tempfile::tempdir().unwrap();
    let Some(python) = python(folder.path()) else {
        eprintln!("skipped: no `python3` with NumPy (IRONLANDS_PYTHON names another)");
        return;
    };
    for (path, format) in sets(ironlands_real_data::find("lineage2")) {
        let options = LoadOptions {
            format: format.map(str::to_owned),
            ..LoadOptions::default()
        };
        let set = GeodataSet::load(&path, &options).unwrap();
        let script = Script::new(&set, N_ROUNDS);
        let mut child = command(&python, folder.path(), "tests/run_script.py")
            .arg(&path)
            .args(format)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let calls = script.calls.clone();
        let writer = std::thread::spawn(move || stdin.write_all(calls.as_bytes()).unwrap());
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert!(
            output.status.success(),
            "{}: {}",
            path.display(),
            output.status
        );
        script.assert_printed(&String::from_utf8(output.stdout).unwrap());
    }
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
