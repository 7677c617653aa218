use proptest::prelude::*;

use super::*;
use crate::test_regions::{self, complex, id, mixed, multilayer, random};
use crate::{Cell, N_BLOCKS, Nswe};
use ironlands_assets_proof::{assert_refuses_every_truncation, assert_survives_mutations, hex};

/// A block with two layers in its first cell, one in all others.
fn hand_typed_multilayer() -> Vec<u8> {
    let mut bytes = hex("02 02 1F 00 EF E2");
    for _ in 1..64 {
        bytes.extend(hex("01 0F 00"));
    }
    bytes
}

/// A flat, a complex and a multilayer block.
fn hand_typed() -> Vec<u8> {
    let mut bytes = hex("00 90 EF 01");
    bytes.extend(hex("FF 7F").repeat(64));
    bytes.extend(hand_typed_multilayer());
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
    assert_eq!(flat.high(), -4208);
    assert!(
        cells
            .iter()
            .all(|&cell| cell == Cell::new(16376, Nswe::ALL_SIDES))
    );
    let first = [
        Cell::new(8, Nswe::ALL_SIDES),
        Cell::new(-3728, Nswe::ALL_SIDES),
    ];
    assert_eq!(layers.layers(0), first);
    assert_eq!(layers.layers(63), [Cell::new(0, Nswe::ALL_SIDES)]);
    assert_eq!(bytes_of(&blocks), hand_typed());
}

#[test]
fn every_kind_of_region_survives() {
    for region in [Region::flat(id(), -3728), mixed(125), random(3)] {
        let file = L2j::from_region(&region, FlatRule::Max);
        let bytes = file.write().unwrap();
        let again = L2j::read(id(), &bytes).unwrap();
        assert_eq!(again, file);
        assert_eq!(again.write().unwrap(), bytes);
    }
}

#[test]
fn layers_keep_the_order_of_the_file() {
    let mut bytes = vec![0; 3 * (N_BLOCKS - 1)];
    let at = bytes.len();
    bytes.extend(hand_typed_multilayer());
    // The lower layer first.
    bytes[at + 2..at + 6].copy_from_slice(&hex("EF E2 1F 00"));
    let file = L2j::read(id(), &bytes).unwrap();
    let Block::Multilayer(block) = file.region.block(255, 255) else {
        panic!("a multilayer block");
    };
    assert_eq!(block.layers(0)[0].height, -3728);
    assert_eq!(block.clone().sorted().layers(0)[0].height, 8);
    assert_eq!(file.write().unwrap(), bytes);
    let findings = file.check();
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(
        findings[0]
            .message
            .starts_with("1 pairs of layers from low to high")
    );
}

#[test]
fn damage_is_named_where_it_stands() {
    let good = hand_typed();
    let multilayer = 3 + 129;
    let damages: [(usize, u8, &str); 5] = [
        (0, 3, "block 0, 0, block type"),
        (3, 0xD1, "block 0, 1, block type"),
        (multilayer + 1, 0, "block 0, 2, cell 0, layer count"),
        (multilayer + 1, 126, "block 0, 2, cell 0, layer count"),
        (multilayer + 6, 255, "block 0, 2, cell 1, layer count"),
    ];
    for (at, byte, field) in damages {
        let mut bytes = good.clone();
        bytes[at] = byte;
        let error = read_three(&bytes).unwrap_err();
        assert_eq!((&*error.field, error.offset), (field, at as u64), "{error}");
    }
}

#[test]
fn every_truncation_is_refused() {
    assert_refuses_every_truncation(&hand_typed(), |data| read_three(data).map(drop));
    let whole = L2j::from_region(&mixed(7), FlatRule::Max).write().unwrap();
    for len in (0..whole.len()).step_by(whole.len() / 7) {
        assert!(L2j::read(id(), &whole[..len]).is_err(), "{len}");
    }
}

#[test]
fn leniencies_are_requested() {
    let mut bytes = L2j::from_region(&Region::flat(id(), 0), FlatRule::Max)
        .write()
        .unwrap();
    bytes.extend([1, 2]);
    let error = L2j::read(id(), &bytes).unwrap_err();
    assert_eq!(error.offset, 3 * N_BLOCKS as u64);
    let file = L2j::read_with(id(), &bytes, Tolerance::TRAILING_BYTES).unwrap();
    assert_eq!(file.write().unwrap(), bytes);
    assert_eq!(file.check().len(), 1);

    let deep = vec![0; 2 * 126];
    let mut bytes = vec![2, 126];
    bytes.extend(deep);
    bytes.extend([1, 0, 0].repeat(63));
    bytes.extend(vec![0; 3 * (N_BLOCKS - 1)]);
    let error = L2j::read(id(), &bytes).unwrap_err();
    assert_eq!(error.field, "block 0, 0, cell 0, layer count");
    let file = L2j::read_with(id(), &bytes, Tolerance::MANY_LAYERS).unwrap();
    assert!(file.write().is_err(), "no block has that many");
}

#[test]
fn what_is_unusual_is_counted() {
    let file = L2j::from_region(&mixed(5), FlatRule::Max);
    let findings = file.check();
    let reported: Vec<_> = (findings.iter())
        .map(|finding| (&*finding.message, finding.offset))
        .collect();
    // Bytes before them: a complex block, a multilayer one of 161 layers, one of 64, and flat ones.
    let expected = [
        (
            "1 flat heights with sides in their low bits, which are left out; first in block 1, 0",
            Some(1468),
        ),
        (
            "1 multilayer blocks with one layer a cell, which could be complex; first in block 0, 2",
            Some(516),
        ),
        (
            "1 blocks that the original tools would have made flat, as `convert --flatten` does; first in block 1, 1",
            Some(1471),
        ),
    ];
    assert_eq!(reported, expected);
}

proptest! {
    #[test]
    fn any_block_survives_writing(words in proptest::collection::vec(any::<u16>(), 64), n in 1..5_usize) {
        let mut cells = complex();
        cells.iter_mut().zip(&words).for_each(|(cell, &word)| *cell = Cell::from_word(word));
        let layers = multilayer(|cell| 1 + (cell * n) % 7);
        let flat = Flat::from_word(words[0].cast_signed());
        let blocks = [Block::Flat(flat), Block::Complex(cells), Block::Multilayer(Box::new(layers))];
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
    let whole = L2j::from_region(&mixed(31), FlatRule::Max).write().unwrap();
    assert_survives_mutations(&whole, 20, 16, |data| {
        let file = L2j::read(id(), data)?;
        assert_eq!(file.write().as_deref(), Ok(data));
        file.check();
        Ok(())
    });
}

#[test]
#[ignore = "long: 100,000 mutations"]
fn damage_never_panics_at_length() {
    survive(100_000);
}
