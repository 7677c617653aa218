//! Folders below a folder.

use std::path::{Path, PathBuf};

/// Most folders that are named as examples.
const MAX_EXAMPLES: usize = 3;

/// Some folders below a folder that are what is looked for, at most `max_depth` deep, in the order of their names:
/// as many as a message needs for examples. Below one that is found nothing is looked for, and links to folders are
/// not followed, since they could lead in circles.
pub fn folders_below(
    folder: &Path,
    max_depth: usize,
    is_wanted: &dyn Fn(&Path) -> bool,
) -> Vec<PathBuf> {
    let mut found = Vec::new();
    find_folders(folder, max_depth, is_wanted, &mut found);
    found
}

fn find_folders(
    folder: &Path,
    depth: usize,
    is_wanted: &dyn Fn(&Path) -> bool,
    found: &mut Vec<PathBuf>,
) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    for folder in folders {
        if found.len() >= MAX_EXAMPLES {
            return;
        }
        match is_wanted(&folder) {
            true => found.push(folder),
            false => find_folders(&folder, depth, is_wanted, found),
        }
    }
}
