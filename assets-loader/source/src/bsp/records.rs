//! Records of the lumps: for each its forms by version, and how a form is read and written (dossier section 16).
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

mod face;
mod layout;
mod occlusion;
mod overlay;
#[cfg(test)]
mod tests;
mod tree;
mod visibility;

use super::file::{BspFile, FORMAT};
use super::lump_id::LumpId;
use super::map::{
    Area, AreaPortal, Brush, BrushSide, CubemapSample, DispInfo, DispVert, Edge, LeafAmbientIndex,
    LeafAmbientSample, LeafWater, Model, Node, Plane, Primitive, Texdata, Texinfo, WorldLight,
};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};
use ironlands_assets_core::record::Field;

pub(super) use layout::{
    AmbientSampleLayout, DispLayout, LightLayout, LumpLayout, OccluderLayout, Width,
};
pub(super) use overlay::{read_overlays, write_overlays};

/// A record of a lump.
pub(super) trait Record: Sized {
    /// What of the record depends on the version.
    type Form: Copy;

    /// The form of the records of a lump; `None` if its version is not known.
    fn form(place: &Place<'_>) -> Option<Self::Form>;

    /// Bytes of a record.
    fn size(form: Self::Form) -> usize;

    fn read(r: &mut Reader<'_>, form: Self::Form) -> Result<Self, FormatError>;

    fn write(&self, w: &mut Writer, form: Self::Form) -> Result<(), FormatError>;
}

/// Records that are declared, and plain numbers, with what errors call those.
macro_rules! declared {
    ($($layout:ty: $($row:ty = $name:literal),*;)*) => {$($(
        impl Record for $row {
            type Form = $layout;

            fn form(place: &Place<'_>) -> Option<$layout> {
                LumpLayout::of(place)
            }

            fn size(layout: $layout) -> usize {
                <Self as Field<$layout>>::size(layout)
            }

            fn read(r: &mut Reader<'_>, layout: $layout) -> Result<Self, FormatError> {
                Field::read(r, $name, layout)
            }

            fn write(&self, w: &mut Writer, layout: $layout) -> Result<(), FormatError> {
                Field::write(self, w, $name, layout)
            }
        }
    )*)*};
}

declared! {
    (): [f32; 3] = "point", [f32; 2] = "distances", i32 = "number", u16 = "number";
    (): Plane = "plane", Texinfo = "texinfo", Texdata = "texdata", Model = "model", Area = "area";
    (): Brush = "brush", DispVert = "displacement vertex", CubemapSample = "cubemap";
    Width: u32 = "index", Edge = "edge", Primitive = "primitive", Node = "node";
    Width: BrushSide = "brush side", AreaPortal = "area portal", LeafWater = "water";
    Width: LeafAmbientIndex = "ambient index";
    AmbientSampleLayout: LeafAmbientSample = "ambient sample";
    LightLayout: WorldLight = "light";
    DispLayout: DispInfo = "displacement";
}

/// A lump that is to be read or written.
pub(super) struct Place<'a> {
    pub(super) file: &'a BspFile,
    pub(super) id: LumpId,
    /// Version of the lump: the stored one, or what compilers store if it is empty.
    pub(super) version: u32,
}

impl<'a> Place<'a> {
    pub(super) fn new(file: &'a BspFile, id: LumpId) -> Self {
        let version = if file.lump(id).is_empty() {
            compiled_version(file.version, id)
        } else {
            file.lump_version(id)
        };
        Self { file, id, version }
    }

    fn is_wide_file(&self) -> bool {
        self.file.version >= 25
    }

    /// The form of a lump whose version is not known.
    pub(super) fn unsupported(&self) -> FormatError {
        let Self { file, id, version } = self;
        let what = format!(
            "version {version} of lump {id:?} in a file of version {}",
            file.version
        );
        file.reader(*id, &[])
            .error("lump version", FormatErrorKind::Unsupported { what })
    }
}

/// Version that the compilers of a file version give to a lump (section 1.3).
pub(super) fn compiled_version(file_version: u32, id: LumpId) -> u32 {
    use LumpId::*;
    match (file_version, id) {
        (25.., Faces | FacesHdr | Leafs | PhysDisp) => 2,
        (
            25..,
            Nodes | FaceIds | Edges | LeafFaces | LeafBrushes | BrushSides | AreaPortals | Portals
            | Clusters | DispInfo | VertNormalIndices | LeafWaterData | Primitives | PrimIndices
            | Overlays | WaterOverlays | LeafAmbientIndex | LeafAmbientIndexHdr,
        ) => 1,
        (21.., Worldlights | WorldlightsHdr) => 1,
        (20.., Leafs) => 1,
        (19.., Faces | FacesHdr | Lighting | LightingHdr) => 1,
        (19.., LeafAmbientLighting | LeafAmbientLightingHdr) => 1,
        (19.., Occlusion) => 2,
        (_, Occlusion) => 1,
        _ => 0,
    }
}

/// All records of a lump.
///
/// Errors: an unknown version, a length that is no multiple of the record's size.
pub(super) fn read_table<T: Record>(file: &BspFile, id: LumpId) -> Result<Vec<T>, FormatError> {
    let content = file.content(id)?;
    if content.is_empty() {
        return Ok(Vec::new());
    }
    let place = Place::new(file, id);
    let form = T::form(&place).ok_or_else(|| place.unsupported())?;
    let mut r = file.reader(id, &content);
    let size = T::size(form);
    let n_records = content.len().checked_div(size).unwrap_or(0);
    if n_records.checked_mul(size) != Some(content.len()) {
        let expected = format!("a multiple of {size} bytes");
        return Err(r.unexpected(format!("length of lump {id:?}"), expected, content.len()));
    }
    (0..n_records).map(|_| T::read(&mut r, form)).collect()
}

/// The bytes of a lump and their version.
pub(super) fn write_table<T: Record>(
    file: &BspFile,
    id: LumpId,
    records: &[T],
) -> Result<(u32, Vec<u8>), FormatError> {
    let place = Place::new(file, id);
    let form = T::form(&place).ok_or_else(|| place.unsupported())?;
    let mut w = Writer::new(FORMAT);
    for record in records {
        record
            .write(&mut w, form)
            .map_err(|error| error.in_entry(&format!("{id:?}")))?;
    }
    Ok((place.version, w.finish()))
}

impl Width {
    fn read_u32(self, r: &mut Reader<'_>, field: &'static str) -> Result<u32, FormatError> {
        match self {
            Self::Narrow => Ok(u32::from(r.u16(field)?)),
            Self::Wide => r.u32(field),
        }
    }

    fn write_u32(self, w: &mut Writer, field: &'static str, value: u32) -> Result<(), FormatError> {
        match self {
            Self::Narrow => write_u16(w, field, value)?,
            Self::Wide => w.u32(value),
        }
        Ok(())
    }

    fn read_i32(self, r: &mut Reader<'_>, field: &'static str) -> Result<i32, FormatError> {
        match self {
            Self::Narrow => Ok(i32::from(r.i16(field)?)),
            Self::Wide => r.i32(field),
        }
    }

    fn write_i32(self, w: &mut Writer, field: &'static str, value: i32) -> Result<(), FormatError> {
        match self {
            Self::Narrow => write_i16(w, field, value)?,
            Self::Wide => w.i32(value),
        }
        Ok(())
    }

    /// A corner of a box: whole numbers, or floats.
    fn read_corner(self, r: &mut Reader<'_>, field: &'static str) -> Result<[f32; 3], FormatError> {
        match self {
            Self::Narrow => {
                let mut corner = [0.0; 3];
                for component in &mut corner {
                    *component = f32::from(r.i16(field)?);
                }
                Ok(corner)
            }
            Self::Wide => r.f32x3(field),
        }
    }

    fn write_corner(
        self,
        w: &mut Writer,
        field: &'static str,
        corner: [f32; 3],
    ) -> Result<(), FormatError> {
        if self == Self::Wide {
            w.f32x3(corner);
            return Ok(());
        }
        for component in corner {
            let limits = f32::from(i16::MIN)..=f32::from(i16::MAX);
            if component.fract() != 0.0 || !limits.contains(&component) {
                return Err(w.error(
                    field,
                    FormatErrorKind::Unexpected {
                        expected: "a whole number of 16 bits".into(),
                        found: component.to_string(),
                    },
                ));
            }
            w.i16(component as i16);
        }
        Ok(())
    }
}

fn write_u16(w: &mut Writer, field: &'static str, value: u32) -> Result<(), FormatError> {
    let Ok(narrow) = u16::try_from(value) else {
        return Err(w.too_large(field, u64::from(value), u64::from(u16::MAX)));
    };
    w.u16(narrow);
    Ok(())
}

fn write_i16(w: &mut Writer, field: &'static str, value: i32) -> Result<(), FormatError> {
    let Ok(narrow) = i16::try_from(value) else {
        return Err(w.error(
            field,
            FormatErrorKind::Unexpected {
                expected: "a number of 16 bits".into(),
                found: value.to_string(),
            },
        ));
    };
    w.i16(narrow);
    Ok(())
}

/// Takes `N` floats.
fn read_f32s<const N: usize>(
    r: &mut Reader<'_>,
    field: &'static str,
) -> Result<[f32; N], FormatError> {
    let mut values = [0.0; N];
    for value in &mut values {
        *value = r.f32(field)?;
    }
    Ok(values)
}

fn write_f32s(w: &mut Writer, values: &[f32]) {
    for value in values {
        w.f32(*value);
    }
}

/// Takes `N` whole numbers.
fn read_i32s<const N: usize>(
    r: &mut Reader<'_>,
    field: &'static str,
) -> Result<[i32; N], FormatError> {
    let mut values = [0; N];
    for value in &mut values {
        *value = r.i32(field)?;
    }
    Ok(values)
}

fn write_i32s(w: &mut Writer, values: &[i32]) {
    for value in values {
        w.i32(*value);
    }
}
