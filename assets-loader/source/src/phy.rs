//! `*.phy`: what a studio model collides with. Dossier section 7.7 has the framing, which lump 29 shares; the header is
//! four words: its size, an id, the number of solids, the checksum of the model.
//!
//! Deliberately absent: what is inside of a solid (`crate::collision`), and the meaning of the text.

#[cfg(test)]
mod tests;

use ironlands_assets_core::bytes::{
    Finding, FormatError, FormatErrorKind, Reader, Severity, Writer,
};
use ironlands_assets_core::format::{FileKind, Format, Match, inherent_methods};
use ironlands_assets_core::report::Report;

use crate::collision::{Shape, shapes_of};

const FORMAT: &str = Phy::NAME;
const HEADER_SIZE: u32 = 16;

/// The collision shapes of a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Phy {
    /// Mostly 0.
    pub unknown_04: u32,
    /// That of the model's other files.
    pub checksum: u32,
    /// Solids, each as the bytes of its shape.
    pub solids: Vec<Vec<u8>>,
    /// Masses, joints and the like as text that ends with NUL.
    pub text: Vec<u8>,
}

impl Format for Phy {
    type Context = ();

    const NAME: &'static str = "phy";
    const EXTENSIONS: &'static [&'static str] = &["phy"];
    const KIND: FileKind = FileKind::Model;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, _: &[u8]) -> Option<Match> {
        name.ends_with(".phy").then_some(Match::Extension)
    }

    fn describe(&self, report: &mut Report) {
        report.fact("checksum", format!("{:08x}", self.checksum));
        report.fact("solids", self.solids.len());
        let shapes = self.shapes().filter_map(Result::ok);
        let n_hulls = shapes.map(|shape| match shape {
            Shape::Hulls(hulls) => hulls.len(),
            Shape::Terrain => 0,
        });
        report.fact("hulls", n_hulls.fold(0, usize::saturating_add));
    }
}

impl Phy {
    /// Reads a whole file.
    ///
    /// # Errors
    /// A header of another size, more solids than the file can hold, a solid that leaves the file.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        r.expect("header size", &HEADER_SIZE.to_le_bytes())?;
        let unknown_04 = r.u32("id")?;
        let at_count = r.clone();
        let n_solids = r.u32("solid count")?;
        let checksum = r.u32("checksum")?;
        let size_len = size_of::<u32>();
        if (n_solids as usize).saturating_mul(size_len) > r.remaining() {
            let kind = FormatErrorKind::CountTooLarge {
                count: n_solids.into(),
                item_size: size_len as u64,
                available: r.remaining() as u64,
            };
            return Err(at_count.error("solid count", kind));
        }
        let mut solids = Vec::new();
        for _ in 0..n_solids {
            let size = r.count("solid size", 1)?;
            solids.push(r.bytes("solid", size)?.to_vec());
        }
        Ok(Self {
            unknown_04,
            checksum,
            solids,
            text: r.rest().to_vec(),
        })
    }

    /// Writes the file.
    ///
    /// # Errors
    /// More solids or bytes than 32 bits count.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            unknown_04,
            checksum,
            solids,
            text,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.u32(HEADER_SIZE);
        w.u32(*unknown_04);
        w.count("solid count", solids.len())?;
        w.u32(*checksum);
        for solid in solids {
            w.count("solid size", solid.len())?;
            w.bytes(solid);
        }
        w.bytes(text);
        Ok(w.finish())
    }

    /// The shape of each solid.
    pub fn shapes(&self) -> impl Iterator<Item = Result<Shape, FormatError>> {
        shapes_of(FORMAT, &self.solids, HEADER_SIZE.into())
    }

    /// What is unusual: text that does not end with NUL, as that of a file that was cut; solids that cannot be read.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if !self.text.is_empty() && !self.text.ends_with(&[0]) {
            let message = "the text does not end with NUL: the file may be cut";
            findings.push(Finding::new(Severity::Warning, FORMAT, message));
        }
        for (number, shape) in self.shapes().enumerate() {
            if let Err(error) = shape {
                let message = format!("solid {number}: {error}");
                findings.push(Finding::new(Severity::Warning, FORMAT, message));
            }
        }
        findings
    }
}
