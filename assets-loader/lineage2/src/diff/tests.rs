use super::*;
use crate::test_regions::{mixed, open};
use crate::{Flat, Multilayer};

#[test]
fn changed_cells_are_listed_with_what_changed() {
    let a = mixed(5);
    assert_eq!(diff(&a, &a), RegionDiff::default());
    let mut b = a.clone();
    let blocks = b.blocks_mut();
    let Block::Complex(cells) = &mut blocks[257] else {
        panic!("a complex block");
    };
    cells[3] = Cell::new(-88, Nswe::ALL_SIDES);
    cells[9].nswe = Nswe::NORTH;
    let found = diff(&a, &b);
    assert_eq!((found.n_blocks, found.n_kinds), (1, 0));
    let reported: Vec<_> = found
        .cells
        .iter()
        .map(|it| (it.cell.block(), it.cell.cell(), it.change, it.max_step))
        .collect();
    let expected = [
        ((1, 1), (0, 3), Change::HEIGHT, 16),
        ((1, 1), (1, 1), Change::NSWE, 0),
    ];
    assert_eq!(reported, expected);
}

#[test]
fn the_same_cells_in_another_block_are_no_change() {
    let mut a = mixed(5);
    let mut b = a.clone();
    a.blocks_mut()[700] = Block::Flat(Flat::from_height(-104));
    b.blocks_mut()[700] = Block::Complex(Box::new([open(-104); CELLS_PER_BLOCK]));
    let up = [open(-104), open(40)];
    let down = [open(40), open(-104)];
    let of = |column: &[Cell]| {
        Block::Multilayer(Box::new(
            Multilayer::new(std::iter::repeat_n(column, 64)).unwrap(),
        ))
    };
    a.blocks_mut()[701] = of(&up);
    b.blocks_mut()[701] = of(&down);
    let found = diff(&a, &b);
    assert_eq!(
        (found.cells.len(), found.n_blocks, found.n_kinds),
        (0, 0, 1)
    );
}

#[test]
fn layers_and_lower_heights_count() {
    let mut a = mixed(5);
    let mut b = a.clone();
    a.blocks_mut()[700] = Block::Flat(Flat::new(32, 0));
    b.blocks_mut()[700] = Block::Flat(Flat::new(32, 8));
    let two = [open(64), open(0)];
    b.blocks_mut()[701] = Block::Multilayer(Box::new(
        Multilayer::new(std::iter::repeat_n(&two[..], 64)).unwrap(),
    ));
    let found = diff(&a, &b);
    assert_eq!((found.cells.len(), found.n_blocks), (128, 2));
    assert!(
        found.cells[..64]
            .iter()
            .all(|it| it.change == Change::FLAT_LOW)
    );
    assert!(
        found.cells[64..]
            .iter()
            .all(|it| it.change == Change::LAYERS)
    );
}
