//! Any draft is built, read strictly and found again, number by number, by slow methods.

use proptest::prelude::*;

use super::*;
use crate::any_model::{Pose, any_draft};
use crate::msh::NO_LIGHTMAP;
use crate::msh_animation::AnimKey;

/// Few places and directions, so that vertices and edges are often shared.
fn any_vertex() -> impl Strategy<Value = DraftVertex> {
    let place = prop::array::uniform3((-2i8..=2).prop_map(|c| f32::from(c) * 0.75));
    let axis = prop::sample::select(vec![[1.0, 0.0, 0.0], [0.0, 0.6, -0.8], [0.0, 0.0, 1.0]]);
    let uv = || prop::array::uniform2(prop::sample::select(vec![0.0, 0.3, 1.0, -7.77, 31.99]));
    (place, axis, uv(), uv()).prop_map(|(position, normal, uv, lightmap_uv)| DraftVertex {
        position,
        normal,
        uv,
        lightmap_uv,
    })
}

prop_compose! {
    fn any_batch()(
        flags in prop::sample::select(vec![0, 0x2000, 0x2002, 0x8004]),
        wear_row: u8,
        lightmap in 0..NO_LIGHTMAP,
        triangles in prop::collection::vec(prop::array::uniform3(any_vertex()), 1..8),
    ) -> DraftBatch {
        let flags = BatchFlags::from_bits_retain(flags);
        let is_lit = flags.contains(BatchFlags::LIGHTMAP);
        let lightmap = if is_lit { lightmap } else { NO_LIGHTMAP };
        DraftBatch { flags, wear_row, lightmap, triangles }
    }
}

fn any_pose() -> impl Strategy<Value = Pose> {
    (
        prop::array::uniform3(-9f32..9.0),
        prop::array::uniform4(-1f32..1.0),
        1u16..6,
    )
}

/// A corner as the file must have it.
type Stored = ([f32; 3], [i8; 4], [i16; 2], [i16; 2]);

fn stored(batch: &DraftBatch, vertex: &DraftVertex) -> Stored {
    let lit = batch.flags.bits() & 0x2000 != 0;
    let lightmap_uv = if lit { vertex.lightmap_uv } else { [0.0; 2] };
    (
        vertex.position,
        pack_normal(vertex.normal, 0),
        pack_uv(vertex.uv),
        pack_uv(lightmap_uv),
    )
}

fn built(model: &Msh, vertex: usize) -> Stored {
    let pair = model.lightmap_uv.as_ref().map_or([0; 2], |uvs| uvs[vertex]);
    (
        model.positions[vertex],
        model.normals.as_ref().unwrap()[vertex],
        model.uv0.as_ref().unwrap()[vertex],
        pair,
    )
}

/// The slot of a piece holds the piece's batches and triangles, in order.
fn assert_holds(model: &Msh, slot: &Slot, piece: &DraftPiece) {
    let batches = model.slot_batches(slot);
    let head = |b: &Batch| (b.flags, b.wear_row, b.lightmap_row, b.material_02);
    let draft_head = |b: &DraftBatch| (b.flags, b.wear_row, b.lightmap, 0);
    let wanted: Vec<_> = piece.batches.iter().map(draft_head).collect();
    assert_eq!(batches.iter().map(head).collect::<Vec<_>>(), wanted);
    for (batch, draft) in batches.iter().zip(&piece.batches) {
        let vertices: Vec<usize> = model.batch_vertices(batch).collect();
        let found: Vec<Stored> = vertices.iter().map(|v| built(model, *v)).collect();
        let corners = draft.triangles.iter().flatten();
        let wanted: Vec<Stored> = corners.map(|vertex| stored(draft, vertex)).collect();
        assert_eq!(found, wanted);
        // No two vertices of a batch are alike.
        for (a, k) in vertices.iter().enumerate() {
            for (b, l) in vertices.iter().enumerate() {
                assert_eq!(found[a] == found[b], k == l);
            }
        }
    }
}

/// Bounds of a slot and descriptors, from all pairs of triangles.
fn assert_describes(model: &Msh, slot: &Slot) {
    let triangles: Vec<[[f32; 3]; 3]> = (model.slot_triangles(slot))
        .map(|tri| tri.vertices.map(|vertex| model.positions[vertex]))
        .collect();
    let descriptors = model.slot_descriptors(slot);
    assert_eq!(descriptors.len(), triangles.len());
    for point in triangles.iter().flatten() {
        let inside =
            |axis: usize| (slot.aabb_min[axis]..=slot.aabb_max[axis]).contains(&point[axis]);
        assert!((0..3).all(inside));
        let away = |axis: usize| f64::from(point[axis] - slot.sphere_center[axis]);
        let distance = (0..3).map(|axis| away(axis).powi(2)).sum::<f64>().sqrt();
        assert!(distance <= f64::from(slot.sphere_radius) * (1.0 + 1e-12));
    }
    let edge = |tri: usize, side: usize| {
        let corners = triangles[tri];
        (corners[side], corners[(side + 1) % 3])
    };
    let first = usize::from(slot.tri_start);
    for (tri, descriptor) in descriptors.iter().enumerate() {
        for side in 0..3 {
            let (from, to) = edge(tri, side);
            let sides = (0..triangles.len()).flat_map(|t| (0..3).map(move |s| (t, s)));
            let all: Vec<(usize, usize)> = sides.collect();
            let n_ours = all
                .iter()
                .filter(|(t, s)| edge(*t, *s) == (from, to))
                .count();
            let n_others = all
                .iter()
                .filter(|(t, s)| edge(*t, *s) == (to, from))
                .count();
            match descriptor.links[side] {
                NONE => {
                    assert_eq!(descriptor.selectors()[side], None);
                    assert!(
                        from == to || n_others < n_ours,
                        "a free side across {from:?} {to:?}"
                    );
                }
                link => {
                    let other = usize::from(link) - first;
                    let other_side = usize::from(descriptor.selectors()[side].unwrap());
                    assert_eq!(edge(other, other_side), (to, from));
                    let back = descriptors[other].links[other_side];
                    assert_eq!(usize::from(back), first + tri, "links are mutual");
                }
            }
        }
    }
}

/// The place of a point at frame 0 by quaternion products, up to the root: `conj(q) p q + t`.
fn posed(model: &Msh, node: usize, point: [f32; 3]) -> [f64; 3] {
    let track = model.tracks()[node].clone().unwrap();
    let key: &AnimKey = &model.animation.keys[track.keys.start];
    let [w, x, y, z] = key.rotation_wxyz(QuaternionOrder::Wxyz).map(f64::from);
    let p = point.map(f64::from);
    // v' = v + 2 (w (v x u) + (v x u) x u) with u the vector part: the turn by the conjugate of a unit q, and
    // for any q what the matrix of section 8.4 does.
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    let u = [x, y, z];
    let once = cross(p, u);
    let twice = cross(once, u);
    let turned = [0, 1, 2].map(|k| p[k] + 2.0 * (w * once[k] + twice[k]));
    let moved = [0, 1, 2].map(|k| turned[k] + f64::from(key.position[k]));
    match model.nodes.as_slice()[node].parent() {
        Some(parent) => posed(model, parent, moved.map(|c| c as f32)),
        None => moved,
    }
}

fn assert_header_is_tight(model: &Msh) {
    let mut points: Vec<[f64; 3]> = Vec::new();
    for node in 0..model.nodes.len() {
        points.push(posed(model, node, [0.0; 3]));
        let words = model.nodes.as_slice()[node].slots;
        for slot in words.into_iter().filter(|word| *word != NONE) {
            for tri in model.slot_triangles(&model.slots[usize::from(slot)]) {
                let corners = tri.vertices.map(|vertex| model.positions[vertex]);
                points.extend(corners.map(|corner| posed(model, node, corner)));
            }
        }
    }
    // Quaternions here are of any length up to 2, so that points go far; f32 has 24 bits.
    let close = |a: f64, b: f32| (a - f64::from(b)).abs() <= 1e-5 * (1.0 + a.abs()) * 50.0;
    let header = &model.header;
    for axis in [0, 1, 2] {
        let least = points.iter().map(|p| p[axis]).fold(f64::MAX, f64::min);
        let most = points.iter().map(|p| p[axis]).fold(f64::MIN, f64::max);
        assert!(close(least, header.corners[0][axis]), "{least} {header:?}");
        assert!(close(most, header.corners[7][axis]), "{most} {header:?}");
    }
    let distance = |p: &[f64; 3], n_axes: usize| {
        let axes = 0..n_axes;
        let sum = axes.map(|k| (p[k] - f64::from(header.sphere_center[k])).powi(2));
        sum.sum::<f64>().sqrt()
    };
    let farthest = |n_axes: usize| {
        points
            .iter()
            .map(|p| distance(p, n_axes))
            .fold(0.0, f64::max)
    };
    assert!(close(farthest(3), header.sphere_radius));
    assert!(close(farthest(2), header.capsule_radius));
}

proptest! {
    #[test]
    fn any_draft_is_found_in_its_model(draft in any_draft(any_batch, any_pose)) {
        let model = draft.build().unwrap();
        prop_assert_eq!(model.check(), []);
        let file = model.write().unwrap();
        prop_assert_eq!(&Msh::read(&file).unwrap(), &model);
        let nodes = model.nodes.as_slice();
        prop_assert_eq!(nodes.len(), draft.nodes.len());
        for (idx, (node, wanted)) in nodes.iter().zip(&draft.nodes).enumerate() {
            prop_assert_eq!(node.parent(), wanted.parent);
            prop_assert_eq!(node.flags, wanted.flags);
            prop_assert_eq!(&model.names.as_ref().unwrap()[idx], &wanted.name);
            let track = model.tracks()[idx].clone().unwrap();
            let keys = &model.animation.keys[track.keys];
            prop_assert_eq!(keys.len(), wanted.keys.len());
            for (key, wanted) in keys.iter().zip(&wanted.keys) {
                prop_assert_eq!((key.time, key.position), (wanted.time, wanted.position));
                prop_assert_eq!(key.rotation, AnimKey::pack_rotation(wanted.rotation));
            }
            let n_slots = node.slots.iter().filter(|word| **word != NONE).count();
            prop_assert_eq!(n_slots, wanted.pieces.len());
            for piece in &wanted.pieces {
                let word = node.slot_word(piece.state.into(), piece.lod.into()).unwrap();
                let slot = &model.slots[usize::from(word)];
                assert_holds(&model, slot, piece);
                assert_describes(&model, slot);
            }
        }
        assert_header_is_tight(&model);
    }
}
