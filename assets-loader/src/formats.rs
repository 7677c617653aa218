//! The formats of all worlds, and which of them a file has.

use std::cmp::Reverse;
use std::path::Path;

use ironlands_assets_core::format::{AnyFormat, FormatSet, HEAD_BYTES, Match};

use crate::{evil_islands, lineage2, parkan, source};

/// The formats of each world.
pub const WORLDS: [FormatSet; 4] = [
    parkan::formats::FORMATS,
    source::formats::FORMATS,
    evil_islands::formats::FORMATS,
    lineage2::formats::FORMATS,
];

/// All formats, parts of files included.
pub fn all() -> impl Iterator<Item = &'static dyn AnyFormat> {
    WORLDS.into_iter().flat_map(|world| world.formats).copied()
}

/// The format of a name; see [`Format::NAME`](ironlands_assets_core::format::Format::NAME).
pub fn by_name(name: &str) -> Option<&'static dyn AnyFormat> {
    all().find(|format| format.name() == name)
}

/// What a file is by its name, its first [`HEAD_BYTES`] bytes and its length; `None` if it is of no known format.
pub fn recognize(path: &Path, head: &[u8], file_len: u64) -> Option<&'static dyn AnyFormat> {
    let name = lowercase_name(path).unwrap_or_default();
    let mut candidates = candidates(path, head).into_iter();
    candidates.find(|format| format.fits_len(&name, head, file_len))
}

/// All formats that recognize a file, the most certain first.
pub fn candidates(path: &Path, head: &[u8]) -> Vec<&'static dyn AnyFormat> {
    let name = lowercase_name(path).unwrap_or_default();
    let head = head.get(..HEAD_BYTES as usize).unwrap_or(head);
    let found = all().filter_map(|format| Some((format.recognize(&name, head)?, format)));
    let mut found: Vec<(Match, _)> = found.collect();
    // Of equally certain ones the first of the lists stays first.
    found.sort_by_key(|(found, _)| Reverse(*found));
    found.into_iter().map(|(_, format)| format).collect()
}

/// As [`recognize`], of a file all of whose bytes are there: an archive may be more than that.
pub fn recognize_whole(path: &Path, data: &[u8]) -> Option<&'static dyn AnyFormat> {
    let head = data.get(..HEAD_BYTES as usize).unwrap_or(data);
    recognize(path, head, data.len() as u64).map(|format| refined(format, path, data))
}

/// The format with interchange formats that a file has, or is to have, by its name alone.
pub fn convertible(path: &Path) -> Option<&'static dyn AnyFormat> {
    all().find(|format| !format.conversions().is_empty() && format.is_named(path))
}

/// The format that says most of a file that was recognized.
pub fn refined(format: &'static dyn AnyFormat, path: &Path, data: &[u8]) -> &'static dyn AnyFormat {
    let name = lowercase_name(path).unwrap_or_default();
    format.refine(&name, data).unwrap_or(format)
}

fn lowercase_name(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_string_lossy().to_ascii_lowercase())
}
