use proptest::prelude::*;

use super::*;
use crate::test_regions::{complex, id, mixed, multilayer};
use crate::{Cell, N_BLOCKS, Nswe};
use ironlands_assets_proof::{
    assert_refuses_every_truncation, assert_survives_mutations, hex, set16, set32,
};

/// A flat, a complex and a multilayer block.
fn hand_typed() -> Vec<u8> {
    let mut bytes = hex("00 00 C8 0D A8 0D 40 00");
    bytes.extend(hex("EF E2").repeat(64));
    bytes.extend(hex("41 00 02 00 1F 00 EF E2"));
    bytes.extend(hex("01 00 0F 00").repeat(63));
    bytes
}

fn read_three(data: &[u8]) -> Result<Vec<(Block, Option<u16>)>, FormatError> {
    let mut r = Reader::new(FORMAT, data);
    let (mut blocks, mut odd) = (Vec::new(), [None; 3]);
    visit_blocks(
        &mut r,
        (3, ConvDat::MIN_BLOCK_SIZE),
        |r, buffer, index| take_block(r, Tolerance::STRICT, buffer, |word| odd[index] = Some(word)),
        |block| blocks.push(block.into()),
    )?;
    r.finish("after the last block")?;
    Ok(blocks.into_iter().zip(odd).collect())
}

fn bytes_of(blocks: &[(Block, Option<u16>)]) -> Vec<u8> {
    let mut w = Writer::new(FORMAT);
    for (block, odd) in blocks {
        put_block(&mut w, block, *odd).unwrap();
    }
    w.finish()
}

#[test]
fn reader_and_writer_agree_with_the_facts() {
    let blocks = read_three(&hand_typed()).unwrap();
    let [
        (Block::Flat(flat), None),
        (Block::Complex(cells), None),
        (Block::Multilayer(layers), None),
    ] = &blocks[..]
    else {
        panic!("three kinds");
    };
    assert_eq!((flat.high(), flat.low()), (3528, 3496));
    assert_eq!(cells[0], Cell::new(-3728, Nswe::ALL_SIDES));
    assert_eq!(layers.layers(0).len(), 2);
    assert_eq!(bytes_of(&blocks), hand_typed());
}

/// Section 9: the first bytes of a real file, and how its counts come about.
#[test]
fn headers_are_computed_from_the_blocks() {
    let file = ConvDat::from_region(&mixed(31));
    let bytes = file.write().unwrap();
    assert_eq!(bytes[..6], hex("11 19 80 00 10 00"));
    let header = file.header();
    // Two complex blocks and one that became complex, one multilayer block.
    let Block::Multilayer(layers) = file.region().block(0, 1) else {
        panic!("a multilayer block");
    };
    assert_eq!(header.n_cells as usize, 3 * 64 + layers.all_layers().len());
    assert_eq!(header.n_single_layer_blocks as usize, N_BLOCKS - 1);
    assert_eq!(header.n_flat_blocks as usize, N_BLOCKS - 4);
    assert!(matches!(file.region().block(0, 2), Block::Complex(_)));
    assert_eq!(ConvDat::read(id(), &bytes).unwrap(), file);
}

/// Fixture (i) of section 9: a file of another tool is kept as it is, reported, and repaired on request.
#[test]
fn wrong_counts_and_types_are_reported_kept_and_repaired() {
    let good = ConvDat::from_region(&mixed(31));
    let mut bytes = good.write().unwrap();
    set32(&mut bytes, 6, 1);
    bytes[0] = 99;
    let multilayer = ConvDat::HEADER_SIZE + 130;
    set16(&mut bytes, multilayer, 0x4000);
    let file = ConvDat::read(id(), &bytes).unwrap();
    assert_eq!(file.region(), good.region());
    assert_eq!(file.write().unwrap(), bytes);
    assert_eq!(file.repaired(), good);
    let findings = file.check();
    let places: Vec<_> = findings
        .iter()
        .filter_map(|finding| finding.offset)
        .collect();
    // Of the header; then blocks 256 and 257, behind two complex ones, one of 994 layers and 253 flat ones.
    assert_eq!(places, [0, 6, 3914, 3920]);
    assert!(
        findings[2]
            .message
            .contains("the first is block 1 with 16384")
    );
    let n_reported = good.check().len();
    assert_eq!(findings.len(), n_reported + 3);
}

/// As a naive writer leaves it: the type word of a block of single layers is that of a complex block.
#[test]
fn single_layered_blocks_are_never_written_as_multilayer() {
    let mut region = Region::flat(id(), 0);
    region.blocks_mut()[9] = Block::Multilayer(Box::new(multilayer(|_| 1)));
    let file = ConvDat::from_region(&region);
    let again = ConvDat::read(id(), &file.write().unwrap()).unwrap();
    let Block::Complex(cells) = again.region().block(0, 9) else {
        panic!("a complex block");
    };
    assert_eq!(cells[..], *multilayer(|_| 1).all_layers());
}

#[test]
fn damage_is_named_where_it_stands() {
    let multilayer = 6 + 130;
    let damages = [
        (0, 1, "block 0, 0, block type"),
        (6, 63, "block 0, 1, block type"),
        (multilayer + 2, 0, "block 0, 2, cell 0, layer count"),
        (multilayer + 2, 126, "block 0, 2, cell 0, layer count"),
        (multilayer + 8, 0xFFFF, "block 0, 2, cell 1, layer count"),
    ];
    for (at, word, field) in damages {
        let mut bytes = hand_typed();
        set16(&mut bytes, at, word);
        let error = read_three(&bytes).unwrap_err();
        assert_eq!((&*error.field, error.offset), (field, at as u64), "{error}");
    }
}

#[test]
fn every_truncation_is_refused() {
    assert_refuses_every_truncation(&hand_typed(), |data| read_three(data).map(drop));
    let whole = ConvDat::from_region(&mixed(5)).write().unwrap();
    for len in [0, 17, 18, 393_233, whole.len() - 1] {
        assert!(ConvDat::read(id(), &whole[..len]).is_err(), "{len}");
    }
    let mut longer = whole;
    longer.push(0);
    assert!(ConvDat::read(id(), &longer).is_err());
    let file = ConvDat::read_with(id(), &longer, Tolerance::TRAILING_BYTES).unwrap();
    assert_eq!(file.write().unwrap(), longer);
}

#[test]
fn odd_flat_pairs_are_reported() {
    let mut bytes = ConvDat::from_region(&Region::flat(id(), 0))
        .write()
        .unwrap();
    set16(&mut bytes, ConvDat::HEADER_SIZE + 4, 40);
    set16(&mut bytes, ConvDat::HEADER_SIZE + 6 + 2, 40);
    let file = ConvDat::read(id(), &bytes).unwrap();
    assert_eq!(file.write().unwrap(), bytes);
    let reported: Vec<String> = file
        .check()
        .into_iter()
        .map(|finding| finding.message)
        .collect();
    let expected = [
        "1 flat blocks whose first height is the lower one",
        "2 flat blocks whose heights are more than 32 apart",
    ];
    assert_eq!(reported, expected);
}

proptest! {
    #[test]
    fn any_block_survives_writing(words in proptest::collection::vec(any::<u16>(), 64), odd in 65..u16::MAX) {
        let mut cells = complex();
        cells.iter_mut().zip(&words).for_each(|(cell, &word)| *cell = Cell::from_word(word));
        let layers = multilayer(|cell| 1 + cell % 7);
        let odd = (usize::from(odd) != layers.all_layers().len()).then_some(odd);
        let flat = Flat::from_pair(words[0].cast_signed(), words[1].cast_signed());
        let blocks = [
            (Block::Flat(flat), None),
            (Block::Complex(cells), None),
            (Block::Multilayer(Box::new(layers)), odd),
        ];
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
    let whole = ConvDat::from_region(&mixed(31)).write().unwrap();
    assert_survives_mutations(&whole, 20, 16, |data| {
        let file = ConvDat::read(id(), data)?;
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
