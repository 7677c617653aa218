//! Maps made by other people: counts, light, places, bytes and rules as the dossier measured them (section 0).
//!
//! The files are not ours and are not in the repository. They are looked for in `IRONLANDS_DATA`, else in
//! `../shared/data` beside the checkout; where they are absent each trial is listed as *ignored*.

mod expected;
mod trials;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use expected::{EXPECTED, Expected};
use ironlands_assets_loader::source::bsp::{BspFile, LumpId, Map};
use ironlands_assets_loader::source::entities::{Entities, EntitySyntax};
use libtest_mimic::{Arguments, Failed, Trial};
use trials::TRIALS;

/// A file and what is known of it.
struct Subject {
    expected: &'static Expected,
    data: Vec<u8>,
    file: BspFile,
    map: Map,
    entities: Entities,
}

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for expected in &EXPECTED {
        let subject = Arc::new(OnceLock::new());
        for (name, check) in TRIALS {
            let subject = Arc::clone(&subject);
            let run = move || {
                let subject = subject.get_or_init(|| Subject::open(expected));
                check(subject.as_ref().map_err(Failed::from)?)
            };
            let trial = Trial::test(format!("{}::{name}", expected.file), run);
            trials.push(match folder() {
                Some(_) => trial,
                None => trial
                    .with_kind("no source maps under IRONLANDS_DATA or ../shared/data")
                    .with_ignored_flag(true),
            });
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// `IRONLANDS_DATA` that names no such folder is a mistake, so it is returned and reading it fails.
fn folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("IRONLANDS_DATA") {
        return Some(Path::new(&folder).join("source"));
    }
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/source");
    beside.is_dir().then_some(beside)
}

impl Subject {
    fn open(expected: &'static Expected) -> Result<Self, String> {
        let path = folder().ok_or("no data")?.join(expected.file);
        let data = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let file = BspFile::read(&data).map_err(|e| e.to_string())?;
        let map = Map::read(&file).map_err(|e| e.to_string())?;
        let syntax = EntitySyntax::of_version(file.version);
        let entities =
            Entities::read(file.lump(LumpId::Entities), syntax).map_err(|e| e.to_string())?;
        Ok(Self {
            expected,
            data,
            file,
            map,
            entities,
        })
    }
}
