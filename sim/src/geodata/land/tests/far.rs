//! Coarse tiles against slow sums over their cells.

use super::*;
use ironlands_assets_loader::lineage2::Cell;

#[test]
fn coarse_heights_lie_between_those_of_their_cells() {
    let land = land(&random(3));
    for level in 1..N_LEVELS {
        let key = KEY.at_level(level);
        let side = 1_usize << level;
        let tile = land.tile(key, TileShape::Plateaus);
        let mut n_checked = 0;
        for facet in tile.facets.iter().filter(|it| it.facing == Facing::Up) {
            for x in usize::from(facet.at[0])..usize::from(facet.at[0] + facet.size[0]) {
                for y in usize::from(facet.at[1])..usize::from(facet.at[1] + facet.size[1]) {
                    let first_x = (key.x as usize * 128 + x) * side;
                    let first_y = (512 * 128 / side - 1 - (key.y as usize * 128 + y)) * side;
                    if first_x < 40960
                        || first_y < 36864
                        || first_x >= 40960 + 160
                        || first_y >= 36864 + 160
                    {
                        continue;
                    }
                    let mut range: Option<[i32; 2]> = None;
                    for cell_x in first_x..first_x + side {
                        for cell_y in first_y..first_y + side {
                            let cell = GeoCell {
                                x: cell_x as u16,
                                y: cell_y as u16,
                            };
                            for z in heights(&land, cell) {
                                let [min, max] = range.unwrap_or([z, z]);
                                range = Some([min.min(z), max.max(z)]);
                            }
                        }
                    }
                    let [min, max] = range.unwrap();
                    let z = i32::from(facet.z[0]);
                    assert!(min <= z && z <= max, "{level} {x} {y}: {z} in {min}..{max}");
                    n_checked += 1;
                }
            }
        }
        assert!(n_checked > 0, "{level}");
    }
}

#[test]
fn mean_heights_are_those_of_a_slow_sum() {
    let mut ground = Ground::new();
    ground.block(0, 0, |x, y| vec![open((x * 64 + y * 8) as i16)]);
    let land = land(&ground);
    for level in 1..=REGION_LEVEL + 1 {
        let side = 1_usize << level;
        let cells = (0..side).flat_map(|x| (0..side).map(move |y| (x, y)));
        let sum: usize = cells
            .map(|(x, y)| if x < 8 && y < 8 { x * 64 + y * 8 } else { 0 })
            .sum();
        let mean = (sum as f64 / (side * side) as f64).round() as i16;
        let key = KEY.at_level(level);
        let tile = land.tile(key, TileShape::Plateaus);
        let step = [
            KEY.x * 128 / side as u32 % 128,
            (KEY.y * 128 + 127) / side as u32 % 128,
        ];
        let at = |facet: &&Facet| {
            facet.facing == Facing::Up
                && (0..2).all(|axis| {
                    let first = u32::from(facet.at[axis]);
                    (first..first + u32::from(facet.size[axis])).contains(&step[axis])
                })
        };
        assert_eq!(
            tile.facets.iter().find(at).map(|it| it.z),
            Some([mean; 4]),
            "{level}"
        );
    }
}

#[test]
fn far_ground_is_closed_where_half_of_its_side_is() {
    // 64 x 64 cells whose last row and column are closed outwards: a step of level 6, four of level 5.
    let mut ground = Ground::new();
    for block_x in 0..8 {
        for block_y in 0..8 {
            ground.block(block_x, block_y, |x, y| {
                let mut sides = Nswe::ALL_SIDES;
                sides.set(Nswe::EAST, (block_x, x) != (7, 7));
                sides.set(Nswe::SOUTH, (block_y, y) != (7, 7));
                vec![Cell::new(0, sides)]
            });
        }
    }
    let land = land(&ground);
    let open_sides = |level: u8, step_x: u32, step_y: u32| {
        let key = KEY.at_level(level);
        let north_most = ((KEY.y * 128 + 127) >> level) - key.y * 128;
        let at = [
            ((KEY.x * 128) >> level) - key.x * 128 + step_x,
            north_most - step_y,
        ];
        let tile = land.tile(key, TileShape::Plateaus);
        let covers = |facet: &&Facet| {
            facet.facing == Facing::Up
                && (0..2).all(|axis| {
                    let first = u32::from(facet.at[axis]);
                    (first..first + u32::from(facet.size[axis])).contains(&at[axis])
                })
        };
        tile.facets.iter().find(covers).unwrap().open_sides
    };
    let all = Nswe::ALL_SIDES.bits();
    let (east, south) = (Nswe::EAST.bits(), Nswe::SOUTH.bits());
    for level in 3..6 {
        let last = (64 >> level) - 1;
        assert_eq!(open_sides(level, 0, 0), all, "{level}");
        assert_eq!(open_sides(level, last, 0), all - east, "{level}");
        assert_eq!(open_sides(level, 0, last), all - south, "{level}");
        assert_eq!(open_sides(level, last, last), all - east - south, "{level}");
    }
    assert_eq!(open_sides(6, 0, 0), all - east - south);
    // Of twice that size it is an inner row, and the sides are those of the open ground beside it.
    assert_eq!(open_sides(7, 0, 0), all);
}
