//! What a file beside a level, or in a folder above it, says of how the level is first shown: the command line goes
//! before it.
//!
//! Lines `key = value`; empty lines and those that begin with `;` or `#` say nothing. The only key is `style`.

use std::io;
use std::path::{Path, absolute};

use crate::assets::vfs;
use crate::console::plain;
use crate::renderer::Style;

pub const FILE_NAME: &str = "ironlands.ini";
/// In how many folders the file is looked for.
const N_FOLDERS: usize = 8;
/// A file that says more than this is another's.
const MAX_BYTES: u64 = 4096;

/// How a level is shown unless something else is requested.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LevelDefaults {
    /// As its game showed it, where no file says anything of it.
    pub style: Style,
}

impl LevelDefaults {
    /// What the nearest file says to a level or model at a path. What is not understood is logged.
    pub fn find(path: &Path) -> Self {
        let Ok(path) = absolute(path) else {
            return Self::default();
        };
        for folder in path.ancestors().take(N_FOLDERS) {
            let file = folder.join(FILE_NAME);
            match vfs::read_head(&file, MAX_BYTES) {
                Ok(bytes) => return Self::read(&file, &bytes),
                Err(error) if is_missing(&error) => {}
                Err(error) => log::warn!("{error}"),
            }
        }
        Self::default()
    }

    fn read(file: &Path, bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let (defaults, unknown) = Self::from_text(&text);
        for line in unknown {
            let [file, line] = [plain::path(file), plain::line(line).into_owned()];
            log::warn!(
                "{file}: `{line}` is not understood; expected `style = faithful` or `style = enhanced`"
            );
        }
        defaults
    }

    /// What a text says, and its lines that say nothing that is known.
    fn from_text(text: &str) -> (Self, Vec<&str>) {
        let mut defaults = Self::default();
        let mut unknown = Vec::new();
        let lines = text.lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with([';', '#'])) {
            let said = line.split_once('=');
            let said = said.map(|(key, value)| (key.trim(), value.trim()));
            match said {
                Some(("style", name)) if let Some(style) = Style::from_name(name) => {
                    defaults.style = style;
                }
                _ => unknown.push(line),
            }
        }
        (defaults, unknown)
    }
}

/// Also where a level's path leads through an archive.
fn is_missing(error: &vfs::VfsError) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound};
    matches!(error, vfs::VfsError::Io { error, .. } if matches!(error.kind(), NotFound | NotADirectory))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_line_says_a_style_and_what_is_not_understood_is_named() {
        for (text, style, unknown) in [
            ("", Style::Faithful, &[][..]),
            ("style = enhanced\n", Style::Enhanced, &[]),
            ("; style = enhanced\n# more\n\n", Style::Faithful, &[]),
            (
                "style=enhanced\r\nstyle =faithful\r\n",
                Style::Faithful,
                &[],
            ),
            ("style = better", Style::Faithful, &["style = better"]),
            ("fog = no\nstyle = enhanced", Style::Enhanced, &["fog = no"]),
            ("style", Style::Faithful, &["style"]),
        ] {
            let found = LevelDefaults::from_text(text);
            assert_eq!(found, (LevelDefaults { style }, unknown.to_vec()), "{text}");
        }
    }

    #[test]
    fn the_nearest_file_counts() {
        let root = tempfile::tempdir().unwrap();
        let level = root.path().join("maps/first/level.map");
        fs::create_dir_all(level.parent().unwrap()).unwrap();
        fs::write(&level, "a level").unwrap();
        let style = || LevelDefaults::find(&level).style;
        assert_eq!(style(), Style::Faithful);
        fs::write(root.path().join(FILE_NAME), "style = enhanced").unwrap();
        assert_eq!(style(), Style::Enhanced);
        assert_eq!(
            LevelDefaults::find(&level.join("in/it")).style,
            Style::Enhanced
        );
        fs::write(root.path().join("maps").join(FILE_NAME), "style = faithful").unwrap();
        assert_eq!(style(), Style::Faithful);
    }
}
