//! Faces (dossier section 2.4).

use super::{LumpLayout, Place, Width};
use crate::bsp::LumpId;
use crate::bsp::file::{BspFile, FORMAT};
use crate::bsp::map::Face;
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::record::Field;

/// Bit of the number of primitives that says that dynamic shadows are off.
const NO_SHADOWS: u16 = 0x8000;

/// The five layouts of a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaceLayout {
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

impl FaceLayout {
    /// The layout of version 17: that of VTMB, unless its size does not divide the lump or it gives indices of planes
    /// and edges that cannot be, and the other layout does better.
    fn from_version_17_file(file: &BspFile) -> Self {
        let Ok(content) = file.content(LumpId::Faces) else {
            return Self::V17;
        };
        let n_planes = file.lump(LumpId::Planes).len().checked_div(20).unwrap_or(0);
        let n_edges = file
            .lump(LumpId::Surfedges)
            .len()
            .checked_div(4)
            .unwrap_or(0);
        let fits = |layout: Self| {
            let size = Face::size(layout);
            let mut r = Reader::new(FORMAT, &content);
            content.len().checked_rem(size) == Some(0)
                && (0..content.len().checked_div(size).unwrap_or(0)).all(|_| {
                    Face::read(&mut r, "face", layout).is_ok_and(|face| {
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

    fn width(self) -> Width {
        match self {
            Self::V25 => Width::Wide,
            _ => Width::Narrow,
        }
    }

    /// Average colors in front of a face.
    fn n_averages(self) -> usize {
        match self {
            Self::V17 => 8,
            Self::Beta17 | Self::Beta18 => 4,
            Self::V19 | Self::V25 => 0,
        }
    }
}

impl LumpLayout for FaceLayout {
    fn from_place(place: &Place<'_>) -> Option<Self> {
        // The version of lump 27 is not to be trusted; its layout is that of lump 7 (section 1.3).
        let version = match place.id {
            LumpId::OriginalFaces => Place::new(place.file, LumpId::Faces).version,
            _ => place.version,
        };
        match (place.file.version, version) {
            (17, 0 | 1) => Some(Self::from_version_17_file(place.file)),
            (18, 0 | 1) => Some(Self::Beta18),
            (19..=21, 0 | 1) => Some(Self::V19),
            (25, 2) => Some(Self::V25),
            _ => None,
        }
    }
}

/// Written by hand: versions differ in the order of the primitives, and in the mark of styles that are not stored.
impl Field<FaceLayout> for Face {
    fn size(layout: FaceLayout) -> usize {
        match layout {
            FaceLayout::Beta17 => 68,
            FaceLayout::Beta18 | FaceLayout::V25 => 72,
            FaceLayout::V17 => 104,
            FaceLayout::V19 => 56,
        }
    }

    fn read(r: &mut Reader<'_>, _: &'static str, layout: FaceLayout) -> Result<Self, FormatError> {
        let mut face = Self {
            styles: [u8::MAX; 8],
            v17_day_night_styles: [[u8::MAX; 8]; 2],
            ..Self::default()
        };
        for light in face.v17_average_light.iter_mut().take(layout.n_averages()) {
            *light = Field::read(r, "face average light", ())?;
        }
        let width = layout.width();
        face.plane = Field::read(r, "face plane", width)?;
        face.side = r.u8("face side")?;
        face.on_node = r.u8("face on node")?;
        if layout == FaceLayout::V25 {
            face.unknown_06 = r.array("face padding")?;
        }
        face.first_edge = r.i32("face first edge")?;
        face.n_edges = Field::read(r, "face edge count", width)?;
        face.texinfo = Field::read(r, "face texinfo", width)?;
        face.disp_info = Field::read(r, "face dispinfo", width)?;
        face.surface_fog_volume = Field::read(r, "face fog volume", width)?;
        if layout == FaceLayout::V17 {
            face.styles = r.array("face styles")?;
            face.v17_day_night_styles = Field::read(r, "face styles by day and night", ())?;
        } else {
            let [a, b, c, d] = r.array("face styles")?;
            face.styles = [a, b, c, d, u8::MAX, u8::MAX, u8::MAX, u8::MAX];
        }
        face.light_offset = r.i32("face light offset")?;
        face.area = r.f32("face area")?;
        face.lightmap_mins = Field::read(r, "face lightmap mins", ())?;
        face.lightmap_size = Field::read(r, "face lightmap size", ())?;
        face.original_face = r.i32("face original")?;
        face.read_primitives(r, layout)?;
        face.smoothing_groups = r.u32("face smoothing groups")?;
        Ok(face)
    }

    fn write(
        &self,
        w: &mut Writer,
        _: &'static str,
        layout: FaceLayout,
    ) -> Result<(), FormatError> {
        for light in self.v17_average_light.iter().take(layout.n_averages()) {
            Field::write(light, w, "face average light", ())?;
        }
        let width = layout.width();
        self.plane.write(w, "face plane", width)?;
        w.u8(self.side);
        w.u8(self.on_node);
        if layout == FaceLayout::V25 {
            w.bytes(&self.unknown_06);
        }
        w.i32(self.first_edge);
        self.n_edges.write(w, "face edge count", width)?;
        self.texinfo.write(w, "face texinfo", width)?;
        self.disp_info.write(w, "face dispinfo", width)?;
        self.surface_fog_volume.write(w, "face fog volume", width)?;
        if layout == FaceLayout::V17 {
            w.bytes(&self.styles);
            w.bytes(self.v17_day_night_styles.as_flattened());
        } else {
            let [first @ .., _, _, _, _] = &self.styles;
            w.bytes(first);
        }
        w.i32(self.light_offset);
        w.f32(self.area);
        self.lightmap_mins.write(w, "face lightmap mins", ())?;
        self.lightmap_size.write(w, "face lightmap size", ())?;
        w.i32(self.original_face);
        self.write_primitives(w, layout)?;
        w.u32(self.smoothing_groups);
        Ok(())
    }
}

impl Face {
    fn read_primitives(
        &mut self,
        r: &mut Reader<'_>,
        layout: FaceLayout,
    ) -> Result<(), FormatError> {
        const COUNT: &str = "face primitive count";
        const FIRST: &str = "face first primitive";
        let count_word = match layout {
            FaceLayout::Beta17 | FaceLayout::V17 => return Ok(()),
            FaceLayout::V25 => {
                let word = r.u32(COUNT)?;
                self.shadow_bit = word & 1 != 0;
                self.n_primitives = word >> 1;
                self.first_primitive = r.u32(FIRST)?;
                return Ok(());
            }
            FaceLayout::Beta18 => {
                self.first_primitive = u32::from(r.u16(FIRST)?);
                r.u16(COUNT)?
            }
            FaceLayout::V19 => {
                let word = r.u16(COUNT)?;
                self.first_primitive = u32::from(r.u16(FIRST)?);
                word
            }
        };
        self.shadow_bit = count_word & NO_SHADOWS != 0;
        self.n_primitives = u32::from(count_word & !NO_SHADOWS);
        Ok(())
    }

    fn write_primitives(&self, w: &mut Writer, layout: FaceLayout) -> Result<(), FormatError> {
        const COUNT: &str = "face primitive count";
        const FIRST: &str = "face first primitive";
        let (bits, limit) = match layout {
            FaceLayout::Beta17 | FaceLayout::V17 => return Ok(()),
            FaceLayout::V25 => (u32::from(self.shadow_bit), u32::MAX >> 1),
            FaceLayout::Beta18 | FaceLayout::V19 => {
                (u32::from(self.shadow_bit) << 15, u32::from(!NO_SHADOWS))
            }
        };
        if self.n_primitives > limit {
            return Err(w.too_large(COUNT, u64::from(self.n_primitives), u64::from(limit)));
        }
        match layout {
            FaceLayout::V25 => {
                w.u32(self.n_primitives << 1 | bits);
                w.u32(self.first_primitive);
                Ok(())
            }
            FaceLayout::Beta18 => {
                self.first_primitive.write(w, FIRST, Width::Narrow)?;
                (self.n_primitives | bits).write(w, COUNT, Width::Narrow)
            }
            _ => {
                (self.n_primitives | bits).write(w, COUNT, Width::Narrow)?;
                self.first_primitive.write(w, FIRST, Width::Narrow)
            }
        }
    }
}
