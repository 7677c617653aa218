//! Archives of all worlds as lists of named files: what `extract` takes out.
//!
//! In: the path of an archive of any format. Out: an [`Archive`].
//!
//! Deliberately absent: writing to disk, the meaning of entries.

#[cfg(test)]
mod tests;

use std::path::Path;

use ironlands_assets_core::format::HEAD_BYTES;
pub use ironlands_assets_core::format::{Archive, ArchiveEntry, ArchiveError, ArchiveOptions};

use crate::formats;
use crate::vfs::read_head;

/// Opens an archive by its name and content, else by its extension alone. Entries are not unpacked yet.
///
/// # Errors
/// See [`ArchiveError`].
pub fn open(file: &Path, options: ArchiveOptions) -> Result<Archive, ArchiveError> {
    let head = read_head(file, HEAD_BYTES)?;
    let named = formats::all().filter(|format| format.is_named(file));
    let mut formats = formats::candidates(file, &head).into_iter().chain(named);
    let opened = formats.find_map(|it| it.open_archive(file, options));
    opened.unwrap_or_else(|| {
        Err(ArchiveError::Unknown {
            path: file.to_owned(),
        })
    })
}
