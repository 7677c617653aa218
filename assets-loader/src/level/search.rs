//! Levels in and below a folder, of every world.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::sniff::{has_extension, is_land_msh};
use crate::evil_islands::zone::LAND_EXTENSION;
use crate::lineage2::RegionFileName;

/// Extension of maps of the Source engine.
pub(super) const MAP_EXTENSION: &str = "bsp";
/// How deep below a folder levels are looked for: `DATA/EVIL_ISLANDS/Maps/zone1.mpr` below what holds `DATA`.
const MAX_DEPTH: usize = 4;
/// Folders beyond this many are not looked into: a whole disk is not searched.
const MAX_FOLDERS: usize = 20_000;

/// The levels in a folder and at most [`MAX_DEPTH`] folders below it, in the order of their paths: folders with
/// `Land.msh`, folders with regions of geodata, Source maps and zones of Evil Islands. Nothing is looked for below a
/// folder that is itself a level, in hidden folders, and behind links to folders, which could lead in circles.
pub(super) fn levels_below(folder: &Path) -> Vec<PathBuf> {
    let mut search = Search::default();
    search.visit(folder, 0);
    search.levels
}

#[derive(Default)]
struct Search {
    levels: Vec<PathBuf>,
    n_folders: usize,
}

impl Search {
    fn visit(&mut self, folder: &Path, depth: usize) {
        self.n_folders += 1;
        if self.n_folders > MAX_FOLDERS {
            return;
        }
        let entries = folder.read_dir().into_iter().flatten().flatten();
        let mut entries: Vec<_> = entries.map(|entry| (entry.file_name(), entry)).collect();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut names = entries.iter().map(|(name, _)| name.to_string_lossy());
        if names.any(|name| is_land_msh(&name) || RegionFileName::parse(&name).is_some()) {
            return self.levels.push(folder.to_owned());
        }
        for (name, entry) in entries {
            let path = entry.path();
            if is_map(&path) && path.is_file() {
                self.levels.push(path);
            } else if depth < MAX_DEPTH
                && !is_hidden(&name)
                && entry.file_type().is_ok_and(|kind| kind.is_dir())
            {
                self.visit(&path, depth + 1);
            }
        }
    }
}

/// Whether a file is a level of its own, by its name.
fn is_map(path: &Path) -> bool {
    has_extension(path, MAP_EXTENSION) || has_extension(path, LAND_EXTENSION)
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn levels_of_every_world_are_found_in_the_order_of_their_paths() {
        let root = tempfile::tempdir().unwrap();
        let mut expected = Vec::new();
        for (file, level) in [
            ("a/MAPS/One/LAND.MSH", Some("a/MAPS/One")),
            ("a/MAPS/One/Deeper/Land.msh", None),
            ("b/hl2/maps/d1.BSP", Some("b/hl2/maps/d1.BSP")),
            ("b/hl2/maps/d1.txt", None),
            ("c/Maps/zone.mpr", Some("c/Maps/zone.mpr")),
            ("c/Maps/zone.mob", None),
            ("d/22_16.l2j", Some("d")),
            (".hidden/x.bsp", None),
            ("1/2/3/4/here.bsp", Some("1/2/3/4/here.bsp")),
            ("1/2/3/4/5/too_deep.bsp", None),
        ] {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
            expected.extend(level.map(|level| root.path().join(level)));
        }
        expected.sort();
        assert_eq!(levels_below(root.path()), expected);
    }
}
