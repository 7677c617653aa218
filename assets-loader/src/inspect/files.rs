//! Single files: what they are taken for, and what each format has to say.

use std::path::Path;

use super::{Kind, Report, archive, refusal};
use crate::bytes::FormatError;
use crate::parkan::build_dat::{BuildDat, BuildDatTolerance};
use crate::parkan::land_map::{self, LandMap, PolygonBlockLayout};
use crate::parkan::land_msh::{self, LandMsh};
use crate::parkan::nres::{self, NRes};
use crate::parkan::rsli;
use crate::parkan::wear::{Wear, WearTolerance};

/// Archives that are known by name, so that a damaged first byte is a fault and not another format.
const ARCHIVE_NAMES: [&str; 4] = [
    "material.lib",
    "textures.lib",
    "lightmap.lib",
    "palettes.lib",
];

/// The report on a file; `None` if it is of no known format.
pub(super) fn report(path: &Path, data: &[u8]) -> Option<Report> {
    let mut report = Report::new(path, sniff(path, data)?);
    report.fact("bytes", data.len());
    let told = match report.kind {
        Kind::LandMsh => tell_land_msh(&mut report, data),
        Kind::LandMap => tell_land_map(&mut report, data),
        Kind::Wear => tell_wear(&mut report, data),
        Kind::BuildDat => tell_build_dat(&mut report, data),
        Kind::NRes => archive::tell_nres(&mut report, data),
        Kind::RsLi => archive::tell_rsli(&mut report, data),
        Kind::Level | Kind::Unreadable => Ok(()),
    };
    if let Err(error) = told {
        report.findings.push(refusal(&error));
    }
    Some(report)
}

fn sniff(path: &Path, data: &[u8]) -> Option<Kind> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    Some(match name.as_str() {
        "land.msh" => Kind::LandMsh,
        "land.map" => Kind::LandMap,
        "builddat.lst" => Kind::BuildDat,
        name if name.ends_with(".wea") => Kind::Wear,
        _ if data.starts_with(nres::MAGIC) => Kind::NRes,
        _ if data.starts_with(rsli::MAGIC) && data.get(3) == Some(&1) => Kind::RsLi,
        name if ARCHIVE_NAMES.contains(&name) => Kind::NRes,
        _ => return None,
    })
}

/// A strictly read value; else the strict reader's refusal is a finding and the tolerant reader has its turn.
fn strict_or<T>(
    report: &mut Report,
    strict: Result<T, FormatError>,
    tolerant: impl FnOnce() -> Result<T, FormatError>,
) -> Result<T, FormatError> {
    let refused = match strict {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    // What even the tolerant reader refuses is told once, by the caller.
    let value = tolerant()?;
    report.findings.push(refusal(&refused));
    Ok(value)
}

fn tell_land_msh(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let land = strict_or(report, LandMsh::read(data), || {
        let (land, _repairs) = LandMsh::read_with(data, land_msh::Tolerance::all())?;
        Ok(land)
    })?;
    report.fact("tiles", format!("{} x {}", land.cells_x, land.cells_y()));
    report.fact("slots", land.slots.len());
    report.fact("vertices", land.positions.len());
    report.fact("faces", land.faces.len());
    report.fact(
        "faces at the finest level",
        land.lod0_face_indices().count(),
    );
    if let Some((min, max)) = extent(&land.positions) {
        report.fact("smallest corner", triple(min));
        report.fact("largest corner", triple(max));
    }
    report.fact("water level", land.water_level());
    report.entries = archive::rows(&NRes::read_with(data, nres::Tolerance::all())?);
    report.findings.extend(land.check());
    Ok(())
}

fn tell_land_map(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let map = strict_or(report, LandMap::read(data), || {
        let layout = PolygonBlockLayout::default();
        let (map, _repairs) = LandMap::read_with(data, land_map::Tolerance::all(), layout)?;
        Ok(map)
    })?;
    report.fact("areals", map.areals.len());
    let n_vertices: usize = map.areals.iter().map(|areal| areal.vertices.len()).sum();
    report.fact("outline vertices", n_vertices);
    report.fact("cells", format!("{} x {}", map.cells_x, map.cells_y));
    report.fact(
        "area",
        map.areals
            .iter()
            .map(|areal| areal.area_metric)
            .sum::<f32>(),
    );
    report.entries = archive::rows(&NRes::read_with(data, nres::Tolerance::all())?);
    report.findings.extend(map.check());
    Ok(())
}

fn tell_wear(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let wear = strict_or(report, Wear::read(data), || {
        Wear::read_with(data, WearTolerance::AnyGapBeforeLightmaps)
    })?;
    report.fact("materials", wear.materials.len());
    report.fact("lightmaps", wear.lightmaps.as_ref().map_or(0, Vec::len));
    report.findings.extend(wear.check());
    Ok(())
}

fn tell_build_dat(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let list = strict_or(report, BuildDat::read(data), || {
        BuildDat::read_with(data, BuildDatTolerance::FoldedNamesAndRepeats)
    })?;
    report.fact("categories", list.sections.len());
    let n_paths: usize = list
        .sections
        .iter()
        .map(|section| section.paths.len())
        .sum();
    report.fact("buildings", n_paths);
    report.findings.extend(list.check());
    Ok(())
}

fn extent(positions: &[[f32; 3]]) -> Option<([f32; 3], [f32; 3])> {
    let first = *positions.first()?;
    let grow = |(min, max): ([f32; 3], [f32; 3]), point: &[f32; 3]| {
        let each = |pick: fn(f32, f32) -> f32, a: [f32; 3]| {
            let [[ax, ay, az], [bx, by, bz]] = [a, *point];
            [pick(ax, bx), pick(ay, by), pick(az, bz)]
        };
        (each(f32::min, min), each(f32::max, max))
    };
    Some(positions.iter().fold((first, first), grow))
}

fn triple([x, y, z]: [f32; 3]) -> String {
    format!("{x} {y} {z}")
}
