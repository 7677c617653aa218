//! An archive on disk: its table in memory, its contents read on demand.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::directory::{Directory, HEADER_SIZE, Header};
use super::{FORMAT, Tolerance};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader};
use ironlands_assets_core::text::{decode_cp1251, encode_cp1251};
use ironlands_assets_core::vfs::{self, VfsError};

/// An archive whose contents stay on disk. Read tolerantly: whatever can be found is found.
#[derive(Debug)]
pub struct ResFile {
    path: PathBuf,
    directory: Directory,
    /// Slots by lower-case name, for what the hash chains do not lead to.
    slots: HashMap<Vec<u8>, usize>,
}

impl ResFile {
    /// Reads the table of an archive.
    ///
    /// # Errors
    /// The file cannot be read, or is no such archive.
    pub fn open(path: &Path) -> Result<Self, VfsError> {
        let broken = |error| vfs::invalid(path, error);
        let file_len = vfs::file_len(path)?;
        let head = vfs::read_head(path, HEADER_SIZE as u64)?;
        let header = Header::read_file(&mut Reader::new(FORMAT, &head)).map_err(broken)?;
        let table = header.table(file_len).map_err(broken)?;
        let start = u64::from(header.table_offset);
        let len = table.end.saturating_sub(table.start) as u64;
        let bytes = vfs::read_range(path, start, len)?;
        let mut r = Reader::nested(FORMAT, &bytes, start);
        let directory = Directory::read(&header, &mut r, file_len).map_err(broken)?;
        if let Some(problem) = directory.first_problem(Tolerance::all()) {
            return Err(broken(problem.into_error()));
        }
        let mut slots = HashMap::new();
        for slot in 0..directory.rows.len() {
            let name = directory.name(slot).to_ascii_lowercase();
            slots.entry(name).or_insert(slot);
        }
        Ok(Self {
            path: path.to_owned(),
            directory,
            slots,
        })
    }

    /// Where the archive lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the archive.
    pub(crate) fn file_len(&self) -> usize {
        self.directory.file_len
    }

    /// All names, in the order of their data.
    pub fn names(&self) -> Vec<String> {
        let slots = self.directory.data_order().into_iter();
        slots
            .map(|slot| decode_cp1251(self.directory.name(slot)).into_owned())
            .collect()
    }

    /// The bytes of the entry of that name, whatever its case; `None` if there is none.
    ///
    /// # Errors
    /// The file cannot be read any more, or has become shorter.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, VfsError> {
        // A name that CP1251 cannot spell is in no archive.
        let Some(name) = encode_cp1251(name) else {
            return Ok(None);
        };
        let by_name = || self.slots.get(&name.to_ascii_lowercase()).copied();
        let slot = self.directory.find_chained(&name).or_else(by_name);
        let Some(row) = slot.and_then(|slot| self.directory.rows.get(slot)) else {
            return Ok(None);
        };
        let data = vfs::read_range(&self.path, row.data_offset.into(), row.size.into())?;
        if data.len() as u64 != u64::from(row.size) {
            return Err(vfs::invalid(
                &self.path,
                cut(row.data_offset, row.size, data.len()),
            ));
        }
        Ok(Some(data))
    }
}

fn cut(offset: u32, size: u32, n_read: usize) -> FormatError {
    Reader::nested(FORMAT, &[], offset.into()).error(
        "data",
        FormatErrorKind::Truncated {
            needed: size.into(),
            available: n_read as u64,
        },
    )
}
