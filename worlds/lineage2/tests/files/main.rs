//! Regions made by other people: bytes, counts and conversions as the geodata dossier measured them (sections 2.6, 3
//! and 9).
//!
//! The files are not ours and are not in the repository. They are looked for in `IRONLANDS_DATA`, else in
//! `../shared/data` beside the checkout; where they are absent each trial is listed as *ignored*.

mod cell_by_cell;
mod expected;
mod trials;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use expected::{EXPECTED, Expected};
use ironlands_assets_lineage2::{RegionFile, RegionPath, Tolerance};
use ironlands_real_data as real_data;
use trials::TRIALS;

/// A file and what is known of it.
struct Subject {
    path: PathBuf,
    expected: &'static Expected,
    data: Vec<u8>,
    file: RegionFile,
}

fn main() -> ExitCode {
    real_data::run_checks(
        "lineage2",
        &EXPECTED,
        |expected| expected.file,
        Subject::open,
        &TRIALS,
    )
}

impl Subject {
    fn open(expected: &'static Expected, path: &Path) -> Result<Self, String> {
        let data = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let RegionPath { path, name } = RegionPath::new(path).map_err(|e| e.to_string())?;
        let file = RegionFile::read(name.format, name.id, &data, Tolerance::STRICT);
        Ok(Self {
            path,
            expected,
            data,
            file: file.map_err(|e| e.to_string())?,
        })
    }
}
