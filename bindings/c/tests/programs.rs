//! C programs that are compiled against the header and the library, and return what Rust returns.

use ironlands_geodata_set::fixtures::{assert_returns_what_rust_returns, sets};
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
#[expect(clippy::print_stderr, reason = "a test that skips says so")]
fn a_c_program_returns_what_rust_returns() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = compile("tests/run_script.c", folder.path()) else {
        eprintln!("skipped: no C compiler (`cc`)");
        return;
    };
    let real_data = ironlands_real_data::find("lineage2");
    assert_returns_what_rust_returns(real_data, || Command::new(&program));
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that skips says so")]
fn the_example_runs_on_several_threads() {
    let folder = tempfile::tempdir().unwrap();
    let Some(program) = compile("examples/walk.c", folder.path()) else {
        eprintln!("skipped: no C compiler (`cc`)");
        return;
    };
    let (demo, _) = sets(None).remove(0);
    let output = Command::new(program).arg(demo).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert!(text.contains("the path to the beacon has"), "{text}");
    assert!(text.contains("4 threads agree"), "{text}");
}

/// Compiles a program with warnings as errors; `None` without a compiler.
fn compile(source: &str, folder: &Path) -> Option<PathBuf> {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let has_compiler = Command::new("cc").arg("--version").output().is_ok();
    if !has_compiler {
        return None;
    }
    // Beside this test.
    let libraries = std::env::current_exe().unwrap();
    let libraries = libraries.parent().unwrap();
    let program = folder.join("program");
    let output = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-pthread", "-I"])
        .arg(crate_folder.join("include"))
        .arg(crate_folder.join(source))
        .arg("-L")
        .arg(libraries)
        .arg(format!("-Wl,-rpath,{}", libraries.display()))
        .args(["-lironlands_geodata_c", "-o"])
        .arg(&program)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{source}: {stderr}");
    Some(program)
}
