//! Leaves (dossier section 6.2).

use super::{LumpLayout, Place, Width};
use crate::bsp::map::Leaf;
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::record::Field;

/// The three layouts of a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeafLayout {
    /// 56 bytes, with its ambient light.
    WithLight,
    /// 32 bytes.
    Narrow,
    /// Version 25: 56 bytes.
    Wide,
}

impl LeafLayout {
    fn width(self) -> Width {
        match self {
            Self::Wide => Width::Wide,
            _ => Width::Narrow,
        }
    }

    /// Bits of the area; the bits above it are flags.
    fn area_bits(self) -> u32 {
        match self {
            Self::Wide => 17,
            _ => 9,
        }
    }

    /// Bits of area and flags together.
    fn word_bits(self) -> u32 {
        match self {
            Self::Wide => 32,
            _ => 16,
        }
    }
}

impl LumpLayout for LeafLayout {
    fn from_place(place: &Place<'_>) -> Option<Self> {
        match (place.file.version, place.version) {
            (17 | 18, 0 | 1) | (19..=21, 1) => Some(Self::Narrow),
            (19..=21, 0) => Some(Self::WithLight),
            (25, 2) => Some(Self::Wide),
            _ => None,
        }
    }
}

/// Written by hand: area and flags share a word.
impl Field<LeafLayout> for Leaf {
    fn size(layout: LeafLayout) -> usize {
        match layout {
            LeafLayout::Narrow => 32,
            LeafLayout::WithLight | LeafLayout::Wide => 56,
        }
    }

    fn read(r: &mut Reader<'_>, _: &'static str, layout: LeafLayout) -> Result<Self, FormatError> {
        let width = layout.width();
        let contents = r.i32("leaf contents")?;
        let cluster = Field::read(r, "leaf cluster", width)?;
        let word: u32 = Field::read(r, "leaf area and flags", width)?;
        let bits = layout.area_bits();
        let mut leaf = Self {
            contents,
            cluster,
            area: word & low_bits(bits),
            flags: u16::try_from(word >> bits).unwrap_or(u16::MAX), // at most 15 bits
            mins: Field::read(r, "leaf mins", width)?,
            maxs: Field::read(r, "leaf maxs", width)?,
            first_leaf_face: Field::read(r, "leaf first face", width)?,
            n_leaf_faces: Field::read(r, "leaf face count", width)?,
            first_leaf_brush: Field::read(r, "leaf first brush", width)?,
            n_leaf_brushes: Field::read(r, "leaf brush count", width)?,
            water: Field::read(r, "leaf water", width)?,
            ..Self::default()
        };
        if layout == LeafLayout::WithLight {
            leaf.v0_ambient = Field::read(r, "leaf ambient light", ())?;
        }
        if layout != LeafLayout::Wide {
            leaf.unknown_end = r.array("leaf padding")?;
        }
        Ok(leaf)
    }

    fn write(
        &self,
        w: &mut Writer,
        _: &'static str,
        layout: LeafLayout,
    ) -> Result<(), FormatError> {
        let width = layout.width();
        w.i32(self.contents);
        self.cluster.write(w, "leaf cluster", width)?;
        let word = self.area_and_flags(w, layout)?;
        word.write(w, "leaf area and flags", width)?;
        self.mins.write(w, "leaf mins", width)?;
        self.maxs.write(w, "leaf maxs", width)?;
        self.first_leaf_face.write(w, "leaf first face", width)?;
        self.n_leaf_faces.write(w, "leaf face count", width)?;
        self.first_leaf_brush.write(w, "leaf first brush", width)?;
        self.n_leaf_brushes.write(w, "leaf brush count", width)?;
        self.water.write(w, "leaf water", width)?;
        if layout == LeafLayout::WithLight {
            self.v0_ambient.write(w, "leaf ambient light", ())?;
        }
        if layout != LeafLayout::Wide {
            w.bytes(&self.unknown_end);
        }
        Ok(())
    }
}

impl Leaf {
    /// The word of both; what does not fit is reported at the cursor.
    fn area_and_flags(&self, w: &Writer, layout: LeafLayout) -> Result<u32, FormatError> {
        let bits = layout.area_bits();
        let (area, max_area) = (self.area, low_bits(bits));
        if area > max_area {
            return Err(w.too_large("leaf area", area.into(), max_area.into()));
        }
        let max_flags = low_bits(layout.word_bits().saturating_sub(bits));
        let flags = u32::from(self.flags);
        if flags > max_flags {
            return Err(w.too_large("leaf flags", flags.into(), max_flags.into()));
        }
        Ok(area | flags << bits)
    }
}

fn low_bits(n_bits: u32) -> u32 {
    u32::MAX >> 32_u32.saturating_sub(n_bits)
}
