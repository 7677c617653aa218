//! Single files in interchange formats, and back: what the formats themselves offer.
//!
//! `export` goes one way, `import` the other; both look up here which format goes with which extension.

mod game_file;
mod options;

use std::path::{Path, PathBuf};

use crate::assets::format::{AnyFormat, Conversion};

pub use self::game_file::{read, read_game_file};
pub use self::options::{ExportOptions, ImportOptions};

/// Files to write, by name.
pub type Files = Vec<(PathBuf, Vec<u8>)>;

/// The conversion of a format by the extension of its interchange file.
pub fn conversion(format: &dyn AnyFormat, interchange: &Path) -> Option<&'static Conversion> {
    let extension = extension(interchange);
    let mut conversions = format.conversions().iter();
    conversions.find(|conversion| conversion.extension == extension)
}

/// Extensions of a format's interchange files as one reads them, `.json or .csv`.
pub fn extensions_text(format: &dyn AnyFormat) -> String {
    let conversions = format.conversions().iter();
    let extensions = conversions.map(|conversion| format!(".{}", conversion.extension));
    extensions.collect::<Vec<_>>().join(" or ")
}

/// The ending of a name in small letters, without the dot.
pub fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn conversions_go_by_the_names_of_files() {
        let registry = crate::worlds::registry();
        let formats = registry.formats();
        for (name, extensions) in [
            ("Res/music.REG", Some(".ini")),
            ("items.idb", Some(".json or .csv")),
            ("acks.db", Some(".json or .csv")),
            ("Maps/zone1.mob", Some(".json")),
            ("intro.Cam", Some(".json")),
            ("auxData.res/light.mmp", Some(".png or .dds")),
            ("zone1.mpr", None),
            ("thumbs.db", None),
            ("unhufe.mod", None),
            ("", None),
        ] {
            let format = formats.convertible(Path::new(name));
            assert_eq!(format.map(extensions_text).as_deref(), extensions, "{name}");
        }
        let texture = formats.convertible(Path::new("a.mmp")).unwrap();
        assert!(conversion(texture, Path::new("a.PNG")).is_some());
        assert!(conversion(texture, Path::new("png")).is_none());
    }
}
