use proptest::prelude::*;

use super::*;
use crate::Nswe;
use crate::rp::Rp;
use crate::test_regions::{self, complex, id, mixed, open};
use crate::{Cell, N_BLOCKS};
use ironlands_assets_proof::{assert_refuses_every_truncation, assert_survives_mutations, hex};

/// A flat, a complex and a multilayer block.
fn hand_typed() -> Vec<u8> {
    let mut bytes = hex("D0 70 F1 D1");
    bytes.extend(hex("FF 70 F1").repeat(64));
    bytes.extend(hex("D2 02 1F 07 00 83 70 F1"));
    bytes.extend(hex("01 00 00 00").repeat(63));
    bytes
}

fn read_three(data: &[u8]) -> Result<Vec<Block>, FormatError> {
    test_regions::read_three(FORMAT, BLOCKS, data)
}

fn bytes_of(blocks: &[Block]) -> Vec<u8> {
    test_regions::bytes_of(FORMAT, BLOCKS, blocks)
}

#[test]
fn reader_and_writer_agree_with_the_facts() {
    let blocks = read_three(&hand_typed()).unwrap();
    let [
        Block::Flat(flat),
        Block::Complex(cells),
        Block::Multilayer(layers),
    ] = &blocks[..]
    else {
        panic!("three kinds");
    };
    assert_eq!(flat.high(), -3728);
    assert_eq!(cells[63], Cell::new(-3728, Nswe::all()));
    let first = [
        Cell::new(7, Nswe::ALL_SIDES | Nswe::SOUTH_EAST),
        Cell::new(-3728, Nswe::NORTH_WEST | Nswe::EAST | Nswe::WEST),
    ];
    assert_eq!(layers.layers(0), first);
    assert_eq!(bytes_of(&blocks), hand_typed());
}

/// In a corner of a region: the diagonal to the south-east is open only while both ways around are.
#[test]
fn diagonals_need_both_ways() {
    let closed = [
        (0, Nswe::EAST),
        (0, Nswe::SOUTH),
        (8, Nswe::SOUTH),
        (1, Nswe::EAST),
    ];
    let mut region = Region::flat(id(), 0);
    let corner = |region: &Region| match derive_diagonals(region).block(0, 0) {
        Block::Complex(cells) => cells[0].nswe,
        _ => panic!("a complex block"),
    };
    region.blocks_mut()[0] = Block::Complex(Box::new([open(0); 64]));
    assert_eq!(corner(&region), Nswe::ALL_SIDES | Nswe::SOUTH_EAST);
    for (cell, side) in closed {
        let mut cells = Box::new([open(0); 64]);
        cells[cell].nswe -= side;
        region.blocks_mut()[0] = Block::Complex(cells);
        assert!(
            !corner(&region).contains(Nswe::SOUTH_EAST),
            "cell {cell} {side:?}"
        );
    }
    for (height, is_open) in [(40, true), (47, true), (48, false)] {
        let mut cells = Box::new([open(0); 64]);
        cells[8].height = height;
        region.blocks_mut()[0] = Block::Complex(cells);
        assert_eq!(
            corner(&region).contains(Nswe::SOUTH_EAST),
            is_open,
            "{height}"
        );
    }
}

#[test]
fn a_region_survives_and_so_does_rp() {
    let file = L2d::from_region(&mixed(125), FlatRule::Max);
    let bytes = file.write().unwrap();
    assert_eq!(L2d::read(id(), &bytes).unwrap(), file);
    let rp = Rp::read(id(), &bytes).unwrap();
    assert_eq!(rp.l2d, file);
    assert_eq!(rp.write().unwrap(), bytes);
    assert_eq!(Rp::from_region(&mixed(125), FlatRule::Max), rp);
    let sides = |region: &Region| -> Vec<Nswe> {
        let layers = region.blocks()[0].stored_layers().iter();
        layers.map(|layer| layer.nswe.sides()).collect()
    };
    assert_eq!(sides(&file.region), sides(&mixed(125)));
    let error = Rp::read(id(), &bytes[1..]).unwrap_err();
    assert_eq!(error.format, "rp");
}

#[test]
fn odd_cells_are_reported() {
    let mut region = Region::flat(id(), 0);
    let mut cells = Box::new([open(0); 64]);
    cells[5] = Cell::new(4, Nswe::SOUTH_EAST);
    cells[6] = Cell::new(16384, Nswe::ALL_SIDES);
    region.blocks_mut()[7] = Block::Complex(cells);
    let file = L2d {
        region,
        trailing: Vec::new(),
    };
    let findings = file.check();
    let reported: Vec<_> = (findings.iter())
        .map(|finding| (&*finding.message, finding.offset))
        .collect();
    // The block stands behind seven flat ones.
    let expected = [
        (
            "1 heights outside of -16384 to 16376, which other formats cannot hold; first in block 0, 7, cell 6",
            Some(21),
        ),
        (
            "1 heights that are no multiple of 8, which other formats cannot hold; first in block 0, 7, cell 5",
            Some(21),
        ),
        ("1 cells with a diagonal open between closed sides", None),
    ];
    assert_eq!(reported, expected);
}

#[test]
fn damage_is_named_where_it_stands() {
    let multilayer = 3 + 193;
    let damages: [(usize, u8, &str); 3] = [
        (0, 0, "block 0, 0, block type"),
        (multilayer + 1, 0, "block 0, 2, cell 0, layer count"),
        (multilayer + 8, 126, "block 0, 2, cell 1, layer count"),
    ];
    for (at, byte, field) in damages {
        let mut bytes = hand_typed();
        bytes[at] = byte;
        let error = read_three(&bytes).unwrap_err();
        assert_eq!((&*error.field, error.offset), (field, at as u64), "{error}");
    }
    let error = L2d::read(id(), &[0xD0; 100]).unwrap_err();
    assert_eq!(error.field, "blocks", "{error}");
    assert!(error.to_string().contains(&N_BLOCKS.to_string()), "{error}");
}

#[test]
fn every_truncation_is_refused() {
    assert_refuses_every_truncation(&hand_typed(), |data| read_three(data).map(drop));
}

proptest! {
    #[test]
    fn any_cells_survive_writing(cells in proptest::collection::vec(any::<(i16, u8)>(), 64)) {
        let mut block = complex();
        for (to, (height, nswe)) in block.iter_mut().zip(cells) {
            *to = Cell::new(height, Nswe::from_bits_retain(nswe));
        }
        let flat = Block::Flat(Flat::from_height(block[0].height));
        let blocks = [flat.clone(), Block::Complex(block), flat];
        prop_assert_eq!(&read_three(&bytes_of(&blocks)).unwrap()[..], &blocks[..]);
    }
}

fn survive(runs: u64) {
    assert_survives_mutations(&hand_typed(), runs, 16, |data| {
        assert_eq!(bytes_of(&read_three(data)?), data);
        Ok(())
    });
}

#[test]
fn damage_never_panics() {
    survive(2_000);
}

#[test]
#[ignore = "long: 100,000 mutations"]
fn damage_never_panics_at_length() {
    survive(100_000);
}
