//! Single files of Evil Islands in forms that people and their programs read, and back.
//!
//! In: bytes of a file, and the ending of the file that is wanted. Out: files to write, and what was lost on the way.
//! `export` goes one way, `import` the other; both ask here what goes with what.

mod from_open;
mod game_file;
mod to_open;

use std::error::Error;
use std::path::{Path, PathBuf};

use ironlands::assets_loader::bytes::FormatError;
use ironlands::assets_loader::evil_islands::db::DbKind;
use ironlands::assets_loader::evil_islands::mob::json::MobJsonError;
use thiserror::Error;

pub use self::from_open::{CsvTables, TextureForm, from_open};
pub use self::game_file::{read, read_game_file};
pub use self::to_open::to_open;

/// Files to write, by name.
pub type Files = Vec<(PathBuf, Vec<u8>)>;

/// A kind of file of the game that has open forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameKind {
    /// Packed settings.
    Reg,
    /// A database.
    Db(DbKind),
    /// What stands in a zone.
    Mob,
    /// A camera path.
    Cam,
    /// A texture.
    Mmp,
}

impl GameKind {
    /// The kind of a file, by its name; `None` for all that has no open form of its own.
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        if let Some(kind) = DbKind::of_file_name(name) {
            return Some(Self::Db(kind));
        }
        match extension(path).as_str() {
            "reg" => Some(Self::Reg),
            "mob" => Some(Self::Mob),
            "cam" => Some(Self::Cam),
            "mmp" => Some(Self::Mmp),
            _ => None,
        }
    }

    /// What it is, in a word or two.
    pub fn label(self) -> &'static str {
        match self {
            Self::Reg => "packed settings",
            Self::Db(_) => "a database",
            Self::Mob => "a map of a zone",
            Self::Cam => "a camera path",
            Self::Mmp => "a texture",
        }
    }

    /// Endings of its open forms, without the dot.
    pub fn open_forms(self) -> &'static [&'static str] {
        match self {
            Self::Reg => &["ini"],
            Self::Db(_) => &["json", "csv"],
            Self::Mob | Self::Cam => &["json"],
            Self::Mmp => &["png", "dds"],
        }
    }

    /// Whether it can be written as, or made of, a file of that name.
    pub fn has_form(self, open: &Path) -> bool {
        self.open_forms().contains(&extension(open).as_str())
    }

    /// Its open forms as one reads them, `.json or .csv`.
    pub fn forms_text(self) -> String {
        let forms = self.open_forms().iter().map(|form| format!(".{form}"));
        forms.collect::<Vec<_>>().join(" or ")
    }
}

/// Why a file cannot be converted. The caller names the file.
#[derive(Debug, Error)]
pub enum ConvertError {
    /// It is broken, or holds what the other form does not allow.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// It is no JSON of this kind.
    #[error("no such JSON: {0}")]
    Json(Box<dyn Error + Send + Sync>),
    /// It is no JSON of a zone's map.
    #[error(transparent)]
    Mob(#[from] MobJsonError),
    /// It is no text.
    #[error("byte {offset:#x} is no UTF-8")]
    NotUtf8 {
        /// Where.
        offset: usize,
    },
    /// A picture cannot be read or written.
    #[error("the picture: {0}")]
    Picture(#[from] image::ImageError),
    /// The JSON is that of another database.
    #[error("it is the database \"{found}\", and the file is to be \"{expected}\"")]
    OtherDatabase {
        /// That of the file to write.
        expected: &'static str,
        /// That of the JSON.
        found: &'static str,
    },
    /// There are no tables.
    #[error("none of its tables is there: {}", names.join(", "))]
    NoTable {
        /// Files that were looked for.
        names: Vec<String>,
    },
    /// Not all tables are there.
    #[error("there is no {missing}; with --base the tables that are not there stay as they are")]
    MissingTable {
        /// The file that was looked for.
        missing: String,
    },
}

/// What the JSON library says, for [`ConvertError::Json`].
fn json_fault(error: impl Error + Send + Sync + 'static) -> ConvertError {
    ConvertError::Json(Box::new(error))
}

/// The ending of a name in small letters, without the dot.
pub fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_ascii_lowercase()
}

/// The name of a table's file: `items.quick-items.csv` for `items.csv`; that itself where there is one table only.
fn table_path(csv: &Path, kind: DbKind, table: usize) -> PathBuf {
    match kind.tables() {
        [_] => csv.to_owned(),
        tables => {
            let name = tables.get(table).map_or("", |schema| schema.name);
            let name = name.replace(' ', "-");
            csv.with_extension(format!("{name}.csv"))
        }
    }
}

#[cfg(test)]
mod tests;
