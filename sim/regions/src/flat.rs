//! Blocks that are not divided: one height, or the two that the original server keeps. Dossier section 2.3.1.

/// A block whose 64 cells share one ground and are open to all sides.
///
/// The original server compresses a block whose cells lie within 32 points of each other to the highest and the
/// lowest of them. Queries return the upper one; the lower one counts for the limit of a step alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Flat {
    high: i16,
    low: i16,
    /// The words as the file had them, for a writer of the same format.
    first_word: i16,
    second_word: i16,
}

/// Which height stands for a flat block where a format has room for one only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum FlatRule {
    /// The upper one, which the original server returns for standing.
    #[default]
    Max,
    /// The lower one.
    Min,
    /// The middle, rounded down to a multiple of 8.
    Average,
}

impl Flat {
    /// A flat block between two heights, in either order.
    #[inline]
    pub fn new(a: i16, b: i16) -> Self {
        let (high, low) = (a.max(b), a.min(b));
        Self {
            high,
            low,
            first_word: high,
            second_word: low,
        }
    }

    /// The two words of `_conv.dat`, which are heights as they are. The first is the higher one in all real files.
    ///
    /// Only low bits that are all set are left out: no file of the original tools has them, but one that was made of
    /// a community file does; see [`from_word`](Self::from_word).
    #[inline]
    pub fn from_pair(first_word: i16, second_word: i16) -> Self {
        let height = |word: i16| if has_sides(word) { word & !0xF } else { word };
        Self {
            first_word,
            second_word,
            ..Self::new(height(first_word), height(second_word))
        }
    }

    /// The word of `.l2j`: some community files have the sides in its low four bits. Others hold a height that is
    /// no multiple of 16, so the four bits must not be masked unless all are set.
    #[inline]
    pub fn from_word(word: i16) -> Self {
        let height = word & if has_sides(word) { !0xF } else { !7 };
        Self {
            first_word: word,
            second_word: word,
            ..Self::new(height, height)
        }
    }

    /// The plain height of `.l2d`.
    pub fn from_height(height: i16) -> Self {
        Self::new(height, height)
    }

    /// Height of the ground, which every query returns.
    #[inline]
    pub fn high(self) -> i16 {
        self.high
    }

    /// Height that the limit of a step may use instead; not above [`high`](Self::high).
    #[inline]
    pub fn low(self) -> i16 {
        self.low
    }

    /// The first word as it was stored.
    pub fn first_word(self) -> i16 {
        self.first_word
    }

    /// The second word as it was stored; the first where there is only one.
    pub fn second_word(self) -> i16 {
        self.second_word
    }

    /// The one height by a rule.
    pub fn height(self, rule: FlatRule) -> i16 {
        match rule {
            _ if self.high == self.low => self.high,
            FlatRule::Max => self.high,
            FlatRule::Min => self.low,
            FlatRule::Average => {
                let middle = (i32::from(self.high) + i32::from(self.low)) >> 1;
                i16::try_from(middle & !7).unwrap_or(self.low)
            }
        }
    }

    /// Whether its words have low bits that are no part of the heights.
    pub fn has_low_bits(self) -> bool {
        let is_height = |word| word == self.high || word == self.low;
        !is_height(self.first_word) || !is_height(self.second_word)
    }

    /// The same in the one word of `.l2j`, with all bits of its own word where that means the same height there. Else
    /// the height is rounded down to a multiple of 8.
    pub fn in_one_word(self, rule: FlatRule) -> Self {
        let as_it_is = Self::from_word(self.first_word);
        if self.first_word == self.second_word && as_it_is.high == self.high {
            return as_it_is;
        }
        Self::from_word(self.height(rule) & !7)
    }

    /// The same in the two words of `_conv.dat`, with all bits of its own words where those mean the same heights
    /// there. Else a height whose low bits would be taken for sides is rounded down to a multiple of 8.
    pub fn in_two_words(self) -> Self {
        let as_it_is = Self::from_pair(self.first_word, self.second_word);
        if (as_it_is.high, as_it_is.low) == (self.high, self.low) {
            return as_it_is;
        }
        let word = |height: i16| match has_sides(height) {
            true => height & !7,
            false => height,
        };
        Self::from_pair(word(self.high), word(self.low))
    }

    /// The same as the plain height of `.l2d`.
    pub fn in_one_height(self, rule: FlatRule) -> Self {
        Self::from_height(self.height(rule))
    }
}

/// Whether a word has all sides in its low bits, as cells have.
#[inline]
fn has_sides(word: i16) -> bool {
    word & 0xF == 0xF
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_bits_agree_with_the_facts() {
        // Section 2.3.1.
        for (word, height) in [(-4657, -4672), (-4689, -4704), (-4977, -4992)] {
            assert_eq!(Flat::from_word(word).high(), height);
            assert_eq!(Flat::from_word(word).first_word(), word);
        }
        assert_eq!(
            Flat::from_word(-4664).high(),
            -4664,
            "a nibble of 8 is height"
        );
        assert_eq!(
            Flat::from_word(-4659).high(),
            -4664,
            "others are rounded down"
        );
        let pair = Flat::from_pair(-4664, -4696);
        assert_eq!((pair.high(), pair.low()), (-4664, -4696));
        let converted = Flat::from_pair(-4657, -4657);
        assert_eq!((converted.high(), converted.low()), (-4672, -4672));
        assert_eq!(converted.first_word(), -4657);
    }

    #[test]
    fn a_pair_the_wrong_way_round_is_turned_and_kept() {
        let flat = Flat::from_pair(8, 40);
        assert_eq!((flat.high(), flat.low()), (40, 8));
        assert_eq!((flat.first_word(), flat.second_word()), (8, 40));
    }

    #[test]
    fn the_height_follows_the_rule() {
        // Section 3.2: differences 8, 16, 24, 32 become 0, 8, 8, 16 above the lower one.
        for (difference, above) in [(8, 0), (16, 8), (24, 8), (32, 16)] {
            let flat = Flat::new(-4000 + difference, -4000);
            assert_eq!(flat.height(FlatRule::Average), -4000 + above);
            assert_eq!(flat.height(FlatRule::Max), -4000 + difference);
            assert_eq!(flat.height(FlatRule::Min), -4000);
        }
        assert_eq!(Flat::from_word(-4657).height(FlatRule::Average), -4672);
    }

    /// A word with sides in its low bits is as high in every format, and a height that looks like one is not taken for
    /// it.
    #[test]
    fn low_bits_become_no_height_and_heights_no_low_bits() {
        let with_sides = Flat::from_word(-4657);
        assert!(with_sides.has_low_bits());
        assert_eq!(with_sides.in_two_words().first_word(), -4657);
        assert_eq!(with_sides.in_one_word(FlatRule::Max), with_sides);
        let plain = with_sides.in_one_height(FlatRule::Max);
        assert_eq!((plain.high(), plain.first_word()), (-4672, -4672));
        assert!(!plain.has_low_bits());
        let odd = Flat::from_word(-4659);
        assert_eq!(odd.in_two_words().high(), odd.high());
        for height in [-4657, 15] {
            let flat = Flat::from_height(height);
            let down = height & !7;
            assert_eq!(flat.in_one_word(FlatRule::Max).high(), down);
            assert_eq!(flat.in_two_words().high(), down);
        }
        let between = Flat::from_height(12);
        assert_eq!(between.in_two_words().high(), 12);
        assert_eq!(between.in_one_word(FlatRule::Max).high(), 8);
    }
}
