//! Surface masks of terrain faces: full 32-bit form and the two compact forms (dossier sections 4.5, 4.6).

use bitflags::bitflags;

bitflags! {
    /// Full surface mask of a face. Unknown bits are kept.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
    pub struct FaceFlags: u32 {
        /// No back-face test: the face is hit and seen from both sides.
        const TWO_SIDED = 0x0000_0008;
        /// A microtexture is laid over the face.
        const MICROTEXTURE = 0x0000_0400;
        /// Reflective surface: water.
        const WATER = 0x0002_0000;
        const _ = !0;
    }
}

/// Which faces a query sees: all `required` bits set and no `forbidden` bit set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct FaceFilter {
    /// Bits that a face must have.
    pub required: u32,
    /// Bits that a face must not have.
    pub forbidden: u32,
}
