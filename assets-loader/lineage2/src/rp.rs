//! `X_Y.rp`: byte for byte the layout of `.l2d`. Dossier section 2.5.

use super::flat::FlatRule;
use super::l2d::L2d;
use super::region::Region;
use super::{RegionId, Tolerance};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader};

const FORMAT: &str = "rp";

/// A region under this name; all is as in [`L2d`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rp {
    /// What the file holds.
    pub l2d: L2d,
}

impl Rp {
    /// Reads a whole file; `id` is from its name.
    pub fn read(id: RegionId, data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(id, data, Tolerance::STRICT)
    }

    /// Reads a whole file, with leniency.
    pub fn read_with(id: RegionId, data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        let l2d = L2d::take(&mut Reader::new(FORMAT, data), id, tolerance)?;
        Ok(Self { l2d })
    }

    /// A file of any region, as in [`L2d::from_region`].
    pub fn from_region(region: &Region, rule: FlatRule) -> Self {
        Self {
            l2d: L2d::from_region(region, rule),
        }
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// As in [`L2d::write`].
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        self.l2d.write()
    }

    /// What the document calls unusual (section 8).
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = self.l2d.check();
        for finding in &mut findings {
            finding.format = FORMAT;
        }
        findings
    }
}
