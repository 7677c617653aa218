//! Reading and writing of textures (dossier section 5.1).

use super::format::{Channels, MmpFormat};
use super::{FORMAT, MAGIC, MAX_MIPS, MAX_SIDE, Mmp, Tolerance, pnt3};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::mips::level_size;
use ironlands_assets_core::record::{Record, at_field};
use ironlands_assets_core::unpack::Budget;

/// What follows the magic.
#[derive(Record)]
pub(super) struct Header {
    #[field("width", check = is_side)]
    width: u32,
    #[field("height", check = is_side)]
    height: u32,
    #[field("level count")]
    level_word: u32,
    #[field("pixel format")]
    format: MmpFormat,
    #[field("bits of a pixel")]
    bits_per_pixel: u32,
    #[field("channel masks")]
    channels: Channels,
    #[field("user data")]
    extra_offset: u32,
}

impl Header {
    /// Compares it with what its pixel format allows. `record` is the reader at its start.
    fn check_pixel_format(
        &self,
        record: &Reader<'_>,
        tolerance: Tolerance,
    ) -> Result<(), FormatError> {
        let at = |field| at_field::<Self>(record, field, ());
        let format = self.format;
        if format != MmpFormat::Pnt3 && !(1..=MAX_MIPS).contains(&self.level_word) {
            let field = "level count";
            return Err(at(field).unexpected(field, "1 to 15", self.level_word));
        }
        let usual_bits = format.bits_per_pixel().unwrap_or(self.bits_per_pixel);
        let has_other_bits = self.bits_per_pixel != usual_bits;
        if has_other_bits && !tolerance.contains(Tolerance::OTHER_BITS_PER_PIXEL) {
            let field = "bits of a pixel";
            return Err(at(field).unexpected(field, usual_bits.to_string(), self.bits_per_pixel));
        }
        let usual_channels = format.channels().unwrap_or(self.channels);
        if self.channels != usual_channels && !tolerance.contains(Tolerance::OTHER_MASKS) {
            let field = "channel masks";
            let expected = format!("those of format {format}");
            return Err(at(field).unexpected(field, expected, "others"));
        }
        Ok(())
    }
}

pub(super) fn read(data: &[u8], tolerance: Tolerance, budget: &Budget) -> Result<Mmp, FormatError> {
    let mut r = Reader::new(FORMAT, data);
    r.expect("magic", &MAGIC)?;
    let at_header = r.clone();
    let header = Header::read(&mut r, ())?;
    header.check_pixel_format(&at_header, tolerance)?;
    let Header {
        width,
        height,
        level_word,
        format,
        bits_per_pixel,
        channels,
        extra_offset,
    } = header;
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
        ref levels,
        ref tail,
        budget: _,
    } = *mmp;
    let mut w = Writer::new(FORMAT);
    w.bytes(&MAGIC);
    for (field, side) in [("width", width), ("height", height)] {
        if !(1..=MAX_SIDE).contains(&side) {
            return Err(w.unexpected(field, "1 to 16384", side));
        }
    }
    let max_levels = match format {
        MmpFormat::Pnt3 => 1,
        _ if (1..=MAX_MIPS).contains(&level_word) => level_word,
        _ => return Err(w.unexpected("level count", "1 to 15", level_word)),
    };
    if levels.len() as u64 > max_levels.into() {
        let expected = format!("at most {max_levels}");
        return Err(w.unexpected("level count", expected, levels.len()));
    }
    let header = Header {
        width,
        height,
        level_word,
        format,
        bits_per_pixel,
        channels,
        extra_offset,
    };
    header.write(&mut w, ())?;
    for (level, bytes) in levels.iter().enumerate() {
        let expected = format.level_bytes(mmp.level_size(level));
        if expected.is_some_and(|expected| expected != bytes.len() as u64) {
            let expected = format!("{} bytes", expected.unwrap_or(0));
            return Err(w.unexpected("level", expected, bytes.len()));
        }
        w.bytes(bytes);
    }
    w.bytes(tail);
    Ok(w.finish())
}

pub(super) fn is_side(at: &Reader<'_>, field: &'static str, side: &u32) -> Result<(), FormatError> {
    match side {
        1..=MAX_SIDE => Ok(()),
        _ => Err(at.unexpected(field, "1 to 16384", side)),
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
