//! `*.raw`: a table of what colors become, for `color_correction` entities.
//!
//! Layout: Valve's developer wiki, "Color correction" (96 KiB, 32 entries along each axis); that red changes first and blue
//! last is from memory of the engine. Nothing but colors: red, green, blue of one byte each.

#[cfg(test)]
mod tests;

use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::format::{
    FileKind, Format, Match, PictureInfo, inherent_methods, no_picture,
};
use ironlands_assets_core::report::Report;

const FORMAT: &str = ColorLookup::NAME;

/// What each of the colors in equal steps from black to white becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColorLookup {
    /// `SIDE³` of them: red changes first, blue last.
    pub colors: Vec<[u8; 3]>,
}

impl Format for ColorLookup {
    type Context = ();

    const NAME: &'static str = "color_lookup";
    const EXTENSIONS: &'static [&'static str] = &["raw"];
    const KIND: FileKind = FileKind::Material;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, _: &[u8]) -> Option<Match> {
        name.ends_with(".raw").then_some(Match::Extension)
    }

    fn fits_len(_: &str, _: &[u8], file_len: u64) -> bool {
        file_len == Self::LEN as u64
    }

    fn describe(&self, report: &mut Report) {
        let [black, white] = self.ends();
        report.fact("entries along each axis", Self::SIDE);
        report.fact("black becomes", format!("{black:?}"));
        report.fact("white becomes", format!("{white:?}"));
        report.fact("entries that change", self.n_changing());
    }

    fn pictures(&self) -> Vec<PictureInfo> {
        vec![PictureInfo {
            label: "table: red and blue to the right, green down".to_owned(),
            size: [(Self::SIDE * Self::SIDE) as u32, Self::SIDE as u32],
        }]
    }

    fn picture(&self, index: usize) -> Result<Vec<u8>, FormatError> {
        if index > 0 {
            return Err(no_picture(FORMAT, index));
        }
        let pixels = (0..Self::SIDE).flat_map(|green| {
            (0..Self::SIDE).flat_map(move |blue| (0..Self::SIDE).map(move |red| [red, green, blue]))
        });
        let color = |at| self.at(at).unwrap_or_default();
        Ok(pixels
            .flat_map(|at| {
                let [r, g, b] = color(at);
                [r, g, b, u8::MAX]
            })
            .collect())
    }
}

impl ColorLookup {
    /// Entries along each axis.
    pub const SIDE: usize = 32;
    /// Bytes of a file.
    const LEN: usize = 3 * Self::SIDE * Self::SIDE * Self::SIDE;

    /// Reads a whole file.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let (colors, _) = r.bytes("colors", Self::LEN)?.as_chunks::<3>();
        r.finish("after the last color")?;
        Ok(Self {
            colors: colors.to_vec(),
        })
    }

    /// The bytes of the file.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { colors } = self;
        let mut w = Writer::new(FORMAT);
        w.bytes(colors.as_flattened());
        let data = w.finish();
        // A table of any other size is no file.
        Self::read(&data)?;
        Ok(data)
    }

    /// What is worth knowing.
    pub fn check(&self) -> Vec<Finding> {
        match self.n_changing() {
            0 => vec![Finding::new(Severity::Note, FORMAT, "it changes no color")],
            _ => Vec::new(),
        }
    }

    /// The table that gives each entry what `color` makes of it; in and out are red, green and blue, 0 to 255.
    pub fn draft(color: impl Fn([u8; 3]) -> [u8; 3]) -> Self {
        Self {
            colors: Self::entries().map(color).collect(),
        }
    }

    /// The colors that the entries stand for, in their order.
    fn entries() -> impl Iterator<Item = [u8; 3]> {
        let all = 0..Self::SIDE.pow(3);
        all.map(|index| {
            let at = [
                index % Self::SIDE,
                index / Self::SIDE % Self::SIDE,
                index / Self::SIDE / Self::SIDE,
            ];
            // Below 256.
            at.map(|it| (it.saturating_mul(255) / (Self::SIDE - 1)) as u8)
        })
    }

    /// What the entry at red, green and blue becomes.
    fn at(&self, [red, green, blue]: [usize; 3]) -> Option<[u8; 3]> {
        let row = blue.checked_mul(Self::SIDE)?.checked_add(green)?;
        let index = row.checked_mul(Self::SIDE)?.checked_add(red)?;
        self.colors.get(index).copied()
    }

    fn ends(&self) -> [[u8; 3]; 2] {
        let [first, last] = [self.colors.first(), self.colors.last()];
        [first, last].map(|it| it.copied().unwrap_or_default())
    }

    /// Entries that become another color than their own, by more than the rounding of one step.
    fn n_changing(&self) -> usize {
        let changes = |(to, from): (&[u8; 3], [u8; 3])| {
            to.iter().zip(from).any(|(to, from)| to.abs_diff(from) > 1)
        };
        self.colors
            .iter()
            .zip(Self::entries())
            .filter(|it| changes(*it))
            .count()
    }
}
