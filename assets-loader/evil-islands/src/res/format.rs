//! What tools need to know of archives: how they are recognized, what they hold, and how they are unpacked.

mod packing;

use std::path::Path;

use super::look::{add_entries, add_entry};
use super::{FORMAT, MAGIC, NestedArchives, NestedFile, ResArchive, Tolerance, is_archive_name};
use ironlands_assets_core::bytes::{FormatError, Reader};
use ironlands_assets_core::format::{
    Archive, ArchiveContent, ArchiveError, ArchiveOptions, ConversionError, EntryLookup, FileKind,
    Format, Input, Match, PackRequest, Packed, UnpackError,
};
use ironlands_assets_core::report::Report;
use ironlands_assets_core::unpack::Budget;
use ironlands_assets_core::vfs::read_file;

impl Format for ResArchive {
    type Context = ();

    const NAME: &'static str = "res";
    const EXTENSIONS: &'static [&'static str] = &["res", "mq", "mod"];
    const KIND: FileKind = FileKind::Archive;

    /// Whatever its extension.
    fn recognize(_name: &str, head: &[u8]) -> Option<Match> {
        head.starts_with(&MAGIC).then_some(Match::Content)
    }

    ironlands_assets_core::inherent_methods!(read, tolerant_with_check, write, check);

    fn describe(&self, report: &mut Report) {
        report.fact("entries", self.entries.len());
        let n_archives = self.entries.iter().filter(|it| it.is_archive()).count();
        report.fact("archives in it", n_archives);
        report.fact("names in order of", format!("{:?}", self.names_order));
    }

    /// A row for each entry, and what is wrong with those that are known.
    fn describe_more(&self, input: &Input<'_>, report: &mut Report) {
        add_entries(self, input.path, report);
    }

    const ARCHIVE_LABEL: Option<&'static str> = Some("RES");

    fn packs(request: &PackRequest<'_>) -> bool {
        match request.base {
            Some(base) => base.starts_with(&MAGIC),
            None => is_archive_name(request.file_name),
        }
    }

    fn pack(request: &PackRequest<'_>) -> Result<Packed, ConversionError> {
        packing::pack(request)
    }

    fn open_archive(path: &Path, options: ArchiveOptions) -> Option<Result<Archive, ArchiveError>> {
        Some(open_archive(path, options))
    }

    fn inspect_entry(
        archive: &Input<'_>,
        name: &str,
        report: &mut Report,
    ) -> Result<EntryLookup, FormatError> {
        let archive = Self::read_with(archive.data, Tolerance::all())?;
        let Some(entry) = archive.find(name) else {
            let names = archive.entries.iter();
            let names = names.map(|it| it.name_text().into_owned());
            return Ok(EntryLookup::Missing {
                names: names.collect(),
            });
        };
        add_entry(entry, name, report);
        Ok(EntryLookup::Found)
    }
}

/// Opens an archive of this kind, whatever it is called.
///
/// # Errors
/// It cannot be read, is none, or is a broken one.
pub(crate) fn open_archive(path: &Path, options: ArchiveOptions) -> Result<Archive, ArchiveError> {
    let data = read_file(path)?;
    if !data.starts_with(&MAGIC) {
        let path = path.to_owned();
        return Err(ArchiveError::Unknown {
            path,
            known: "RES".to_owned(),
        });
    }
    let archive = ResArchive::read_with(&data, Tolerance::all());
    let archive = archive.map_err(|error| ArchiveError::Format {
        path: path.to_owned(),
        error: Box::new(error),
    })?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let nested = match options.nested {
        true => NestedArchives::Unpack,
        false => NestedArchives::Keep,
    };
    let files = Files(archive.files(&name, nested));
    let budget = Budget::from_file_size(data.len());
    Ok(Archive::new(path, Box::new(files), budget))
}

/// Files of an archive, and of archives in it if those were opened with it.
struct Files(Vec<NestedFile>);

impl ArchiveContent for Files {
    fn names(&self) -> Vec<(String, String)> {
        let files = self.0.iter();
        let names = files.map(|file| (file.name.clone(), file.path.clone()));
        names.collect()
    }

    /// Any number of files may be the same bytes.
    #[expect(clippy::indexing_slicing, reason = "documented to panic")]
    fn unpack(&self, index: usize, budget: &Budget) -> Result<Vec<u8>, UnpackError> {
        let file = &self.0[index];
        let at = Reader::nested(FORMAT, &[], file.data.offset());
        let spent = budget.spend(&at, "data", file.data.len() as u64);
        spent.map_err(|error| error.in_entry(&file.name))?;
        Ok(file.data.to_vec())
    }
}
