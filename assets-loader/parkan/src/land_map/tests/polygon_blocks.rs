//! Polygon blocks in either layout.

use super::*;

/// Two polygons on the square: their six links follow the outline's four, their blocks follow the links.
const POLYGON_LINKS: &str = "\
    01 00 00 00 02 00 00 00  FF FF FF FF FF FF FF FF  00 00 00 00 09 00 00 00 \
    FF FF FF FF FF FF FF FF  FF FF FF FF FF FF FF FF  01 00 00 00 00 00 00 00";

pub(super) fn polygons(bodies: [Vec<u32>; 2]) -> Vec<PolygonBlock> {
    let [first, second] = bodies;
    let link = |areal, edge| EdgeLink { areal, edge };
    vec![
        PolygonBlock {
            links: [link(1, 2), EdgeLink::NONE, link(0, 9)],
            body: first,
        },
        PolygonBlock {
            links: [EdgeLink::NONE, EdgeLink::NONE, link(1, 0)],
            body: second,
        },
    ]
}

pub(super) fn polygon_facts() -> [(PolygonBlockLayout, LandMap, Vec<u8>); 2] {
    let facts = [
        (
            PolygonBlockLayout::CountInside,
            "01 00 00 00  0A 00 00 00 0B 00 00 00 0C 00 00 00  00 00 00 00",
            [vec![10, 11, 12], vec![]],
        ),
        (
            PolygonBlockLayout::CountBefore,
            "01 00 00 00  0A 00 00 00 0B 00 00 00 0C 00 00 00 0D 00 00 00  00 00 00 00 0E 00 00 00",
            [vec![10, 11, 12, 13], vec![14]],
        ),
    ];
    facts.map(|(layout, blocks, bodies)| {
        let mut payload = hand_typed_payload();
        payload[52] = 2;
        let inserted = [hex(POLYGON_LINKS), hex(blocks)].concat();
        payload.splice(AREAL_1 - AREAL_0..AREAL_1 - AREAL_0, inserted);
        let mut value = hand_typed_value();
        value.areals[0].polygons = polygons(bodies);
        (layout, value, file_of(2, payload))
    })
}

#[test]
fn polygon_blocks_of_one_layout_are_none_of_the_other() {
    let [(inside, _, inside_file), (before, _, before_file)] = polygon_facts();
    for (file, other) in [(inside_file, before), (before_file, inside)] {
        let misread = LandMap::read_with(&file, Tolerance::STRICT, other);
        assert!(misread.is_err(), "read as {other:?}");
    }
}

/// The kit reads each file in its own layout.
#[test]
fn mutations_are_survived_in_either_layout() {
    let mut map = hand_typed_value();
    map.areals[0].polygons = polygons([vec![1; 3], vec![2; 6]]);
    let file = map.write().unwrap();
    for seed in 1..=2_000 {
        let damaged = with_true_size(&mutant(&file, seed));
        Registered::<LandMap>::NEW.exercise(&damaged);
    }
}

#[test]
fn polygon_blocks_of_mixed_layouts_are_not_written() {
    for bodies in [[vec![1; 3], vec![1; 4]], [vec![1; 2], vec![1; 2]]] {
        let mut map = hand_typed_value();
        map.areals[0].polygons = polygons(bodies);
        let error = map.write().unwrap_err();
        assert_eq!(error.field, "areal 0 polygon blocks");
        assert_eq!(error.offset, AREAL_0 as u64 + 52);
    }
}
