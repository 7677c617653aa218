//! What tools need to know of NRes, and of the formats that are such an archive.

mod packing;

use std::collections::BTreeMap;
use std::path::Path;

use super::contents::{self, Content, Library, look_into, type_name};
use super::{Entry, MAGIC, NRes, Tolerance};
use crate::archive;
use crate::dscr;
use crate::land_map::LandMap;
use crate::land_msh::LandMsh;
use crate::msh::{self, Msh};
use crate::nres_kind::NResKind;
use crate::registry;
use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_core::format::{
    AnyFormat, Archive, ArchiveError, ArchiveOptions, ConversionError, EntryLookup, FileKind,
    Format, Input, Match, PackRequest, Packed, Registered, inherent_methods, read_and_check,
};
use ironlands_assets_core::report::{EntryRow, Report};
use ironlands_assets_core::text::encode_cp1251;

/// Archives that are known by name, so that a damaged first byte is an error and not another format.
const ARCHIVE_NAMES: [&str; 6] = [
    "material.lib",
    "textures.lib",
    "lightmap.lib",
    "palettes.lib",
    registry::ARCHIVE,
    dscr::ARCHIVE,
];
/// So are archives of models, and models.
const ARCHIVE_ENDINGS: [&str; 2] = [".rlb", msh::ENDING];

impl Format for NRes {
    type Context = ();

    const NAME: &'static str = "nres";
    const EXTENSIONS: &'static [&'static str] = &["lib", "rlb"];
    const KIND: FileKind = FileKind::Archive;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        if head.starts_with(MAGIC) {
            return Some(Match::Content);
        }
        is_archive_name(name).then_some(Match::Extension)
    }

    /// An archive may be terrain, areals or a model, whatever its name; one with the name of a model is one, whatever
    /// it lacks.
    fn refine(name: &str, data: &[u8]) -> Option<&'static dyn AnyFormat> {
        // A broken archive stays one: its report says what is wrong.
        let archive = Self::read_with(data, Tolerance::all()).ok()?;
        match NResKind::from_archive(&archive) {
            NResKind::LandMsh => Some(&Registered::<LandMsh>::NEW),
            NResKind::LandMap => Some(&Registered::<LandMap>::NEW),
            NResKind::Msh => Some(&Registered::<Msh>::NEW),
            NResKind::Other if name.ends_with(msh::ENDING) => Some(&Registered::<Msh>::NEW),
            NResKind::Other => None,
        }
    }

    /// Nothing is repaired: what was waived is found by the check.
    fn read_tolerant(data: &[u8], (): &()) -> Result<(Self, Vec<Finding>), FormatError> {
        Ok((Self::read_with(data, Tolerance::all())?, Vec::new()))
    }

    fn describe(&self, report: &mut Report) {
        report.fact("entries", self.entries.len());
        let mut n_by_type: BTreeMap<String, usize> = BTreeMap::new();
        for entry in &self.entries {
            let n = n_by_type.entry(type_name(entry.type_id)).or_default();
            *n = n.saturating_add(1);
        }
        let counts: Vec<String> = n_by_type
            .iter()
            .map(|(name, n)| format!("{n} {name}"))
            .collect();
        report.fact("types", counts.join(", "));
    }

    /// The rows, and what is in the entries: the archive's own name says how the game reads them.
    fn describe_more(&self, input: &Input<'_>, report: &mut Report) {
        self.describe_entries(report);
        let library = Library::named(input.path);
        for (entry, row) in self.entries.iter().zip(&mut report.entries) {
            report.findings.extend(look_into(entry, row, library));
        }
        contents::add_fits(&self.entries, library, report);
    }

    fn inspect(input: &Input<'_>, report: &mut Report) -> Result<(), FormatError> {
        archive::inspect::<Self>(input, report)
    }

    const ARCHIVE_LABEL: Option<&'static str> = Some("NRes");

    fn packs(request: &PackRequest<'_>) -> bool {
        match request.base {
            Some(base) => base.starts_with(MAGIC),
            None => is_archive_name(&request.file_name.to_lowercase()),
        }
    }

    fn pack(request: &PackRequest<'_>) -> Result<Packed, ConversionError> {
        packing::pack(request)
    }

    fn open_archive(path: &Path, _: ArchiveOptions) -> Option<Result<Archive, ArchiveError>> {
        Some(archive::open(path))
    }

    fn entry_format(archive: &Input<'_>, entry: &str) -> Option<&'static dyn AnyFormat> {
        let entries = Self::read_with(archive.data, Tolerance::all()).ok()?;
        let entry = entries.entries.get(entries.find(&encode_cp1251(entry)?)?)?;
        let content = Content::from_entry(entry, Library::named(archive.path))?;
        Some(content.format())
    }

    fn inspect_entry(
        archive: &Input<'_>,
        name: &str,
        report: &mut Report,
    ) -> Result<EntryLookup, FormatError> {
        archive::inspect_entry(archive, name, report)
    }
}

impl NRes {
    /// The rows without a look into the entries.
    fn describe_entries(&self, report: &mut Report) {
        let rows = self.entries.iter().map(row).collect();
        archive::describe_rows(Self::NAME, rows, report);
    }
}

/// Whether a file of that name, in lowercase, is such an archive.
fn is_archive_name(name: &str) -> bool {
    let is_known = ARCHIVE_NAMES.contains(&name);
    is_known || ARCHIVE_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Reports on a file that is such an archive: also its entries, which the value does not hold any more.
///
/// # Errors
/// Even the tolerant reader refuses it.
pub(crate) fn inspect_with_entries<F: Format>(
    input: &Input<'_>,
    report: &mut Report,
) -> Result<(), FormatError> {
    let (file, findings) = read_and_check::<F>(input.data, &F::Context::default())?;
    file.describe(report);
    NRes::read_with(input.data, Tolerance::all())?.describe_entries(report);
    report.findings.extend(findings);
    Ok(())
}

impl Entry {
    /// Its row and what is wrong with it, in the archive of that path.
    pub(crate) fn row_and_findings(&self, path: &Path) -> (EntryRow, Vec<Finding>) {
        let mut row = row(self);
        let findings = look_into(self, &mut row, Library::named(path));
        (row, findings)
    }

    /// Adds what its own format says of it.
    pub(crate) fn describe(&self, path: &Path, report: &mut Report) {
        contents::describe(self, Library::named(path), report);
    }
}

fn row(entry: &Entry) -> EntryRow {
    EntryRow {
        name: entry.name_text().into_owned(),
        type_name: type_name(entry.type_id),
        size: entry.data.len() as u64,
        offset: entry.offset(),
        detail: String::new(),
    }
}
