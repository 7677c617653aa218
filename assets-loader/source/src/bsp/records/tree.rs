//! Leaves (dossier section 6.2).
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

use super::face::{read_rgbe, write_rgbe};
use super::{Place, Record, Width};
use crate::bsp::map::Leaf;
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};

/// The three layouts of a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bsp) enum LeafForm {
    /// 56 bytes, with its ambient light.
    WithLight,
    /// 32 bytes.
    Narrow,
    /// Version 25: 56 bytes.
    Wide,
}

impl LeafForm {
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

impl Record for Leaf {
    type Form = LeafForm;

    fn form(place: &Place<'_>) -> Option<LeafForm> {
        match (place.file.version, place.version) {
            (17 | 18, 0 | 1) | (19..=21, 1) => Some(LeafForm::Narrow),
            (19..=21, 0) => Some(LeafForm::WithLight),
            (25, 2) => Some(LeafForm::Wide),
            _ => None,
        }
    }

    fn size(form: LeafForm) -> usize {
        match form {
            LeafForm::Narrow => 32,
            LeafForm::WithLight | LeafForm::Wide => 56,
        }
    }

    fn read(r: &mut Reader<'_>, form: LeafForm) -> Result<Self, FormatError> {
        let width = form.width();
        let contents = r.i32("leaf contents")?;
        let cluster = width.read_i32(r, "leaf cluster")?;
        let word = width.read_u32(r, "leaf area and flags")?;
        let bits = form.area_bits();
        let mut leaf = Self {
            contents,
            cluster,
            area: word & low_bits(bits),
            flags: u16::try_from(word >> bits).unwrap_or(u16::MAX), // at most 15 bits
            mins: width.read_corner(r, "leaf mins")?,
            maxs: width.read_corner(r, "leaf maxs")?,
            first_leaf_face: width.read_u32(r, "leaf first face")?,
            n_leaf_faces: width.read_u32(r, "leaf face count")?,
            first_leaf_brush: width.read_u32(r, "leaf first brush")?,
            n_leaf_brushes: width.read_u32(r, "leaf brush count")?,
            water: width.read_i32(r, "leaf water")?,
            ..Self::default()
        };
        if form == LeafForm::WithLight {
            for light in &mut leaf.v0_ambient {
                *light = read_rgbe(r, "leaf ambient light")?;
            }
        }
        if form != LeafForm::Wide {
            leaf.unknown_end = r.array("leaf padding")?;
        }
        Ok(leaf)
    }

    fn write(&self, w: &mut Writer, form: LeafForm) -> Result<(), FormatError> {
        let Self {
            contents,
            cluster,
            area,
            flags,
            mins,
            maxs,
            first_leaf_face,
            n_leaf_faces,
            first_leaf_brush,
            n_leaf_brushes,
            water,
            v0_ambient,
            unknown_end,
        } = *self;
        let width = form.width();
        w.i32(contents);
        width.write_i32(w, "leaf cluster", cluster)?;
        let bits = form.area_bits();
        let max_area = low_bits(bits);
        let max_flags = low_bits(form.word_bits().saturating_sub(bits));
        if area > max_area {
            return Err(w.too_large("leaf area", u64::from(area), u64::from(max_area)));
        }
        if u32::from(flags) > max_flags {
            return Err(w.too_large("leaf flags", u64::from(flags), u64::from(max_flags)));
        }
        width.write_u32(w, "leaf area and flags", area | u32::from(flags) << bits)?;
        width.write_corner(w, "leaf mins", mins)?;
        width.write_corner(w, "leaf maxs", maxs)?;
        width.write_u32(w, "leaf first face", first_leaf_face)?;
        width.write_u32(w, "leaf face count", n_leaf_faces)?;
        width.write_u32(w, "leaf first brush", first_leaf_brush)?;
        width.write_u32(w, "leaf brush count", n_leaf_brushes)?;
        width.write_i32(w, "leaf water", water)?;
        if form == LeafForm::WithLight {
            for light in v0_ambient {
                write_rgbe(w, light);
            }
        }
        if form != LeafForm::Wide {
            w.bytes(&unknown_end);
        }
        Ok(())
    }
}

fn low_bits(n_bits: u32) -> u32 {
    u32::MAX >> 32_u32.saturating_sub(n_bits)
}
