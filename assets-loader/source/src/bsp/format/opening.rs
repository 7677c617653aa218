//! What opening a map finds: what no one of its lumps says alone, and which files of the game it lacks.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::report::{MISSING_FILES, Report, refusal};
use ironlands_assets_core::vfs::VfsError;

use crate::level::SourceLevel;
use crate::level_scene::{all_hidden, to_scene};

/// What findings of this module name as their format.
const FORMAT: &str = "source level";
/// The folder of a game that maps lie in.
const MAPS: &str = "maps";
/// What identifies the folder above it as that of a game, in lower case.
const GAME_ENTRIES: [&str; 3] = ["gameinfo.txt", "materials", "models"];
const GAME_ARCHIVE: &str = "_dir.vpk";

/// Opens a map, with its game if it lies in one, and makes its scene.
pub(super) fn check(path: &Path, report: &mut Report) {
    let game = game_above(path);
    let opened = match &game {
        // What is wrong with an archive of the game is no error of the map.
        Some(game) => SourceLevel::open(path, std::slice::from_ref(game), None)
            .or_else(|_| SourceLevel::open(path, &[], None)),
        None => SourceLevel::open(path, &[], None),
    };
    let level = match opened {
        Ok(level) => level,
        Err(error) => return report.findings.push(refused(error)),
    };
    let (scene, of_scene) = to_scene(&level, &all_hidden);
    let all = level.findings.into_iter().chain(of_scene);
    // What a reader of one lump refuses, opening the map reports again.
    let known = report.findings.iter().map(|it| it.message.clone());
    let mut known: HashSet<String> = known.collect();
    for finding in all.filter_map(|it| of_map(it, game.is_some())) {
        if known.insert(finding.message.clone()) {
            report.findings.push(finding);
        }
    }
    if let Err(error) = scene.validate() {
        let message = format!("its scene cannot be shown: {error}");
        report
            .findings
            .push(Finding::new(Severity::Error, FORMAT, message));
    }
}

/// A finding for the map alone: what it lacks is no error unless its game was searched.
fn of_map(finding: Finding, has_game: bool) -> Option<Finding> {
    let is_of_files = finding.format == MISSING_FILES;
    match finding.severity {
        Severity::Warning | Severity::Error if is_of_files && !has_game => Some(Finding {
            severity: Severity::Note,
            message: format!("{}, or not with the map", finding.message),
            ..finding
        }),
        Severity::Note if is_of_files && !has_game => None,
        _ => Some(finding),
    }
}

fn refused(error: VfsError) -> Finding {
    match error {
        VfsError::Invalid { error, .. } => refusal(&error),
        error => Finding::new(Severity::Error, FORMAT, error.to_string()),
    }
}

/// The folder of the game that a map lies in: that above `maps`, if it has what such a folder has.
fn game_above(map: &Path) -> Option<PathBuf> {
    let map = map.canonicalize().ok()?;
    let maps = map.parent()?;
    let is_maps = maps.file_name()?.eq_ignore_ascii_case(MAPS);
    let game = maps.parent().filter(|_| is_maps)?;
    let mut entries = game.read_dir().ok()?.flatten();
    let is_game = entries.any(|entry| {
        let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
        GAME_ENTRIES.contains(&&*name) || name.ends_with(GAME_ARCHIVE)
    });
    is_game.then(|| game.to_owned())
}
