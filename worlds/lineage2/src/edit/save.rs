//! Writing an edited region under its own name.

use std::fs;
use std::path::{Path, PathBuf};

use ironlands_assets_lineage2::RegionFile;
use ironlands_world_kind::console::output::{Existing, write_file};

use crate::Lineage2Error;

/// What becomes of the file that an edited one replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backup {
    /// It is kept beside it, with `.bak` after its name.
    Keep,
    /// It is gone.
    None,
}

/// Writes a region in place of its file, and returns how many bytes it has.
///
/// # Errors
/// If its format cannot hold it, or a file cannot be written. The file is as it was then.
pub fn save_region(path: &Path, file: &RegionFile, backup: Backup) -> Result<usize, Lineage2Error> {
    let bytes = bytes_of(path, file)?;
    if backup == Backup::Keep {
        keep_backup(path)?;
    }
    write_file(path, Existing::Replace, &bytes)?;
    Ok(bytes.len())
}

/// The bytes of a region, for a path that errors name.
///
/// # Errors
/// If its format cannot hold it.
pub fn bytes_of(path: &Path, file: &RegionFile) -> Result<Vec<u8>, Lineage2Error> {
    file.write().map_err(|source| Lineage2Error::ConvertRegion {
        path: path.to_owned(),
        source: Box::new(source),
    })
}

/// Copies a file to the first name with `.bak`, `.bak1` and so on that is free.
fn keep_backup(path: &Path) -> Result<(), Lineage2Error> {
    let named = |ending: String| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let mut names = std::iter::once(named(".bak".to_owned()))
        .chain((1..).map(|number: u32| named(format!(".bak{number}"))));
    let free = names.find(|name| name.symlink_metadata().is_err());
    let backup = free.expect("numbers do not end");
    let copied = fs::copy(path, &backup);
    copied.map(drop).map_err(|source| Lineage2Error::Read {
        path: path.to_owned(),
        source,
    })
}
