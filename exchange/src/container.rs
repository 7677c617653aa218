//! The container of binary glTF: a header, a chunk of JSON, a chunk of bytes (glTF 2.0, section 4).

use crate::error::{ExportError, ImportError};

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

/// Whether the bytes say that they are binary glTF.
pub(crate) fn is_glb(data: &[u8]) -> bool {
    data.starts_with(MAGIC)
}

/// Takes the container apart: the JSON, and the binary chunk if there is one. Chunks of other kinds after them are
/// passed over, as the document requires.
pub(crate) fn read(data: &[u8]) -> Result<(&[u8], Option<&[u8]>), ImportError> {
    let version = word(data, 4)?;
    if version != VERSION {
        return Err(unexpected(4, "version 2", version));
    }
    let len = word(data, 8)? as usize;
    let Some(file) = data.get(..len).filter(|_| len >= HEADER) else {
        let expected = format!("the length of the {} bytes", data.len());
        return Err(unexpected(8, &expected, len));
    };
    let (json, next) = chunk(file, HEADER, JSON)?;
    let Some(json) = json else {
        return Err(unexpected(HEADER, "a chunk of JSON", "another"));
    };
    if next >= file.len() {
        return Ok((json, None));
    }
    Ok((json, chunk(file, next, BIN)?.0))
}

/// The chunk at a place, if it is of that kind, and where the next one begins.
fn chunk(file: &[u8], at: usize, kind: u32) -> Result<(Option<&[u8]>, usize), ImportError> {
    let len = word(file, at)? as usize;
    let found = word(file, at.saturating_add(4))?;
    let start = at.saturating_add(CHUNK_HEADER);
    let end = start.saturating_add(len);
    let Some(data) = file.get(start..end) else {
        let expected = format!("a chunk inside of the {} bytes", file.len());
        return Err(unexpected(at, &expected, format!("{len} bytes")));
    };
    Ok(((found == kind).then_some(data), end))
}

fn word(data: &[u8], at: usize) -> Result<u32, ImportError> {
    let bytes = data.get(at..).and_then(|rest| rest.first_chunk());
    let bytes = bytes.ok_or_else(|| unexpected(at, "four bytes", "the end of the file"))?;
    Ok(u32::from_le_bytes(*bytes))
}

fn unexpected(at: usize, expected: &str, found: impl std::fmt::Display) -> ImportError {
    ImportError::Unexpected {
        format: "glb",
        place: format!("byte {at:#x}"),
        expected: expected.to_owned(),
        found: found.to_string(),
    }
}

fn pad(data: &mut Vec<u8>, with: u8) {
    data.resize(data.len().next_multiple_of(4), with);
}
