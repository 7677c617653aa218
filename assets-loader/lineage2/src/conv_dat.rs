//! `X_Y_conv.dat`: the layout of the original server. Dossier section 2.3. Little-endian.

#[cfg(test)]
mod tests;

use super::bytes_of_blocks::{BlockBuffer, CellForm, take_trailing, visit_blocks, whole_region};
use super::checks::{BlockSizes, check_region};
use super::flat::Flat;
use super::region::{Block, BlockRef, CELLS_PER_BLOCK, MAX_LAYERS, N_BLOCKS, Region};
use super::{RegionId, Tolerance};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::record::Record;

pub(super) const FORMAT: &str = "conv_dat";

/// Bytes of the blocks, for the places of findings.
const SIZES: BlockSizes = BlockSizes {
    header: ConvDatHeader::SIZE as u64,
    flat: 6,
    complex: 130,
    columns: 130,
    layer: 2,
};

const TYPE_FLAT: u16 = 0x0000;
const TYPE_COMPLEX: u16 = 0x0040;

/// A region as the original server stores it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConvDat {
    header: ConvDatHeader,
    region: Region,
    /// Type words of multilayer blocks that are not their number of layers, as some tools write them: place and word.
    odd_types: Vec<(usize, u16)>,
    trailing: Vec<u8>,
}

/// What a file holds besides its blocks, as in [`ConvDat`].
pub(super) struct BesidesBlocks {
    header: ConvDatHeader,
    odd_types: Vec<(usize, u16)>,
    trailing: Vec<u8>,
}

/// The first 18 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Record)]
pub struct ConvDatHeader {
    /// First number of the region; the file's name is trusted rather than this.
    #[field("region x")]
    pub region_x: u8,
    /// Second number of the region.
    #[field("region y")]
    pub region_y: u8,
    /// 128 in all real files, perhaps the size of a block.
    #[field("unknown_02")]
    pub unknown_02: u16,
    /// 16 in all real files, perhaps the size of a cell.
    #[field("unknown_04")]
    pub unknown_04: u16,
    /// Cell-layers of all blocks that are not flat.
    #[field("cell count")]
    pub n_cells: u32,
    /// Flat and complex blocks.
    #[field("non-multilayer block count")]
    pub n_single_layer_blocks: u32,
    /// Flat blocks.
    #[field("flat block count")]
    pub n_flat_blocks: u32,
}

impl ConvDatHeader {
    /// The header that belongs to a region.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "counts of 65,536 blocks of at most 64 * 255 layers"
    )]
    pub fn from_region(region: &Region) -> Self {
        let (mut n_cells, mut n_single_layer_blocks, mut n_flat_blocks) = (0, 0, 0);
        for block in region.blocks() {
            // 65,536 blocks of at most 64 * 255 layers stay below 2^31.
            n_cells += block.stored_layers().len() as u32;
            n_single_layer_blocks += u32::from(!matches!(block, Block::Multilayer(_)));
            n_flat_blocks += u32::from(matches!(block, Block::Flat(_)));
        }
        Self {
            region_x: region.id.x(),
            region_y: region.id.y(),
            unknown_02: 0x80,
            unknown_04: 0x10,
            n_cells,
            n_single_layer_blocks,
            n_flat_blocks,
        }
    }
}

impl ConvDat {
    /// Bytes of the smallest block, a flat one.
    const MIN_BLOCK_SIZE: usize = 6;

    /// Replaces a block. The counts of the header change with it, so that those of a file that has others stay what they
    /// are apart from that.
    pub(super) fn set_block(&mut self, index: u16, block: Block) {
        let place = usize::from(index);
        let Some(before) = self.region.blocks_mut().get_mut(place) else {
            return;
        };
        let counts = |block: &Block| {
            let n_layers = u32::try_from(block.stored_layers().len()).unwrap_or_default();
            let is_single = u32::from(!matches!(block, Block::Multilayer(_)));
            (
                n_layers,
                is_single,
                u32::from(matches!(block, Block::Flat(_))),
            )
        };
        let (old, new) = (counts(before), counts(&block));
        let changed = |count: u32, old: u32, new: u32| count.wrapping_sub(old).wrapping_add(new);
        let header = &mut self.header;
        header.n_cells = changed(header.n_cells, old.0, new.0);
        header.n_single_layer_blocks = changed(header.n_single_layer_blocks, old.1, new.1);
        header.n_flat_blocks = changed(header.n_flat_blocks, old.2, new.2);
        self.odd_types.retain(|(at, _)| *at != place);
        *before = block;
    }

    /// Reads a whole file; `id` is from its name.
    pub fn read(id: RegionId, data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(id, data, Tolerance::STRICT)
    }

    /// Reads a whole file, with leniency. The header and the type words of multilayer blocks are kept and never
    /// relied on.
    pub fn read_with(id: RegionId, data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        let mut blocks = Vec::new();
        let mut r = Reader::new(FORMAT, data);
        let BesidesBlocks {
            header,
            odd_types,
            trailing,
        } = Self::visit(&mut r, tolerance, |block| blocks.push(block.into()))?;
        Ok(Self {
            header,
            region: whole_region(&r, id, blocks)?,
            odd_types,
            trailing,
        })
    }

    /// Reads a whole file and calls `each` with every block.
    pub(super) fn visit(
        r: &mut Reader<'_>,
        tolerance: Tolerance,
        each: impl FnMut(BlockRef<'_>),
    ) -> Result<BesidesBlocks, FormatError> {
        let header = ConvDatHeader::read(r, ())?;
        let mut odd_types = Vec::new();
        visit_blocks(
            r,
            (N_BLOCKS, Self::MIN_BLOCK_SIZE),
            |r, buffer, index| {
                take_block(r, tolerance, buffer, |word| odd_types.push((index, word)))
            },
            each,
        )?;
        Ok(BesidesBlocks {
            header,
            odd_types,
            trailing: take_trailing(r, tolerance)?,
        })
    }

    /// A file of any region. Multilayer blocks with one layer a cell become complex ones: their type word would be
    /// that of a complex block, and every reader would lose its place. Heights of cells are taken into the range of a
    /// word and rounded down to multiples of 8, and diagonals are left out.
    pub fn from_region(region: &Region) -> Self {
        let mut region = region.clone();
        for block in region.blocks_mut() {
            for cell in block.stored_layers_mut() {
                *cell = cell.as_word();
            }
            match block {
                Block::Flat(flat) => *flat = flat.in_two_words(),
                Block::Complex(_) => {}
                Block::Multilayer(multilayer) => {
                    if let Ok(cells) = Box::try_from(multilayer.all_layers().to_vec()) {
                        *block = Block::Complex(cells);
                    }
                }
            }
        }
        Self {
            header: ConvDatHeader::from_region(&region),
            region,
            odd_types: Vec::new(),
            trailing: Vec::new(),
        }
    }

    /// The same with the header and the type words that belong to the blocks, and nothing after them.
    #[must_use]
    pub fn repaired(&self) -> Self {
        Self::from_region(&self.region)
    }

    /// The blocks; flat ones have two words.
    pub fn region(&self) -> &Region {
        &self.region
    }

    /// The blocks alone.
    pub fn into_region(self) -> Region {
        self.region
    }

    pub(super) fn trailing(&self) -> &[u8] {
        &self.trailing
    }

    /// The header as it was read.
    pub fn header(&self) -> &ConvDatHeader {
        &self.header
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// If a cell has more than [`MAX_LAYERS`] layers.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self {
            header,
            region,
            odd_types,
            trailing,
        } = self;
        let mut w = Writer::new(FORMAT);
        header.write(&mut w, ())?;
        let mut odd_types = odd_types.iter().peekable();
        for (index, block) in region.blocks().iter().enumerate() {
            let odd_type = odd_types.next_if(|(odd, _)| *odd == index);
            put_block(&mut w, block, odd_type.map(|(_, word)| *word))?;
        }
        w.bytes(trailing);
        Ok(w.finish())
    }

    /// What the document calls unusual (section 8).
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "counts of 65,536 blocks of at most 64 * 255 layers"
    )]
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = self.check_header();
        let mut warn = |message: String| {
            findings.push(Finding::new(Severity::Warning, FORMAT, message));
        };
        if let Some((index, word)) = self.odd_types.first() {
            let n = self.odd_types.len();
            warn(format!(
                "{n} multilayer blocks whose type word is not their number of layers, the first is block {index} \
                 with {word}; not made by the original tools"
            ));
        }
        let flats = self.region.blocks().iter().filter_map(|block| match block {
            Block::Flat(flat) => Some(flat),
            Block::Complex(_) | Block::Multilayer(_) => None,
        });
        let (mut n_turned, mut n_wide) = (0, 0);
        for flat in flats {
            n_turned += usize::from(flat.first_word() < flat.second_word());
            n_wide += usize::from(i32::from(flat.high()) - i32::from(flat.low()) > 32);
        }
        if n_turned > 0 {
            warn(format!(
                "{n_turned} flat blocks whose first height is the lower one"
            ));
        }
        if n_wide > 0 {
            warn(format!(
                "{n_wide} flat blocks whose heights are more than 32 apart"
            ));
        }
        findings.extend(check_region(
            FORMAT,
            &self.region,
            &self.trailing,
            Some(&SIZES),
        ));
        findings
    }

    fn check_header(&self) -> Vec<Finding> {
        let found = &self.header;
        let right = ConvDatHeader::from_region(&self.region);
        let fields = [
            (
                0,
                "region x",
                u32::from(found.region_x),
                u32::from(right.region_x),
            ),
            (
                1,
                "region y",
                u32::from(found.region_y),
                u32::from(right.region_y),
            ),
            (
                2,
                "unknown_02",
                u32::from(found.unknown_02),
                u32::from(right.unknown_02),
            ),
            (
                4,
                "unknown_04",
                u32::from(found.unknown_04),
                u32::from(right.unknown_04),
            ),
            (6, "cell count", found.n_cells, right.n_cells),
            (
                10,
                "non-multilayer block count",
                found.n_single_layer_blocks,
                right.n_single_layer_blocks,
            ),
            (
                14,
                "flat block count",
                found.n_flat_blocks,
                right.n_flat_blocks,
            ),
        ];
        let wrong = fields
            .into_iter()
            .filter(|(.., found, right)| found != right);
        let reported = wrong.map(|(offset, field, found, right)| {
            let message = format!("the header says {field} {found}, it is {right}");
            Finding::new(Severity::Warning, FORMAT, message).at(offset)
        });
        reported.collect()
    }

    /// Bytes of the file before the first block.
    pub const HEADER_SIZE: usize = ConvDatHeader::SIZE;
}

/// Takes a block; `note_odd_type` gets its type word if that is not the one that the block needs.
fn take_block<'b>(
    r: &mut Reader<'_>,
    tolerance: Tolerance,
    buffer: &'b mut BlockBuffer,
    note_odd_type: impl FnOnce(u16),
) -> Result<BlockRef<'b>, FormatError> {
    let word = u16::from_le_bytes(r.peek("block type")?);
    if word != TYPE_FLAT && word < TYPE_COMPLEX {
        return Err(wrong_type(r, word));
    }
    r.u16("block type")?;
    match word {
        TYPE_FLAT => {
            let first = r.i16("flat height")?;
            let second = r.i16("flat lower height")?;
            Ok(BlockRef::Flat(Flat::from_pair(first, second)))
        }
        TYPE_COMPLEX => CellForm::Word.take_complex(r, buffer),
        _ => {
            let columns = CellForm::Word.take_columns::<2>(r, tolerance, buffer)?;
            if usize::from(word) != columns.all_layers().len() {
                note_odd_type(word);
            }
            Ok(BlockRef::Multilayer(columns))
        }
    }
}

#[cold]
fn wrong_type(r: &Reader<'_>, word: u16) -> FormatError {
    r.unexpected("block type", "0, 64 or a number of layers above 64", word)
}

fn put_block(w: &mut Writer, block: &Block, odd_type: Option<u16>) -> Result<(), FormatError> {
    match block {
        Block::Flat(flat) => {
            w.u16(TYPE_FLAT);
            w.i16(flat.first_word());
            w.i16(flat.second_word());
        }
        Block::Complex(cells) => {
            w.u16(TYPE_COMPLEX);
            CellForm::Word.put(w, &cells[..]);
        }
        Block::Multilayer(multilayer) => {
            let n_layers = multilayer.all_layers().len();
            debug_assert!(odd_type.is_some() || n_layers > CELLS_PER_BLOCK);
            match odd_type {
                Some(word) => w.u16(word),
                None => w.count_u16("block type", n_layers)?,
            }
            for column in multilayer.columns() {
                if column.len() > MAX_LAYERS {
                    return Err(w.too_large("layer count", column.len() as u64, MAX_LAYERS as u64));
                }
                w.count_u16("layer count", column.len())?;
                CellForm::Word.put(w, column);
            }
        }
    }
    Ok(())
}
