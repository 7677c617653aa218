//! `*_l_N.lmp`: a lump that replaces that of the map beside it (dossier section 1.8).

#[cfg(test)]
mod tests;

use super::lump_id::LumpId;
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_core::format::{FileKind, Format, inherent_methods};

const FORMAT: &str = PatchFile::NAME;
const HEADER_SIZE: u32 = 20;
/// Offset of the map revision.
const REVISION_OFFSET: u64 = 16;

/// One lump of a map in a file of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchFile {
    /// Which lump is replaced.
    pub id: LumpId,
    /// Its version.
    pub version: u32,
    /// The revision of the map that it is for.
    pub map_revision: i32,
    /// The lump.
    pub data: Vec<u8>,
}

impl Format for PatchFile {
    type Context = ();

    const NAME: &'static str = "lmp";
    const EXTENSIONS: &'static [&'static str] = &[];
    const KIND: FileKind = FileKind::Level;

    inherent_methods!(read, write);
}

impl PatchFile {
    /// Reads a whole file. Errors: a header of another size, no such lump, more or fewer bytes than the header states.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        r.expect("lump offset", &HEADER_SIZE.to_le_bytes())?;
        let at = r.clone();
        let id = r.u32("lump id")?;
        let Some(&id) = LumpId::ALL.get(id as usize) else {
            return Err(at.unexpected("lump id", "0 to 63", id));
        };
        let version = r.u32("lump version")?;
        let len = r.u32("lump length")?;
        let map_revision = r.i32("map revision")?;
        let data = r.bytes("lump", len as usize)?.to_vec();
        r.finish("after the lump")?;
        Ok(Self {
            id,
            version,
            map_revision,
            data,
        })
    }

    /// Writes the file; read back, it is the same. Errors: a lump of 4 GiB.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            id,
            version,
            map_revision,
            data,
        } = self;
        let mut w = Writer::new(FORMAT);
        w.u32(HEADER_SIZE);
        w.count("lump id", id.index())?;
        w.u32(*version);
        w.count("lump length", data.len())?;
        w.i32(*map_revision);
        w.bytes(data);
        Ok(w.finish())
    }

    pub(super) fn wrong_revision(&self, map_revision: i32) -> FormatError {
        Reader::nested(FORMAT, &[], REVISION_OFFSET).unexpected(
            "map revision",
            format!("{map_revision}, as in the map"),
            self.map_revision,
        )
    }
}
