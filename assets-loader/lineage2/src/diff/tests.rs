use super::*;
use crate::test_regions::{mixed, open};
use crate::{Flat, Multilayer};

#[test]
fn changed_cells_are_listed_with_what_changed() {
    let a = mixed(5);
    assert_eq!(diff(&a, &a, &DiffOptions::default()), RegionDiff::default());
    let mut b = a.clone();
    let blocks = b.blocks_mut();
    let Block::Complex(cells) = &mut blocks[257] else {
        panic!("a complex block");
    };
    cells[3] = Cell::new(-88, Nswe::ALL_SIDES);
    cells[9].nswe = Nswe::NORTH;
    let found = diff(&a, &b, &DiffOptions::default());
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
    let found = diff(&a, &b, &DiffOptions::default());
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
    let found = diff(&a, &b, &DiffOptions::default());
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

#[test]
fn a_tolerance_and_a_box_leave_differences_out() {
    let a = mixed(5);
    let mut b = a.clone();
    let blocks = b.blocks_mut();
    let Block::Complex(cells) = &mut blocks[257] else {
        panic!("a complex block");
    };
    cells[3] = Cell::new(cells[3].height + 16, cells[3].nswe);
    cells[9] = Cell::new(cells[9].height + 8, Nswe::NORTH);
    let found = |tolerance: u16, area: Option<(GeoCell, GeoCell)>| {
        let options = DiffOptions { tolerance, area };
        let found = diff(&a, &b, &options);
        let cells = found.cells.iter();
        let changes: Vec<_> = cells.map(|it| (it.change, it.max_step)).collect();
        (changes, found.n_blocks)
    };
    let both = Change::HEIGHT | Change::NSWE;
    assert_eq!(found(0, None), (vec![(Change::HEIGHT, 16), (both, 8)], 1));
    let sides = vec![(Change::HEIGHT, 16), (Change::NSWE, 0)];
    assert_eq!(found(8, None), (sides, 1));
    assert_eq!(found(16, None), (vec![(Change::NSWE, 0)], 1));
    let at = |cell: u8| GeoCell::in_region(a.id, 257, cell);
    assert_eq!(found(0, Some((at(9), at(9)))), (vec![(both, 8)], 1));
    assert_eq!(found(0, Some((at(10), at(10)))), (Vec::new(), 0));
}

#[test]
fn lower_heights_of_flat_blocks_have_a_tolerance() {
    let a = mixed(5);
    for (pair, other, step) in [
        (Flat::new(32, 0), Flat::new(32, 8), 8),
        (Flat::new(32, 32), Flat::new(32, 16), 16),
    ] {
        let [mut a, mut b] = [a.clone(), a.clone()];
        a.blocks_mut()[700] = Block::Flat(pair);
        b.blocks_mut()[700] = Block::Flat(other);
        for (tolerance, n_cells) in [(step - 1, 64), (step, 0)] {
            let options = DiffOptions {
                tolerance,
                ..DiffOptions::default()
            };
            assert_eq!(diff(&a, &b, &options).cells.len(), n_cells, "{tolerance}");
        }
    }
}
