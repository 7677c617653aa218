//! Brushes and their sides (dossier section 7.1).
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

use super::plain::only;
use super::{Place, Record, Width, write_i32s};
use crate::bsp::map::{Brush, BrushSide};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};

impl Record for Brush {
    type Form = ();

    fn form(place: &Place<'_>) -> Option<()> {
        only(place)
    }

    fn size((): ()) -> usize {
        12
    }

    fn read(r: &mut Reader<'_>, (): ()) -> Result<Self, FormatError> {
        Ok(Self {
            first_side: r.i32("brush first side")?,
            n_sides: r.i32("brush side count")?,
            contents: r.i32("brush contents")?,
        })
    }

    fn write(&self, w: &mut Writer, (): ()) -> Result<(), FormatError> {
        let Self {
            first_side,
            n_sides,
            contents,
        } = *self;
        write_i32s(w, &[first_side, n_sides, contents]);
        Ok(())
    }
}

impl Record for BrushSide {
    type Form = Width;

    fn form(place: &Place<'_>) -> Option<Width> {
        Width::of(place)
    }

    fn size(width: Width) -> usize {
        match width {
            Width::Narrow => 8,
            Width::Wide => 16,
        }
    }

    /// The word `bevel` of old versions is read as the two bytes that it later became.
    fn read(r: &mut Reader<'_>, width: Width) -> Result<Self, FormatError> {
        Ok(Self {
            plane: width.read_u32(r, "brush side plane")?,
            texinfo: width.read_i32(r, "brush side texinfo")?,
            disp_info: width.read_i32(r, "brush side dispinfo")?,
            bevel: r.u8("brush side bevel")?,
            thin: r.u8("brush side thin")?,
            unknown_0e: match width {
                Width::Narrow => [0; 2],
                Width::Wide => r.array("brush side padding")?,
            },
        })
    }

    fn write(&self, w: &mut Writer, width: Width) -> Result<(), FormatError> {
        let Self {
            plane,
            texinfo,
            disp_info,
            bevel,
            thin,
            unknown_0e,
        } = *self;
        width.write_u32(w, "brush side plane", plane)?;
        width.write_i32(w, "brush side texinfo", texinfo)?;
        width.write_i32(w, "brush side dispinfo", disp_info)?;
        w.u8(bevel);
        w.u8(thin);
        if width == Width::Wide {
            w.bytes(&unknown_0e);
        }
        Ok(())
    }
}
