//! Tables of a model file that are kept as bytes: whether they lie in the file, and how they are read when they are shown.

use super::{FORMAT, Mdl, MdlHeader};
use crate::studio_file::File;
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity};

/// A count and an offset in the header: name, where they stand in their part of the header, bytes of a row.
pub(crate) type Place = (&'static str, usize, i64);

/// `unknown_a4`, which begins here. Sizes of rows as the SDK has them for all versions that are read.
const MOTION_AT: usize = 0xA4;
const MOTION: [Place; 4] = [
    ("bone controllers", 0, 56),
    ("hitbox sets", 8, 12),
    ("animations", 16, 100),
    ("sequences", 24, 212),
];
/// `unknown_f0`. Nodes are a square of bytes, and have a second offset.
const PARTS_AT: usize = 0xF0;
const PARTS: [Place; 7] = [
    ("attachments", 0, 92),
    ("flex descriptions", 20, 4),
    ("flex controllers", 28, 20),
    ("flex rules", 36, 12),
    ("chains", 44, 16),
    ("mouths", 52, 20),
    ("pose parameters", 60, 20),
];
/// `unknown_150`.
const OTHERS_AT: usize = 0x150;
const OTHERS: [Place; 2] = [("included models", 0, 8), ("animation blocks", 16, 8)];

/// One finding for each table that does not lie in a file of `len` bytes.
pub(super) fn check(header: &MdlHeader, len: usize) -> Vec<Finding> {
    let parts: [(usize, &[u8], &[Place]); 3] = [
        (MOTION_AT, &header.unknown_a4, &MOTION),
        (PARTS_AT, &header.unknown_f0, &PARTS),
        (OTHERS_AT, &header.unknown_150, &OTHERS),
    ];
    check_parts(FORMAT, &parts, len)
}

/// The same of parts of the header: where each begins, its bytes, and its tables.
pub(crate) fn check_parts(
    format: &'static str,
    parts: &[(usize, &[u8], &[Place])],
    len: usize,
) -> Vec<Finding> {
    let tables = parts.iter().flat_map(|(at, part, places)| {
        let r = Reader::nested(format, part, *at as u64);
        places.iter().map(move |place| (r.clone(), place))
    });
    let wrong = tables.filter_map(|(r, place)| outside(format, r, place, len).ok().flatten());
    wrong.collect()
}

fn outside(
    format: &'static str,
    mut r: Reader<'_>,
    (name, place_at, size): &Place,
    len: usize,
) -> Result<Option<Finding>, FormatError> {
    r.bytes(name, *place_at)?;
    let offset_of_field = r.offset();
    let count = i64::from(r.i32(name)?);
    let start = i64::from(r.i32(name)?);
    let end = start.saturating_add(count.saturating_mul(*size));
    let is_inside = count >= 0 && start >= 0 && usize::try_from(end).is_ok_and(|end| end <= len);
    if count == 0 || is_inside {
        return Ok(None);
    }
    let message = format!("{count} {name} at {start:#x} do not lie in the file of {len} bytes");
    let finding = Finding::new(Severity::Error, format, message);
    Ok(Some(finding.at(offset_of_field)))
}

/// The rows of a table whose count and offset stand in the header.
pub(crate) fn table<'a, T>(
    file: &File<'a>,
    field: &'static str,
    (at, size): (usize, usize),
    read: impl FnMut(&mut Reader<'a>, usize) -> Result<T, FormatError>,
) -> Result<Vec<T>, FormatError> {
    let mut r = file.sub("header", at, size_of::<[i32; 2]>())?;
    let at_count = r.clone();
    let count = r.i32(field)?;
    let offset = r.i32(field)?;
    file.rows(&at_count, field, (count, size), (0, offset), read)
}

/// Takes the number of a bone.
pub(crate) fn bone(
    r: &mut Reader<'_>,
    field: &'static str,
    n_bones: usize,
) -> Result<usize, FormatError> {
    let at = r.clone();
    let number = r.i32(field)?;
    let bone = usize::try_from(number).ok().filter(|it| *it < n_bones);
    bone.ok_or_else(|| at.unexpected(field, format!("a bone below {n_bones}"), number))
}

/// Textures of skins that are not there, and bones that stand before their parents.
pub(crate) fn check_numbers(
    format: &'static str,
    (skin_references, n_textures): (&[u16], usize),
    parents: impl Iterator<Item = i32>,
) -> Vec<Finding> {
    let missing = skin_references.iter();
    let missing = missing.filter(|texture| usize::from(**texture) >= n_textures);
    let missing = missing.map(|texture| format!("a skin names texture {texture} of {n_textures}"));
    let late = parents.enumerate();
    let late = late.filter(|(index, parent)| usize::try_from(*parent).is_ok_and(|it| it >= *index));
    let late =
        late.map(|(index, parent)| format!("bone {index} stands before its parent {parent}"));
    let messages = missing.chain(late);
    messages
        .map(|message| Finding::new(Severity::Warning, format, message))
        .collect()
}

/// A reader of the rest of the header.
pub(super) fn field_at<'a>(file: &File<'a>, at: usize) -> Result<Reader<'a>, FormatError> {
    file.sub("header", at, Mdl::HEADER_SIZE.saturating_sub(at))
}

/// Rows with where each stands.
pub(crate) fn rows_at<T>(
    from: usize,
    offset: i32,
    rows: &[T],
    size: usize,
) -> impl Iterator<Item = (usize, &T)> {
    let first = from.saturating_add_signed(offset as isize);
    let places = (0..).map(move |row: usize| first.saturating_add(row.saturating_mul(size)));
    places.zip(rows)
}
