//! Sub-lumps `dplt` and `dplh`: light of detail props that changes with time. Dossier section 9.1.

use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::format::{FileKind, Format, inherent_methods};
use ironlands_assets_core::record::Record;

const FORMAT: &str = DetailLights::NAME;

/// Lights of all detail props of a map; [`super::DetailObject`]s name ranges of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DetailLights {
    /// One after the other.
    pub lights: Vec<DetailLight>,
}

/// A light of a detail prop.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Record)]
pub struct DetailLight {
    /// Red, green, blue, and a signed exponent.
    #[field("light color")]
    pub lighting: [u8; 4],
    /// Its style (section 4.4).
    #[field("light style")]
    pub style: u8,
}

impl Format for DetailLights {
    type Context = ();

    const NAME: &'static str = "dplt";
    const EXTENSIONS: &'static [&'static str] = &[];
    const KIND: FileKind = FileKind::Level;

    inherent_methods!(write);

    fn read(data: &[u8], (): &()) -> Result<Self, FormatError> {
        Self::read(data)
    }
}

impl DetailLights {
    /// The only version that is known.
    pub const VERSION: u16 = 0;
    /// Bytes of a light.
    const SIZE: usize = 5;

    /// Reads the decompressed content of the sub-lump.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let lights = (0..r.count("light count", Self::SIZE)?)
            .map(|_| DetailLight::read(&mut r, ()))
            .collect::<Result<_, _>>()?;
        r.finish("after the last light")?;
        Ok(Self { lights })
    }

    /// The content of the sub-lump.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { lights } = self;
        let mut w = Writer::new(FORMAT);
        w.count("light count", lights.len())?;
        for light in lights {
            light.write(&mut w, ())?;
        }
        Ok(w.finish())
    }
}
