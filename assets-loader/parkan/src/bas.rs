//! `*.bas`: the basement of a building: contours between which the land below it is closed (section 1.5).
//!
//! Document: "Parkan: what is settled since", section 1.5. Two sets of rings, in the building's axes: inside of the inner
//! ones the building has its own ground; outside of the outer ones there is land. All known rings are counterclockwise.
//!
//! Deliberately absent: the land that it cuts.

mod check;
#[cfg(test)]
pub(crate) mod tests;

use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::format::{Conversion, Fidelity, FileKind, Format, inherent_methods};
use ironlands_assets_core::report::Report;
use serde::{Deserialize, Serialize};

use crate::json;

const FORMAT: &str = Bas::NAME;
/// Bytes of a corner, and of the two words that an edge of an inner ring has.
const CORNER_SIZE: usize = 12;
const WORDS_SIZE: usize = 8;

/// The contours of a basement.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bas {
    /// One in known files.
    pub inner: Vec<InnerRing>,
    /// One in known files.
    pub outer: Vec<Ring>,
}

/// A closed contour.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ring {
    /// Corners, the first of which comes again as the last; never empty.
    pub corners: Vec<[f32; 3]>,
}

/// A contour with two words for each of its edges.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InnerRing {
    /// Its corners.
    pub ring: Ring,
    /// Two words for each edge, of unknown meaning: those of the first kind, then those of the second.
    pub words: [Vec<u32>; 2],
}

impl Format for Bas {
    type Context = ();

    const NAME: &'static str = "bas";
    const EXTENSIONS: &'static [&'static str] = &["bas"];
    const KIND: FileKind = FileKind::Table;

    inherent_methods!(read, write, check);

    fn describe(&self, report: &mut Report) {
        for (name, ring) in self.rings() {
            let n_edges = ring.n_edges();
            let area = ring.area();
            report.fact(name, format!("{n_edges} corners around {area:.2}"));
        }
    }

    fn conversions() -> &'static [Conversion] {
        const { &[json::conversion::<Self>(Fidelity::SameBytes)] }
    }
}

impl Bas {
    /// Reads the whole payload of an entry.
    ///
    /// # Errors
    /// Bytes cut short or left over, or a count that the bytes cannot hold.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let n_inner = r.count("inner ring count", Ring::MIN_SIZE)?;
        let inner = (0..n_inner)
            .map(|_| InnerRing::read(&mut r))
            .collect::<Result<_, _>>()?;
        let n_outer = r.count("outer ring count", Ring::MIN_SIZE)?;
        let outer = (0..n_outer)
            .map(|_| Ring::read(&mut r, CORNER_SIZE))
            .collect::<Result<_, _>>()?;
        r.finish("after the last ring")?;
        Ok(Self { inner, outer })
    }

    /// Writes the payload. Floats keep their bits.
    ///
    /// # Errors
    /// A ring without a corner, other than two words for each edge of an inner ring, or more of anything than its count
    /// can hold.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { inner, outer } = self;
        let mut w = Writer::new(FORMAT);
        w.count("inner ring count", inner.len())?;
        for ring in inner {
            ring.write(&mut w)?;
        }
        w.count("outer ring count", outer.len())?;
        for ring in outer {
            ring.write(&mut w)?;
        }
        Ok(w.finish())
    }

    /// All rings in file order, and what they are called.
    fn rings(&self) -> impl Iterator<Item = (&'static str, &Ring)> {
        let inner = self.inner.iter().map(|it| ("inner contour", &it.ring));
        inner.chain(self.outer.iter().map(|it| ("outer contour", it)))
    }
}

impl Ring {
    /// A count and a corner.
    const MIN_SIZE: usize = 4 + CORNER_SIZE;

    /// A ring through corners, none of which comes again.
    pub fn new(mut corners: Vec<[f32; 3]>) -> Self {
        corners.extend(corners.first().copied());
        Self { corners }
    }

    /// Corners and edges.
    pub fn n_edges(&self) -> usize {
        self.corners.len().saturating_sub(1)
    }

    /// The area that it surrounds in the plane; below 0 for one that goes clockwise as seen from above.
    pub fn area(&self) -> f64 {
        let edges = self.corners.iter().zip(self.corners.iter().skip(1));
        let crossed = edges.map(|(from, to)| {
            let [[ax, ay, _], [bx, by, _]] = [from, to].map(|it| it.map(f64::from));
            ax * by - bx * ay
        });
        0.5 * crossed.sum::<f64>()
    }

    /// Whether its last corner is its first.
    pub fn is_closed(&self) -> bool {
        let bits = |corner: &[f32; 3]| corner.map(f32::to_bits);
        self.corners.first().map(bits) == self.corners.last().map(bits)
    }

    /// `edge_size`: bytes that follow for each edge, at least.
    fn read(r: &mut Reader<'_>, edge_size: usize) -> Result<Self, FormatError> {
        let n_edges = r.count("corner count", edge_size)?;
        let corners = (0..=n_edges)
            .map(|_| r.f32x3("corner"))
            .collect::<Result<_, _>>()?;
        Ok(Self { corners })
    }

    fn write(&self, w: &mut Writer) -> Result<(), FormatError> {
        let Some(n_edges) = self.corners.len().checked_sub(1) else {
            return Err(w.unexpected("corner count", "at least one corner", 0));
        };
        w.count("corner count", n_edges)?;
        self.corners.iter().for_each(|corner| w.f32x3(*corner));
        Ok(())
    }
}

impl InnerRing {
    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        let ring = Ring::read(r, CORNER_SIZE.saturating_add(WORDS_SIZE))?;
        let mut words = |field| -> Result<Vec<u32>, FormatError> {
            (0..ring.n_edges()).map(|_| r.u32(field)).collect()
        };
        let words = [words("first edge word")?, words("second edge word")?];
        Ok(Self { ring, words })
    }

    fn write(&self, w: &mut Writer) -> Result<(), FormatError> {
        let Self { ring, words } = self;
        ring.write(w)?;
        for (field, words) in ["first edge word", "second edge word"]
            .into_iter()
            .zip(words)
        {
            if words.len() != ring.n_edges() {
                return Err(w.unexpected(field, "one for each edge", words.len()));
            }
            words.iter().for_each(|word| w.u32(*word));
        }
        Ok(())
    }
}
