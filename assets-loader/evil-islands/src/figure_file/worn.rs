//! What objects of the game's maps wear that have a figure: for figures whose textures nothing else names.

use std::path::PathBuf;

use crate::game_files::GameFiles;
use crate::mob::{Mob, Tolerance};
use crate::zone::texture_name;
use ironlands_assets_core::vfs;

const MAPS: &str = "Maps";
const EXTENSION: &str = "mob";

/// Names of the primary and the secondary texture of the first object that has the figure and a texture, on the first map that
/// has one; the secondary may be missing. A map that cannot be read says nothing.
pub fn on_maps(files: &GameFiles, figure: &str) -> Option<(String, Option<String>)> {
    maps(files).into_iter().find_map(|map| {
        let data = vfs::read(&map).ok()?;
        let (mob, _) = Mob::read_with(&data, Tolerance::all()).ok()?;
        let objects = mob.objects().into_iter();
        let mut of_figure = objects.filter(|object| object.template.eq_ignore_ascii_case(figure));
        of_figure.find_map(|object| {
            let first = texture_name(&object.primary_texture)?;
            Some((first, texture_name(&object.secondary_texture)))
        })
    })
}

/// The maps of all roots, in the order of their names.
fn maps(files: &GameFiles) -> Vec<PathBuf> {
    let mut maps = Vec::new();
    for root in files.roots() {
        let entries = root.read_dir().into_iter().flatten().flatten();
        let is_maps = |name: &std::ffi::OsStr| name.eq_ignore_ascii_case(MAPS);
        let folders = entries.filter(|entry| is_maps(&entry.file_name()));
        let found = folders.filter_map(|folder| folder.path().read_dir().ok());
        let paths = found.flatten().flatten().map(|entry| entry.path());
        let is_map = |path: &PathBuf| {
            let extension = path.extension();
            extension.is_some_and(|it| it.eq_ignore_ascii_case(EXTENSION))
        };
        let mut of_root: Vec<_> = paths.filter(is_map).collect();
        of_root.sort();
        maps.append(&mut of_root);
    }
    maps
}
