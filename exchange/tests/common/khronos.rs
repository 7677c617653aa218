//! The Khronos glTF validator, where node and the npm package `gltf-validator` are there.
//!
//! The package is looked for in `target/gltf-validator/node_modules` and in `NODE_PATH`; with `IRONLANDS_NPM=1` npm
//! brings it there, and the trials fail if it cannot. Otherwise, without them, the trials are listed as ignored.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;

use libtest_mimic::{Arguments, Trial};
use serde_json::Value;

const PACKAGE: &str = "gltf-validator@2.0.0-dev.3.10";

/// Prints the validator's report on the file that is its argument.
const SCRIPT: &str = "const fs = require('fs');
require('gltf-validator').validateBytes(new Uint8Array(fs.readFileSync(process.argv[1])))
    .then(report => console.log(JSON.stringify(report)));";

/// Infos that a sound model of ours may bring, each with its reason.
const KNOWN_INFOS: [&str; 3] = [
    // That of lightmaps.
    "UNSUPPORTED_EXTENSION",
    // UVs stay in the file where the material has no texture, and those of lightmaps always.
    "UNUSED_OBJECT",
    // Models have them.
    "ACCESSOR_INDEX_TRIANGLE_DEGENERATE",
];

/// A trial: its name, and the files that are validated.
pub type Validated = (&'static str, fn() -> Vec<Vec<u8>>);

/// Validates the files of each trial.
pub fn run(trials: impl IntoIterator<Item = Validated>) -> ExitCode {
    let validator = Arc::new(Validator::find());
    let trials = trials.into_iter().map(|(name, files)| {
        let at_hand = Arc::clone(&validator);
        let is_required = validator.is_ok() || npm_is_allowed();
        let trial = Trial::test(name, move || match &*at_hand {
            Ok(validator) => Ok(validator.validate_all(name, &files())?),
            // Who allows npm wants the trials.
            Err(reason) if is_required => Err(reason.clone().into()),
            Err(_) => Ok(()),
        });
        match &*validator {
            Err(reason) if !is_required => trial.with_kind(reason).with_ignored_flag(true),
            _ => trial,
        }
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// Node with the package at hand.
struct Validator {
    /// Where files to validate are put.
    folder: PathBuf,
    /// As in `NODE_PATH`.
    modules: std::ffi::OsString,
}

impl Validator {
    /// Why there is none is the error.
    fn find() -> Result<Self, String> {
        let folder = target().join("gltf-validator");
        let own = folder.join("node_modules");
        if npm_is_allowed() && !own.join("gltf-validator").is_dir() {
            install(&folder)?;
        }
        let elsewhere = std::env::var_os("NODE_PATH").unwrap_or_default();
        let places = std::iter::once(own).chain(std::env::split_paths(&elsewhere));
        let modules = std::env::join_paths(places).map_err(|error| error.to_string())?;
        let found = Command::new("node")
            .args(["-e", "require.resolve('gltf-validator')"])
            .env("NODE_PATH", &modules)
            .output();
        match found {
            Err(_) => Err("no node on PATH".to_owned()),
            Ok(output) if !output.status.success() => Err(format!(
                "no npm package gltf-validator; IRONLANDS_NPM=1 lets npm install {PACKAGE}"
            )),
            Ok(_) => {
                std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
                Ok(Self { folder, modules })
            }
        }
    }

    fn validate_all(&self, name: &str, files: &[Vec<u8>]) -> Result<(), String> {
        files.iter().try_for_each(|file| self.validate(name, file))
    }

    /// No errors, no warnings, no infos but the known ones.
    fn validate(&self, name: &str, glb: &[u8]) -> Result<(), String> {
        let path = self.folder.join(format!("{name}.glb"));
        std::fs::write(&path, glb).map_err(|error| error.to_string())?;
        let output = Command::new("node")
            .args(["-e", SCRIPT])
            .arg(&path)
            .env("NODE_PATH", &self.modules)
            .output()
            .map_err(|error| error.to_string())?;
        let report: Value = serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("{error}: {}", String::from_utf8_lossy(&output.stderr)))?;
        let issues = &report["issues"];
        let count = |what: &str| issues[what].as_u64().unwrap_or(u64::MAX);
        let (errors, warnings) = (count("numErrors"), count("numWarnings"));
        let messages = issues["messages"].as_array().into_iter().flatten();
        let is_known = |message: &&Value| {
            let code = message["code"].as_str().unwrap_or_default();
            message["severity"].as_u64() >= Some(2) && KNOWN_INFOS.contains(&code)
        };
        let unknown: Vec<String> = messages
            .filter(|m| !is_known(m))
            .map(Value::to_string)
            .collect();
        if errors + warnings > 0 || !unknown.is_empty() {
            return Err(format!(
                "{errors} errors, {warnings} warnings: {unknown:#?}"
            ));
        }
        Ok(())
    }
}

/// The folder that cargo builds into, which the running test lies in.
fn target() -> PathBuf {
    let program = std::env::current_exe().expect("the path of this test");
    let target = program.ancestors().find(|it| it.ends_with("target"));
    target.map_or_else(std::env::temp_dir, Path::to_owned)
}

fn npm_is_allowed() -> bool {
    std::env::var_os("IRONLANDS_NPM").is_some_and(|value| value == "1")
}

fn install(folder: &Path) -> Result<(), String> {
    let status = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--prefix"])
        .arg(folder)
        .arg(PACKAGE)
        .stdout(std::process::Stdio::null())
        .status();
    match status {
        Err(error) => Err(format!("npm cannot be run: {error}")),
        Ok(status) if !status.success() => Err(format!("npm install {PACKAGE}: {status}")),
        Ok(_) => Ok(()),
    }
}
