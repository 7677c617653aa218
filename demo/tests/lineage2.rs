//! The two regions in `DATA/LINEAGE2` keep the rules of their formats, are what the game's own builder would have made
//! of them, and fit together.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use ironlands_assets_lineage2::conv_dat::ConvDat;
use ironlands_assets_lineage2::l2j::L2j;
use ironlands_assets_lineage2::{Block, Cell, Nswe, Region, RegionEdges, RegionId, RegionStats};
use ironlands_demo::lineage2::WATER_LEVEL;

/// Most that one steps up, and the most that a flat block spans.
const MAX_STEP: i16 = 32;

fn read(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../DATA/LINEAGE2");
    fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn west() -> &'static ConvDat {
    static FILE: OnceLock<ConvDat> = OnceLock::new();
    let id = RegionId::new(20, 18).unwrap();
    FILE.get_or_init(|| ConvDat::read(id, &read("20_18_conv.dat")).unwrap())
}

fn east() -> &'static L2j {
    static FILE: OnceLock<L2j> = OnceLock::new();
    let id = RegionId::new(21, 18).unwrap();
    FILE.get_or_init(|| L2j::read(id, &read("21_18.l2j")).unwrap())
}

fn regions() -> [&'static Region; 2] {
    [west().region(), &east().region]
}

/// Layers of a cell of a region, counted from its corner, the highest first; of a flat block its upper height.
fn layers(region: &Region, x: usize, y: usize) -> Vec<Cell> {
    let cell = x % 8 * 8 + y % 8;
    match &region.blocks()[x / 8 * 256 + y / 8] {
        Block::Flat(flat) => vec![Cell::new(flat.high(), Nswe::ALL_SIDES)],
        Block::Complex(cells) => vec![cells[cell]],
        Block::Multilayer(multilayer) => multilayer.layers(cell).to_vec(),
    }
}

#[test]
fn files_are_checked_without_a_warning_and_written_as_they_were_read() {
    assert_eq!(west().check(), []);
    assert_eq!(east().check(), []);
    assert!(west().write().unwrap() == read("20_18_conv.dat"));
    assert!(east().write().unwrap() == read("21_18.l2j"));
}

#[test]
fn the_header_counts_its_blocks() {
    let bytes = read("20_18_conv.dat");
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!(bytes[..6], [20, 18, 0x80, 0, 0x10, 0]);
    let stats = RegionStats::from_region(west().region());
    assert_eq!(word(6), 64 * stats.n_complex + stats.n_layers);
    assert_eq!(word(10), stats.n_flat + stats.n_complex);
    assert_eq!(word(14), stats.n_flat);
    // Most of a region is flat, and a town is not (section 9).
    for region in regions() {
        let stats = RegionStats::from_region(region);
        assert!(stats.n_flat > 55_000, "{stats:?}");
        assert!(stats.n_complex > 3_000, "{stats:?}");
        assert!(stats.n_multilayer > 100, "{stats:?}");
        assert!(stats.max_layers >= 5, "{stats:?}");
    }
}

#[test]
fn flat_blocks_are_those_that_the_games_builder_makes() {
    let mut spans = BTreeMap::new();
    for region in regions() {
        for (index, block) in region.blocks().iter().enumerate() {
            match block {
                Block::Flat(flat) if region.id == west().region().id => {
                    *spans.entry(flat.high() - flat.low()).or_insert(0) += 1;
                }
                Block::Flat(flat) => assert_eq!(flat.first_word(), flat.second_word()),
                Block::Complex(cells) => {
                    let heights = || cells.iter().map(|cell| cell.height);
                    let span = heights().max().unwrap() - heights().min().unwrap();
                    let is_open = cells.iter().all(|cell| cell.nswe == Nswe::ALL_SIDES);
                    assert!(!is_open || span > MAX_STEP, "{}: block {index}", region.id);
                }
                Block::Multilayer(multilayer) => assert!(!multilayer.is_single_layered()),
            }
        }
    }
    let reported: Vec<i16> = spans.keys().copied().collect();
    assert_eq!(reported, [0, 8, 16, 24, 32]);
    assert!(spans.values().all(|&n| n > 1000), "{spans:?}");
}

#[test]
fn regions_meet_without_a_seam() {
    let [west, east] = regions();
    let mean = RegionEdges::from_region(west).mean_step_to(&RegionEdges::from_region(east));
    assert!(mean.is_some_and(|mean| mean < 12.0), "{mean:?}");
    // Across the border the ground continues as it does on either side of it.
    let step = |a: &Region, ax: usize, b: &Region, bx: usize| {
        let steps = (0..2048).map(|y| {
            let [a, b] = [layers(a, ax, y), layers(b, bx, y)].map(|it| i32::from(it[0].height));
            f64::from((a - b).abs())
        });
        steps.sum::<f64>() / 2048.0
    };
    let across = step(west, 2047, east, 0);
    let before = step(west, 2039, west, 2040);
    let after = step(east, 7, east, 8);
    assert!(
        across < 1.3 * before.max(after),
        "{before} {across} {after}"
    );
    // The river passes the border, and an island lies on it.
    let is_wet = |y: &usize| layers(west, 2047, *y)[0].height < WATER_LEVEL;
    let banks: Vec<bool> = (0..2048).map(|y| is_wet(&y)).collect();
    let n_shores = banks.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert_eq!(n_shores, 5, "two banks, the coast and two of the island");
}

#[test]
fn the_bridge_has_two_layers_under_its_deck() {
    let cells = (1436..1483).flat_map(|x| (1152..=1160).map(move |y| [x, y]));
    let mut n_over_two = 0;
    for [x, y] in cells {
        let layers = layers(west().region(), x, y);
        assert!(
            layers.len() >= 2 || layers[0].nswe != Nswe::ALL_SIDES,
            "{x} {y}"
        );
        if let [deck, gallery, bed] = layers[..] {
            assert!(deck.height - gallery.height >= 96, "{x} {y}");
            assert!(
                gallery.height > WATER_LEVEL && bed.height < WATER_LEVEL,
                "{x} {y}"
            );
            n_over_two += 1;
        }
    }
    assert!(n_over_two > 250, "{n_over_two} cells");
}

/// No one can stand between floors that are nearer than this, and no real file of the game has them often.
#[test]
fn floors_leave_room_for_those_who_stand_on_them() {
    for region in regions() {
        for block in region.blocks() {
            let Block::Multilayer(multilayer) = block else {
                continue;
            };
            for column in multilayer.columns() {
                for pair in column.windows(2) {
                    assert!(pair[0].height - pair[1].height >= 48, "{column:?}");
                }
            }
        }
    }
}

/// Sides are closed upward from where one cannot climb, and never downward but by a rail or a wall; a rail holds from
/// both of its sides (dossier 4.2).
#[test]
fn sides_are_closed_where_no_one_can_climb() {
    let sides = [
        (Nswe::EAST, 1, 0),
        (Nswe::SOUTH, 0, 1),
        (Nswe::WEST, -1, 0),
        (Nswe::NORTH, 0, -1),
    ];
    let (mut n_steep, mut n_drops, mut n_rails) = (0, 0, 0);
    for region in regions() {
        let single = |x: usize, y: usize| match layers(region, x, y)[..] {
            [cell] => Some(cell),
            _ => None,
        };
        let spots = (1..2047).flat_map(|x| (1..2047).map(move |y| (x, y)));
        for (x, y) in spots {
            if matches!(region.blocks()[x / 8 * 256 + y / 8], Block::Flat(_)) {
                continue;
            }
            let Some(cell) = single(x, y) else { continue };
            for (place, (side, dx, dy)) in sides.into_iter().enumerate() {
                let (to_x, to_y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                let index = to_x / 8 * 256 + to_y / 8;
                if matches!(region.blocks()[index], Block::Flat(_)) {
                    continue;
                }
                let Some(to) = single(to_x, to_y) else {
                    continue;
                };
                let rise = to.height - cell.height;
                let is_open = cell.nswe.contains(side);
                if rise > MAX_STEP {
                    assert!(!is_open, "{} {x} {y}: {rise} up", region.id);
                    n_steep += 1;
                } else if rise < -MAX_STEP {
                    n_drops += usize::from(is_open);
                } else {
                    let back = to.nswe.contains(sides[(place + 2) % 4].0);
                    assert_eq!(is_open, back, "{} {x} {y}: {rise}", region.id);
                    n_rails += usize::from(!is_open);
                }
            }
        }
    }
    assert!(n_steep > 20_000 && n_drops > 20_000, "{n_steep} {n_drops}");
    assert!(
        n_rails < 2000,
        "{n_rails}: rails stand where floors end, not on open ground"
    );
}
