//! What the start screen remembers: folders of games and the levels that were opened last, in a file beside the settings.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::console::output::{Existing, make_folder_of, write_file};
use crate::error::AppError;
use crate::settings::text_of;
use crate::user_folders::beside_settings;

/// The file's name.
const FILE_NAME: &str = "library.toml";
/// Levels that are remembered.
const N_RECENT: usize = 24;
/// Keys of the file.
const FOLDERS: &str = "folders";
const RECENT: &str = "recent";

/// Paths of the user. Those that are no Unicode are remembered only until the program ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    /// Folders with levels, in the order in which they were given.
    pub folders: Vec<PathBuf>,
    /// Levels and models, the last one first.
    pub recent: Vec<PathBuf>,
}

impl Memory {
    /// What is remembered; what cannot be read is logged.
    pub fn load() -> Self {
        let Some(path) = beside_settings(FILE_NAME) else {
            return Self::default();
        };
        let text = text_of(&path).map_err(|error| error.to_string());
        match text.and_then(|text| Self::from_text(&text)) {
            Ok(memory) => memory,
            Err(error) => {
                log::warn!("{}: {error}", path.display());
                Self::default()
            }
        }
    }

    /// Writes it all.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self) -> Result<(), AppError> {
        let Some(path) = beside_settings(FILE_NAME) else {
            return Ok(());
        };
        make_folder_of(&path)?;
        Ok(write_file(
            &path,
            Existing::Replace,
            self.to_text().as_bytes(),
        )?)
    }

    /// Remembers a folder; false if it was remembered already.
    pub fn add_folder(&mut self, folder: &Path) -> bool {
        let is_new = !self.folders.iter().any(|known| known == folder);
        if is_new {
            self.folders.push(folder.to_owned());
        }
        is_new
    }

    /// Remembers a level as the last one.
    pub fn add_recent(&mut self, path: &Path) {
        self.recent.retain(|known| known != path);
        self.recent.insert(0, path.to_owned());
        self.recent.truncate(N_RECENT);
    }

    fn from_text(text: &str) -> Result<Self, String> {
        let table: Table = text
            .parse()
            .map_err(|error: toml::de::Error| error.message().to_owned())?;
        let paths = |key: &str| match table.get(key) {
            None => Ok(Vec::new()),
            Some(Value::Array(values)) => {
                let paths = values.iter().map(|value| value.as_str().map(PathBuf::from));
                paths
                    .collect::<Option<_>>()
                    .ok_or_else(|| format!("{key} must be a list of paths"))
            }
            Some(_) => Err(format!("{key} must be a list of paths")),
        };
        Ok(Self {
            folders: paths(FOLDERS)?,
            recent: paths(RECENT)?,
        })
    }

    fn to_text(&self) -> String {
        let list = |paths: &[PathBuf]| {
            let paths = paths.iter().filter_map(|path| path.to_str());
            Value::Array(paths.map(Value::from).collect())
        };
        let mut table = Table::new();
        table.insert(FOLDERS.to_owned(), list(&self.folders));
        table.insert(RECENT.to_owned(), list(&self.recent));
        table.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut memory = Memory::default();
        assert_eq!(Memory::from_text(""), Ok(memory.clone()));
        let [game, quoted] = ["/games/A game", "C:\\it's \"quoted\"\\Игра"].map(PathBuf::from);
        assert!(memory.add_folder(&game) && memory.add_folder(&quoted));
        assert!(!memory.add_folder(&game));
        memory.add_recent(&quoted);
        assert_eq!(Memory::from_text(&memory.to_text()), Ok(memory));
        for broken in ["folders = 3", "recent = [1]", "= 2"] {
            assert!(Memory::from_text(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn the_last_level_comes_first_and_once() {
        let mut memory = Memory::default();
        for number in 0..30 {
            memory.add_recent(Path::new(&number.to_string()));
        }
        memory.add_recent(Path::new("27"));
        let first: Vec<_> = memory
            .recent
            .iter()
            .take(4)
            .map(|path| path.to_str().unwrap())
            .collect();
        assert_eq!(first, ["27", "29", "28", "26"]);
        assert_eq!(memory.recent.len(), N_RECENT);
    }
}
