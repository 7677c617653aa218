use std::collections::BTreeMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof};
use lzma_rust2::{LzmaOptions, LzmaWriter};
use proptest::prelude::*;

use super::*;

proof! {
    Pakfile {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_pakfile(),
        growth: 8,
        runs: 2_000,
        records: [
            RecordPlace::from_fields(0, [("record magic", 4), ("version needed", 2), ("flags", 2), ("method", 2), ("time and date", 4), ("checksum", 4), ("packed size", 4), ("size", 4), ("name length", 2), ("extra length", 2)]),
            RecordPlace::from_fields(38, [("directory entry magic", 4), ("version made by", 2), ("version needed", 2), ("flags", 2), ("method", 2), ("time and date", 4), ("checksum", 4), ("packed size", 4), ("size", 4), ("name length", 2), ("extra length", 2), ("comment length", 2), ("disk", 2), ("internal attributes", 2), ("external attributes", 4), ("record offset", 4)]).refused_from(0),
        ],
        also: use_archive,
    }
}

/// One stored entry, as map compilers write it: typed from the dossier's table and the ZIP application note.
#[rustfmt::skip]
const STORED: &[u8] = &[
    b'P', b'K', 3, 4, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x86, 0xA6, 0x10, 0x36,
    5, 0, 0, 0, 5, 0, 0, 0, 3, 0, 0, 0, b'a', b'/', b'b', b'h', b'e', b'l', b'l', b'o',
    b'P', b'K', 1, 2, 20, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x86, 0xA6, 0x10, 0x36,
    5, 0, 0, 0, 5, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, b'a', b'/', b'b',
    b'P', b'K', 5, 6, 0, 0, 0, 0, 1, 0, 1, 0, 49, 0, 0, 0, 38, 0, 0, 0, 0, 0,
];
#[rustfmt::skip]
const EMPTY_XZP1: &[u8] = &[
    b'P', b'K', 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 0,
    b'X', b'Z', b'P', b'1', b' ', b'0', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
];
/// `a/b.txt` with forty times `ab`, by another packer: Python's `zipfile` with `ZIP_DEFLATED`.
#[rustfmt::skip]
const DEFLATED: &[u8] = &[
    0x50, 0x4B, 0x03, 0x04, 0x14, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21, 0x00, 0x60, 0x0C, 0x01, 0x50,
    0x07, 0x00, 0x00, 0x00, 0x50, 0x00, 0x00, 0x00, 0x07, 0x00, 0x00, 0x00, 0x61, 0x2F, 0x62, 0x2E, 0x74, 0x78,
    0x74, 0x4B, 0x4C, 0x4A, 0xA4, 0x2A, 0x04, 0x00, 0x50, 0x4B, 0x01, 0x02, 0x14, 0x03, 0x14, 0x00, 0x00, 0x00,
    0x08, 0x00, 0x00, 0x00, 0x21, 0x00, 0x60, 0x0C, 0x01, 0x50, 0x07, 0x00, 0x00, 0x00, 0x50, 0x00, 0x00, 0x00,
    0x07, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x01, 0x00, 0x00, 0x00, 0x00,
    0x61, 0x2F, 0x62, 0x2E, 0x74, 0x78, 0x74, 0x50, 0x4B, 0x05, 0x06, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x01,
    0x00, 0x35, 0x00, 0x00, 0x00, 0x2C, 0x00, 0x00, 0x00, 0x00, 0x00,
];
/// The same with `ZIP_LZMA`.
#[rustfmt::skip]
const BY_LZMA: &[u8] = &[
    0x50, 0x4B, 0x03, 0x04, 0x3F, 0x00, 0x02, 0x00, 0x0E, 0x00, 0x00, 0x00, 0x21, 0x00, 0x60, 0x0C, 0x01, 0x50,
    0x17, 0x00, 0x00, 0x00, 0x50, 0x00, 0x00, 0x00, 0x07, 0x00, 0x00, 0x00, 0x61, 0x2F, 0x62, 0x2E, 0x74, 0x78,
    0x74, 0x09, 0x04, 0x05, 0x00, 0x5D, 0x00, 0x00, 0x80, 0x00, 0x00, 0x30, 0x98, 0xA8, 0xF0, 0x18, 0x3D, 0xFF,
    0xFF, 0xFF, 0xFC, 0x20, 0x00, 0x00, 0x50, 0x4B, 0x01, 0x02, 0x3F, 0x03, 0x3F, 0x00, 0x02, 0x00, 0x0E, 0x00,
    0x00, 0x00, 0x21, 0x00, 0x60, 0x0C, 0x01, 0x50, 0x17, 0x00, 0x00, 0x00, 0x50, 0x00, 0x00, 0x00, 0x07, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x01, 0x00, 0x00, 0x00, 0x00, 0x61, 0x2F,
    0x62, 0x2E, 0x74, 0x78, 0x74, 0x50, 0x4B, 0x05, 0x06, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x01, 0x00, 0x35,
    0x00, 0x00, 0x00, 0x3C, 0x00, 0x00, 0x00, 0x00, 0x00,
];
/// `c` with nine times `c`, deflated into a stream, so that sizes follow the data.
#[rustfmt::skip]
const STREAMED: &[u8] = &[
    0x50, 0x4B, 0x03, 0x04, 0x14, 0x00, 0x08, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x63, 0x4B, 0x4E, 0x86, 0x02, 0x00,
    0x50, 0x4B, 0x07, 0x08, 0x94, 0x0D, 0x46, 0xCE, 0x05, 0x00, 0x00, 0x00, 0x09, 0x00, 0x00, 0x00, 0x50, 0x4B,
    0x01, 0x02, 0x14, 0x03, 0x14, 0x00, 0x08, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21, 0x00, 0x94, 0x0D, 0x46, 0xCE,
    0x05, 0x00, 0x00, 0x00, 0x09, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x80, 0x01, 0x00, 0x00, 0x00, 0x00, 0x63, 0x50, 0x4B, 0x05, 0x06, 0x00, 0x00, 0x00, 0x00, 0x01,
    0x00, 0x01, 0x00, 0x2F, 0x00, 0x00, 0x00, 0x34, 0x00, 0x00, 0x00, 0x00, 0x00,
];

type Files<'a> = &'a [(&'a str, &'a [u8])];

fn facts() -> Vec<Fact<Pakfile>> {
    let stored = Pakfile::draft(&[("a/b", b"hello")], Comment::None).unwrap();
    let empty = Pakfile::draft(&[], Comment::Xzp1).unwrap();
    vec![
        Fact::new("a stored entry", stored, STORED),
        Fact::new("nothing", empty, EMPTY_XZP1),
        Fact::from_bytes("a deflated entry", DEFLATED),
        Fact::from_bytes("an entry by LZMA", BY_LZMA),
        Fact::from_bytes("a streamed entry", STREAMED),
    ]
}

#[test]
fn files_are_those_of_the_facts() {
    let rows: [(Files<'_>, Comment, &[u8]); 2] = [
        (&[("a/b", b"hello")], Comment::None, STORED),
        (&[], Comment::Xzp1, EMPTY_XZP1),
    ];
    for (files, comment, bytes) in rows {
        let read = Pakfile::read(bytes).unwrap();
        assert_eq!(Pakfile::draft(files, comment).as_ref(), Ok(&read));
        assert!(read.names().eq(files.iter().map(|(name, _)| *name)));
        for (name, data) in files {
            assert_eq!(read.open(name), Ok(Some(data.to_vec())));
        }
        assert_eq!(read.check(), []);
    }
    assert_eq!(
        &EMPTY_XZP1[22..],
        Pakfile::read(EMPTY_XZP1).unwrap().comment()
    );
}

#[test]
fn entries_of_other_packers_unpack() {
    let rows: [(&[u8], &str, Method, Vec<u8>); 3] = [
        (DEFLATED, "a/b.txt", Method::Deflate, b"ab".repeat(40)),
        (BY_LZMA, "a/b.txt", Method::Lzma, b"ab".repeat(40)),
        (STREAMED, "c", Method::Deflate, b"c".repeat(9)),
    ];
    for (bytes, name, method, data) in rows {
        let read = Pakfile::read(bytes).unwrap();
        assert_eq!(read.find(name).unwrap().method(), method);
        assert_eq!(read.open(name), Ok(Some(data)), "{method:?}");
    }
}

#[test]
fn names_are_found_in_any_case_with_either_slash() {
    let read = Pakfile::draft(&[("Materials/A.vmt", b"1"), ("b", b"2")], Comment::None).unwrap();
    assert_eq!(read.open(r"materials\a.VMT"), Ok(Some(b"1".to_vec())));
    assert_eq!(read.open("materials/a"), Ok(None));
    assert!(read.names().eq(["Materials/A.vmt", "b"]));
}

/// What is changed in [`STORED`], and the refusal. Local header at 0, data at 33, directory at 38, end at 87.
fn damage() -> Vec<Damage> {
    let rows: [(&'static str, usize, &[u8], &'static str, u64); 17] = [
        ("no end record", 87, b"Q", "end record", 87),
        ("another disk", 91, &[1], "disk", 91),
        (
            "entries elsewhere",
            95,
            &[2],
            "entry count on this disk",
            95,
        ),
        ("too many entries", 95, &[2, 0, 2, 0], "entry count", 38),
        ("directory too long", 99, &[50], "directory size", 99),
        ("directory elsewhere", 103, &[39], "directory size", 99),
        ("comment that is not there", 107, &[1], "end record", 87),
        ("no directory entry", 38, b"Q", "directory entry magic", 38),
        ("stored size", 62, &[6], "size", 48),
        ("ZIP64", 58, &[0xFF; 8], "packed size", 58),
        ("name too long", 66, &[4], "name", 84),
        ("record outside", 80, &[0xFF; 4], "record", 0xFFFF_FFFF),
        ("no record", 80, &[1], "record magic", 1),
        ("another flag in the record", 6, &[1], "flags", 6),
        ("another checksum in the record", 14, &[0], "checksum", 14),
        ("another name in the record", 30, b"b", "name", 30),
        ("extra field over the directory", 28, &[1], "data", 34),
    ];
    let rows = rows.map(|(name, at, bytes, field, offset)| {
        let mut bad = STORED.to_vec();
        bad[at..at + bytes.len()].copy_from_slice(bytes);
        Damage::new(name, bad, field, offset)
    });
    rows.to_vec()
}

/// Bytes, and where they are put.
type Change<'a> = (usize, &'a [u8]);

/// What only opening finds, in [`DEFLATED`] and [`BY_LZMA`].
#[test]
fn packed_problems_name_their_entry() {
    let huge = 0x2000u32.to_le_bytes();
    let rows: [(&str, &[u8], &[Change<'_>], &str); 10] = [
        ("damaged", DEFLATED, &[(37, &[0xFF])], "data"),
        (
            "another checksum",
            DEFLATED,
            &[(14, &[0]), (60, &[0])],
            "checksum",
        ),
        (
            "more than promised",
            DEFLATED,
            &[(22, &[0x4F]), (68, &[0x4F])],
            "data",
        ),
        (
            "less than promised",
            DEFLATED,
            &[(22, &[0x51]), (68, &[0x51])],
            "data",
        ),
        ("a bomb", DEFLATED, &[(22, &huge), (68, &huge)], "size"),
        ("encrypted", DEFLATED, &[(6, &[1]), (52, &[1])], "flags"),
        (
            "unknown method",
            DEFLATED,
            &[(8, &[9]), (54, &[9])],
            "method",
        ),
        (
            "LZMA properties of another size",
            BY_LZMA,
            &[(39, &[6])],
            "size of the LZMA properties",
        ),
        (
            "LZMA with wide tables",
            BY_LZMA,
            &[(41, &[8 + 9 * 4])],
            "LZMA properties",
        ),
        ("LZMA damaged", BY_LZMA, &[(46, &[1])], "data"),
    ];
    for (name, good, changes, field) in rows {
        let mut bad = good.to_vec();
        for (at, bytes) in changes {
            bad[*at..*at + bytes.len()].copy_from_slice(bytes);
        }
        let read = Pakfile::read(&bad).unwrap();
        let error = read.open("a/b.txt").unwrap_err();
        assert_eq!(error.field, field, "{name}: {error}");
        assert_eq!(error.entry.as_deref(), Some("a/b.txt"), "{name}");
    }
}

#[test]
fn records_that_overlap_are_refused() {
    let two = Pakfile::draft(&[("a", b"11"), ("b", b"22")], Comment::None).unwrap();
    let mut bytes = two.write();
    // Both entries point at the record of `a`, which both are then called.
    let directory = two.entries[0].central.clone();
    let second = two.entries[1].central.start;
    bytes.copy_within(directory, second);
    let error = Pakfile::read(&bytes).unwrap_err();
    assert_eq!(error.field, "record", "{error}");
}

#[test]
fn refused_names_make_no_archive() {
    let bad: [Files<'_>; 6] = [
        &[("", b"")],
        &[("../a", b"")],
        &[("/a", b"")],
        &[("a\\b", b"")],
        &[("a//b", b"")],
        &[("a", b""), ("A", b"")],
    ];
    for files in bad {
        let error = Pakfile::draft(files, Comment::None).unwrap_err();
        assert_eq!(error.field, "name", "{files:?}");
    }
}

#[test]
fn replacing_keeps_all_other_records() {
    // Records of three kinds, with bytes before the first and between.
    let mut archive = Pakfile::read(STREAMED).unwrap();
    archive.replace("d", b"new").unwrap();
    assert!(archive.names().eq(["c", "d"]));
    let record = |pak: &Pakfile, name: &str| {
        let entry = pak.find(name).unwrap();
        pak.bytes[entry.local.clone()].to_vec()
    };
    assert_eq!(
        record(&archive, "c"),
        &STREAMED[..0x34],
        "with its data descriptor"
    );
    archive.replace("C", b"longer than before").unwrap();
    assert!(archive.names().eq(["c", "d"]), "spelling and order stay");
    assert_eq!(archive.open("c"), Ok(Some(b"longer than before".to_vec())));
    assert_eq!(archive.open("d"), Ok(Some(b"new".to_vec())));
    assert!(archive.replace("../e", b"").is_err());
    assert!(archive.names().eq(["c", "d"]), "a refusal changes nothing");
    let mut stored = Pakfile::read(STORED).unwrap();
    stored.replace("a/b", b"hello").unwrap();
    assert_eq!(stored.write(), STORED);
}

#[test]
fn files_are_put_in_together_and_what_does_not_differ_stays() {
    let mut archive = Pakfile::read(DEFLATED).unwrap();
    archive
        .put_files(&[("A/B.txt", &b"ab".repeat(40))])
        .unwrap();
    assert_eq!(archive.write(), DEFLATED, "packed as it was");
    archive
        .put_files(&[("c", b"1"), ("a/b.TXT", b"2"), ("d", b"3")])
        .unwrap();
    assert!(archive.names().eq(["a/b.txt", "c", "d"]));
    for (name, data) in [("a/b.txt", b"2"), ("c", b"1"), ("d", b"3")] {
        assert_eq!(archive.open(name), Ok(Some(data.to_vec())));
    }
    let twice = archive.put_files(&[("e", b""), ("E", b"")]).unwrap_err();
    assert_eq!(twice.field, "name");
    // A name that no new entry may have is replaced by that of the file that takes its place.
    let mut odd = Pakfile::draft(&[("a/b", b"1")], Comment::None)
        .unwrap()
        .write();
    for at in 0..odd.len() - 2 {
        if odd[at..at + 3] == *b"a/b" {
            odd[at + 1] = b'\\';
        }
    }
    let mut odd = Pakfile::read(&odd).unwrap();
    assert!(odd.names().eq(["a\\b"]));
    odd.put_files(&[("a/b", b"2")]).unwrap();
    assert!(odd.names().eq(["a/b"]));
}

#[test]
fn unusual_archives_are_found() {
    let mut twice = Pakfile::draft(&[("a", b"1"), ("b", b"2")], Comment::None)
        .unwrap()
        .write();
    for byte in twice.iter_mut().filter(|byte| **byte == b'b') {
        *byte = b'A';
    }
    let findings = Pakfile::read(&twice).unwrap().check();
    assert_eq!(findings.len(), 1, "{findings:?}");
    let mut outside = STORED.to_vec();
    for at in [30, 84] {
        outside[at..at + 3].copy_from_slice(b"../");
    }
    assert_eq!(Pakfile::read(&outside).unwrap().check().len(), 1);
    let mut unknown = STORED.to_vec();
    unknown[8] = 9;
    unknown[48] = 9;
    assert_eq!(Pakfile::read(&unknown).unwrap().check().len(), 1);
}

/// An archive of one entry that is packed by our dependencies' own packers.
fn packed(name: &str, data: &[u8], method: u16) -> Vec<u8> {
    let packed = match method {
        8 => {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(data).unwrap();
            encoder.finish().unwrap()
        }
        14 => {
            let options = LzmaOptions::with_preset(1);
            let mut out = vec![9, 20, 5, 0, options.get_props()];
            out.extend(options.dict_size.to_le_bytes());
            let mut encoder = LzmaWriter::new_no_header(&mut out, &options, false).unwrap();
            encoder.write_all(data).unwrap();
            encoder.finish().unwrap();
            out
        }
        _ => data.to_vec(),
    };
    let stored = Pakfile::draft(&[(name, &packed)], Comment::None).unwrap();
    let mut bytes = stored.write();
    let central = stored.entries[0].central.start;
    for (at, number) in [
        (8, u32::from(method)),
        (14, crc32fast::hash(data)),
        (22, data.len() as u32),
    ] {
        let bytes_of_number = number.to_le_bytes();
        let n = if at == 8 { 2 } else { 4 };
        bytes[at..at + n].copy_from_slice(&bytes_of_number[..n]);
        bytes[central + at + 2..central + at + 2 + n].copy_from_slice(&bytes_of_number[..n]);
    }
    bytes
}

fn any_files() -> impl Strategy<Value = BTreeMap<String, Vec<u8>>> {
    let data = prop::collection::vec(any::<u8>(), 0..40);
    prop::collection::btree_map("[a-z]{1,6}(/[a-zé ]{1,3}x)?", data, 0..6)
}

fn any_pakfile() -> impl Strategy<Value = Pakfile> {
    any_files().prop_map(|files| {
        let list = files.iter().map(|(name, data)| (&**name, &**data));
        Pakfile::draft(&list.collect::<Vec<_>>(), Comment::Xzp1).unwrap()
    })
}

/// Everything is unpacked, and a file put in.
fn use_archive(archive: &Pakfile, _: &[u8]) {
    let mut archive = archive.clone();
    for entry in archive.entries() {
        let _ = archive.unpack(entry);
    }
    let _ = archive.replace("a", b"1");
}

proptest! {
    #[test]
    fn any_packed_files_can_be_replaced(
        files in any_files(),
        replaced in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let list: Vec<(&str, &[u8])> = files.iter().map(|(name, data)| (name.as_str(), data.as_slice())).collect();
        let mut archive = Pakfile::draft(&list, Comment::Xzp1).unwrap();
        for (name, data) in &list {
            prop_assert_eq!(archive.open(name), Ok(Some(data.to_vec())));
        }
        if let Some((name, _)) = list.first() {
            archive.replace(name, &replaced).unwrap();
            prop_assert_eq!(archive.open(name), Ok(Some(replaced)));
        }
        for (name, data) in list.iter().skip(1) {
            prop_assert_eq!(archive.open(name), Ok(Some(data.to_vec())));
        }
        prop_assert_eq!(archive.comment(), XZP1);
    }

    #[test]
    fn any_packed_bytes_unpack(
        method in prop::sample::select(&[0u16, 8, 14][..]),
        part in prop::collection::vec(any::<u8>(), 0..40),
        n_times in 0usize..40,
    ) {
        let data = part.repeat(n_times);
        let archive = Pakfile::read(&packed("a", &data, method)).unwrap();
        prop_assert_eq!(archive.open("a"), Ok(Some(data)));
    }
}
