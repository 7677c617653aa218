//! Evil Islands: archives and what is in them, packed INI files, databases, animation tables, camera paths.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::path::Path;

use super::archive::refused_name;
use super::{EntryRow, Kind, Report, evil_islands_figure, refusal};
use crate::bytes::{Finding, FormatError};
use crate::evil_islands::adb::{self, Adb};
use crate::evil_islands::cam::{self, Cam};
use crate::evil_islands::db::{self, Db, DbKind};
use crate::evil_islands::reg::{self, Reg};
use crate::evil_islands::res::{self, ResArchive, ResEntry};
use crate::vfs;

/// Archives in archives beyond this are not looked into.
const MAX_DEPTH: usize = 8;
/// Camera paths are known by this ending: they have no mark.
const CAMERA_ENDING: &str = ".cam";

/// Files of other programs end so as well, those of debuggers for one: only what may be a database is taken for one.
const AMBIGUOUS_ENDINGS: [&str; 2] = [".pdb", ".sdb"];

/// What a file is by its lower-case name and first bytes; `None` if it is none of ours.
pub(super) fn sniff(name: &str, head: &[u8], len: impl FnOnce() -> Option<u64>) -> Option<Kind> {
    if head.starts_with(&res::MAGIC) {
        return Some(Kind::Res);
    }
    if head.starts_with(&reg::MAGIC) {
        return Some(Kind::Reg);
    }
    if head.starts_with(adb::MAGIC) {
        return Some(Kind::Adb);
    }
    if name.ends_with(CAMERA_ENDING) {
        return Some(Kind::Cam);
    }
    DbKind::of_file_name(name)?;
    let is_ambiguous = AMBIGUOUS_ENDINGS.iter().any(|it| name.ends_with(it));
    let is_database = !is_ambiguous || db::may_be_one(head, len()?);
    is_database.then_some(Kind::Db)
}

pub(super) fn sniff_file(path: &Path, name: &str, head: &[u8]) -> Option<Kind> {
    sniff(name, head, || vfs::file_len(path).ok())
}

/// An archive: a row for each entry, and what is wrong with those that are known.
pub(super) fn tell_res(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let archive = ResArchive::read_with(data, res::Tolerance::all())?;
    report.fact("entries", archive.entries.len());
    let n_archives = archive.entries.iter().filter(|it| it.is_archive()).count();
    report.fact("archives in it", n_archives);
    report.fact("names in order of", format!("{:?}", archive.names_order));
    report.findings.extend(archive.check());
    let parts = parts_of(&report.path.to_string_lossy());
    for (entry, look) in with_looks(&archive, 0, parts) {
        let (row, findings) = tell_entry(entry, look);
        report.entries.push(row);
        report.findings.extend(findings);
    }
    Ok(())
}

/// One entry alone, with what is in it if it is an archive; or the names of all if there is none of that name.
///
/// # Errors
/// The archive is broken.
pub(super) fn tell_one(
    report: &mut Report,
    data: &[u8],
    name: &str,
) -> Result<Result<(), Vec<String>>, FormatError> {
    let archive = ResArchive::read_with(data, res::Tolerance::all())?;
    let Some(entry) = archive.find(name) else {
        let names = archive.entries.iter().map(|it| it.name_text().into_owned());
        return Ok(Err(names.collect()));
    };
    let parts = parts_of(&report.path.to_string_lossy());
    let kind = kind_of(entry, parts);
    let (row, findings) = tell_entry(
        entry,
        Look {
            kind,
            parts,
            depth: Some(0),
        },
    );
    report.fact("bytes", row.size);
    report.entries = inner_rows(entry).unwrap_or_else(|_| vec![row]);
    report.findings.extend(findings);
    Ok(Ok(()))
}

pub(super) fn tell_reg(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let reg = Reg::read_with(data, reg::Tolerance::all())?;
    report.fact("sections", reg.sections.len());
    let n_keys: usize = reg.sections.iter().map(|section| section.keys.len()).sum();
    report.fact("keys", n_keys);
    report.findings.extend(reg.check());
    Ok(())
}

pub(super) fn tell_cam(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let cam = Cam::read_with(data, cam::Tolerance::all())?;
    report.fact("records", cam.records.len());
    if let [first, .., last] = &cam.records[..] {
        let times = format!("{} to {}", first.time().value(), last.time().value());
        report.fact("times", times);
    }
    report.findings.extend(cam.check());
    Ok(())
}

pub(super) fn tell_adb(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let adb = Adb::read_with(data, adb::Tolerance::all())?;
    report.fact("unit", adb.unit_name_text());
    report.fact("animations", adb.animations.len());
    let [smallest, middle, largest] = adb.heights;
    report.fact("heights", format!("{smallest} {middle} {largest}"));
    if let Some(shift) = adb.forms_shift() {
        report.fact("action forms from", format!("{shift:?}"));
    }
    report.findings.extend(adb.check());
    Ok(())
}

pub(super) fn tell_db(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let name = report.path.file_name().unwrap_or_default();
    let Some(kind) = DbKind::of_file_name(&name.to_string_lossy()) else {
        return Ok(());
    };
    let db = Db::read_with(data, kind, db::Tolerance::all())?;
    report.fact("database", kind.name());
    for (table, schema) in db.tables.iter().zip(kind.tables()) {
        report.fact(schema.name, table.children().len());
    }
    report.findings.extend(db.check());
    Ok(())
}

/// What is done about an entry.
#[derive(Debug, Clone, Copy)]
struct Look {
    kind: Option<Kind>,
    /// What entries without an ending are, if it is an archive of them.
    parts: Option<Kind>,
    /// It is looked into, so many archives deep; not, if its bytes are those of an entry before, which was: a small
    /// file could ask for any number of looks.
    depth: Option<usize>,
}

/// What the entries of an archive are that have no ending: archives of a figure's parts have their kind as their own.
fn parts_of(name: &str) -> Option<Kind> {
    match &*ending(&name.to_ascii_lowercase()) {
        "bon" => Some(Kind::Bon),
        "anm" => Some(Kind::Anm),
        _ => None,
    }
}

/// Entries with what is done about them.
fn with_looks(archive: &ResArchive, depth: usize, parts: Option<Kind>) -> Vec<(&ResEntry, Look)> {
    let mut seen = HashSet::new();
    let entries = archive.entries.iter().map(|entry| {
        let kind = kind_of(entry, parts);
        let is_new = seen.insert((entry.offset(), entry.data.len(), kind));
        let look = Look {
            kind,
            parts: parts_of(&entry.name_text()).or(parts),
            depth: is_new.then_some(depth),
        };
        (entry, look)
    });
    entries.collect()
}

fn kind_of(entry: &ResEntry, parts: Option<Kind>) -> Option<Kind> {
    let name = entry.name_text().to_ascii_lowercase();
    let kind = sniff(&name, &entry.data, || Some(entry.data.len() as u64));
    kind.or_else(|| evil_islands_figure::sniff(&name, &entry.data))
        .or(parts.filter(|_| !name.contains('.')))
}

/// The row of an entry, and what is wrong with it, at its offset in the file.
fn tell_entry(entry: &ResEntry, look: Look) -> (EntryRow, Vec<Finding>) {
    let name = entry.name_text().into_owned();
    let lower = name.to_ascii_lowercase();
    let Look { kind, parts, depth } = look;
    let mut row = EntryRow {
        type_name: kind.map_or_else(|| ending(&lower), |kind| kind.name().to_owned()),
        size: entry.data.len() as u64,
        offset: entry.offset(),
        detail: String::new(),
        name,
    };
    let told = match (kind, depth) {
        (Some(kind), Some(depth)) if kind != Kind::Res || depth < MAX_DEPTH => {
            look_into((kind, parts), &lower, &entry.data, depth)
        }
        _ => Ok((String::new(), Vec::new())),
    };
    let refused = refused_name(res::FORMAT, &entry.name_text());
    let mut findings: Vec<Finding> = refused
        .map(|it| it.at(entry.offset()))
        .into_iter()
        .collect();
    match told {
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

/// Rows of an archive in an archive, with their offsets in the outer one.
///
/// # Errors
/// It is no archive, or a broken one.
fn inner_rows(entry: &ResEntry) -> Result<Vec<EntryRow>, FormatError> {
    let inner = ResArchive::read_with(&entry.data, res::Tolerance::all())?;
    let parts = parts_of(&entry.name_text());
    let rows = with_looks(&inner, 0, parts)
        .into_iter()
        .map(|(inner, look)| {
            let (row, _) = tell_entry(inner, look);
            EntryRow {
                offset: row.offset.saturating_add(entry.offset()),
                ..row
            }
        });
    Ok(rows.collect())
}

/// What an entry holds, and what its format finds wrong. Offsets count from its start.
fn look_into(
    (kind, parts): (Kind, Option<Kind>),
    name: &str,
    data: &[u8],
    depth: usize,
) -> Result<(String, Vec<Finding>), FormatError> {
    Ok(match kind {
        Kind::Res => {
            let archive = ResArchive::read_with(data, res::Tolerance::all())?;
            let mut findings = archive.check();
            for (entry, look) in with_looks(&archive, depth.saturating_add(1), parts) {
                findings.extend(tell_entry(entry, look).1);
            }
            let names: Vec<_> = archive.entries.iter().map(ResEntry::name_text).collect();
            (names.join(" "), findings)
        }
        Kind::Reg => {
            let reg = Reg::read_with(data, reg::Tolerance::all())?;
            (format!("{} sections", reg.sections.len()), reg.check())
        }
        Kind::Cam => {
            let cam = Cam::read_with(data, cam::Tolerance::all())?;
            (format!("{} records", cam.records.len()), cam.check())
        }
        Kind::Adb => {
            let adb = Adb::read_with(data, adb::Tolerance::all())?;
            (format!("{} animations", adb.animations.len()), adb.check())
        }
        Kind::Mmp | Kind::Fig | Kind::Lnk | Kind::Bon | Kind::Anm => {
            evil_islands_figure::look_into(kind, data)?
        }
        _ => {
            let Some(kind) = DbKind::of_file_name(name) else {
                return Ok((String::new(), Vec::new()));
            };
            let db = Db::read_with(data, kind, db::Tolerance::all())?;
            let n_records = db.tables.iter().map(|table| table.children().len());
            let n_records: usize = n_records.sum();
            let detail = format!("{} tables, {n_records} records", db.tables.len());
            (detail, db.check())
        }
    })
}

/// The same finding, told to lie in an entry, at its offset in the file.
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
