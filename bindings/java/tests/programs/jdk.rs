//! Compiles Java programs and runs them with the library.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles the classes and a program with warnings as errors; `false` without a compiler.
pub fn compile(program: &str, folder: &Path) -> bool {
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

/// A program that [`compile`] compiled, with the library.
pub fn java(classes: &Path, class: &str) -> Command {
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

/// Beside this program.
fn library() -> PathBuf {
    let name = format!(
        "{}ironlands_geodata_java{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().join(name)
}
