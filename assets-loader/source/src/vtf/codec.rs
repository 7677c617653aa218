//! The header and the directory of resources, and which bytes are which.

use std::ops::Range;

use super::{
    FORMAT, ImageFormat, MAGIC, MAX_MIPS, MAX_SIDE, Resource, TextureFlags, Tolerance, Vtf,
};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};
use ironlands_assets_core::record::Record;

const MAJOR: u32 = 7;
const LAST_VERSION: u32 = 6;
/// First version with slices.
const WITH_DEPTH: u32 = 2;
/// First version with a directory of resources.
const WITH_RESOURCES: u32 = 3;
const MAX_RESOURCES: u32 = 32;
const NO_FORMAT: i32 = -1;
/// Where fields that only the layout can refuse stand in the header.
const AT_THUMBNAIL: u64 = 57;
const AT_DEPTH: u64 = 63;
const AT_IMAGE: u64 = 16;
const AT_RESOURCES: u64 = 80;

/// Which bytes of the file are which, in offsets from its start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) thumbnail: Range<u64>,
    pub(super) image: Range<u64>,
    /// Where the last of all that is known of ends.
    claimed: u64,
}

pub(super) fn read(data: &[u8], tolerance: Tolerance) -> Result<Vtf, FormatError> {
    let mut r = Reader::new(FORMAT, data);
    let header = read_header(&mut r)?;
    let n_body = r.remaining();
    let vtf = Vtf {
        body: r.bytes("body", n_body)?.to_vec(),
        ..header
    };
    let claimed = vtf.layout()?.claimed;
    if claimed < data.len() as u64 && !tolerance.contains(Tolerance::TRAILING_BYTES) {
        let at = r.sub(
            "after the pictures",
            usize::try_from(claimed).unwrap_or(usize::MAX),
            0,
        )?;
        let found = format!("{} more bytes", (data.len() as u64).saturating_sub(claimed));
        return Err(at.unexpected("after the pictures", "the end of the data", found));
    }
    Ok(vtf)
}

/// All but the body, which stays empty.
pub(super) fn read_header(r: &mut Reader<'_>) -> Result<Vtf, FormatError> {
    r.expect("magic", MAGIC)?;
    let at_version = r.clone();
    let [major, version] = [r.u32("major version")?, r.u32("version")?];
    if major != MAJOR || version > LAST_VERSION {
        let found = format!("{major}.{version}");
        return Err(at_version.unexpected("version", "7.0 to 7.6", found));
    }
    let at_header_size = r.clone();
    let header_size = r.u32("header size")?;
    let width = in_range(r, "width", 1..=MAX_SIDE)?;
    let height = in_range(r, "height", 1..=MAX_SIDE)?;
    let flags = TextureFlags::from_bits_retain(r.u32("flags")?);
    let n_frames = in_range(r, "frame count", 1..=u16::MAX)?;
    let first_frame = r.u16("first frame")?;
    let unknown_1c = r.array("padding")?;
    let reflectivity = r.f32x3("reflectivity")?;
    let unknown_2c = r.array("padding")?;
    let bump_scale = r.f32("bump scale")?;
    let format = ImageFormat::read(r, "image format")?;
    let at_mips = r.clone();
    let n_mips = r.u8("mip count")?;
    if !(1..=MAX_MIPS).contains(&n_mips) {
        return Err(at_mips.unexpected("mip count", "1 to 16", n_mips));
    }
    let thumbnail_format = match r.clone().i32("thumbnail format")? {
        NO_FORMAT => r.i32("thumbnail format").map(|_| None)?,
        _ => Some(ImageFormat::read(r, "thumbnail format")?),
    };
    let thumbnail_size = r.array("thumbnail size")?;
    let depth = match version >= WITH_DEPTH {
        true => in_range(r, "depth", 1..=MAX_SIDE)?,
        false => 1,
    };
    let (unknown_41, resources) = match version >= WITH_RESOURCES {
        true => read_resources(r)?,
        false => Default::default(),
    };
    let Some(n_tail) = (header_size as usize).checked_sub(r.position()) else {
        let expected = format!("at least {}", r.position());
        return Err(at_header_size.unexpected("header size", expected, header_size));
    };
    let header_tail = r.bytes("header", n_tail)?.to_vec();
    Ok(Vtf {
        version,
        width,
        height,
        flags,
        n_frames,
        first_frame,
        unknown_1c,
        reflectivity,
        unknown_2c,
        bump_scale,
        format,
        n_mips,
        thumbnail_format,
        thumbnail_size,
        depth,
        unknown_41,
        resources,
        header_tail,
        body: Vec::new(),
    })
}

type Directory = (([u8; 3], [u8; 8]), Vec<Resource>);

fn read_resources(r: &mut Reader<'_>) -> Result<Directory, FormatError> {
    let after_depth = r.array("padding")?;
    let at_count = r.clone();
    let n_resources = r.u32("resource count")?;
    if n_resources > MAX_RESOURCES {
        return Err(at_count.unexpected("resource count", "at most 32", n_resources));
    }
    let after_count = r.array("padding")?;
    let resources = (0..n_resources)
        .map(|_| Resource::read(r, ()))
        .collect::<Result<_, _>>()?;
    Ok(((after_depth, after_count), resources))
}

pub(super) fn write(vtf: &Vtf) -> Result<Vec<u8>, FormatError> {
    let Vtf {
        version,
        width,
        height,
        flags,
        n_frames,
        first_frame,
        unknown_1c,
        reflectivity,
        unknown_2c,
        bump_scale,
        format,
        n_mips,
        thumbnail_format,
        thumbnail_size,
        depth,
        unknown_41,
        resources,
        header_tail,
        body,
    } = vtf;
    if *version < WITH_DEPTH && *depth != 1 {
        return Err(unexpected("depth", AT_DEPTH, "1 before version 7.2", depth));
    }
    let has_directory = !resources.is_empty() || *unknown_41 != Default::default();
    if *version < WITH_RESOURCES && has_directory {
        let found = format!("{} with padding", resources.len());
        let expected = "none before version 7.3";
        return Err(unexpected("resource count", AT_RESOURCES, expected, found));
    }
    let mut w = Writer::new(FORMAT);
    w.bytes(MAGIC);
    w.u32(MAJOR);
    w.u32(*version);
    let header_size = usize::try_from(vtf.header_size()).unwrap_or(usize::MAX);
    w.count("header size", header_size)?;
    w.u16(*width);
    w.u16(*height);
    w.u32(flags.bits());
    w.u16(*n_frames);
    w.u16(*first_frame);
    w.bytes(unknown_1c);
    w.f32x3(*reflectivity);
    w.bytes(unknown_2c);
    w.f32(*bump_scale);
    w.i32(format.number());
    w.u8(*n_mips);
    w.i32(thumbnail_format.map_or(NO_FORMAT, ImageFormat::number));
    w.bytes(thumbnail_size);
    if *version >= WITH_DEPTH {
        w.u16(*depth);
    }
    if *version >= WITH_RESOURCES {
        w.bytes(&unknown_41.0);
        w.count("resource count", resources.len())?;
        w.bytes(&unknown_41.1);
        for resource in resources {
            resource.write(&mut w, ())?;
        }
    }
    w.bytes(header_tail);
    w.bytes(body);
    let bytes = w.finish();
    // What contradicts itself in any other way, the reader names.
    read(&bytes, Tolerance::all())?;
    Ok(bytes)
}

impl Vtf {
    /// Bytes before the body.
    pub(super) fn header_size(&self) -> u64 {
        let fields: u64 = match self.version {
            0..WITH_DEPTH => 63,
            WITH_DEPTH..WITH_RESOURCES => 65,
            _ => AT_RESOURCES,
        };
        let n_resources = match self.version >= WITH_RESOURCES {
            true => self.resources.len(),
            false => 0,
        };
        let directory = (n_resources as u64).saturating_mul(Resource::SIZE as u64);
        fields
            .saturating_add(directory)
            .saturating_add(self.header_tail.len() as u64)
    }

    /// Bytes of the file by its header: up to the end of its pictures. `None` from version 7.3 on, where a directory says
    /// where they lie.
    pub(super) fn len_by_header(&self) -> Option<u64> {
        let len = self.header_size().saturating_add(self.thumbnail_bytes());
        (self.version < WITH_RESOURCES).then(|| len.saturating_add(self.image_bytes()))
    }

    fn thumbnail_bytes(&self) -> u64 {
        let size = self.thumbnail_size.map(u32::from);
        self.thumbnail_format.map_or(0, |it| it.n_bytes(size))
    }

    /// Bytes of all pictures.
    fn image_bytes(&self) -> u64 {
        let mips = 0..u32::from(self.n_mips);
        mips.fold(0u64, |sum, mip| sum.saturating_add(self.mip_bytes(mip)))
    }

    /// Finds everything, and refuses what reaches outside of the file.
    pub(super) fn layout(&self) -> Result<Layout, FormatError> {
        let (thumbnail_size, image_size) = (self.thumbnail_bytes(), self.image_bytes());
        if self.version < WITH_RESOURCES {
            let thumbnail = self.range(
                "thumbnail",
                AT_THUMBNAIL,
                self.header_size(),
                thumbnail_size,
            )?;
            let image = self.range("image", AT_IMAGE, thumbnail.end, image_size)?;
            return Ok(Layout {
                claimed: image.end,
                thumbnail,
                image,
            });
        }
        let mut thumbnail = 0..0;
        let mut image = None;
        let mut claimed = self.header_size();
        for (at, resource) in (AT_RESOURCES..)
            .step_by(Resource::SIZE)
            .zip(&self.resources)
        {
            let start = u64::from(resource.value);
            let range = match resource.tag {
                Resource::THUMBNAIL => {
                    thumbnail = self.range("thumbnail", at, start, thumbnail_size)?;
                    thumbnail.clone()
                }
                Resource::IMAGE => {
                    let range = self.range("image", at, start, image_size)?;
                    image = Some(range.clone());
                    range
                }
                _ if resource.flags & Resource::IS_VALUE != 0 => continue,
                tag => self.other_resource(tag, at, start)?,
            };
            claimed = claimed.max(range.end);
        }
        let no_image = || {
            unexpected(
                "image",
                AT_RESOURCES,
                "a resource with the pictures",
                "none",
            )
        };
        Ok(Layout {
            thumbnail,
            image: image.ok_or_else(no_image)?,
            claimed,
        })
    }

    /// A resource of a size of its own, which stands before it.
    fn other_resource(&self, tag: [u8; 3], at: u64, start: u64) -> Result<Range<u64>, FormatError> {
        let size_field = self.range("resource size", at, start, 4)?;
        let bytes = self.body_range(size_field.clone()).unwrap_or_default();
        let size = Reader::nested(FORMAT, bytes, start).u32("resource size")?;
        let data = self.range("resource", start, size_field.end, size.into())?;
        let data_bytes = self.body_range(data.clone()).unwrap_or_default();
        if tag == Resource::COMPRESSION && data_bytes.iter().take(2).any(|level| *level != 0) {
            return Err(unsupported("resource", data.start, "a compressed texture"));
        }
        Ok(start..data.end)
    }

    /// Bytes from `start` on, which the field at `at` requires.
    fn range(
        &self,
        field: &'static str,
        at: u64,
        start: u64,
        size: u64,
    ) -> Result<Range<u64>, FormatError> {
        let end = start.saturating_add(size);
        let file_len = self.header_size().saturating_add(self.body.len() as u64);
        if start < self.header_size() {
            let expected = format!("an offset after the header of {} bytes", self.header_size());
            return Err(unexpected(field, at, expected, start));
        }
        if end > file_len {
            let kind = FormatErrorKind::Truncated {
                needed: size,
                available: file_len.saturating_sub(start),
            };
            return Err(error(field, at, kind));
        }
        Ok(start..end)
    }
}

fn in_range(
    r: &mut Reader<'_>,
    field: &'static str,
    range: std::ops::RangeInclusive<u16>,
) -> Result<u16, FormatError> {
    let at = r.clone();
    let value = r.u16(field)?;
    if range.contains(&value) {
        return Ok(value);
    }
    let expected = format!("{} to {}", range.start(), range.end());
    Err(at.unexpected(field, expected, value))
}

fn error(field: &'static str, offset: u64, kind: FormatErrorKind) -> FormatError {
    Reader::nested(FORMAT, &[], offset).error(field, kind)
}

pub(super) fn unexpected(
    field: &'static str,
    offset: u64,
    expected: impl Into<std::borrow::Cow<'static, str>>,
    found: impl ToString,
) -> FormatError {
    Reader::nested(FORMAT, &[], offset).unexpected(field, expected, found)
}

pub(super) fn unsupported(field: &'static str, offset: u64, what: &str) -> FormatError {
    let what = what.to_owned();
    error(field, offset, FormatErrorKind::Unsupported { what })
}
