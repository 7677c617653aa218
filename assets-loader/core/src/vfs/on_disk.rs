//! Paths that users type, as the disk spells them.

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

/// A path with each part spelled as on disk where it is there only in another case, so that `data/maps/MAP01` is
/// found also where the file system distinguishes cases. An exact name goes before others; of several others the first in
/// byte order counts. What is not there, and what follows a file (an entry of an archive), stays as it is.
pub fn as_on_disk(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    let mut parts = path.components();
    while let Some(part) = parts.next() {
        let spelled = match part {
            Component::Normal(name) => on_disk(&found, name),
            _ => Some(part.as_os_str().to_owned()),
        };
        match spelled {
            Some(name) => found.push(name),
            None => {
                found.push(part);
                found.push(parts.as_path());
                break;
            }
        }
    }
    match found == path {
        // With its slash at the end, if it has one.
        true => path.to_owned(),
        false => found,
    }
}

/// The name in a folder that is the wanted one, or differs from it in case only.
fn on_disk(folder: &Path, wanted: &OsStr) -> Option<OsString> {
    if folder.join(wanted).symlink_metadata().is_ok() {
        return Some(wanted.to_owned());
    }
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let folded = wanted.to_str()?.to_lowercase();
    let names = folder.read_dir().ok()?.flatten();
    let names = names.map(|entry| entry.file_name());
    let is_same = |name: &OsString| name.to_str().is_some_and(|it| it.to_lowercase() == folded);
    names.filter(is_same).min()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn each_part_is_found_in_any_case_and_the_exact_one_first() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("Data/MAPS/Map01")).unwrap();
        fs::write(root.path().join("Data/Bases.rlb"), "").unwrap();
        for (typed, spelled) in [
            ("Data/MAPS/Map01", "Data/MAPS/Map01"),
            ("data/maps/map01", "Data/MAPS/Map01"),
            ("DATA/MAPS/../maps", "Data/MAPS/../MAPS"),
            // An entry of an archive, and what is not there.
            ("data/BASES.RLB/walker.msh", "Data/Bases.rlb/walker.msh"),
            ("data/maps/Map02/x", "Data/MAPS/Map02/x"),
            ("none/at/all", "none/at/all"),
        ] {
            let found = as_on_disk(&root.path().join(typed));
            assert_eq!(found, root.path().join(spelled), "{typed}");
        }
        assert_eq!(as_on_disk(Path::new("")), Path::new(""));
    }

    /// Where names that differ in case only can stand side by side.
    #[cfg(target_os = "linux")]
    #[test]
    fn of_names_that_differ_in_case_the_exact_one_counts() {
        let root = tempfile::tempdir().unwrap();
        for name in ["a.BSP", "A.bsp"] {
            fs::write(root.path().join(name), "").unwrap();
        }
        for (typed, spelled) in [("a.BSP", "a.BSP"), ("A.bsp", "A.bsp"), ("a.bsp", "A.bsp")] {
            let found = as_on_disk(&root.path().join(typed));
            assert_eq!(found, root.path().join(spelled), "{typed}");
        }
    }
}
