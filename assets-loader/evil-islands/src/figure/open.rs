//! Where the files of a model lie.

use std::io;
use std::path::Path;

use super::Figure;
use crate::game_files::GameFiles;
use crate::res::ResFile;
use ironlands_assets_core::vfs::{self, VfsError};

/// The archive of models, and the one of those of the main menu.
const MODEL_ARCHIVES: [&str; 2] = ["figures.res", "menus.res"];
/// The archive of animation tables.
const TABLE_ARCHIVE: &str = "database.res";
const MODEL_EXTENSION: &str = "mod";

impl Figure {
    /// Opens a model and the files beside it: a loose `unhufe.mod`, `figures.res/unhufe.mod` in an archive, or
    /// `GAME/unhufe` in the archives of a game's root. Extensions may be left out but for loose files.
    ///
    /// The table of animations is taken from beside the model, else from the game that the model lies in.
    ///
    /// # Errors
    /// No such model, a file that cannot be read, a model that is no archive.
    pub fn open(path: &Path) -> Result<Self, VfsError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        // A lone file name lies in the current folder.
        let folder = if folder == Path::new("") {
            Path::new(".")
        } else {
            folder
        };
        let name = stem(path);
        let loose = [folder.to_owned()];
        let source = match (path.is_file(), folder.is_file()) {
            (true, _) => Source::Folder(GameFiles::from_assets(&loose)?),
            (false, true) => Source::Archive(ResFile::open(folder)?),
            (false, false) => Source::Game(GameFiles::from_assets(&loose)?),
        };
        let read = |extension: &str| source.read(&format!("{name}.{extension}"));
        let Some(model) = read(MODEL_EXTENSION)? else {
            let message = format!("no model {name} there");
            let error = io::Error::new(io::ErrorKind::NotFound, message);
            return Err(vfs::io_error(path, error));
        };
        let bon = read("bon")?.unwrap_or_default();
        let anm = read("anm")?;
        let adb = match read("adb")? {
            Some(adb) => Some(adb),
            None => {
                GameFiles::from_zone(folder, &[])?.member(TABLE_ARCHIVE, &format!("{name}.adb"))?
            }
        };
        let figure = Self::read(&name, &model, &bon, anm.as_deref(), adb.as_deref());
        figure.map_err(|error| vfs::invalid(path, error))
    }
}

/// Where the files of a model are read from.
enum Source {
    Folder(GameFiles),
    Archive(ResFile),
    Game(GameFiles),
}

impl Source {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, VfsError> {
        match self {
            Self::Folder(files) => files.loose("", name),
            Self::Archive(archive) => archive.read(name),
            Self::Game(files) => {
                for archive in MODEL_ARCHIVES {
                    if let Some(data) = files.member(archive, name)? {
                        return Ok(Some(data));
                    }
                }
                Ok(None)
            }
        }
    }
}

/// The name of a model: that of the file, without the extension of models.
fn stem(path: &Path) -> String {
    let has_extension = path
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case(MODEL_EXTENSION));
    let name = match has_extension {
        true => path.file_stem(),
        false => path.file_name(),
    };
    name.unwrap_or_default().to_string_lossy().into_owned()
}
