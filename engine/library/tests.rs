//! Shelves fill from folders and archives, and what is remembered stays.

use std::collections::HashSet;
use std::fs;

use super::*;

fn library() -> Library {
    Library::new(&crate::worlds::registry(), Memory::default())
}

/// Until nothing is looked for any more.
fn settle(library: &mut Library) {
    while library.is_searching() {
        library.update();
        std::thread::yield_now();
    }
}

fn names(shelf: &Shelf) -> Vec<&str> {
    shelf.entries.iter().map(|entry| &*entry.name).collect()
}

#[test]
fn a_folder_lists_its_levels_and_an_archive_its_models() {
    let mut library = library();
    for path in ["DATA", "DATA/bases.rlb", "no/folder"] {
        library.add(Path::new(path), Origin::Opened);
    }
    assert!(library.shelves().iter().all(|shelf| shelf.is_searched));
    settle(&mut library);
    let [data, bases, nothing] = library.shelves() else {
        panic!("{:?}", library.shelves());
    };
    let worlds: HashSet<_> = data.entries.iter().map(|entry| entry.world).collect();
    assert_eq!((data.entries.len(), worlds.len()), (7, 4), "{data:?}");
    assert!(names(data).contains(&"Map02"), "{data:?}");
    assert!(names(bases).contains(&"WALKER"), "{bases:?}");
    assert!(!nothing.is_searched && nothing.entries.is_empty());
}

#[test]
fn games_without_levels_are_not_shown() {
    let root = tempfile::tempdir().unwrap();
    let mut library = library();
    library.add(root.path(), Origin::Usual);
    library.add(Path::new("DATA/SOURCE"), Origin::Usual);
    settle(&mut library);
    let paths: Vec<_> = library.shelves().iter().map(|shelf| &*shelf.path).collect();
    assert_eq!(paths, [Path::new("DATA/SOURCE")]);
}

#[test]
fn what_is_at_a_path_is_opened_or_chosen_from() {
    let registry = crate::worlds::registry();
    let go_on = std::sync::atomic::AtomicBool::new(false);
    let look = |path: &str| look_at(Path::new(path), &registry, &go_on);
    for (path, opened) in [
        ("DATA/MAPS/Map01", "DATA/MAPS/Map01"),
        ("DATA/MAPS/Map02/Land.msh", "DATA/MAPS/Map02/Land.msh"),
        ("DATA/bases.rlb/WALKER.MSH", "DATA/bases.rlb/WALKER.MSH"),
    ] {
        assert_eq!(look(path).unwrap(), Found::One(opened.into()), "{path}");
    }
    for (path, n) in [("DATA/MAPS", 2), ("DATA", 7)] {
        let Ok(Found::Several(_, entries)) = look(path) else {
            panic!("{path} has several");
        };
        assert_eq!(entries.len(), n, "{path}");
    }
    let here = |path: &str| std::path::absolute(path).unwrap();
    for (path, root, wanted) in [
        ("DATA/Textures.lib", "DATA/Textures.lib", None),
        ("engine/hud", "engine/hud", None),
        ("DATA/BuildDat.lst", "DATA", Some("DATA/BuildDat.lst")),
        (
            "DATA/Material.lib/GRASS",
            "DATA/Material.lib",
            Some("DATA/Material.lib/GRASS"),
        ),
    ] {
        let expected = Found::Files {
            root: here(root),
            wanted: wanted.map(here),
        };
        assert_eq!(look(path).unwrap(), expected, "{path}");
    }
    for path in ["no/path", "DATA/Material.lib/NOTHING"] {
        let refused = look(path).expect_err(path).to_string();
        assert!(refused.contains("does not exist"), "{path}: {refused}");
    }
}

#[test]
fn levels_that_are_gone_are_not_recent() {
    let root = tempfile::tempdir().unwrap();
    let mut memory = Memory::default();
    let level = root.path().join("walker.msh");
    fs::copy("DATA/MAPS/Map01/Land.msh", &level).unwrap();
    memory.add_recent(&level);
    memory.add_recent(&root.path().join("gone.msh"));
    let mut library = Library::new(&crate::worlds::registry(), memory);
    settle(&mut library);
    let paths: Vec<_> = library.recent().iter().map(|entry| &*entry.path).collect();
    assert_eq!(paths, [level]);
}
