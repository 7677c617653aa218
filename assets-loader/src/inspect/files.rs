//! Single files: what they are taken for, and what each format has to say.

use crate::parkan::game_files;
use std::path::Path;

use super::{
    Depth, Kind, Report, archive, evil_islands_archives, evil_islands_figure, evil_islands_land,
    evil_islands_map, geodata, refusal, source, source_models,
};
use crate::bytes::{Finding, FormatError, Severity};
use crate::evil_islands::{mp, sec};
use crate::parkan::build_dat::{BuildDat, BuildDatTolerance};
use crate::parkan::land_map::{self, LandMap, PolygonBlockLayout};
use crate::parkan::land_msh::{self, LandMsh};
use crate::parkan::mission::{Mission, Object, ObjectKind};
use crate::parkan::msh::{self, Msh};
use crate::parkan::nres::{self, NRes};
use crate::parkan::nres_kind::NResKind;
use crate::parkan::placement::{MISSIONS, Placements};
use crate::parkan::registry;
use crate::parkan::rsli;
use crate::parkan::unit_dat::{self, UnitDat, scheme_name};
use crate::parkan::wear::{Wear, WearTolerance};
use crate::source::ani;
use crate::text::decode_cp1251;
use crate::vfs::{Vfs, VfsError};

/// Archives that are known by name, so that a damaged first byte is a fault and not another format.
const ARCHIVE_NAMES: [&str; 5] = [
    "material.lib",
    "textures.lib",
    "lightmap.lib",
    "palettes.lib",
    registry::ARCHIVE,
];
/// So is the library of sprites.
const SPRITES: &str = "sprites.lib";
/// So are archives of models, and models.
const ARCHIVE_ENDINGS: [&str; 2] = [".rlb", MODEL_ENDING];
/// Loose models are known by this ending, whatever they lack.
const MODEL_ENDING: &str = ".msh";
/// Missions are known by this ending: what they begin with is too common to tell.
const MISSION_ENDING: &str = ".tma";
/// Unit files are known by this ending and their mark, for all sorts of files end so.
const UNIT_ENDING: &str = ".dat";

/// What maps of the Source engine begin with.
const BSP_MAGIC: &[u8] = b"VBSP";
/// What textures of the Source engine begin with.
const VTF_MAGIC: &[u8] = b"VTF\0";
/// What directories of archives of the Source engine begin with.
const VPK_MAGIC: &[u8] = &0x55AA_1234u32.to_le_bytes();
/// What models of the Source engine begin with, and their vertices.
const MDL_MAGIC: &[u8] = b"IDST";
const VVD_MAGIC: &[u8] = b"IDSV";
/// Animated cursors end as animations of models do.
const CURSOR_MAGIC: &[u8] = b"RIFF";

/// First bytes of a file that [`sniff`] asks for.
pub(super) const SNIFFED_BYTES: u64 = 8;

/// The report on a file of a known kind.
pub(super) fn report(path: &Path, kind: Kind, data: &[u8], depth: Depth) -> Report {
    let mut report = Report::new(path, kind);
    if let Err(error) = describe(&mut report, data, depth) {
        report.refuse(&error);
    }
    report
}

/// Fills in the report on a file of a known kind.
///
/// # Errors
/// The file cannot be read; the report has the facts up to there.
pub(super) fn describe(report: &mut Report, data: &[u8], depth: Depth) -> Result<(), FormatError> {
    report.kind = by_chunks(&report.path, report.kind, data);
    report.fact("bytes", data.len());
    match report.kind {
        Kind::LandMsh => tell_land_msh(report, data),
        Kind::LandMap => tell_land_map(report, data),
        Kind::Msh => tell_msh(report, data),
        Kind::Wear => tell_wear(report, data),
        Kind::BuildDat => tell_build_dat(report, data),
        Kind::Mission => tell_mission(report, data),
        Kind::UnitDat => tell_unit_dat(report, data),
        Kind::NRes => archive::tell_nres(report, data),
        Kind::RsLi => archive::tell_rsli(report, data),
        Kind::Bsp => source::tell_bsp(report, data, depth),
        Kind::Vtf => source::tell_vtf(report, data),
        Kind::Vmt => source::tell_vmt(report, data),
        Kind::Vpk => source::tell_vpk(report, data, depth),
        Kind::Mdl => source_models::tell_mdl(report, data),
        Kind::Vvd => source_models::tell_vvd(report, data),
        Kind::Vtx => source_models::tell_vtx(report, data),
        Kind::Phy => source_models::tell_phy(report, data),
        Kind::Ani => source_models::tell_ani(report, data),
        Kind::Vhv => source_models::tell_vhv(report, data),
        Kind::Vmf => source::tell_vmf(report, data),
        Kind::Zone => tell_zone(report, data),
        Kind::Mp => evil_islands_land::tell_mp(report, data),
        Kind::Sec => evil_islands_land::tell_sec(report, data),
        Kind::Mmp => evil_islands_figure::tell_mmp(report, data),
        Kind::Fig => evil_islands_figure::tell_fig(report, data),
        Kind::Lnk => evil_islands_figure::tell_lnk(report, data),
        Kind::Bon => evil_islands_figure::tell_bon(report, data),
        Kind::Anm => evil_islands_figure::tell_anm(report, data),
        Kind::Res => evil_islands_archives::tell_res(report, data),
        Kind::Reg => evil_islands_archives::tell_reg(report, data),
        Kind::Cam => evil_islands_archives::tell_cam(report, data),
        Kind::Adb => evil_islands_archives::tell_adb(report, data),
        Kind::Db => evil_islands_archives::tell_db(report, data),
        Kind::Mob => evil_islands_map::tell_mob(report, data),
        Kind::LightsConfig => evil_islands_map::tell_lights(report, data),
        Kind::Geodata => geodata::tell_region(report, data).map(|_| ()),
        Kind::Level | Kind::GeodataSet | Kind::Entry | Kind::Unreadable => Ok(()),
    }
}

/// The report on a region of geodata, and what its set asks for.
pub(super) fn region_report(path: &Path, data: &[u8]) -> (Report, Option<geodata::Told>) {
    let mut report = Report::new(path, Kind::Geodata);
    report.fact("bytes", data.len());
    let told = geodata::tell_region(&mut report, data).unwrap_or_else(|error| {
        report.refuse(&error);
        None
    });
    (report, told)
}

/// What a file is by its name and first bytes; `None` if it is of no known format.
pub(super) fn sniff(path: &Path, head: &[u8]) -> Option<Kind> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    Some(match name.as_str() {
        "land.msh" => Kind::LandMsh,
        "land.map" => Kind::LandMap,
        "builddat.lst" => Kind::BuildDat,
        name if geodata::is_region(name) => Kind::Geodata,
        name if name.ends_with(".wea") => Kind::Wear,
        name if name.ends_with(MISSION_ENDING) => Kind::Mission,
        name if name.ends_with(UNIT_ENDING) && head.starts_with(unit_dat::MAGIC) => Kind::UnitDat,
        name if name.ends_with(".vmt") => Kind::Vmt,
        name if name.ends_with(".vmf") => Kind::Vmf,
        name if name.ends_with(".mpr") => Kind::Zone,
        // Saved characters end so, too, and begin otherwise.
        name if name.ends_with(".mp") && head.starts_with(&mp::MAGIC) => Kind::Mp,
        _ if head.starts_with(&sec::MAGIC) => Kind::Sec,
        name if name.ends_with(".mob") => Kind::Mob,
        name if name.starts_with("lights") && name.ends_with(".ini") => Kind::LightsConfig,
        _ if head.starts_with(nres::MAGIC) => Kind::NRes,
        _ if head.starts_with(BSP_MAGIC) => Kind::Bsp,
        _ if head.starts_with(VTF_MAGIC) => Kind::Vtf,
        _ if head.starts_with(VPK_MAGIC) => Kind::Vpk,
        _ if head.starts_with(MDL_MAGIC) => Kind::Mdl,
        _ if head.starts_with(VVD_MAGIC) => Kind::Vvd,
        _ if head.starts_with(ani::MAGIC) => Kind::Ani,
        _ if head.starts_with(rsli::MAGIC) && head.get(3) == Some(&1) => Kind::RsLi,
        SPRITES => Kind::RsLi,
        name if ARCHIVE_NAMES.contains(&name) => Kind::NRes,
        name if ARCHIVE_ENDINGS.iter().any(|it| name.ends_with(it)) => Kind::NRes,
        // Files of another engine, or broken ones: reading them says which.
        name if name.ends_with(".bsp") => Kind::Bsp,
        name if name.ends_with("_dir.vpk") => Kind::Vpk,
        name if name.ends_with(".vtf") => Kind::Vtf,
        name if name.ends_with(".mdl") => Kind::Mdl,
        name if name.ends_with(".vvd") => Kind::Vvd,
        name if name.ends_with(".vtx") => Kind::Vtx,
        name if name.ends_with(".phy") => Kind::Phy,
        name if name.ends_with(".ani") && !head.starts_with(CURSOR_MAGIC) => Kind::Ani,
        name if name.ends_with(".vhv") => Kind::Vhv,
        name => {
            let archived = evil_islands_archives::sniff_file(path, name, head);
            return archived.or_else(|| evil_islands_figure::sniff(name, head));
        }
    })
}

/// An archive may be terrain, areals or a model, whatever its name; one with the name of a model is one, whatever it
/// lacks.
pub(super) fn by_chunks(path: &Path, kind: Kind, data: &[u8]) -> Kind {
    if kind != Kind::NRes {
        return kind;
    }
    // A broken archive stays one: telling of it says what is wrong.
    match NRes::read_with(data, nres::Tolerance::all()).map(|archive| NResKind::of(&archive)) {
        Ok(NResKind::LandMsh) => Kind::LandMsh,
        Ok(NResKind::LandMap) => Kind::LandMap,
        Ok(NResKind::Msh) => Kind::Msh,
        Ok(NResKind::Other) if is_model_name(path) => Kind::Msh,
        Ok(NResKind::Other) | Err(_) => kind,
    }
}

fn is_model_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.to_ascii_lowercase().ends_with(MODEL_ENDING)
}

/// A strictly read value with what its check finds; else a tolerantly read one with its repairs, or with the
/// broken rule where nothing had to be repaired. Of a repaired value's own check only errors count that no repair tells.
pub(super) fn checked_or_repaired<T>(
    strict: Result<T, FormatError>,
    tolerant: impl FnOnce() -> Result<(T, Vec<Finding>), FormatError>,
    check: impl FnOnce(&T) -> Vec<Finding>,
) -> Result<(T, Vec<Finding>), FormatError> {
    let refused = match strict {
        Ok(value) => {
            let findings = check(&value);
            return Ok((value, findings));
        }
        Err(error) => error,
    };
    let (value, mut repairs) = tolerant()?;
    if repairs.is_empty() {
        repairs.push(refusal(&refused));
    }
    let of_check = check(&value).into_iter();
    let errors = of_check.filter(|finding| finding.severity == Severity::Error);
    let untold: Vec<Finding> = errors
        .filter(|finding| !repairs.contains(finding))
        .collect();
    repairs.extend(untold);
    Ok((value, repairs))
}

/// A strictly read value; else the strict reader's refusal is a finding and the tolerant reader has its turn.
pub(super) fn strict_or<T>(
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

/// What a zone's own archive refuses is told at its place, anything else as it is.
fn tell_zone(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    match evil_islands_land::tell_zone(report, data) {
        Ok(()) => Ok(()),
        Err(VfsError::Invalid { error, .. }) => Err(*error),
        Err(error) => {
            let message = error.to_string();
            let finding = Finding::new(Severity::Error, Kind::Zone.name(), message);
            report.findings.push(finding);
            Ok(())
        }
    }
}

fn tell_land_msh(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let tolerant = || LandMsh::read_with(data, land_msh::Tolerance::all());
    let (land, findings) = checked_or_repaired(LandMsh::read(data), tolerant, LandMsh::check)?;
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
    archive::tell_rows(report, &NRes::read_with(data, nres::Tolerance::all())?);
    report.findings.extend(findings);
    Ok(())
}

fn tell_land_map(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let layout = PolygonBlockLayout::default();
    let tolerant = || LandMap::read_with(data, land_map::Tolerance::all(), layout);
    let (map, findings) = checked_or_repaired(LandMap::read(data), tolerant, LandMap::check)?;
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
    archive::tell_rows(report, &NRes::read_with(data, nres::Tolerance::all())?);
    report.findings.extend(findings);
    Ok(())
}

fn tell_msh(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let tolerant = || Msh::read_with(data, msh::Tolerance::all());
    let (model, findings) = checked_or_repaired(Msh::read(data), tolerant, Msh::check)?;
    report.fact("nodes", model.nodes.len());
    report.fact("slots", model.slots.len());
    report.fact("vertices", model.positions.len());
    report.fact("batches", model.batches.len());
    archive::tell_rows(report, &NRes::read_with(data, nres::Tolerance::all())?);
    report.findings.extend(findings);
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
    let root = report.path.parent().map(game_files::of_folder);
    if let Some(Ok(root)) = root {
        report.findings.extend(list.check_files(&root));
    }
    Ok(())
}

fn tell_mission(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let mission = Mission::read(data)?;
    report.fact("land", decode_cp1251(&mission.land_base));
    report.fact("paths", mission.paths.len());
    let clans: Vec<_> = mission
        .clans
        .iter()
        .map(|clan| decode_cp1251(&clan.name))
        .collect();
    report.fact("clans", clans.join(", "));
    report.fact("objects", mission.objects.len());
    let n_of_kind = |kind: ObjectKind| {
        let is_of_kind = |object: &&Object| object.kind() == Some(kind);
        mission.objects.iter().filter(is_of_kind).count()
    };
    report.fact("buildings", n_of_kind(ObjectKind::Building));
    report.fact("warbots", n_of_kind(ObjectKind::Warbot));
    report.fact("environment", n_of_kind(ObjectKind::Environment));
    report.fact("stones", n_of_kind(ObjectKind::Stone));
    report.fact("extras", mission.extras.len());
    report.findings.extend(mission.check());
    let resources = mission_resources(&report.path, &mission);
    report.findings.extend(resources);
    Ok(())
}

/// What the game lacks of what the mission's objects are put together from. The original does not load a mission
/// that lacks any of it (dossier section 9.6).
fn mission_resources(path: &Path, mission: &Mission) -> Vec<Finding> {
    let root = match game_above(path) {
        Ok(Some(root)) => root,
        Ok(None) => {
            let message = "no game root above it: what its objects are is not checked";
            return vec![Finding::new(Severity::Note, Kind::Mission.name(), message)];
        }
        Err(error) => {
            let message = error.to_string();
            return vec![Finding::new(Severity::Error, Kind::Mission.name(), message)];
        }
    };
    let findings = Placements::of_mission(mission, &root).findings.into_iter();
    let strict = findings.map(|finding| match finding.severity {
        Severity::Warning | Severity::Error => Finding {
            severity: Severity::Error,
            ..finding
        },
        Severity::Note => finding,
    });
    strict.collect()
}

/// The game that a mission belongs to: its root lies above the folder of missions, however deep the mission lies
/// below that; `None` if there is no root.
fn game_above(mission: &Path) -> Result<Option<Vfs>, VfsError> {
    let mission = mission
        .canonicalize()
        .unwrap_or_else(|_| mission.to_owned());
    let missions = mission.ancestors().find(|folder| {
        let name = folder.file_name();
        name.is_some_and(|name| name.eq_ignore_ascii_case(MISSIONS))
    });
    let game = game_files::of_level(missions.unwrap_or(&mission))?;
    let has_root = game.layers().len() > 1;
    Ok(has_root.then_some(game))
}

fn tell_unit_dat(report: &mut Report, data: &[u8]) -> Result<(), FormatError> {
    let unit = UnitDat::read(data)?;
    let scheme = scheme_name(unit.scheme).map_or_else(|| unit.scheme.to_string(), str::to_owned);
    report.fact("scheme", scheme);
    report.fact("components", unit.records.len());
    report.findings.extend(unit.check());
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
