use super::*;
use crate::multilayer::Multilayer;
use crate::test_regions::{id, open};

const GROUND: i16 = -3000;

fn block_of(region: &mut Region, x: usize, y: usize) -> &mut Block {
    &mut region.blocks_mut()[x * BLOCKS_PER_SIDE + y]
}

fn messages(region: &Region) -> Vec<String> {
    let findings = check_steps("l2j", region);
    findings.into_iter().map(|it| it.message).collect()
}

/// A plate on flat ground, 100 up: its cells are at x and y 2 to 5 of block 9, 9.
fn plate(nswe: Nswe) -> Region {
    let mut region = Region::flat(id(), GROUND);
    let is_up = |at: usize| (2..6).contains(&(at / 8)) && (2..6).contains(&(at % 8));
    let cell = |at| match is_up(at) {
        true => open(GROUND + 100),
        false => Cell::new(GROUND, nswe),
    };
    *block_of(&mut region, 9, 9) = Block::Complex(Box::new(std::array::from_fn(cell)));
    region
}

#[test]
fn even_ground_has_no_findings() {
    assert_eq!(messages(&Region::flat(id(), GROUND)), [""; 0]);
    // One can jump into a pit, and it is no island.
    let mut region = Region::flat(id(), GROUND);
    *block_of(&mut region, 9, 9) = Block::Complex(Box::new([open(GROUND - 100); 64]));
    let reported = messages(&region);
    assert_eq!(
        reported,
        ["32 open sides of cells lead to ground more than 64 higher; first in block 9, 9, cell 0"]
    );
}

#[test]
fn plates_that_cannot_be_climbed_are_climbs_and_islands() {
    // Four sides of four cells.
    let climbs =
        "16 open sides of cells lead to ground more than 64 higher; first in block 9, 9, cell 10";
    let island = |n: usize, first: usize| {
        format!(
            "out of reach from the region's border, with steps of up to 64: islands 1, cells {n}; the largest has {n} \
             cells, first in block 9, 9, cell {first}"
        )
    };
    assert_eq!(
        messages(&plate(Nswe::ALL_SIDES)),
        [climbs.to_owned(), island(16, 18)]
    );
    // Closed cells around it are reached from outside, but not through each other.
    assert_eq!(messages(&plate(Nswe::empty())), [island(36, 9)]);
    // The same of flat blocks: 8 cells a side.
    let mut region = Region::flat(id(), GROUND);
    *block_of(&mut region, 9, 9) = Block::Flat(Flat::from_height(GROUND + 72));
    let reported = messages(&region);
    assert!(
        reported[0].starts_with("32 sides of flat blocks' cells"),
        "{reported:?}"
    );
    assert_eq!(reported[1], island(64, 0));
    // A step of 64 is in reach of the most generous rule, and so is the lower height of a flat block.
    for flat in [
        Flat::from_height(GROUND + 64),
        Flat::new(GROUND + 96, GROUND + 64),
    ] {
        *block_of(&mut region, 9, 9) = Block::Flat(flat);
        assert_eq!(messages(&region), [""; 0]);
    }
}

/// A roof with stairs on one side is no island, one without is; the way under it is open.
#[test]
fn layers_are_reached_each_on_its_own() {
    let with_roof = |stairs: bool| {
        let mut region = Region::flat(id(), GROUND);
        let roof = [open(GROUND + 256), open(GROUND)];
        let columns = (0..64).map(|_| &roof[..]);
        let block = Multilayer::new(columns).unwrap();
        *block_of(&mut region, 9, 9) = Block::Multilayer(Box::new(block));
        if stairs {
            let stairs = |at: usize| open(GROUND + 32 * (at % 8) as i16 + 32);
            *block_of(&mut region, 9, 8) = Block::Complex(Box::new(std::array::from_fn(stairs)));
        }
        messages(&region)
    };
    let reported = with_roof(false);
    assert_eq!(reported.len(), 1, "{reported:?}");
    assert!(reported[0].contains("islands 1, cells 64;"), "{reported:?}");
    assert!(
        reported[0].ends_with("first in block 9, 9, cell 0"),
        "{reported:?}"
    );
    let reported = with_roof(true);
    assert!(
        !reported.iter().any(|it| it.contains("islands")),
        "{reported:?}"
    );
}
