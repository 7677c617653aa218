//! The model of the tests, typed by hand, byte by byte.

use super::super::*;
use crate::msh_animation::AnimKey;
use crate::nres::Entry;
use crate::raw_nres::{RawChunk, hex};

const HEADER: &str = "\
    00 00 80 3F 00 00 00 40 00 00 00 3F \
    00 00 40 40 00 00 00 40 00 00 00 3F \
    00 00 40 40 00 00 C0 40 00 00 00 3F \
    00 00 80 3F 00 00 C0 40 00 00 00 3F \
    00 00 80 3F 00 00 C0 40 00 00 20 40 \
    00 00 80 3F 00 00 00 40 00 00 20 40 \
    00 00 40 40 00 00 00 40 00 00 20 40 \
    00 00 40 40 00 00 C0 40 00 00 20 40 \
    00 00 00 40 00 00 80 40 00 00 C0 3F  00 00 20 41 \
    00 00 00 40 00 00 80 40 00 00 00 3F \
    00 00 00 40 00 00 80 40 00 00 20 40 \
    00 00 A0 40 ";

const SLOTS: &str = "\
    00 00  01 00  00 00  01 00 \
    00 00 80 3F 00 00 00 40 00 00 00 3F \
    00 00 40 40 00 00 C0 40 00 00 20 40 \
    00 00 00 40 00 00 80 40 00 00 C0 3F \
    00 00 30 41 \
    01 00 00 00 02 00 00 00 03 00 00 00 04 00 00 00 05 00 00 80 \
    01 00  02 00  01 00  01 00 \
    00 00 80 3F 00 00 80 3F 00 00 80 3F \
    00 00 00 40 00 00 00 40 00 00 00 40 \
    00 00 C0 3F 00 00 C0 3F 00 00 C0 3F \
    00 00 80 3F \
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00";

/// Two nodes, two slots, two batches, three triangles over four vertices, in the canonical order. Where several
/// records stand in a chunk their values differ, so that no field can be taken for another.
pub(super) fn hand_typed_chunks() -> Vec<RawChunk> {
    let nodes = hex("\
        40 08  FF FF  FF FF  00 00 \
        00 00  FF FF  FF FF  FF FF  FF FF  01 00  FF FF  FF FF  FF FF  FF FF \
        FF FF  FF FF  FF FF  FF FF  FF FF \
        10 80  00 00  00 00  02 00 \
        FF FF  01 00  FF FF  FF FF  FF FF  FF FF  FF FF  FF FF  FF FF  FF FF \
        FF FF  FF FF  FF FF  FF FF  00 00");
    let positions = hex("\
        00 00 80 3F 00 00 00 40 00 00 00 3F \
        00 00 40 40 00 00 00 40 00 00 80 3F \
        00 00 40 40 00 00 C0 40 00 00 20 40 \
        00 00 80 3F 00 00 C0 40 00 00 00 40");
    let normals = hex("00 00 7F 00  81 00 00 01  80 01 FF 02  00 7F 00 FF");
    let uv0 = hex("00 00 00 00  00 04 00 00  00 04 00 FC  00 80 FF 7F");
    let lightmap_uv = hex("01 02 03 04  05 06 07 08  09 0A 0B 0C  0D 0E 0F 10");
    let unknown_15 = hex("\
        11 12 13 14 15 16 17 18  21 22 23 24 25 26 27 28 \
        31 32 33 34 35 36 37 38  41 42 43 44 45 46 47 48");
    let tangents = hex("\
        7F 00 00 01  00 7F 00 02  7E 00 00 03  00 7E 00 04 \
        7D 00 00 05  00 7D 00 06  80 00 00 07  00 80 00 08");
    let batches = hex("\
        02 20  00 00  03 07  01 00  03 00  00 00 00 00  09 00  00 00 00 00 \
        04 00  05 00  04 08  02 00  06 00  03 00 00 00  0A 00  01 00 00 00");
    let indices = hex("00 00 01 00 02 00  00 00 01 00 02 00 02 00 01 00 00 00");
    let triangles = hex("\
        01 00  FF FF FF FF 01 00  00 00 00 80 FF 7F  3F 00 \
        02 80  00 00 02 00 FF FF  01 00 02 00 03 00  24 00 \
        03 00  01 00 FF FF FF FF  FF FF FE FF FD FF  4D FF");
    let keys = hex("\
        00 00 80 3F 00 00 00 40 00 00 40 40  00 00 00 00  00 00 00 00 00 00 FF 7F \
        00 00 00 00 00 00 00 00 00 00 00 00  00 00 00 00  01 00 02 00 03 00 04 00 \
        00 00 80 BF 00 00 00 C0 00 00 40 C0  00 00 00 40  01 80 00 80 FF FF FE FF");
    let map = hex("01 00 01 00 02 00");
    let names = hex("04 00 00 00  CA EE F0 EF 00  00 00 00 00");
    let probes = hex("\
        FF FF FF FF  00 00 80 3F 00 00 00 40 00 00 40 40 \
        00 00 00 00 00 00 00 00 00 00 80 BF \
        00 00 80 3E 00 00 00 3F 00 00 40 3F 00 00 80 3F  00 00 20 40");
    vec![
        RawChunk::new(1, [2, 7, 38], b"MODEL", nodes),
        RawChunk::new(2, [2, 0, 68], b"MODEL", hex(&(HEADER.to_owned() + SLOTS))),
        RawChunk::new(3, [4, 0, 12], b"MODEL", positions),
        RawChunk::new(4, [4, 0, 4], b"MODEL", normals),
        RawChunk::new(5, [4, 0, 4], b"MODEL", uv0),
        RawChunk::new(18, [4, 0, 4], b"MODEL", lightmap_uv),
        RawChunk::new(15, [4, 0, 8], b"MODEL", unknown_15),
        RawChunk::new(16, [4, 0, 8], b"MODEL", tangents),
        RawChunk::new(13, [2, 0, 20], b"MODEL", batches),
        RawChunk::new(6, [9, 0, 2], b"MODEL", indices),
        RawChunk::new(7, [3, 0, 16], b"MODEL", triangles),
        RawChunk::new(8, [3, 0, 4], b"MODEL", keys),
        RawChunk::new(19, [3, 3, 2], b"MODEL", map),
        RawChunk::new(9, [90, 91, 92], b"MODEL", vec![1, 2, 3]),
        RawChunk::new(10, [2, 0, 0], b"MODEL", names),
        RawChunk::new(17, [0, 0, 0], b"MODEL", vec![]),
        RawChunk::new(20, [1, 0, 48], b"MODEL", probes),
    ]
}

/// What the hand-typed bytes mean.
pub(super) fn hand_typed_value() -> Msh {
    Msh {
        nodes: NodeTable::Nodes(hand_typed_nodes()),
        header: SlotHeader {
            corners: [
                [1.0, 2.0, 0.5],
                [3.0, 2.0, 0.5],
                [3.0, 6.0, 0.5],
                [1.0, 6.0, 0.5],
                [1.0, 6.0, 2.5],
                [1.0, 2.0, 2.5],
                [3.0, 2.0, 2.5],
                [3.0, 6.0, 2.5],
            ],
            sphere_center: [2.0, 4.0, 1.5],
            sphere_radius: 10.0,
            capsule_a: [2.0, 4.0, 0.5],
            capsule_b: [2.0, 4.0, 2.5],
            capsule_radius: 5.0,
        },
        slots: hand_typed_slots(),
        positions: vec![
            [1.0, 2.0, 0.5],
            [3.0, 2.0, 1.0],
            [3.0, 6.0, 2.5],
            [1.0, 6.0, 2.0],
        ],
        normals: Some(vec![
            [0, 0, 127, 0],
            [-127, 0, 0, 1],
            [-128, 1, -1, 2],
            [0, 127, 0, -1],
        ]),
        uv0: Some(vec![[0, 0], [1024, 0], [1024, -1024], [-32768, 32767]]),
        indices: vec![0, 1, 2, 0, 1, 2, 2, 1, 0],
        triangles: Some(hand_typed_triangles()),
        animation: MshAnimation {
            keys: hand_typed_keys(),
            map: vec![1, 1, 2],
            frame_count: 3,
        },
        names: Some(vec![b"\xCA\xEE\xF0\xEF".to_vec(), vec![]]),
        batches: hand_typed_batches(),
        unknown_15: Some(vec![
            [0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18],
            [0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28],
            [0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38],
            [0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48],
        ]),
        tangents: Some(vec![
            [[127, 0, 0, 1], [0, 127, 0, 2]],
            [[126, 0, 0, 3], [0, 126, 0, 4]],
            [[125, 0, 0, 5], [0, 125, 0, 6]],
            [[-128, 0, 0, 7], [0, -128, 0, 8]],
        ]),
        lightmap_uv: Some(vec![
            [0x0201, 0x0403],
            [0x0605, 0x0807],
            [0x0A09, 0x0C0B],
            [0x0E0D, 0x100F],
        ]),
        probes: Some(vec![LightProbe {
            piece: -1,
            position: [1.0, 2.0, 3.0],
            direction: [0.0, 0.0, -1.0],
            color: [0.25, 0.5, 0.75, 1.0],
            intensity: 2.5,
        }]),
        container: hand_typed_container(),
        quaternions: None,
    }
}

fn hand_typed_nodes() -> Vec<Node> {
    let mut slots = [NONE; 15];
    slots[0] = 0;
    slots[5] = 1;
    let mut slots_of_child = [NONE; 15];
    slots_of_child[1] = 1;
    slots_of_child[14] = 0;
    vec![
        Node {
            flags: NodeFlags::NO_SHADOW | NodeFlags::CHECK_CENTRAL_NAME,
            parent: NONE,
            map_start: NONE,
            fallback_key: 0,
            slots,
        },
        Node {
            flags: NodeFlags::from_bits_retain(0x8010),
            parent: 0,
            map_start: 0,
            fallback_key: 2,
            slots: slots_of_child,
        },
    ]
}

fn hand_typed_slots() -> Vec<Slot> {
    vec![
        Slot {
            tri_start: 0,
            tri_count: 1,
            batch_start: 0,
            batch_count: 1,
            aabb_min: [1.0, 2.0, 0.5],
            aabb_max: [3.0, 6.0, 2.5],
            sphere_center: [2.0, 4.0, 1.5],
            sphere_radius: 11.0,
            unknown_30: [1, 2, 3, 4, 0x8000_0005],
        },
        Slot {
            tri_start: 1,
            tri_count: 2,
            batch_start: 1,
            batch_count: 1,
            aabb_min: [1.0; 3],
            aabb_max: [2.0; 3],
            sphere_center: [1.5; 3],
            sphere_radius: 1.0,
            unknown_30: [0; 5],
        },
    ]
}

fn hand_typed_batches() -> Vec<Batch> {
    vec![
        Batch {
            flags: BatchFlags::TWO_SIDED | BatchFlags::LIGHTMAP,
            material_02: 0,
            wear_row: 3,
            lightmap_row: 7,
            beyond_portal: 1,
            index_count: 3,
            index_start: 0,
            n_vertices: 9,
            base_vertex: 0,
        },
        Batch {
            flags: BatchFlags::MATERIAL_PHASES,
            material_02: 5,
            wear_row: 4,
            lightmap_row: 8,
            beyond_portal: 2,
            index_count: 6,
            index_start: 3,
            n_vertices: 10,
            base_vertex: 1,
        },
    ]
}

fn hand_typed_triangles() -> Vec<TriDesc> {
    vec![
        TriDesc {
            flags: 1,
            links: [NONE, NONE, 1],
            normal: [0, -32768, 32767],
            packed_selectors: 0x003F,
        },
        TriDesc {
            flags: 0x8002,
            links: [0, 2, NONE],
            normal: [1, 2, 3],
            packed_selectors: 0x0024,
        },
        TriDesc {
            flags: 3,
            links: [1, NONE, NONE],
            normal: [-1, -2, -3],
            packed_selectors: 0xFF4D,
        },
    ]
}

fn hand_typed_keys() -> Vec<AnimKey> {
    vec![
        AnimKey {
            position: [1.0, 2.0, 3.0],
            time: 0.0,
            rotation: [0, 0, 0, 32767],
        },
        AnimKey {
            position: [0.0; 3],
            time: 0.0,
            rotation: [1, 2, 3, 4],
        },
        AnimKey {
            position: [-1.0, -2.0, -3.0],
            time: 2.0,
            rotation: [-32767, -32768, -1, -2],
        },
    ]
}

/// What the tables do not say: order, free attributes, and the chunks that are not read.
fn hand_typed_container() -> NRes {
    let entry = |type_id, [attr1, attr2, attr3]: [u32; 3], data| {
        Entry::new(type_id, attr1, attr2, attr3, "MODEL", data).unwrap()
    };
    let rows = [
        (1, 7, 38),
        (2, 0, 68),
        (3, 0, 12),
        (4, 0, 4),
        (5, 0, 4),
        (18, 0, 4),
        (15, 0, 8),
        (16, 0, 8),
        (13, 0, 20),
        (6, 0, 2),
        (7, 0, 16),
        (8, 0, 4),
        (19, 0, 2),
        (9, 91, 92),
        (10, 0, 0),
        (17, 0, 0),
        (20, 0, 48),
    ];
    let entries = rows.map(|(type_id, attr2, attr3)| match type_id {
        9 => entry(9, [90, attr2, attr3], vec![1, 2, 3]),
        _ => entry(type_id, [0, attr2, attr3], vec![]),
    });
    NRes::from_entries(entries.to_vec())
}

/// The outlier: nodes of 24 bytes, one key, an empty map.
pub(super) fn stride_24_chunks() -> Vec<RawChunk> {
    let mut chunks = hand_typed_chunks();
    chunks[0] = RawChunk::new(1, [2, 7, 24], b"MODEL", (0..48).collect());
    chunks[11].attr1 = 1;
    chunks[11].data.truncate(24);
    chunks[12] = RawChunk::new(19, [0, 0, 2], b"MODEL", vec![]);
    chunks
}
