//! `X_Y.l2d`: sides and heights apart, with diagonals said aloud. Dossier section 2.4. No header; little-endian.

#[cfg(test)]
mod tests;

use super::bytes_of_blocks::{ByteBlocks, CellForm, whole_region};
use super::checks::{BlockSizes, check_diagonals, check_region};
use super::diagonals::derive_diagonals;
use super::flat::{Flat, FlatRule};
use super::region::{Block, Region};
use super::{RegionId, Tolerance};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Writer};

pub(super) const FORMAT: &str = "l2d";

/// Bytes of the blocks, for the places of findings.
const SIZES: BlockSizes = BlockSizes {
    header: 0,
    flat: 3,
    complex: 193,
    columns: 65,
    layer: 3,
};

pub(super) const BLOCKS: ByteBlocks = ByteBlocks {
    flat: 0xD0,
    complex: 0xD1,
    multilayer: 0xD2,
    form: CellForm::NsweAndHeight,
    flat_of_word: Flat::from_height,
};

/// A region with diagonals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct L2d {
    /// The blocks; flat ones have one height, cells have diagonals.
    pub region: Region,
    /// Bytes after the last block; none unless tolerated.
    pub trailing: Vec<u8>,
}

impl L2d {
    /// Reads a whole file; `id` is from its name.
    pub fn read(id: RegionId, data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(id, data, Tolerance::STRICT)
    }

    /// Reads a whole file, with leniency.
    pub fn read_with(id: RegionId, data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        Self::take(&mut Reader::new(FORMAT, data), id, tolerance)
    }

    pub(super) fn take(
        r: &mut Reader<'_>,
        id: RegionId,
        tolerance: Tolerance,
    ) -> Result<Self, FormatError> {
        let mut blocks = Vec::new();
        let trailing = BLOCKS.visit(r, tolerance, |block| blocks.push(block.into()))?;
        let region = whole_region(r, id, blocks)?;
        Ok(Self { region, trailing })
    }

    /// A file of any region: diagonals are derived from its sides, and of a flat block with two heights one is kept by
    /// `rule`. Bits of a flat block's word that are no part of its height are left out.
    pub fn from_region(region: &Region, rule: FlatRule) -> Self {
        Self::with_diagonals_of(&derive_diagonals(region), rule)
    }

    /// The same with the diagonals that the region has already.
    pub(super) fn with_diagonals_of(region: &Region, rule: FlatRule) -> Self {
        let mut region = region.clone();
        for block in region.blocks_mut() {
            if let Block::Flat(flat) = block {
                *flat = flat.in_one_height(rule);
            }
        }
        Self {
            region,
            trailing: Vec::new(),
        }
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// If a cell has more than [`MAX_LAYERS`](super::MAX_LAYERS) layers.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { region, trailing } = self;
        let mut w = Writer::new(FORMAT);
        for block in region.blocks() {
            BLOCKS.put(&mut w, block)?;
        }
        w.bytes(trailing);
        Ok(w.finish())
    }

    /// What the document calls unusual (section 8).
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = check_region(FORMAT, &self.region, &self.trailing, Some(&SIZES));
        findings.extend(check_diagonals(FORMAT, &self.region));
        findings
    }
}
