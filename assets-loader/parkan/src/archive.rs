//! Archives of both kinds as lists of entries: what tools extract and report one at a time.
//!
//! The first bytes decide between NRes and RsLi, whatever the file's name: all tools agree on it.
//!
//! Deliberately absent: the readers, and the meaning of entries.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use super::nres::{self, NRes};
use super::rsli::{self, RsLi};
use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_core::format::{
    Archive, ArchiveContent, ArchiveError, ConversionError, EntryLookup, Format, Input,
    PackRequest, Packed, UnpackError,
};
use ironlands_assets_core::report::{EntryRow, Report};
use ironlands_assets_core::text::encode_cp1251;
use ironlands_assets_core::unpack::Budget;
use ironlands_assets_core::vfs::{path, read_file};

/// An archive of either kind.
enum AnyArchive {
    NRes(NRes),
    RsLi(RsLi),
}

/// Opens a file as what its first bytes say.
///
/// # Errors
/// The system refuses it, it is neither archive, or it is broken beyond all tolerance.
pub(super) fn open(file: &Path) -> Result<Archive, ArchiveError> {
    let data = read_file(file)?;
    let path = file.to_owned();
    if !data.starts_with(nres::MAGIC) && !data.starts_with(rsli::MAGIC) {
        return Err(ArchiveError::Unknown {
            path,
            known: "NRes or RsLi".to_owned(),
        });
    }
    let content = AnyArchive::read(&data).map_err(|error| ArchiveError::Format {
        path,
        error: Box::new(error),
    })?;
    let budget = Budget::from_file_size(data.len());
    Ok(Archive::new(file, Box::new(content), budget))
}

/// Reports on an archive: always tolerantly, since the check says what was waived.
///
/// # Errors
/// It is broken beyond all tolerance.
pub(super) fn inspect<F: Format>(
    input: &Input<'_>,
    report: &mut Report,
) -> Result<(), FormatError> {
    let (archive, _) = F::read_tolerant(input.data, &F::Context::default())?;
    archive.describe(report);
    report.findings.extend(archive.check());
    archive.describe_more(input, report);
    Ok(())
}

/// Reports on one entry.
///
/// # Errors
/// The archive is broken.
pub(super) fn inspect_entry(
    input: &Input<'_>,
    name: &str,
    report: &mut Report,
) -> Result<EntryLookup, FormatError> {
    let archive = AnyArchive::read(input.data)?;
    let Some((row, findings)) = archive.look_up(name, input.path) else {
        let names = archive.entry_names();
        return Ok(EntryLookup::Missing { names });
    };
    report.fact("bytes", row.size);
    archive.describe(name, input.path, report);
    report.entries.push(row);
    report.findings.extend(findings);
    Ok(EntryLookup::Found)
}

impl AnyArchive {
    /// Reads it tolerantly. What begins as neither is refused as NRes.
    fn read(data: &[u8]) -> Result<Self, FormatError> {
        match data.starts_with(rsli::MAGIC) {
            true => RsLi::read_with(data, rsli::Tolerance::all()).map(Self::RsLi),
            false => NRes::read_with(data, nres::Tolerance::all()).map(Self::NRes),
        }
    }

    fn entry_names(&self) -> Vec<String> {
        match self {
            Self::NRes(nres) => owned(nres.entries.iter().map(nres::Entry::name_text)),
            Self::RsLi(rsli) => owned(rsli.entries.iter().map(rsli::Entry::name_text)),
        }
    }

    /// Adds what the format of an entry says of it, where it is an effect or control data.
    fn describe(&self, name: &str, path: &Path, report: &mut Report) {
        let (Self::NRes(nres), Some(name)) = (self, encode_cp1251(name)) else {
            return;
        };
        let entry = nres.find(&name).and_then(|idx| nres.entries.get(idx));
        if let Some(entry) = entry {
            entry.describe(path, report);
        }
    }

    /// The row of an entry and what is wrong with it; `None` if there is none of that name.
    fn look_up(&self, name: &str, path: &Path) -> Option<(EntryRow, Vec<Finding>)> {
        // A name that CP1251 cannot spell is in no archive.
        let name = encode_cp1251(name)?;
        match self {
            Self::NRes(nres) => Some(nres.entries.get(nres.find(&name)?)?.row_and_findings(path)),
            Self::RsLi(rsli) => Some(rsli.entries.get(rsli.find(&name)?)?.row_and_findings()),
        }
    }
}

impl ArchiveContent for AnyArchive {
    fn names(&self) -> Vec<(String, String)> {
        let names = self.entry_names().into_iter();
        names.map(|name| (name.clone(), name)).collect()
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "an index of `names`, as the trait says"
    )]
    fn unpack(&self, index: usize, _: &Budget) -> Result<Vec<u8>, UnpackError> {
        match self {
            Self::NRes(nres) => Ok(nres.entries[index].data.clone()),
            Self::RsLi(rsli) => Ok(rsli.entries[index].unpack_tolerantly()?),
        }
    }
}

fn owned<'a>(names: impl Iterator<Item = Cow<'a, str>>) -> Vec<String> {
    names.map(Cow::into_owned).collect()
}

/// Which entries of an archive files replace.
pub(super) struct Replaced {
    /// Entries by the lowercase paths that `extract` gives them.
    paths: HashMap<String, usize>,
    /// Whether a file has come for each.
    is_replaced: Vec<bool>,
}

impl Replaced {
    /// Of an archive with entries of these names.
    pub(super) fn new<'a>(names: impl Iterator<Item = Cow<'a, str>>) -> Self {
        let names = Names(owned(names));
        let archive = Archive::new(Path::new(""), Box::new(names), Budget::default());
        let paths = archive.entries().iter().enumerate();
        Self {
            is_replaced: vec![false; archive.entries().len()],
            paths: paths
                .filter_map(|(idx, entry)| Some((entry.path.as_ref().ok()?.to_lowercase(), idx)))
                .collect(),
        }
    }

    /// The entry that a file of that name replaces.
    pub(super) fn find(&mut self, file: &str) -> Option<usize> {
        let idx = *self.paths.get(&file.to_lowercase())?;
        *self.is_replaced.get_mut(idx)? = true;
        Some(idx)
    }

    /// Removes the entries that no file has replaced, if the request says so; new ones come after them. Their names.
    pub(super) fn remove_others<E>(
        &self,
        request: &PackRequest<'_>,
        entries: &mut Vec<E>,
        name: impl Fn(&E) -> Cow<'_, str>,
    ) -> Vec<String> {
        let mut removed = Vec::new();
        if request.replace_all {
            let mut is_replaced = self.is_replaced.iter();
            entries.retain(|entry| {
                let stays = *is_replaced.next().unwrap_or(&true);
                if !stays {
                    removed.push(name(entry).into_owned());
                }
                stays
            });
        }
        removed
    }
}

/// Names without entries, for the paths that they get.
struct Names(Vec<String>);

impl ArchiveContent for Names {
    fn names(&self) -> Vec<(String, String)> {
        let names = self.0.iter();
        names.map(|name| (name.clone(), name.clone())).collect()
    }

    fn unpack(&self, _: usize, _: &Budget) -> Result<Vec<u8>, UnpackError> {
        Ok(Vec::new())
    }
}

/// Refuses what only archives of other games have.
pub(super) fn refuse_options(request: &PackRequest<'_>) -> Result<(), ConversionError> {
    match request.options.order.is_some() || request.options.share {
        true => Err(ConversionError::other(
            "--names and --share are not for NRes and RsLi",
        )),
        false => Ok(()),
    }
}

/// What is said of an archive with files in it.
pub(super) fn packed(
    bytes: Vec<u8>,
    n_entries: usize,
    request: &PackRequest<'_>,
    removed: Vec<String>,
) -> Packed {
    Packed {
        bytes,
        content: format!("{n_entries} entries, {} files", request.files.len()),
        removed,
    }
}

/// Adds the rows of an archive, and which names no file can have.
pub(super) fn describe_rows(format: &'static str, rows: Vec<EntryRow>, report: &mut Report) {
    let refused = rows.iter().filter_map(|row| {
        let finding = path::name_finding(format, &row.name)?;
        Some(finding.at(row.offset))
    });
    report.findings.extend(refused);
    report.entries = rows;
}
