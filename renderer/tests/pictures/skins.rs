//! Models whose vertices several joints carry.

use ironlands_renderer::FrameState;
use ironlands_scene::{
    Affine, Batch, Joint, Mesh, Model, ModelIdx, ModelNode, ModelPiece, MorphTarget, MorphWeight,
    PieceLod, Scene, SkinVertex, Sphere,
};

use crate::models::{add_instance, add_model, at};
use crate::stage::*;

const RED: [u8; 3] = [255, 0, 0];

/// A red band, 1 wide and 4 high, of two joints: its middle belongs to both. The second joint is 2 above the first.
fn band(scene: &mut Scene) -> Model {
    let [r, g, b] = RED;
    let pass = unlit(scene, [r, g, b, 255]);
    let material = material(scene, vec![pass]);
    let joint = |node: u32, z: f32| Joint {
        node,
        node_from_mesh: at(0.0, 0.0, -z),
    };
    let both = SkinVertex {
        joints: [1, 0, 0, 0],
        weights: [0.5, 0.5, 0.0, 0.0],
    };
    let row = |z: f32| [[0.0, 0.5, z], [0.0, -0.5, z]];
    Model {
        name: "band".to_owned(),
        nodes: vec![
            ModelNode::default(),
            ModelNode {
                parent: Some(0),
                parent_from_node: at(0.0, 0.0, 2.0),
                ..ModelNode::default()
            },
        ],
        joints: vec![joint(0, 0.0), joint(1, 2.0)],
        mesh: Mesh {
            positions: [row(0.0), row(2.0), row(4.0)].concat(),
            normals: vec![[-1.0, 0.0, 0.0]; 6],
            uv_sets: [vec![[0.5; 2]; 6], vec![[0.5; 2]; 6]],
            skin: [SkinVertex::rigid(0), both, SkinVertex::rigid(1)]
                .into_iter()
                .flat_map(|it| [it; 2])
                .collect(),
            morph_targets: vec![MorphTarget {
                name: String::new(),
                first_vertex: 4,
                offsets: vec![[0.0, 0.0, 1.0]; 2],
            }],
            indices: vec![0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4],
            batches: vec![Batch {
                first_index: 0,
                n_indices: 12,
                material,
            }],
            ..Mesh::default()
        },
        pieces: vec![ModelPiece {
            node: 0,
            state: 0,
            lods: vec![PieceLod {
                bounds: Sphere::default(),
                batches: 0..1,
            }],
        }],
        ..Model::default()
    }
}

/// Two bands, the first out of view, so that the second has joints after those of another.
fn scene() -> Scene {
    let mut scene = empty();
    let band = band(&mut scene);
    let band = add_model(&mut scene, band);
    add_instance(&mut scene, band, at(10.0, 5.0, -2.0));
    add_instance(&mut scene, band, at(10.0, 0.0, -2.0));
    scene
}

/// Turned about x, as the picture turns, by an angle.
fn turned(angle_rad: f32, [x, y, z]: [f32; 3]) -> Affine {
    let (sin, cos) = angle_rad.sin_cos();
    Affine([[1.0, 0.0, 0.0, x], [0.0, cos, -sin, y], [0.0, sin, cos, z]])
}

/// Both bands bent at their joint.
fn bent() -> Vec<Affine> {
    vec![
        at(10.0, 5.0, -2.0),
        turned(0.6, [10.0, 5.0, 0.0]),
        at(10.0, 0.0, -2.0),
        turned(-1.1, [10.0, -0.5, 0.2]),
    ]
}

/// The same picture without joints: vertices modeled where the CPU finds them.
fn modeled(scene: &Scene, poses: &[Affine]) -> Scene {
    let model = &scene.models[0];
    let mut rigid = Scene {
        models: Vec::new(),
        instances: Vec::new(),
        ..scene.clone()
    };
    for (index, instance) in scene.instances.iter().enumerate() {
        let nodes = &poses[2 * index..2 * index + 2];
        let mut plain = Model {
            joints: Vec::new(),
            nodes: vec![ModelNode::default()],
            ..model.clone()
        };
        plain.mesh.positions = model.skinned_positions(nodes, &instance.morph);
        plain.mesh.skin.clear();
        plain.mesh.morph_targets.clear();
        plain.pieces[0].lods[0].bounds.radius = 100.0;
        let plain = add_model(&mut rigid, plain);
        add_instance(&mut rigid, plain, Affine::IDENTITY);
    }
    rigid
}

fn n_apart(a: &image::RgbaImage, b: &image::RgbaImage) -> usize {
    let pairs = a.pixels().zip(b.pixels());
    pairs.filter(|(a, b)| a != b).count()
}

#[test]
fn joints_carry_vertices_to_where_the_cpu_finds_them() {
    let mut scene = scene();
    scene.instances[1].morph = vec![MorphWeight {
        target: 0,
        weight: 0.5,
    }];
    let rest = scene.rest_poses();
    let mut pictures = Vec::new();
    for poses in [rest, bent()] {
        let state_of = |poses| FrameState { poses, ..state() };
        let skinned = shoot(&scene, &state_of(poses.clone()));
        let expected = shoot(&modeled(&scene, &poses), &state());
        // Edges may round the other way, where a matrix does what two did.
        let n_apart = n_apart(&skinned, &expected);
        assert!(n_apart <= 4, "{n_apart} pixels differ");
        let n_red = skinned.pixels().filter(|it| it.0[..3] == RED);
        assert!(n_red.count() > 100);
        pictures.push(skinned);
    }
    assert!(n_apart(&pictures[0], &pictures[1]) > 50, "it bends");
}

#[test]
fn what_joints_carry_is_culled_by_where_they_carry_it() {
    let scene = scene();
    let n_drawn = |poses: Vec<Affine>| {
        let state = FrameState { poses, ..state() };
        shoot_with(&scene, &state, 1, None).1.pieces_drawn
    };
    assert_eq!(n_drawn(bent()), 2);
    // The piece hangs on the first node, which stays in view; what its joints carry does not.
    let mut one_away = bent();
    one_away[2] = at(-10.0, 0.0, 0.0);
    one_away[3] = at(-10.0, 0.0, 2.0);
    assert_eq!(n_drawn(one_away), 1);
    // The root is behind the camera, the hand is in view.
    let mut reaching = bent();
    reaching[2] = at(-10.0, 0.0, 0.0);
    assert_eq!(n_drawn(reaching), 2);
}

#[test]
fn instances_of_a_skinned_model_are_one_call() {
    let (_, stats) = shoot_with(&scene(), &state(), 1, None);
    assert_eq!((stats.draw_calls, stats.instances_drawn), (1, 2));
    assert_eq!(scene().instances[0].model, ModelIdx(0));
}
