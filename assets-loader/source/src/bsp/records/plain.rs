//! Records of one form: numbers, points, planes, edges, cube maps.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

use super::{Place, Record, Width, read_f32s, read_i32s, write_f32s, write_i32s};
use crate::bsp::map::{CubemapSample, Edge, Plane};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};

/// The only form of a lump: version 0.
pub(super) fn only(place: &Place<'_>) -> Option<()> {
    (place.version == 0).then_some(())
}

/// A point or a normal.
impl Record for [f32; 3] {
    type Form = ();

    fn form(place: &Place<'_>) -> Option<()> {
        only(place)
    }

    fn size((): ()) -> usize {
        12
    }

    fn read(r: &mut Reader<'_>, (): ()) -> Result<Self, FormatError> {
        r.f32x3("point")
    }

    fn write(&self, w: &mut Writer, (): ()) -> Result<(), FormatError> {
        w.f32x3(*self);
        Ok(())
    }
}

/// Two distances.
impl Record for [f32; 2] {
    type Form = ();

    fn form(place: &Place<'_>) -> Option<()> {
        only(place)
    }

    fn size((): ()) -> usize {
        8
    }

    fn read(r: &mut Reader<'_>, (): ()) -> Result<Self, FormatError> {
        read_f32s(r, "distances")
    }

    fn write(&self, w: &mut Writer, (): ()) -> Result<(), FormatError> {
        write_f32s(w, self);
        Ok(())
    }
}

/// A surfedge, or an offset.
impl Record for i32 {
    type Form = ();

    fn form(place: &Place<'_>) -> Option<()> {
        only(place)
    }

    fn size((): ()) -> usize {
        4
    }

    fn read(r: &mut Reader<'_>, (): ()) -> Result<Self, FormatError> {
        r.i32("number")
    }

    fn write(&self, w: &mut Writer, (): ()) -> Result<(), FormatError> {
        w.i32(*self);
        Ok(())
    }
}

/// A tag, or a distance.
impl Record for u16 {
    type Form = ();

    fn form(place: &Place<'_>) -> Option<()> {
        only(place)
    }

    fn size((): ()) -> usize {
        2
    }

    fn read(r: &mut Reader<'_>, (): ()) -> Result<Self, FormatError> {
        r.u16("number")
    }

    fn write(&self, w: &mut Writer, (): ()) -> Result<(), FormatError> {
        w.u16(*self);
        Ok(())
    }
}

/// An index into another lump.
impl Record for u32 {
    type Form = Width;

    fn form(place: &Place<'_>) -> Option<Width> {
        Width::of(place)
    }

    fn size(width: Width) -> usize {
        width.index_size()
    }

    fn read(r: &mut Reader<'_>, width: Width) -> Result<Self, FormatError> {
        width.read_u32(r, "index")
    }

    fn write(&self, w: &mut Writer, width: Width) -> Result<(), FormatError> {
        width.write_u32(w, "index", *self)
    }
}

impl Record for Edge {
    type Form = Width;

    fn form(place: &Place<'_>) -> Option<Width> {
        Width::of(place)
    }

    fn size(width: Width) -> usize {
        match width {
            Width::Narrow => 4,
            Width::Wide => 8,
        }
    }

    fn read(r: &mut Reader<'_>, width: Width) -> Result<Self, FormatError> {
        Ok(Self {
            vertices: [
                width.read_u32(r, "edge vertex")?,
                width.read_u32(r, "edge vertex")?,
            ],
        })
    }

    fn write(&self, w: &mut Writer, width: Width) -> Result<(), FormatError> {
        let Self { vertices: [a, b] } = *self;
        width.write_u32(w, "edge vertex", a)?;
        width.write_u32(w, "edge vertex", b)
    }
}

impl Record for Plane {
    type Form = ();

    fn form(place: &Place<'_>) -> Option<()> {
        only(place)
    }

    fn size((): ()) -> usize {
        20
    }

    fn read(r: &mut Reader<'_>, (): ()) -> Result<Self, FormatError> {
        Ok(Self {
            normal: r.f32x3("plane normal")?,
            dist: r.f32("plane distance")?,
            kind: r.i32("plane type")?,
        })
    }

    fn write(&self, w: &mut Writer, (): ()) -> Result<(), FormatError> {
        let Self { normal, dist, kind } = *self;
        w.f32x3(normal);
        w.f32(dist);
        w.i32(kind);
        Ok(())
    }
}

impl Record for CubemapSample {
    type Form = ();

    fn form(place: &Place<'_>) -> Option<()> {
        only(place)
    }

    fn size((): ()) -> usize {
        16
    }

    fn read(r: &mut Reader<'_>, (): ()) -> Result<Self, FormatError> {
        Ok(Self {
            origin: read_i32s(r, "cubemap origin")?,
            size: r.u8("cubemap size")?,
            unknown_0d: r.array("cubemap padding")?,
        })
    }

    fn write(&self, w: &mut Writer, (): ()) -> Result<(), FormatError> {
        let Self {
            origin,
            size,
            unknown_0d,
        } = *self;
        write_i32s(w, &origin);
        w.u8(size);
        w.bytes(&unknown_0d);
        Ok(())
    }
}
