//! Packed pixels: words, where runs of zeros are stored as their length in bytes (dossier section 5.4).

use super::FORMAT;
use ironlands_assets_core::bytes::{FormatError, Reader};

/// A word up to this, other than zero, stands for that many bytes of zeros.
const MAX_RUN: u32 = 1_000_000;
const WORD: usize = 4;

/// Whether a stream holds words as they are: it has as many bytes as the picture.
pub(super) fn is_plain(packed: &[u8], n_bytes: u64) -> bool {
    packed.len() as u64 >= n_bytes
}

/// Refuses a stream that does not unpack to exactly `n_bytes`. Nothing is unpacked for that.
pub(super) fn expect_len(packed: &[u8], n_bytes: u64, at: &Reader<'_>) -> Result<(), FormatError> {
    let (words, rest) = packed.as_chunks::<WORD>();
    if !rest.is_empty() {
        let found = format!("{} bytes", packed.len());
        return Err(at.unexpected("packed pixels", "whole words", found));
    }
    let len_of = |word: &[u8; WORD]| run(u32::from_le_bytes(*word)).unwrap_or(WORD as u32);
    let lens = words.iter().map(|word| u64::from(len_of(word)));
    let found = match is_plain(packed, n_bytes) {
        true => packed.len() as u64,
        false => lens.fold(0, u64::saturating_add),
    };
    if found != n_bytes {
        let expected = format!("{n_bytes} bytes of pixels");
        return Err(at.unexpected("packed pixels", expected, found));
    }
    Ok(())
}

/// The pixels of a picture of `n_bytes`, as dwords of alpha, red, green, blue.
///
/// # Errors
/// A stream that does not unpack to exactly this many.
pub(super) fn unpacked(packed: &[u8], n_bytes: u64) -> Result<Vec<u8>, FormatError> {
    expect_len(packed, n_bytes, &Reader::new(FORMAT, packed))?;
    if is_plain(packed, n_bytes) {
        return Ok(packed.to_vec());
    }
    let mut pixels = Vec::new();
    for word in packed.as_chunks::<WORD>().0 {
        match run(u32::from_le_bytes(*word)) {
            Some(len) => pixels.resize(pixels.len().saturating_add(len as usize), 0),
            None => pixels.extend(word),
        }
    }
    Ok(pixels)
}

/// How many bytes of zeros a word stands for; `None` for a word that stands for itself.
fn run(word: u32) -> Option<u32> {
    (1..=MAX_RUN).contains(&word).then_some(word)
}

/// Packs pixels; as they are if that is not shorter.
///
/// A word that would be taken for a run (no alpha, next to no red) becomes zero, unless pixels stay as they are.
pub(super) fn packed(pixels: &[u32]) -> Vec<u8> {
    let mut words: Vec<u32> = Vec::new();
    let mut n_zeros = 0_u32;
    for pixel in pixels {
        if *pixel == 0 || run(*pixel).is_some() {
            n_zeros = n_zeros.saturating_add(WORD as u32);
            if n_zeros == MAX_RUN {
                words.push(n_zeros);
                n_zeros = 0;
            }
            continue;
        }
        words.extend((n_zeros > 0).then_some(n_zeros));
        n_zeros = 0;
        words.push(*pixel);
    }
    words.extend((n_zeros > 0).then_some(n_zeros));
    let shorter = if words.len() < pixels.len() {
        &words
    } else {
        pixels
    };
    shorter.iter().flat_map(|word| word.to_le_bytes()).collect()
}
