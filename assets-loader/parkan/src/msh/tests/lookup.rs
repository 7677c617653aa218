//! From nodes to slots, batches, triangles, materials and tracks.

use super::*;
use crate::msh_animation::Track;

#[test]
fn nodes_lead_to_slots_by_state_and_lod() {
    let model = hand_typed_value();
    let slot_of = |node, state, lod| model.slot(node, state, lod).copied();
    let [fine, coarse] = [Some(model.slots[0]), Some(model.slots[1])];
    assert_eq!(slot_of(0, 0, 0), fine);
    assert_eq!(slot_of(0, 0, 3), fine, "the next finer one that exists");
    assert_eq!(slot_of(0, 0, 4), None, "the own view has its own");
    assert_eq!(slot_of(0, 0, 99), None, "beyond all");
    assert_eq!(slot_of(0, 1, 0), coarse, "a state is five words");
    assert_eq!(slot_of(0, 2, 4), None);
    assert_eq!(slot_of(1, 0, 0), None, "never a coarser one");
    assert_eq!(slot_of(1, 0, 1), coarse);
    assert_eq!(slot_of(1, 2, 4), fine, "the last word");
    assert_eq!(slot_of(1, 3, 0), None);
    assert_eq!(slot_of(2, 0, 0), None);
}

#[test]
fn slots_lead_to_triangles_and_their_descriptors() {
    let model = hand_typed_value();
    let slot = &model.slots[1];
    let triangles: Vec<_> = model.slot_triangles(slot).collect();
    let triangle = |vertices, descriptor_idx| SlotTriangle {
        batch_idx: 1,
        vertices,
        descriptor_idx,
    };
    assert_eq!(triangles, [triangle([1, 2, 3], 1), triangle([3, 2, 1], 2)]);
    assert_eq!(model.slot_descriptors(slot).len(), 2);
    assert_eq!(model.slot_descriptors(slot)[0].flags, 0x8002);
    let outside = Slot {
        batch_count: 9,
        ..*slot
    };
    assert_eq!(model.slot_triangles(&outside).count(), 0);
}

#[test]
fn a_part_triangle_takes_a_descriptor() {
    let mut model = hand_typed_value();
    // Four indices in batch 0: a triangle, and one index of the next.
    model.batches[0].index_count = 4;
    model.slots[0].batch_count = 2;
    assert_eq!(model.batches[0].n_triangles(), 2);
    let descriptors: Vec<_> = (model.slot_triangles(&model.slots[0]))
        .map(|triangle| (triangle.batch_idx, triangle.descriptor_idx))
        .collect();
    assert_eq!(descriptors, [(0, 0), (1, 2), (1, 3)]);
}

#[test]
fn selectors_are_three_pairs_of_bits() {
    let triangles = hand_typed_value().triangles.unwrap();
    assert_eq!(triangles[0].selectors(), [None, None, None]);
    // 0x24 = 10 01 00.
    assert_eq!(triangles[1].selectors(), [Some(0), Some(1), Some(2)]);
    // 0x0D = 00 11 01.
    assert_eq!(triangles[2].selectors(), [Some(1), None, Some(0)]);
    let changed = triangles[2].with_selectors([Some(2), Some(0), None]);
    assert_eq!(changed.packed_selectors, 0xFF72, "unknown bits are kept");
}

#[test]
fn the_material_row_follows_the_reading() {
    let batch = hand_typed_value().batches[1];
    assert_eq!((batch.wear_row, batch.material_02), (4, 5));
    let (byte, word) = (MaterialReading::ByteAt4, MaterialReading::WordAt2);
    assert_eq!(MaterialReading::default(), byte);
    let swapped = Batch {
        wear_row: 5,
        material_02: 4,
        ..batch
    };
    let rows = [
        (batch, byte, 6, Some((4, RowSource::Chosen))),
        (batch, word, 6, Some((5, RowSource::Chosen))),
        (batch, byte, 4, Some((0, RowSource::First))),
        (batch, word, 5, Some((0, RowSource::First))),
        (swapped, byte, 5, Some((4, RowSource::Other))),
        (batch, byte, 0, None),
    ];
    for (batch, reading, n_rows, expected) in rows {
        let row = batch.material_row(reading, n_rows);
        let expected = expected.map(|(row, source)| MaterialRow { row, source });
        assert_eq!(row, expected, "{reading:?} of {n_rows} rows");
    }
}

#[test]
fn a_lightmap_needs_its_flag() {
    let batches = hand_typed_value().batches;
    assert_eq!(batches[0].lightmap(), Some(7));
    assert_eq!(batches[1].lightmap(), None);
}

#[test]
fn nodes_have_names_parents_and_tracks() {
    let model = hand_typed_value();
    assert_eq!(model.node_name(0).as_deref(), Some("Корп"));
    assert_eq!(model.node_name(1), None);
    let nodes = model.nodes.as_slice();
    assert_eq!((nodes[0].parent(), nodes[1].parent()), (None, Some(0)));
    let standing = Track {
        keys: 0..1,
        fallback: 0,
        map_start: None,
    };
    let moving = Track {
        keys: 1..3,
        fallback: 2,
        map_start: Some(0),
    };
    assert_eq!(model.tracks(), [Some(standing), Some(moving)]);
}

#[test]
fn slot_bounds_follow_moved_vertices() {
    let mut model = hand_typed_value();
    // Vertex 3 belongs to slot 1 alone, which has vertices 1 to 3.
    model.positions[3] = [1.0, 6.0, 9.0];
    let before = model.slots[0];
    model.recompute_slot_bounds();
    assert_eq!(model.slots[1].aabb_min, [1.0, 2.0, 1.0]);
    assert_eq!(model.slots[1].aabb_max, [3.0, 6.0, 9.0]);
    assert_eq!(model.slots[1].sphere_center, [2.0, 4.0, 5.0]);
    assert_eq!(model.slots[0].aabb_max, before.aabb_max);
    model.slots[0].batch_count = 0;
    let empty = model.slots[0];
    model.recompute_slot_bounds();
    assert_eq!(model.slots[0], empty, "without triangles nothing changes");
}
