//! Archives: one row for each entry, and the findings of every entry whose type is known.

use std::collections::BTreeMap;

use super::{EntryRow, Report, files, refusal};
use crate::bytes::{Finding, FormatError};
use crate::parkan::mat0::{self, Mat0};
use crate::parkan::msh::{self, Msh};
use crate::parkan::nres::{self, Entry, NRes};
use crate::parkan::registry::{self, Prototype};
use crate::parkan::rsli::{self, RsLi};
use crate::parkan::texm::{self, Texm};
use crate::parkan::text::decode_cp1251;
use crate::parkan::wear::{self, Wear, WearTolerance};

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
    report.entries = rows(&archive);
    let file_name = report.path.file_name().unwrap_or_default();
    let holds_prototypes = file_name.eq_ignore_ascii_case(registry::ARCHIVE);
    for (entry, row) in archive.entries.iter().zip(&mut report.entries) {
        let told = if holds_prototypes {
            look_into_prototype(entry)
        } else {
            look_into(entry)
        };
        match told {
            Ok((detail, findings)) => {
                row.detail = detail;
                let located = findings.into_iter().map(|finding| in_entry(finding, entry));
                report.findings.extend(located);
            }
            Err(mut error) => {
                error.offset = error.offset.saturating_add(entry.offset());
                report
                    .findings
                    .push(refusal(&error.in_entry(&entry.name_text())));
            }
        }
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
    report.findings.extend(library.check());
    Ok(())
}

/// The rows of an archive without a look into its entries.
pub(super) fn rows(archive: &NRes) -> Vec<EntryRow> {
    let row = |entry: &Entry| EntryRow {
        name: entry.name_text().into_owned(),
        type_name: type_name(entry.type_id),
        size: entry.data.len() as u64,
        offset: entry.offset(),
        detail: String::new(),
    };
    archive.entries.iter().map(row).collect()
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

/// What an entry of a known type holds, and what its format finds wrong. Offsets count from the payload.
fn look_into(entry: &Entry) -> Result<(String, Vec<Finding>), FormatError> {
    let data = &entry.data;
    match entry.type_id {
        mat0::TYPE_ID => {
            let material = Mat0::read(data, entry.attr2)?;
            let textures: Vec<_> = material
                .phases
                .iter()
                .map(|phase| decode_cp1251(phase.texture_name()))
                .collect();
            let n_animations = material.animations.len();
            let detail = format!("{n_animations} animations, phases {}", textures.join(" "));
            Ok((detail, material.check()))
        }
        texm::TYPE_ID => {
            let texture = Texm::read(data)?;
            let detail = format!(
                "{} x {}, {} levels, {:?}",
                texture.width,
                texture.height,
                texture.mips.len(),
                texture.format
            );
            Ok((detail, texture.check()))
        }
        wear::TYPE_ID => {
            let wear = Wear::read_with(data, WearTolerance::AnyGapBeforeLightmaps)?;
            let detail = format!("{} materials", wear.materials.len());
            Ok((detail, wear.check()))
        }
        msh::TYPE_ID => {
            let tolerant = || Msh::read_with(data, msh::Tolerance::all());
            let (model, findings) =
                files::checked_or_repaired(Msh::read(data), tolerant, Msh::check)?;
            let [n_nodes, n_vertices] = [model.nodes.len(), model.positions.len()];
            Ok((format!("{n_nodes} nodes, {n_vertices} vertices"), findings))
        }
        _ => Ok((String::new(), Vec::new())),
    }
}

/// What a prototype refers to. Entries of the registry are known by where they are, whatever their type.
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
