//! Faces (dossier section 2.4).
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

use super::{Place, Record, Width, read_i32s, write_i32s};
use crate::bsp::LumpId;
use crate::bsp::file::{BspFile, FORMAT};
use crate::bsp::map::{Face, Rgbe};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};

/// Bit of the number of primitives that says that dynamic shadows are off.
const NO_SHADOWS: u16 = 0x8000;

/// The five layouts of a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bsp) enum FaceForm {
    /// Version 17 of the HL2 beta: 68 bytes.
    Beta17,
    /// Version 18: 72 bytes.
    Beta18,
    /// Version 17 of VTMB: 104 bytes.
    V17,
    /// Versions 19 to 21: 56 bytes.
    V19,
    /// Version 25: 72 bytes.
    V25,
}

impl FaceForm {
    /// The form of version 17: that of VTMB, unless its size does not divide the lump or it gives indices of planes
    /// and edges that cannot be, and the other form does better.
    fn of_version_17(file: &BspFile) -> Self {
        let Ok(content) = file.content(LumpId::Faces) else {
            return Self::V17;
        };
        let n_planes = file.lump(LumpId::Planes).len().checked_div(20).unwrap_or(0);
        let n_edges = file
            .lump(LumpId::Surfedges)
            .len()
            .checked_div(4)
            .unwrap_or(0);
        let fits = |form: Self| {
            let size = Face::size(form);
            let mut r = Reader::new(FORMAT, &content);
            content.len().checked_rem(size) == Some(0)
                && (0..content.len().checked_div(size).unwrap_or(0)).all(|_| {
                    Face::read(&mut r, form).is_ok_and(|face| {
                        let end = i64::from(face.first_edge).saturating_add(face.n_edges.into());
                        (face.plane as usize) < n_planes
                            && face.first_edge >= 0
                            && face.n_edges >= 3
                            && end <= n_edges as i64
                    })
                })
        };
        if !fits(Self::V17) && fits(Self::Beta17) {
            Self::Beta17
        } else {
            Self::V17
        }
    }
}

impl Record for Face {
    type Form = FaceForm;

    fn form(place: &Place<'_>) -> Option<FaceForm> {
        // The version of lump 27 is not to be trusted; its form is that of lump 7 (section 1.3).
        let version = match place.id {
            LumpId::OriginalFaces => Place::new(place.file, LumpId::Faces).version,
            _ => place.version,
        };
        match (place.file.version, version) {
            (17, 0 | 1) => Some(FaceForm::of_version_17(place.file)),
            (18, 0 | 1) => Some(FaceForm::Beta18),
            (19..=21, 0 | 1) => Some(FaceForm::V19),
            (25, 2) => Some(FaceForm::V25),
            _ => None,
        }
    }

    fn size(form: FaceForm) -> usize {
        match form {
            FaceForm::Beta17 => 68,
            FaceForm::Beta18 | FaceForm::V25 => 72,
            FaceForm::V17 => 104,
            FaceForm::V19 => 56,
        }
    }

    fn read(r: &mut Reader<'_>, form: FaceForm) -> Result<Self, FormatError> {
        let mut face = Self {
            styles: [u8::MAX; 8],
            v17_day_night_styles: [[u8::MAX; 8]; 2],
            ..Self::default()
        };
        let n_averages = n_averages(form);
        for light in face.v17_average_light.iter_mut().take(n_averages) {
            *light = read_rgbe(r, "face average light")?;
        }
        let width = width(form);
        face.plane = width.read_u32(r, "face plane")?;
        face.side = r.u8("face side")?;
        face.on_node = r.u8("face on node")?;
        if form == FaceForm::V25 {
            face.unknown_06 = r.array("face padding")?;
        }
        face.first_edge = r.i32("face first edge")?;
        face.n_edges = width.read_i32(r, "face edge count")?;
        face.texinfo = width.read_i32(r, "face texinfo")?;
        face.disp_info = width.read_i32(r, "face dispinfo")?;
        face.surface_fog_volume = width.read_i32(r, "face fog volume")?;
        if form == FaceForm::V17 {
            face.styles = r.array("face styles")?;
            face.v17_day_night_styles = [
                r.array("face styles by day")?,
                r.array("face styles by night")?,
            ];
        } else {
            let [a, b, c, d] = r.array("face styles")?;
            face.styles = [a, b, c, d, u8::MAX, u8::MAX, u8::MAX, u8::MAX];
        }
        face.light_offset = r.i32("face light offset")?;
        face.area = r.f32("face area")?;
        face.lightmap_mins = read_i32s(r, "face lightmap mins")?;
        face.lightmap_size = read_i32s(r, "face lightmap size")?;
        face.original_face = r.i32("face original")?;
        face.read_primitives(r, form)?;
        face.smoothing_groups = r.u32("face smoothing groups")?;
        Ok(face)
    }

    fn write(&self, w: &mut Writer, form: FaceForm) -> Result<(), FormatError> {
        let Self {
            plane,
            side,
            on_node,
            first_edge,
            n_edges,
            texinfo,
            disp_info,
            surface_fog_volume,
            styles,
            light_offset,
            area,
            lightmap_mins,
            lightmap_size,
            original_face,
            n_primitives: _,
            shadow_bit: _,
            first_primitive: _,
            smoothing_groups,
            v17_average_light,
            v17_day_night_styles,
            unknown_06,
        } = self;
        for light in v17_average_light.iter().take(n_averages(form)) {
            write_rgbe(w, *light);
        }
        let width = width(form);
        width.write_u32(w, "face plane", *plane)?;
        w.u8(*side);
        w.u8(*on_node);
        if form == FaceForm::V25 {
            w.bytes(unknown_06);
        }
        w.i32(*first_edge);
        width.write_i32(w, "face edge count", *n_edges)?;
        width.write_i32(w, "face texinfo", *texinfo)?;
        width.write_i32(w, "face dispinfo", *disp_info)?;
        width.write_i32(w, "face fog volume", *surface_fog_volume)?;
        if form == FaceForm::V17 {
            w.bytes(styles);
            for styles in v17_day_night_styles {
                w.bytes(styles);
            }
        } else {
            let [first @ .., _, _, _, _] = styles;
            w.bytes(first);
        }
        w.i32(*light_offset);
        w.f32(*area);
        write_i32s(w, lightmap_mins);
        write_i32s(w, lightmap_size);
        w.i32(*original_face);
        self.write_primitives(w, form)?;
        w.u32(*smoothing_groups);
        Ok(())
    }
}

impl Face {
    fn read_primitives(&mut self, r: &mut Reader<'_>, form: FaceForm) -> Result<(), FormatError> {
        const COUNT: &str = "face primitive count";
        const FIRST: &str = "face first primitive";
        let count_word = match form {
            FaceForm::Beta17 | FaceForm::V17 => return Ok(()),
            FaceForm::V25 => {
                let word = r.u32(COUNT)?;
                self.shadow_bit = word & 1 != 0;
                self.n_primitives = word >> 1;
                self.first_primitive = r.u32(FIRST)?;
                return Ok(());
            }
            FaceForm::Beta18 => {
                self.first_primitive = u32::from(r.u16(FIRST)?);
                r.u16(COUNT)?
            }
            FaceForm::V19 => {
                let word = r.u16(COUNT)?;
                self.first_primitive = u32::from(r.u16(FIRST)?);
                word
            }
        };
        self.shadow_bit = count_word & NO_SHADOWS != 0;
        self.n_primitives = u32::from(count_word & !NO_SHADOWS);
        Ok(())
    }

    fn write_primitives(&self, w: &mut Writer, form: FaceForm) -> Result<(), FormatError> {
        const COUNT: &str = "face primitive count";
        const FIRST: &str = "face first primitive";
        let (bits, limit) = match form {
            FaceForm::Beta17 | FaceForm::V17 => return Ok(()),
            FaceForm::V25 => (u32::from(self.shadow_bit), u32::MAX >> 1),
            FaceForm::Beta18 | FaceForm::V19 => {
                (u32::from(self.shadow_bit) << 15, u32::from(!NO_SHADOWS))
            }
        };
        if self.n_primitives > limit {
            return Err(w.too_large(COUNT, u64::from(self.n_primitives), u64::from(limit)));
        }
        match form {
            FaceForm::V25 => {
                w.u32(self.n_primitives << 1 | bits);
                w.u32(self.first_primitive);
                Ok(())
            }
            FaceForm::Beta18 => {
                super::write_u16(w, FIRST, self.first_primitive)?;
                super::write_u16(w, COUNT, self.n_primitives | bits)
            }
            _ => {
                super::write_u16(w, COUNT, self.n_primitives | bits)?;
                super::write_u16(w, FIRST, self.first_primitive)
            }
        }
    }
}

fn width(form: FaceForm) -> Width {
    match form {
        FaceForm::V25 => Width::Wide,
        _ => Width::Narrow,
    }
}

/// Average colours in front of a face.
fn n_averages(form: FaceForm) -> usize {
    match form {
        FaceForm::V17 => 8,
        FaceForm::Beta17 | FaceForm::Beta18 => 4,
        FaceForm::V19 | FaceForm::V25 => 0,
    }
}

pub(super) fn read_rgbe(r: &mut Reader<'_>, field: &'static str) -> Result<Rgbe, FormatError> {
    Ok(Rgbe {
        mantissas: r.array(field)?,
        exponent: r.i8(field)?,
    })
}

pub(super) fn write_rgbe(w: &mut Writer, rgbe: Rgbe) {
    let Rgbe {
        mantissas,
        exponent,
    } = rgbe;
    w.bytes(&mantissas);
    w.i8(exponent);
}
