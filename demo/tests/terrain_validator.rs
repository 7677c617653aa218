//! The rules of the external terrain validator (dossier section 14.2), repeated on raw bytes, for both levels.
//!
//! Nothing of the loader is used here, so that a bug that reader and writer share is found.

mod raw;

use raw::{chunks, f32_at, u16_at, u32_at};

const LEVELS: [&str; 2] = ["Map01", "Map02"];

#[test]
fn land_msh_has_the_retail_chunks_with_their_strides() {
    const INVENTORY: [(u32, u32); 9] = [
        (1, 38),
        (2, 68),
        (3, 12),
        (4, 4),
        (5, 4),
        (18, 4),
        (14, 4),
        (11, 4),
        (21, 28),
    ];
    for level in LEVELS {
        let chunks = chunks(&format!("MAPS/{level}/Land.msh"));
        let order: Vec<(u32, u32)> = chunks.iter().map(|c| (c.type_id, c.attr3)).collect();
        assert_eq!(order, INVENTORY, "{level}");
        for chunk in &chunks {
            let table = chunk.data.len() - if chunk.type_id == 2 { 0x8C } else { 0 };
            let stride = chunk.attr3 as usize;
            assert_eq!(table % stride, 0, "{level}: type {}", chunk.type_id);
            assert_eq!(
                chunk.attr1 as usize,
                table / stride,
                "{level}: type {}",
                chunk.type_id
            );
            assert_eq!(
                chunk.attr2 != 0,
                chunk.type_id == 1,
                "{level}: attr2 of type {}",
                chunk.type_id
            );
        }
        let of = |type_id: u32| chunks.iter().find(|c| c.type_id == type_id).unwrap().attr1;
        assert!(
            [4, 5, 18, 14].into_iter().all(|t| of(t) == of(3)),
            "{level}: one record a vertex"
        );
        assert_eq!(of(11), of(21), "{level}: one key a face");
    }
}

#[test]
fn land_msh_indices_are_in_range() {
    for level in LEVELS {
        let chunks = chunks(&format!("MAPS/{level}/Land.msh"));
        let of = |type_id: u32| chunks.iter().find(|c| c.type_id == type_id).unwrap();
        let (n_vertices, n_faces) = (of(3).attr1, of(21).attr1);
        let in_range = |index: u16, limit: u32| index == 0xFFFF || u32::from(index) < limit;
        for face in of(21).data.chunks_exact(28) {
            assert!(
                (0..3).all(|k| u32::from(u16_at(face, 8 + 2 * k)) < n_vertices),
                "{level}"
            );
            assert!(
                (0..3).all(|k| in_range(u16_at(face, 14 + 2 * k), n_faces)),
                "{level}"
            );
            assert_eq!(
                (u16_at(face, 6), face[27]),
                (0xFFFF, 0),
                "{level}: unknown fields"
            );
        }
        let n_slots = of(2).attr1;
        for node in of(1).data.chunks_exact(38) {
            assert!(
                (0..19).all(|k| in_range(u16_at(node, 2 * k), n_slots)),
                "{level}: node words"
            );
        }
        let mut next_face = 0;
        for slot in of(2).data[0x8C..].chunks_exact(68) {
            assert_eq!(
                u32::from(u16_at(slot, 0)),
                next_face,
                "{level}: slots follow each other"
            );
            next_face += u32::from(u16_at(slot, 2));
        }
        assert_eq!(next_face, n_faces, "{level}: slots hold all faces");
        let keys = &of(11).data;
        assert_eq!(
            [u32_at(keys, 0), u32_at(keys, 4)],
            [0x0058_0000, 0x0048_0001],
            "{level}: as in retail"
        );
    }
}

#[test]
fn land_map_is_read_to_its_last_byte() {
    for level in LEVELS {
        let chunks = chunks(&format!("MAPS/{level}/Land.map"));
        let [chunk] = &chunks[..] else {
            panic!("{level}: one chunk")
        };
        assert_eq!(
            (chunk.type_id, chunk.attr2, chunk.attr3),
            (12, 0, 0),
            "{level}"
        );
        let (data, n_areals) = (&chunk.data, chunk.attr1 as usize);
        let mut at = 0;
        let mut links = Vec::new();
        for areal in 0..n_areals {
            let normal = [20, 24, 28].map(|k| f32_at(data, at + k));
            let length = normal.iter().map(|n| n * n).sum::<f32>().sqrt();
            assert!(
                (length - 1.0).abs() < 1e-3 && normal[2] > 0.0,
                "{level}: normal of areal {areal}"
            );
            assert!(
                [12, 36, 44, 52]
                    .into_iter()
                    .all(|k| u32_at(data, at + k) == 0),
                "{level}: areal {areal}"
            );
            let n_vertices = u32_at(data, at + 48) as usize;
            assert!(n_vertices >= 3, "{level}: areal {areal}");
            at += 56 + 12 * n_vertices;
            let link = |k: usize| {
                (
                    u32_at(data, at + 8 * k) as i32,
                    u32_at(data, at + 8 * k + 4) as i32,
                )
            };
            links.push((0..n_vertices).map(link).collect::<Vec<_>>());
            at += 8 * n_vertices;
        }
        for (areal, outline) in links.iter().enumerate() {
            for (edge, (to, to_edge)) in outline.iter().enumerate() {
                if *to == -1 {
                    assert_eq!(*to_edge, -1, "{level}: areal {areal} edge {edge}");
                } else {
                    let back = links[*to as usize][*to_edge as usize];
                    assert_eq!(
                        back,
                        (areal as i32, edge as i32),
                        "{level}: links lead back"
                    );
                }
            }
        }
        assert_eq!(
            [u32_at(data, at), u32_at(data, at + 4)],
            [128, 128],
            "{level}: grid"
        );
        at += 8;
        for _ in 0..128 * 128 {
            let n_hits = usize::from(u16_at(data, at));
            assert!(n_hits <= 1023, "{level}");
            assert!(
                (0..n_hits).all(|k| usize::from(u16_at(data, at + 2 + 2 * k)) < n_areals),
                "{level}"
            );
            at += 2 + 2 * n_hits;
        }
        assert_eq!(at, data.len(), "{level}: exact end");
    }
}
