//! The formats of several worlds together, and which of them a file has.

use std::cmp::Reverse;
use std::path::Path;

use crate::format::{
    AnyFormat, Archive, ArchiveError, ArchiveOptions, FormatSet, HEAD_BYTES, Input, Match,
};
use crate::report::Depth;
use crate::vfs::{path_in_archive, read_file, read_head};

/// The formats of several worlds: what recognizes, inspects, unpacks and converts files.
#[derive(Debug, Clone, Default)]
pub struct Formats {
    sets: Vec<FormatSet>,
}

impl Formats {
    /// The formats of these worlds. Of two that recognize a file equally well the one of the first world is taken.
    pub fn new(sets: impl IntoIterator<Item = FormatSet>) -> Self {
        Self {
            sets: sets.into_iter().collect(),
        }
    }

    /// The formats of each world.
    pub fn sets(&self) -> &[FormatSet] {
        &self.sets
    }

    /// All formats, parts of files included.
    pub fn all(&self) -> impl Iterator<Item = &'static dyn AnyFormat> {
        self.sets.iter().flat_map(|set| set.formats).copied()
    }

    /// The format of a name; see [`Format::NAME`](crate::format::Format::NAME).
    pub fn by_name(&self, name: &str) -> Option<&'static dyn AnyFormat> {
        self.all().find(|format| format.name() == name)
    }

    /// What a file is by its name, its first [`HEAD_BYTES`] bytes and its length; `None` if it is of no known format.
    pub fn recognize(
        &self,
        path: &Path,
        head: &[u8],
        file_len: u64,
    ) -> Option<&'static dyn AnyFormat> {
        let name = lowercase_name(path);
        let mut candidates = self.candidates(path, head).into_iter();
        candidates.find(|format| format.fits_len(&name, head, file_len))
    }

    /// All formats that recognize a file, the most certain first.
    pub fn candidates(&self, path: &Path, head: &[u8]) -> Vec<&'static dyn AnyFormat> {
        let name = lowercase_name(path);
        let head = first_bytes(head);
        let found = self
            .all()
            .filter_map(|format| Some((format.recognize(&name, head)?, format)));
        let mut found: Vec<(Match, _)> = found.collect();
        // Of equally certain ones the first of the lists stays first.
        found.sort_by_key(|(found, _)| Reverse(*found));
        found.into_iter().map(|(_, format)| format).collect()
    }

    /// As [`recognize`](Self::recognize), of a file all of whose bytes are there: an archive may be more than that.
    pub fn recognize_whole(&self, path: &Path, data: &[u8]) -> Option<&'static dyn AnyFormat> {
        let format = self.recognize(path, first_bytes(data), data.len() as u64)?;
        Some(refined(format, path, data))
    }

    /// The format with interchange formats that a file has, or is to have, by its name alone.
    pub fn convertible(&self, path: &Path) -> Option<&'static dyn AnyFormat> {
        self.all()
            .find(|format| !format.conversions().is_empty() && format.is_named(path))
    }

    /// The format with interchange formats of an entry whose path goes through an archive that knows what it holds, as in
    /// `Material.lib/GRASS`.
    pub fn convertible_entry(&self, path: &Path) -> Option<&'static dyn AnyFormat> {
        let format = self.recognize_entry(path)?;
        (!format.conversions().is_empty()).then_some(format)
    }

    /// The format of an entry whose path goes through an archive that knows what it holds, whatever the entry's own bytes
    /// say.
    pub fn recognize_entry(&self, path: &Path) -> Option<&'static dyn AnyFormat> {
        let (archive, entry) = path_in_archive(path)?;
        let data = read_file(archive).ok()?;
        self.recognize_member(archive, &data, &entry.to_string_lossy())
    }

    /// The same of an archive whose bytes are there.
    pub fn recognize_member(
        &self,
        archive: &Path,
        data: &[u8],
        entry: &str,
    ) -> Option<&'static dyn AnyFormat> {
        let input = Input {
            path: archive,
            data,
            depth: Depth::Facts,
        };
        let format = self.recognize(archive, first_bytes(data), data.len() as u64)?;
        format.entry_format(&input, entry)
    }

    /// Opens an archive by its name and content, else by its extension alone. Entries are not unpacked yet.
    ///
    /// # Errors
    /// See [`ArchiveError`].
    pub fn open_archive(
        &self,
        file: &Path,
        options: ArchiveOptions,
    ) -> Result<Archive, ArchiveError> {
        let head = read_head(file, HEAD_BYTES)?;
        let named = self.all().filter(|format| format.is_named(file));
        let mut formats = self.candidates(file, &head).into_iter().chain(named);
        let opened = formats.find_map(|it| it.open_archive(file, options));
        opened.unwrap_or_else(|| {
            let archives = self.all().filter_map(|format| format.archive_label());
            Err(ArchiveError::Unknown {
                path: file.to_owned(),
                known: archives.collect::<Vec<_>>().join(", "),
            })
        })
    }
}

/// The format that says most of a file that was recognized.
pub(crate) fn refined(
    format: &'static dyn AnyFormat,
    path: &Path,
    data: &[u8],
) -> &'static dyn AnyFormat {
    format.refine(&lowercase_name(path), data).unwrap_or(format)
}

fn first_bytes(data: &[u8]) -> &[u8] {
    data.get(..HEAD_BYTES as usize).unwrap_or(data)
}

fn lowercase_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().to_ascii_lowercase()
}
