//! The terrains of the tests: one typed by hand, byte by byte, and one of any size.

use super::super::*;
use crate::raw_nres::{RawChunk, hex};

/// One tile of two faces over four vertices, typed from the document. Where two records stand in one chunk
/// their values differ, so that no field can be taken for another.
pub(super) fn hand_typed_chunks() -> Vec<RawChunk> {
    let node = hex("00 00  FF FF  FF FF  FE FF \
         00 00  FF FF  FF FF  FF FF  FF FF  FF FF  FF FF  FF FF \
         FF FF  FF FF  FF FF  FF FF  FF FF  FF FF  FF FF");
    let slots = hex("\
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
         00 00 A0 40 \
         00 00  02 00  07 00  08 00 \
         00 00 80 3F 00 00 00 40 00 00 00 3F \
         00 00 40 40 00 00 C0 40 00 00 20 40 \
         00 00 00 40 00 00 80 40 00 00 C0 3F \
         00 00 30 41 \
         01 00 00 00 02 00 00 00 03 00 00 00 04 00 00 00 05 00 00 80");
    let positions = hex("\
         00 00 80 3F 00 00 00 40 00 00 00 3F \
         00 00 40 40 00 00 00 40 00 00 80 3F \
         00 00 40 40 00 00 C0 40 00 00 20 40 \
         00 00 80 3F 00 00 C0 40 00 00 00 40");
    let normals = hex("00 00 7F 00  81 00 00 01  80 01 FF 02  00 7F 00 FF");
    let uv0 = hex("00 00 00 00  00 04 00 00  00 04 00 FC  00 80 FF 7F");
    let micro_uv = hex("00 00 00 00  00 20 00 00  00 20 00 20  00 00 00 20");
    let second_weights = hex("00 00 00 00  00 00 80 3E  00 00 80 3F  00 00 00 3F");
    let face_keys = hex("00 00 58 00  01 00 48 80");
    let faces = hex("\
         08 04 00 00  03  FF  FF FF  00 00 01 00 02 00  FF FF FF FF 01 00  00 00 00 80 FF 7F  0F  00 \
         01 00 10 80  02  01  FE FF  00 00 02 00 03 00  00 00 FF FF FF FF  01 00 02 00 03 00  3D  AA");
    vec![
        RawChunk::new(1, [1, 1, 38], b"Land", node),
        RawChunk::new(2, [1, 0, 68], b"Land", slots),
        RawChunk::new(3, [4, 0, 12], b"Land", positions),
        RawChunk::new(4, [4, 0, 4], b"Land", normals),
        RawChunk::new(5, [4, 0, 4], b"Land", uv0),
        RawChunk::new(18, [4, 0, 4], b"Land", micro_uv),
        RawChunk::new(14, [4, 0, 4], b"Land", second_weights),
        RawChunk::new(11, [2, 0, 4], b"Land", face_keys),
        RawChunk::new(21, [2, 0, 28], b"Land", faces),
    ]
}

/// What the hand-typed bytes mean.
pub(super) fn hand_typed_value() -> LandMsh {
    let mut slots = [NONE; 15];
    slots[0] = 0;
    LandMsh {
        cells_x: 1,
        nodes: vec![Node {
            header: [0, 0xFFFF, 0xFFFF, 0xFFFE],
            slots,
        }],
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
        slots: vec![Slot {
            tri_start: 0,
            tri_count: 2,
            batch_start: 7,
            batch_count: 8,
            aabb_min: [1.0, 2.0, 0.5],
            aabb_max: [3.0, 6.0, 2.5],
            sphere_center: [2.0, 4.0, 1.5],
            sphere_radius: 11.0,
            unknown_30: [1, 2, 3, 4, 0x8000_0005],
        }],
        positions: vec![
            [1.0, 2.0, 0.5],
            [3.0, 2.0, 1.0],
            [3.0, 6.0, 2.5],
            [1.0, 6.0, 2.0],
        ],
        normals: vec![
            [0, 0, 127, 0],
            [-127, 0, 0, 1],
            [-128, 1, -1, 2],
            [0, 127, 0, -1],
        ],
        uv0: vec![[0, 0], [1024, 0], [1024, -1024], [-32768, 32767]],
        micro_uv: vec![[0, 0], [8192, 0], [8192, 8192], [0, 8192]],
        second_weights: Some(vec![0.0, 0.25, 1.0, 0.5]),
        face_keys: vec![
            FaceKey {
                face: 0,
                flags: 0x58,
                unknown_3: 0,
            },
            FaceKey {
                face: 1,
                flags: 0x48,
                unknown_3: 0x80,
            },
        ],
        faces: vec![
            Face {
                flags: FaceFlags::TWO_SIDED | FaceFlags::MICROTEXTURE,
                first_material: 3,
                second_material: 0xFF,
                unknown_06: 0xFFFF,
                vertices: [0, 1, 2],
                neighbors: [NONE, NONE, 1],
                normal: [0, -32768, 32767],
                edge_class: 0x0F,
                unknown_1b: 0,
            },
            Face {
                flags: FaceFlags::from_bits_retain(0x8010_0001),
                first_material: 2,
                second_material: 1,
                unknown_06: 0xFFFE,
                vertices: [0, 2, 3],
                neighbors: [0, NONE, NONE],
                normal: [1, 2, 3],
                edge_class: 0x3D,
                unknown_1b: 0xAA,
            },
        ],
        container: LandMsh::new_container(),
    }
}

/// A clean terrain of tiles 8 by 4 units with its corner at (-8, 16): two faces a tile and level of detail,
/// edges and neighbors as the document recommends. Both levels use the same vertices.
pub(super) fn terrain(cells_x: u16, cells_y: u16) -> LandMsh {
    let n_tiles = cells_x * cells_y;
    let position = |x: u16, y: u16| {
        let (x, y) = (f32::from(x), f32::from(y));
        [-8.0 + 8.0 * x, 16.0 + 4.0 * y, x + 0.5 * y]
    };
    let positions: Vec<_> = (0..=cells_x)
        .flat_map(|x| (0..=cells_y).map(move |y| position(x, y)))
        .collect();
    let mut faces = Vec::new();
    let mut slots = Vec::new();
    for lod in 0..2 {
        for tile in 0..n_tiles {
            let (cx, cy) = (tile / cells_y, tile % cells_y);
            let first = 2 * (lod * n_tiles + tile);
            faces.extend(tile_faces(cx, cy, cells_y, 2 * lod * n_tiles, cells_x));
            let (min, max) = (position(cx, cy), position(cx + 1, cy + 1));
            slots.push(Slot::from_box(first, 2, min, max));
        }
    }
    let nodes = (0..n_tiles).map(|tile| {
        let mut words = [NONE; 15];
        words[..2].copy_from_slice(&[tile, n_tiles + tile]);
        Node {
            header: [0, NONE, NONE, NONE],
            slots: words,
        }
    });
    let face_keys = (0..faces.len() as u16).map(|face| FaceKey {
        face,
        flags: [KEY_FLAGS_BATCH_START, KEY_FLAGS][usize::from(face % 2)],
        unknown_3: 0,
    });
    LandMsh {
        cells_x: cells_x.into(),
        nodes: nodes.collect(),
        header: SlotHeader::from_box(position(0, 0), position(cells_x, cells_y)),
        slots,
        normals: vec![[0, 0, 127, 0]; positions.len()],
        uv0: vec![[0; 2]; positions.len()],
        micro_uv: vec![[0; 2]; positions.len()],
        second_weights: Some(vec![1.0; positions.len()]),
        positions,
        face_keys: face_keys.collect(),
        faces,
        container: LandMsh::new_container(),
    }
}

/// The lower right and the upper left face of a tile, counter-clockwise from above.
fn tile_faces(cx: u16, cy: u16, cells_y: u16, first_of_lod: u16, cells_x: u16) -> [Face; 2] {
    let vertex = |x: u16, y: u16| x * (cells_y + 1) + y;
    let face_of = |x: u16, y: u16, half: u16| first_of_lod + 2 * (x * cells_y + y) + half;
    let inside = |there: bool, index: u16| if there { index } else { NONE };
    let (a, b) = (vertex(cx, cy), vertex(cx + 1, cy));
    let (c, d) = (vertex(cx + 1, cy + 1), vertex(cx, cy + 1));
    let face = |vertices, neighbors: [u16; 3], classes: [u8; 3]| {
        let class = |k: usize| if neighbors[k] == NONE { 3 } else { classes[k] };
        let face = Face {
            flags: FaceFlags::empty(),
            first_material: 0,
            second_material: 0xFF,
            unknown_06: 0xFFFF,
            vertices,
            neighbors,
            normal: [0, 0, 32767],
            edge_class: 0,
            unknown_1b: 0,
        };
        face.with_edge_classes([class(0), class(1), class(2)])
    };
    let below = cy.checked_sub(1);
    let left = cx.checked_sub(1);
    [
        face(
            [a, b, c],
            [
                below.map_or(NONE, |cy| face_of(cx, cy, 1)),
                inside(cx + 1 < cells_x, face_of(cx + 1, cy, 1)),
                face_of(cx, cy, 1),
            ],
            [1, 2, 0],
        ),
        face(
            [a, c, d],
            [
                face_of(cx, cy, 0),
                inside(cy + 1 < cells_y, face_of(cx, cy + 1, 0)),
                left.map_or(NONE, |cx| face_of(cx, cy, 0)),
            ],
            [2, 0, 1],
        ),
    ]
}
