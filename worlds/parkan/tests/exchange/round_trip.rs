//! Models go to glTF and back: the same tree, the same triangles bit for bit, the same keys but for the last bit.

use ironlands_assets_parkan::any_model::{Pose, any_draft, any_pieces};
use ironlands_assets_parkan::msh::{
    BatchFlags, DraftBatch, DraftKey, DraftNode, DraftVertex, ModelDraft, Msh, N_LODS, N_STATES,
};
use ironlands_scene::{Material, MaterialIdx, Pass};
use ironlands_world_parkan::exchange::{
    GlbOptions, ImportOptions, ImportedModel, ModelExportError, ModelSource, ObjOptions, read_glb,
    read_obj, write_glb, write_obj,
};
use proptest::prelude::*;

/// Few places and directions, so that vertices are often shared.
fn any_vertex() -> impl Strategy<Value = DraftVertex> {
    let place = prop::array::uniform3((-3i8..=3).prop_map(|c| f32::from(c) * 0.7));
    let normal = prop::array::uniform3(-1f32..1.0).prop_map(|v| unit(v, [0.0, 0.0, 1.0]));
    let uv = || prop::array::uniform2(prop::sample::select(vec![0.0, 0.3, 1.0, -31.77, 31.99]));
    (place, normal, uv(), uv()).prop_map(|(position, normal, uv, lightmap_uv)| DraftVertex {
        position,
        normal,
        uv,
        lightmap_uv,
    })
}

fn unit<const N: usize>(vector: [f32; N], otherwise: [f32; N]) -> [f32; N] {
    let length: f32 = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
    match length > 0.01 {
        true => vector.map(|v| v / length),
        false => otherwise,
    }
}

prop_compose! {
    fn any_batch()(
        flags in prop::sample::select(vec![0, 0x2000, 0x2002, 0x8004]),
        wear_row in prop::sample::select(vec![0, 1, 2, 200]),
        lightmap: u8,
        triangles in prop::collection::vec(prop::array::uniform3(any_vertex()), 1..6),
    ) -> DraftBatch {
        DraftBatch { flags: BatchFlags::from_bits_retain(flags), wear_row, lightmap, triangles }
    }
}

fn any_pose() -> impl Strategy<Value = Pose> {
    let rotation = prop::array::uniform4(-1f32..1.0).prop_map(|q| unit(q, [1.0, 0.0, 0.0, 0.0]));
    (prop::array::uniform3(-9f32..9.0), rotation, 1u16..900)
}

/// A corner as the file has it.
type Stored = ([f32; 3], [i8; 4], [i16; 2], Option<[i16; 2]>);
/// A batch: flags, row, lightmap, corners.
type StoredBatch = (u16, u8, u8, Vec<Stored>);

/// What a node shows at a place of its own slot table.
fn batches(msh: &Msh, node: usize, state: usize, lod: usize) -> Option<Vec<StoredBatch>> {
    let word = msh.nodes.as_slice()[node].slot_word(state, lod)?;
    let batches = msh.slot_batches(&msh.slots[usize::from(word)]).iter();
    Some(
        batches
            .map(|batch| {
                let lit = batch.lightmap().is_some();
                let corner = |v: usize| {
                    let lightmap_uv = msh.lightmap_uv.as_ref().filter(|_| lit);
                    let normal = msh.normals.as_ref().unwrap()[v];
                    (
                        msh.positions[v],
                        normal,
                        msh.uv0.as_ref().unwrap()[v],
                        lightmap_uv.map(|uvs| uvs[v]),
                    )
                };
                let corners = msh.batch_vertices(batch).map(corner).collect();
                (
                    batch.flags.bits(),
                    batch.wear_row,
                    batch.lightmap_row,
                    corners,
                )
            })
            .collect(),
    )
}

fn assert_same(before: &Msh, after: &Msh) {
    let (nodes, nodes_after) = (before.nodes.as_slice(), after.nodes.as_slice());
    assert_eq!(nodes.len(), nodes_after.len());
    assert_eq!(before.names, after.names);
    for (idx, (node, other)) in nodes.iter().zip(nodes_after).enumerate() {
        assert_eq!(
            (node.parent, node.flags),
            (other.parent, other.flags),
            "node {idx}"
        );
        for (state, lod) in (0..N_STATES).flat_map(|state| (0..N_LODS).map(move |lod| (state, lod)))
        {
            let [shown, shown_after] = [before, after].map(|msh| batches(msh, idx, state, lod));
            assert_eq!(shown, shown_after, "node {idx} state {state} lod {lod}");
        }
    }
    assert_eq!(before.animation.frame_count, after.animation.frame_count);
    assert_eq!(before.animation.map, after.animation.map);
    assert_eq!(before.animation.keys.len(), after.animation.keys.len());
    for (key, other) in before.animation.keys.iter().zip(&after.animation.keys) {
        assert_eq!((key.time, key.position), (other.time, other.position));
        for (a, b) in key.rotation.iter().zip(other.rotation) {
            assert!(a.abs_diff(b) <= 1, "{key:?} {other:?}");
        }
    }
}

fn source<'a>(msh: &'a Msh, materials: &'a [Material]) -> ModelSource<'a> {
    const ROWS: [MaterialIdx; 3] = [MaterialIdx(0), MaterialIdx(1), MaterialIdx(2)];
    ModelSource {
        name: "any",
        msh,
        wear: None,
        rows: &ROWS[..materials.len()],
        materials,
        textures: &[],
    }
}

fn materials() -> Vec<Material> {
    let material = |name: &str| Material {
        name: name.to_owned(),
        passes: vec![Pass::default()],
    };
    ["ONE", "TWO", "THREE"].map(material).to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_model_comes_back_from_glb(draft in any_draft(any_batch, any_pose), rate in 1u8..=120) {
        let before = draft.build().unwrap();
        let materials = materials();
        let options = GlbOptions { frames_per_sec: rate.into() };
        let glb = write_glb(&source(&before, &materials), &options).unwrap().bytes;
        let ImportedModel { draft, findings, .. } = read_glb(&glb, &ImportOptions::default()).unwrap();
        prop_assert_eq!(findings, vec![]);
        assert_same(&before, &draft.build().unwrap());
    }

    #[test]
    fn the_triangles_of_a_still_model_come_back_from_obj(pieces in any_pieces(any_batch)) {
        let mut pieces = pieces;
        pieces.retain(|piece| (piece.state, piece.lod) == (0, 0));
        let key = DraftKey { time: 0.0, position: [0.0; 3], rotation: [1.0, 0.0, 0.0, 0.0] };
        let node = DraftNode { name: b"n".to_vec(), keys: vec![key], pieces, ..DraftNode::default() };
        let before = ModelDraft { nodes: vec![node], ..ModelDraft::default() }.build().unwrap();
        let options = ObjOptions { state: 0, lod: 0, stem: "any".to_owned() };
        let written = write_obj(&source(&before, &materials()), &options);
        let Some(shown) = batches(&before, 0, 0, 0) else {
            prop_assert!(matches!(written, Err(ModelExportError::NoFace { .. })), "an empty OBJ");
            return Ok(());
        };
        let obj = written.unwrap().obj;
        let after = read_obj(obj.as_bytes()).unwrap().draft.build().unwrap();
        // Batches of one material become one, in the order of first use.
        let sorted = |shown: Vec<StoredBatch>| {
            let corners = shown.into_iter().flat_map(|(_, _, _, corners)| corners);
            let corners: Vec<_> = corners.map(|(p, n, uv, _)| (p.map(f32::to_bits), n, uv)).collect();
            let mut triangles: Vec<_> = corners.chunks(3).map(<[_]>::to_vec).collect();
            triangles.sort();
            triangles
        };
        let shown_after = batches(&after, 0, 0, 0).unwrap();
        prop_assert_eq!(sorted(shown), sorted(shown_after));
    }
}
