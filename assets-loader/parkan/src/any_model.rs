//! Any draft of a model, for proofs that whatever is built or exported can be read again.

use ironlands_assets_proof::proptest::prelude::*;

use super::msh::{DraftBatch, DraftKey, DraftNode, DraftPiece, ModelDraft, NodeFlags};

/// Position, rotation, and frames until the next key.
pub type Pose = ([f32; 3], [f32; 4], u16);

/// Pieces of some states and levels of detail, in any order.
pub fn any_pieces<B: Strategy<Value = DraftBatch> + 'static>(
    any_batch: fn() -> B,
) -> impl Strategy<Value = Vec<DraftPiece>> {
    let places = prop::sample::subsequence((0u8..15).collect::<Vec<u8>>(), 0..4).prop_shuffle();
    places.prop_flat_map(move |places| {
        let piece = |place: u8| {
            prop::collection::vec(any_batch(), 1..4).prop_map(move |batches| DraftPiece {
                state: place / 5,
                lod: place % 5,
                batches,
            })
        };
        places.into_iter().map(piece).collect::<Vec<_>>()
    })
}

fn any_keys(any_pose: impl Strategy<Value = Pose>) -> impl Strategy<Value = Vec<DraftKey>> {
    prop::collection::vec(any_pose, 1..5).prop_map(|poses| {
        let mut time = 0.0;
        let mut keys: Vec<DraftKey> = Vec::new();
        for (position, rotation, step) in poses {
            keys.push(DraftKey {
                time,
                position,
                rotation,
            });
            time += f32::from(step);
        }
        keys
    })
}

/// A tree of a few nodes, of batches and poses as wanted.
pub fn any_draft<B: Strategy<Value = DraftBatch> + 'static, P: Strategy<Value = Pose>>(
    any_batch: fn() -> B,
    any_pose: fn() -> P,
) -> impl Strategy<Value = ModelDraft> {
    let node = (
        prop::collection::vec(1u8..=255, 0..6),
        prop::option::of(any::<prop::sample::Index>()),
        any::<u16>(),
        any_keys(any_pose()),
        any_pieces(any_batch),
    );
    prop::collection::vec(node, 1..6).prop_map(|nodes| {
        let nodes = nodes.into_iter().enumerate();
        let nodes = nodes.map(|(idx, (name, parent, flags, keys, pieces))| DraftNode {
            name,
            parent: parent.filter(|_| idx > 0).map(|parent| parent.index(idx)),
            flags: NodeFlags::from_bits_retain(flags),
            keys,
            pieces,
        });
        ModelDraft {
            nodes: nodes.collect(),
            ..ModelDraft::default()
        }
    })
}
