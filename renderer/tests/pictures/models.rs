//! Where models stand, what of them is drawn, and what it takes.

use ironlands_renderer::{
    Camera, FrameState, FrameStats, OffscreenTarget, RenderError, RenderSettings, Renderer,
};
use ironlands_scene::{
    Affine, Batch, Cull, Instance, Lighting, MaterialIdx, Mesh, Model, ModelIdx, ModelNode,
    ModelPiece, Pass, PassKind, PieceLod, Scene, Sphere, Sun,
};

use crate::stage::*;

const RED: [u8; 3] = [255, 0, 0];
const GREEN: [u8; 3] = [0, 255, 0];

/// One node with a plate of the given color: 2 x 2, across the x axis, its front toward -X.
pub fn plate(scene: &mut Scene, [r, g, b]: [u8; 3]) -> Model {
    let pass = unlit(scene, [r, g, b, 255]);
    let material = material(scene, vec![pass]);
    plate_of(material)
}

pub fn plate_of(material: MaterialIdx) -> Model {
    let bounds = Sphere {
        center: [0.0; 3],
        radius: 2f32.sqrt(),
    };
    Model {
        name: "plate".to_owned(),
        nodes: vec![ModelNode::default()],
        mesh: Mesh {
            positions: vec![
                [0.0, 1.0, -1.0],
                [0.0, -1.0, -1.0],
                [0.0, -1.0, 1.0],
                [0.0, 1.0, 1.0],
            ],
            normals: vec![[-1.0, 0.0, 0.0]; 4],
            uv_sets: [
                vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]],
                vec![[0.5, 0.5]; 4],
            ],
            indices: vec![0, 1, 2, 0, 2, 3],
            batches: vec![Batch {
                first_index: 0,
                n_indices: 6,
                material,
            }],
            ..Mesh::default()
        },
        pieces: vec![ModelPiece {
            node: 0,
            state: 0,
            lods: vec![PieceLod {
                bounds,
                batches: 0..1,
            }],
        }],
        joints: Vec::new(),
        lod_sizes: Vec::new(),
        bounds,
    }
}

/// Adds a second material to a model: a batch over the same triangles.
fn add_batch(scene: &mut Scene, model: &mut Model, [r, g, b]: [u8; 3]) -> u32 {
    let pass = unlit(scene, [r, g, b, 255]);
    let material = material(scene, vec![pass]);
    let batch = model.mesh.batches[0];
    model.mesh.batches.push(Batch { material, ..batch });
    model.mesh.batches.len() as u32 - 1
}

pub fn add_model(scene: &mut Scene, model: Model) -> ModelIdx {
    scene.models.push(model);
    ModelIdx(scene.models.len() as u32 - 1)
}

pub fn add_instance(scene: &mut Scene, model: ModelIdx, world_from_model: Affine) {
    scene.instances.push(Instance {
        name: format!("instance {}", scene.instances.len()),
        model,
        world_from_model,
        ..Instance::default()
    });
}

pub fn at(x: f32, y: f32, z: f32) -> Affine {
    scaled_at([1.0; 3], [x, y, z])
}

pub fn scaled_at([a, b, c]: [f32; 3], [x, y, z]: [f32; 3]) -> Affine {
    Affine([[a, 0.0, 0.0, x], [0.0, b, 0.0, y], [0.0, 0.0, c, z]])
}

/// A scene with one instance of a model.
pub fn one(mut scene: Scene, model: Model, world_from_model: Affine) -> Scene {
    let model = add_model(&mut scene, model);
    add_instance(&mut scene, model, world_from_model);
    scene
}

pub fn red_plate(world_from_model: Affine) -> Scene {
    let mut scene = empty();
    let plate = plate(&mut scene, RED);
    one(scene, plate, world_from_model)
}

/// Smallest and largest x and y of the pixels of a color.
fn covered(scene: &Scene, state: &FrameState, color: [u8; 3]) -> Option<[u32; 4]> {
    let picture = shoot(scene, state);
    let pixels = picture.enumerate_pixels();
    let of_color = pixels.filter(|(_, _, pixel)| pixel.0[..3] == color);
    of_color.fold(None, |bounds, (x, y, _)| {
        let [x0, y0, x1, y1] = bounds.unwrap_or([x, y, x, y]);
        Some([x0.min(x), y0.min(y), x1.max(x), y1.max(y)])
    })
}

/// The pixels that a rectangle across the view, `x` ahead, should cover.
fn pixels_of(x: f32, [left, right]: [f32; 2], [bottom, top]: [f32; 2]) -> Option<[u32; 4]> {
    let half = Camera::default().half_extent(SIZE[0] as f32 / SIZE[1] as f32);
    let across = |y: f32| (1.0 - y / x / half.x) * 0.5 * SIZE[0] as f32;
    let down = |z: f32| (1.0 - z / x / half.y) * 0.5 * SIZE[1] as f32;
    // A pixel is covered if its center is.
    let first = |edge: f32| (edge - 0.5).ceil() as u32;
    let last = |edge: f32| (edge - 0.5).floor() as u32;
    Some([
        first(across(left)),
        first(down(top)),
        last(across(right)),
        last(down(bottom)),
    ])
}

#[test]
fn an_instance_covers_the_pixels_of_its_place() {
    let moved = red_plate(at(10.0, 2.0, -1.5));
    let expected = pixels_of(10.0, [3.0, 1.0], [-2.5, -0.5]);
    assert_eq!(covered(&moved, &state(), RED), expected);
    let scaled = red_plate(scaled_at([1.0, 3.0, 0.5], [10.0, 2.0, -1.5]));
    let expected = pixels_of(10.0, [5.0, -1.0], [-2.0, -1.0]);
    assert_eq!(covered(&scaled, &state(), RED), expected);
}

#[test]
fn rows_of_a_matrix_are_not_its_columns() {
    // A quarter turn about the view axis: +Y goes to +Z, +Z to -Y.
    let turned = red_plate(Affine([
        [1.0, 0.0, 0.0, 10.0],
        [0.0, 0.0, -1.0, 0.0],
        [0.0, 4.0, 0.0, 0.0],
    ]));
    let expected = pixels_of(10.0, [1.0, -1.0], [-4.0, 4.0]);
    assert_eq!(covered(&turned, &state(), RED), expected);
}

#[test]
fn a_small_thing_far_from_the_origin_keeps_its_shape() {
    let far = [65_536.0, -32_768.0, 8_192.0];
    let scene = red_plate(at(far[0] + 10.0, far[1] + 2.0, far[2]));
    let mut state = state();
    state.camera.position = far.into();
    let expected = pixels_of(10.0, [3.0, 1.0], [-1.0, 1.0]);
    assert_eq!(covered(&scene, &state, RED), expected);
}

/// A root and a child 3 to its left; the plate hangs on the child.
fn arm() -> Scene {
    let mut scene = empty();
    let mut model = plate(&mut scene, RED);
    model.nodes.push(ModelNode {
        parent: Some(0),
        parent_from_node: at(0.0, 3.0, 0.0),
        ..ModelNode::default()
    });
    model.pieces[0].node = 1;
    one(scene, model, at(10.0, 0.0, 1.0))
}

#[test]
fn a_child_node_follows_its_parent() {
    let mut scene = arm();
    let expected = pixels_of(10.0, [4.0, 2.0], [0.0, 2.0]);
    assert_eq!(covered(&scene, &state(), RED), expected);
    // Turned half about +Z and moved down, the root carries the child to the right.
    scene.models[0].nodes[0].parent_from_node = Affine([
        [-1.0, 0.0, 0.0, 0.0],
        [0.0, -1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, -2.0],
    ]);
    let expected = pixels_of(10.0, [-2.0, -4.0], [-2.0, 0.0]);
    assert_eq!(covered(&scene, &state(), RED), expected);
}

#[test]
fn poses_stand_in_for_the_rest() {
    let scene = arm();
    let mut state = state();
    state.poses = scene.rest_poses();
    assert_eq!(shoot(&scene, &state), shoot(&scene, &crate::stage::state()));
    // The child alone moves: poses are in world space, parents play no part in them.
    state.poses[1] = at(20.0, -1.0, 0.0);
    let expected = pixels_of(20.0, [0.0, -2.0], [-1.0, 1.0]);
    assert_eq!(covered(&scene, &state, RED), expected);
    state.poses[0] = at(0.0, 1000.0, 0.0);
    assert_eq!(covered(&scene, &state, RED), expected);
}

#[test]
fn a_frame_at_rest_after_one_in_motion_is_at_rest() {
    let scene = arm();
    let gpu = gpu();
    let target = OffscreenTarget::new(gpu, SIZE).expect("a small picture");
    let settings = RenderSettings::new(1, 1).expect("can be had");
    let mut renderer = Renderer::new(gpu, target.format(), settings).expect("a renderer");
    let uploaded = renderer.upload(gpu, &scene).expect("a valid scene");
    let mut draw = |state: &FrameState| {
        renderer
            .draw(gpu, &uploaded, state, target.view(), None)
            .expect("a frame");
        ironlands_renderer::capture(gpu, &target).expect("a picture")
    };
    let at_rest = draw(&state());
    let posed = draw(&FrameState {
        poses: vec![at(10.0, 0.0, 0.0); 2],
        ..state()
    });
    assert_ne!(at_rest, posed);
    assert_eq!(at_rest, draw(&state()));
}

#[test]
fn one_renderer_draws_scenes_of_any_size_in_turn() {
    let small = red_plate(at(10.0, 2.0, 0.0));
    let mut large = destructible();
    for i in 0..300 {
        add_instance(&mut large, ModelIdx(0), at(5.0 + i as f32, -1.0, 0.0));
        large.instances[i].state = (i % 2) as u8;
    }
    let gpu = gpu();
    let target = OffscreenTarget::new(gpu, SIZE).expect("a small picture");
    let settings = RenderSettings::new(1, 1).expect("can be had");
    let mut renderer = Renderer::new(gpu, target.format(), settings).expect("a renderer");
    for scene in [&small, &large, &empty(), &small, &large] {
        let uploaded = renderer.upload(gpu, scene).expect("a valid scene");
        renderer
            .draw(gpu, &uploaded, &state(), target.view(), None)
            .expect("a frame");
        let picture = ironlands_renderer::capture(gpu, &target).expect("a picture");
        assert_eq!(picture, shoot(scene, &state()));
    }
}

#[test]
fn poses_of_another_number_of_nodes_are_refused() {
    let scene = arm();
    let gpu = gpu();
    let target = OffscreenTarget::new(gpu, SIZE).expect("a small picture");
    let mut renderer =
        Renderer::new(gpu, target.format(), RenderSettings::default()).expect("a renderer");
    let scene = renderer.upload(gpu, &scene).expect("a valid scene");
    for given in [1, 3] {
        let state = FrameState {
            poses: vec![Affine::IDENTITY; given],
            ..state()
        };
        let drawn = renderer.draw(gpu, &scene, &state, target.view(), None);
        assert!(
            matches!(drawn, Err(RenderError::Poses { given: found, needed: 2 }) if found == given),
            "{drawn:?}"
        );
    }
}

#[test]
fn a_piece_without_a_finite_place_is_not_drawn() {
    let scene = arm();
    for broken in [f32::NAN, f32::INFINITY] {
        let mut state = state();
        state.poses = scene.rest_poses();
        state.poses[1].0[1][3] = broken;
        assert_eq!(covered(&scene, &state, RED), None);
        state.poses = scene.rest_poses();
        state.poses[1].0[0][0] = broken;
        assert_eq!(covered(&scene, &state, RED), None);
    }
}

/// A lit plate whose normal leans from -X toward +Z by 45 degrees, with the sun straight above.
fn lit_plate(world_from_model: Affine) -> Scene {
    let mut scene = empty();
    let pass = Pass {
        lighting: Lighting::Display,
        ..unlit(&mut scene, gray(200))
    };
    let material = material(&mut scene, vec![pass]);
    let mut model = plate_of(material);
    let half = 0.5f32.sqrt();
    model.mesh.normals = vec![[-half, 0.0, half]; 4];
    scene.sun = Sun {
        direction_to_sun: [0.0, 0.0, 1.0],
        color: [1.0; 3],
        ambient: [0.0; 3],
        counter: [0.0; 3],
    };
    one(scene, model, world_from_model)
}

#[test]
fn normals_turn_with_the_surface_under_unequal_scales() {
    for (scale, n_dot_l) in [
        ([1.0f32, 1.0, 1.0], 0.5f32.sqrt()),
        ([5.0, 5.0, 5.0], 0.5f32.sqrt()),
        ([0.001, 0.001, 0.001], 0.5f32.sqrt()),
        // A normal divides by the scale: (-1, 0, 1) becomes (-1/3, 0, 1), of length 1.054.
        ([3.0, 1.0, 1.0], 0.9487),
        // Stretched upward, the surface is steeper: (-1, 0, 1/4), of length 1.031.
        ([1.0, 1.0, 4.0], 0.2425),
        // Mirrored at a vertical plane, it leans up as before; upside down, it leans away from the sun.
        ([-1.0, 1.0, 1.0], 0.5f32.sqrt()),
        ([1.0, -2.0, 1.0], 0.5f32.sqrt()),
        ([-1.0, 1.0, 4.0], 0.2425),
        ([1.0, 1.0, -1.0], 0.0),
    ] {
        // So near that it covers the middle, whatever its scale.
        let distance = scale[1].abs().max(0.002) * 0.6;
        let scene = lit_plate(scaled_at(scale, [distance, 0.0, 0.0]));
        let mut state = state();
        state.camera.near = distance * 0.01;
        let expected = (200.0 * n_dot_l).round() as u8;
        assert_pixel(&shoot(&scene, &state), CENTER, [expected; 3], 1);
    }
}

#[test]
fn a_slanted_matrix_turns_normals_as_it_turns_the_surface() {
    // Sheared: x gains z. The plate's upright edge leans back by 45 degrees, so a normal of -X becomes
    // (-1, 0, 1) by its edges (0, 1, 0) and (1, 0, 1).
    let mut scene = lit_plate(Affine([
        [1.0, 0.0, 1.0, 5.0],
        [0.0, 3.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
    ]));
    scene.models[0].mesh.normals = vec![[-1.0, 0.0, 0.0]; 4];
    assert_pixel(&shoot(&scene, &state()), CENTER, [141; 3], 1);
}

#[test]
fn a_mirrored_model_shows_the_same_side_of_its_faces() {
    for (scale, reversed, drawn) in [
        ([1.0, 1.0, 1.0], false, true),
        ([1.0, -1.0, 1.0], false, true),
        ([1.0, -1.0, 1.0], true, false),
        ([-1.0, 1.0, 1.0], false, false),
        ([-1.0, -1.0, 1.0], false, false),
    ] {
        let mut scene = red_plate(scaled_at(scale, [5.0, 0.0, 0.0]));
        scene.materials[0].passes[0].cull = Cull::Back;
        if reversed {
            scene.models[0].mesh.indices.reverse();
        }
        let expected = if drawn { RED } else { BACKGROUND };
        assert_pixel(&shoot(&scene, &state()), CENTER, expected, 0);
    }
}

/// Whole red, destroyed green.
fn destructible() -> Scene {
    let mut scene = empty();
    let mut model = plate(&mut scene, RED);
    let batch = add_batch(&mut scene, &mut model, GREEN);
    let mut destroyed = model.pieces[0].clone();
    destroyed.state = 1;
    destroyed.lods[0].batches = batch..batch + 1;
    model.pieces.push(destroyed);
    one(scene, model, at(5.0, 0.0, 0.0))
}

#[test]
fn an_instance_shows_its_state_unless_the_frame_names_another() {
    let mut scene = destructible();
    for (own, forced, color) in [
        (0, None, RED),
        (1, None, GREEN),
        (2, None, BACKGROUND),
        (1, Some(0), RED),
        (0, Some(1), GREEN),
    ] {
        scene.instances[0].state = own;
        let state = FrameState {
            model_state: forced,
            ..state()
        };
        assert_pixel(&shoot(&scene, &state), CENTER, color, 0);
    }
}

#[test]
fn a_model_without_the_requested_state_keeps_the_instances_own() {
    let mut scene = red_plate(at(5.0, 0.0, 0.0));
    let forced = FrameState {
        model_state: Some(1),
        ..state()
    };
    assert_pixel(&shoot(&scene, &forced), CENTER, RED, 0);
    // Beside one that has it: each chooses by itself.
    let mut both = destructible();
    let plate = add_model(&mut both, scene.models.remove(0));
    add_instance(&mut both, plate, at(5.0, 2.0, 0.0));
    assert_pixel(&shoot(&both, &forced), CENTER, GREEN, 0);
    let beside = pixels_of(5.0, [3.0, 1.0], [-1.0, 1.0]);
    assert_eq!(covered(&both, &forced, RED), beside);
}

/// Fine red, coarse green where its diameter is below a fifth of the picture's height.
fn detailed(x: f32) -> Scene {
    let mut scene = empty();
    let mut model = plate(&mut scene, RED);
    let batch = add_batch(&mut scene, &mut model, GREEN);
    let mut coarse = model.pieces[0].lods[0].clone();
    coarse.batches = batch..batch + 1;
    model.pieces[0].lods.push(coarse);
    model.lod_sizes = vec![0.2];
    one(scene, model, at(x, 0.0, 0.0))
}

/// Where a plate's bounds are a fifth of the picture's height: diameter / (distance * 2 * tan(fov_y / 2)).
fn coarse_from() -> f32 {
    let half = Camera::default().half_extent(SIZE[0] as f32 / SIZE[1] as f32);
    2.0 * 2f32.sqrt() / (0.2 * 2.0 * half.y)
}

#[test]
fn the_level_of_detail_follows_the_size_on_the_screen() {
    for (x, color) in [(coarse_from() * 0.99, RED), (coarse_from() * 1.01, GREEN)] {
        assert_pixel(&shoot(&detailed(x), &state()), CENTER, color, 0);
    }
    let mut large = detailed(coarse_from() * 1.01);
    large.instances[0].world_from_model.0[1][1] = 2.0;
    assert_pixel(&shoot(&large, &state()), CENTER, RED, 0);
}

#[test]
fn the_level_of_detail_follows_the_pose_of_the_first_node() {
    let mut scene = detailed(coarse_from() * 0.99);
    // The bounds are the same ones in the space of a root that stands elsewhere in the model.
    scene.models[0].nodes[0].parent_from_node = at(-7.0, 0.0, 0.0);
    scene.models[0].bounds.center = [-7.0, 0.0, 0.0];
    let mut state = state();
    for (x, color) in [(coarse_from() * 0.99, RED), (coarse_from() * 1.01, GREEN)] {
        state.poses = vec![at(x, 0.0, 0.0)];
        assert_pixel(&shoot(&scene, &state), CENTER, color, 0);
    }
}

#[test]
fn the_level_of_detail_can_be_forced_and_switched_off() {
    let [near, far] = [3.0, coarse_from() * 1.5].map(detailed);
    let forced = |level| FrameState {
        model_lod: Some(level),
        ..state()
    };
    assert_pixel(&shoot(&near, &forced(1)), CENTER, GREEN, 0);
    assert_pixel(&shoot(&far, &forced(0)), CENTER, RED, 0);
    assert_pixel(&shoot(&near, &forced(9)), CENTER, GREEN, 0);
    let mut finest = state();
    finest.switches.lod = false;
    assert_pixel(&shoot(&far, &finest), CENTER, RED, 0);
}

fn stats(scene: &Scene, state: &FrameState) -> FrameStats {
    shoot_with(scene, state, 1, None).1
}

#[test]
fn what_the_camera_cannot_see_is_not_drawn() {
    let mut scene = red_plate(at(-5.0, 0.0, 0.0));
    let behind = stats(&scene, &state());
    assert_eq!((behind.instances_drawn, behind.instances_total), (0, 1));
    assert_eq!((behind.pieces_drawn, behind.draw_calls), (0, 0));
    add_instance(&mut scene, ModelIdx(0), at(5.0, 0.0, 0.0));
    let both = stats(&scene, &state());
    assert_eq!((both.instances_drawn, both.instances_total), (1, 2));
    assert_eq!((both.pieces_drawn, both.triangles), (1, 2));
    // A pose may bring a piece into sight that is out of sight at rest.
    let mut posed = state();
    posed.poses = vec![at(5.0, 1.0, 0.0), at(5.0, -1.0, 0.0)];
    assert_eq!(stats(&scene, &posed).instances_drawn, 2);
}

#[test]
fn a_piece_is_seen_as_far_as_its_matrix_stretches_it() {
    // Its middle is far to the left of the picture, its right end in the middle of it.
    let scene = red_plate(scaled_at([1.0, 40.0, 1.0], [5.0, 40.0, 0.0]));
    let expected = pixels_of(5.0, [3.8, 0.0], [-1.0, 1.0])
        .map(|[_, top, right, bottom]| [0, top, right, bottom]);
    assert_eq!(covered(&scene, &state(), RED), expected);
}

#[test]
fn models_can_be_switched_off() {
    let scene = red_plate(at(5.0, 0.0, 0.0));
    let mut state = state();
    state.switches.models = false;
    let (picture, stats) = shoot_with(&scene, &state, 1, None);
    assert_pixel(&picture, CENTER, BACKGROUND, 0);
    assert_eq!((stats.instances_drawn, stats.instances_total), (0, 1));
}

#[test]
fn a_thousand_instances_are_a_few_calls() {
    let mut scene = empty();
    let base = unlit(&mut scene, gray(100));
    let decal = Pass {
        kind: PassKind::Decal,
        blend: Some(ironlands_scene::Blend::ALPHA),
        ..unlit(&mut scene, [255, 0, 0, 128])
    };
    let material = material(&mut scene, vec![base, decal]);
    let model = add_model(&mut scene, plate_of(material));
    for i in 0..1000 {
        let place = |i: i32| (i as f32 - 4.5) * 4.0;
        add_instance(
            &mut scene,
            model,
            at(40.0 + (i / 100) as f32, place(i / 10 % 10), place(i % 10)),
        );
    }
    let (picture, stats) = shoot_with(&scene, &state(), 1, None);
    assert_eq!(stats.instances_drawn, 1000);
    assert_eq!((stats.triangles, stats.draw_calls), (4000, 2));
    let is_drawn = |pixel: &&image::Rgba<u8>| pixel.0[..3] != BACKGROUND;
    let n_drawn = picture.pixels().filter(is_drawn).count();
    assert!(n_drawn > 400, "{n_drawn} pixels of plates");
}

#[test]
fn a_hundred_thousand_posed_instances_are_drawn() {
    let mut scene = empty();
    let model = plate(&mut scene, RED);
    let model = add_model(&mut scene, model);
    for i in 0..100_000u32 {
        let [row, column] = [i / 400, i % 400].map(|it| it as f32);
        let place = [1000.0 + row, (column - 200.0) * 4.0, 0.0];
        add_instance(&mut scene, model, at(place[0], place[1], place[2]));
    }
    let posed = FrameState {
        poses: scene.rest_poses(),
        ..state()
    };
    let (picture, stats) = shoot_with(&scene, &posed, 1, None);
    assert!(picture == shoot(&scene, &state()));
    assert_eq!(stats.instances_total, 100_000);
    assert!(stats.instances_drawn > 50_000, "{stats:?}");
    assert_eq!(stats.triangles, 2 * stats.instances_drawn as u64);
    assert_eq!(stats.draw_calls, 1);
}

#[test]
fn a_model_without_nodes_or_pieces_draws_nothing() {
    let scene = one(empty(), Model::default(), Affine::IDENTITY);
    assert_pixel(&shoot(&scene, &state()), CENTER, BACKGROUND, 0);
}

#[test]
fn models_and_meshes_hide_each_other() {
    for (plate_at, wall_at, seen) in [(5.0, 10.0, RED), (10.0, 5.0, GREEN)] {
        let mut scene = red_plate(at(plate_at, 0.0, 0.0));
        let pass = unlit(&mut scene, [0, 255, 0, 255]);
        let material = material(&mut scene, vec![pass]);
        add_wall(&mut scene, wall_at, material);
        assert_pixel(&shoot(&scene, &state()), CENTER, seen, 0);
    }
}
