//! `X_Y.l2m`: an `.l2j` whose multilayer blocks lead to every cell at once. Dossier section 2.5. Little-endian.
//!
//! A multilayer block has 64 words and then the layers. The low five bits of a word are the number of layers, the
//! others half the distance in bytes from the end of that word to the first layer of its cell.

#[cfg(test)]
mod tests;

use super::bytes_of_blocks::{
    BlockBuffer, ByteBlocks, CellForm, in_cell, layer_count, take_trailing, visit_blocks,
    whole_region,
};
use super::checks::check_region;
use super::flat::FlatRule;
use super::l2j::{BLOCKS, L2j};
use super::multilayer::{Columns, Multilayer};
use super::region::{Block, CELLS_PER_BLOCK, N_BLOCKS, Region};
use super::{RegionId, Tolerance};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Writer};

const FORMAT: &str = "l2m";

/// Most layers that five bits can count.
pub const MAX_L2M_LAYERS: usize = 31;

/// A region with a way to every cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct L2m {
    region: Region,
    /// Multilayer blocks whose layers do not follow each other at once: place and bytes, by place.
    loose_blocks: Vec<(usize, Vec<u8>)>,
    trailing: Vec<u8>,
}

impl L2m {
    /// Replaces a block.
    pub(super) fn set_block(&mut self, index: u16, block: Block) {
        let place = usize::from(index);
        self.loose_blocks.retain(|(at, _)| *at != place);
        if let Some(before) = self.region.blocks_mut().get_mut(place) {
            *before = block;
        }
    }

    /// Reads a whole file; `id` is from its name.
    pub fn read(id: RegionId, data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(id, data, Tolerance::STRICT)
    }

    /// Reads a whole file, with leniency.
    pub fn read_with(id: RegionId, data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let mut loose_blocks = Vec::new();
        let mut blocks = Vec::new();
        visit_blocks(
            &mut r,
            (N_BLOCKS, ByteBlocks::MIN_SIZE),
            |r, buffer, index| {
                BLOCKS.take_with(r, buffer, |r, buffer| {
                    let (columns, loose) = take_multilayer(r, buffer)?;
                    if let Some(bytes) = loose {
                        loose_blocks.push((index, bytes.to_vec()));
                    }
                    Ok(columns)
                })
            },
            |block| blocks.push(block.into()),
        )?;
        let region = whole_region(&r, id, blocks)?;
        let trailing = take_trailing(&mut r, tolerance)?;
        Ok(Self {
            region,
            loose_blocks,
            trailing,
        })
    }

    /// A file of any region; what is lost is as in [`L2j::from_region`].
    pub fn from_region(region: &Region, rule: FlatRule) -> Self {
        let L2j { region, trailing } = L2j::from_region(region, rule);
        Self {
            region,
            loose_blocks: Vec::new(),
            trailing,
        }
    }

    /// The blocks; flat ones have one word.
    pub fn region(&self) -> &Region {
        &self.region
    }

    pub(super) fn trailing(&self) -> &[u8] {
        &self.trailing
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// If a cell has more than [`MAX_L2M_LAYERS`] layers.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            region,
            loose_blocks,
            trailing,
        } = self;
        let mut w = Writer::new(FORMAT);
        let mut loose_blocks = loose_blocks.iter().peekable();
        for (index, block) in region.blocks().iter().enumerate() {
            let loose = loose_blocks.next_if(|(loose, _)| *loose == index);
            match (block, loose) {
                (Block::Multilayer(_), Some((_, bytes))) => {
                    w.u8(BLOCKS.multilayer);
                    w.bytes(bytes);
                }
                (Block::Multilayer(multilayer), None) => put_multilayer(&mut w, multilayer)?,
                (Block::Flat(_) | Block::Complex(_), _) => BLOCKS.put(&mut w, block)?,
            }
        }
        w.bytes(trailing);
        Ok(w.finish())
    }

    /// What the document calls unusual (section 8).
    pub fn check(&self) -> Vec<Finding> {
        check_region(FORMAT, &self.region, &self.trailing, None)
    }
}

/// The block, and its bytes if they cannot be had from it.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "64 cells, words of 16 bits, and offsets that were compared with each other"
)]
fn take_multilayer<'a, 'b>(
    r: &mut Reader<'a>,
    buffer: &'b mut BlockBuffer,
) -> Result<(Columns<'b>, Option<&'a [u8]>), FormatError> {
    let start = r.clone();
    let mut headers = [(0, 0, 0_usize); CELLS_PER_BLOCK];
    for (cell, header) in headers.iter_mut().enumerate() {
        let at = r.clone();
        let word = r.u16("cell word").map_err(|error| in_cell(error, cell))?;
        let count = usize::from(word & 0x1F);
        if count == 0 {
            let error = at.unexpected("layer count", format!("1 to {MAX_L2M_LAYERS}"), count);
            return Err(in_cell(error, cell));
        }
        // From the end of this word: the other words come first.
        let offset = usize::from(word >> 5) * 2;
        let n_words_after = CELLS_PER_BLOCK - 1 - cell;
        let Some(from_first_layer) = offset.checked_sub(2 * n_words_after) else {
            let error = at.unexpected("cell offset", "one behind the words", offset);
            return Err(in_cell(error, cell));
        };
        *header = (count, from_first_layer, at.position());
    }
    buffer.clear();
    let body = r.position();
    let mut n_taken = 0;
    let mut is_loose = false;
    for (cell, &(count, from_first_layer, header)) in headers.iter().enumerate() {
        if from_first_layer < n_taken {
            let at = start.sub("cell offset", header, 0)?;
            let error = at.unexpected(
                "cell offset",
                "one behind the cell before",
                from_first_layer,
            );
            return Err(in_cell(error, cell));
        }
        let gap = from_first_layer - n_taken;
        is_loose |= gap > 0;
        r.bytes("gap between cells", gap)
            .and_then(|_| r.bytes("layers", count * CellForm::Word.size()))
            .map(|layers| buffer.put_column(CellForm::Word, layers, (cell, count)))
            .map_err(|error| in_cell(error, cell))?;
        n_taken = r.position() - body;
    }
    let n_bytes = r.position() - start.position();
    let loose = is_loose
        .then(|| start.clone().bytes("block", n_bytes))
        .transpose()?;
    Ok((buffer.columns(CellForm::Word), loose))
}

#[expect(
    clippy::arithmetic_side_effects,
    reason = "64 cells, and layers in memory"
)]
fn put_multilayer(w: &mut Writer, multilayer: &Multilayer) -> Result<(), FormatError> {
    w.u8(BLOCKS.multilayer);
    let mut n_layers_before = 0;
    for (cell, column) in multilayer.columns().enumerate() {
        let count = u16::from(layer_count(w, column, MAX_L2M_LAYERS)?);
        let half_offset = CELLS_PER_BLOCK - 1 - cell + n_layers_before;
        // At most 63 * 31 layers come before, which eleven bits hold.
        w.u16((half_offset as u16) << 5 | count);
        n_layers_before += column.len();
    }
    CellForm::Word.put(w, multilayer.all_layers());
    Ok(())
}
