//! Layouts of records: which versions of a lump have them, and how numbers are stored in them.

use super::Place;
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::record::Field;

/// How the records of a lump are stored, by its version.
pub(in crate::bsp) trait LumpLayout: Copy {
    /// The layout of a lump; `None` if its version is not known.
    fn from_place(place: &Place<'_>) -> Option<Self>;

    /// The layout of a lump.
    ///
    /// Errors: its version is not known.
    fn require(place: &Place<'_>) -> Result<Self, FormatError> {
        Self::from_place(place).ok_or_else(|| place.unsupported())
    }
}

/// The only layout of a lump: version 0.
impl LumpLayout for () {
    fn from_place(place: &Place<'_>) -> Option<Self> {
        (place.version == 0).then_some(())
    }
}

/// Whether indices and coordinates are stored in 16 or in 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// 16 bits.
    Narrow,
    /// 32 bits.
    Wide,
}

/// Version 0 until file version 21, version 1 in 25.
impl LumpLayout for Width {
    fn from_place(place: &Place<'_>) -> Option<Self> {
        match (place.is_wide_file(), place.version) {
            (false, 0) => Some(Self::Narrow),
            (true, 1) => Some(Self::Wide),
            _ => None,
        }
    }
}

/// The two layouts of an ambient sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AmbientSampleLayout {
    /// 24 bytes: one cube for each leaf.
    OneALeaf,
    /// 28 bytes.
    Placed,
}

impl LumpLayout for AmbientSampleLayout {
    fn from_place(place: &Place<'_>) -> Option<Self> {
        match place.version {
            0 => Some(Self::OneALeaf),
            1 => Some(Self::Placed),
            _ => None,
        }
    }
}

/// The three layouts of a light, by lump version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LightLayout {
    /// 88 bytes.
    V0,
    /// 100 bytes, with an offset of shadows.
    V1,
    /// 104 bytes, with a mode.
    V2,
}

impl LumpLayout for LightLayout {
    fn from_place(place: &Place<'_>) -> Option<Self> {
        match place.version {
            0 => Some(Self::V0),
            1 => Some(Self::V1),
            2 => Some(Self::V2),
            _ => None,
        }
    }
}

/// The three layouts of a displacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DispLayout {
    /// Version 17: 172 bytes, without triangles.
    V17,
    /// 176 bytes.
    Narrow,
    /// Version 25: 232 bytes.
    Wide,
}

impl DispLayout {
    pub(in crate::bsp) fn width(self) -> Width {
        match self {
            Self::Wide => Width::Wide,
            _ => Width::Narrow,
        }
    }
}

impl LumpLayout for DispLayout {
    fn from_place(place: &Place<'_>) -> Option<Self> {
        match (place.file.version, Width::from_place(place)?) {
            (17, _) => Some(Self::V17),
            (_, Width::Narrow) => Some(Self::Narrow),
            (_, Width::Wide) => Some(Self::Wide),
        }
    }
}

/// The two layouts of an occluder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OccluderLayout {
    /// 36 bytes.
    WithoutArea,
    /// 40 bytes.
    WithArea,
}

/// Occluders have an area from version 2 on.
impl LumpLayout for OccluderLayout {
    fn from_place(place: &Place<'_>) -> Option<Self> {
        match place.version {
            0 | 1 => Some(Self::WithoutArea),
            2 => Some(Self::WithArea),
            _ => None,
        }
    }
}

/// An index or a count.
impl Field<Width> for u32 {
    fn size(width: Width) -> usize {
        match width {
            Width::Narrow => 2,
            Width::Wide => 4,
        }
    }

    fn read(r: &mut Reader<'_>, name: &'static str, width: Width) -> Result<Self, FormatError> {
        match width {
            Width::Narrow => r.u16(name).map(Self::from),
            Width::Wide => r.u32(name),
        }
    }

    fn write(&self, w: &mut Writer, name: &'static str, width: Width) -> Result<(), FormatError> {
        match width {
            Width::Narrow => match u16::try_from(*self) {
                Ok(narrow) => w.u16(narrow),
                Err(_) => return Err(w.too_large(name, u64::from(*self), u64::from(u16::MAX))),
            },
            Width::Wide => w.u32(*self),
        }
        Ok(())
    }
}

/// An index that may be -1.
impl Field<Width> for i32 {
    fn size(width: Width) -> usize {
        <u32 as Field<Width>>::size(width)
    }

    fn read(r: &mut Reader<'_>, name: &'static str, width: Width) -> Result<Self, FormatError> {
        match width {
            Width::Narrow => r.i16(name).map(Self::from),
            Width::Wide => r.i32(name),
        }
    }

    fn write(&self, w: &mut Writer, name: &'static str, width: Width) -> Result<(), FormatError> {
        match width {
            Width::Narrow => match i16::try_from(*self) {
                Ok(narrow) => w.i16(narrow),
                Err(_) => return Err(w.unexpected(name, "a number of 16 bits", self)),
            },
            Width::Wide => w.i32(*self),
        }
        Ok(())
    }
}

/// A coordinate of the corner of a box: a whole number, or a float.
impl Field<Width> for f32 {
    fn size(width: Width) -> usize {
        <u32 as Field<Width>>::size(width)
    }

    fn read(r: &mut Reader<'_>, name: &'static str, width: Width) -> Result<Self, FormatError> {
        match width {
            Width::Narrow => r.i16(name).map(Self::from),
            Width::Wide => r.f32(name),
        }
    }

    fn write(&self, w: &mut Writer, name: &'static str, width: Width) -> Result<(), FormatError> {
        let limits = Self::from(i16::MIN)..=Self::from(i16::MAX);
        match width {
            Width::Narrow if self.fract() != 0.0 || !limits.contains(self) => {
                return Err(w.unexpected(name, "a whole number of 16 bits", self));
            }
            Width::Narrow => w.i16(*self as i16),
            Width::Wide => w.f32(*self),
        }
        Ok(())
    }
}

/// Padding after one byte, up to a number of 16 or of 32 bits. In 16 bits its last two bytes are not stored.
impl Field<Width> for [u8; 3] {
    fn size(width: Width) -> usize {
        match width {
            Width::Narrow => 1,
            Width::Wide => 3,
        }
    }

    fn read(r: &mut Reader<'_>, name: &'static str, width: Width) -> Result<Self, FormatError> {
        match width {
            Width::Narrow => Ok([r.u8(name)?, 0, 0]),
            Width::Wide => r.array(name),
        }
    }

    fn write(&self, w: &mut Writer, _: &'static str, width: Width) -> Result<(), FormatError> {
        let stored = self.iter().take(<Self as Field<Width>>::size(width));
        stored.for_each(|byte| w.u8(*byte));
        Ok(())
    }
}
