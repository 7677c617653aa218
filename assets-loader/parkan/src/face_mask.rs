//! Surface masks of terrain faces: the full 32-bit form and the two compact forms (dossier sections 4.5, 4.6).
//!
//! A face stores the full form. Queries of the original also come in two compact words, which are **not**
//! truncations of the full one: each bit has its own place, some full bits have none, and one compact bit
//! stands for nothing.

use std::borrow::Cow;

use bitflags::bitflags;

ironlands_assets_core::flag_fields!(FaceFlags: u32);

bitflags! {
    /// Full surface mask of a face. Unknown bits are kept.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub struct FaceFlags: u32 {
        /// A second material is drawn over the first.
        const SECOND_MATERIAL = 0x0000_0004;
        /// No back-face test: the face is hit and seen from both sides. Surfaces of liquids have it.
        const TWO_SIDED = 0x0000_0008;
        /// A microtexture is laid over the face.
        const MICROTEXTURE = 0x0000_0400;
        /// The bed below a liquid.
        const LIQUID_BED = 0x0000_2000;
        /// Reflective surface: water.
        const WATER = 0x0002_0000;
        const _ = !0;
    }
}

/// First compact form: sixteen general surface bits. Bit 0x4000 stands for no full bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CompactMain16(pub u16);

/// Second compact form: six material bits. Bits 0x40 and 0x80 stand for no full bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CompactMaterial6(pub u8);

/// Full bit and its place in [`CompactMain16`], in the order of the compact bits.
const MAIN16: [(u32, u16); 15] = [
    (0x0000_0001, 0x0001),
    (0x0000_0008, 0x0002),
    (0x0000_0010, 0x0004),
    (0x0000_0020, 0x0008),
    (0x0000_1000, 0x0010),
    (0x0000_4000, 0x0020),
    (0x0000_0002, 0x0040),
    (0x0000_0400, 0x0080),
    (0x0000_0800, 0x0100),
    (0x0002_0000, 0x0200),
    (0x0000_2000, 0x0400),
    (0x0000_0200, 0x0800),
    (0x0000_0004, 0x1000),
    (0x0000_0040, 0x2000),
    (0x0020_0000, 0x8000),
];

/// Full bit and its place in [`CompactMaterial6`], in the order of the compact bits.
const MATERIAL6: [(u32, u8); 6] = [
    (0x0000_0100, 0x01),
    (0x0000_8000, 0x02),
    (0x0001_0000, 0x04),
    (0x0004_0000, 0x08),
    (0x0008_0000, 0x10),
    (0x0000_0080, 0x20),
];

impl FaceFlags {
    /// What the faces of ordinary ground have: lamps light them (0x200), they take a microtexture (0x400), and they are
    /// not of lava (0x10_0000).
    pub const GROUND: Self = Self::from_bits_retain(0x0010_0600);

    /// The bits that neither compact form can hold: 0x0010_0000 and everything from 0x0040_0000 up.
    ///
    /// They are lost by a way through the compact forms, so a tool that edits faces keeps the full mask.
    pub const WITHOUT_COMPACT_FORM: Self = Self::from_bits_retain(0xFFD0_0000);

    /// The general surface bits of this mask; bits without a place there are left out.
    pub fn to_main16(self) -> CompactMain16 {
        let places = MAIN16.iter().filter(|(full, _)| self.bits() & full != 0);
        CompactMain16(places.fold(0, |word, (_, compact)| word | compact))
    }

    /// The material bits of this mask; bits without a place there are left out.
    pub fn to_material6(self) -> CompactMaterial6 {
        let places = MATERIAL6.iter().filter(|(full, _)| self.bits() & full != 0);
        CompactMaterial6(places.fold(0, |word, (_, compact)| word | compact))
    }

    /// The full mask of two compact words; compact bits that stand for nothing are left out.
    pub fn from_compact(main16: CompactMain16, material6: CompactMaterial6) -> Self {
        let main = MAIN16.iter().filter(|(_, compact)| main16.0 & compact != 0);
        let material = MATERIAL6
            .iter()
            .filter(|(_, compact)| material6.0 & compact != 0);
        let full = main
            .map(|(full, _)| full)
            .chain(material.map(|(full, _)| full));
        Self::from_bits_retain(full.fold(0, |word, bit| word | bit))
    }

    /// One word for each set bit, lowest bit first: its name, or its hex value where the meaning is unknown.
    pub fn names(self) -> impl Iterator<Item = Cow<'static, str>> {
        (0..u32::BITS)
            .map(|shift| Self::from_bits_retain(1 << shift))
            .filter(move |bit| self.contains(*bit))
            .map(|bit| match bit {
                Self::SECOND_MATERIAL => Cow::Borrowed("second material"),
                Self::LIQUID_BED => Cow::Borrowed("liquid bed"),
                Self::TWO_SIDED => Cow::Borrowed("two-sided"),
                Self::MICROTEXTURE => Cow::Borrowed("microtexture"),
                Self::WATER => Cow::Borrowed("water"),
                unknown => Cow::Owned(format!("{:#x}", unknown.bits())),
            })
    }
}

/// Which faces a query sees: all `required` bits set and no `forbidden` bit set. The default sees all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct FaceFilter {
    /// Bits that a face must have.
    pub required: u32,
    /// Bits that a face must not have.
    pub forbidden: u32,
}

impl FaceFilter {
    /// Whether a face with these flags is seen.
    #[inline]
    pub fn accepts(self, flags: FaceFlags) -> bool {
        flags.bits() & self.required == self.required && flags.bits() & self.forbidden == 0
    }
}

/// The four words of a query object of the original, in its order (its words 4 to 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CompactFilter {
    /// General bits that a face must have.
    pub main_required: CompactMain16,
    /// General bits that a face must not have.
    pub main_forbidden: CompactMain16,
    /// Material bits that a face must have.
    pub material_required: CompactMaterial6,
    /// Material bits that a face must not have.
    pub material_forbidden: CompactMaterial6,
}

impl From<CompactFilter> for FaceFilter {
    /// Expands the words as the original does. A bit that stands for nothing requires nothing.
    fn from(compact: CompactFilter) -> Self {
        let CompactFilter {
            main_required,
            main_forbidden,
            material_required,
            material_forbidden,
        } = compact;
        Self {
            required: FaceFlags::from_compact(main_required, material_required).bits(),
            forbidden: FaceFlags::from_compact(main_forbidden, material_forbidden).bits(),
        }
    }
}

#[cfg(test)]
mod tests;
