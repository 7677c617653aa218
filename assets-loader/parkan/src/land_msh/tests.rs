use proptest::prelude::*;

use super::codec::CHUNKS;
use super::links::{BrokenLink, broken_links};
use super::*;
use crate::nres::Entry;
use crate::raw_nres::{ROW_SIZE, RawChunk, raw_nres, set16, set32, with_true_size};
use ironlands_assets_core::bytes::{Finding, FormatError, FormatErrorKind, Severity};
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof};

mod borders;
mod checks;
mod samples;

use samples::{hand_typed_chunks, hand_typed_value, terrain};

proof! {
    LandMsh {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_land(),
        // The archive's copy, the tables, and of damage a few findings: below twelve times the file.
        growth: 12,
        runs: 2_000,
        records: records(),
        mend: with_true_size,
        // The promise that all users rely on.
        also: |land, _| {
            let kept = |broken: BrokenLink| broken.type_id == 11;
            assert!(broken_links(land).all(kept), "everything else is repaired");
        },
    }
}

/// Payload offsets of the hand-typed file, and of its directory.
const TYPE_1: usize = 16;
const TYPE_2: usize = 56;
const TYPE_21: usize = 384;
const DIRECTORY: usize = 440;

fn facts() -> Vec<Fact<LandMsh>> {
    let file = raw_nres(&hand_typed_chunks());
    assert_eq!(file.len(), DIRECTORY + 9 * ROW_SIZE);
    vec![
        Fact::new("one tile, typed by hand", hand_typed_value(), file),
        Fact::from_bytes("two tiles", terrain(2, 1).write().unwrap()),
    ]
}

fn records() -> [RecordPlace; 5] {
    let (file, land) = (raw_nres(&hand_typed_chunks()), hand_typed_value());
    [
        RecordPlace::from_value(&file, &land.nodes[0], ()),
        RecordPlace::from_value(&file, &land.header, ()),
        RecordPlace::from_value(&file, &land.slots[0], ()),
        RecordPlace::from_value(&file, &land.face_keys[0], ()),
        RecordPlace::from_value(&file, &land.faces[0], ()),
    ]
}

#[test]
fn chunks_that_the_archive_lacks_are_written_in_canonical_order() {
    let mut land = hand_typed_value();
    land.container.entries.retain(|e| e.type_id % 2 == 0);
    let stranger = Entry::new(77, 1, 2, 3, "stranger", vec![9; 5]).unwrap();
    land.container.entries.insert(0, stranger.clone());
    let back = LandMsh::read(&land.write().unwrap()).unwrap();
    let order: Vec<u32> = back.container.entries.iter().map(|e| e.type_id).collect();
    assert_eq!(order, [1, 77, 2, 3, 4, 5, 18, 14, 11, 21]);
    assert_eq!(back.container.entries[1], stranger);
}

#[test]
fn the_weights_of_second_materials_come_and_go() {
    let mut land = hand_typed_value();
    land.second_weights = None;
    let without = land.write().unwrap();
    let mut land = LandMsh::read(&without).unwrap();
    assert_eq!(land.second_weights, None);
    let mut twice = hand_typed_value();
    twice
        .container
        .entries
        .push(Entry::new(14, 4, 0, 4, "", vec![0; 16]).unwrap());
    twice.second_weights = None;
    let gone = LandMsh::read(&twice.write().unwrap()).unwrap();
    assert_eq!(gone.second_weights, None, "no other chunk takes its place");
    assert_eq!(land.container.entries.len(), 8);
    land.second_weights = hand_typed_value().second_weights;
    let order: Vec<u32> = (land.filled_container().unwrap().entries.iter())
        .map(|entry| entry.type_id)
        .collect();
    assert_eq!(order, CHUNKS.map(|(type_id, _)| type_id));
}

#[test]
fn names_orders_attributes_and_unknown_chunks_survive() {
    let mut chunks = hand_typed_chunks();
    chunks.reverse();
    for (index, chunk) in chunks.iter_mut().enumerate() {
        chunk.name[..2].copy_from_slice(&[b'a' + index as u8, 0]);
        chunk.name[35] = 0xEE;
        if chunk.type_id != 1 {
            chunk.attr2 = 1000 + index as u32;
        }
    }
    chunks.push(RawChunk::new(99, [7, 8, 9], b"z", vec![1, 2, 3]));
    // A second chunk of a known type is not the terrain's.
    chunks.push(RawChunk::new(3, [1, 0, 12], b"zz", vec![4; 7]));
    let file = raw_nres(&chunks);
    let land = LandMsh::read(&file).unwrap();
    assert_eq!(land.write().unwrap(), file);
    assert_eq!(land.container.entries[10].data, [4; 7]);
}

#[test]
fn an_edit_changes_the_edited_bytes_only() {
    let file = raw_nres(&hand_typed_chunks());
    let mut land = LandMsh::read(&file).unwrap();
    land.faces[1].first_material = 0x55;
    let mut expected = file;
    expected[TYPE_21 + 28 + 4] = 0x55;
    assert_eq!(land.write().unwrap(), expected);
}

/// What is changed in the hand-typed file, and the place that the strict reader must name.
struct Breakage {
    name: &'static str,
    change: fn(&mut [u8]),
    entry: Option<&'static str>,
    field: &'static str,
    offset: usize,
    /// The leniency that gets over it, if any.
    waiver: Option<Tolerance>,
}

/// Rows of the directory, in file order.
const ROW: fn(usize) -> usize = |index| DIRECTORY + index * ROW_SIZE;

fn breakages() -> Vec<Breakage> {
    vec![
        Breakage {
            name: "a required chunk is missing",
            change: |f| set32(f, ROW(5), 99),
            entry: None,
            field: "directory",
            offset: DIRECTORY,
            waiver: None,
        },
        Breakage {
            name: "no cells in x",
            change: |f| set32(f, ROW(0) + 8, 0),
            entry: Some("type 1"),
            field: "attr2 (cells in x)",
            offset: ROW(0) + 8,
            waiver: None,
        },
        Breakage {
            name: "cells in x do not divide the tiles",
            change: |f| set32(f, ROW(0) + 8, 2),
            entry: Some("type 1"),
            field: "attr2 (cells in x)",
            offset: ROW(0) + 8,
            waiver: None,
        },
        Breakage {
            name: "attr1 of the slots",
            change: |f| set32(f, ROW(1) + 4, 2),
            entry: Some("type 2"),
            field: "attr1",
            offset: ROW(1) + 4,
            waiver: Some(Tolerance::ATTRIBUTES),
        },
        Breakage {
            name: "the type 2 header is cut",
            change: |f| set32(f, ROW(1) + 12, 100),
            entry: Some("type 2"),
            field: "sphere center",
            offset: TYPE_2 + 100,
            waiver: None,
        },
        Breakage {
            name: "a part of a node",
            // The two bytes of padding become part of the payload.
            change: |f| set32(f, ROW(0) + 12, 40),
            entry: Some("type 1"),
            field: "size",
            offset: ROW(0) + 12,
            waiver: Some(Tolerance::PART_RECORDS),
        },
        Breakage {
            name: "a normal is missing",
            change: |f| {
                set32(f, ROW(3) + 4, 3);
                set32(f, ROW(3) + 12, 12);
            },
            entry: Some("type 4"),
            field: "record count",
            offset: ROW(3) + 12,
            waiver: Some(Tolerance::STREAM_LENGTHS),
        },
        Breakage {
            name: "a weight is missing",
            change: |f| {
                set32(f, ROW(6) + 4, 3);
                set32(f, ROW(6) + 12, 12);
            },
            entry: Some("type 14"),
            field: "record count",
            offset: ROW(6) + 12,
            waiver: Some(Tolerance::STREAM_LENGTHS),
        },
        Breakage {
            name: "one face key",
            change: |f| {
                set32(f, ROW(7) + 4, 1);
                set32(f, ROW(7) + 12, 4);
            },
            entry: Some("type 11"),
            field: "size",
            offset: ROW(7) + 12,
            waiver: Some(Tolerance::FEW_FACE_KEYS),
        },
        Breakage {
            name: "a vertex that does not exist",
            change: |f| set16(f, TYPE_21 + 28 + 12, 4),
            entry: Some("type 21"),
            field: "face 1 i2",
            offset: TYPE_21 + 28 + 12,
            waiver: Some(Tolerance::BROKEN_LINKS),
        },
        Breakage {
            name: "a neighbor that does not exist",
            change: |f| set16(f, TYPE_21 + 14, 2),
            entry: Some("type 21"),
            field: "face 0 n0",
            offset: TYPE_21 + 14,
            waiver: Some(Tolerance::BROKEN_LINKS),
        },
        Breakage {
            name: "a slot that ends behind the faces",
            change: |f| set16(f, TYPE_2 + 0x8C, 1),
            entry: Some("type 2"),
            field: "slot 0 triStart and triCount",
            offset: TYPE_2 + 0x8C,
            waiver: Some(Tolerance::BROKEN_LINKS),
        },
        Breakage {
            name: "a node word without a slot",
            change: |f| set16(f, TYPE_1 + 8 + 2, 1),
            entry: Some("type 1"),
            field: "node 0 slotIndex[1]",
            offset: TYPE_1 + 10,
            waiver: Some(Tolerance::BROKEN_LINKS),
        },
    ]
}

impl Breakage {
    fn file(&self) -> Vec<u8> {
        let mut file = raw_nres(&hand_typed_chunks());
        (self.change)(&mut file);
        file
    }
}

fn damage() -> Vec<Damage> {
    let rows = breakages().into_iter();
    let damaged = rows.map(|it| Damage::new(it.name, it.file(), it.field, it.offset as u64));
    damaged.collect()
}

#[test]
fn each_leniency_waives_its_own_rule_and_no_other() {
    for damage in breakages() {
        let file = damage.file();
        let error = LandMsh::read(&file).unwrap_err();
        assert_eq!(error.entry.as_deref(), damage.entry, "{}", damage.name);
        let others = Tolerance::all().difference(damage.waiver.unwrap_or(Tolerance::STRICT));
        let refused = LandMsh::read_with(&file, others);
        assert!(refused.is_err(), "{}", damage.name);
        let Some(waiver) = damage.waiver else {
            continue;
        };
        let (land, findings) = LandMsh::read_with(&file, waiver).unwrap();
        assert_eq!(findings.len(), 1, "{}", damage.name);
        assert_eq!(findings[0].severity, Severity::Error, "{}", damage.name);
        assert_eq!(
            findings[0].offset,
            Some(damage.offset as u64),
            "{}",
            damage.name
        );
        if waiver == Tolerance::BROKEN_LINKS || waiver == Tolerance::STREAM_LENGTHS {
            let again = LandMsh::read(&land.write().unwrap()).unwrap();
            assert_eq!(again, land, "{} is repaired for good", damage.name);
        }
    }
}

#[test]
fn the_tolerant_reader_waives_the_archives_rules_too() {
    let mut file = raw_nres(&hand_typed_chunks());
    let sort_index = ROW(0) + 60;
    set32(&mut file, sort_index, 1);
    let error = LandMsh::read(&file).unwrap_err();
    assert_eq!(error.format, "nres");
    assert_eq!(error.field, "entry sort index");
    let (land, findings) = LandMsh::read_with(&file, Tolerance::CONTAINER).unwrap();
    assert_eq!(land, hand_typed_value());
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].format, "nres");
    let written = land.write().unwrap();
    assert_eq!(LandMsh::read(&written).unwrap(), land, "it is mended");
}

/// The original ignores the strides of chunks.
#[test]
fn a_wrong_stride_is_read_kept_and_warned_of() {
    let mut file = raw_nres(&hand_typed_chunks());
    set32(&mut file, ROW(2) + 16, 16);
    let land = LandMsh::read(&file).unwrap();
    assert_eq!(land.write().unwrap(), file);
    let findings = land.check();
    let message = "type 3 has attr3 16, its stride is 12";
    let found = findings.iter().find(|it| it.message == message).unwrap();
    assert_eq!(found.severity, Severity::Warning);
}

#[test]
fn faces_without_any_vertex_cannot_be_repaired() {
    let land = LandMsh {
        positions: vec![],
        ..hand_typed_value()
    };
    let file = land.filled_container().unwrap().write().unwrap();
    let error = LandMsh::read_with(&file, Tolerance::all()).unwrap_err();
    assert_eq!(error.field, "face 0 i0");
}

#[test]
fn a_collapsed_face_keeps_a_vertex_of_its_own() {
    let mut land = hand_typed_value();
    land.faces[0].vertices = [900, 3, 901];
    land.faces[0].neighbors = [1, 2, NONE];
    land.faces[1].vertices = [900, 900, 900];
    let file = land.filled_container().unwrap().write().unwrap();
    let (land, findings) = LandMsh::read_with(&file, Tolerance::BROKEN_LINKS).unwrap();
    assert_eq!(land.faces[0].vertices, [3; 3]);
    assert_eq!(land.faces[0].neighbors, [1, NONE, NONE]);
    assert_eq!(land.faces[1].vertices, [0; 3]);
    assert_eq!(findings.len(), 6);
    assert_eq!(
        findings[0].message,
        "type 21, face 0 i0: expected a vertex below 4, found 900; the face is collapsed"
    );
}

#[test]
fn the_writer_refuses_what_the_reader_would_refuse() {
    let mut land = hand_typed_value();
    land.faces[1].vertices[2] = 4;
    let error = land.write().unwrap_err();
    assert_eq!(
        error.to_string(),
        "land_msh (entry type 21): byte 0x1a8, face 1 i2: expected a vertex below 4, found 4"
    );
    let mut land = hand_typed_value();
    land.uv0.pop();
    assert_eq!(land.write().unwrap_err().entry.as_deref(), Some("type 5"));
    let mut land = hand_typed_value();
    land.cells_x = 0;
    assert!(matches!(
        land.write(),
        Err(FormatError {
            kind: FormatErrorKind::Unexpected { .. },
            ..
        })
    ));
}

#[test]
fn tiles_lead_to_slots_and_faces() {
    let land = terrain(3, 2);
    assert_eq!(land.cells_y(), 2);
    // x-major: tile (2, 0) is number 4; its finest faces come fifth, its coarse ones after all fine ones.
    let slot = land.tile_slot(4, 0).unwrap();
    assert_eq!(land.slot_face_range(slot), 8..10);
    assert_eq!(land.slot_face_keys(slot)[0].flags, KEY_FLAGS_BATCH_START);
    let coarse = land.tile_slot(4, 1).unwrap();
    assert_eq!(land.slot_face_range(coarse), 20..22);
    assert_eq!(land.slot_faces(coarse), &land.faces[20..22]);
    assert_eq!(land.tile_slot(4, 2), None);
    assert_eq!(land.tile_slot(6, 0), None);
    assert_eq!(land.tile_slot(0, 15), None);
    let finest: Vec<usize> = land.lod0_face_indices().collect();
    assert_eq!(finest, (0..12).collect::<Vec<_>>());
}

#[test]
fn faces_that_many_tiles_name_are_given_once() {
    let mut land = terrain(3, 2);
    // Slot 0 reaches over all faces, slot 1 over none; tile 2 has no slot.
    land.slots[0].tri_count = 24;
    land.slots[1].tri_count = 0;
    land.nodes[2].slots[0] = NONE;
    land.nodes.extend(vec![land.nodes[0]; 100_000]);
    let finest: Vec<usize> = land.lod0_face_indices().collect();
    assert_eq!(finest, (0..24).collect::<Vec<_>>());
}

#[test]
fn a_point_falls_into_its_cell_or_outside() {
    let grid = terrain(3, 2).grid().unwrap();
    assert_eq!(grid.origin, [-8.0, 16.0]);
    assert_eq!(grid.cell_size, [8.0, 4.0]);
    assert_eq!(grid.cells, [3, 2]);
    let rows = [
        ([-8.0, 16.0], Some([0, 0])),
        ([0.0, 16.0], Some([1, 0])),
        ([15.9, 23.9], Some([2, 1])),
        ([16.0, 16.0], None),
        ([0.0, 24.0], None),
        ([-8.1, 16.0], None),
        ([f32::NAN, 16.0], None),
        ([0.0, f32::INFINITY], None),
    ];
    for (point, cell) in rows {
        assert_eq!(grid.cell_at(point), cell, "{point:?}");
    }
    assert_eq!(grid.cell_bounds([2, 1]), ([8.0, 20.0], [16.0, 24.0]));
    let flat = TileGrid {
        cell_size: [0.0, 0.0],
        ..grid
    };
    assert_eq!(flat.cell_at([-8.0, 16.0]), None);
}

#[test]
fn water_stands_at_the_first_vertex_of_the_first_water_face() {
    let mut land = hand_typed_value();
    assert_eq!(land.water_level(), -1.0);
    land.faces[1].flags |= FaceFlags::WATER;
    // Face 1 begins with vertex 0 at z = 0.5.
    assert_eq!(land.water_level(), 0.5);
}

#[test]
fn edge_classes_are_three_pairs_of_bits() {
    let face = hand_typed_value().faces[1];
    assert_eq!(face.edge_class, 0x3D);
    assert_eq!(face.edge_classes(), [1, 3, 3]);
    assert_eq!(face.with_edge_classes([2, 0, 1]).edge_class, 0x12);
}

#[test]
fn bounds_follow_moved_vertices() {
    let mut land = terrain(2, 1);
    let before = land.clone();
    land.recompute_bounds();
    assert_eq!(land, before, "bounds that are right stay as they are");
    // The far corner belongs to tile 1 alone, in both levels of detail.
    let corner = land.positions.len() - 1;
    land.positions[corner] = [9.0, 21.0, 100.0];
    land.recompute_bounds();
    assert_eq!(land.slots[0], before.slots[0]);
    assert_eq!(land.slots[1].aabb_max[2], 100.0);
    assert_eq!(land.header.corners[6][2], 100.0);
    assert_eq!(land.header.capsule_b[2], 100.0);
}

#[test]
fn the_order_of_edges_is_measured() {
    let mut land = terrain(2, 2);
    assert_eq!(land.edge_order(), EdgeOrder::IN_ORDER);
    for face in &mut land.faces {
        face.neighbors.rotate_left(1);
    }
    assert_eq!(land.edge_order().edges(), [1, 2, 0]);
    for face in &mut land.faces {
        face.neighbors = [NONE; 3];
    }
    assert_eq!(land.edge_order(), EdgeOrder::IN_ORDER);
}

prop_compose! {
    fn any_face(n_vertices: u16, n_faces: u16)(
        flags: u32,
        materials: [u8; 2],
        unknown_06: u16,
        vertices in [0..n_vertices, 0..n_vertices, 0..n_vertices],
        neighbors in [0..=n_faces, 0..=n_faces, 0..=n_faces],
        normal: [i16; 3],
        tail: [u8; 2],
    ) -> Face {
        Face {
            flags: FaceFlags::from_bits_retain(flags),
            first_material: materials[0],
            second_material: materials[1],
            unknown_06,
            vertices,
            neighbors: neighbors.map(|n| if n == n_faces { NONE } else { n }),
            normal,
            edge_class: tail[0],
            unknown_1b: tail[1],
        }
    }
}

prop_compose! {
    fn any_land()(
        positions in prop::collection::vec(prop::array::uniform3(-1e9f32..1e9), 5),
        normals in prop::collection::vec(any::<[i8; 4]>(), 5),
        uvs in prop::collection::vec(any::<[i16; 2]>(), 5),
        aux in prop::option::of(prop::collection::vec(-1e9f32..1e9, 5)),
        faces in prop::collection::vec(any_face(5, 7), 7),
        keys in prop::collection::vec(any::<(u16, u8, u8)>(), 2..12),
        header: [u16; 4],
        words in prop::array::uniform15(0u16..4),
        (tri_start, tri_count) in (0u16..4, 0u16..4),
        box_max in prop::array::uniform3(0f32..1e6),
    ) -> LandMsh {
        let slot = Slot::from_box(tri_start, tri_count, [0.0; 3], box_max);
        let node = Node { header, slots: words.map(|w| if w == 3 { NONE } else { w }) };
        let mut container = LandMsh::new_container();
        if aux.is_none() {
            container.entries.retain(|entry| entry.type_id != 14);
        }
        LandMsh {
            cells_x: 2,
            nodes: vec![node; 4],
            header: SlotHeader::from_box([0.0; 3], box_max),
            slots: vec![slot; 3],
            positions,
            normals,
            micro_uv: uvs.iter().map(|[u, v]| [*v, *u]).collect(),
            uv0: uvs,
            second_weights: aux,
            face_keys: keys.into_iter().map(|(face, flags, unknown_3)| FaceKey { face, flags, unknown_3 }).collect(),
            faces,
            container,
        }
    }
}

proptest! {
    #[test]
    fn any_unsound_value_is_refused_where_check_finds_it(
        cells_x in 0u32..4,
        n_nodes in 0usize..5,
        words: [u16; 15],
        (tri_start, tri_count) in any::<(u16, u16)>(),
        lens in prop::array::uniform4(0usize..4),
        faces in prop::collection::vec(any_face(9, 9), 0..4),
        n_keys in 0usize..4,
    ) {
        let land = LandMsh {
            cells_x,
            nodes: vec![Node { header: [0; 4], slots: words }; n_nodes],
            slots: vec![Slot::from_box(tri_start, tri_count, [0.0; 3], [1.0; 3])],
            positions: vec![[0.0; 3]; lens[0]],
            normals: vec![[0; 4]; lens[1]],
            uv0: vec![[0; 2]; lens[2]],
            micro_uv: vec![[0; 2]; lens[3]],
            second_weights: None,
            face_keys: vec![FaceKey { face: 0, flags: 0, unknown_3: 0 }; n_keys],
            faces,
            ..hand_typed_value()
        };
        land.water_level();
        prop_assert!(land.lod0_face_indices().all(|face| face < land.faces.len()));
        match land.write() {
            Ok(file) => prop_assert!(LandMsh::read(&file).is_ok()),
            Err(error) => {
                let finds = |finding: &Finding| {
                    finding.severity == Severity::Error && finding.offset == Some(error.offset)
                };
                prop_assert!(land.check().iter().any(finds), "{}", error);
            }
        }
    }
}
