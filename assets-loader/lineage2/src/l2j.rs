//! `X_Y.l2j`: the layout of community servers. Dossier section 2.2. No header; little-endian.

#[cfg(test)]
mod tests;

use super::bytes_of_blocks::{ByteBlocks, CellForm, whole_region};
use super::checks::{BlockSizes, check_region};
use super::flat::{Flat, FlatRule};
use super::region::{Block, Region};
use super::{RegionId, Tolerance};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Writer};

pub(super) const FORMAT: &str = "l2j";

/// Bytes of the blocks, for the places of findings.
const SIZES: BlockSizes = BlockSizes {
    header: 0,
    flat: 3,
    complex: 129,
    columns: 65,
    layer: 2,
};

pub(super) const BLOCKS: ByteBlocks = ByteBlocks {
    flat: 0x00,
    complex: 0x01,
    multilayer: 0x02,
    form: CellForm::Word,
    flat_of_word: Flat::from_word,
};

/// A region as community servers store it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct L2j {
    /// The blocks; flat ones have one word.
    pub region: Region,
    /// Bytes after the last block; none unless tolerated.
    pub trailing: Vec<u8>,
}

impl L2j {
    /// Reads a whole file; `id` is from its name.
    pub fn read(id: RegionId, data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(id, data, Tolerance::STRICT)
    }

    /// Reads a whole file, with leniency.
    pub fn read_with(id: RegionId, data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        Self::take(&mut r, id, tolerance)
    }

    /// Reads from the cursor to its end.
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

    /// A file of any region. Of a flat block with two heights, one is kept by `rule`; heights are taken into the range
    /// of a word and rounded down to multiples of 8, and diagonals are left out.
    pub fn from_region(region: &Region, rule: FlatRule) -> Self {
        let mut region = region.clone();
        for block in region.blocks_mut() {
            if let Block::Flat(flat) = block {
                *flat = flat.in_one_word(rule);
            }
            for cell in block.stored_layers_mut() {
                *cell = cell.as_word();
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
        check_region(FORMAT, &self.region, &self.trailing, Some(&SIZES))
    }
}
