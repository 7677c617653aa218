//! The Khronos glTF validator over written models, where node and the npm package `gltf-validator` are there.
//!
//! The package is looked for in `target/gltf-validator/node_modules` and in `NODE_PATH`; with `IRONLANDS_NPM=1` npm
//! brings it there, and the trials fail if it cannot. Otherwise, without them, the trials are listed as ignored.

mod common;
#[path = "common/figure.rs"]
mod figure;
#[path = "common/lit_scene.rs"]
mod lit_scene;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;

use ironlands_assets_loader::parkan::model_file::ModelFile;
use ironlands_assets_loader::parkan::msh::{NodeTable, TYPE_ID};
use ironlands_assets_loader::parkan::nres::NRes;
use ironlands_assets_loader::parkan::texm::PixelOptions;
use ironlands_exchange::{
    FigureSource, GlbOptions, ModelLook, write_figure_glb, write_glb, write_scene_glb,
};
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

/// A trial: its name, and the files that are judged.
type Files = fn() -> Vec<Vec<u8>>;
const TRIALS: [(&str, Files); 7] = [
    ("khronos_figure", figure_glb),
    ("khronos_scene", || {
        let scene = lit_scene::lit_scene();
        vec![
            write_scene_glb(&scene)
                .expect("a scene that can be written")
                .bytes,
        ]
    }),
    ("khronos_demo_models", demo_models),
    ("khronos_walker", || glb(|_| {})),
    ("khronos_still_walker", || {
        glb(|walker| {
            walker.msh.animation.map.clear();
            walker.msh.animation.frame_count = 1;
            let NodeTable::Nodes(nodes) = &mut walker.msh.nodes else {
                panic!("nodes of 38 bytes");
            };
            nodes[1].map_start = u16::MAX;
        })
    }),
    ("khronos_unreadable_nodes", || {
        glb(|walker| walker.msh.nodes = NodeTable::Stride24(vec![[0; 24]]))
    }),
    ("khronos_nothing_but_nodes", || {
        glb(|walker| walker.msh.slots.clear())
    }),
];

/// A figure with and without a texture.
fn figure_glb() -> Vec<Vec<u8>> {
    let (figure, texture) = (figure::figure(), figure::texture());
    let glb = |primary| {
        let source = FigureSource {
            figure: &figure,
            primary,
            secondary: None,
            complection: [0.25, 0.5, 0.75],
        };
        let glb = write_figure_glb(&source).expect("a sound figure");
        glb.bytes
    };
    vec![glb(Some(&texture)), glb(None)]
}

fn glb(change: fn(&mut common::Walker)) -> Vec<Vec<u8>> {
    let mut walker = common::walker();
    change(&mut walker);
    vec![
        write_glb(&walker.source(), &GlbOptions::default())
            .expect("a model that can be written")
            .bytes,
    ]
}

/// Every model of the archives in `DATA`.
fn demo_models() -> Vec<Vec<u8>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../DATA");
    let files = std::fs::read_dir(data).expect("the demo's folder");
    let paths = files.map(|file| file.expect("a file").path());
    let archives = paths.filter(|path| path.extension().is_some_and(|it| it == "rlb"));
    let mut models: Vec<PathBuf> = Vec::new();
    for path in archives {
        let archive = NRes::read(&std::fs::read(&path).expect("bytes")).expect("an archive");
        let entries = archive
            .entries
            .iter()
            .filter(|entry| entry.type_id == TYPE_ID);
        models.extend(entries.map(|entry| path.join(&*entry.name_text())));
    }
    assert!(models.len() >= 10, "the demo has models: {models:?}");
    let glb = |path: PathBuf| {
        let file = ModelFile::open(&path).expect("a model");
        let look = ModelLook::of(&file, PixelOptions::default());
        write_glb(&look.source(&file), &GlbOptions::default())
            .expect("a sound model")
            .bytes
    };
    models.into_iter().map(glb).collect()
}

fn main() -> ExitCode {
    let validator = Arc::new(Validator::find());
    let trials = TRIALS.into_iter().map(|(name, files)| {
        let at_hand = Arc::clone(&validator);
        let trial = Trial::test(name, move || match &*at_hand {
            Ok(validator) => Ok(validator.judge_all(name, &files())?),
            Err(reason) => Err(reason.clone().into()),
        });
        match &*validator {
            // Who allows npm wants the trials.
            Err(reason) if !npm_is_allowed() => trial.with_kind(reason).with_ignored_flag(true),
            _ => trial,
        }
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// Node with the package at hand.
struct Validator {
    /// Where files to judge are put.
    folder: PathBuf,
    /// As in `NODE_PATH`.
    modules: std::ffi::OsString,
}

impl Validator {
    /// Why there is none is the error.
    fn find() -> Result<Self, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/gltf-validator");
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
            Ok(answer) if !answer.status.success() => Err(format!(
                "no npm package gltf-validator; IRONLANDS_NPM=1 lets npm install {PACKAGE}"
            )),
            Ok(_) => {
                std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
                Ok(Self { folder, modules })
            }
        }
    }

    fn judge_all(&self, name: &str, files: &[Vec<u8>]) -> Result<(), String> {
        files.iter().try_for_each(|file| self.judge(name, file))
    }

    /// No errors, no warnings, no infos but the known ones.
    fn judge(&self, name: &str, glb: &[u8]) -> Result<(), String> {
        let path = self.folder.join(format!("{name}.glb"));
        std::fs::write(&path, glb).map_err(|error| error.to_string())?;
        let answer = Command::new("node")
            .args(["-e", SCRIPT])
            .arg(&path)
            .env("NODE_PATH", &self.modules)
            .output()
            .map_err(|error| error.to_string())?;
        let report: Value = serde_json::from_slice(&answer.stdout)
            .map_err(|error| format!("{error}: {}", String::from_utf8_lossy(&answer.stderr)))?;
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
