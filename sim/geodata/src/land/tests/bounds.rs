//! What rays pass over against all that is drawn.

use super::*;
use crate::land::partners::Side;
use crate::land::way::Way;
use ironlands_sim_regions::CELL_SIZE;

/// The size of the square around the middle of a cell that a level ray at a height passes as empty.
fn passed(land: &Land, cell: GeoCell, z: f32) -> Option<i32> {
    let (x, y) = cell.center();
    let ray = Ray {
        origin: Vec3::new(x as f32, -(y as f32), z),
        direction: Vec3::X,
    };
    let ray = LandRay::new(&ray).unwrap();
    let way = Way::new(&ray, f64::from(CELL_SIZE)).unwrap();
    let bounds = land.summaries.bounds(cell).unwrap();
    let (square, _) = bounds.empty_square(cell, &way)?;
    Some(square.side())
}

#[test]
fn no_square_is_empty_where_ground_or_a_wall_is() {
    // Cells at the border of a region, too: those around the first one have their neighbor's heights.
    let (x, y) = (ZERO_REGION.x(), ZERO_REGION.y());
    let mut west = Ground::at(RegionId::new(x - 1, y).unwrap());
    for y in 0..4 {
        west.flat(255, y, -400, -424);
    }
    let land = Land::new(geodata_with(&[random(21), west]), Profile::ACIS);
    for shape in SHAPES {
        let mut surface = TileSurface::new(&land, shape);
        let (mut n_corners, mut n_passed) = (0, 0);
        for (x, y) in (0..40).flat_map(|x| (0..40).map(move |y| (x, y))) {
            let here = cell(x, y);
            let beside = [(1, 0), (-1, 0), (0, 1), (0, -1)].map(|(dx, dy)| GeoCell {
                x: here.x.wrapping_add_signed(dx),
                y: here.y.wrapping_add_signed(dy),
            });
            for at in [here].into_iter().chain(beside) {
                let Some(side) = Side::between(here, at) else {
                    // All of the cell itself.
                    for layer in 0..heights(&land, at).len() {
                        for z in surface.corners(at, layer as u8).unwrap() {
                            assert_eq!(passed(&land, here, z), None, "{here:?} {z} {shape:?}");
                            n_corners += 1;
                        }
                    }
                    continue;
                };
                // Of those beside it the edges, down to which walls go.
                for layer in 0..heights(&land, at).len() {
                    for z in surface.edge(at, layer as u8, side.opposite()).unwrap() {
                        assert_eq!(passed(&land, here, z), None, "{here:?} {z} {shape:?}");
                    }
                }
            }
            // Above all, and between lower ground and the highest.
            n_passed += usize::from(passed(&land, here, 900.0) == Some(256));
            n_passed += usize::from(passed(&land, here, 100.0).is_some());
        }
        assert!(
            n_corners > 6400 && n_passed > 1600,
            "{n_corners} {n_passed}"
        );
    }
}

#[test]
fn larger_squares_are_passed_where_smaller_ones_are() {
    let mut ground = Ground::new();
    ground.flat(1, 1, 1000, 1000);
    let land = land(&ground);
    // Block (1, 1) is cells 8 to 15; cells beside it meet its walls.
    for (at, expected) in [
        (cell(9, 9), None),
        (cell(7, 9), None),
        (cell(16, 7), None),
        (cell(24, 9), Some(8)),
        (cell(9, 31), Some(8)),
        (cell(32, 9), Some(32)),
        (cell(256, 9), Some(256)),
    ] {
        assert_eq!(passed(&land, at, 500.0), expected, "{at:?}");
    }
}
