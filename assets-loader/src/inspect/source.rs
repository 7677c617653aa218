//! Files of the Source engine: maps, and what they draw on.

use std::collections::BTreeMap;

use super::{EntryRow, Report, refusal};
use crate::bytes::FormatError;
use crate::source::bsp::game_lump::GameLump;
use crate::source::bsp::{BspFile, LumpId, Map};
use crate::source::entities::Entities;
use crate::source::level::read_entities;
use crate::source::pakfile::{Method, PakEntry, Pakfile};
use crate::source::vmf::Vmf;
use crate::source::vmt::Vmt;
use crate::source::vpk::VpkDirectory;
use crate::source::vtf::Vtf;

/// A map: its lumps, what is in them, and the files of its pakfile.
///
/// # Errors
/// The container is broken. A broken part of a sound container is a finding, and the others are told.
pub(super) fn tell_bsp(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let file = BspFile::read(data)?;
    report.fact("version", file.version);
    report.fact("revision", file.map_revision);
    let is_used = |id: &&LumpId| !file.lump(**id).is_empty();
    report.fact("lumps", LumpId::ALL.iter().filter(is_used).count());
    take(report, Map::read(&file), tell_map);
    take(report, read_entities(&file), tell_entities);
    if !file.lump(LumpId::GameLump).is_empty() {
        let offset = u64::from(file.lump_offset(LumpId::GameLump));
        let props = GameLump::read_within(file.lump(LumpId::GameLump), offset, file.budget())
            .and_then(|lump| lump.static_props(file.version));
        take(report, props, |report, props| {
            let n = props.as_ref().map_or(0, |props| props.props.len());
            report.fact("static props", n);
        });
    }
    let pakfile = file.lump(LumpId::Pakfile);
    if !pakfile.is_empty() {
        let offset = u64::from(file.lump_offset(LumpId::Pakfile));
        take(
            report,
            Pakfile::read_within(pakfile, file.budget()),
            |report, pakfile| {
                tell_pakfile(report, pakfile, offset);
            },
        );
    }
    Ok(())
}

/// Tells of a part of a file, or of why it cannot be read.
fn take<T>(report: &mut Report, part: Result<T, FormatError>, tell: impl FnOnce(&mut Report, &T)) {
    match part {
        Ok(part) => tell(report, &part),
        Err(error) => report.findings.push(refusal(&error)),
    }
}

fn tell_map(report: &mut Report, map: &Map) {
    report.fact("faces", map.faces.len());
    report.fact("vertices", map.vertices.len());
    report.fact("brushes", map.brushes.len());
    report.fact("leaves", map.leaves.len());
    let n_clusters = map.visibility.as_ref().map_or(0, |it| it.row_offsets.len());
    report.fact("clusters", n_clusters);
    report.fact("displacements", map.disp_infos.len());
    report.fact("overlays", map.overlays.len());
    report.fact("textures", map.texdata.len());
    let light = [
        (&map.lighting, "low range"),
        (&map.lighting_hdr, "high range"),
    ];
    let light: Vec<&str> = light
        .into_iter()
        .filter_map(|(lump, name)| (!lump.is_empty()).then_some(name))
        .collect();
    if !light.is_empty() {
        report.fact("light", light.join(", "));
    }
    report.findings.extend(map.check());
}

fn tell_entities(report: &mut Report, entities: &Entities) {
    report.fact("entities", entities.entities.len());
    if let Some(sky) = entities.world().and_then(|world| world.get("skyname")) {
        report.fact("sky", sky);
    }
    let mut n_by_class: BTreeMap<String, usize> = BTreeMap::new();
    for entity in &entities.entities {
        let n = n_by_class.entry(entity.class().into_owned()).or_default();
        *n = n.saturating_add(1);
    }
    let counts = n_by_class.iter().map(|(class, n)| format!("{n} {class}"));
    report.fact("classes", counts.collect::<Vec<_>>().join(", "));
    report.findings.extend(entities.check());
}

/// Rows for the files of a pakfile that begins `offset` bytes into its map.
fn tell_pakfile(report: &mut Report, pakfile: &Pakfile, offset: u64) {
    report.fact("own files", pakfile.entries().len());
    report.entries = pakfile.entries().iter().map(pak_row).collect();
    for row in &mut report.entries {
        row.offset = row.offset.saturating_add(offset);
    }
    report.findings.extend(pakfile.check());
}

fn pak_row(entry: &PakEntry) -> EntryRow {
    EntryRow {
        name: entry.name().to_owned(),
        type_name: match entry.method() {
            Method::Stored => "stored".to_owned(),
            Method::Deflate => "deflate".to_owned(),
            Method::Lzma => "LZMA".to_owned(),
            Method::Other(number) => format!("method {number}"),
        },
        size: entry.size().into(),
        offset: entry.offset(),
        detail: String::new(),
    }
}

/// A texture.
pub(super) fn tell_vtf(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let vtf = Vtf::read(data)?;
    report.fact("version", format!("7.{}", vtf.version));
    report.fact("size", format!("{} x {}", vtf.width, vtf.height));
    report.fact("format", format!("{:?}", vtf.format));
    report.fact("mips", vtf.n_mips);
    report.fact("frames", vtf.n_frames);
    report.fact("faces", vtf.n_faces());
    report.findings.extend(vtf.check());
    Ok(())
}

/// A material.
pub(super) fn tell_vmt(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let vmt = Vmt::read(data)?;
    report.fact("shader", vmt.shader());
    report.fact("parameters", vmt.parameters().len());
    Ok(())
}

/// The directory of an archive.
pub(super) fn tell_vpk(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let directory = VpkDirectory::read(data)?;
    let files = directory.tree.files();
    let rows = files.map(|(name, entry)| EntryRow {
        name,
        type_name: match entry.is_in_directory() {
            true => "here".to_owned(),
            false => format!("archive {:03}", entry.archive),
        },
        size: entry.size(),
        offset: entry.offset.into(),
        detail: String::new(),
    });
    report.entries = rows.collect();
    report.fact("files", report.entries.len());
    Ok(())
}

/// A map as its editor keeps it.
pub(super) fn tell_vmf(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let vmf = Vmf::read(data)?;
    let solids = vmf.entities.iter().chain([&vmf.world]);
    report.fact("solids", solids.map(|it| it.solids.len()).sum::<usize>());
    report.fact("entities", vmf.entities.len());
    report.findings.extend(vmf.check());
    Ok(())
}
