use super::*;
use crate::test_world::{Ground, open};
use ironlands_sim_regions::{Block, Cell, Flat, Nswe};
use proptest::prelude::*;

/// Layers from high to low, flat blocks with both heights; single layers are complex.
fn normal(block: &Block) -> Block {
    match block {
        Block::Multilayer(multilayer) => {
            let sorted = (**multilayer).clone().sorted();
            match Box::try_from(sorted.all_layers().to_vec()) {
                Ok(cells) => Block::Complex(cells),
                Err(_) => Block::Multilayer(Box::new(sorted)),
            }
        }
        Block::Flat(flat) => Block::Flat(Flat::new(flat.high(), flat.low())),
        Block::Complex(_) => block.clone(),
    }
}

fn assert_packs(region: &Region) -> RegionPack {
    let pack = RegionPack::new(region);
    let again = pack.to_region(region.id);
    for (index, (found, source)) in again.blocks().iter().zip(region.blocks()).enumerate() {
        assert_eq!(*found, normal(source), "block {index}");
    }
    pack
}

#[test]
fn one_ground_takes_next_to_nothing() {
    let pack = assert_packs(&Ground::new().region);
    assert!(pack.n_bytes() < 4096, "{}", pack.n_bytes());
}

#[test]
fn slopes_take_few_bits() {
    let mut ground = Ground::new();
    // A plane: no delta is left above it.
    ground.block(0, 0, |x, y| vec![open((x * 24 + y * 8) as i16)]);
    let pack = assert_packs(&ground.region);
    let flat = RegionPack::new(&Ground::new().region);
    let own = pack.n_bytes() - flat.n_bytes();
    // 256 words of the tile, the pair that all others have, and a record of six bytes.
    assert!(own <= 512 + 16, "{own}");
}

#[test]
fn extremes_survive() {
    let mut ground = Ground::new();
    ground.block(0, 0, |x, y| match (x + y) % 2 {
        0 => vec![Cell::new(i16::MAX, Nswe::NORTH)],
        _ => vec![Cell::new(i16::MIN, Nswe::empty())],
    });
    ground.block(0, 1, |x, y| vec![open((x * 7 + y * 3) as i16)]);
    ground.block(0, 2, |x, _| {
        (0..=x * 36)
            .rev()
            .map(|layer| open(layer as i16 * 24 - 3000))
            .collect()
    });
    ground.block(255, 255, |_, _| {
        vec![open(16376), open(0), open(0), open(-16384)]
    });
    ground.flat(3, 3, i16::MAX, i16::MIN);
    assert_packs(&ground.region);
}

#[test]
fn the_same_content_is_stored_once() {
    let mut ground = Ground::new();
    let rough = |x: usize, y: usize| {
        vec![Cell::new(
            ((x * 31 + y * 17) % 13 * 8) as i16,
            // One pattern of sides would move to the table once it is used twice.
            Nswe::ALL_SIDES,
        )]
    };
    ground.block(0, 0, rough);
    let one = assert_packs(&ground.region).n_bytes();
    // In the same tile, and in another one.
    ground.block(0, 5, rough);
    let two = assert_packs(&ground.region).n_bytes();
    assert_eq!(one, two);
    ground.block(100, 100, rough);
    let three = assert_packs(&ground.region).n_bytes();
    assert!(
        three - two <= 512 + 8,
        "a tile's words and a link: {}",
        three - two
    );
}

/// More than a tile's words can reach: all its blocks are found through links.
#[test]
fn towers_are_reached_by_links() {
    let mut ground = Ground::new();
    for x in 0..16 {
        for y in 0..16 {
            ground.block(x, y, |cx, cy| {
                let seed = (x * 16 + y) * 64 + cx * 8 + cy;
                let layers = (0..12_usize).rev();
                let noise =
                    |layer: usize| (seed * 12 + layer).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
                let height = |layer: usize| (layer * 1300 + noise(layer) % 160 * 8) as i16;
                layers
                    .map(|layer| {
                        Cell::new(
                            height(layer),
                            Nswe::from_bits_truncate((seed * layer) as u8 & 15),
                        )
                    })
                    .collect()
            });
        }
    }
    let pack = assert_packs(&ground.region);
    assert!(pack.n_bytes() > 1 << 17);
}

/// More flat pairs than there are numbers: the last ones become records.
#[test]
fn no_number_of_flat_pairs_is_too_many() {
    let mut ground = Ground::new();
    for (index, block) in ground.region.blocks_mut().iter_mut().enumerate() {
        *block = Block::Flat(Flat::new((index / 2) as i16, (index % 2) as i16 - 1));
    }
    assert_packs(&ground.region);
}

/// What is kept from one region for the next is memory alone.
#[test]
fn regions_are_packed_one_after_another() {
    let mut rough = Ground::new();
    rough.block(7, 9, |x, y| {
        let side = Nswe::from_bits_truncate((x ^ y) as u8);
        vec![
            Cell::new(4000, Nswe::ALL_SIDES),
            Cell::new((x * y * 8) as i16, side),
        ]
    });
    rough.flat(3, 3, 48, 16);
    let regions = [
        rough.region,
        Ground::new().region,
        Region::flat(ironlands_sim_regions::ZERO_REGION, 8),
    ];
    let mut builder = PackBuilder::default();
    for region in regions.iter().chain(&regions) {
        region
            .blocks()
            .iter()
            .for_each(|block| builder.add(block.borrowed()));
        assert!(builder.finish() == RegionPack::new(region));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_block_survives(
        heights in proptest::collection::vec(any::<i16>(), 256),
        counts in proptest::collection::vec(1..5_usize, 64),
        step in prop_oneof![Just(1_i16), Just(8)],
        range in 1..4000_i16,
        nswe in any::<u64>(),
    ) {
        let mut ground = Ground::new();
        let layer = |cell: usize, at: usize| {
            let height = heights[cell * 4 + at].rem_euclid(range) / step * step;
            Cell::new(height, Nswe::from_bits_truncate((nswe >> ((cell + at) % 61)) as u8 & 15))
        };
        ground.block(0, 0, |x, y| (0..counts[x * 8 + y]).map(|at| layer(x * 8 + y, at)).collect());
        ground.block(0, 1, |x, y| vec![layer(x * 8 + y, 0)]);
        assert_packs(&ground.region);
        let alone = record_of(&ground.region.blocks()[0]);
        let block = BlockView::from_record(&alone, &[]).to_block();
        prop_assert_eq!(block, normal(&ground.region.blocks()[0]));
    }

    /// Which layer is meant, against a loop over all of them.
    #[test]
    fn layers_are_chosen_as_a_loop_chooses(
        column in proptest::collection::vec(-40..40_i16, 1..8),
        z in -400..400_i32,
    ) {
        let mut column: Vec<i16> = column.iter().map(|height| height * 8).collect();
        column.sort_unstable_by_key(|&height| std::cmp::Reverse(height));
        let mut ground = Ground::new();
        ground.block(0, 0, |_, _| column.iter().map(|&height| open(height)).collect());
        let pack = RegionPack::new(&ground.region);
        let block = pack.block(0);
        let heights = || column.iter().map(|&height| i32::from(height));
        let nearest = heights().min_by_key(|height| (height - z).abs());
        prop_assert_eq!(Some(block.nearest(9, z).z), nearest);
        let below = heights().find(|&height| height <= z);
        prop_assert_eq!(block.highest_up_to(9, z).map(|layer| layer.z), below);
        let above = heights().rev().find(|&height| height >= z);
        prop_assert_eq!(block.lowest_from(9, z).map(|layer| layer.z), above);
    }
}
