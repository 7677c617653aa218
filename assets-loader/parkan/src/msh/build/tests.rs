//! Drafts become models: facts, any draft against slow methods, and what is refused.

use super::*;
use crate::msh::{NO_LIGHTMAP, pack_normal, pack_uv};

mod properties;

fn vertex(position: [f32; 3]) -> DraftVertex {
    DraftVertex {
        position,
        normal: [0.0, 0.0, 1.0],
        uv: [0.5, -0.25],
        lightmap_uv: [1.0, 0.125],
    }
}

fn key(time: f32, position: [f32; 3], rotation: [f32; 4]) -> DraftKey {
    DraftKey {
        time,
        position,
        rotation,
    }
}

const UPRIGHT: [f32; 4] = [1.0, 0.0, 0.0, 0.0];

/// A quad of two triangles on a root that stands, and a lightmapped triangle on a child that moves.
fn draft() -> ModelDraft {
    let corners = [
        [0.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [2.0, 2.0, 0.0],
        [0.0, 2.0, 0.0],
    ];
    let [a, b, c, d] = corners.map(vertex);
    let batch = |flags: BatchFlags, wear_row, triangles| DraftBatch {
        flags,
        wear_row,
        lightmap: match flags.contains(BatchFlags::LIGHTMAP) {
            true => 0,
            false => NO_LIGHTMAP,
        },
        triangles,
    };
    let piece = |lod, batch| DraftPiece {
        state: 0,
        lod,
        batches: vec![batch],
    };
    let quad = batch(BatchFlags::TWO_SIDED, 3, vec![[a, b, c], [a, c, d]]);
    let lit = batch(BatchFlags::LIGHTMAP, 1, vec![[a, b, c]]);
    ModelDraft {
        nodes: vec![
            DraftNode {
                name: b"base".to_vec(),
                parent: None,
                flags: NodeFlags::NO_SHADOW,
                keys: vec![key(0.0, [0.0; 3], UPRIGHT)],
                pieces: vec![piece(0, quad)],
            },
            DraftNode {
                name: vec![],
                parent: Some(0),
                flags: NodeFlags::empty(),
                keys: vec![
                    key(0.0, [0.0, 0.0, 5.0], UPRIGHT),
                    key(2.0, [0.0, 0.0, 7.0], [0.0, 0.0, 0.0, -1.0]),
                ],
                pieces: vec![piece(2, lit)],
            },
        ],
        ..ModelDraft::default()
    }
}

#[test]
fn a_draft_becomes_the_tables_of_the_document() {
    let model = draft().build().unwrap();
    let NodeTable::Nodes(nodes) = &model.nodes else {
        panic!("nodes of 38 bytes");
    };
    let words = |node: &Node| (node.parent, node.map_start, node.fallback_key);
    assert_eq!(words(&nodes[0]), (NONE, NONE, 0));
    assert_eq!(words(&nodes[1]), (0, 0, 2), "the last key is the fallback");
    assert_eq!(nodes[0].flags, NodeFlags::NO_SHADOW);
    let mut slots = [NONE; 15];
    slots[2] = 1;
    assert_eq!(nodes[1].slots, slots, "state 0, level of detail 2");
    assert_eq!(model.names, Some(vec![b"base".to_vec(), vec![]]));
    assert_eq!(model.positions.len(), 4 + 3, "shared within a batch");
    assert_eq!(model.indices, [0, 1, 2, 0, 2, 3, 0, 1, 2]);
    let lit = &model.batches[1];
    assert_eq!(
        (lit.index_start, lit.index_count, lit.base_vertex),
        (6, 3, 4)
    );
    assert_eq!(
        (lit.wear_row, lit.material_02),
        (1, 0),
        "byte 4, not word 2"
    );
    assert_eq!((lit.beyond_portal, lit.n_vertices), (NONE, 3));
    assert_eq!(model.batches[0].n_vertices, 4);
    assert_eq!(model.uv0.as_ref().unwrap()[0], [512, -256]);
    let lightmap_uv = model.lightmap_uv.as_ref().unwrap();
    assert_eq!(lightmap_uv[0], [0; 2], "no lightmap on the quad");
    assert_eq!(lightmap_uv[4], [1024, 128]);
    assert_eq!(model.animation.map, [1, 1, 2]);
    assert_eq!(model.animation.frame_count, 3);
    let slot = &model.slots[0];
    assert_eq!((slot.aabb_min, slot.aabb_max), ([0.0; 3], [2.0, 2.0, 0.0]));
    assert_eq!(slot.sphere_center, [1.0, 1.0, 0.0]);
    assert_eq!(slot.sphere_radius, 2f32.sqrt().next_up(), "none outside");
    assert_eq!(model.header.corners[7], [2.0, 2.0, 5.0]);
    assert_eq!(model.header.capsule_a, [1.0, 1.0, 0.0]);
    assert_eq!(model.header.capsule_b, [1.0, 1.0, 5.0]);
}

#[test]
fn descriptors_link_triangles_across_their_common_edge() {
    let model = draft().build().unwrap();
    let triangles = model.triangles.unwrap();
    assert_eq!(triangles[0].links, [NONE, NONE, 1]);
    assert_eq!(triangles[0].selectors(), [None, None, Some(0)]);
    assert_eq!(triangles[1].links, [0, NONE, NONE]);
    assert_eq!(triangles[1].selectors(), [Some(2), None, None]);
    assert_eq!(triangles[2].links, [NONE; 3], "another slot");
    assert!(triangles.iter().all(|tri| tri.normal == [0, 0, 32767]));
}

#[test]
fn chunks_stand_as_in_all_known_files() {
    let types = |model: &Msh| -> Vec<u32> {
        let entries = model.container.entries.iter();
        entries.map(|entry| entry.type_id).collect()
    };
    let lit = draft().build().unwrap();
    let all = [1, 2, 3, 4, 5, 18, 13, 6, 7, 8, 19, 9, 10, 17];
    assert_eq!(types(&lit), all);
    let mut plain = draft();
    plain.nodes.truncate(1);
    let plain = plain.build().unwrap();
    let without_18: Vec<u32> = all.into_iter().filter(|t| *t != 18).collect();
    assert_eq!(types(&plain), without_18);
    let still = &plain.animation;
    assert_eq!(
        (still.frame_count, still.map.len()),
        (1, 0),
        "a static model"
    );
    for model in [lit, plain] {
        assert_eq!(model.check(), []);
        assert_eq!(model.write(), model.write_canonical());
    }
}

#[test]
fn a_batch_beyond_16_bits_becomes_several() {
    // No two triangles share a vertex, so that the vertices are as many as the indices.
    let triangles: Vec<[DraftVertex; 3]> = (0..30_000)
        .map(|k| {
            let x = k as f32;
            [[x, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]].map(vertex)
        })
        .collect();
    let mut large = draft();
    large.nodes[0].pieces[0].batches[0].triangles = triangles.clone();
    let model = large.build().unwrap();
    let slot = &model.slots[0];
    let counts: Vec<u16> = model
        .slot_batches(slot)
        .iter()
        .map(|b| b.index_count)
        .collect();
    assert_eq!(counts, [65_535, 24_465]);
    let built: Vec<[f32; 3]> = (model.slot_triangles(slot))
        .flat_map(|tri| tri.vertices.map(|vertex| model.positions[vertex]))
        .collect();
    let wanted: Vec<[f32; 3]> = triangles.iter().flatten().map(|v| v.position).collect();
    assert!(built == wanted, "the same triangles in the same order");
}

/// A change to the draft, and the error that it causes.
type Refusal = (fn(&mut ModelDraft), DraftError);

fn value(node: usize, what: &'static str, value: f32) -> DraftError {
    DraftError::Value { node, what, value }
}

fn refusals() -> Vec<Refusal> {
    vec![
        (|d| d.nodes.clear(), DraftError::NoNodes),
        (
            |d| d.nodes[1].parent = Some(1),
            DraftError::ParentNotBefore { node: 1, parent: 1 },
        ),
        (
            |d| d.nodes[0].parent = Some(9),
            DraftError::ParentNotBefore { node: 0, parent: 9 },
        ),
        (|d| d.nodes[1].keys.clear(), DraftError::NoKeys { node: 1 }),
        (|d| d.nodes[1].keys[0].time = 1.0, time(0, 1.0)),
        (|d| d.nodes[1].keys[1].time = 0.0, time(1, 0.0)),
        (|d| d.nodes[1].keys[1].time = 2.5, time(1, 2.5)),
        (|d| d.nodes[1].keys[1].time = 65_535.0, time(1, 65_535.0)),
        (
            |d| d.nodes[1].keys[1].time = f32::INFINITY,
            time(1, f32::INFINITY),
        ),
        (
            |d| d.nodes[1].keys[1].position[2] = f32::NEG_INFINITY,
            value(1, "key position", f32::NEG_INFINITY),
        ),
        (
            |d| d.nodes[1].keys[1].rotation[3] = 1.001,
            value(1, "key rotation", 1.001),
        ),
        (
            |d| vertex_of(d).position[0] = f32::INFINITY,
            value(1, "vertex position", f32::INFINITY),
        ),
        (
            |d| vertex_of(d).normal[1] = -1.1,
            value(1, "vertex normal", -1.1),
        ),
        (|d| vertex_of(d).uv[1] = 32.0, value(1, "vertex UV", 32.0)),
        (
            |d| vertex_of(d).lightmap_uv[0] = -33.0,
            value(1, "vertex lightmap UV", -33.0),
        ),
        (|d| d.nodes[0].pieces[0].state = 3, no_place(3, 0)),
        (|d| d.nodes[0].pieces[0].lod = 5, no_place(0, 5)),
        (
            |d| {
                let twin = d.nodes[0].pieces[0].clone();
                d.nodes[0].pieces.push(twin);
            },
            no_place(0, 0),
        ),
        (|d| d.nodes[0].pieces[0].batches.clear(), NO_TRIANGLES),
        (
            |d| d.nodes[0].pieces[0].batches.push(DraftBatch::default()),
            NO_TRIANGLES,
        ),
        (
            |d| {
                let [_, b, c] = &mut d.nodes[1].pieces[0].batches[0].triangles[0];
                (b.position, c.position) = ([f32::MAX; 3], [f32::MIN; 3]);
            },
            DraftError::TooLarge,
        ),
    ]
}

const NO_TRIANGLES: DraftError = DraftError::NoTriangles {
    node: 0,
    state: 0,
    lod: 0,
};

fn time(key: usize, time: f32) -> DraftError {
    DraftError::Time { node: 1, key, time }
}

fn no_place(state: u8, lod: u8) -> DraftError {
    DraftError::NoPlaceForPiece {
        node: 0,
        state,
        lod,
    }
}

fn vertex_of(draft: &mut ModelDraft) -> &mut DraftVertex {
    &mut draft.nodes[1].pieces[0].batches[0].triangles[0][1]
}

#[test]
fn what_the_format_cannot_hold_is_refused() {
    for (change, error) in refusals() {
        let mut changed = draft();
        change(&mut changed);
        assert_eq!(changed.build(), Err(error));
    }
    let mut nan = draft();
    vertex_of(&mut nan).normal[0] = f32::NAN;
    let error = nan.build().unwrap_err().to_string();
    assert_eq!(error, "node 1 has a vertex normal of NaN");
}

#[test]
fn too_much_is_counted_before_anything_is_built() {
    let too_many = |what| {
        let value = 65_536;
        Err(DraftError::TooMany {
            what,
            value,
            limit: 65_535,
        })
    };
    let mut nodes = draft();
    nodes.nodes.resize(65_536, DraftNode::default());
    assert_eq!(nodes.build(), too_many("nodes"));
    let mut pieces = draft();
    pieces.nodes.truncate(1);
    pieces.nodes[0].pieces = vec![DraftPiece::default(); 65_536];
    assert_eq!(pieces.build(), too_many("pieces"));
    let mut triangles = draft();
    triangles.nodes.truncate(1);
    let batch = &mut triangles.nodes[0].pieces[0].batches[0];
    batch.triangles.resize(65_536, [vertex([0.0; 3]); 3]);
    assert_eq!(triangles.build(), too_many("triangles"));
}

#[test]
fn more_keys_than_16_bits_reach_are_refused() {
    let keys = (0..40_000).map(|k| key(k as f32, [0.0; 3], UPRIGHT));
    let keys: Vec<DraftKey> = keys.collect();
    let mut long = draft();
    long.nodes[0].keys = keys.clone();
    long.nodes[1].keys = keys;
    let error = long.build().unwrap_err();
    assert!(matches!(error, DraftError::Format(_)), "{error}");
}

#[test]
fn the_conjugate_is_stored() {
    let q = [0.5, 0.1, -0.2, 0.3];
    assert_eq!(stored_rotation(q), [0.5, -0.1, 0.2, -0.3]);
    assert_eq!(stored_rotation(stored_rotation(q)), q);
}

#[test]
fn a_node_turned_by_the_helper_turns_counter_clockwise() {
    // A quarter turn about +Z takes +X to +Y.
    let half = 0.5f32.sqrt();
    let mut turned = draft();
    turned.nodes.truncate(1);
    turned.nodes[0].keys[0].rotation = stored_rotation([half, 0.0, 0.0, half]);
    let corners = turned.build().unwrap().header.corners;
    for (corner, wanted) in [(corners[0], [-2.0, 0.0]), (corners[7], [0.0, 2.0])] {
        for axis in 0..2 {
            // The quaternion is stored in steps of 1/32767.
            assert!((corner[axis] - wanted[axis]).abs() < 1e-3, "{corner:?}");
        }
    }
}
