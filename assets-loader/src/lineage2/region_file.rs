//! A region in whatever format it is stored.

use super::conv_dat::ConvDat;
use super::l2d::L2d;
use super::l2g::L2g;
use super::l2j::L2j;
use super::l2m::L2m;
use super::names::GeodataFormat;
use super::path_txt::PathTxt;
use super::region::Region;
use super::rp::Rp;
use super::{RegionId, Tolerance};
use crate::bytes::{Finding, FormatError, FormatErrorKind, Reader};

/// A typed file of any format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegionFile {
    /// Of the original server.
    ConvDat(ConvDat),
    /// Of community servers.
    L2j(L2j),
    /// With diagonals.
    L2d(L2d),
    /// Under a key.
    L2g(L2g),
    /// With offsets.
    L2m(L2m),
    /// With diagonals, under another name.
    Rp(Rp),
    /// As text.
    PathTxt(PathTxt),
}

impl RegionFile {
    /// Reads a whole file of a format; `id` is from its name.
    ///
    /// # Errors
    /// If the bytes are not what the format asks for; always for [`GeodataFormat::L2s`].
    pub fn read(
        format: GeodataFormat,
        id: RegionId,
        data: &[u8],
        tolerance: Tolerance,
    ) -> Result<Self, FormatError> {
        Ok(match format {
            GeodataFormat::ConvDat => Self::ConvDat(ConvDat::read_with(id, data, tolerance)?),
            GeodataFormat::L2j => Self::L2j(L2j::read_with(id, data, tolerance)?),
            GeodataFormat::L2d => Self::L2d(L2d::read_with(id, data, tolerance)?),
            GeodataFormat::L2g => Self::L2g(L2g::read_with(id, data, tolerance)?),
            GeodataFormat::L2m => Self::L2m(L2m::read_with(id, data, tolerance)?),
            GeodataFormat::Rp => Self::Rp(Rp::read_with(id, data, tolerance)?),
            GeodataFormat::PathTxt => Self::PathTxt(PathTxt::read(id, data)?),
            GeodataFormat::L2s => {
                let what = "a file that is locked to the address of its owner".to_owned();
                let kind = FormatErrorKind::Unsupported { what };
                return Err(Reader::new("l2s", data).error("key", kind));
            }
        })
    }

    /// The bytes of the file; the same that it was read from.
    ///
    /// # Errors
    /// If the format cannot hold the region: too many layers in a cell.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        match self {
            Self::ConvDat(file) => file.write(),
            Self::L2j(file) => file.write(),
            Self::L2d(file) => file.write(),
            Self::L2g(file) => file.write(),
            Self::L2m(file) => file.write(),
            Self::Rp(file) => file.write(),
            Self::PathTxt(file) => file.write(),
        }
    }

    /// What the document calls unusual (section 8).
    pub fn check(&self) -> Vec<Finding> {
        match self {
            Self::ConvDat(file) => file.check(),
            Self::L2j(file) => file.check(),
            Self::L2d(file) => file.check(),
            Self::L2g(file) => file.check(),
            Self::L2m(file) => file.check(),
            Self::Rp(file) => file.check(),
            Self::PathTxt(file) => file.check(),
        }
    }

    /// The blocks.
    pub fn region(&self) -> &Region {
        match self {
            Self::ConvDat(file) => file.region(),
            Self::L2j(file) => &file.region,
            Self::L2d(file) => &file.region,
            Self::L2g(file) => &file.l2j.region,
            Self::L2m(file) => file.region(),
            Self::Rp(file) => &file.l2d.region,
            Self::PathTxt(file) => &file.region,
        }
    }

    /// How it is stored.
    pub fn format(&self) -> GeodataFormat {
        match self {
            Self::ConvDat(_) => GeodataFormat::ConvDat,
            Self::L2j(_) => GeodataFormat::L2j,
            Self::L2d(_) => GeodataFormat::L2d,
            Self::L2g(_) => GeodataFormat::L2g,
            Self::L2m(_) => GeodataFormat::L2m,
            Self::Rp(_) => GeodataFormat::Rp,
            Self::PathTxt(_) => GeodataFormat::PathTxt,
        }
    }
}
