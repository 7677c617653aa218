//! Any model is written and read back; fast paths return what slow ones do.

use proptest::prelude::*;

use super::*;
use crate::msh::range_max::RangeMax;
use crate::msh_animation::AnimKey;

const N_VERTICES: usize = 6;
const N_INDICES: u16 = 40;
const N_SLOTS: u16 = 3;

prop_compose! {
    fn any_batch()(
        words: [u16; 4],
        bytes: [u8; 2],
        (start, count) in (0..N_INDICES).prop_flat_map(|start| (Just(start), 0..=N_INDICES - start)),
        base_vertex in 0u32..3,
    ) -> Batch {
        let [flags, material_02, beyond_portal, n_vertices] = words;
        Batch {
            flags: BatchFlags::from_bits_retain(flags),
            material_02,
            wear_row: bytes[0],
            lightmap_row: bytes[1],
            beyond_portal,
            index_count: count,
            index_start: start.into(),
            n_vertices,
            base_vertex,
        }
    }
}

prop_compose! {
    fn any_triangle(n_triangles: u16)(
        flags: u16,
        links in [0..=n_triangles, 0..=n_triangles, 0..=n_triangles],
        normal: [i16; 3],
        packed_selectors: u16,
    ) -> TriDesc {
        let links = links.map(|link| if link == n_triangles { NONE } else { link });
        TriDesc { flags, links, normal, packed_selectors }
    }
}

prop_compose! {
    fn any_slot()(
        (tri_start, tri_count, batch_start, batch_count) in (0u16..5, 0u16..5, 0u16..3, 0u16..3),
        aabb_max in prop::array::uniform3(0f32..1e6),
        unknown_30: [u32; 5],
    ) -> Slot {
        Slot {
            batch_start,
            batch_count,
            unknown_30,
            ..Slot::from_box(tri_start, tri_count, [0.0; 3], aabb_max)
        }
    }
}

prop_compose! {
    fn any_node(fallback_key: u16)(
        flags: u16,
        words in prop::array::uniform15(0..=N_SLOTS),
    ) -> Node {
        Node {
            flags: NodeFlags::from_bits_retain(flags),
            parent: NONE,
            map_start: NONE,
            fallback_key,
            slots: words.map(|word| if word == N_SLOTS { NONE } else { word }),
        }
    }
}

/// A root that stands, and children of it that move from one key to the next.
fn any_nodes() -> impl Strategy<Value = Vec<Node>> {
    let child = |fallback| {
        any_node(fallback).prop_map(|node| Node {
            parent: 0,
            map_start: 0,
            ..node
        })
    };
    (any_node(0), child(1), child(1)).prop_map(|(root, a, b)| vec![root, a, b])
}

fn any_keys() -> impl Strategy<Value = Vec<AnimKey>> {
    let key = |time: f32| {
        let position = prop::array::uniform3(-1e9f32..1e9);
        (position, any::<[i16; 4]>()).prop_map(move |(position, rotation)| AnimKey {
            position,
            time,
            rotation,
        })
    };
    (key(0.0), key(1.0)).prop_map(|(first, last)| vec![first, last])
}

fn stream<T: std::fmt::Debug>(
    record: impl Strategy<Value = T>,
) -> impl Strategy<Value = Option<Vec<T>>> {
    prop::option::of(prop::collection::vec(record, N_VERTICES))
}

prop_compose! {
    /// As it is read: with an archive of the chunks that it has.
    pub(super) fn any_model()(
        nodes in any_nodes(),
        slots in prop::collection::vec(any_slot(), usize::from(N_SLOTS)),
        positions in prop::collection::vec(prop::array::uniform3(-1e9f32..1e9), N_VERTICES),
        (normals, uv0) in (stream(any::<[i8; 4]>()), stream(any::<[i16; 2]>())),
        (unknown_15, lightmap_uv) in (stream(any::<[u8; 8]>()), stream(any::<[i16; 2]>())),
        tangents in stream(any::<[[i8; 4]; 2]>()),
        indices in prop::collection::vec(0u16..4, usize::from(N_INDICES)),
        triangles in prop::option::of(prop::collection::vec(any_triangle(8), 8)),
        batches in prop::collection::vec(any_batch(), 4),
        names in prop::option::of(prop::collection::vec(prop::collection::vec(any::<u8>(), 0..9), 3)),
        keys in any_keys(),
        words in (any::<u16>(), any::<u16>()),
    ) -> Msh {
        let model = Msh {
            nodes: NodeTable::Nodes(nodes),
            header: SlotHeader::from_box([0.0; 3], [1.0; 3]),
            slots,
            positions,
            normals,
            uv0,
            indices,
            triangles,
            animation: MshAnimation { keys, map: vec![0, words.0, words.1], frame_count: 3 },
            names,
            batches,
            unknown_15,
            tangents,
            lightmap_uv,
            probes: None,
            container: NRes::new(),
            quaternions: None,
        };
        let read = Msh::read(&model.write().unwrap()).unwrap();
        Msh { container: read.container, ..model }
    }
}

proptest! {
    #[test]
    fn any_new_model_is_canonical(model in any_model()) {
        let file = Msh { container: NRes::new(), ..model.clone() }.write().unwrap();
        prop_assert_eq!(model.write_canonical().unwrap(), file);
    }

    #[test]
    fn selectors_go_round(packed_selectors: u16) {
        let triangle = TriDesc { flags: 0, links: [NONE; 3], normal: [0; 3], packed_selectors };
        prop_assert_eq!(triangle.with_selectors(triangle.selectors()), triangle);
    }

    #[test]
    fn the_largest_of_a_range_is_that_of_a_search(
        values in prop::collection::vec(any::<u16>(), 0..2000),
        start in 0usize..2100,
        len in 0usize..2100,
    ) {
        let range = start..start + len;
        let slow = values.get(range.clone()).and_then(|values| values.iter().max().copied());
        prop_assert_eq!(RangeMax::new(&values).of(range), slow);
    }
}
