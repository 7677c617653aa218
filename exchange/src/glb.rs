//! The container of binary glTF: a header, a chunk of JSON, a chunk of bytes (glTF 2.0, section 4).

use crate::source::ExportError;

const MAGIC: &[u8; 4] = b"glTF";
const VERSION: u32 = 2;
const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BIN: u32 = u32::from_le_bytes(*b"BIN\0");

/// Length of the file's header, and of a chunk's.
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

/// Puts the container together. Without bytes there is no second chunk.
pub(crate) fn write(mut json: Vec<u8>, mut bin: Vec<u8>) -> Result<Vec<u8>, ExportError> {
    pad(&mut json, b' ');
    pad(&mut bin, 0);
    let mut chunks = vec![(JSON, json)];
    if !bin.is_empty() {
        chunks.push((BIN, bin));
    }
    let len_of_chunks = chunks.iter().map(|(_, data)| CHUNK_HEADER + data.len());
    let len = HEADER + len_of_chunks.sum::<usize>();
    let mut file = Vec::with_capacity(len);
    let word = |value: usize| u32::try_from(value).map_err(|_| ExportError::TooLong);
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend(word(len)?.to_le_bytes());
    for (kind, data) in chunks {
        file.extend(word(data.len())?.to_le_bytes());
        file.extend(kind.to_le_bytes());
        file.extend(data);
    }
    Ok(file)
}

fn pad(data: &mut Vec<u8>, with: u8) {
    data.resize(data.len().next_multiple_of(4), with);
}
