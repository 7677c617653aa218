//! Files of the Source engine: maps, and what they draw on.

use std::collections::{BTreeMap, HashSet};

use super::{Depth, EntryRow, Report, refusal, source_level, source_members};
use crate::bytes::{Finding, FormatError, Severity};
use crate::source::bsp::game_lump::GameLump;
use crate::source::bsp::{BspFile, LumpId, Map};
use crate::source::entities::Entities;
use crate::source::game_files::DiskArchive;
use crate::source::level::{brush_entities, read_entities};
use crate::source::pakfile::{Method, PakEntry, Pakfile};
use crate::source::vmf::Vmf;
use crate::source::vmt::Vmt;
use crate::source::vpk::VpkDirectory;
use crate::source::vtf::Vtf;
use crate::vfs::path;

/// A map: its lumps, what is in them, and the files of its pakfile; with [`Depth::Contents`] also what these hold, and
/// what opening the map finds.
///
/// # Errors
/// The container is broken. A broken part of a sound container is a finding, and the others are told.
pub(super) fn tell_bsp(report: &mut Report, data: &[u8], depth: Depth) -> Result<(), FormatError> {
    let file = BspFile::read(data)?;
    report.fact("version", file.version);
    report.fact("revision", file.map_revision);
    let is_used = |id: &&LumpId| !file.lump(**id).is_empty();
    report.fact("lumps", LumpId::ALL.iter().filter(is_used).count());
    report.findings.extend(file.check());
    let map = Map::read(&file);
    take(report, &map, |report, map| {
        tell_map(report, map, file.version)
    });
    let entities = read_entities(&file);
    take(report, &entities, tell_entities);
    if let (Ok(map), Ok(entities)) = (&map, &entities) {
        report.findings.extend(brush_entities(&file, map, entities));
    }
    if !file.lump(LumpId::GameLump).is_empty() {
        let offset = u64::from(file.lump_offset(LumpId::GameLump));
        let props = GameLump::read_within(file.lump(LumpId::GameLump), offset, file.budget())
            .and_then(|lump| lump.static_props(file.version));
        take(report, &props, |report, props| {
            let n = props.as_ref().map_or(0, |props| props.props.len());
            report.fact("static props", n);
        });
    }
    let pakfile = file.lump(LumpId::Pakfile);
    if !pakfile.is_empty() {
        let offset = u64::from(file.lump_offset(LumpId::Pakfile));
        let pakfile = Pakfile::read_within(pakfile, file.budget()).map_err(|mut error| {
            error.offset = error.offset.saturating_add(offset);
            error
        });
        take(report, &pakfile, |report, pakfile| {
            tell_pakfile(report, pakfile, offset, depth);
        });
    }
    if depth == Depth::Contents && map.is_ok() && entities.is_ok() {
        source_level::check(report);
    }
    Ok(())
}

/// Tells of a part of a file, or of why it cannot be read.
fn take<T>(report: &mut Report, part: &Result<T, FormatError>, tell: impl FnOnce(&mut Report, &T)) {
    match part {
        Ok(part) => tell(report, part),
        Err(error) => report.findings.push(refusal(error)),
    }
}

fn tell_map(report: &mut Report, map: &Map, version: u32) {
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
    report.findings.extend(map.check_limits(version));
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
fn tell_pakfile(report: &mut Report, pakfile: &Pakfile, offset: u64, depth: Depth) {
    report.fact("own files", pakfile.entries().len());
    report.entries = pakfile.entries().iter().map(pak_row).collect();
    for row in &mut report.entries {
        row.offset = row.offset.saturating_add(offset);
    }
    let in_map = |finding: Finding| Finding {
        offset: finding.offset.map(|at| at.saturating_add(offset)),
        ..finding
    };
    report
        .findings
        .extend(pakfile.check().into_iter().map(in_map));
    if depth == Depth::Contents {
        let Report {
            entries, findings, ..
        } = report;
        source_members::check_pakfile(pakfile, offset, entries, findings);
    }
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

/// The directory of an archive; with [`Depth::Contents`] also its files, wherever they lie.
pub(super) fn tell_vpk(report: &mut Report, data: &[u8], depth: Depth) -> Result<(), FormatError> {
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
    let mut seen = HashSet::new();
    let names = report
        .entries
        .iter()
        .map(|row| row.name.to_ascii_lowercase());
    let n_twins = names.filter(|name| !seen.insert(name.clone())).count();
    if n_twins > 0 {
        let message = format!(
            "{n_twins} files have the names of others, but for their case; only the first is found"
        );
        report
            .findings
            .push(Finding::new(Severity::Warning, "vpk", message));
    }
    for row in &report.entries {
        if path::components(&row.name).is_err() {
            let finding = Finding::new(Severity::Error, "vpk", "the name breaks the path policy");
            let finding = finding.in_part(&row.name.escape_debug().to_string());
            report.findings.push(finding.at(row.offset));
        }
    }
    if depth == Depth::Facts {
        return Ok(());
    }
    let Report {
        path,
        entries,
        findings,
        ..
    } = report;
    match DiskArchive::open(path) {
        Ok(archive) => source_members::check_archive(&archive, entries, findings),
        Err(error) => findings.push(Finding::new(Severity::Error, "vpk", error.to_string())),
    }
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
