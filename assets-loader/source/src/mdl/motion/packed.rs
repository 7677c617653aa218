//! Turns and places in few bits, as tracks and frames store them. Layouts as `compressed_vector.h` of the public SDK has
//! them.

use glam::{Quat, Vec3};
use half::f16;

use ironlands_assets_core::bytes::{FormatError, Reader};

/// Three numbers of 15 bits are this far from zero, and this many of their steps are 1: they reach the root of a half.
const SORTED_ZERO: f32 = 16384.0;
const SORTED_STEPS: f32 = 23168.0;
/// The highest bit of a word, which does not belong to its number.
const MARK: u16 = 0x8000;

/// 16 bits each for x and y, 15 for z, and the sign of w.
pub(super) fn turn_48(r: &mut Reader<'_>, field: &'static str) -> Result<Quat, FormatError> {
    let [x, y, z] = words(r, field)?;
    let wide = |it: u16| (f32::from(it) - 32768.0) / 32768.0;
    let narrow = (f32::from(z & !MARK) - 16384.0) / 16384.0;
    let [x, y, z, w] = with_last([wide(x), wide(y), narrow], z & MARK != 0);
    Ok(Quat::from_xyzw(x, y, z, w).normalize())
}

/// 15 bits each for the three parts that follow the largest one, x after w; the highest bits of the first two words say which
/// part is the first of the three, and that of the last one is the sign of the largest.
pub(super) fn turn_48_sorted(r: &mut Reader<'_>, field: &'static str) -> Result<Quat, FormatError> {
    let [a, b, c] = words(r, field)?;
    let part = |it: u16| (f32::from(it & !MARK) - SORTED_ZERO) / SORTED_STEPS;
    let mut parts = with_last([part(a), part(b), part(c)], c & MARK != 0);
    let first = match (a & MARK != 0, b & MARK != 0) {
        (false, false) => 0,
        (false, true) => 1,
        (true, false) => 2,
        (true, true) => 3,
    };
    parts.rotate_right(first);
    Ok(Quat::from_array(parts).normalize())
}

/// 21 bits each for x, y and z, and the sign of w.
pub(super) fn turn_64(r: &mut Reader<'_>, field: &'static str) -> Result<Quat, FormatError> {
    let bits = r.u64(field)?;
    let part = |shift: u32| {
        let bits = (bits >> shift) & 0x1F_FFFF;
        (bits as f32 - 1_048_576.0) / 1_048_576.5
    };
    let [x, y, z, w] = with_last([part(0), part(21), part(42)], bits >> 63 != 0);
    Ok(Quat::from_xyzw(x, y, z, w).normalize())
}

/// Three numbers of 16 bits.
pub(super) fn place_48(r: &mut Reader<'_>, field: &'static str) -> Result<Vec3, FormatError> {
    let at = r.clone();
    let place = words(r, field)?.map(|it| f16::from_bits(it).to_f32());
    finite(&at, field, place)
}

/// Three numbers of 32 bits.
pub(super) fn place_96(r: &mut Reader<'_>, field: &'static str) -> Result<Vec3, FormatError> {
    let at = r.clone();
    let place = r.f32x3(field)?;
    finite(&at, field, place)
}

fn words(r: &mut Reader<'_>, field: &'static str) -> Result<[u16; 3], FormatError> {
    Ok([r.u16(field)?, r.u16(field)?, r.u16(field)?])
}

fn finite(at: &Reader<'_>, field: &'static str, place: [f32; 3]) -> Result<Vec3, FormatError> {
    let found = Vec3::from(place);
    match found.is_finite() {
        true => Ok(found),
        false => Err(at.unexpected(field, "finite numbers", format!("{place:?}"))),
    }
}

/// Three parts of a unit quaternion, and the one that they leave over.
fn with_last([a, b, c]: [f32; 3], is_negative: bool) -> [f32; 4] {
    let last = (1.0 - a * a - b * b - c * c).max(0.0).sqrt();
    [a, b, c, if is_negative { -last } else { last }]
}
