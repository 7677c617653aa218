//! What tools need to know of RsLi.

use std::path::Path;

use super::{Entry, LzhPosition, MAGIC, RsLi, Tolerance, VERSION};
use crate::archive;
use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_core::format::{
    Archive, ArchiveContent, ArchiveError, ArchiveOptions, EntryLookup, Format, Input, Match,
    UnpackError,
};
use ironlands_assets_core::report::{EntryRow, Report, refusal};
use ironlands_assets_core::text::encode_cp1251;
use ironlands_assets_core::unpack::Budget;
/// The library that is known by name, so that a damaged first byte is a fault and not another format.
const SPRITES: &str = "sprites.lib";

impl Format for RsLi {
    type Context = ();

    const NAME: &'static str = "rsli";
    const EXTENSIONS: &'static [&'static str] = &["lib", "rlb"];

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        if head.starts_with(MAGIC) && head.get(3) == Some(&VERSION) {
            return Some(Match::Content);
        }
        (name == SPRITES).then_some(Match::Extension)
    }

    fn read(data: &[u8], (): &()) -> Result<Self, FormatError> {
        Self::read(data)
    }

    /// Nothing is repaired: what was waived is found by the check.
    fn read_tolerant(data: &[u8], (): &()) -> Result<(Self, Vec<Finding>), FormatError> {
        Ok((Self::read_with(data, Tolerance::all())?, Vec::new()))
    }

    fn write(&self) -> Result<Vec<u8>, FormatError> {
        self.write()
    }

    fn check(&self) -> Vec<Finding> {
        self.check()
    }

    fn describe(&self, report: &mut Report) {
        report.fact("entries", self.entries.len());
        if let Some(overlay) = self.overlay {
            report.fact("overlay", overlay);
        }
        let rows = self.entries.iter().map(row).collect();
        archive::describe_rows(Self::NAME, rows, report);
    }

    /// Always tolerantly: the check says what was waived, and it unpacks all entries, which is done once.
    fn inspect(input: &Input<'_>, report: &mut Report) -> Result<(), FormatError> {
        let library = Self::read_with(input.data, Tolerance::all())?;
        library.describe(report);
        report.findings.extend(library.check());
        Ok(())
    }

    const ARCHIVE_LABEL: Option<&'static str> = Some("RsLi");

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

impl ArchiveContent for RsLi {
    fn names(&self) -> Vec<(String, String)> {
        let names = self.entries.iter().map(|it| it.name_text().into_owned());
        names.map(|name| (name.clone(), name)).collect()
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "an index of `names`, as the trait says"
    )]
    fn unpack(&self, index: usize, _: &Budget) -> Result<Vec<u8>, UnpackError> {
        Ok(unpack_tolerantly(&self.entries[index])?)
    }
}

impl RsLi {
    /// The row of an entry and what is wrong with it, or the names of all if there is none of that name.
    pub(crate) fn row_of(&self, name: &str) -> Result<(EntryRow, Vec<Finding>), Vec<String>> {
        // A name that CP1251 cannot spell is in no archive.
        let index = encode_cp1251(name).and_then(|name| self.find(&name));
        let Some(entry) = index.and_then(|index| self.entries.get(index)) else {
            let names = self.entries.iter().map(|it| it.name_text().into_owned());
            return Err(names.collect());
        };
        let fault = unpack_tolerantly(entry).err();
        Ok((row(entry), fault.iter().map(refusal).collect()))
    }
}

fn unpack_tolerantly(entry: &Entry) -> Result<Vec<u8>, FormatError> {
    let unpacked = entry.unpack_with(LzhPosition::Classic, Tolerance::all());
    unpacked.map_err(|error| error.in_entry(&entry.name_text()))
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
