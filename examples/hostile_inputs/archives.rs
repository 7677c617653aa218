//! Archives of nothing but names, and of entries that unpack to much.

use ironlands::worlds::evil_islands::formats::res::{NamesOrder, ResArchive};
use ironlands::worlds::parkan::formats::nres::{self, NRes};
use ironlands::worlds::parkan::formats::rsli::{self, RsLi};
use ironlands::worlds::source::formats::bsp::{BspFile, LumpId};
use ironlands::worlds::source::formats::pakfile::{Comment, Pakfile};
use ironlands::worlds::source::formats::vpk::{
    VpkDirectory, VpkEntry, VpkExtension, VpkFolder, VpkTree,
};

use crate::{MAX_BYTES, Row};

const TAKEN_OUT: &[&[&str]] = &[
    &["check", "{}"],
    &["info", "{}"],
    &["extract", "{}", "--to", "{to}"],
];
const NESTED: &[&[&str]] = &[
    &["check", "{}"],
    &["info", "{}"],
    &["extract", "{}", "--nested", "--to", "{to}"],
];

pub const CASES: &[Row] = &[
    ("names_dir.vpk", TAKEN_OUT, || vpk(name)),
    ("equal_dir.vpk", TAKEN_OUT, || vpk(|_| "a".to_owned())),
    ("shared_dir.vpk", TAKEN_OUT, shared_vpk),
    ("parts_dir.vpk", TAKEN_OUT, parts_vpk),
    ("names.rlb", TAKEN_OUT, || nres(name)),
    ("equal.rlb", TAKEN_OUT, || nres(|_| "a".to_owned())),
    ("numbered.rlb", TAKEN_OUT, || nres(numbered)),
    ("equal.lib", TAKEN_OUT, rsli_names),
    ("zeros.lib", TAKEN_OUT, rsli_zeros),
    ("names.res", TAKEN_OUT, || res(name)),
    ("equal.res", TAKEN_OUT, || res(|_| "a".to_owned())),
    ("numbered.res", TAKEN_OUT, || res(numbered)),
    ("chain.res", TAKEN_OUT, || res(of_one_chain)),
    ("nested.res", NESTED, nested_res),
    ("names.bsp", TAKEN_OUT, pak_names),
    ("zeros.bsp", TAKEN_OUT, pak_zeros),
];

/// Different short names.
fn name(number: usize) -> String {
    format!("{number:x}")
}

/// Names that stand in the way of the numbers that equal ones get.
fn numbered(number: usize) -> String {
    match number % 2 {
        0 => "a".to_owned(),
        _ => format!("a.{}", number / 2),
    }
}

/// Names whose bytes are the same in another order: a table of sums has them all in one place.
fn of_one_chain(number: usize) -> String {
    let bits = (0..17).map(|bit| match number >> bit & 1 {
        0 => "ab",
        _ => "ba",
    });
    bits.collect()
}

fn vpk(name: fn(usize) -> String) -> Vec<u8> {
    let mut n_bytes = 0;
    let files = (0..).map(|number| VpkEntry {
        name: name(number).into_bytes(),
        archive: 0x7FFF,
        ..VpkEntry::default()
    });
    let files = files.take_while(|file| {
        n_bytes += file.name.len() + 19;
        n_bytes < MAX_BYTES - 64
    });
    vpk_of(files.collect(), Vec::new())
}

fn vpk_of(files: Vec<VpkEntry>, file_data: Vec<u8>) -> Vec<u8> {
    let none = b" ".to_vec();
    let folder = VpkFolder {
        name: none.clone(),
        files,
    };
    let extension = VpkExtension {
        name: none,
        folders: vec![folder],
    };
    let directory = VpkDirectory {
        tree: VpkTree {
            extensions: vec![extension],
        },
        file_data,
        sections: None,
    };
    directory.write().expect("names of a few letters")
}

/// Each of many files is the same 64 KiB.
fn shared_vpk() -> Vec<u8> {
    let data = vec![7; 1 << 16];
    let crc32 = crc32(&data);
    let files = (0..150_000).map(|number| VpkEntry {
        name: name(number).into_bytes(),
        archive: 0x7FFF,
        length: data.len() as u32,
        crc32,
        ..VpkEntry::default()
    });
    vpk_of(files.collect(), data)
}

/// Each file lies in a part of its own, that is not there.
fn parts_vpk() -> Vec<u8> {
    let files = (0..150_000).map(|number| VpkEntry {
        name: name(number).into_bytes(),
        archive: (number % 0x7FFF) as u16,
        length: 1,
        ..VpkEntry::default()
    });
    vpk_of(files.collect(), Vec::new())
}

/// As ZIP and VPK have it, bit by bit.
fn crc32(data: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
        })
    };
    !data.iter().fold(!0, step)
}

fn nres(name: fn(usize) -> String) -> Vec<u8> {
    let entry = |number| nres::Entry::new(0x3054_414D, 0, 0, 0, &name(number), Vec::new());
    let entries = (0..MAX_BYTES / 64 - 1).map(|number| entry(number).expect("a short name"));
    NRes::from_entries(entries.collect())
        .write()
        .expect("few entries")
}

fn rsli_names() -> Vec<u8> {
    let entry = rsli::Entry::new("A", rsli::Method::Deflate, b"a").expect("a short name");
    let entries = vec![entry; i16::MAX as usize];
    RsLi::from_entries(entries).write().expect("few entries")
}

/// Zeros as `Deflate` packs them.
fn deflated(n_zeros: usize) -> Vec<u8> {
    let entry = rsli::Entry::new("A", rsli::Method::Deflate, &vec![0; n_zeros]);
    entry.expect("a short name").packed
}

fn rsli_zeros() -> Vec<u8> {
    let methods = [
        rsli::Method::Deflate,
        rsli::Method::Lzss,
        rsli::Method::Lzhuf,
    ];
    let entries = methods.into_iter().flat_map(|method| {
        let entry = rsli::Entry::new("A", method, &vec![0; 1 << 22]).expect("a short name");
        vec![entry; 40]
    });
    let mut size = 0;
    let entries = entries.take_while(|entry| {
        size += entry.packed.len() + 32;
        size < MAX_BYTES - 64
    });
    RsLi::from_entries(entries.collect())
        .write()
        .expect("few entries")
}

fn res(name: fn(usize) -> String) -> Vec<u8> {
    let mut n_bytes = 16;
    let entries = (0..).map(|number| (name(number).into_bytes(), Vec::new()));
    let entries = entries.take_while(|(name, _)| {
        n_bytes += name.len() + 22;
        n_bytes < MAX_BYTES
    });
    ResArchive::draft(entries.collect(), NamesOrder::Insertion)
        .write()
        .expect("short names")
}

/// Archives in archives, each full of names.
fn nested_res() -> Vec<u8> {
    let mut inner = Vec::new();
    for depth in 0..12 {
        let names = (0..8_000).map(|number| (name(number).into_bytes(), b"FIG8".to_vec()));
        let entries = [(format!("{depth}.res").into_bytes(), inner)]
            .into_iter()
            .chain(names);
        inner = ResArchive::draft(entries.collect(), NamesOrder::Insertion)
            .write()
            .expect("short names");
    }
    inner
}

fn pak_names() -> Vec<u8> {
    let names: Vec<String> = (0..46_000).map(name).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (&**name, &b""[..])).collect();
    bsp_with(
        &Pakfile::draft(&files, Comment::None)
            .expect("short names")
            .write(),
    )
}

/// Deflated zeros: each entry says of the others' bytes that they are its own.
fn pak_zeros() -> Vec<u8> {
    let n_zeros = 1 << 22;
    let packed = deflated(n_zeros);
    let crc = crc32(&vec![0; n_zeros]);
    let names: Vec<String> = (0..800).map(name).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (&**name, &packed[..])).collect();
    let mut bytes = Pakfile::draft(&files, Comment::None)
        .expect("short names")
        .write();
    for (mark, [method, checksum, size]) in
        [(b"PK\x03\x04", [8, 14, 22]), (b"PK\x01\x02", [10, 16, 24])]
    {
        for start in 0..bytes.len() - 4 {
            if bytes[start..start + 4] == *mark {
                bytes[start + method] = 8;
                bytes[start + checksum..start + checksum + 4].copy_from_slice(&crc.to_le_bytes());
                let n_zeros = (n_zeros as u32).to_le_bytes();
                bytes[start + size..start + size + 4].copy_from_slice(&n_zeros);
            }
        }
    }
    bsp_with(&bytes)
}

fn bsp_with(pakfile: &[u8]) -> Vec<u8> {
    let mut file = BspFile::new(20);
    file.set_lump(LumpId::Pakfile, 0, pakfile.to_vec());
    file.write().expect("one lump")
}
