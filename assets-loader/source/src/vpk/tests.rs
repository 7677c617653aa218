use std::collections::BTreeMap;

use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof};
use proptest::prelude::*;

use super::*;

proof! {
    VpkDirectory {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_directory(),
        growth: 24,
        runs: 2_000,
        records: [RecordPlace::from_fields(0, [("signature", 4), ("version", 4), ("tree size", 4)])],
        also: open_all,
    }
}

/// Of the other format of this suffix.
mod packs {
    use super::*;

    proof! {
        VtmbPack {
            facts: pack_facts(),
            damage: pack_damage(),
            truncations: Truncations::Refused,
            values: any_pack(),
            growth: 24,
            runs: 2_000,
            records: [RecordPlace::from_fields(PACK.len() - 9, [("file count", 4), ("directory offset", 4), ("version", 1)]).refused_from(0)],
            also: |pack: &VtmbPack, _: &[u8]| _ = pack.open("a/b.txt"),
        }
    }
}

fn entry(name: &[u8], data: &[u8], archive: u16, offset: u32, n_preload: usize) -> VpkEntry {
    VpkEntry {
        name: name.to_vec(),
        crc32: crc32fast::hash(data),
        archive,
        offset,
        length: (data.len() - n_preload) as u32,
        preload: data[..n_preload].to_vec(),
    }
}

fn tree(files: Vec<(&[u8], &[u8], VpkEntry)>) -> VpkTree {
    let extension = |(extension, folder, file): (&[u8], &[u8], VpkEntry)| VpkExtension {
        name: extension.to_vec(),
        folders: vec![VpkFolder {
            name: folder.to_vec(),
            files: vec![file],
        }],
    };
    VpkTree {
        extensions: files.into_iter().map(extension).collect(),
    }
}

/// `hello` in the directory file.
fn first() -> VpkDirectory {
    VpkDirectory {
        tree: tree(vec![(
            b"txt",
            b"a/b",
            entry(b"c", b"hello", IN_DIRECTORY, 0, 0),
        )]),
        file_data: b"hello".to_vec(),
        sections: None,
    }
}

/// `hello` preloaded by two bytes, the rest in archive 3; and a file without folder and extension.
fn second() -> VpkDirectory {
    VpkDirectory {
        tree: tree(vec![
            (b"txt", b"a", entry(b"c", b"hello", 3, 16, 2)),
            (b" ", b" ", entry(b"d", b"abc", IN_DIRECTORY, 0, 0)),
        ]),
        file_data: b"abc".to_vec(),
        sections: Some(VpkSections {
            archive_md5: vec![1; 28],
            other_md5: vec![2; 48],
            signature: vec![3],
        }),
    }
}

/// Name, value, bytes typed from the dossier's tables. The checksums are those of `hello` and `abc`.
#[rustfmt::skip]
fn facts() -> Vec<Fact<VpkDirectory>> {
    let mut v2 = vec![
        0x34, 0x12, 0xAA, 0x55, 2, 0, 0, 0, 57, 0, 0, 0, 3, 0, 0, 0, 28, 0, 0, 0, 48, 0, 0, 0, 1, 0, 0, 0,
        b't', b'x', b't', 0, b'a', 0, b'c', 0,
        0x86, 0xA6, 0x10, 0x36, 2, 0, 3, 0, 16, 0, 0, 0, 3, 0, 0, 0, 0xFF, 0xFF, b'h', b'e', 0, 0,
        b' ', 0, b' ', 0, b'd', 0,
        0xC2, 0x41, 0x24, 0x35, 0, 0, 0xFF, 0x7F, 0, 0, 0, 0, 3, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0,
        b'a', b'b', b'c',
    ];
    v2.extend([1; 28]);
    v2.extend([2; 48]);
    v2.push(3);
    vec![
        Fact::new("version 1", first(), vec![
            0x34, 0x12, 0xAA, 0x55, 1, 0, 0, 0, 31, 0, 0, 0,
            b't', b'x', b't', 0, b'a', b'/', b'b', 0, b'c', 0,
            0x86, 0xA6, 0x10, 0x36, 0, 0, 0xFF, 0x7F, 0, 0, 0, 0, 5, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0,
            b'h', b'e', b'l', b'l', b'o',
        ]),
        Fact::new("version 2", second(), v2),
    ]
}

fn pack() -> VtmbPack {
    VtmbPack {
        data: b"xhello".to_vec(),
        files: vec![PackedFile {
            name: b"A\\b.txt".to_vec(),
            offset: 1,
            length: 5,
        }],
    }
}

#[rustfmt::skip]
const PACK: &[u8] = &[
    b'x', b'h', b'e', b'l', b'l', b'o',
    7, 0, 0, 0, b'A', b'\\', b'b', b'.', b't', b'x', b't', 1, 0, 0, 0, 5, 0, 0, 0,
    1, 0, 0, 0, 6, 0, 0, 0, 0,
];

fn pack_facts() -> Vec<Fact<VtmbPack>> {
    vec![Fact::new("one file behind a byte of none", pack(), PACK)]
}

fn no_archive(entry: &VpkEntry) -> Result<Vec<u8>, FormatError> {
    panic!("archive {} is requested", entry.archive)
}

#[test]
fn files_come_from_where_they_lie() {
    assert_eq!(
        first().open(r"A\B\c.TXT", no_archive),
        Ok(Some(b"hello".to_vec()))
    );
    assert_eq!(first().open("a/b/c", no_archive), Ok(None));
    assert_eq!(first().open("c.txt", no_archive), Ok(None));
    assert_eq!(second().open("d", no_archive), Ok(Some(b"abc".to_vec())));
    let archive = |entry: &VpkEntry| {
        assert_eq!((entry.archive, entry.offset, entry.length), (3, 16, 3));
        Ok::<_, FormatError>(b"llo".to_vec())
    };
    assert_eq!(
        second().open("a/c.txt", archive),
        Ok(Some(b"hello".to_vec()))
    );
    let paths: Vec<String> = second().tree.files().map(|(path, _)| path).collect();
    assert_eq!(paths, ["a/c.txt", "d"]);
    assert_eq!(pack().open("a/B.txt"), Some(&b"hello"[..]));
    assert_eq!(pack().open("b.txt"), None);
}

#[test]
fn contents_are_proved() {
    let open = |data: &[u8]| second().open("a/c.txt", |_| Ok::<_, FormatError>(data.to_vec()));
    assert_eq!(open(b"llO").unwrap_err().field, "checksum");
    assert_eq!(open(b"ll").unwrap_err().field, "file data");
    let failing = second().open("a/c.txt", |_| Err::<Vec<u8>, _>(open(b"ll").unwrap_err()));
    assert_eq!(failing.unwrap_err().field, "file data");
}

/// Name, which fact, where and what is changed in it, and the field and offset that are named.
type DamageRow = (&'static str, usize, usize, &'static [u8], &'static str, u64);

fn damage() -> Vec<Damage> {
    let rows: [DamageRow; 13] = [
        ("other signature", 0, 0, &[0], "signature", 0),
        ("version 3", 0, 4, &[3], "version", 4),
        ("tree too long", 0, 8, &[99], "tree", 12),
        ("tree too short", 0, 8, &[29], "folder", 41),
        (
            "tree ends early",
            0,
            8,
            &[32],
            "after the last extension",
            43,
        ),
        ("terminator", 0, 38, &[0], "terminator", 38),
        ("preload over the tree", 0, 26, &[4], "preload", 40),
        ("data too long", 0, 34, &[6], "file data", 43),
        ("data outside", 0, 30, &[1], "file data", 44),
        ("endless text", 0, 40, b"aaa", "file name", 40),
        ("file data too long", 1, 12, &[99], "file data", 85),
        ("signature too long", 1, 24, &[2], "signature", 164),
        (
            "signature too short",
            1,
            24,
            &[0],
            "after the signature",
            164,
        ),
    ];
    let rows = rows.map(|(name, fact, at, bytes, field, offset)| {
        let mut bad = facts().swap_remove(fact).bytes;
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        Damage::new(name, bad, field, offset)
    });
    rows.to_vec()
}

fn pack_damage() -> Vec<Damage> {
    let rows: [(&'static str, usize, &[u8], &'static str, u64); 7] = [
        ("version 1", 33, &[1], "version", 33),
        ("directory elsewhere", 29, &[5], "name length", 5),
        ("directory outside", 29, &[200], "directory offset", 29),
        // Of no files, it would have been read as empty and written again behind the end.
        (
            "empty directory outside",
            25,
            &[0, 0, 0, 0, 32],
            "directory offset",
            29,
        ),
        ("too many files", 25, &[2], "file count", 6),
        ("name too long", 6, &[99], "name length", 6),
        ("file in the directory", 17, &[2], "offset", 17),
    ];
    let rows = rows.map(|(name, at, bytes, field, offset)| {
        let mut bad = PACK.to_vec();
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        Damage::new(name, bad, field, offset)
    });
    rows.to_vec()
}

#[test]
fn what_fields_cannot_hold_is_not_written() {
    let mut unnamed = first();
    unnamed.tree.extensions[0].folders[0].files[0].name.clear();
    assert_eq!(unnamed.write().unwrap_err().field, "file name");
    let mut with_nul = first();
    with_nul.tree.extensions[0].name = b"a\0".to_vec();
    assert_eq!(with_nul.write().unwrap_err().field, "extension");
    let mut preloaded = first();
    preloaded.tree.extensions[0].folders[0].files[0].preload = vec![0; 0x1_0000];
    assert_eq!(preloaded.write().unwrap_err().field, "preload size");
    let mut outside = pack();
    outside.files[0].length = 6;
    assert_eq!(outside.write().unwrap_err().field, "offset");
    assert_eq!(
        VpkDirectory::draft(&[("../a", b"")]).unwrap_err().field,
        "file name"
    );
}

#[test]
fn new_directories_are_as_the_document_has_them() {
    let draft = VpkDirectory::draft(&[(r"A\b\C.txt", b"hello")]).unwrap();
    assert_eq!(draft, first());
}

fn open_all(directory: &VpkDirectory, _: &[u8]) {
    for (path, _) in directory.tree.files() {
        let _ = directory.open(&path, |_| Ok::<_, FormatError>(b"llo".to_vec()));
    }
}

fn any_files() -> impl Strategy<Value = BTreeMap<String, Vec<u8>>> {
    let data = prop::collection::vec(any::<u8>(), 0..9);
    let name = "[a-c]{1,2}(/[a-c .]{0,2}x){0,2}(\\.[a-c]{1,2})?";
    prop::collection::btree_map(name, data, 0..8)
}

fn draft_of(files: &BTreeMap<String, Vec<u8>>) -> VpkDirectory {
    let list = files.iter().map(|(name, data)| (&**name, &**data));
    VpkDirectory::draft(&list.collect::<Vec<_>>()).unwrap()
}

fn any_directory() -> impl Strategy<Value = VpkDirectory> {
    let sections = prop::option::of(any::<[u8; 3]>());
    (any_files(), sections).prop_map(|(files, sections)| VpkDirectory {
        sections: sections.map(|[a, b, c]| VpkSections {
            archive_md5: vec![a; a.into()],
            other_md5: vec![b; b.into()],
            signature: vec![c; c.into()],
        }),
        ..draft_of(&files)
    })
}

fn any_pack() -> impl Strategy<Value = VtmbPack> {
    let data = prop::collection::vec(any::<u8>(), 0..40);
    let names = prop::collection::vec(prop::collection::vec(any::<u8>(), 0..9), 0..5);
    (data, names).prop_map(|(data, names)| {
        let file = |(i, name)| PackedFile {
            name,
            offset: (i % (data.len() + 1)) as u32,
            length: u32::from(i < data.len()),
        };
        let files = names.into_iter().enumerate().map(file).collect();
        VtmbPack { data, files }
    })
}

proptest! {
    #[test]
    fn any_packed_files_are_found(files in any_files()) {
        let directory = draft_of(&files);
        for (name, data) in &files {
            prop_assert_eq!(directory.open(name, no_archive), Ok(Some(data.clone())), "{}", name);
        }
        prop_assert_eq!(directory.tree.files().count(), files.len());
    }
}
