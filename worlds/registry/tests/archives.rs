//! Archives of all worlds, opened by their content.

use std::path::{Path, PathBuf};

use ironlands_assets_core::format::{Archive, ArchiveError, ArchiveOptions};
use ironlands_assets_core::vfs::PathError;
use ironlands_assets_evil_islands::res::{self, ResArchive};
use ironlands_assets_parkan::nres::{self, NRes};
use ironlands_assets_parkan::rsli::{self, Method, RsLi};
use ironlands_assets_source::bsp::{BspFile, LumpId};
use ironlands_assets_source::pakfile::{Comment, Pakfile};
use ironlands_assets_source::vpk::VpkDirectory;

fn open(path: &Path, options: ArchiveOptions) -> Result<Archive, ArchiveError> {
    ironlands_worlds::registry()
        .formats()
        .open_archive(path, options)
}

fn open_plainly(path: &Path) -> Result<Archive, ArchiveError> {
    open(path, ArchiveOptions::default())
}

fn written(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn paths(archive: &Archive) -> Vec<Result<&str, PathError>> {
    let paths = archive.entries().iter().map(|entry| entry.path.as_deref());
    paths.map(|path| path.map_err(|problem| *problem)).collect()
}

#[test]
fn archives_are_known_by_their_content() {
    let folder = tempfile::tempdir().unwrap();
    let entry = nres::Entry::new(7, 0, 0, 0, "A.WEA", b"one".to_vec()).unwrap();
    let archive = NRes::from_entries(vec![entry]).write().unwrap();
    let packed = rsli::Entry::new("B.TXT", Method::Deflate, b"two two two").unwrap();
    let library = RsLi::from_entries(vec![packed]).write().unwrap();
    let mut map = BspFile::new(19);
    let pakfile = Pakfile::draft(&[("materials/c.vmt", b"three")], Comment::None).unwrap();
    map.set_lump(LumpId::Pakfile, 0, pakfile.write());
    for (bytes, name, content) in [
        (archive, "A.WEA", &b"one"[..]),
        (library, "B.TXT", b"two two two"),
        (map.write().unwrap(), "materials/c.vmt", b"three"),
    ] {
        // The name says nothing.
        let archive = open_plainly(&written(folder.path(), "some.bin", &bytes)).unwrap();
        assert_eq!(paths(&archive), [Ok(name)]);
        assert_eq!(archive.unpack(0).unwrap(), content);
    }
    let error = open_plainly(&written(folder.path(), "some.bin", b"text")).unwrap_err();
    assert!(matches!(error, ArchiveError::Unknown { .. }), "{error}");
    let error = open_plainly(&written(folder.path(), "some.bin", b"NRes")).unwrap_err();
    assert!(matches!(error, ArchiveError::Format { .. }), "{error}");
}

/// As in the retail `sprites.lib`, whose last stream claims a byte more than the file has.
#[test]
fn archives_that_break_a_rule_of_writers_come_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut sprite = rsli::Entry::new("INTERF8.TEX", Method::Deflate, b"a sprite").unwrap();
    sprite.packed.push(0);
    let mut library = RsLi::from_entries(vec![sprite]).write().unwrap();
    library.truncate(library.len() - 1);
    let entry = nres::Entry::new(7, 0, 0, 0, "A.WEA", b"one".to_vec()).unwrap();
    let mut archive = NRes::from_entries(vec![entry]).write().unwrap();
    let sort_entry = archive.len() - 4;
    ironlands_assets_proof::set32(&mut archive, sort_entry, 7);
    for (bytes, content) in [(library, &b"a sprite"[..]), (archive, b"one")] {
        let archive = open_plainly(&written(folder.path(), "some.bin", &bytes)).unwrap();
        assert_eq!(archive.unpack(0).unwrap(), content);
    }
}

#[test]
fn a_vpk_is_known_by_its_name_and_read_part_by_part() {
    let folder = tempfile::tempdir().unwrap();
    let directory = VpkDirectory::draft(&[("b/two.txt", b"two"), ("a/one.txt", b"one")]).unwrap();
    let path = written(folder.path(), "x_dir.vpk", &directory.write().unwrap());
    let archive = open_plainly(&path).unwrap();
    assert_eq!(paths(&archive), [Ok("a/one.txt"), Ok("b/two.txt")]);
    assert_eq!(archive.unpack(1).unwrap(), b"two");
    let error = open_plainly(&written(folder.path(), "y_dir.vpk", b"no archive")).unwrap_err();
    assert!(matches!(error, ArchiveError::Other(_)), "{error}");
}

#[test]
fn a_map_without_a_pakfile_is_an_empty_archive() {
    let folder = tempfile::tempdir().unwrap();
    let map = BspFile::new(20).write().unwrap();
    let archive = open_plainly(&written(folder.path(), "a.bsp", &map)).unwrap();
    assert_eq!(archive.entries(), []);
}

#[test]
fn a_res_archive_opens_with_or_without_those_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let res = |files: Vec<(Vec<u8>, Vec<u8>)>| {
        let archive = ResArchive::draft(files, res::NamesOrder::Insertion);
        archive.write().unwrap()
    };
    let model = res(vec![(b"mesh".to_vec(), b"FIG8".to_vec())]);
    let figures = res(vec![
        (b"a.mod".to_vec(), model.clone()),
        (b"s\\b".to_vec(), vec![1]),
    ]);
    let figures = written(folder.path(), "figures.res", &figures);
    let closed = open_plainly(&figures).unwrap();
    assert_eq!(paths(&closed), [Ok("a.mod"), Ok("s/b")]);
    assert_eq!(closed.unpack(0).unwrap(), model);
    let open = open(&figures, ArchiveOptions { nested: true }).unwrap();
    assert_eq!(paths(&open), [Ok("a.mod/mesh.fig"), Ok("s/b")]);
    assert_eq!(open.entries()[0].name, "a.mod/mesh");
    assert_eq!(open.unpack(0).unwrap(), b"FIG8");
    let alone = open_plainly(&written(folder.path(), "a.mod", &model)).unwrap();
    assert_eq!(paths(&alone), [Ok("mesh.fig")]);
    let broken = written(folder.path(), "b.res", &res::MAGIC);
    assert!(matches!(
        open_plainly(&broken).unwrap_err(),
        ArchiveError::Format { .. }
    ));
}

#[test]
fn files_of_a_vpk_that_have_one_path_all_come_out() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("a.txt", &b"one"[..]),
        ("c.txt", b"two"),
        ("d.txt", b"three"),
    ];
    let mut directory = VpkDirectory::draft(&files).unwrap();
    let extensions = directory.tree.extensions.iter_mut();
    let folders = extensions.flat_map(|extension| &mut extension.folders);
    for file in folders.flat_map(|folder| &mut folder.files) {
        match &file.name[..] {
            b"c" => file.name = b"A".to_vec(),
            b"d" => file.name = b"a".to_vec(),
            _ => {}
        }
    }
    let path = written(folder.path(), "x_dir.vpk", &directory.write().unwrap());
    let archive = open_plainly(&path).unwrap();
    assert_eq!(paths(&archive), [Ok("a.txt"), Ok("A.txt.2"), Ok("a.txt.3")]);
    let unpacked = [0, 1, 2].map(|index| archive.unpack(index).unwrap());
    assert_eq!(unpacked, [&b"one"[..], b"two", b"three"]);
}

#[test]
fn files_without_bytes_take_their_share_of_the_budget_before_any_is_made() {
    use ironlands_assets_core::unpack::DEFAULT_LIMIT;
    use ironlands_assets_source::vpk::{VpkEntry, VpkExtension, VpkFolder, VpkTree};
    let n_most = (DEFAULT_LIMIT / 8192) as usize;
    let file = |number: usize| VpkEntry {
        name: format!("{number:x}").into_bytes(),
        archive: 0x7FFF,
        ..VpkEntry::default()
    };
    let folder = VpkFolder {
        name: b" ".to_vec(),
        files: (0..n_most + 10).map(file).collect(),
    };
    let extension = VpkExtension {
        name: b" ".to_vec(),
        folders: vec![folder],
    };
    let directory = VpkDirectory {
        tree: VpkTree {
            extensions: vec![extension],
        },
        file_data: Vec::new(),
        sections: None,
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a_dir.vpk");
    std::fs::write(&path, directory.write().unwrap()).unwrap();
    let archive = open_plainly(&path).unwrap();
    let n_files = archive.entries().len();
    assert_eq!(n_files, n_most + 10);
    let error = archive.take_files(n_files).unwrap_err().to_string();
    let reported = format!("{n_files} files to extract exceed the unpack limit, by which {n_most}");
    assert!(error.contains(&reported), "{error}");
    archive.take_files(n_most).unwrap();
    assert!(archive.take_files(1).is_err());
    // What was made costs no more than its bytes.
    assert_eq!(archive.unpack(0).unwrap(), b"");
}
