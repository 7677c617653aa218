//! Entries of archives as reports show them: what each is, what it holds, and what is wrong with it.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::path::Path;

use super::{FORMAT, ResArchive, ResEntry, Tolerance};
use crate::adb::Adb;
use crate::anm::Anm;
use crate::bon::Bon;
use crate::cam::Cam;
use crate::db::Db;
use crate::fig::Fig;
use crate::lnk::Lnk;
use crate::mmp::Mmp;
use crate::reg::Reg;
use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_core::format::{Format, Match, read_and_check};
use ironlands_assets_core::report::{EntryRow, Report, Scope, refusal};
use ironlands_assets_core::vfs::path;

/// Archives in archives beyond this are not looked into.
const MAX_DEPTH: usize = 8;

/// What an entry is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Content {
    Res,
    Reg,
    Adb,
    Cam,
    Db,
    Mmp,
    Fig,
    Lnk,
    Bon,
    Anm,
}

/// What is done about an entry.
#[derive(Debug, Clone, Copy)]
struct Look {
    content: Option<Content>,
    /// What entries without an ending are, if it is an archive of them.
    parts: Option<Content>,
    /// How many archives deep it is opened; `None` if an earlier entry had the same bytes, or else a small
    /// file could cause any amount of work.
    depth: Option<usize>,
}

/// Adds a row for each entry of the archive at a path, and what is wrong with those that are known.
pub(super) fn add_entries(archive: &ResArchive, path: &Path, report: &mut Report) {
    let parts = Content::from_parts(&path.to_string_lossy());
    for (entry, look) in with_looks(archive, 0, parts) {
        let (row, findings) = look_at(entry, look);
        report.entries.push(row);
        report.findings.extend(findings);
    }
}

/// Adds an entry that was requested by name; with what is in it if it is an archive.
pub(super) fn add_entry(entry: &ResEntry, name: &str, report: &mut Report) {
    let parts = Content::from_parts(name);
    let look = Look {
        content: Content::from_entry(entry, parts),
        parts,
        depth: Some(0),
    };
    let (row, findings) = look_at(entry, look);
    report.fact("bytes", row.size);
    report.entries = inner_rows(entry).unwrap_or_else(|_| vec![row]);
    report.findings.extend(findings);
}

impl Content {
    /// By name and bytes; parts of figures by the archive that they lie in, too.
    fn from_entry(entry: &ResEntry, parts: Option<Self>) -> Option<Self> {
        let name = entry.name_text().to_ascii_lowercase();
        let content = Self::recognize(&name, &entry.data);
        content.or(parts.filter(|_| !name.contains('.')))
    }

    /// The best match, and of equally good ones the first.
    fn recognize(name: &str, data: &[u8]) -> Option<Self> {
        let database = Db::recognize(name, data);
        let database = database.filter(|_| Db::fits_len(name, data, data.len() as u64));
        let matches: [(Option<Match>, Self); 10] = [
            (ResArchive::recognize(name, data), Self::Res),
            (Reg::recognize(name, data), Self::Reg),
            (Adb::recognize(name, data), Self::Adb),
            (Cam::recognize(name, data), Self::Cam),
            (database, Self::Db),
            (Mmp::recognize(name, data), Self::Mmp),
            (Fig::recognize(name, data), Self::Fig),
            (Lnk::recognize(name, data), Self::Lnk),
            (Bon::recognize(name, data), Self::Bon),
            (Anm::recognize(name, data), Self::Anm),
        ];
        let found = matches.into_iter().filter(|(found, _)| found.is_some());
        // The last of the greatest is taken.
        found.rev().max_by_key(|(found, _)| *found).map(|it| it.1)
    }

    /// What the entries of an archive are that have no ending: archives of a figure's parts have their kind as their
    /// own.
    fn from_parts(archive_name: &str) -> Option<Self> {
        match &*ending(&archive_name.to_ascii_lowercase()) {
            "bon" => Some(Self::Bon),
            "anm" => Some(Self::Anm),
            _ => None,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Res => ResArchive::NAME,
            Self::Reg => Reg::NAME,
            Self::Adb => Adb::NAME,
            Self::Cam => Cam::NAME,
            Self::Db => Db::NAME,
            Self::Mmp => Mmp::NAME,
            Self::Fig => Fig::NAME,
            Self::Lnk => Lnk::NAME,
            Self::Bon => Bon::NAME,
            Self::Anm => Anm::NAME,
        }
    }

    /// What the entry holds, and what its format finds wrong. Offsets count from its start.
    fn look_into(
        self,
        entry: &ResEntry,
        parts: Option<Self>,
        depth: usize,
    ) -> Result<(String, Vec<Finding>), FormatError> {
        match self {
            Self::Res => look_into_archive(entry, parts, depth),
            Self::Reg => look_into(entry, |reg: &Reg| {
                format!("{} sections", reg.sections.len())
            }),
            Self::Adb => look_into(entry, |adb: &Adb| {
                format!("{} animations", adb.animations.len())
            }),
            Self::Cam => look_into(entry, |cam: &Cam| format!("{} records", cam.records.len())),
            Self::Db => look_into(entry, |db: &Db| {
                let n_records = db.tables.iter().map(|table| table.children().len());
                let n_records: usize = n_records.sum();
                format!("{} tables, {n_records} records", db.tables.len())
            }),
            Self::Mmp => look_into(entry, facts::<Mmp>),
            Self::Fig => look_into(entry, facts::<Fig>),
            Self::Lnk => look_into(entry, facts::<Lnk>),
            Self::Bon => look_into(entry, facts::<Bon>),
            Self::Anm => look_into(entry, facts::<Anm>),
        }
    }
}

/// Entries with what is done about them.
fn with_looks(
    archive: &ResArchive,
    depth: usize,
    parts: Option<Content>,
) -> Vec<(&ResEntry, Look)> {
    let mut seen = HashSet::new();
    let entries = archive.entries.iter().map(|entry| {
        let content = Content::from_entry(entry, parts);
        let is_new = seen.insert((entry.offset(), entry.data.len(), content));
        let look = Look {
            content,
            parts: Content::from_parts(&entry.name_text()).or(parts),
            depth: is_new.then_some(depth),
        };
        (entry, look)
    });
    entries.collect()
}

/// The row of an entry, and what is wrong with it, at its offset in the file.
fn look_at(entry: &ResEntry, look: Look) -> (EntryRow, Vec<Finding>) {
    let name = entry.name_text().into_owned();
    let lower = name.to_ascii_lowercase();
    let Look {
        content,
        parts,
        depth,
    } = look;
    let mut row = EntryRow {
        type_name: content.map_or_else(|| ending(&lower), |content| content.name().to_owned()),
        size: entry.data.len() as u64,
        offset: entry.offset(),
        detail: String::new(),
        name,
    };
    let reported = match (content, depth) {
        (Some(content), Some(depth)) if content != Content::Res || depth < MAX_DEPTH => {
            content.look_into(entry, parts, depth)
        }
        _ => Ok((String::new(), Vec::new())),
    };
    let refused = path::name_finding(FORMAT, &entry.name_text()).map(|it| it.at(entry.offset()));
    let mut findings: Vec<Finding> = refused.into_iter().collect();
    match reported {
        Ok((detail, inner)) => {
            row.detail = detail;
            findings.extend(inner.into_iter().map(|finding| in_entry(finding, entry)));
        }
        Err(mut error) => {
            error.offset = error.offset.saturating_add(entry.offset());
            findings.push(refusal(&error.in_entry(&entry.name_text())));
        }
    }
    (row, findings)
}

fn look_into_archive(
    entry: &ResEntry,
    parts: Option<Content>,
    depth: usize,
) -> Result<(String, Vec<Finding>), FormatError> {
    let archive = ResArchive::read_with(&entry.data, Tolerance::all())?;
    let mut findings = archive.check();
    for (entry, look) in with_looks(&archive, depth.saturating_add(1), parts) {
        findings.extend(look_at(entry, look).1);
    }
    let names: Vec<_> = archive.entries.iter().map(ResEntry::name_text).collect();
    Ok((names.join(" "), findings))
}

/// What an entry of a format holds, in the given words.
fn look_into<F: Format>(
    entry: &ResEntry,
    words: impl FnOnce(&F) -> String,
) -> Result<(String, Vec<Finding>), FormatError> {
    let Ok(context) = F::context(Path::new(&*entry.name_text())) else {
        return Ok((String::new(), Vec::new()));
    };
    let (file, findings) = read_and_check::<F>(&entry.data, &context)?;
    Ok((words(&file), findings))
}

/// The facts of a file in a line.
fn facts<F: Format>(file: &F) -> String {
    let mut report = Report::new(Path::new(""), Scope::Entry, F::NAME);
    file.describe(&mut report);
    let facts = report.facts.iter();
    let facts = facts.map(|(name, value)| format!("{name} {value}"));
    facts.collect::<Vec<_>>().join(", ")
}

/// Rows of an archive in an archive, with their offsets in the outer one.
///
/// # Errors
/// It is no archive, or a broken one.
fn inner_rows(entry: &ResEntry) -> Result<Vec<EntryRow>, FormatError> {
    let inner = ResArchive::read_with(&entry.data, Tolerance::all())?;
    let parts = Content::from_parts(&entry.name_text());
    let rows = with_looks(&inner, 0, parts).into_iter();
    let rows = rows.map(|(inner, look)| {
        let (row, _) = look_at(inner, look);
        EntryRow {
            offset: row.offset.saturating_add(entry.offset()),
            ..row
        }
    });
    Ok(rows.collect())
}

/// The same finding, attributed to an entry, at its offset in the file.
fn in_entry(finding: Finding, entry: &ResEntry) -> Finding {
    let offset = finding.offset.unwrap_or_default();
    Finding {
        offset: Some(entry.offset().saturating_add(offset)),
        message: format!("entry \"{}\": {}", entry.name_text(), finding.message),
        ..finding
    }
}

/// The extension of a name; empty if it has none.
fn ending(name: &str) -> String {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.unwrap_or_default().to_owned()
}
