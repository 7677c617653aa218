//! What `check` finds: one row a rule, on a clean terrain of two tiles with one thing changed.

use super::samples::terrain;
use super::*;
use ironlands_assets_core::bytes::Severity::{self, Error, Note, Warning};

/// Offsets in the file of `terrain(2, 1)`: 2 tiles, 4 slots, 6 vertices, 8 faces.
const TYPE_1: u64 = 16;
const TYPE_2: u64 = 96;
const SLOTS: u64 = TYPE_2 + 0x8C;
const TYPE_3: u64 = 512;
const TYPE_14: u64 = 656;
const TYPE_11: u64 = 680;
const TYPE_21: u64 = 712;
const DIRECTORY: u64 = 936;

struct Row {
    change: fn(&mut LandMsh),
    severity: Severity,
    message: &'static str,
    offset: Option<u64>,
}

const fn row(
    change: fn(&mut LandMsh),
    severity: Severity,
    message: &'static str,
    offset: Option<u64>,
) -> Row {
    Row {
        change,
        severity,
        message,
        offset,
    }
}

const ROWS: &[Row] = &[
    row(
        |land| land.container.entries.swap(5, 6),
        Warning,
        "the chunks are [1, 2, 3, 4, 5, 14, 18, 11, 21], all known maps have [1, 2, 3, 4, 5, 18, 14, 11, 21]",
        None,
    ),
    row(
        |land| land.second_weights = None,
        Warning,
        "the chunks are [1, 2, 3, 4, 5, 18, 11, 21], all known maps have [1, 2, 3, 4, 5, 18, 14, 11, 21]",
        None,
    ),
    row(
        |land| {
            let again = land.container.entries[2].clone();
            land.container.entries.push(again);
        },
        Warning,
        "type 3 is there 2 times, the first is read",
        None,
    ),
    row(
        |land| land.container.entries[8].attr3 = 27,
        Warning,
        "type 21 has attr3 27, its stride is 28",
        Some(DIRECTORY + 8 * 64 + 16),
    ),
    row(
        |land| land.container.entries[1].attr2 = 5,
        Warning,
        "type 2 has attr2 5, all known maps have 0",
        Some(DIRECTORY + 64 + 8),
    ),
    row(
        |land| land.cells_x = 3,
        Error,
        "type 1, attr2 (cells in x): expected a divisor of the 2 tiles, found 3",
        Some(DIRECTORY + 8),
    ),
    row(
        |land| land.faces[2].vertices[1] = 6,
        Error,
        "type 21, face 2 i1: expected a vertex below 6, found 6",
        Some(TYPE_21 + 2 * 28 + 10),
    ),
    row(
        |land| land.faces[2].neighbors[2] = 8,
        Error,
        "type 21, face 2 n2: expected a face below 8 or 65535, found 8",
        Some(TYPE_21 + 2 * 28 + 18),
    ),
    row(
        |land| land.slots[3].tri_count = 3,
        Error,
        "type 2, slot 3 triStart and triCount: expected faces below 8, found 6..9",
        Some(SLOTS + 3 * 68),
    ),
    row(
        |land| land.nodes[1].slots[14] = 4,
        Error,
        "type 1, node 1 slotIndex[14]: expected a slot below 4 or 65535, found 4",
        Some(TYPE_1 + 38 + 8 + 28),
    ),
    row(
        |land| land.nodes[1].header[3] = 4,
        Error,
        "node 1 hdr3 is 4, expected a slot below 4 or 65535",
        Some(TYPE_1 + 38 + 6),
    ),
    row(
        |land| land.face_keys.truncate(1),
        Error,
        "type 11, size: expected 8 bytes or more, found 4",
        // Six records fewer come before the directory.
        Some(DIRECTORY - 24 + 7 * 64 + 12),
    ),
    row(
        |land| land.positions.resize(65_536, [0.0, 18.0, 0.0]),
        Warning,
        "65536 vertices, indices reach the first 65535 only",
        Some(TYPE_3),
    ),
    row(
        |land| land.faces[7].vertices[2] = land.faces[7].vertices[1],
        Warning,
        "face 7 uses a vertex twice: [2, 5, 5]",
        Some(TYPE_21 + 7 * 28 + 8),
    ),
    row(
        |land| land.faces[0].neighbors[2] = NONE,
        Warning,
        "face 1 has neighbor 0, which does not name it back",
        Some(TYPE_21 + 28 + 14),
    ),
    row(
        |land| land.faces[5].neighbors[1] = 5,
        Warning,
        "face 5 has neighbor 5, which does not name it back",
        Some(TYPE_21 + 5 * 28 + 16),
    ),
    row(
        |land| land.faces[0].edge_class ^= 1,
        Warning,
        "face 0 has edge classes [2, 2, 0], its neighbors touch it at [3, 2, 0]",
        Some(TYPE_21 + 26),
    ),
    row(
        |land| land.face_keys.truncate(7),
        Warning,
        "type 11 has 7 records for 8 faces",
        Some(TYPE_11),
    ),
    row(
        |land| land.face_keys[3].face = 8,
        Warning,
        "face key 3 is 8, there are 8 faces",
        Some(TYPE_11 + 12),
    ),
    row(
        |land| land.face_keys[3].unknown_3 = 1,
        Note,
        "face key 3 has flags 0x48 and 0x1, known are 0x48 and 0x58, 0x0 and 0x80",
        Some(TYPE_11 + 12),
    ),
    row(
        |land| land.face_keys[3].face = 2,
        Warning,
        "slot 1: its face keys do not name each of its faces once",
        Some(TYPE_11 + 8),
    ),
    row(
        |land| land.face_keys[2].flags = 0x48,
        Note,
        "slot 1: batches are not marked where the materials of its faces change",
        Some(TYPE_11 + 8),
    ),
    row(
        |land| {
            // Three faces in a slot, of which the one in the middle wears another material.
            land.slots[0].tri_count = 3;
            land.faces[1].first_material = 7;
        },
        Note,
        "slot 0 has 3 batches for 2 pairs of materials",
        Some(TYPE_11),
    ),
    row(
        |land| land.faces[3].second_material = 2,
        Warning,
        "face 3 has second material 2 and flags 0x0: bit 4 says whether there is one",
        Some(TYPE_21 + 3 * 28),
    ),
    row(
        |land| land.faces[3].flags = FaceFlags::SECOND_MATERIAL,
        Warning,
        "face 3 has second material 255 and flags 0x4: bit 4 says whether there is one",
        Some(TYPE_21 + 3 * 28),
    ),
    row(
        |land| weights(land)[2] = 1.5,
        Error,
        "vertex 2 has weight 1.5, expected 0 to 1",
        Some(TYPE_14 + 8),
    ),
    row(
        |land| weights(land)[2] = f32::NAN,
        Error,
        "vertex 2 has weight NaN, expected 0 to 1",
        Some(TYPE_14 + 8),
    ),
    row(
        |land| weights(land)[2] = 0.5,
        Note,
        "vertex 2 has weight 0.5 and no face with two materials",
        Some(TYPE_14 + 8),
    ),
    row(
        // Its neighbors wear row 0, whatever the weights say.
        |land| {
            land.faces[3].first_material = 5;
            land.faces[3].second_material = 2;
        },
        Warning,
        "at 2 of 2 edges where two materials meet one, weights and materials do not fit together",
        Some(TYPE_21),
    ),
    row(
        |land| land.nodes[1].slots[0] = NONE,
        Note,
        "tile 1 has no slot at the finest level of detail",
        Some(TYPE_1 + 38 + 8),
    ),
    row(
        |land| land.slots[1].tri_count = 1,
        Note,
        "face 3 belongs to no tile",
        Some(TYPE_21 + 3 * 28),
    ),
    row(
        |land| land.positions[5][2] = f32::NAN,
        Error,
        "vertex 5 stands at [8.0, 20.0, NaN]",
        Some(TYPE_3 + 60),
    ),
    row(
        |land| land.slots[2].sphere_radius = f32::INFINITY,
        Error,
        "slot 2 has bounds that are not finite",
        Some(SLOTS + 2 * 68),
    ),
    row(
        |land| land.header.capsule_radius = f32::NAN,
        Error,
        "the hull is not finite",
        Some(TYPE_2),
    ),
    row(
        |land| land.slots[3].aabb_min[1] = 30.0,
        Warning,
        "slot 3 has a box from [0.0, 30.0, 1.0] to [8.0, 20.0, 2.5]",
        Some(SLOTS + 3 * 68),
    ),
    row(
        |land| land.positions[2][2] = 50.0,
        Warning,
        "slot 0 has faces outside its box: they reach from [-8.0, 16.0, 0.0] to [0.0, 20.0, 50.0]",
        Some(SLOTS),
    ),
    row(
        |land| land.slots[1].sphere_radius = 1.0,
        Warning,
        "slot 1 has faces outside its sphere of radius 1",
        Some(SLOTS + 68),
    ),
    row(
        |land| land.header.corners.swap(0, 1),
        Warning,
        "hull corner 0, the origin of the grid, is [8.0, 16.0, 0.0], not [-8.0, 16.0, 0.0]",
        Some(TYPE_2),
    ),
    row(
        |land| land.header.corners.swap(2, 3),
        Note,
        "the hull is no box in the engine's order of corners",
        Some(TYPE_2),
    ),
    row(
        |land| land.positions[5] = [8.0, 20.5, 2.5],
        Warning,
        "vertices stand outside the hull: they reach from [-8.0, 16.0, 0.0] to [8.0, 20.5, 2.5]",
        Some(TYPE_2),
    ),
    row(
        |land| land.slots[0].aabb_max[1] = 16.0,
        Error,
        "slot 0 is missing or flat, so the cells of the grid have no size",
        Some(SLOTS),
    ),
    row(
        |land| land.slots[1].aabb_max[0] = 16.5,
        Warning,
        "tile 1 reaches more than a cell beyond its own cell",
        Some(TYPE_1 + 38),
    ),
];

fn weights(land: &mut LandMsh) -> &mut [f32] {
    land.second_weights.as_mut().unwrap()
}

#[test]
fn a_clean_terrain_has_no_findings() {
    for (cells_x, cells_y) in [(1, 1), (2, 1), (3, 4)] {
        assert_eq!(terrain(cells_x, cells_y).check(), []);
    }
}

#[test]
fn each_broken_rule_is_found_where_it_is_broken() {
    for row in ROWS {
        let mut land = terrain(2, 1);
        (row.change)(&mut land);
        let findings = land.check();
        let found = findings.iter().find(|f| f.message == row.message);
        let Some(found) = found else {
            panic!("\"{}\" is not in {findings:#?}", row.message);
        };
        assert_eq!(found.severity, row.severity, "{}", row.message);
        assert_eq!(found.offset, row.offset, "{}", row.message);
    }
}

#[test]
fn of_one_rule_a_few_records_are_listed_and_the_rest_counted() {
    let mut land = terrain(4, 4);
    for key in &mut land.face_keys {
        key.flags = 1;
    }
    let messages: Vec<String> = land.check().into_iter().map(|f| f.message).collect();
    // 64 faces and 32 slots break one rule each; of both the first 16 are listed.
    assert_eq!(messages.len(), 2 * 17);
    assert_eq!(messages[16], "48 more of the kind before");
    assert_eq!(messages[33], "16 more of the kind before");
}

#[test]
fn a_container_that_cannot_be_written_is_a_finding() {
    let mut land = terrain(1, 1);
    land.container.entries[0].name = [b'x'; 36];
    let findings = land.check();
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].severity, Error);
}
