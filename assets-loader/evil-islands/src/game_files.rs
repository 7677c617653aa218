//! The files that a zone draws on, wherever they lie: loose in the folders of the game, and in `Res/*.res`
//! (dossier sections 1.1 and 1.2).
//!
//! A root is a folder that holds `Res`, `Maps` and the like. Roots are the folders and archives that the user names,
//! then those above the file that was opened, then that file's own folder, so that a zone alone opens as well. Names
//! are those of the game's data: any ASCII case. Of an archive only the table is in memory, from its first use on.
//!
//! Deliberately absent: the meaning of any file; a list of what is missing, which the caller keeps.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::res::ResFile;
use ironlands_assets_core::bytes::Reader;
use ironlands_assets_core::unpack::Budget;
use ironlands_assets_core::vfs::{self, Vfs, VfsError};

/// Archives that textures are looked for in, in this order (dossier section 1.2).
const TEXTURE_ARCHIVES: [&str; 3] = ["textures.res", "redress.res", "menus.res"];
const TEXTURE_EXTENSION: &str = "mmp";
/// The folder of archives, which marks a root.
const ARCHIVES: &str = "Res";
/// The folder of zones: the folder above it is a root.
const ZONES: &str = "Maps";
/// Folders above a zone that may be a root.
const MAX_STEPS_UP: usize = 3;
/// Both spellings are documented (dossier section 1.1).
const CAMERA_FOLDERS: [&str; 2] = ["Cameras", "Camera"];

/// The search path of a zone or a model.
#[derive(Debug)]
pub struct GameFiles {
    /// Archives that were named by the user: searched first, for anything.
    named: Vec<Arc<ResFile>>,
    roots: Vec<Vfs>,
    archives: Mutex<HashMap<PathBuf, Arc<ResFile>>>,
    /// What all these files together may unpack to.
    budget: Budget,
}

impl GameFiles {
    /// The files that a zone sees; `zone` is its `.mpr` or `.mob`, or any other file of the game.
    ///
    /// `assets` are roots, or archives that are searched for everything. Folders above `zone` that hold `Res`, or that
    /// hold it in `Maps`, are roots as well. No root at all is no error: a zone may stand alone.
    ///
    /// # Errors
    /// A path that cannot be looked at, an asset that is no archive.
    pub fn from_zone(zone: &Path, assets: &[PathBuf]) -> Result<Self, VfsError> {
        let mut files = Self::from_assets(assets)?;
        let zone = zone.canonicalize().map_err(|e| vfs::io_error(zone, e))?;
        let folder = match zone.parent() {
            Some(parent) if !zone.is_dir() => parent,
            _ => &zone,
        };
        let steps = folder.ancestors().zip(folder.ancestors().skip(1));
        for (child, parent) in steps.take(MAX_STEPS_UP) {
            // A folder that we may not list is none that the game is in.
            let Ok(root) = Vfs::from_folder(parent) else {
                continue;
            };
            let holds_zones = child
                .file_name()
                .is_some_and(|name| name.eq_ignore_ascii_case(ZONES));
            if holds_zones || root.has(ARCHIVES) {
                files.roots.push(root);
            }
        }
        files.roots.push(Vfs::from_folder(folder)?);
        Ok(files)
    }

    /// The files below the named roots and in the named archives, and no others.
    ///
    /// # Errors
    /// A path that cannot be looked at, a file that is no archive.
    pub fn from_assets(assets: &[PathBuf]) -> Result<Self, VfsError> {
        let mut files = Self {
            named: Vec::new(),
            roots: Vec::new(),
            archives: Mutex::default(),
            budget: Budget::from_file_size(0),
        };
        for asset in assets {
            if asset.is_file() {
                let archive = ResFile::open(asset)?;
                files.budget.add_read(archive.file_len());
                files.named.push(Arc::new(archive));
            } else {
                files.roots.push(Vfs::from_folder(asset)?);
            }
        }
        Ok(files)
    }

    /// What all these files together may unpack to.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The roots, in the order that they are searched in.
    pub fn roots(&self) -> impl Iterator<Item = &Path> {
        self.roots
            .iter()
            .flat_map(Vfs::layers)
            .map(PathBuf::as_path)
    }

    /// The bytes of a texture, by its name without extension; `None` if there is none.
    ///
    /// # Errors
    /// See [`Self::member`].
    pub fn texture(&self, name_without_extension: &str) -> Result<Option<Vec<u8>>, VfsError> {
        let name = format!("{name_without_extension}.{TEXTURE_EXTENSION}");
        for archive in TEXTURE_ARCHIVES {
            if let Some(data) = self.member(archive, &name)? {
                return Ok(Some(data));
            }
        }
        self.loose("", &name)
    }

    /// The bytes of a member of an archive, as in `figures.res` and `unhufe.mod`; `None` if there is none.
    ///
    /// In each root the archive lies in `Res` or in the root itself, or is a folder of its name without extension.
    ///
    /// # Errors
    /// An archive or a file that is there and cannot be read.
    pub fn member(&self, archive: &str, name: &str) -> Result<Option<Vec<u8>>, VfsError> {
        for file in &self.named {
            if let Some(data) = self.read(file, name)? {
                return Ok(Some(data));
            }
        }
        let unpacked = archive.rsplit_once('.').map_or(archive, |(stem, _)| stem);
        for root in &self.roots {
            if let Some(file) = self.archive_in(root, archive)?
                && let Some(data) = self.read(&file, name)?
            {
                return Ok(Some(data));
            }
            for folder in [format!("{ARCHIVES}/{unpacked}"), unpacked.to_owned()] {
                if let Some(data) = self.read_if_there(root, &format!("{folder}/{name}"))? {
                    return Ok(Some(data));
                }
            }
        }
        Ok(None)
    }

    /// Names of the members of an archive, wherever it lies: those of the first root first, each once.
    ///
    /// # Errors
    /// An archive that is there and cannot be read.
    pub fn members(&self, archive: &str) -> Result<Vec<String>, VfsError> {
        let mut files = self.named.clone();
        for root in &self.roots {
            files.extend(self.archive_in(root, archive)?);
        }
        let mut names: Vec<String> = Vec::new();
        let mut known = HashSet::new();
        for name in files.iter().flat_map(|file| file.names()) {
            if known.insert(name.to_ascii_lowercase()) {
                names.push(name);
            }
        }
        Ok(names)
    }

    /// The bytes of a file in `Config`, as in `lightsgipat.ini`; `None` if there is none.
    ///
    /// # Errors
    /// See [`Self::loose`].
    pub fn config(&self, name: &str) -> Result<Option<Vec<u8>>, VfsError> {
        self.loose("Config", name)
    }

    /// The bytes of a camera path, as in `intro.cam`; `None` if there is none.
    ///
    /// # Errors
    /// See [`Self::loose`].
    pub fn camera(&self, name: &str) -> Result<Option<Vec<u8>>, VfsError> {
        for folder in CAMERA_FOLDERS {
            if let Some(data) = self.loose(folder, name)? {
                return Ok(Some(data));
            }
        }
        Ok(None)
    }

    /// The bytes of a loose file in a folder of a root; `None` if there is none. The root itself is the folder "".
    ///
    /// # Errors
    /// A name that leads out of the folder, a file that is there and cannot be read.
    pub fn loose(&self, folder: &str, name: &str) -> Result<Option<Vec<u8>>, VfsError> {
        let path = match folder {
            "" => name.to_owned(),
            _ => format!("{folder}/{name}"),
        };
        for root in &self.roots {
            if let Some(data) = self.read_if_there(root, &path)? {
                return Ok(Some(data));
            }
        }
        Ok(None)
    }

    /// A member of an archive, whose bytes others may share.
    fn read(&self, archive: &ResFile, name: &str) -> Result<Option<Vec<u8>>, VfsError> {
        let Some(data) = archive.read(name)? else {
            return Ok(None);
        };
        let at = Reader::new("res", &[]);
        let spent = self.budget.spend(&at, "data", data.len() as u64);
        spent.map_err(|error| vfs::invalid(archive.path(), error.in_entry(name)))?;
        Ok(Some(data))
    }

    fn read_if_there(&self, root: &Vfs, path: &str) -> Result<Option<Vec<u8>>, VfsError> {
        let Some(file) = find(root, path)? else {
            return Ok(None);
        };
        let data = vfs::read_file(&file)?;
        self.budget.add_read(data.len());
        Ok(Some(data))
    }

    /// The archive of that name in a root, opened at its first use.
    fn archive_in(&self, root: &Vfs, name: &str) -> Result<Option<Arc<ResFile>>, VfsError> {
        for path in [format!("{ARCHIVES}/{name}"), name.to_owned()] {
            let Some(file) = find(root, &path)? else {
                continue;
            };
            let mut archives = self.archives.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(known) = archives.get(&file) {
                return Ok(Some(Arc::clone(known)));
            }
            let archive = Arc::new(ResFile::open(&file)?);
            self.budget.add_read(archive.file_len());
            archives.insert(file, Arc::clone(&archive));
            return Ok(Some(archive));
        }
        Ok(None)
    }
}

/// Where a loose file lies; a folder is no file.
fn find(root: &Vfs, path: &str) -> Result<Option<PathBuf>, VfsError> {
    match root.find_file(path) {
        Ok(file) => Ok(Some(file)),
        Err(VfsError::FileMissing { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
