use proptest::prelude::*;

use super::*;
use crate::test_regions::{id, mixed, multilayer};
use crate::{Cell, Nswe};
use ironlands_assets_proof::{assert_refuses_every_truncation, assert_survives_mutations, set16};

/// The body of a block: two layers in the first cell, one in all others.
fn hand_typed() -> Vec<u8> {
    let mut bytes = Vec::new();
    for cell in 0..64_u16 {
        // The words that follow, and the second layer of the first cell.
        let half_offset = 63 - cell + u16::from(cell > 0) + cell;
        let word = half_offset << 5 | if cell == 0 { 2 } else { 1 };
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend([0x1F, 0x00, 0xEF, 0xE2]);
    bytes.extend([0x0F, 0x00].repeat(63));
    bytes
}

fn read(data: &[u8]) -> Result<(Multilayer, Option<Vec<u8>>), FormatError> {
    let mut r = Reader::new(FORMAT, data);
    let mut buffer = BlockBuffer::new();
    let (columns, loose) = take_multilayer(&mut r, &mut buffer)?;
    r.finish("after the block")?;
    Ok((columns.to_multilayer(), loose.map(<[u8]>::to_vec)))
}

fn bytes_of(block: &Multilayer) -> Result<Vec<u8>, FormatError> {
    let mut w = Writer::new(FORMAT);
    put_multilayer(&mut w, block)?;
    Ok(w.finish().split_off(1))
}

#[test]
fn reader_and_writer_agree_with_the_facts() {
    let bytes = hand_typed();
    // 126 bytes of other words come between the first word and its layers.
    assert_eq!(bytes[..2], (63_u16 << 5 | 2).to_le_bytes());
    let (block, loose) = read(&bytes).unwrap();
    let first = [
        Cell::new(8, Nswe::ALL_SIDES),
        Cell::new(-3728, Nswe::ALL_SIDES),
    ];
    assert_eq!(block.layers(0), first);
    assert_eq!(block.all_layers().len(), 65);
    assert_eq!(loose, None);
    assert_eq!(bytes_of(&block).unwrap(), bytes);
}

#[test]
fn the_most_layers_fit_and_one_more_does_not() {
    let block = multilayer(|_| MAX_L2M_LAYERS);
    let bytes = bytes_of(&block).unwrap();
    assert_eq!(read(&bytes).unwrap().0, block);
    let error = bytes_of(&multilayer(|_| MAX_L2M_LAYERS + 1)).unwrap_err();
    assert_eq!(error.field, "layer count");
}

#[test]
fn a_region_survives_with_gaps_too() {
    let file = L2m::from_region(&mixed(31), FlatRule::Max);
    let mut bytes = file.write().unwrap();
    assert_eq!(L2m::read(id(), &bytes).unwrap(), file);
    // The second block is the multilayer one, behind 129 bytes. Two bytes that no word leads to.
    let body = 129 + 1;
    for cell in 1..64 {
        let at = body + 2 * cell;
        let word = u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        set16(&mut bytes, at, word + (1 << 5));
    }
    let first_layers = body + 128 + 2;
    bytes.splice(first_layers..first_layers, [0xAA, 0xBB]);
    let loose = L2m::read(id(), &bytes).unwrap();
    assert_eq!(loose.region(), file.region());
    assert_eq!(loose.write().unwrap(), bytes);
}

#[test]
fn damage_is_named_where_it_stands() {
    let damages = [
        (0, 63 << 5, "cell 0, layer count"),
        (0, 62 << 5 | 2, "cell 0, cell offset"),
        (2, 63 << 5 | 1, "cell 1, cell offset"),
        (126, 63 << 5 | 1, "cell 63, cell offset"),
    ];
    for (at, word, field) in damages {
        let mut bytes = hand_typed();
        set16(&mut bytes, at, word);
        let error = read(&bytes).unwrap_err();
        assert_eq!((&*error.field, error.offset), (field, at as u64), "{error}");
    }
    let mut bytes = hand_typed();
    set16(&mut bytes, 126, 0xFFFF);
    let error = read(&bytes).unwrap_err();
    assert_eq!(error.field, "cell 63, gap between cells");
}

#[test]
fn every_truncation_is_refused() {
    assert_refuses_every_truncation(&hand_typed(), |data| read(data).map(drop));
}

proptest! {
    #[test]
    fn any_block_survives_writing(counts in proptest::collection::vec(1..=31_usize, 64)) {
        let block = multilayer(|cell| counts[cell]);
        let bytes = bytes_of(&block).unwrap();
        prop_assert_eq!(read(&bytes).unwrap(), (block, None));
    }
}

fn survive(runs: u64) {
    assert_survives_mutations(&hand_typed(), runs, 64, |data| {
        let (block, loose) = read(data)?;
        let bytes = loose.map_or_else(|| bytes_of(&block), Ok)?;
        assert_eq!(bytes, data);
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
