//! Coarse tiles against their cells, compared one at a time.

use super::*;
use ironlands_scene::TileOptions;
use ironlands_sim_regions::Cell;

/// The tile that shows a cell of the zero region.
fn key_of(level: u8, x: u32, y: u32) -> TileKey {
    let finest = TileKey {
        level: 0,
        x: KEY.x + x / 128,
        y: KEY.y - y / 128,
    };
    finest.at_level(level)
}

/// The step of that tile, counted from its south-west corner, that shows the cell.
fn step_of(level: u8, x: u32, y: u32) -> [usize; 2] {
    let key = key_of(level, x, y);
    let (cell_x, cell_y) = (KEY.x * 128 + x, KEY.y * 128 + 127 - y);
    [
        ((cell_x >> level) - key.x * 128) as usize,
        ((cell_y >> level) - key.y * 128) as usize,
    ]
}

fn covers(facet: &Facet, step: [usize; 2]) -> bool {
    (0..2).all(|axis| {
        let first = usize::from(facet.at[axis]);
        (first..first + usize::from(facet.size[axis])).contains(&step[axis])
    })
}

/// Heights of the ground that a tile shows in a step.
fn shown(tile: &Tile, step: [usize; 2]) -> Vec<i16> {
    let ground = tile.facets.iter().filter(|it| it.facing == Facing::Up);
    let mut shown: Vec<i16> = ground
        .filter(|facet| covers(facet, step))
        .map(|facet| facet.z[0])
        .collect();
    shown.sort_unstable();
    shown
}

/// Uprights, but for the edge of the land.
fn uprights(tile: &Tile) -> impl Iterator<Item = &Facet> {
    let upright = |facet: &&Facet| facet.facing != Facing::Up;
    let no_edge = |facet: &&Facet| facet.mark != LandMark::WallNoData as u8;
    tile.facets.iter().filter(upright).filter(no_edge)
}

#[test]
fn a_step_is_as_high_as_the_highest_of_its_cells() {
    let land = land(&random(3));
    for level in 1..=REGION_LEVEL + 2 {
        let side = 1_usize << level;
        let tile = land.tile(KEY.at_level(level), TileShape::Plateaus);
        for first_x in (0..160).step_by(side) {
            for first_y in (0..160).step_by(side) {
                let cells = (first_x..first_x + side)
                    .flat_map(|x| (first_y..first_y + side).map(move |y| (x, y)));
                let columns: Vec<Vec<i32>> = cells
                    .map(|(x, y)| heights(&land, cell(x as u16, y as u16)))
                    .collect();
                let ground = columns.iter().filter_map(|it| it.first()).max().unwrap();
                let top = columns.iter().filter_map(|it| it.last()).max().unwrap();
                let expected = match top - ground > 64 {
                    true => vec![*ground as i16, *top as i16],
                    false => vec![*top as i16],
                };
                let step = step_of(level, first_x as u32, first_y as u32);
                assert_eq!(shown(&tile, step), expected, "{level} {first_x} {first_y}");
            }
        }
    }
}

#[test]
fn a_tower_keeps_its_top_and_its_shaft_at_every_level() {
    // Two cells wide, so within one step at every level, with a roof over a hollow in one corner.
    let mut ground = Ground::new();
    ground.block(100, 100, |x, y| match (x, y) {
        (0, 0) => vec![open(900), open(0)],
        (0..2, 0..2) => vec![open(800)],
        _ => vec![open(0)],
    });
    let land = land(&ground);
    for (level, shape) in (1..N_LEVELS).flat_map(|level| SHAPES.map(|shape| (level, shape))) {
        let tile = land.tile(key_of(level, 800, 800), shape);
        let step = step_of(level, 800, 800);
        assert_eq!(shown(&tile, step), [800, 900], "{level} {shape:?}");
        // Down to the ground on all four sides.
        let shaft = uprights(&tile).filter(|it| it.z[2..] == [800; 2] && it.z[0] <= 0);
        let is_at_tower = |facet: &&Facet| {
            (0..2).all(|axis| usize::from(facet.at[axis]).abs_diff(step[axis]) <= 1)
        };
        assert_eq!(shaft.filter(is_at_tower).count(), 4, "{level} {shape:?}");
    }
}

#[test]
fn nothing_hangs_below_what_is_over_the_ground() {
    // A roof over a square of 16 x 16 blocks, across the borders of tiles.
    let mut ground = Ground::new();
    for (x, y) in (8..24).flat_map(|x| (8..24).map(move |y| (x, y))) {
        ground.block(x, y, |_, _| vec![open(400), open(0)]);
    }
    let land = land(&ground);
    for (level, shape) in (0..N_LEVELS).flat_map(|level| SHAPES.map(|shape| (level, shape))) {
        let tile = land.tile(KEY.at_level(level), shape);
        let roof = tile
            .facets
            .iter()
            .filter(|it| it.facing == Facing::Up && it.z == [400; 4]);
        assert!(roof.count() > 0, "{level}");
        let hanging = uprights(&tile).find(|facet| facet.z.iter().any(|&z| z > 0));
        assert_eq!(hanging, None, "{level} {shape:?}");
    }
}

#[test]
fn cliffs_stay_walls_and_slopes_stay_slopes() {
    // To the east a plateau 400 high beyond a cliff; to the south a hillside that rises by 16 a cell to 2048.
    let mut ground = Ground::new();
    for (x, y) in (0..64).flat_map(|x| (0..64).map(move |y| (x, y))) {
        match (x, y) {
            (32.., 0..32) => ground.flat(x, y, 400, 400),
            (0..32, 32..) => ground.block(x, y, |_, cell| {
                let down = 8 * y + cell - 256;
                vec![open((down.min(128) * 16) as i16)]
            }),
            _ => {}
        }
    }
    let land = land(&ground);
    for level in 0..REGION_LEVEL + 2 {
        let at = |x: u32, y: u32| land.tile(key_of(level, x, y), TileShape::Slopes);
        let is_wall = |it: &Facet| it.z[2..] == [400; 2] && it.z[0] <= 0;
        assert!(at(256, 100).facets.iter().any(is_wall), "{level}");
        // Stairs up the hillside would face north.
        let hillside = at(100, 300);
        let mut north = uprights(&hillside).filter(|it| it.facing == Facing::North);
        let stairs = north.find(|it| it.z[2] - it.z[0] > 32 << level);
        assert_eq!(stairs, None, "{level}");
    }
}

#[test]
fn a_layer_alone_has_no_holes_from_afar() {
    let land = land(&bridge());
    // Over the blocks 1 to 3 in x, cells 3 and 4 in y.
    for (level, shape) in (0..N_LEVELS).flat_map(|level| SHAPES.map(|shape| (level, shape))) {
        let of_layer = |layer: u8| {
            let options = TileOptions {
                shape,
                layer: Some(layer),
            };
            let mut tile = land.tile(KEY.at_level(level), options);
            tile.facets.retain(|it| it.layer == layer);
            tile
        };
        let bridge = of_layer(1);
        assert!(
            bridge.facets.iter().all(|it| it.facing == Facing::Up),
            "no wall"
        );
        for (x, y) in (8..32).flat_map(|x| [(x, 3), (x, 4)]) {
            assert_eq!(
                shown(&bridge, step_of(level, x, y)),
                [160],
                "{level} {x}, {y}"
            );
        }
        let below = of_layer(0);
        for (x, y) in (8..32).flat_map(|x| [(x, 1), (x, 4), (x, 6)]) {
            let shown = shown(&below, step_of(level, x, y));
            assert_eq!(shown.len(), 1, "{level} {x}, {y}");
        }
    }
    assert_eq!(land.n_layers(), 2);
}

#[test]
fn far_ground_is_closed_where_half_of_its_side_is() {
    // 64 x 64 cells whose last row and column are closed outward: a step of level 6, four of level 5.
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
