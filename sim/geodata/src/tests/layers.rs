//! Which layer is meant: section 4.1.

use crate::test_world::{Ground, cell, open};
use crate::{GeoPoint, Geodata, GeodataError};
use ironlands_sim_regions::OutsideWorld;

/// Section 4.1: the twelve layers of 22_18.l2j at (85391, 16228).
const COLUMN: [i16; 12] = [
    232, -232, -744, -1256, -1768, -2288, -2800, -3672, -3904, -3952, -4272, -4520,
];

fn tower() -> Geodata {
    let mut ground = Ground::new();
    ground.block(0, 0, |_, _| COLUMN.map(open).to_vec());
    ground.geodata()
}

#[test]
fn layers_agree_with_the_facts() {
    let geodata = tower();
    let facts = [
        (-3640, -3672, Some(-3672), Some(-2800)),
        (-488, -232, Some(-744), Some(-232)),
        (-489, -744, Some(-744), Some(-232)),
        (232, 232, Some(-232), None),
        (233, 232, Some(232), None),
        (-4520, -4520, None, Some(-4272)),
        (-4519, -4520, Some(-4520), Some(-4272)),
        (-5000, -4520, None, Some(-4520)),
    ];
    let at = cell(3, 5);
    for (z, nearest, below, above) in facts {
        assert_eq!(geodata.nearest_layer(at, z).unwrap().z, nearest, "{z}");
        assert_eq!(geodata.height(GeoPoint::from_cell(at, z)), Ok(nearest));
        assert_eq!(
            geodata.layer_below(at, z).unwrap().map(|it| it.z),
            below,
            "{z}"
        );
        assert_eq!(
            geodata.layer_above(at, z).unwrap().map(|it| it.z),
            above,
            "{z}"
        );
    }
    assert_eq!(
        geodata.layer_at_or_below(at, 232).unwrap().map(|it| it.z),
        Some(232)
    );
    assert_eq!(
        geodata.layer_at_or_above(at, 232).unwrap().map(|it| it.z),
        Some(232)
    );
    assert_eq!(geodata.near_lower_64(at, -295).unwrap().z, -232);
    assert_eq!(geodata.near_lower_64(at, -296).unwrap().z, -744);
    assert_eq!(geodata.near_lower_64(at, -9000).unwrap().z, -4520);
    let indices: Vec<u8> = geodata
        .layers(at)
        .unwrap()
        .iter()
        .map(|it| it.index)
        .collect();
    assert_eq!(indices, (0..12).collect::<Vec<u8>>());
}

#[test]
fn extreme_heights_are_only_far() {
    let geodata = tower();
    let at = cell(0, 0);
    assert_eq!(geodata.nearest_layer(at, i32::MAX).unwrap().z, 232);
    assert_eq!(geodata.nearest_layer(at, i32::MIN).unwrap().z, -4520);
    assert_eq!(geodata.layer_below(at, i32::MIN), Ok(None));
    assert_eq!(geodata.layer_above(at, i32::MAX), Ok(None));
    assert_eq!(geodata.near_lower_64(at, i32::MAX).unwrap().z, 232);
}

#[test]
fn a_flat_block_is_as_high_as_its_upper_height() {
    let mut ground = Ground::new();
    ground.flat(0, 0, 3528, 3496);
    let geodata = ground.geodata();
    for z in [3000, 3496, 4000] {
        assert_eq!(geodata.nearest_layer(cell(1, 1), z).unwrap().z, 3528);
    }
    assert_eq!(geodata.layer_below(cell(1, 1), 3528), Ok(None));
}

#[test]
fn nothing_is_said_of_what_is_not_there() {
    let geodata = tower();
    let error = geodata.height(GeoPoint::new(-1, 0, 0)).unwrap_err();
    assert_eq!(error.to_string(), "region 19_18 is not loaded");
    let outside = OutsideWorld { x: 400_000, y: 0 };
    let error = geodata.height(GeoPoint::new(400_000, 0, 0)).unwrap_err();
    assert_eq!(error, GeodataError::Outside(outside));
    assert!(Geodata::default().layers(cell(0, 0)).is_err());
}

#[test]
fn batches_return_what_single_queries_do() {
    let geodata = tower();
    let points: Vec<GeoPoint> = (0..10_000)
        .map(|i| GeoPoint::new(i % 300 - 20, i / 40, i - 5000))
        .collect();
    let mut heights = vec![None; points.len()];
    geodata.height_batch(&points, &mut heights);
    for (height, &point) in heights.iter().zip(&points) {
        assert_eq!(*height, geodata.height(point).ok());
    }
}
