//! Missions as files: one that is requested by its path, and the one that is played on a level.

use crate::game_files;
use std::path::{Path, PathBuf};

use super::FORMAT;
use crate::mission::Mission;
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::Findings;
use ironlands_assets_core::text::{cmp_names, decode_cp1251, encode_cp1251};
use ironlands_assets_core::vfs::{Vfs, VfsError, read_file};

/// The folder of a game root that missions lie below.
pub const MISSIONS: &str = "MISSIONS";
const FILE: &str = "data.tma";
/// Folders below `MISSIONS`; campaigns have two.
const MAX_DEPTH: usize = 8;

/// A mission and where it is from.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelMission {
    /// Its `data.tma`.
    pub path: PathBuf,
    /// The mission.
    pub mission: Mission,
}

impl LevelMission {
    /// Reads a `data.tma`, or that of the folder that holds it.
    ///
    /// # Errors
    /// There is no such file, or it is broken.
    pub fn open(path: &Path) -> Result<Self, VfsError> {
        let path = mission_file(path);
        let data = read_file(&path)?;
        match Mission::read(&data) {
            Ok(mission) => Ok(Self { path, mission }),
            Err(error) => Err(VfsError::Invalid {
                file: path,
                error: Box::new(error),
            }),
        }
    }

    /// The mission that is played on a level, and what was found on the way to it: what could not be read, and
    /// others on the same level.
    ///
    /// Looks through all `data.tma` below `MISSIONS` of the folders of `vfs`, in any ASCII case. The first whose
    /// land base path leads through a folder of the name of `level`, in the order of folders and then of paths
    /// without regard to case, is taken. Links to folders are not followed.
    pub fn find(vfs: &Vfs, level: &Path) -> (Option<Self>, Vec<Finding>) {
        let mut findings = Findings::new(FORMAT);
        let Some(name) = level_name(level) else {
            let message = format!(
                "no mission can name {}, which CP1251 cannot spell",
                level.display()
            );
            findings.rule(Severity::Note, [(None, message)]);
            return (None, findings.into_list());
        };
        let Search {
            files,
            mut problems,
        } = Search::from_vfs(vfs);
        let mut found: Option<Self> = None;
        let mut others = Vec::new();
        for path in files {
            match Self::open(&path) {
                Err(error) => problems.push(error.to_string()),
                Ok(it) if !is_on(&it.mission, &name) => {}
                Ok(it) if found.is_none() => found = Some(it),
                Ok(_) => others.push(path.display().to_string()),
            }
        }
        findings.rule(
            Severity::Warning,
            problems.into_iter().map(|message| (None, message)),
        );
        if let Some(taken) = found.as_ref().filter(|_| !others.is_empty()) {
            let taken = taken.path.display();
            let message = format!(
                "{taken} is taken; also on this level: {}",
                others.join(", ")
            );
            findings.rule(Severity::Note, [(None, message)]);
        }
        (found, findings.into_list())
    }

    /// A warning if the mission is made for a level of another name. One that names no level fits any.
    pub fn check_level(&self, level: &Path) -> Option<Finding> {
        let folder = self.mission.land_folder()?;
        if level_name(level).is_some_and(|name| is_on(&self.mission, &name)) {
            return None;
        }
        let message = format!(
            "{} is played on {}, not here",
            self.path.display(),
            decode_cp1251(folder)
        );
        Some(Finding::new(Severity::Warning, FORMAT, message))
    }
}

/// The mission of a path, which may be the folder that holds it; it need not be there.
pub fn mission_file(path: &Path) -> PathBuf {
    if !path.is_dir() {
        return path.to_owned();
    }
    let found = game_files::of_folder(path).and_then(|vfs| vfs.find_file(FILE));
    found.unwrap_or_else(|_| path.join(FILE))
}

/// The name of a level's folder as missions spell it; `None` if CP1251 cannot.
fn level_name(level: &Path) -> Option<Vec<u8>> {
    let canonical = level.canonicalize().ok();
    let name = canonical.as_deref().unwrap_or(level).file_name()?;
    encode_cp1251(name.to_str()?)
}

fn is_on(mission: &Mission, level: &[u8]) -> bool {
    let folder = mission.land_folder();
    folder.is_some_and(|folder| cmp_names(folder, level).is_eq())
}

/// The mission files of a game.
#[derive(Default)]
struct Search {
    /// In order.
    files: Vec<PathBuf>,
    /// Folders that could not be looked into, and why not.
    problems: Vec<String>,
}

impl Search {
    fn from_vfs(vfs: &Vfs) -> Self {
        let mut search = Self::default();
        for layer in vfs.layers() {
            let first = search.files.len();
            for (folder, is_folder) in search.list(layer) {
                if is_folder && is_named(&folder, MISSIONS) {
                    search.collect(&folder, 0);
                }
            }
            let (_, of_layer) = search.files.split_at_mut(first);
            of_layer.sort_by_cached_key(|path| {
                let folded = path.to_string_lossy().to_ascii_lowercase();
                (folded, path.clone())
            });
        }
        search
    }

    fn collect(&mut self, folder: &Path, depth: usize) {
        if depth > MAX_DEPTH {
            let why = format!("more than {MAX_DEPTH} folders below {MISSIONS}; not looked into");
            return self.problems.push(format!("{}: {why}", folder.display()));
        }
        for (path, is_folder) in self.list(folder) {
            if is_folder {
                self.collect(&path, depth.saturating_add(1));
            } else if is_named(&path, FILE) {
                self.files.push(path);
            }
        }
    }

    /// What lies in a folder as far as the system reports, and whether it is one itself.
    fn list(&mut self, folder: &Path) -> Vec<(PathBuf, bool)> {
        let mut list = Vec::new();
        let entries = folder.read_dir().map(|entries| {
            let kinds = entries.map(|entry| {
                let entry = entry?;
                Ok((entry.path(), entry.file_type()?.is_dir()))
            });
            kinds.collect::<Vec<_>>()
        });
        for entry in entries.unwrap_or_else(|error| vec![Err(error)]) {
            match entry {
                Ok(entry) => list.push(entry),
                Err(error) => {
                    let problem = format!("{}: {error}", folder.display());
                    self.problems.push(problem);
                }
            }
        }
        list
    }
}

fn is_named(path: &Path, name: &str) -> bool {
    path.file_name()
        .is_some_and(|found| found.eq_ignore_ascii_case(name))
}
