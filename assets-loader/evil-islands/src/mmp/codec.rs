//! Reading and writing of textures (dossier section 5.1).

use super::format::{Channels, MmpFormat};
use super::{FORMAT, MAGIC, MAX_MIPS, MAX_SIDE, Mmp, Tolerance, pnt3};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};
use ironlands_assets_core::mips::level_size;
use ironlands_assets_core::unpack::Budget;

pub(super) fn read(data: &[u8], tolerance: Tolerance, budget: &Budget) -> Result<Mmp, FormatError> {
    let mut r = Reader::new(FORMAT, data);
    r.expect("magic", &MAGIC)?;
    let width = read_side(&mut r, "width")?;
    let height = read_side(&mut r, "height")?;
    let at_levels = r.clone();
    let level_word = r.u32("level count")?;
    let format = MmpFormat::read(&mut r)?;
    let at_bits = r.clone();
    let bits_per_pixel = r.u32("bits of a pixel")?;
    let at_channels = r.clone();
    let channels = Channels::read(&mut r)?;
    let extra_offset = r.u32("user data")?;
    if format != MmpFormat::Pnt3 && !(1..=MAX_MIPS).contains(&level_word) {
        return Err(at_levels.unexpected("level count", "1 to 15", level_word));
    }
    let usual_bits = format.bits_per_pixel().unwrap_or(bits_per_pixel);
    if bits_per_pixel != usual_bits && !tolerance.contains(Tolerance::OTHER_BITS_PER_PIXEL) {
        let expected = usual_bits.to_string();
        return Err(at_bits.unexpected("bits of a pixel", expected, bits_per_pixel));
    }
    let usual_channels = format.channels().unwrap_or(channels);
    if channels != usual_channels && !tolerance.contains(Tolerance::OTHER_MASKS) {
        let expected = format!("those of format {format}");
        return Err(at_channels.unexpected("channel masks", expected, "others"));
    }
    let mut mmp = Mmp {
        width,
        height,
        level_word,
        format,
        bits_per_pixel,
        channels,
        extra_offset,
        levels: Vec::new(),
        tail: Vec::new(),
        budget: budget.clone(),
    };
    mmp.levels = match format {
        MmpFormat::Pnt3 => vec![read_packed(&mut r, &mmp, tolerance)?],
        _ => read_levels(&mut r, &mmp, tolerance)?,
    };
    let at_end = r.clone();
    mmp.tail = r.rest().to_vec();
    let is_known = mmp.tail.is_empty() || mmp.user_data().is_some();
    // What is left of a level that is cut is no surprise.
    let is_cut = mmp.levels.len() as u64 != u64::from(mmp.n_levels());
    if !is_known && !is_cut && !tolerance.contains(Tolerance::TRAILING_BYTES) {
        at_end.finish("after the last level")?;
    }
    Ok(mmp)
}

pub(super) fn write(mmp: &Mmp) -> Result<Vec<u8>, FormatError> {
    let Mmp {
        width,
        height,
        level_word,
        format,
        bits_per_pixel,
        channels,
        extra_offset,
        levels,
        tail,
        budget: _,
    } = mmp;
    let mut w = Writer::new(FORMAT);
    w.bytes(&MAGIC);
    for (field, side) in [("width", *width), ("height", *height)] {
        if !(1..=MAX_SIDE).contains(&side) {
            return Err(unexpected(&w, field, "1 to 16384", side));
        }
        w.u32(side);
    }
    let max_levels = match format {
        MmpFormat::Pnt3 => 1,
        _ if (1..=MAX_MIPS).contains(level_word) => *level_word,
        _ => return Err(unexpected(&w, "level count", "1 to 15", level_word)),
    };
    if levels.len() as u64 > max_levels.into() {
        let expected = format!("at most {max_levels}");
        return Err(unexpected(&w, "level count", expected, levels.len()));
    }
    w.u32(*level_word);
    w.bytes(&format.fourcc());
    w.u32(*bits_per_pixel);
    channels.write(&mut w);
    w.u32(*extra_offset);
    for (level, bytes) in levels.iter().enumerate() {
        let expected = format.level_bytes(mmp.level_size(level));
        if expected.is_some_and(|expected| expected != bytes.len() as u64) {
            let expected = format!("{} bytes", expected.unwrap_or(0));
            return Err(unexpected(&w, "level", expected, bytes.len()));
        }
        w.bytes(bytes);
    }
    w.bytes(tail);
    Ok(w.finish())
}

fn read_side(r: &mut Reader<'_>, field: &'static str) -> Result<u32, FormatError> {
    let at = r.clone();
    match r.u32(field)? {
        side @ 1..=MAX_SIDE => Ok(side),
        side => Err(at.unexpected(field, "1 to 16384", side)),
    }
}

/// The levels; with tolerance those that are whole. Of formats that only the name is known of, all bytes as one.
fn read_levels(
    r: &mut Reader<'_>,
    mmp: &Mmp,
    tolerance: Tolerance,
) -> Result<Vec<Vec<u8>>, FormatError> {
    let mut levels = Vec::new();
    for level in 0..mmp.level_word {
        let size = level_size(mmp.width, mmp.height, level);
        let Some(n_bytes) = mmp.format.level_bytes(size) else {
            return Ok(vec![r.rest().to_vec()]);
        };
        let n_bytes = usize::try_from(n_bytes).unwrap_or(usize::MAX);
        match r.bytes("level", n_bytes) {
            Ok(bytes) => levels.push(bytes.to_vec()),
            Err(_) if tolerance.contains(Tolerance::MISSING_LEVELS) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(levels)
}

/// The packed words: as many bytes as the level word says, or as the bits of a pixel say where only that fits.
fn read_packed(
    r: &mut Reader<'_>,
    mmp: &Mmp,
    tolerance: Tolerance,
) -> Result<Vec<u8>, FormatError> {
    let is_all = |len: u32| u64::from(len) == r.remaining() as u64;
    let len = match mmp.level_word {
        word if !is_all(word) && is_all(mmp.bits_per_pixel) => mmp.bits_per_pixel,
        word => word,
    };
    let at = r.clone();
    let len = usize::try_from(len).unwrap_or(usize::MAX);
    let len = match tolerance.contains(Tolerance::MISSING_LEVELS) {
        true => len.min(r.remaining()),
        false => len,
    };
    let packed = r.bytes("packed pixels", len)?;
    if !tolerance.intersects(Tolerance::BROKEN_PACKING | Tolerance::MISSING_LEVELS) {
        pnt3::expect_len(packed, n_picture_bytes(mmp), &at)?;
    }
    Ok(packed.to_vec())
}

/// Bytes of the unpacked picture.
fn n_picture_bytes(mmp: &Mmp) -> u64 {
    let pixels = u64::from(mmp.width).saturating_mul(mmp.height.into());
    pixels.saturating_mul(4)
}

fn unexpected(
    w: &Writer,
    field: &'static str,
    expected: impl Into<std::borrow::Cow<'static, str>>,
    found: impl ToString,
) -> FormatError {
    let kind = FormatErrorKind::Unexpected {
        expected: expected.into(),
        found: found.to_string(),
    };
    w.error(field, kind)
}
