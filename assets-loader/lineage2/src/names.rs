//! Names of region files: `22_16.l2j`, `22_16_conv.dat`, `26_20_C4.l2j`. Dossier sections 1.1 and 2.5.

use std::fmt;

use super::grid::RegionId;

/// How a region is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GeodataFormat {
    /// `X_Y_conv.dat` of the original server.
    ConvDat,
    /// `X_Y.l2j` of community servers.
    L2j,
    /// `X_Y.l2d`, with diagonals.
    L2d,
    /// `X_Y.l2g`, an `.l2j` under a key.
    L2g,
    /// `X_Y.l2m`, an `.l2j` with offsets.
    L2m,
    /// `X_Y.rp`, an `.l2d` under another name.
    Rp,
    /// `X_Y_path.txt`, a line a cell.
    PathTxt,
    /// `X_Y.l2s`, locked to the address of its owner; recognized and refused.
    L2s,
}

/// What a name says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionFileName {
    /// The region.
    pub id: RegionId,
    /// The text between the numbers and the format, as in `_C4`; mostly empty.
    pub suffix: String,
    /// The format.
    pub format: GeodataFormat,
}

impl GeodataFormat {
    /// All formats.
    pub const ALL: [Self; 8] = [
        Self::ConvDat,
        Self::L2j,
        Self::L2d,
        Self::L2g,
        Self::L2m,
        Self::Rp,
        Self::PathTxt,
        Self::L2s,
    ];

    /// What its names end with.
    pub fn ending(self) -> &'static str {
        match self {
            Self::ConvDat => "_conv.dat",
            Self::L2j => ".l2j",
            Self::L2d => ".l2d",
            Self::L2g => ".l2g",
            Self::L2m => ".l2m",
            Self::Rp => ".rp",
            Self::PathTxt => "_path.txt",
            Self::L2s => ".l2s",
        }
    }

    /// Whether cells are words, in which heights are multiples of 8 and there is no room for diagonals.
    pub fn has_words(self) -> bool {
        match self {
            Self::ConvDat | Self::L2j | Self::L2g | Self::L2m | Self::L2s => true,
            Self::L2d | Self::Rp | Self::PathTxt => false,
        }
    }

    /// The format that one names: `l2j`, `conv.dat`, `path.txt`, with or without the text in front.
    pub fn from_word(word: &str) -> Option<Self> {
        let word = word.to_ascii_lowercase();
        let word = word.trim_start_matches(['_', '.']);
        Self::ALL
            .into_iter()
            .find(|format| format.ending().trim_start_matches(['_', '.']) == word)
    }
}

impl fmt::Display for GeodataFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.ending())
    }
}

impl RegionFileName {
    /// What a file name says; `None` if it is none of a region of the grid. Letters may be of any case.
    pub fn parse(name: &str) -> Option<Self> {
        let format = GeodataFormat::ALL.into_iter().find(|format| {
            let start = name.len().checked_sub(format.ending().len());
            let ending = start.and_then(|start| name.get(start..));
            ending.is_some_and(|ending| ending.eq_ignore_ascii_case(format.ending()))
        })?;
        let stem = name.get(..name.len().checked_sub(format.ending().len())?)?;
        let number = |at: usize| {
            let digits = stem.get(at..)?.get(..2)?;
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| digits.parse::<u8>().ok())?
        };
        let id = RegionId::new(number(0)?, number(3)?)?;
        let suffix = stem.get(5..)?;
        let is_apart = !suffix.starts_with(|c: char| c.is_ascii_digit());
        (stem.get(2..3) == Some("_") && is_apart).then(|| Self {
            id,
            suffix: suffix.to_owned(),
            format,
        })
    }
}

impl fmt::Display for RegionFileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.id, self.suffix, self.format.ending())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_agree_with_the_facts() {
        let facts = [
            ("22_16.l2j", (22, 16), "", GeodataFormat::L2j),
            ("17_25_conv.dat", (17, 25), "", GeodataFormat::ConvDat),
            (
                "20_20_Classic_conv.dat",
                (20, 20),
                "_Classic",
                GeodataFormat::ConvDat,
            ),
            ("26_20_C4.l2j", (26, 20), "_C4", GeodataFormat::L2j),
            ("16_10.L2D", (16, 10), "", GeodataFormat::L2d),
            ("16_10.rp", (16, 10), "", GeodataFormat::Rp),
            ("11_12_path.txt", (11, 12), "", GeodataFormat::PathTxt),
            ("00_31.l2m", (0, 31), "", GeodataFormat::L2m),
            ("24_18.l2s", (24, 18), "", GeodataFormat::L2s),
        ];
        for (name, (x, y), suffix, format) in facts {
            let parsed = RegionFileName::parse(name).unwrap_or_else(|| panic!("{name}"));
            assert_eq!((parsed.id.x(), parsed.id.y()), (x, y), "{name}");
            assert_eq!((&*parsed.suffix, parsed.format), (suffix, format), "{name}");
            assert!(parsed.to_string().eq_ignore_ascii_case(name));
        }
    }

    #[test]
    fn other_names_are_none() {
        let others = [
            "22_16.dat",
            "2_16.l2j",
            "22-16.l2j",
            "32_16.l2j",
            "22_32.l2j",
            "222_16.l2j",
            "22_161.l2j",
            "l2j",
            ".l2j",
            "22_16",
            "+2_16.l2j",
            "é2_16.l2j",
            "_conv.dat",
            "22_16.l2jx",
        ];
        for name in others {
            assert_eq!(RegionFileName::parse(name), None, "{name}");
        }
    }

    #[test]
    fn formats_are_named_as_users_do() {
        for format in GeodataFormat::ALL {
            assert_eq!(GeodataFormat::from_word(format.ending()), Some(format));
        }
        assert_eq!(
            GeodataFormat::from_word("conv.dat"),
            Some(GeodataFormat::ConvDat)
        );
        assert_eq!(GeodataFormat::from_word("L2D"), Some(GeodataFormat::L2d));
        assert_eq!(GeodataFormat::from_word("bsp"), None);
    }
}
