//! Opening a zone: its archive, the sectors in it, the map beside it.
#![cfg_attr(
    not(test),
    expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "places within a zone, whose header is refused if a side has more than MAX_SECTORS"
    )
)]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::{Loader, read_atlases, read_lights};
use super::{FORMAT, MAP_EXTENSION, Zone};
use crate::game_files::GameFiles;
use crate::land::sector_file_name;
use crate::mob::{self, Mob};
use crate::mp::{self, MAX_SECTORS, Mp};
use crate::res::{self, ResArchive, ResEntry};
use crate::sec::{self, Sec};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity};
use ironlands_assets_core::findings::{Findings, cut};
use ironlands_assets_core::vfs::{self, Vfs, VfsError, read_file};

/// Extension of the header in an archive.
const HEADER_EXTENSION: &str = ".mp";
/// Extension of the sectors in an archive.
const SECTOR_EXTENSION: &str = ".sec";
/// Digits of a sector's column, and of its row.
const N_DIGITS: usize = 3;

pub(super) fn open(path: &Path, assets: &[PathBuf]) -> Result<Zone, VfsError> {
    let mut findings = Findings::new(FORMAT);
    let data = read_file(path)?;
    let archive = ResArchive::read_with(&data, res::Tolerance::all())
        .map_err(|error| vfs::invalid(path, error))?;
    findings.extend(archive.check());
    let file_stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let (header, stem) =
        header_of(&archive, &file_stem, &mut findings).ok_or_else(|| VfsError::EntryMissing {
            archive: path.to_owned(),
            entry: format!("{file_stem}{HEADER_EXTENSION}"),
        })?;
    let mp = read_header(header).map_err(|error| vfs::invalid(path, error))?;
    findings.extend(named(mp.check(), &header.name_text()));
    let stems = [&*stem, &*file_stem];
    let sectors = read_sectors(&archive, &mp, stems, &mut findings);
    let game_files = GameFiles::from_zone(path, assets)?;
    let mob = read_map(path, &mut findings);
    let objects = mob.as_ref().map(Mob::objects).unwrap_or_default();
    let atlases = read_atlases(&mp, stems, &game_files, &mut findings);
    let lights = read_lights(&file_stem, &game_files, &mut findings);
    let mut loader = Loader::new(&game_files, &mut findings);
    loader.load_all(&objects);
    let Loader {
        figures, textures, ..
    } = loader;
    Ok(Zone {
        path: path.to_owned(),
        stem,
        mp,
        sectors,
        atlases,
        mob,
        objects,
        figures,
        textures,
        lights,
        game_files: Arc::new(game_files),
        findings: findings.into_list(),
    })
}

/// The header of a zone and what it is named after. Of several the one that is named like the archive counts.
fn header_of<'a>(
    archive: &'a ResArchive,
    file_stem: &str,
    findings: &mut Findings,
) -> Option<(&'a ResEntry, String)> {
    let headers = archive.entries.iter().filter_map(|entry| {
        let name = entry.name_text();
        let stem = strip_suffix(&name, HEADER_EXTENSION)?.to_owned();
        Some((entry, stem))
    });
    let headers: Vec<_> = headers.collect();
    let like_archive = headers
        .iter()
        .find(|(_, stem)| stem.eq_ignore_ascii_case(file_stem));
    let found = like_archive.or(headers.first()).cloned()?;
    if headers.len() > 1 {
        let message = format!("{} headers; {} counts", headers.len(), found.1);
        findings.rule(Severity::Warning, [(None, message)]);
    }
    Some(found)
}

fn read_header(header: &ResEntry) -> Result<Mp, FormatError> {
    let mp = Mp::read_with(&header.data, mp::Tolerance::all())?;
    // Beyond, no sector could be named, and a few bytes would claim room for millions.
    if let Some((field, n, offset)) = mp.oversized_sides().next() {
        let at = Reader::nested("mp", &[], offset);
        let error = at.unexpected(field, format!("at most {MAX_SECTORS}"), n);
        return Err(error.in_entry(&header.name_text()));
    }
    Ok(mp)
}

/// The sectors, row after row. `stems` are what their names may begin with, the likeliest first.
fn read_sectors(
    archive: &ResArchive,
    mp: &Mp,
    stems: [&str; 2],
    findings: &mut Findings,
) -> Vec<Option<Box<Sec>>> {
    let [x_sectors, y_sectors] = [mp.x_sectors, mp.y_sectors].map(|n| n as usize);
    let mut sectors: Vec<Option<Box<Sec>>> = Vec::new();
    sectors.resize_with(x_sectors * y_sectors, || None);
    let mut known = HashMap::new();
    let mut strangers = Vec::new();
    for entry in &archive.entries {
        let name = entry.name_text();
        let Some(stem) = strip_suffix(&name, SECTOR_EXTENSION) else {
            if strip_suffix(&name, HEADER_EXTENSION).is_none() {
                strangers.push(format!("{} is neither header nor sector", cut(&name)));
            }
            continue;
        };
        let Some((rank, [x, y])) = place_of(stem, stems) else {
            strangers.push(format!("{} is no sector of {}", cut(&name), cut(stems[0])));
            continue;
        };
        if x >= x_sectors || y >= y_sectors {
            strangers.push(format!("{} lies beyond the zone", cut(&name)));
            continue;
        }
        let at = y * x_sectors + x;
        // The first of the likeliest name counts.
        if known.get(&at).is_some_and(|known| *known <= rank) {
            continue;
        }
        known.insert(at, rank);
        match Sec::read_with(&entry.data, sec::Tolerance::all()) {
            Ok(sector) => {
                findings.extend(named(sector.check(), &name));
                sectors[at] = Some(Box::new(sector));
            }
            Err(error) => findings.error(error.in_entry(&name), "there is a hole in its place"),
        }
    }
    findings.rule(Severity::Note, strangers.into_iter().map(|it| (None, it)));
    let missing = (0..sectors.len()).filter(|at| !known.contains_key(at));
    let missing = missing.map(|at| {
        let place = [at % x_sectors, at / x_sectors].map(|it| it as u32);
        let message = format!(
            "the sector {} is missing",
            sector_file_name(stems[0], place)
        );
        (None, message)
    });
    findings.rule(Severity::Error, missing);
    sectors
}

/// Which stem the name of a sector begins with, and its column and row; the extension is cut off.
fn place_of(name: &str, stems: [&str; 2]) -> Option<(usize, [usize; 2])> {
    let digits = name.len().checked_sub(2 * N_DIGITS)?;
    let (stem, digits) = (name.get(..digits)?, name.get(digits..)?);
    if !digits.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    let rank = stems.iter().position(|it| it.eq_ignore_ascii_case(stem))?;
    let (x, y) = digits.split_at(N_DIGITS);
    Some((rank, [x.parse().ok()?, y.parse().ok()?]))
}

/// The map that stands beside the archive.
fn read_map(path: &Path, findings: &mut Findings) -> Option<Mob> {
    let name = path.with_extension(MAP_EXTENSION);
    let name = name.file_name().unwrap_or_default().to_string_lossy();
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let data = Vfs::from_folder(folder).and_then(|vfs| {
        let file = vfs.find_file(&name)?;
        read_file(&file)
    });
    let data = match data {
        Ok(data) => data,
        Err(VfsError::FileMissing { .. }) => {
            let message = format!("there is no {name} beside it; nothing stands in the zone");
            findings.rule(Severity::Warning, [(None, message)]);
            return None;
        }
        Err(error) => {
            findings.rule(Severity::Error, [(None, error.to_string())]);
            return None;
        }
    };
    match Mob::read_with(&data, mob::Tolerance::all()) {
        Ok((mob, of_file)) => {
            findings.extend(named(of_file, &name));
            Some(mob)
        }
        Err(error) => {
            findings.error(error.in_entry(&name), "nothing stands in the zone");
            None
        }
    }
}

/// Findings of a file, with its name.
pub(super) fn named(findings: Vec<Finding>, name: &str) -> impl Iterator<Item = Finding> {
    let name = cut(name).into_owned();
    findings.into_iter().map(move |it| it.in_part(&name))
}

fn strip_suffix<'a>(name: &'a str, suffix: &str) -> Option<&'a str> {
    let start = name.len().checked_sub(suffix.len())?;
    let end = name.get(start..)?;
    end.eq_ignore_ascii_case(suffix).then(|| &name[..start])
}
