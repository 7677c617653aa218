//! Texinfo and texdata (dossier section 3).
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

use super::plain::only;
use super::{Place, Record, read_f32s, read_i32s, write_f32s, write_i32s};
use crate::bsp::map::{Texdata, Texinfo};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};

impl Record for Texinfo {
    type Form = ();

    fn form(place: &Place<'_>) -> Option<()> {
        only(place)
    }

    fn size((): ()) -> usize {
        72
    }

    fn read(r: &mut Reader<'_>, (): ()) -> Result<Self, FormatError> {
        Ok(Self {
            texture_vecs: [
                read_f32s(r, "texture vector S")?,
                read_f32s(r, "texture vector T")?,
            ],
            lightmap_vecs: [
                read_f32s(r, "lightmap vector S")?,
                read_f32s(r, "lightmap vector T")?,
            ],
            flags: r.i32("texinfo flags")?,
            texdata: r.i32("texinfo texdata")?,
        })
    }

    fn write(&self, w: &mut Writer, (): ()) -> Result<(), FormatError> {
        let Self {
            texture_vecs,
            lightmap_vecs,
            flags,
            texdata,
        } = self;
        for row in texture_vecs.iter().chain(lightmap_vecs) {
            write_f32s(w, row);
        }
        w.i32(*flags);
        w.i32(*texdata);
        Ok(())
    }
}

impl Record for Texdata {
    type Form = ();

    fn form(place: &Place<'_>) -> Option<()> {
        only(place)
    }

    fn size((): ()) -> usize {
        32
    }

    fn read(r: &mut Reader<'_>, (): ()) -> Result<Self, FormatError> {
        Ok(Self {
            reflectivity: r.f32x3("texdata reflectivity")?,
            name: r.i32("texdata name")?,
            size: read_i32s(r, "texdata size")?,
            view_size: read_i32s(r, "texdata view size")?,
        })
    }

    fn write(&self, w: &mut Writer, (): ()) -> Result<(), FormatError> {
        let Self {
            reflectivity,
            name,
            size,
            view_size,
        } = self;
        w.f32x3(*reflectivity);
        w.i32(*name);
        write_i32s(w, size);
        write_i32s(w, view_size);
        Ok(())
    }
}
