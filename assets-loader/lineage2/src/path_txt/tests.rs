use proptest::prelude::*;

use super::*;
use crate::test_regions::{complex, id, multilayer, open};
use ironlands_assets_proof::assert_survives_mutations;

/// One block whose cells are all flat but for what a test changes.
fn lines() -> Vec<String> {
    let cells = (0..64).map(|cell| format!("[{},{}]1(-3728:1111)", cell / 8, cell % 8));
    cells.collect()
}

fn read_one(text: &str) -> Result<Block, FormatError> {
    let mut blocks = read_blocks(text.as_bytes(), 1)?;
    Ok(blocks.remove(0))
}

#[test]
fn reader_and_writer_agree_with_the_facts() {
    let mut text = lines();
    assert_eq!(
        read_one(&text.join("\n")),
        Ok(Block::Flat(Flat::from_height(-3728)))
    );
    // East, west, south, north.
    text[10] = "[1,2]2(8:1000)(-16:0101)".to_owned();
    text[63] = "[7,7]0".to_owned();
    let text = text.join("\n") + "\n";
    let block = read_one(&text).unwrap();
    let Block::Multilayer(layers) = &block else {
        panic!("a multilayer block");
    };
    let expected = [
        Cell::new(8, Nswe::EAST),
        Cell::new(-16, Nswe::WEST | Nswe::NORTH),
    ];
    assert_eq!(layers.layers(10), expected);
    assert_eq!(layers.layers(63), [Cell::new(16383, Nswe::empty())]);
    assert_eq!(write_blocks(&[block], 1).unwrap(), text.as_bytes());
}

#[test]
fn lines_may_be_in_any_order_among_others() {
    let mut text = lines();
    text.reverse();
    text.insert(5, "# made by hand\r".to_owned());
    let expected = Ok(Block::Flat(Flat::from_height(-3728)));
    assert_eq!(read_one(&text.join("\r\n")), expected);
}

#[test]
fn one_closed_side_makes_a_block_complex() {
    let mut text = lines();
    text[0] = "[0,0]1(-3728:1110)".to_owned();
    assert!(matches!(read_one(&text.join("\n")), Ok(Block::Complex(_))));
}

#[test]
fn damage_is_named_where_it_stands() {
    let line = lines()[0].len() as u64 + 1;
    let damages = [
        ("[0,8]1(0:1111)", "cell", 0),
        ("[-1,0]1(0:1111)", "cell", 0),
        ("[0,0]1(0:1111)", "cell", 0),
        ("[0;1]1(0:1111)", "cell x", 2),
        ("[0,1]126(0:1111)", "layer count", 0),
        ("[0,1]-1", "layer count", 0),
        ("[0,1]2(0:1111)     ", "layer", 14),
        ("[0,1]1(40000:1111)", "layer height", 7),
        ("[0,1]1(0:1121)", "layer sides", 9),
        ("[0,1]1(0:11111)", "layer sides", 9),
        ("[0,1]1(0:1111)x", "layers", 14),
        ("[0,1]99999999999", "layer count", 5),
    ];
    for (bad, field, offset) in damages {
        let mut text = lines();
        text[1] = bad.to_owned();
        let error = read_one(&text.join("\n")).unwrap_err();
        assert_eq!(
            (&*error.field, error.offset),
            (field, line + offset),
            "{bad}: {error}"
        );
    }
    let mut text = lines();
    text[9] = "no cell, but as long as one".to_owned();
    let error = read_one(&text.join("\n")).unwrap_err();
    assert!(error.to_string().contains("a line for cell 1,1"), "{error}");
}

#[test]
fn a_file_that_is_cut_is_refused() {
    let text = lines().join("\n");
    for len in 0..text.len() {
        assert!(read_one(&text[..len]).is_err(), "{len}");
    }
    let error = PathTxt::read(id(), text.as_bytes()).unwrap_err();
    assert_eq!(error.field, "lines of cells");
}

proptest! {
    #[test]
    fn any_block_survives_writing(heights in proptest::collection::vec(-16384..16383_i16, 64), n in 1..6_usize) {
        let mut cells = complex();
        cells.iter_mut().zip(heights).for_each(|(cell, height)| cell.height = height);
        let blocks = [
            Block::Complex(cells),
            Block::Multilayer(Box::new(multilayer(|cell| 1 + cell * n % 9))),
            Block::Flat(Flat::from_height(open(n as i16).height)),
            Block::Complex(complex()),
        ];
        let text = write_blocks(&blocks, 2).unwrap();
        prop_assert_eq!(&read_blocks(&text, 2).unwrap()[..], &blocks[..]);
    }
}

#[test]
fn damage_never_panics() {
    let text = write_blocks(
        &[Block::Multilayer(Box::new(multilayer(|cell| 1 + cell % 5)))],
        1,
    );
    assert_survives_mutations(&text.unwrap(), 2_000, 16, |data| {
        let blocks = read_blocks(data, 1)?;
        let text = write_blocks(&blocks, 1)?;
        assert_eq!(read_blocks(&text, 1).as_ref(), Ok(&blocks));
        Ok(())
    });
}

/// Four million lines.
#[test]
#[ignore = "long: a whole region as text"]
fn a_region_survives() {
    let file = PathTxt::from_region(&crate::test_regions::mixed(31), FlatRule::Max);
    let text = file.write().unwrap();
    let again = PathTxt::read(id(), &text).unwrap();
    assert!(crate::convert::is_same_ground(&again.region, &file.region));
    assert!(again.write().unwrap() == text);
}
