//! One cell-layer: a height and the sides on which one may leave it. Dossier sections 2.1 and 2.4.

use bitflags::bitflags;

/// Lowest height that a cell word can hold.
pub const MIN_STORED_HEIGHT: i16 = -16384;

/// Highest height that a cell word can hold.
pub const MAX_STORED_HEIGHT: i16 = 16376;

bitflags! {
    /// Sides through which a character may leave a cell. X grows to the east, Y to the south.
    ///
    /// The diagonals are stored by `.l2d` and `.rp` alone; everywhere else they are clear.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
    pub struct Nswe: u8 {
        /// Toward X+.
        const EAST = 0x01;
        /// Toward X-.
        const WEST = 0x02;
        /// Toward Y+.
        const SOUTH = 0x04;
        /// Toward Y-.
        const NORTH = 0x08;
        /// Toward X+ Y+.
        const SOUTH_EAST = 0x10;
        /// Toward X- Y+.
        const SOUTH_WEST = 0x20;
        /// Toward X+ Y-.
        const NORTH_EAST = 0x40;
        /// Toward X- Y-.
        const NORTH_WEST = 0x80;
        /// All four sides.
        const ALL_SIDES = 0x0F;
        /// All four diagonals.
        const ALL_DIAGONALS = 0xF0;
    }
}

impl Nswe {
    /// Each diagonal with the two sides that it lies between: the one in X, the one in Y.
    pub const DIAGONALS: [(Self, Self, Self); 4] = [
        (Self::SOUTH_EAST, Self::EAST, Self::SOUTH),
        (Self::SOUTH_WEST, Self::WEST, Self::SOUTH),
        (Self::NORTH_EAST, Self::EAST, Self::NORTH),
        (Self::NORTH_WEST, Self::WEST, Self::NORTH),
    ];

    /// The four sides without the diagonals.
    #[must_use]
    pub fn sides(self) -> Self {
        self & Self::ALL_SIDES
    }
}

/// Ground that one may stand on: a cell, or one of several layers of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cell {
    /// Height in points; a multiple of 8 in all formats but `.l2d`, `.rp` and `_path.txt`.
    pub height: i16,
    /// Where one may leave it.
    pub nswe: Nswe,
}

impl Cell {
    /// A cell-layer.
    pub const fn new(height: i16, nswe: Nswe) -> Self {
        Self { height, nswe }
    }

    /// The word of `_conv.dat` and `.l2j`: twice the height, with the sides in the low four bits.
    ///
    /// The word is made a signed number before it is halved; the seed's formula forgets that.
    pub fn from_word(word: u16) -> Self {
        Self {
            height: (word & 0xFFF0).cast_signed() >> 1,
            nswe: Nswe::from_bits_retain((word & 0x000F) as u8),
        }
    }

    /// The word of this cell. A height is taken into the range that a word can hold and rounded down to a multiple
    /// of 8; diagonals are left out.
    pub fn to_word(self) -> u16 {
        let height = self.height.clamp(MIN_STORED_HEIGHT, MAX_STORED_HEIGHT);
        ((height << 1).cast_unsigned() & 0xFFF0) | u16::from(self.nswe.sides().bits())
    }

    /// This cell as a word holds it.
    #[must_use]
    pub fn as_word(self) -> Self {
        Self::from_word(self.to_word())
    }

    /// Whether a word holds this height as it is.
    pub fn fits_word(self) -> bool {
        (MIN_STORED_HEIGHT..=MAX_STORED_HEIGHT).contains(&self.height) && self.height % 8 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Section 2.1.
    #[test]
    fn words_agree_with_the_facts() {
        let facts = [
            (-3728, 0xE2EF),
            (16376, 0x7FFF),
            (-16384, 0x800F),
            (-8, 0xFFFF),
            (0, 0x000F),
            (3496, 0x1B5F),
            (8, 0x001F),
        ];
        for (height, word) in facts {
            let cell = Cell::new(height, Nswe::ALL_SIDES);
            assert_eq!(Cell::from_word(word), cell);
            assert_eq!(cell.to_word(), word, "{height}");
        }
    }

    #[test]
    fn every_word_survives() {
        for word in 0..=u16::MAX {
            let cell = Cell::from_word(word);
            assert!(cell.fits_word());
            assert_eq!(cell.to_word(), word);
        }
    }

    #[test]
    fn heights_between_steps_are_rounded_down() {
        for (height, stored) in [(-1, -8), (-8, -8), (-9, -16), (7, 0), (16383, 16376)] {
            let cell = Cell::new(height, Nswe::ALL_SIDES);
            assert_eq!(Cell::from_word(cell.to_word()).height, stored, "{height}");
        }
        let far = Cell::new(i16::MIN, Nswe::SOUTH_EAST | Nswe::EAST);
        assert_eq!(far.to_word(), 0x8001, "clamped, without its diagonal");
    }
}
