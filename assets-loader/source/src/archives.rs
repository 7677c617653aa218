//! Maps and VPKs as archives, out of which files are extracted.

use std::path::Path;

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_core::format::{Archive, ArchiveContent, ArchiveError, UnpackError};
use ironlands_assets_core::unpack::Budget;
use ironlands_assets_core::vfs::read_file;

use crate::bsp::{BspFile, LumpId};
use crate::game_files::{DiskArchive, GameFilesError};
use crate::pakfile::Pakfile;

/// Opens a VPK with its numbered archives, or one of the other format of that suffix: the name says which.
pub(crate) fn open_vpk(path: &Path) -> Result<Archive, ArchiveError> {
    let is_vpk = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("vpk"));
    if !is_vpk {
        return Err(unknown(path));
    }
    let other = |error: GameFilesError| ArchiveError::Other(Box::new(error));
    // Its parts may be larger than memory.
    let archive = DiskArchive::open(path).map_err(other)?;
    let budget = Budget::from_file_size(archive.len_with_parts().map_err(other)?);
    Ok(Archive::new(path, Box::new(archive), budget))
}

/// Opens the pakfile of a map.
pub(crate) fn open_map(path: &Path) -> Result<Archive, ArchiveError> {
    let data = read_file(path)?;
    if !data.starts_with(BspFile::MAGIC) {
        return Err(unknown(path));
    }
    let pakfile = pakfile_of(&data).map_err(|error| ArchiveError::Format {
        path: path.to_owned(),
        error: Box::new(error),
    })?;
    let budget = Budget::from_file_size(data.len());
    Ok(Archive::new(path, Box::new(pakfile), budget))
}

/// The pakfile of a map; an empty one where a map has none.
///
/// # Errors
/// The map or its pakfile is broken.
pub fn pakfile_of(map: &[u8]) -> Result<Pakfile, FormatError> {
    let map = BspFile::read(map)?;
    match map.lump(LumpId::Pakfile) {
        [] => Pakfile::draft(&[], Default::default()),
        pakfile => Pakfile::read_within(pakfile, map.budget()),
    }
}

fn unknown(path: &Path) -> ArchiveError {
    let path = path.to_owned();
    ArchiveError::Unknown {
        path,
        known: "VPK (the _dir file) or a Source map".to_owned(),
    }
}

impl ArchiveContent for Pakfile {
    fn names(&self) -> Vec<(String, String)> {
        self.names().map(as_stored).collect()
    }

    fn unpack(&self, index: usize, _: &Budget) -> Result<Vec<u8>, UnpackError> {
        let entry = self.entries().get(index);
        // Entries spend from the budget of their map.
        let data = entry.map(|entry| self.unpack(entry)).transpose()?;
        Ok(data.unwrap_or_default())
    }
}

impl ArchiveContent for DiskArchive {
    fn names(&self) -> Vec<(String, String)> {
        self.paths().map(as_stored).collect()
    }

    fn unpack(&self, index: usize, _: &Budget) -> Result<Vec<u8>, UnpackError> {
        // It has a budget of its own, which its parts raise.
        let read = self.read_at(index);
        read.map_err(|error| UnpackError::Other(Box::new(error)))
    }
}

/// Files go where their names say.
fn as_stored(name: &str) -> (String, String) {
    (name.to_owned(), name.to_owned())
}
