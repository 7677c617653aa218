//! Conversions between every two formats of geodata, compared cell by cell, on made regions; real ones go through the
//! same in `geodata`.

#[path = "files/cell_by_cell.rs"]
mod cell_by_cell;

use cell_by_cell::{FORMATS, checked};
use ironlands_assets_lineage2::conv_dat::ConvDat;
use ironlands_assets_lineage2::convert::{ConvertOptions, LossKind, convert};
use ironlands_assets_lineage2::l2d::L2d;
use ironlands_assets_lineage2::l2j::L2j;
use ironlands_assets_lineage2::path_txt::PathTxt;
use ironlands_assets_lineage2::{
    Block, Cell, Flat, FlatRule, GeodataFormat, Multilayer, Nswe, Region, RegionFile, RegionId,
};

fn id() -> RegionId {
    RegionId::new(20, 18).unwrap()
}

/// Sea as community files have it, with sides in the low bits of its height.
const SEA: i16 = -4657;

/// A shore: sea with low bits, and beside it cells whose diagonals depend on how high it is; a block of several layers,
/// one with one layer per cell, one of equal cells, one that can be made flat.
fn shore(sea: Flat) -> Region {
    let mut region = Region::flat(id(), -4672);
    let blocks = region.blocks_mut();
    blocks.fill(Block::Flat(sea));
    // Down from the sea: which of its cells have diagonals depends on whether the sea is less than 48 up.
    let slope = |at: usize| Cell::new(-4728 + 8 * (at / 8) as i16, Nswe::ALL_SIDES);
    blocks[513] = Block::Complex(Box::new(std::array::from_fn(slope)));
    let closed = |at: usize| Cell::new(-4672, Nswe::from_bits_truncate(at as u8 & 0xF));
    blocks[770] = Block::Complex(Box::new(std::array::from_fn(closed)));
    let column = |at: usize| {
        let layers = (0..=at % 4)
            .rev()
            .map(move |layer| layer as i16 * 64 - 4672);
        let layers = layers.map(move |z| Cell::new(z, Nswe::from_bits_truncate(at as u8 & 0xF)));
        layers.collect::<Vec<_>>()
    };
    let multilayer = |column: &dyn Fn(usize) -> Vec<Cell>| {
        let columns: Vec<Vec<Cell>> = (0..64).map(column).collect();
        let block = Multilayer::new(columns.iter().map(Vec::as_slice)).unwrap();
        Block::Multilayer(Box::new(block))
    };
    blocks[1027] = multilayer(&column);
    blocks[1028] = multilayer(&|at| vec![Cell::new(8 * (at as i16 % 5), Nswe::ALL_SIDES)]);
    blocks[1029] = multilayer(&|at| vec![closed(at)]);
    blocks[1284] = Block::Complex(Box::new([Cell::new(-104, Nswe::ALL_SIDES); 64]));
    blocks[1541] = Block::Flat(Flat::from_height(-4664));
    region
}

/// The same as each kind of source would have it, with what that kind alone can hold.
fn sources() -> Vec<RegionFile> {
    let l2j = L2j::from_region(&shore(Flat::from_word(SEA)), FlatRule::Max);
    let mut pairs = shore(Flat::from_pair(-4640, -4672));
    pairs.blocks_mut()[3] = Block::Flat(Flat::from_pair(-4672, -4640));
    pairs.blocks_mut()[4] = Block::Flat(Flat::from_pair(12, 12));
    pairs.blocks_mut()[5] = Block::Flat(Flat::from_pair(SEA, -4689));
    let mut l2d = L2d::from_region(&shore(Flat::from_height(SEA)), FlatRule::Max);
    let odd = |at: usize| match at {
        3 => Cell::new(20_000, Nswe::all()),
        4 => Cell::new(-20_001, Nswe::ALL_SIDES),
        _ => Cell::new(at as i16 % 34, Nswe::ALL_SIDES | Nswe::SOUTH_EAST),
    };
    l2d.region.blocks_mut()[2000] = Block::Complex(Box::new(std::array::from_fn(odd)));
    // 33 apart; 32 where heights are multiples of 8.
    let nearly_flat = |at: usize| Cell::new(if at == 9 { 33 } else { 0 }, Nswe::all());
    l2d.region.blocks_mut()[2001] = Block::Complex(Box::new(std::array::from_fn(nearly_flat)));
    let mut blocked = shore(Flat::from_height(7));
    let wall = |_| Cell::new(16_383, Nswe::empty());
    blocked.blocks_mut()[9] = Block::Complex(Box::new(std::array::from_fn(wall)));
    vec![
        RegionFile::L2j(l2j),
        RegionFile::ConvDat(ConvDat::from_region(&pairs)),
        RegionFile::L2d(l2d),
        RegionFile::PathTxt(PathTxt::from_region(&blocked, FlatRule::Max)),
    ]
}

#[test]
fn what_differs_between_every_two_formats_is_what_is_reported() {
    let is_text = |format: &GeodataFormat| *format == GeodataFormat::PathTxt;
    for (number, source) in sources().iter().enumerate() {
        for flat_rule in [FlatRule::Max, FlatRule::Min, FlatRule::Average] {
            let options = ConvertOptions {
                flat_rule,
                key: 0x1234_5678,
                ..ConvertOptions::default()
            };
            for first in FORMATS {
                // A whole region as text is slow: once from each source, and once from each format.
                if is_text(&first) && flat_rule != FlatRule::Max {
                    continue;
                }
                let there = checked(source, first, &options).unwrap();
                let has_texts = number == 0 && flat_rule == FlatRule::Max;
                for second in FORMATS.iter().filter(|it| has_texts || !is_text(it)) {
                    checked(&there, *second, &options).unwrap();
                }
            }
        }
    }
}

/// Low bits of a flat height are no part of it: not in formats that could hold them as one, and not on the way back.
#[test]
fn low_bits_of_flat_heights_raise_no_ground() {
    let l2j = RegionFile::L2j(L2j::from_region(
        &shore(Flat::from_word(SEA)),
        FlatRule::Max,
    ));
    let options = ConvertOptions::default();
    for to in [GeodataFormat::L2d, GeodataFormat::Rp] {
        let there = convert(&l2j, to, &options).unwrap();
        let Block::Flat(sea) = there.file.region().blocks()[0] else {
            panic!("flat stays flat");
        };
        assert_eq!((sea.high(), sea.first_word()), (-4672, -4672), "{to}");
        let lost: Vec<_> = there.losses.iter().map(|loss| loss.kind).collect();
        assert_eq!(lost, [LossKind::FlatLowBits], "{to}");
        let back = convert(&there.file, GeodataFormat::L2j, &options).unwrap();
        assert_eq!(back.losses, [], "{to}");
    }
}

#[test]
fn flattening_takes_all_blocks_that_can_be_flat_and_leaves_none() {
    let options = ConvertOptions {
        flatten: true,
        ..ConvertOptions::default()
    };
    for source in sources() {
        for to in FORMATS {
            let once = checked(&source, to, &options).unwrap();
            let twice = convert(&once, to, &options).unwrap();
            assert_eq!(twice.losses, [], "{} to {to}", source.format());
            assert!(twice.file.write().unwrap() == once.write().unwrap(), "{to}");
        }
    }
    // The complex block of equal cells and the open multilayer one with one layer per cell; not the slope, the closed one
    // and the one with several layers.
    let l2j = RegionFile::L2j(L2j::from_region(
        &shore(Flat::from_word(SEA)),
        FlatRule::Max,
    ));
    let flat = convert(&l2j, GeodataFormat::L2j, &options).unwrap().file;
    let is_flat = |at: usize| matches!(flat.region().blocks()[at], Block::Flat(_));
    assert_eq!(
        [1284, 1028, 513, 1029, 1027].map(is_flat),
        [true, true, false, false, false]
    );
}
