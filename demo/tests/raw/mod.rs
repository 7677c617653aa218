//! Files of `DATA/` as bytes, and NRes archives parsed without the loader, so that a bug that reader and writer
//! share is seen.

use std::fs;
use std::path::Path;

/// One row of an NRes directory with its payload.
#[allow(
    dead_code,
    reason = "each test file compiles this module for itself and reads only some fields"
)]
pub struct Chunk {
    pub type_id: u32,
    pub attr1: u32,
    pub attr2: u32,
    pub attr3: u32,
    /// In lower case.
    pub name: String,
    pub data: Vec<u8>,
}

pub fn u32_at(data: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(data[at..at + 4].try_into().unwrap())
}

pub fn u16_at(data: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(data[at..at + 2].try_into().unwrap())
}

pub fn f32_at(data: &[u8], at: usize) -> f32 {
    f32::from_bits(u32_at(data, at))
}

/// The chunks of a file below `DATA`.
pub fn chunks(file: &str) -> Vec<Chunk> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../DATA")
        .join(file);
    let data = fs::read(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    chunks_of(&data, file)
}

/// Parses an archive and holds it to every container rule that the validators warn about.
pub fn chunks_of(data: &[u8], file: &str) -> Vec<Chunk> {
    assert_eq!(&data[..4], b"NRes", "{file}");
    assert_eq!(u32_at(data, 4), 0x100, "{file}: version");
    assert_eq!(u32_at(data, 12) as usize, data.len(), "{file}: total size");
    let n_entries = u32_at(data, 8) as usize;
    let directory = data.len() - 64 * n_entries;
    let row = |i: usize| &data[directory + 64 * i..directory + 64 * (i + 1)];
    let name = |i: usize| {
        let name = &row(i)[20..56];
        name[..name.iter().position(|b| *b == 0).unwrap()].to_ascii_lowercase()
    };
    let mut expected: Vec<usize> = (0..n_entries).collect();
    expected.sort_by_key(|i| name(*i));
    let sorted: Vec<usize> = (0..n_entries)
        .map(|i| u32_at(row(i), 60) as usize)
        .collect();
    assert_eq!(sorted, expected, "{file}: sort table");
    let mut end = 16;
    let mut chunks = Vec::new();
    for i in 0..n_entries {
        let (size, offset) = (u32_at(row(i), 12) as usize, u32_at(row(i), 56) as usize);
        assert_eq!(offset % 8, 0, "{file}: entry {i} is aligned");
        assert!(
            offset >= end && offset + size <= directory,
            "{file}: entry {i} overlaps"
        );
        assert!(
            data[end..offset].iter().all(|b| *b == 0),
            "{file}: padding before entry {i}"
        );
        end = offset + size;
        chunks.push(Chunk {
            type_id: u32_at(row(i), 0),
            attr1: u32_at(row(i), 4),
            attr2: u32_at(row(i), 8),
            attr3: u32_at(row(i), 16),
            name: String::from_utf8(name(i)).unwrap(),
            data: data[offset..offset + size].to_vec(),
        });
    }
    assert!(
        data[end..directory].iter().all(|b| *b == 0),
        "{file}: padding before the directory"
    );
    chunks
}
