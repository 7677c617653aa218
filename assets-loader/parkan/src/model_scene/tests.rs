use ironlands_scene::{PassKind, Scene};

use super::*;
use crate::mat0::Mat0;
use crate::material_table::{TableMaterial, TableTexture, TextureKind};
use crate::msh::{
    DraftBatch, DraftKey, DraftNode, DraftPiece, DraftVertex, ModelDraft, stored_rotation,
};
use crate::msh::{N_LODS, NONE, NodeFlags};

fn key(position: [f32; 3]) -> DraftKey {
    DraftKey {
        time: 0.0,
        position,
        rotation: [1.0, 0.0, 0.0, 0.0],
    }
}

/// `n` triangles whose corners are up to `size` from the origin.
fn piece(state: u8, lod: u8, n: usize, size: f32) -> DraftPiece {
    let corner = |x: f32, y: f32| DraftVertex {
        position: [x, y, 0.0],
        normal: [0.0, 0.0, 1.0],
        uv: [x / 4.0, y / 4.0],
        lightmap_uv: [y / 8.0, x / 8.0],
    };
    let triangle = |i: usize| {
        let x = size * (i + 1) as f32 / n as f32;
        [corner(0.0, 0.0), corner(x, 0.0), corner(0.0, size)]
    };
    DraftPiece {
        state,
        lod,
        batches: vec![DraftBatch {
            lightmap: 0,
            flags: BatchFlags::LIGHTMAP,
            wear_row: lod.min(2),
            triangles: (0..n).map(triangle).collect(),
        }],
    }
}

/// A hull with levels of detail 0 and 2, a turret 3 units above it that is turned a quarter about +Z, and a wreck.
fn tank() -> Msh {
    let half = 0.5f32.sqrt();
    let turned = DraftKey {
        rotation: stored_rotation([half, 0.0, 0.0, half]),
        ..key([0.0, 0.0, 3.0])
    };
    let draft = ModelDraft {
        nodes: vec![
            DraftNode {
                name: b"\xCA\xEE\xF0\xEF\xF3\xF1".to_vec(),
                keys: vec![key([10.0, 0.0, 0.0])],
                pieces: vec![
                    piece(0, 0, 8, 4.0),
                    piece(0, 2, 2, 4.0),
                    piece(1, 0, 1, 4.0),
                ],
                ..DraftNode::default()
            },
            DraftNode {
                parent: Some(0),
                keys: vec![turned],
                pieces: vec![piece(0, 1, 3, 2.0)],
                ..DraftNode::default()
            },
        ],
        ..ModelDraft::default()
    };
    draft.build().expect("a sound draft")
}

fn scene_of(msh: &Msh, first_node: FirstNode) -> Model {
    let mut by_row = |batch: &msh::Batch| MaterialIdx(u32::from(batch.wear_row));
    let model = to_model("TANK", msh, first_node, &mut by_row);
    let scene = Scene {
        materials: vec![Default::default(); 3],
        models: vec![model.clone()],
        ..Scene::default()
    };
    assert_eq!(scene.validate(), Ok(()));
    model
}

fn n_triangles(model: &Model, lod: &PieceLod) -> u32 {
    let batches = &model.mesh.batches[lod.batches.start as usize..lod.batches.end as usize];
    batches.iter().map(|batch| batch.n_indices / 3).sum()
}

#[test]
fn pieces_have_all_levels_up_to_the_last_and_absent_ones_take_the_next_finer() {
    let model = scene_of(&tank(), FirstNode::Own);
    let pieces = model.pieces.iter();
    let found: Vec<_> = pieces
        .map(|piece| {
            let lods = piece.lods.iter().map(|lod| n_triangles(&model, lod));
            (piece.node, piece.state, lods.collect::<Vec<_>>())
        })
        .collect();
    // The turret has nothing at its finest level, and nothing finer stands in for it.
    let expected = [(0, 0, vec![8, 8, 2]), (0, 1, vec![1]), (1, 0, vec![0, 3])];
    assert_eq!(found, expected);
    assert_eq!(model.lod_sizes, LOD_SIZES[..2]);
}

#[test]
fn batches_keep_their_numbers_and_name_their_materials() {
    let msh = tank();
    let model = scene_of(&msh, FirstNode::Own);
    assert_eq!(model.mesh.batches.len(), msh.batches.len());
    for (ours, theirs) in model.mesh.batches.iter().zip(&msh.batches) {
        assert_eq!(ours.material, MaterialIdx(u32::from(theirs.wear_row)));
        let first = ours.first_index as usize;
        let ours = &model.mesh.indices[first..first + ours.n_indices as usize];
        let theirs: Vec<u32> = msh.batch_vertices(theirs).map(|v| v as u32).collect();
        assert_eq!(ours, theirs);
    }
}

#[test]
fn vertices_are_unpacked_and_lightmaps_have_their_own_coordinates() {
    let msh = tank();
    let model = scene_of(&msh, FirstNode::Own);
    let [uv0, uv1] = &model.mesh.uv_sets;
    for (i, [x, y, _]) in model.mesh.positions.iter().copied().enumerate() {
        assert_eq!(model.mesh.normals[i], [0.0, 0.0, 1.0]);
        let near = |found: [f32; 2], expected: [f32; 2]| {
            (0..2).all(|axis| (found[axis] - expected[axis]).abs() <= 0.5 / 1024.0)
        };
        assert!(near(uv0[i], [x / 4.0, y / 4.0]), "vertex {i}");
        assert!(near(uv1[i], [y / 8.0, x / 8.0]), "vertex {i}");
    }
}

#[test]
fn nodes_stand_as_their_first_key_says() {
    let model = scene_of(&tank(), FirstNode::Own);
    assert_eq!(model.nodes[0].name, "Корпус");
    assert_eq!(model.nodes[1].parent, Some(0));
    let mut poses = Vec::new();
    model.rest_pose(&Affine::IDENTITY, &mut poses);
    // A quarter turn from +X to +Y, three above the hull, which is ten to the right.
    let tip = poses[1].transform_point([2.0, 0.0, 0.0]);
    for (found, expected) in tip.iter().zip([10.0, 2.0, 3.0]) {
        assert!((found - expected).abs() < 1e-3, "{tip:?}");
    }
}

#[test]
fn an_attached_model_leaves_its_first_node_to_what_it_hangs_on() {
    let model = scene_of(&tank(), FirstNode::AttachRoot);
    assert_eq!(model.nodes[0].parent_from_node, Affine::IDENTITY);
    let nodes: Vec<_> = model.pieces.iter().map(|piece| piece.node).collect();
    assert_eq!(nodes, [1]);
}

#[test]
fn bounds_hold_all_vertices_also_where_stored_ones_do_not() {
    let mut msh = tank();
    for slot in &mut msh.slots {
        slot.sphere_radius = 0.25;
    }
    for msh in [tank(), msh] {
        let model = scene_of(&msh, FirstNode::Own);
        for lod in model.pieces.iter().flat_map(|piece| &piece.lods) {
            for batch in &model.mesh.batches[lod.batches.start as usize..lod.batches.end as usize] {
                let first = batch.first_index as usize;
                for vertex in &model.mesh.indices[first..first + batch.n_indices as usize] {
                    let position = model.mesh.positions[*vertex as usize];
                    let reach = distance(position, lod.bounds.center);
                    assert!(reach <= lod.bounds.radius, "{reach} {:?}", lod.bounds);
                }
            }
        }
    }
}

#[test]
fn the_whole_is_bounded_by_its_pieces_at_rest() {
    let Sphere { center, radius } = scene_of(&tank(), FirstNode::Own).bounds;
    for corner in [
        [10.0, 0.0, 0.0],
        [14.0, 0.0, 0.0],
        [10.0, 4.0, 0.0],
        [8.0, 0.0, 3.0],
    ] {
        assert!(
            distance(corner, center) <= radius,
            "{corner:?} {center:?} {radius}"
        );
    }
    assert!(radius < 12.0, "{radius} is out of proportion");
}

#[test]
fn suppressed_batches_and_part_triangles_are_not_drawn() {
    let mut msh = tank();
    msh.batches[0].flags |= BatchFlags::PORTAL | BatchFlags::SUPPRESSED;
    msh.batches[1].index_count -= 1;
    let model = scene_of(&msh, FirstNode::Own);
    assert_eq!(model.mesh.batches[0].n_indices, 0);
    assert_eq!(model.mesh.batches[1].n_indices, 3);
}

#[test]
fn without_normals_those_of_the_faces_serve() {
    let mut msh = tank();
    msh.normals = None;
    let model = scene_of(&msh, FirstNode::Own);
    assert!(model.mesh.normals.iter().all(|n| *n == [0.0, 0.0, 1.0]));
}

#[test]
fn records_that_no_one_can_read_are_shown_as_they_lie() {
    let mut msh = tank();
    msh.nodes = NodeTable::Stride24(vec![[7; 24]; 3]);
    let model = scene_of(&msh, FirstNode::Own);
    assert_eq!(model.nodes, [ModelNode::default()]);
    assert_eq!(n_triangles(&model, &model.pieces[0].lods[0]), 14);
}

#[test]
fn ranges_that_overlap_without_end_make_no_endless_mesh() {
    let mut msh = tank();
    let whole = msh::Batch {
        index_start: 0,
        index_count: msh.indices.len() as u16,
        base_vertex: 0,
        ..msh.batches[0]
    };
    msh.batches = vec![whole; 60_000];
    for slot in &mut msh.slots {
        (slot.batch_start, slot.batch_count) = (0, 60_000);
    }
    let slot = msh.slots[0];
    msh.slots = vec![slot; usize::from(NONE) - 1];
    let model = scene_of(&msh, FirstNode::Own);
    let n_named = msh.indices.len() + msh.batches.len();
    assert!(model.mesh.indices.len() <= n_named * MAX_VISITS_PER_INDEX);
}

#[test]
fn a_slot_that_all_nodes_name_is_drawn_a_limited_number_of_times() {
    let mut msh = tank();
    let NodeTable::Nodes(nodes) = &mut msh.nodes else {
        panic!("known nodes");
    };
    let mut node = nodes[0];
    node.slots = [0; N_STATES * N_LODS];
    *nodes = vec![node; 500];
    msh.names = None;
    let model = scene_of(&msh, FirstNode::Own);
    let lods = || model.pieces.iter().flat_map(|piece| &piece.lods);
    assert_eq!(lods().count(), 500 * N_STATES * OWN_VIEW);
    let n_named: usize = lods()
        .map(|lod| n_triangles(&model, lod) as usize * 3)
        .sum();
    let n_steps = msh.indices.len() + msh.batches.len();
    assert!(n_named <= n_steps * MAX_VISITS_PER_INDEX, "{n_named}");
    // Those that come first are whole.
    let first = &model.pieces[0].lods;
    assert!(first.iter().all(|lod| n_triangles(&model, lod) == 8));
    // The rest is empty.
    let last = model.pieces.last().and_then(|piece| piece.lods.last());
    assert_eq!(last.map(|lod| lod.batches.clone()), Some(0..0));
}

#[test]
fn bounds_around_far_vertices_stay_finite() {
    let mut msh = tank();
    msh.positions[0] = [3.0e38, -3.0e38, 3.0e38];
    // It validates the scene.
    let model = scene_of(&msh, FirstNode::Own);
    assert_eq!(model.pieces[0].lods[0].bounds.radius, f32::MAX);
}

#[test]
fn a_lightmap_needs_its_coordinates() {
    let plain = Mat0 {
        version: 6,
        class: 0xFF,
        unknown_05: 0xFF,
        speed_factor: 1.0,
        damage_per_sec: 0.0,
        phases: Vec::new(),
        tracks: Vec::new(),
    };
    let table = MaterialTable {
        materials: vec![TableMaterial {
            name: "HULL".to_owned(),
            attr1: 0,
            mat0: plain.into(),
            textures: [].into(),
        }],
        textures: vec![TableTexture {
            name: "LIGHT.0".to_owned(),
            kind: TextureKind::Lightmap,
            texm: None,
        }],
    };
    let rows = WearRows {
        materials: vec![0],
        lightmaps: vec![Some(0)],
    };
    let kinds = |msh: &Msh| -> Vec<PassKind> {
        let mut materials = BatchMaterials::new(&table, 0);
        materials.of_model(msh, &rows)(&msh.batches[0]);
        let made = materials.finish();
        made[0].passes.iter().map(|pass| pass.kind).collect()
    };
    let mut msh = tank();
    assert_eq!(kinds(&msh), [PassKind::Base, PassKind::Lightmap]);
    msh.lightmap_uv = None;
    assert_eq!(kinds(&msh), [PassKind::Base]);
}

#[test]
fn what_the_own_view_draws_is_no_level_of_detail() {
    let draft = ModelDraft {
        nodes: vec![
            DraftNode {
                keys: vec![key([0.0; 3])],
                pieces: vec![piece(0, 0, 8, 4.0), piece(0, 4, 2, 4.0)],
                ..DraftNode::default()
            },
            DraftNode {
                parent: Some(0),
                flags: NodeFlags::COCKPIT,
                keys: vec![key([0.0; 3])],
                pieces: vec![piece(0, 4, 3, 2.0)],
                ..DraftNode::default()
            },
        ],
        ..ModelDraft::default()
    };
    let msh = draft.build().unwrap();
    let model = scene_of(&msh, FirstNode::Own);
    let drawn: Vec<_> = model
        .pieces
        .iter()
        .map(|it| (it.node, it.lods.len()))
        .collect();
    assert_eq!(drawn, [(0, 1)]);
    assert_eq!(msh.slot(0, 0, 4).unwrap().tri_count, 2);
    assert!(msh.slot(0, 1, 4).is_none(), "nothing stands for it");
}

#[test]
fn one_side_is_drawn_where_normals_tell_which_it_is() {
    let table = MaterialTable::default();
    let culls = |msh: &Msh| -> Vec<Cull> {
        let mut materials = BatchMaterials::new(&table, 0);
        let rows = WearRows::default();
        for batch in &msh.batches {
            materials.of_model(msh, &rows)(batch);
        }
        let made = materials.finish();
        made.iter()
            .map(|material| material.passes[0].cull)
            .collect()
    };
    let mut msh = tank();
    assert_eq!(culls(&msh), [Cull::Back]);
    msh.batches[1].flags |= BatchFlags::TWO_SIDED;
    assert_eq!(culls(&msh), [Cull::Back, Cull::None]);
    for normal in msh.normals.iter_mut().flatten() {
        *normal = [0, 0, -127, 0];
    }
    assert_eq!(
        culls(&msh),
        [Cull::None],
        "clockwise models show both sides"
    );
    msh.normals = None;
    assert_eq!(culls(&msh), [Cull::None]);
}
