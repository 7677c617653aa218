use std::fs;

use super::*;
use crate::pakfile::Comment;
use crate::vpk::{IN_DIRECTORY, PackedFile, VpkDirectory, VpkEntry, VtmbPack};
use ironlands_assets_core::vfs::PathError;
use ironlands_assets_proof::folder_with;

fn pakfile(files: &[(&str, &[u8])]) -> Option<Pakfile> {
    Some(Pakfile::draft(files, Comment::Xzp1).unwrap())
}

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    VpkDirectory::draft(files).unwrap().write().unwrap()
}

fn pack(name: &str, data: &[u8]) -> Vec<u8> {
    let file = PackedFile {
        name: name.as_bytes().to_vec(),
        offset: 0,
        length: data.len() as u32,
    };
    let pack = VtmbPack {
        data: data.to_vec(),
        files: vec![file],
    };
    pack.write().unwrap()
}

fn opened(files: &GameFiles, name: &str) -> Option<String> {
    let data = files.open(name).unwrap();
    data.map(|data| String::from_utf8(data).unwrap())
}

#[test]
fn the_pakfile_comes_before_folders_and_these_before_archives() {
    let first = folder_with(&[
        ("a/2", b"first folder"),
        ("a/3", b"first folder"),
        (
            "x_dir.vpk",
            &archive(&[("a/3", b"first archive"), ("a/5", b"first archive")]),
        ),
        (
            "y_dir.vpk",
            &archive(&[("a/5", b"second archive"), ("a/6", b"second archive")]),
        ),
    ]);
    let second = folder_with(&[
        ("a/3", b"second folder"),
        ("a/4", b"second folder"),
        (
            "x_dir.vpk",
            &archive(&[
                ("a/4", b"third archive"),
                ("a/6", b"third archive"),
                ("a/7", b"third archive"),
            ]),
        ),
    ]);
    let pakfile = pakfile(&[("a/1", b"pakfile"), ("a/2", b"pakfile")]);
    let assets = [first.path().to_owned(), second.path().to_owned()];
    let files = GameFiles::new(pakfile, &assets).unwrap();
    let rows = [
        ("a/1", Some("pakfile")),
        ("a/2", Some("pakfile")),
        ("a/3", Some("first folder")),
        ("a/4", Some("second folder")),
        ("a/5", Some("first archive")),
        ("a/6", Some("second archive")),
        ("a/7", Some("third archive")),
        ("a/8", None),
        ("a", None),
    ];
    for (name, content) in rows {
        assert_eq!(opened(&files, name).as_deref(), content, "{name}");
    }
}

#[test]
fn names_are_found_in_any_case_with_either_slash() {
    let of_folder = folder_with(&[
        ("Materials/Brick/Wall.VTF", b"1"),
        ("X_Dir.VPK", &archive(&[("models/A.mdl", b"2")])),
    ]);
    let files = GameFiles::new(
        pakfile(&[("MAPS/b.txt", b"3")]),
        &[of_folder.path().to_owned()],
    )
    .unwrap();
    assert_eq!(
        opened(&files, r"materials\BRICK\wall.vtf").as_deref(),
        Some("1")
    );
    assert_eq!(opened(&files, r"MODELS\a.MDL").as_deref(), Some("2"));
    assert_eq!(opened(&files, r"maps\B.txt").as_deref(), Some("3"));
}

#[test]
fn no_name_leads_out_of_the_folders() {
    let outer = folder_with(&[("secret", b"1"), ("inner/a", b"2")]);
    let files = GameFiles::new(pakfile(&[("a", b"3")]), &[outer.path().join("inner")]).unwrap();
    let rows = [
        ("../secret", PathError::Dots),
        (r"a\..\..\secret", PathError::Dots),
        ("/a", PathError::Absolute),
        ("c:/a", PathError::Drive),
        ("a//b", PathError::EmptyComponent),
        ("", PathError::Empty),
        ("a\0", PathError::Nul),
    ];
    for (name, expected) in rows {
        match files.open(name) {
            Err(GameFilesError::Vfs(VfsError::PathRefused { reason, .. })) => {
                assert_eq!(reason, expected, "{name}");
            }
            other => panic!("{name:?}: {other:?}"),
        }
    }
}

/// A directory file whose one file, `hello`, begins here and continues in archive 1.
fn split_archive() -> VpkDirectory {
    let mut directory = VpkDirectory::draft(&[("a.txt", b"hello")]).unwrap();
    let entry: &mut VpkEntry = &mut directory.tree.extensions[0].folders[0].files[0];
    assert_eq!(entry.archive, IN_DIRECTORY);
    entry.archive = 1;
    entry.offset = 2;
    entry.length = 3;
    entry.preload = b"he".to_vec();
    directory.file_data.clear();
    directory
}

#[test]
fn contents_lie_in_numbered_archives() {
    let directory = split_archive().write().unwrap();
    let of_folder = folder_with(&[("Game_dir.vpk", &directory), ("GAME_001.vpk", b"..llo.")]);
    let files = GameFiles::new(None, &[of_folder.path().to_owned()]).unwrap();
    assert_eq!(opened(&files, "A.TXT").as_deref(), Some("hello"));
    // The directory file by itself names the same.
    let files = GameFiles::new(None, &[of_folder.path().join("Game_dir.vpk")]).unwrap();
    assert_eq!(opened(&files, "a.txt").as_deref(), Some("hello"));
}

#[test]
fn broken_contents_are_refused_where_they_are_requested() {
    let directory = split_archive().write().unwrap();
    let open = |archive: &[u8]| {
        let of_folder = folder_with(&[("game_dir.vpk", &directory), ("game_001.vpk", archive)]);
        let files = GameFiles::new(None, &[of_folder.path().to_owned()]).unwrap();
        assert_eq!(files.open("b.txt").unwrap(), None);
        files.open("a.txt").unwrap_err().to_string()
    };
    assert!(open(b"..llO").contains("checksum"));
    assert!(open(b"..l").contains("needs 3 bytes, 1 are left"));
    let of_folder = folder_with(&[("game_dir.vpk", &directory)]);
    let files = GameFiles::new(None, &[of_folder.path().to_owned()]).unwrap();
    let missing = files.open("a.txt").unwrap_err();
    assert!(
        matches!(missing, GameFilesError::Vfs(VfsError::FileMissing { .. })),
        "{missing}"
    );

    let mut damaged = pakfile(&[("a", b"hello")]).unwrap().write();
    damaged[31] = b'j';
    let files = GameFiles::new(Some(Pakfile::read(&damaged).unwrap()), &[]).unwrap();
    assert!(
        matches!(files.open("a"), Err(GameFilesError::Pakfile(error)) if error.field == "checksum")
    );
}

#[test]
fn broken_archives_and_missing_folders_are_refused_at_once() {
    for (name, data) in [
        ("a_dir.vpk", &b"no archive at all, in plain words"[..]),
        ("pack001.vpk", b"short"),
    ] {
        let of_folder = folder_with(&[(name, data)]);
        let error = GameFiles::new(None, &[of_folder.path().to_owned()]).unwrap_err();
        assert!(
            matches!(&error, GameFilesError::Archive { archive, .. } if archive.ends_with(name)),
            "{error}"
        );
    }
    let nowhere = Path::new("/nowhere/at/all").to_owned();
    let error = GameFiles::new(None, &[nowhere]).unwrap_err();
    assert!(matches!(error, GameFilesError::Vfs(VfsError::Io { .. })));
}

#[test]
fn of_numbered_packs_the_last_comes_first() {
    let of_folder = folder_with(&[
        ("pack000.vpk", &pack("a\\b.txt", b"oldest")),
        ("Pack102.vpk", &pack("A/B.txt", b"newest")),
        ("pack101.vpk", &pack("c.txt", b"middle")),
        ("packs.vpk", b"no pack"),
    ]);
    let files = GameFiles::new(None, &[of_folder.path().to_owned()]).unwrap();
    assert_eq!(opened(&files, "a/b.TXT").as_deref(), Some("newest"));
    assert_eq!(opened(&files, "c.txt").as_deref(), Some("middle"));
    fs::write(of_folder.path().join("pack101.vpk"), b"").unwrap();
    let error = files.open("c.txt").unwrap_err().to_string();
    assert!(error.contains("needs 6 bytes, 0 are left"), "{error}");
}
