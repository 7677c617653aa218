//! Packed bytes of an entry to what they were.

use std::io::Read;

use flate2::read::DeflateDecoder;
use lzma_rust2::LzmaReader;

use super::record::{Method, PakEntry};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader};
use ironlands_assets_core::unpack::Budget;

/// No file of a game is larger.
const MAX_SIZE: u32 = 1 << 30;
/// No byte of Deflate stands for more: two bits at best, for 258 bytes.
const MAX_DEFLATE_RATIO: u64 = 1032;
/// Runs of zeros come to about 7000 bytes for one.
const MAX_LZMA_RATIO: u64 = 8192;
/// Version of the packer, size of the properties, properties: a byte and the size of the dictionary.
const LZMA_PROPERTIES_SIZE: u16 = 5;
/// Literal bits in all; the tables grow as their power of two, and no packer in use takes more.
const MAX_LITERAL_BITS: u8 = 4;

/// Unpacks an entry of the archive that `archive` is at the start of.
pub(super) fn unpack(
    archive: &Reader<'_>,
    entry: &PakEntry,
    budget: &Budget,
) -> Result<Vec<u8>, FormatError> {
    let at_record = archive.sub("record", entry.local.start, 0)?;
    let packed = archive.sub("data", entry.data.start, entry.data.len())?;
    if entry.is_encrypted() {
        return Err(unsupported(&at_record, "flags", "encryption"));
    }
    let data = match entry.method() {
        Method::Stored => stored(packed)?,
        Method::Deflate => deflate(packed, entry, budget)?,
        Method::Lzma => lzma(packed, entry, budget)?,
        Method::Other(number) => {
            let what = format!("packing method {number}");
            return Err(unsupported(&at_record, "method", what));
        }
    };
    let sum = crc32fast::hash(&data);
    if sum != entry.crc32() {
        let expected = format!("{:#010x}", entry.crc32());
        return Err(at_record.unexpected("checksum", expected, format!("{sum:#010x}")));
    }
    Ok(data)
}

fn stored(mut packed: Reader<'_>) -> Result<Vec<u8>, FormatError> {
    let n_bytes = packed.remaining();
    Ok(packed.bytes("data", n_bytes)?.to_vec())
}

fn deflate(
    mut packed: Reader<'_>,
    entry: &PakEntry,
    budget: &Budget,
) -> Result<Vec<u8>, FormatError> {
    refuse_bomb(&packed, entry, MAX_DEFLATE_RATIO)?;
    budget.spend(&packed, "size", entry.size().into())?;
    let at = packed.clone();
    let n_bytes = packed.remaining();
    let mut decoder = DeflateDecoder::new(packed.bytes("data", n_bytes)?);
    let data = drain(&at, &mut decoder, entry)?;
    if decoder.total_in() != n_bytes as u64 {
        let found = format!("the end after {}", decoder.total_in());
        return Err(at.unexpected("data", format!("{n_bytes} packed bytes"), found));
    }
    Ok(data)
}

fn lzma(mut packed: Reader<'_>, entry: &PakEntry, budget: &Budget) -> Result<Vec<u8>, FormatError> {
    refuse_bomb(&packed, entry, MAX_LZMA_RATIO)?;
    budget.spend(&packed, "size", entry.size().into())?;
    packed.u16("LZMA version")?;
    let at_size = packed.clone();
    let n_properties = packed.u16("size of the LZMA properties")?;
    if n_properties != LZMA_PROPERTIES_SIZE {
        return Err(at_size.unexpected("size of the LZMA properties", "5", n_properties));
    }
    let at_properties = packed.clone();
    let properties = packed.u8("LZMA properties")?;
    let dictionary = packed.u32("LZMA dictionary")?;
    // The byte is (position bits * 5 + literal position bits) * 9 + literal context bits.
    let [position, literal_position, literal] =
        [properties / 45, properties / 9 % 5, properties % 9];
    if position > 4 || literal.saturating_add(literal_position) > MAX_LITERAL_BITS {
        let what = format!("the LZMA properties {properties:#04x}");
        return Err(unsupported(&at_properties, "LZMA properties", what));
    }
    let at = packed.clone();
    let n_bytes = packed.remaining();
    let bytes = packed.bytes("data", n_bytes)?;
    let size = u64::from(entry.size());
    let mut decoder = LzmaReader::new_with_props(bytes, size, properties, dictionary, None)
        .map_err(|error| damaged(&at, &error))?;
    decoder.set_relaxed_end_condition(false);
    drain(&at, &mut decoder, entry)
}

/// Takes all that a decoder gives, but never more than one byte beyond the promised size.
fn drain(
    at: &Reader<'_>,
    decoder: &mut impl Read,
    entry: &PakEntry,
) -> Result<Vec<u8>, FormatError> {
    let mut data = Vec::new();
    let limit = u64::from(entry.size()).saturating_add(1);
    decoder
        .take(limit)
        .read_to_end(&mut data)
        .map_err(|error| damaged(at, &error))?;
    if data.len() as u64 != u64::from(entry.size()) {
        let expected = format!("{} bytes when unpacked", entry.size());
        let found = match data.len() as u64 == limit {
            true => "more".to_owned(),
            false => data.len().to_string(),
        };
        return Err(at.unexpected("data", expected, found));
    }
    Ok(data)
}

/// Refuses sizes that the packed bytes cannot come to.
fn refuse_bomb(packed: &Reader<'_>, entry: &PakEntry, max_ratio: u64) -> Result<(), FormatError> {
    let limit = (packed.remaining() as u64)
        .saturating_mul(max_ratio)
        .min(u64::from(MAX_SIZE));
    if u64::from(entry.size()) <= limit {
        return Ok(());
    }
    Err(packed.unexpected("size", format!("at most {limit} bytes"), entry.size()))
}

fn damaged(at: &Reader<'_>, error: &std::io::Error) -> FormatError {
    at.unexpected("data", "bytes that unpack", error)
}

fn unsupported(at: &Reader<'_>, field: &'static str, what: impl Into<String>) -> FormatError {
    at.error(field, FormatErrorKind::Unsupported { what: what.into() })
}
