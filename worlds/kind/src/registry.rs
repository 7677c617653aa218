//! All kinds of worlds that a program knows.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use ironlands_assets_core::formats::Formats;
use ironlands_assets_core::vfs::path_in_archive;

use crate::{AnyWorldKind, LevelPlace, OpenError, OpenOptions, Opened, Opener, Recognized};

/// How deep below a folder levels are looked for: `DATA/EVIL_ISLANDS/Maps/zone1.mpr` below what holds `DATA`.
const MAX_DEPTH: usize = 4;
/// What is expected where no world has a model.
const A_MODEL: &str = "a model";
/// Folders beyond this many are not looked into: a whole disk is not searched.
const MAX_FOLDERS: usize = 20_000;

/// The kinds of worlds that a program knows, with their file formats.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    kinds: Vec<&'static dyn AnyWorldKind>,
    formats: Formats,
}

impl Registry {
    /// These kinds; where two recognize a path equally well, the first is taken.
    pub fn new(kinds: impl IntoIterator<Item = &'static dyn AnyWorldKind>) -> Self {
        let kinds: Vec<_> = kinds.into_iter().collect();
        Self {
            formats: Formats::new(kinds.iter().map(|kind| kind.formats())),
            kinds,
        }
    }

    /// The same with one kind more.
    #[must_use]
    pub fn with(self, kind: &'static dyn AnyWorldKind) -> Self {
        Self::new(self.kinds.into_iter().chain([kind]))
    }

    /// All kinds.
    pub fn kinds(&self) -> impl Iterator<Item = &'static dyn AnyWorldKind> {
        self.kinds.iter().copied()
    }

    /// The file formats of all of them.
    pub fn formats(&self) -> &Formats {
        &self.formats
    }

    /// What a path is, and to which kind: of several, one that opens it, else the first that knows it.
    ///
    /// # Errors
    /// [`OpenError::NotFound`] and [`OpenError::Io`].
    pub fn recognize(
        &self,
        path: &Path,
    ) -> Result<Option<(&'static dyn AnyWorldKind, Recognized)>, OpenError> {
        let in_archive = path_in_archive(path).is_some();
        if !in_archive {
            path.metadata()
                .map_err(|error| OpenError::from_io(path, error))?;
        }
        let mut first = None;
        for kind in self.kinds() {
            let found = kind
                .recognize(path)
                .map_err(|error| OpenError::from_io(path, error))?;
            match found {
                Some(found) if found.opener != Opener::Nothing => return Ok(Some((kind, found))),
                Some(found) if first.is_none() => first = Some((kind, found)),
                _ => {}
            }
        }
        match first {
            // What leads into an archive and is nothing there does not exist.
            None if in_archive => Err(OpenError::from_io(path, io::ErrorKind::NotFound.into())),
            first => Ok(first),
        }
    }

    /// The level that a path is, or the only one in or below a folder that is none itself, and of which kind it is.
    ///
    /// # Errors
    /// See [`OpenError`]. Nothing is opened yet.
    pub fn find_level(
        &self,
        path: &Path,
    ) -> Result<(&'static dyn AnyWorldKind, PathBuf), OpenError> {
        let found = self.recognize(path)?;
        if let Some((kind, found)) = &found
            && found.opener == Opener::Level
        {
            return Ok((*kind, path.to_owned()));
        }
        if path.is_dir() && found.is_none() {
            let levels = self.levels_below(path);
            return match levels.as_slice() {
                [] => Err(self.not_a_level(path, None)),
                [level] => self.find_level(level),
                _ => Err(OpenError::SeveralLevels {
                    path: path.to_owned(),
                    levels,
                }),
            };
        }
        Err(self.not_a_level(path, found.map(|(_, found)| found)))
    }

    /// Opens a path as a level, and says of which kind it is. A folder that is no level but holds exactly one, in or
    /// below it, opens that.
    ///
    /// # Errors
    /// See [`OpenError`]. What the level can do without is no error but a finding.
    pub fn open(
        &self,
        path: &Path,
        options: &OpenOptions,
    ) -> Result<(&'static dyn AnyWorldKind, Opened), OpenError> {
        let (kind, level) = self.find_level(path)?;
        Ok((kind, kind.open(&level, options)?))
    }

    /// The level that the options of some kind name, as a mission does.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn level_of_options(&self, options: &OpenOptions) -> Result<Option<PathBuf>, OpenError> {
        for kind in self.kinds() {
            if let Some(level) = kind.level_of_options(options)? {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// Opens a path, or a name that some kind looks up in the folders of its game, as a model by itself.
    ///
    /// # Errors
    /// See [`OpenError`]. What the model can do without, such as a material, is no error but a finding.
    pub fn open_model(
        &self,
        path: &Path,
        options: &OpenOptions,
    ) -> Result<(&'static dyn AnyWorldKind, Opened), OpenError> {
        for kind in self.kinds() {
            if let Some(model) = kind.open_model(path, options)? {
                return Ok((kind, model));
            }
        }
        let found = self.recognize(path)?.map(|(_, found)| found);
        Err(not_expected(path, found, A_MODEL))
    }

    /// The kind of a model: a file, or an entry of an archive.
    ///
    /// # Errors
    /// See [`OpenError`]. Nothing is opened yet.
    pub fn find_model(&self, path: &Path) -> Result<&'static dyn AnyWorldKind, OpenError> {
        match self.recognize(path)? {
            Some((kind, found)) if found.opener == Opener::Model => Ok(kind),
            found => Err(not_expected(path, found.map(|(_, found)| found), A_MODEL)),
        }
    }

    /// The levels in a folder and a few folders below it, in the order of their paths. Nothing is looked for below a
    /// folder that is itself a level, in hidden folders, and behind links to folders, which could lead in circles.
    pub fn levels_below(&self, folder: &Path) -> Vec<PathBuf> {
        let mut search = Search {
            kinds: &self.kinds,
            levels: Vec::new(),
            n_folders: 0,
        };
        search.visit(folder, 0);
        search.levels
    }

    /// What levels are, as `a folder with A, or a file (*.b)`.
    pub fn level_kinds(&self) -> String {
        let kinds: Vec<_> = self.kinds().map(|kind| kind.expected()).collect();
        match &kinds[..] {
            [others @ .., last] if !others.is_empty() => {
                format!("{}, or {last}", others.join(", "))
            }
            _ => kinds.concat(),
        }
    }

    fn not_a_level(&self, path: &Path, found: Option<Recognized>) -> OpenError {
        not_expected(path, found, &self.level_kinds())
    }
}

fn not_expected(path: &Path, found: Option<Recognized>, expected: &str) -> OpenError {
    let path = path.to_owned();
    let option = found.as_ref().and_then(|found| found.opener.option());
    let found = found.map_or_else(|| unknown(&path).to_owned(), |found| found.description);
    match option {
        Some(option) => OpenError::OtherOption {
            path,
            found,
            option,
        },
        None => OpenError::NotExpected {
            path,
            found,
            expected: expected.to_owned(),
        },
    }
}

fn unknown(path: &Path) -> &'static str {
    match path.is_dir() {
        true => "a folder without levels",
        false => "a file of unknown kind",
    }
}

struct Search<'a> {
    kinds: &'a [&'static dyn AnyWorldKind],
    levels: Vec<PathBuf>,
    n_folders: usize,
}

impl Search<'_> {
    fn visit(&mut self, folder: &Path, depth: usize) {
        self.n_folders += 1;
        if self.n_folders > MAX_FOLDERS {
            return;
        }
        let entries = folder.read_dir().into_iter().flatten().flatten();
        let mut entries: Vec<_> = entries.map(|entry| (entry.file_name(), entry)).collect();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut names = entries.iter().map(|(name, _)| name);
        if names.any(|name| self.is_at(name, LevelPlace::Folder)) {
            return self.levels.push(folder.to_owned());
        }
        for (name, entry) in entries {
            let path = entry.path();
            if self.is_at(&name, LevelPlace::File) && path.is_file() {
                self.levels.push(path);
            } else if depth < MAX_DEPTH
                && !is_hidden(&name)
                && entry.file_type().is_ok_and(|kind| kind.is_dir())
            {
                self.visit(&path, depth + 1);
            }
        }
    }

    fn is_at(&self, name: &OsStr, place: LevelPlace) -> bool {
        let name = name.to_string_lossy();
        let mut kinds = self.kinds.iter();
        kinds.any(|kind| kind.level_place(&name) == Some(place))
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}
