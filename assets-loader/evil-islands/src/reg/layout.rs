//! Where the blocks of a file lie: as the packer puts them, or as they were found.

use std::ops::Range;

use super::{FORMAT, HEADER_SIZE, RegSection, TableRow};
use ironlands_assets_core::bytes::{FormatError, Reader};

/// Places that are not the packer's, and what lies between them.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub places: Places,
    /// Bytes of no block, with their offsets.
    pub gaps: Vec<(usize, Vec<u8>)>,
}

/// Where everything lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Places {
    pub sections: Vec<SectionPlaces>,
    /// Bytes of the whole file.
    pub len: usize,
}

/// Where a section lies: its name and key table, then its keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SectionPlaces {
    pub offset: usize,
    /// From the start of the section.
    pub key_offsets: Vec<usize>,
    /// See [`RegSection::sizes`].
    pub sizes: Vec<usize>,
}

impl Places {
    /// Everything one after the other, as the packer puts it.
    pub fn packed(sections: &[RegSection]) -> Self {
        let table = sections.len().saturating_mul(TableRow::SIZE);
        let mut len = HEADER_SIZE.saturating_add(table);
        let mut places = Vec::with_capacity(sections.len());
        for section in sections {
            let offset = len;
            let sizes = section.sizes();
            let mut key_offsets = Vec::with_capacity(section.keys.len());
            for (block, size) in sizes.iter().enumerate() {
                if block > 0 {
                    key_offsets.push(len.saturating_sub(offset));
                }
                len = len.saturating_add(*size);
            }
            places.push(SectionPlaces {
                offset,
                key_offsets,
                sizes,
            });
        }
        Self {
            sections: places,
            len,
        }
    }

    /// Whether these sections have the sizes that the places were made for.
    pub fn fit(&self, sections: &[RegSection]) -> bool {
        let mut both = self.sections.iter().zip(sections);
        self.sections.len() == sections.len()
            && both.all(|(it, section)| it.sizes == section.sizes())
    }

    /// Offsets and sizes of all blocks, in the order of the tables.
    pub fn blocks(&self) -> impl Iterator<Item = (usize, usize)> {
        self.sections.iter().flat_map(|section| {
            let keys = section.key_offsets.iter();
            let offsets = keys.map(|offset| section.offset.saturating_add(*offset));
            let offsets = [section.offset].into_iter().chain(offsets);
            offsets.zip(section.sizes.iter().copied())
        })
    }
}

/// The bytes that blocks lie on.
pub(super) struct Extents {
    taken: Vec<Range<usize>>,
    n_taken: usize,
    file_len: usize,
}

impl Extents {
    pub fn new(file_len: usize) -> Self {
        Self {
            taken: Vec::new(),
            n_taken: 0,
            file_len,
        }
    }

    /// Takes the bytes of a block. Blocks that come to more than the file lie over each other: going on would take
    /// time and memory out of proportion.
    pub fn add(&mut self, file: &Reader<'_>, extent: Range<usize>) -> Result<(), FormatError> {
        let size = extent.end.saturating_sub(extent.start);
        self.n_taken = self.n_taken.saturating_add(size);
        if self.n_taken > self.file_len {
            return Err(overlap(file, extent.start));
        }
        self.taken.push(extent);
        Ok(())
    }

    /// The bytes that no block lies on.
    ///
    /// # Errors
    /// Two blocks lie over each other.
    pub fn gaps(mut self, file: &Reader<'_>) -> Result<Vec<(usize, Vec<u8>)>, FormatError> {
        self.taken.sort_by_key(|extent| (extent.start, extent.end));
        let end_of_file = self.file_len..self.file_len;
        let mut end = 0;
        let mut gaps = Vec::new();
        for extent in self.taken.into_iter().chain([end_of_file]) {
            if extent.start < end {
                return Err(overlap(file, extent.start));
            }
            let len = extent.start.saturating_sub(end);
            if len > 0 {
                let bytes = file.sub("gap", end, len)?.rest();
                gaps.push((end, bytes.to_vec()));
            }
            end = extent.end;
        }
        Ok(gaps)
    }
}

fn overlap(file: &Reader<'_>, offset: usize) -> FormatError {
    let place = file.sub("block", offset, 0);
    let at = place.unwrap_or(Reader::new(FORMAT, &[]));
    at.unexpected("block", "bytes of its own", "bytes of another block")
}

/// A reader at an offset of the file.
pub(super) fn from<'a>(
    file: &Reader<'a>,
    field: &'static str,
    offset: usize,
) -> Result<Reader<'a>, FormatError> {
    let len = file.remaining().checked_sub(offset);
    match len {
        Some(len) => file.sub(field, offset, len),
        None => file.sub(field, offset, 1),
    }
}

/// Writes bytes over those at an offset, as far as there are any.
pub(super) fn put(file: &mut [u8], offset: usize, bytes: &[u8]) {
    for (target, byte) in file.iter_mut().skip(offset).zip(bytes) {
        *target = *byte;
    }
}
