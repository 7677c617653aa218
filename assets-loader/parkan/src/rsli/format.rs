//! What tools need to know of RsLi.

mod packing;

use std::path::Path;

use super::{Entry, LzhPosition, MAGIC, RsLi, Tolerance, VERSION};
use crate::archive;
use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_core::format::{
    Archive, ArchiveError, ArchiveOptions, ConversionError, EntryLookup, FileKind, Format, Input,
    Match, PackRequest, Packed, inherent_methods,
};
use ironlands_assets_core::report::{EntryRow, Report, refusal};

/// The library that is known by name, so that a damaged first byte is an error and not another format.
const SPRITES: &str = "sprites.lib";

impl Format for RsLi {
    type Context = ();

    const NAME: &'static str = "rsli";
    const EXTENSIONS: &'static [&'static str] = &["lib", "rlb"];
    const KIND: FileKind = FileKind::Archive;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        if head.starts_with(MAGIC) && head.get(3) == Some(&VERSION) {
            return Some(Match::Content);
        }
        (name == SPRITES).then_some(Match::Extension)
    }

    /// Nothing is repaired: what was waived is found by the check.
    fn read_tolerant(data: &[u8], (): &()) -> Result<(Self, Vec<Finding>), FormatError> {
        Ok((Self::read_with(data, Tolerance::all())?, Vec::new()))
    }

    fn describe(&self, report: &mut Report) {
        report.fact("entries", self.entries.len());
        if let Some(overlay) = self.overlay {
            report.fact("overlay", overlay);
        }
        let rows = self.entries.iter().map(row).collect();
        archive::describe_rows(Self::NAME, rows, report);
    }

    /// The check unpacks all entries, which is done once.
    fn inspect(input: &Input<'_>, report: &mut Report) -> Result<(), FormatError> {
        archive::inspect::<Self>(input, report)
    }

    const ARCHIVE_LABEL: Option<&'static str> = Some("RsLi");

    fn packs(request: &PackRequest<'_>) -> bool {
        match request.base {
            Some(base) => base.starts_with(MAGIC) && base.get(3) == Some(&VERSION),
            None => request.file_name.eq_ignore_ascii_case(SPRITES),
        }
    }

    fn pack(request: &PackRequest<'_>) -> Result<Packed, ConversionError> {
        packing::pack(request)
    }

    fn open_archive(path: &Path, _: ArchiveOptions) -> Option<Result<Archive, ArchiveError>> {
        Some(archive::open(path))
    }

    fn inspect_entry(
        archive: &Input<'_>,
        name: &str,
        report: &mut Report,
    ) -> Result<EntryLookup, FormatError> {
        archive::inspect_entry(archive, name, report)
    }
}

impl Entry {
    /// Its row and what is wrong with it.
    pub(crate) fn row_and_findings(&self) -> (EntryRow, Vec<Finding>) {
        let problem = self.unpack_tolerantly().err();
        (row(self), problem.iter().map(refusal).collect())
    }

    /// Its content, as far as it can be unpacked at all.
    pub(crate) fn unpack_tolerantly(&self) -> Result<Vec<u8>, FormatError> {
        let unpacked = self.unpack_with(LzhPosition::Classic, Tolerance::all());
        unpacked.map_err(|error| error.in_entry(&self.name_text()))
    }
}

fn row(entry: &Entry) -> EntryRow {
    EntryRow {
        name: entry.name_text().into_owned(),
        type_name: match entry.method() {
            Some(method) => format!("{method:?}"),
            None => format!("{:#x}", entry.flags),
        },
        size: u64::from(entry.unpacked_size),
        offset: entry.offset(),
        detail: format!("{} bytes packed", entry.packed.len()),
    }
}
