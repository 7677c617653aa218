//! Regions made by hand for the tests of all formats: the fixtures of dossier section 9.

use super::Tolerance;
use super::bytes_of_blocks::{ByteBlocks, visit_blocks};
use super::cell::{Cell, Nswe};
use super::flat::Flat;
use super::grid::RegionId;
use super::multilayer::Multilayer;
use super::region::{Block, CELLS_PER_BLOCK, Complex, N_BLOCKS, Region};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};
use ironlands_assets_proof::Rng;

pub(super) fn id() -> RegionId {
    RegionId::new(17, 25).unwrap()
}

pub(super) fn open(height: i16) -> Cell {
    Cell::new(height, Nswe::ALL_SIDES)
}

/// All sixteen combinations of sides, and the heights at which words turn.
pub(super) fn complex() -> Complex {
    let heights = [-16384, 16376, -8, 8];
    let mut cells = Box::new([Cell::default(); CELLS_PER_BLOCK]);
    for (at, cell) in cells.iter_mut().enumerate() {
        let nswe = Nswe::from_bits_truncate((at / 4) as u8 & 0xF);
        *cell = Cell::new(heights[at % 4], nswe);
    }
    cells
}

/// Cells with layers by `n_layers`, from high to low, 32 apart.
pub(super) fn multilayer(n_layers: impl Fn(usize) -> usize) -> Multilayer {
    let columns: Vec<Vec<Cell>> = (0..CELLS_PER_BLOCK)
        .map(|cell| {
            let layers = (0..n_layers(cell)).rev();
            let height = |layer| -2000 + 32 * layer as i16 + 8 * (cell as i16 % 3);
            layers
                .map(|layer| {
                    Cell::new(
                        height(layer),
                        Nswe::from_bits_truncate((cell + layer) as u8 & 0xF),
                    )
                })
                .collect()
        })
        .collect();
    Multilayer::new(columns.iter().map(Vec::as_slice)).unwrap()
}

/// A region with each kind of block: among flat ones that are nothing else, a complex one, a multilayer one of 1 to
/// `max_layers` layers, one whose cells have one layer each, and flat ones as both tools leave them.
pub(super) fn mixed(max_layers: usize) -> Region {
    let mut region = Region::flat(id(), -3728);
    let blocks = region.blocks_mut();
    blocks[0] = Block::Complex(complex());
    blocks[1] = Block::Multilayer(Box::new(multilayer(|cell| {
        1 + cell * (max_layers - 1) / 63
    })));
    blocks[2] = Block::Multilayer(Box::new(multilayer(|_| 1)));
    blocks[256] = Block::Flat(Flat::from_word(-4657));
    blocks[257] = Block::Complex(Box::new([open(-104); CELLS_PER_BLOCK]));
    blocks[N_BLOCKS - 1] = Block::Flat(Flat::from_height(3496));
    region
}

/// Any region of words, by a seed.
pub(super) fn random(seed: u64) -> Region {
    let mut rng = Rng::new(seed);
    let mut region = Region::flat(id(), (rng.below(4000) as i16 - 2000) * 8);
    for _ in 0..40 {
        let at = rng.below(N_BLOCKS);
        let mut cell = || Cell::from_word(rng.next_u64() as u16);
        let block = match at % 3 {
            0 => Block::Flat(Flat::from_height(cell().height)),
            1 => Block::Complex(Box::new([(); CELLS_PER_BLOCK].map(|()| cell()))),
            _ => {
                let columns: Vec<Vec<Cell>> = (0..CELLS_PER_BLOCK)
                    .map(|at| (0..=at % 5).map(|_| cell()).collect())
                    .collect();
                let multilayer = Multilayer::new(columns.iter().map(Vec::as_slice)).unwrap();
                Block::Multilayer(Box::new(multilayer.sorted()))
            }
        };
        region.blocks_mut()[at] = block;
    }
    region
}

/// Three blocks, read strictly, and nothing after them.
pub(super) fn read_three(
    format: &'static str,
    form: ByteBlocks,
    data: &[u8],
) -> Result<Vec<Block>, FormatError> {
    let mut r = Reader::new(format, data);
    let mut blocks = Vec::new();
    visit_blocks(
        &mut r,
        (3, ByteBlocks::MIN_SIZE),
        |r, buffer, _| form.take(r, Tolerance::STRICT, buffer),
        |block| blocks.push(block.into()),
    )?;
    r.finish("after the last block")?;
    Ok(blocks)
}

/// Blocks without any header.
pub(super) fn bytes_of(format: &'static str, form: ByteBlocks, blocks: &[Block]) -> Vec<u8> {
    let mut w = Writer::new(format);
    for block in blocks {
        form.put(&mut w, block).unwrap();
    }
    w.finish()
}
