//! Archives: one row for each entry, and the findings of every entry whose type is known.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use super::{EntryRow, Report, evil_islands_archives, files, refusal};
use crate::bytes::{Finding, FormatError, Severity};
use crate::evil_islands::res;
use crate::parkan::mat0::{self, Mat0};
use crate::parkan::material_table::{MATERIAL_LIB, TextureKind};
use crate::parkan::msh::{self, Msh};
use crate::parkan::nres::{self, Entry, NRes};
use crate::parkan::registry::{self, Prototype};
use crate::parkan::rsli::{self, LzhPosition, RsLi};
use crate::parkan::texm::{self, Texm};
use crate::parkan::wear::{self, Wear, WearTolerance};
use crate::text::{decode_cp1251, encode_cp1251};
use crate::vfs::{PathFault, path};

pub(super) fn tell_nres(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let archive = NRes::read_with(data, nres::Tolerance::all())?;
    report.fact("entries", archive.entries.len());
    let mut n_by_type: BTreeMap<String, usize> = BTreeMap::new();
    for entry in &archive.entries {
        let n = n_by_type.entry(type_name(entry.type_id)).or_default();
        *n = n.saturating_add(1);
    }
    let counts: Vec<String> = n_by_type
        .iter()
        .map(|(name, n)| format!("{n} {name}"))
        .collect();
    report.fact("types", counts.join(", "));
    report.findings.extend(archive.check());
    tell_rows(report, &archive);
    let library = Library::named(&report.path);
    for (entry, row) in archive.entries.iter().zip(&mut report.entries) {
        report.findings.extend(tell_entry(entry, row, library));
    }
    Ok(())
}

pub(super) fn tell_rsli(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let library = RsLi::read_with(data, rsli::Tolerance::all())?;
    report.fact("entries", library.entries.len());
    if let Some(overlay) = library.overlay {
        report.fact("overlay", overlay);
    }
    report.entries = library.entries.iter().map(packed_row).collect();
    let refused = report.entries.iter().filter_map(|row| {
        let finding = refused_name(rsli::FORMAT, &row.name)?;
        Some(finding.at(row.offset))
    });
    report.findings.extend(refused);
    report.findings.extend(library.check());
    Ok(())
}

/// One entry alone, or the names of all if there is none of that name.
///
/// # Errors
/// The archive is broken.
pub(super) fn tell_one(
    report: &mut Report,
    archive_path: &Path,
    data: &[u8],
    name: &str,
) -> Result<Result<(), Vec<String>>, FormatError> {
    if data.starts_with(&res::MAGIC) {
        return evil_islands_archives::tell_one(report, data, name);
    }
    // A name that CP1251 cannot spell is in no archive.
    let bytes = encode_cp1251(name);
    let (row, findings) = if data.starts_with(rsli::MAGIC) {
        let library = RsLi::read_with(data, rsli::Tolerance::all())?;
        let Some(idx) = bytes.and_then(|bytes| library.find(&bytes)) else {
            let names = library.entries.iter().map(rsli::Entry::name_text);
            return Ok(Err(names.map(Cow::into_owned).collect()));
        };
        let entry = &library.entries[idx];
        let unpacked = entry.unpack_with(LzhPosition::Classic, rsli::Tolerance::all());
        let fault = unpacked.map_err(|error| refusal(&error.in_entry(&entry.name_text())));
        (packed_row(entry), fault.err().into_iter().collect())
    } else {
        let archive = NRes::read_with(data, nres::Tolerance::all())?;
        let Some(idx) = bytes.and_then(|bytes| archive.find(&bytes)) else {
            let names = archive.entries.iter().map(Entry::name_text);
            return Ok(Err(names.map(Cow::into_owned).collect()));
        };
        let entry = &archive.entries[idx];
        let mut row = row(entry);
        let findings = tell_entry(entry, &mut row, Library::named(archive_path));
        (row, findings)
    };
    report.fact("bytes", row.size);
    report.entries.push(row);
    report.findings.extend(findings);
    Ok(Ok(()))
}

/// The rows of an archive without a look into its entries, and names that no file can have.
pub(super) fn tell_rows(report: &mut Report, archive: &NRes) {
    report.entries = archive.entries.iter().map(row).collect();
    let refused = report.entries.iter().filter_map(|row| {
        let finding = refused_name(nres::FORMAT, &row.name)?;
        Some(finding.at(row.offset))
    });
    report.findings.extend(refused);
}

/// What is wrong with a name under which an entry cannot be taken out of an archive. One without a name can be.
pub(super) fn refused_name(format: &'static str, name: &str) -> Option<Finding> {
    let fault = path::fault_of(name).filter(|fault| *fault != PathFault::Empty)?;
    let message = format!("the name breaks the path policy: {fault}");
    let finding = Finding::new(Severity::Error, format, message);
    Some(finding.in_part(&name.escape_debug().to_string()))
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

fn packed_row(entry: &rsli::Entry) -> EntryRow {
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

/// What an archive holds by its own name. The game finds entries by name, whatever their type word says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Library {
    Prototypes,
    Materials,
    Textures,
    Mixed,
}

impl Library {
    fn named(archive: &Path) -> Self {
        let name = archive.file_name().unwrap_or_default();
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        if is(registry::ARCHIVE) {
            Self::Prototypes
        } else if is(MATERIAL_LIB) {
            Self::Materials
        } else if TextureKind::ALL.iter().any(|kind| is(kind.library())) {
            Self::Textures
        } else {
            Self::Mixed
        }
    }
}

/// What an entry is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Prototype,
    Material,
    Texture,
    Table,
    Model,
}

impl Content {
    /// By the place and name that the game finds the entry by, else by its type; `None` for what is not read here.
    fn of(entry: &Entry, library: Library) -> Option<Self> {
        let by_type = match entry.type_id {
            mat0::TYPE_ID => Some(Self::Material),
            texm::TYPE_ID => Some(Self::Texture),
            wear::TYPE_ID => Some(Self::Table),
            msh::TYPE_ID => Some(Self::Model),
            _ => None,
        };
        let ends_in = |ending: &[u8; 4]| {
            let last: Option<&[u8; 4]> = entry.name_bytes().last_chunk();
            last.is_some_and(|last| last.eq_ignore_ascii_case(ending))
        };
        match library {
            Library::Prototypes => Some(Self::Prototype),
            Library::Materials => Some(Self::Material),
            Library::Textures => Some(Self::Texture),
            Library::Mixed if ends_in(b".msh") => Some(Self::Model),
            Library::Mixed if ends_in(b".wea") => Some(Self::Table),
            Library::Mixed => by_type,
        }
    }

    /// The type word of such entries; prototypes have several.
    const fn type_id(self) -> Option<u32> {
        match self {
            Self::Prototype => None,
            Self::Material => Some(mat0::TYPE_ID),
            Self::Texture => Some(texm::TYPE_ID),
            Self::Table => Some(wear::TYPE_ID),
            Self::Model => Some(msh::TYPE_ID),
        }
    }

    /// What the entry holds, and what its format finds wrong. Offsets count from the payload.
    fn look_into(self, entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
        match self {
            Self::Prototype => look_into_prototype(entry),
            Self::Material => look_into_material(entry),
            Self::Texture => look_into_texture(entry),
            Self::Table => look_into_table(entry),
            Self::Model => look_into_model(entry),
        }
    }
}

/// Fills in what an entry holds; what is wrong with it, at its offset in the file.
fn tell_entry(entry: &Entry, row: &mut EntryRow, library: Library) -> Vec<Finding> {
    let Some(content) = Content::of(entry, library) else {
        return Vec::new();
    };
    let mut located: Vec<Finding> = other_type(entry, content).into_iter().collect();
    match content.look_into(entry) {
        Ok((detail, findings)) => {
            row.detail = detail;
            located.extend(findings.into_iter().map(|finding| in_entry(finding, entry)));
        }
        Err(mut error) => {
            error.offset = error.offset.saturating_add(entry.offset());
            located.push(refusal(&error.in_entry(&entry.name_text())));
        }
    }
    located
}

/// A search by type does not find an entry whose type word is another than that of its kind.
fn other_type(entry: &Entry, content: Content) -> Option<Finding> {
    let expected = content.type_id().filter(|known| *known != entry.type_id)?;
    let message = format!(
        "its type is {:#010x}, {} is expected of its name",
        entry.type_id,
        type_name(expected)
    );
    let finding = Finding::new(Severity::Warning, nres::FORMAT, message);
    Some(in_entry(finding, entry))
}

fn look_into_material(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let material = Mat0::read(&entry.data, entry.attr2)?;
    let textures: Vec<_> = (material.phases.iter())
        .map(|phase| decode_cp1251(phase.texture_name()))
        .collect();
    let n_animations = material.animations.len();
    let detail = format!("{n_animations} animations, phases {}", textures.join(" "));
    Ok((detail, material.check()))
}

fn look_into_texture(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let texture = Texm::read(&entry.data)?;
    let (width, height) = (texture.width, texture.height);
    let (n_levels, format) = (texture.mips.len(), texture.format);
    let detail = format!("{width} x {height}, {n_levels} levels, {format:?}");
    Ok((detail, texture.check()))
}

fn look_into_table(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let wear = Wear::read_with(&entry.data, WearTolerance::AnyGapBeforeLightmaps)?;
    let detail = format!("{} materials", wear.materials.len());
    Ok((detail, wear.check()))
}

fn look_into_model(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let tolerant = || Msh::read_with(&entry.data, msh::Tolerance::all());
    let strict = Msh::read(&entry.data);
    let (model, findings) = files::checked_or_repaired(strict, tolerant, Msh::check)?;
    let [n_nodes, n_vertices] = [model.nodes.len(), model.positions.len()];
    Ok((format!("{n_nodes} nodes, {n_vertices} vertices"), findings))
}

/// What a prototype refers to.
fn look_into_prototype(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let prototype = Prototype::read(&entry.data)?;
    let refs = prototype.refs.iter().map(|it| {
        let [archive, resource] = [it.archive(), it.resource()].map(decode_cp1251);
        format!("{archive}/{resource}")
    });
    let refs: Vec<String> = refs.collect();
    Ok((refs.join(" "), prototype.check()))
}

/// The same finding, told to lie in an entry, at its offset in the file.
fn in_entry(finding: Finding, entry: &Entry) -> Finding {
    Finding {
        offset: Some(entry.offset().saturating_add(finding.offset.unwrap_or(0))),
        message: format!("entry \"{}\": {}", entry.name_text(), finding.message),
        ..finding
    }
}

/// A fourcc as text, a chunk number as number.
fn type_name(type_id: u32) -> String {
    let bytes = type_id.to_le_bytes();
    match std::str::from_utf8(&bytes) {
        Ok(text) if bytes.iter().all(u8::is_ascii_graphic) => text.to_owned(),
        _ => type_id.to_string(),
    }
}
