//! The mission that is played on a level.

use std::path::{Path, PathBuf};

use super::FORMAT;
use crate::bytes::{Finding, Severity};
use crate::parkan::findings::Findings;
use crate::parkan::mission::Mission;
use crate::parkan::text::{cmp_names, encode_cp1251};
use crate::vfs::{Vfs, VfsError, read_file};

const FOLDER: &str = "MISSIONS";
const FILE: &str = "data.tma";
/// Folders below `MISSIONS`; campaigns have two.
const MAX_DEPTH: usize = 8;

/// The mission that is played on a level, and what was found on the way to it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LevelMission {
    /// Its file and what it holds; `None` if no mission is played there.
    pub mission: Option<(PathBuf, Mission)>,
    /// Missions that could not be read, and others on the same level.
    pub findings: Vec<Finding>,
}

impl LevelMission {
    /// Looks through all `data.tma` below `MISSIONS` of the folders of `vfs`, in any ASCII case.
    ///
    /// The first whose land base path leads through a folder of the name of `level`, in the order of folders
    /// and then of paths without regard to case, is taken. Links to folders are not followed.
    pub fn find(vfs: &Vfs, level: &Path) -> Self {
        let name = level.canonicalize().ok();
        let name = name.as_deref().unwrap_or(level).file_name();
        // A name that CP1251 cannot spell is in no mission.
        let Some(name) = name.and_then(|name| encode_cp1251(name.to_str()?)) else {
            return Self::default();
        };
        let mut found: Option<(PathBuf, Mission)> = None;
        let (mut broken, mut others) = (Vec::new(), Vec::new());
        for path in files(vfs) {
            match open(&path) {
                Err(error) => broken.push((None, error.to_string())),
                Ok(mission) if !is_on(&mission, &name) => {}
                Ok(mission) if found.is_none() => found = Some((path, mission)),
                Ok(_) => others.push(path.display().to_string()),
            }
        }
        let mut findings = Findings::new(FORMAT);
        findings.rule(Severity::Warning, broken);
        if let Some((taken, _)) = found.as_ref().filter(|_| !others.is_empty()) {
            let taken = taken.display();
            let message = format!(
                "{taken} is taken; also on this level: {}",
                others.join(", ")
            );
            findings.rule(Severity::Note, [(None, message)]);
        }
        Self {
            mission: found,
            findings: findings.into_list(),
        }
    }
}

fn open(path: &Path) -> Result<Mission, VfsError> {
    let data = read_file(path)?;
    Mission::read(&data).map_err(|error| VfsError::Invalid {
        file: path.to_owned(),
        error: Box::new(error),
    })
}

fn is_on(mission: &Mission, level: &[u8]) -> bool {
    let folder = mission.land_folder();
    folder.is_some_and(|folder| cmp_names(folder, level).is_eq())
}

/// All mission files, in order.
fn files(vfs: &Vfs) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for layer in vfs.layers() {
        let mut of_layer = Vec::new();
        for (folder, is_folder) in list(layer) {
            if is_folder && is_named(&folder, FOLDER) {
                collect(&folder, 0, &mut of_layer);
            }
        }
        of_layer.sort_by_cached_key(|path| {
            let folded = path.to_string_lossy().to_ascii_lowercase();
            (folded, path.clone())
        });
        files.extend(of_layer);
    }
    files
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    for (path, is_folder) in list(folder) {
        if is_folder && depth < MAX_DEPTH {
            collect(&path, depth + 1, files);
        } else if !is_folder && is_named(&path, FILE) {
            files.push(path);
        }
    }
}

/// What lies in a folder, and whether it is one itself. A folder that cannot be listed holds no missions.
fn list(folder: &Path) -> Vec<(PathBuf, bool)> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let entries = entries.map(|entry| {
        let is_folder = entry.file_type().is_ok_and(|file_type| file_type.is_dir());
        (entry.path(), is_folder)
    });
    entries.collect()
}

fn is_named(path: &Path, name: &str) -> bool {
    path.file_name()
        .is_some_and(|found| found.eq_ignore_ascii_case(name))
}
