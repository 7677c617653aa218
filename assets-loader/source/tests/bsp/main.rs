//! Maps made by other people: counts, light, places, bytes and rules as the dossier measured them (section 0).
//!
//! The files are not ours and are not in the repository. They are looked for in `IRONLANDS_DATA`, else in
//! `../shared/data` beside the checkout; where they are absent each trial is listed as *ignored*.

mod expected;
mod trials;

use std::path::Path;
use std::process::ExitCode;

use expected::{EXPECTED, Expected};
use ironlands_assets_source::bsp::{BspFile, LumpId, Map};
use ironlands_assets_source::entities::{Entities, EntitySyntax};
use ironlands_real_data as real_data;
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
    real_data::run_checks(
        "source",
        &EXPECTED,
        |expected| expected.file,
        Subject::open,
        &TRIALS,
    )
}

impl Subject {
    fn open(expected: &'static Expected, path: &Path) -> Result<Self, String> {
        let data = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let file = BspFile::read(&data).map_err(|e| e.to_string())?;
        let map = Map::read(&file).map_err(|e| e.to_string())?;
        let syntax = EntitySyntax::from_version(file.version);
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
