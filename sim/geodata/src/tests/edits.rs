//! Doors, fences and other blocks: section 6.5.

use crate::test_world::{Ground, bridge, cell, middle};
use crate::{GeoObject, ObjectCell, ObjectKind, Profile, SharedGeodata};
use ironlands_sim_regions::{Block, Flat, GeoCell, Nswe, ZERO_REGION};
use std::sync::Arc;

/// A door over cells (10, 0) to (11, 4).
fn door() -> Arc<GeoObject> {
    let outline = [(161, 1), (190, 1), (190, 78), (161, 78)];
    Arc::new(GeoObject::from_outline(&outline, 0, 100, ObjectKind::Door).unwrap())
}

#[test]
fn an_outline_covers_cells_and_closes_those_around() {
    // South of the edge of the grid nothing is lost: one cell more is needed on each side.
    let outline = [(161, 161), (190, 161), (190, 190), (161, 190)];
    let object = GeoObject::from_outline(&outline, 0, 100, ObjectKind::Door).unwrap();
    for x in 10..12 {
        for y in 10..12 {
            assert_eq!(object.at(cell(x, y)), ObjectCell::Inside);
        }
    }
    assert_eq!(object.at(cell(9, 10)), ObjectCell::Closed(Nswe::EAST));
    assert_eq!(object.at(cell(12, 11)), ObjectCell::Closed(Nswe::WEST));
    assert_eq!(object.at(cell(10, 9)), ObjectCell::Closed(Nswe::SOUTH));
    assert_eq!(object.at(cell(11, 12)), ObjectCell::Closed(Nswe::NORTH));
    assert_eq!(object.at(cell(9, 9)), ObjectCell::Unchanged);
    assert_eq!(object.at(cell(500, 9)), ObjectCell::Unchanged);
    let turned: Vec<_> = outline.into_iter().rev().collect();
    assert_eq!(
        GeoObject::from_outline(&turned, 0, 100, ObjectKind::Door),
        Some(object)
    );
    assert_eq!(
        GeoObject::from_outline(&outline[..2], 0, 100, ObjectKind::Door),
        None
    );
    assert_eq!(
        GeoObject::from_outline(&outline, 100, 0, ObjectKind::Door),
        None
    );
    let far = [(0, 0), (i32::MAX, 0), (0, i32::MAX)];
    assert_eq!(
        GeoObject::from_outline(&far, 0, 100, ObjectKind::Door),
        None
    );
    // From the first cell of the grid to its last: one more than a number of cells can hold.
    let (west, north) = GeoCell { x: 1, y: 1 }.corner();
    let (east, south) = GeoCell { x: 65534, y: 3 }.corner();
    let widest = [(west, north), (east, north), (east, south), (west, south)];
    assert_eq!(
        GeoObject::from_outline(&widest, 0, 100, ObjectKind::Door),
        None
    );
}

#[test]
fn a_closed_door_blocks_and_an_open_one_leaves_no_trace() {
    let geodata = Ground::new().geodata();
    let (west, east) = (middle(5, 2, 0), middle(20, 2, 0));
    let closed = geodata.with_object(7, &door());
    assert_ne!(closed.generation(), geodata.generation());
    assert_eq!(
        geodata.is_straight_walk_free(west, east, &Profile::ACIS),
        Ok(true),
        "a reader of the old one"
    );
    assert_eq!(
        closed.is_straight_walk_free(west, east, &Profile::ACIS),
        Ok(false)
    );
    assert_eq!(
        closed.is_straight_walk_free(middle(5, 20, 0), middle(20, 20, 0), &Profile::ACIS),
        Ok(true)
    );
    let inside = closed.nearest_layer(cell(10, 2), 0).unwrap();
    assert_eq!((inside.z, inside.nswe), (100, Nswe::empty()));
    assert!(closed.memory().edits > 0);
    let opened = closed.without_object(7);
    assert_eq!(
        opened.is_straight_walk_free(west, east, &Profile::ACIS),
        Ok(true)
    );
    assert_eq!(opened.memory().edits, 0);
    assert_eq!(
        opened.without_object(7).generation(),
        opened.generation(),
        "nothing to do"
    );
}

#[test]
fn doors_on_doors_come_and_go_in_any_order() {
    let geodata = Ground::new().geodata();
    let outline = [(181, 1), (230, 1), (230, 78), (181, 78)];
    let other = Arc::new(GeoObject::from_outline(&outline, 0, 200, ObjectKind::Door).unwrap());
    let both = geodata.with_object(1, &door()).with_object(2, &other);
    // A cell that the first one lifted is left to it.
    assert_eq!(both.nearest_layer(cell(11, 2), 0).unwrap().z, 100);
    assert_eq!(both.nearest_layer(cell(12, 2), 0).unwrap().z, 200);
    let one = both.without_object(1);
    assert_eq!(one.nearest_layer(cell(11, 2), 0).unwrap().z, 200);
    assert_eq!(one.nearest_layer(cell(10, 2), 0).unwrap().z, 0);
    let same = geodata.with_object(2, &other);
    for x in 0..20 {
        assert_eq!(one.layers(cell(x, 2)), same.layers(cell(x, 2)));
    }
    // The same id once more takes the place of the first.
    let moved = both.with_object(1, &other);
    assert_eq!(moved.nearest_layer(cell(10, 2), 0).unwrap().z, 0);
}

#[test]
fn only_layers_near_an_object_are_closed() {
    let geodata = bridge().geodata();
    let outline = [(161, 33), (174, 33), (174, 94), (161, 94)];
    let object = GeoObject::from_outline(&outline, 0, 300, ObjectKind::Door).unwrap();
    let closed = geodata.with_object(1, &Arc::new(object));
    let layers = closed.layers(cell(10, 3)).unwrap();
    let heights: Vec<_> = layers
        .iter()
        .map(|layer| (layer.z, layer.nswe.is_empty()))
        .collect();
    // The ground is lifted, with headroom below the bridge, which stays.
    assert_eq!(heights, [(112, true), (160, false)]);
    assert_eq!(
        closed.is_straight_walk_free(middle(4, 3, 80), middle(30, 3, 160), &Profile::PTS),
        Ok(true)
    );
    assert_eq!(
        closed.is_straight_walk_free(middle(8, 0, 0), middle(12, 7, 0), &Profile::PTS),
        Ok(false)
    );
    // Too far above the ground for a door, near enough for a wall.
    for (kind, is_closed) in [(ObjectKind::Door, false), (ObjectKind::Wall, true)] {
        let object =
            GeoObject::from_outline(&[(161, 161), (174, 161), (174, 174)], 100, 300, kind).unwrap();
        let edited = geodata.with_object(1, &Arc::new(object));
        assert_eq!(
            edited
                .nearest_layer(cell(10, 10), 0)
                .unwrap()
                .nswe
                .is_empty(),
            is_closed
        );
    }
}

#[test]
fn blocks_are_replaced_under_objects() {
    let geodata = Ground::new().geodata().with_object(1, &door());
    let raised = geodata.with_block(ZERO_REGION, 256, Block::Flat(Flat::new(24, 8)));
    assert_eq!(raised.nearest_layer(cell(8, 6), 0).unwrap().z, 24);
    assert_eq!(
        raised.nearest_layer(cell(10, 2), 0).unwrap().z,
        100,
        "the door is still there"
    );
    let opened = raised.without_object(1);
    assert_eq!(opened.nearest_layer(cell(10, 2), 0).unwrap().z, 24);
    // The pair survives where no object is: a step of 40 by its lower height.
    assert_eq!(
        opened.is_straight_walk_free(middle(5, 6, -8), middle(9, 6, 24), &Profile::PTS),
        Ok(true)
    );
    let elsewhere = ironlands_sim_regions::RegionId::new(1, 1).unwrap();
    let nothing = geodata.with_block(elsewhere, 0, Block::Flat(Flat::new(0, 0)));
    assert!(!nothing.has_region(elsewhere));
}

#[test]
fn many_blocks_change_at_once_and_leave_no_trace_when_they_change_back() {
    let ground = bridge();
    let geodata = ground.geodata();
    let numbers = [0, 256, 512, 999];
    let high = |index| (ZERO_REGION, index, Block::Flat(Flat::new(800, 800)));
    let raised = geodata.with_blocks(numbers.map(high));
    assert_eq!(raised.generation(), geodata.generation() + 1);
    let one_by_one = numbers.iter().fold(geodata.clone(), |geodata, &index| {
        let (region, index, block) = high(index);
        geodata.with_block(region, index, block)
    });
    for index in numbers {
        let at = GeoCell::in_region(ZERO_REGION, index, 9);
        assert_eq!(raised.layers(at).unwrap()[0].z, 800);
        assert_eq!(raised.layers(at), one_by_one.layers(at));
        assert!(raised.is_edited(at));
    }
    let before = |index| {
        let block = ground.region.blocks()[usize::from(index)].clone();
        (ZERO_REGION, index, block)
    };
    let same = raised.with_blocks(numbers.map(before));
    assert_eq!(same.memory().edits, 0);
    for index in numbers {
        let at = GeoCell::in_region(ZERO_REGION, index, 9);
        assert_eq!(same.layers(at), geodata.layers(at));
        assert!(!same.is_edited(at));
    }
    // Under a door only the door is left.
    let closed = raised
        .with_object(1, &door())
        .with_blocks(numbers.map(before));
    assert_eq!(closed.without_object(1).memory().edits, 0);
}

#[test]
fn readers_see_the_newest_at_their_next_look() {
    let shared = SharedGeodata::new(Ground::new().geodata());
    let mut reader = shared.reader();
    let (west, east) = (middle(5, 2, 0), middle(20, 2, 0));
    let held = reader.get().clone();
    shared.edit(|geodata| geodata.with_object(1, &door()));
    assert_eq!(
        held.is_straight_walk_free(west, east, &Profile::ACIS),
        Ok(true)
    );
    assert_eq!(
        reader
            .get()
            .is_straight_walk_free(west, east, &Profile::ACIS),
        Ok(false)
    );
    std::thread::scope(|scope| {
        for id in 2..6 {
            let shared = &shared;
            scope.spawn(move || shared.edit(|geodata| geodata.with_object(id, &door())));
        }
        let mut reader = shared.reader();
        scope.spawn(move || {
            for _ in 0..100 {
                assert_eq!(
                    reader
                        .get()
                        .is_straight_walk_free(west, east, &Profile::ACIS),
                    Ok(false)
                );
            }
        });
    });
    shared.edit(|geodata| (1..6).fold(geodata.clone(), |geodata, id| geodata.without_object(id)));
    assert_eq!(
        reader
            .get()
            .is_straight_walk_free(west, east, &Profile::ACIS),
        Ok(true)
    );
}
