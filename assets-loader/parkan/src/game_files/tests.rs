use tempfile::TempDir;

use super::*;
use std::path::PathBuf;

use crate::nres::Entry;
use ironlands_assets_proof::folder_with;

fn library(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let entries = entries
        .iter()
        .map(|(name, data)| Entry::new(0, 0, 0, 0, name, data.to_vec()).unwrap())
        .collect();
    NRes::from_entries(entries).write().unwrap()
}

fn layers_below(vfs: &Vfs, dir: &TempDir) -> Vec<String> {
    let base = dir.path().canonicalize().unwrap();
    let below = |layer: &PathBuf| {
        let names = layer.strip_prefix(&base).unwrap().components();
        let names: Vec<_> = names.map(|c| c.as_os_str().to_str().unwrap()).collect();
        names.join("/")
    };
    vfs.layers().iter().map(below).collect()
}

#[test]
fn the_retail_root_is_above_data() {
    let dir = folder_with(&[
        ("game/DATA/MAPS/SC_3/Land.msh", b"mesh"),
        ("game/Material.lib", &library(&[("WATER", b"wet")])),
        ("game/buildDAT.LST", b"list"),
    ]);
    let vfs = of_level(&dir.path().join("game/DATA/MAPS/SC_3")).unwrap();
    assert_eq!(layers_below(&vfs, &dir), ["game/DATA/MAPS/SC_3", "game"]);
    assert_eq!(vfs.open("land.MSH").unwrap(), b"mesh");
    assert_eq!(vfs.open(r"data\maps\sc_3\land.msh").unwrap(), b"mesh");
    assert_eq!(vfs.open("BuildDat.lst").unwrap(), b"list");
    assert_eq!(vfs.open("material.lib/water").unwrap(), b"wet");
}

#[test]
fn a_root_may_be_the_data_folder_itself() {
    let dir = folder_with(&[
        ("repo/DATA/MAPS/Map01/Land.msh", b"mesh"),
        ("repo/DATA/Material.lib", &library(&[("A", b"near")])),
        ("repo/Material.lib", &library(&[("A", b"far")])),
        ("Material.lib", b"four folders up"),
    ]);
    let level = dir.path().join("repo/DATA/MAPS/Map01");
    for start in [level.join("Land.msh"), level] {
        let vfs = of_level(&start).unwrap();
        assert_eq!(
            layers_below(&vfs, &dir),
            ["repo/DATA/MAPS/Map01", "repo/DATA", "repo"]
        );
        assert_eq!(vfs.open("Material.lib/a").unwrap(), b"near");
        assert_eq!(vfs.open("MAPS/Map01/Land.msh").unwrap(), b"mesh");
        assert_eq!(vfs.open("DATA/MAPS/Map01/Land.msh").unwrap(), b"mesh");
    }
}

#[test]
fn a_data_folder_marks_the_root_without_libraries() {
    let dir = folder_with(&[("game/data/MAPS/AutoMAP/Land.map", b"areas")]);
    let vfs = of_level(&dir.path().join("game/data/MAPS/AutoMAP")).unwrap();
    assert_eq!(layers_below(&vfs, &dir), ["game/data/MAPS/AutoMAP", "game"]);
}

#[test]
fn a_level_alone_works_without_a_root() {
    let dir = folder_with(&[("a/b/c/level/Land.msh", b"mesh")]);
    let vfs = of_level(&dir.path().join("a/b/c/level")).unwrap();
    assert_eq!(layers_below(&vfs, &dir), ["a/b/c/level"]);
    assert_eq!(vfs.open("LAND.MSH").unwrap(), b"mesh");
    assert!(matches!(
        vfs.open("Material.lib"),
        Err(VfsError::FileMissing { searched, .. }) if searched.len() == 1
    ));
    let nowhere = of_level(&dir.path().join("a/b/nowhere"));
    assert!(matches!(nowhere, Err(VfsError::Io { .. })));
}

#[test]
fn the_four_ways_to_be_missing_are_distinct() {
    let broken = library(&[("model.msh", b"not an archive")]);
    let dir = folder_with(&[
        ("good.lib", &library(&[("full", b"x"), ("empty", b"")])),
        ("models.rlb", &broken),
        ("bad.lib", b"NRes"),
    ]);
    let vfs = of_folder(dir.path()).unwrap();
    let error = |name: &str| vfs.open(name).unwrap_err();
    assert!(matches!(error("no.lib"), VfsError::FileMissing { .. }));
    assert!(matches!(error("no.lib/full"), VfsError::FileMissing { .. }));
    assert!(
        matches!(error("good.lib/none"), VfsError::EntryMissing { entry, .. } if entry == "none")
    );
    assert!(matches!(
        error("good.lib/地"),
        VfsError::EntryMissing { .. }
    ));
    assert!(
        matches!(error("good.lib/EMPTY"), VfsError::EntryEmpty { entry, .. } if entry == "EMPTY")
    );
    assert!(matches!(error("bad.lib/full"), VfsError::Invalid { error, .. } if error.offset == 4));
    let VfsError::Invalid { file, error } = error("models.rlb/MODEL.msh/7") else {
        panic!("a broken nested archive is invalid");
    };
    assert!(file.ends_with("models.rlb"));
    assert_eq!(error.entry.as_deref(), Some("MODEL.msh"));
}

#[test]
fn readers_are_reported_which_file_and_entry_they_refused() {
    let dir = folder_with(&[("Textures.lib", &library(&[("WATER.0", b"junk")]))]);
    let vfs = of_folder(dir.path()).unwrap();
    let read = |data: &[u8]| {
        let mut r = Reader::new("texm", data);
        r.expect("magic", b"Texm")
    };
    let error = vfs.open_as("textures.LIB/water.0", read).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("Textures.lib"), "{text}");
    assert!(
        text.contains("texm (entry water.0): byte 0x0, magic"),
        "{text}"
    );
}

#[test]
fn names_lead_through_nested_archives() {
    let inner = library(&[("Res1", b"nodes")]);
    let dir = folder_with(&[("bases.rlb", &library(&[("hunter.msh", &inner)]))]);
    let vfs = of_folder(dir.path()).unwrap();
    assert_eq!(vfs.open(r"bases.rlb\HUNTER.MSH\res1").unwrap(), b"nodes");
    assert_eq!(vfs.open("bases.rlb/hunter.msh").unwrap(), inner);
}

#[test]
fn packed_libraries_open_like_archives() {
    let packed = |name, data: &[u8]| rsli::Entry::new(name, rsli::Method::Lzss, data).unwrap();
    let mut broken = packed("BROKEN.TEX", b"12345");
    broken.packed.truncate(3);
    let entries = vec![
        packed("FONT.TEX", b"glyphs glyphs"),
        packed("NONE", b""),
        broken,
    ];
    let dir = folder_with(&[(
        "gamefont.rlb",
        &RsLi::from_entries(entries).write().unwrap(),
    )]);
    let vfs = of_folder(dir.path()).unwrap();
    assert_eq!(vfs.open("GameFont.rlb/font.tex").unwrap(), b"glyphs glyphs");
    let error = |name: &str| vfs.open(name).unwrap_err();
    assert!(matches!(
        error("gamefont.rlb/x"),
        VfsError::EntryMissing { .. }
    ));
    assert!(matches!(
        error("gamefont.rlb/none"),
        VfsError::EntryEmpty { .. }
    ));
    assert!(matches!(
        error("gamefont.rlb/broken.tex"),
        VfsError::Invalid { .. }
    ));
    assert!(matches!(
        nres(&vfs, "gamefont.rlb"),
        Err(VfsError::Invalid { .. })
    ));
}

#[test]
fn cyrillic_entries_are_opened_by_text_and_by_bytes() {
    let dir = folder_with(&[("Material.lib", &library(&[("Земля", b"earth")]))]);
    let vfs = of_folder(dir.path()).unwrap();
    assert_eq!(vfs.open("Material.lib/Земля").unwrap(), b"earth");
    let raw = [0xC7, 0xE5, 0xEC, 0xEB, 0xFF];
    assert_eq!(vfs.open_entry("MATERIAL.LIB", &raw).unwrap(), b"earth");
}

#[test]
fn folders_are_no_files_and_entries_are_no_files() {
    let dir = folder_with(&[("sub/x.lib", &library(&[("e", b"1")]))]);
    let vfs = of_folder(dir.path()).unwrap();
    assert!(matches!(vfs.open("sub"), Err(VfsError::FileMissing { .. })));
    assert!(vfs.find_file("SUB/X.LIB").unwrap().ends_with("sub/x.lib"));
    assert!(matches!(
        vfs.find_file("sub/x.lib/e"),
        Err(VfsError::FileMissing { .. })
    ));
    assert!(matches!(
        vfs.open("../x"),
        Err(VfsError::PathRefused { .. })
    ));
}

#[test]
fn archives_are_read_once() {
    let dir = folder_with(&[("x.lib", &library(&[("e", b"1")]))]);
    let vfs = of_folder(dir.path()).unwrap();
    let first = nres(&vfs, "x.lib").unwrap();
    assert!(Arc::ptr_eq(&first, &nres(&vfs, "X.LIB").unwrap()));
}

#[cfg(unix)]
#[test]
fn of_names_that_differ_in_case_the_exact_one_wins() {
    let dir = folder_with(&[("LAND.MSH", b"upper"), ("land.msh", b"lower")]);
    let vfs = of_folder(dir.path()).unwrap();
    assert_eq!(vfs.open("land.msh").unwrap(), b"lower");
    assert_eq!(vfs.open("LAND.MSH").unwrap(), b"upper");
    assert_eq!(vfs.open("Land.msh").unwrap(), b"upper");
}

#[cfg(unix)]
#[test]
fn special_files_are_refused_not_waited_for() {
    let dir = folder_with(&[]);
    std::os::unix::fs::symlink("/dev/zero", dir.path().join("endless")).unwrap();
    let vfs = of_folder(dir.path()).unwrap();
    assert!(matches!(vfs.open("endless"), Err(VfsError::Io { .. })));
}
