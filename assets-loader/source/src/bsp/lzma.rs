//! Compressed lumps: one LZMA stream behind a header of 17 bytes (dossier section 1.4).

use std::io::Read;

use lzma_rust2::LzmaReader;

use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader};
use ironlands_assets_core::unpack::Budget;

/// Largest size that is unpacked.
const MAX_SIZE: u32 = 512 << 20;
/// More bytes than one byte of LZMA can stand for: a match of 273 bytes takes at least 14 decisions, each at least
/// `log2(2048 / 2017)` bits.
const MAX_RATIO: u64 = 8192;
/// The range coder begins with five bytes that hold nothing.
const CODER_START: u64 = 5;
/// What the decoder needs at least.
const MIN_DICTIONARY: u32 = 4096;

/// Unpacks a stream, whose size must be `expected` if that is known. Bytes after it are ignored.
///
/// Errors: another mark, sizes that contradict each other or cannot be, a damaged stream, more than
/// the budget has left.
pub(crate) fn unpack(
    mut r: Reader<'_>,
    expected: Option<u32>,
    budget: &Budget,
) -> Result<Vec<u8>, FormatError> {
    r.expect("LZMA mark", b"LZMA")?;
    let at = r.clone();
    let size = r.u32("unpacked size")?;
    if let Some(expected) = expected.filter(|expected| *expected != size) {
        let expected = format!("{expected}, as in the directory");
        return Err(at.unexpected("unpacked size", expected, size));
    }
    let packed_size = r.u32("packed size")?;
    let is_possible = u64::from(size)
        <= u64::from(packed_size)
            .saturating_sub(CODER_START)
            .saturating_add(1)
            .saturating_mul(MAX_RATIO);
    if size > MAX_SIZE || !is_possible {
        let expected = format!("what {packed_size} bytes can hold, at most {MAX_SIZE}");
        return Err(at.unexpected("unpacked size", expected, size));
    }
    budget.spend(&at, "unpacked size", size.into())?;
    let properties = r.u8("LZMA properties")?;
    let dictionary = r.u32("LZMA dictionary size")?;
    let stream_at = r.clone();
    let stream = r.bytes("LZMA stream", packed_size as usize)?;
    // A stream of that size looks back no further than its start.
    let dictionary = dictionary.min(size).max(MIN_DICTIONARY);
    let damaged = |error: std::io::Error| stream_at.unexpected("LZMA stream", "LZMA", error);
    let reader = LzmaReader::new_with_props(stream, u64::from(size), properties, dictionary, None)
        .map_err(damaged)?;
    // All at once, since the budget has it: a buffer that grows takes up to twice as much.
    let mut data = Vec::with_capacity(size as usize);
    reader
        .take(u64::from(size))
        .read_to_end(&mut data)
        .map_err(damaged)?;
    if data.len() != size as usize {
        return Err(stream_at.error(
            "LZMA stream",
            FormatErrorKind::Truncated {
                needed: u64::from(size),
                available: data.len() as u64,
            },
        ));
    }
    Ok(data)
}
