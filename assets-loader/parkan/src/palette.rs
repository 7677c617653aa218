//! `*.PAL`: 256 colors, and what the mixture of any two of them is.
//!
//! Document: "Parkan: what is settled since", section 7.8. Fonts and pictures of 8 bits a pixel take their colors from it.

use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::findings::Findings;
use ironlands_assets_core::format::{FileKind, Format, inherent_methods};
use ironlands_assets_core::report::Report;

#[cfg(test)]
mod tests;

const FORMAT: &str = Palette::NAME;
/// Colors of a palette.
pub const N_COLORS: usize = 256;
const COLOR_SIZE: usize = 4;
const BLEND_MAGIC: &[u8; 4] = b"Ipol";
const N_BLENDS: usize = N_COLORS * N_COLORS;

/// A palette.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Palette {
    /// Blue, green, red, and a byte that is 0 in known files; [`N_COLORS`] of them.
    pub colors: Vec<[u8; COLOR_SIZE]>,
    /// For each color, row by row, the index of its mixture with each color; `None` in a file that ends before.
    pub blends: Option<Vec<u8>>,
}

impl Format for Palette {
    type Context = ();

    const NAME: &'static str = "palette";
    const EXTENSIONS: &'static [&'static str] = &["pal"];
    const KIND: FileKind = FileKind::Texture;

    inherent_methods!(read, write, check);

    fn describe(&self, report: &mut Report) {
        let mut colors = self.colors.clone();
        colors.sort_unstable();
        colors.dedup();
        report.fact("different colors", colors.len());
        let has_blends = if self.blends.is_some() { "yes" } else { "no" };
        report.fact("mixtures of colors", has_blends);
    }
}

impl Palette {
    /// Reads a whole file.
    ///
    /// # Errors
    /// Bytes cut short or left over, or another mark before the mixtures.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let colors = (0..N_COLORS)
            .map(|_| r.array("color"))
            .collect::<Result<_, _>>()?;
        let blends = match r.remaining() {
            0 => None,
            _ => {
                r.expect("mark of mixtures", BLEND_MAGIC)?;
                Some(r.bytes("mixtures", N_BLENDS)?.to_vec())
            }
        };
        r.finish("after the mixtures")?;
        Ok(Self { colors, blends })
    }

    /// Writes the file.
    ///
    /// # Errors
    /// Other than 256 colors, or other than 65,536 mixtures.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { colors, blends } = self;
        let mut w = Writer::new(FORMAT);
        if colors.len() != N_COLORS {
            return Err(w.unexpected("color", "256 of them", colors.len()));
        }
        w.bytes(colors.as_flattened());
        if let Some(blends) = blends {
            w.bytes(BLEND_MAGIC);
            if blends.len() != N_BLENDS {
                return Err(w.unexpected("mixtures", "65536 of them", blends.len()));
            }
            w.bytes(blends);
        }
        Ok(w.finish())
    }

    /// A fourth byte that is not 0, and mixtures of a color with itself that are another.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        let colors = self.colors.iter().enumerate();
        let fourth = colors.filter(|(_, [.., fourth])| *fourth != 0);
        findings.rule(
            Severity::Note,
            fourth.map(|(idx, [.., fourth])| {
                let offset = crate::record::record_offset(0, idx, COLOR_SIZE) as u64;
                (
                    Some(offset),
                    format!("color {idx} has a fourth byte {fourth}"),
                )
            }),
        );
        let of_itself = |idx: usize| {
            let blends = self.blends.as_ref()?;
            let mixed = *blends.get(idx.checked_mul(N_COLORS)?.checked_add(idx)?)?;
            let [own, found] = [idx, usize::from(mixed)].map(|it| self.colors.get(it));
            (own != found).then(|| {
                let message = format!("color {idx} mixed with itself is color {mixed}");
                (None, message)
            })
        };
        findings.rule(Severity::Note, (0..N_COLORS).filter_map(of_itself));
        findings.into_list()
    }
}
