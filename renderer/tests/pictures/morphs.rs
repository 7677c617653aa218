//! Models whose vertices move by weights, and pieces that are hidden.

use ironlands_renderer::{FrameState, OffscreenTarget, RenderError, RenderSettings, Renderer};
use ironlands_scene::{
    Batch, Cull, Lighting, Mesh, Model, ModelIdx, ModelPiece, MorphTarget, MorphWeight, Morphs,
    Pass, PassKind, PieceLod, Scene, Sun,
};

use crate::models::{add_instance, add_model, at, one, plate, scaled_at};
use crate::stage::*;

const RED: [u8; 3] = [255, 0, 0];
const GREEN: [u8; 3] = [0, 255, 0];

/// The only model of these scenes.
const MODEL: ModelIdx = ModelIdx(0);

fn weight(target: u32, weight: f32) -> MorphWeight {
    MorphWeight { target, weight }
}

fn target(first_vertex: u32, offsets: &[[f32; 3]]) -> MorphTarget {
    MorphTarget {
        name: String::new(),
        first_vertex,
        offsets: offsets.to_vec(),
    }
}

/// A red plate that targets turn into others: 0 moves its upper edge up by 2, 1 all of it to the left by 3, 2 nothing.
fn moving_plate() -> Scene {
    let mut scene = empty();
    let mut model = plate(&mut scene, RED);
    model.mesh.morph_targets = vec![
        target(2, &[[0.0, 0.0, 2.0]; 2]),
        target(0, &[[0.0, 3.0, 0.0]; 4]),
        target(4, &[]),
    ];
    one(scene, model, at(10.0, 0.0, 0.0))
}

/// The same plate with its vertices modeled where those weights put them.
fn modeled(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    let weights = std::mem::take(&mut scene.instances[0].morph);
    let mesh = &mut scene.models[0].mesh;
    mesh.positions = mesh.morphed(&weights).into_owned();
    mesh.morph_targets.clear();
    // As large as it may have become.
    let bounds = &mut scene.models[0].pieces[0].lods[0].bounds;
    bounds.radius = 100.0;
    scene
}

#[test]
fn a_moved_plate_is_the_plate_that_is_modeled_there() {
    let mut scene = moving_plate();
    let rest = shoot(&scene, &state());
    for weights in [
        vec![weight(0, 1.0)],
        vec![weight(0, 0.5), weight(1, -0.25)],
        vec![weight(1, 1.0), weight(0, -1.5), weight(2, 3.0)],
    ] {
        scene.instances[0].morph = weights.clone();
        let moved = shoot(&scene, &state());
        assert_ne!(moved, rest, "{weights:?}");
        assert_eq!(moved, shoot(&modeled(&scene), &state()), "{weights:?}");
    }
    for weights in [
        vec![],
        vec![weight(2, 1.0)],
        vec![weight(0, 0.0), weight(1, 0.0)],
    ] {
        scene.instances[0].morph = weights.clone();
        assert_eq!(shoot(&scene, &state()), rest, "{weights:?}");
    }
}

#[test]
fn instances_of_one_model_move_by_themselves() {
    let mut scene = moving_plate();
    scene.instances[0].world_from_model = at(10.0, 3.0, 0.0);
    add_instance(&mut scene, MODEL, at(10.0, -1.0, 0.0));
    add_instance(&mut scene, MODEL, at(10.0, -5.0, 0.0));
    scene.instances[0].morph = vec![weight(0, 0.5)];
    scene.instances[2].morph = vec![weight(0, -0.5), weight(1, 0.25)];
    let mut expected = scene.clone();
    for (index, instance) in scene.instances.iter().enumerate() {
        let mut model = scene.models[0].clone();
        model.mesh.positions = model.mesh.morphed(&instance.morph).into_owned();
        model.mesh.morph_targets.clear();
        expected.instances[index].model = add_model(&mut expected, model);
        expected.instances[index].morph.clear();
    }
    let (picture, stats) = shoot_with(&scene, &state(), 1, None);
    assert_eq!(picture, shoot(&expected, &state()));
    assert_eq!(
        stats.draw_calls, 2,
        "those that move are one call, the one at rest another"
    );
}

#[test]
fn weights_of_a_frame_stand_in_for_those_at_rest() {
    let mut scene = moving_plate();
    scene.instances[0].morph = vec![weight(0, 1.0)];
    let at_rest = shoot(&scene, &state());
    let mut morphs = Morphs::default();
    morphs.push(&[weight(1, 1.0), weight(77, 1.0)]);
    let posed = FrameState { morphs, ..state() };
    let mut expected = scene.clone();
    expected.instances[0].morph = vec![weight(1, 1.0)];
    let expected = shoot(&expected, &state());
    assert_eq!(shoot(&scene, &posed), expected);
    // One after the other, and more of them than the frame before had.
    let mut crowd = scene.clone();
    for row in 0..200u8 {
        add_instance(&mut crowd, MODEL, at(20.0 + f32::from(row), 0.0, 0.0));
        crowd.instances[usize::from(row) + 1].morph = vec![weight(0, f32::from(row) * 0.01)];
    }
    let gpu = gpu();
    let offscreen = OffscreenTarget::new(gpu, SIZE).expect("a small picture");
    let settings = RenderSettings::new(1, 1).expect("can be had");
    let mut renderer = Renderer::new(gpu, offscreen.format(), settings).expect("a renderer");
    let mut draw = |scene: &Scene, state: &FrameState| {
        let uploaded = renderer.upload(gpu, scene).expect("a valid scene");
        let drawn = renderer.draw(gpu, &uploaded, state, offscreen.view(), None);
        drawn.expect("a frame");
        ironlands_renderer::capture(gpu, &offscreen).expect("a picture")
    };
    assert_eq!(draw(&scene, &posed), expected);
    let of_crowd = draw(&crowd, &state());
    assert_eq!(of_crowd, shoot(&crowd, &state()));
    assert_eq!(draw(&scene, &state()), at_rest);
}

#[test]
fn weights_of_another_number_of_instances_are_refused() {
    let scene = moving_plate();
    let gpu = gpu();
    let offscreen = OffscreenTarget::new(gpu, SIZE).expect("a small picture");
    let mut renderer =
        Renderer::new(gpu, offscreen.format(), RenderSettings::default()).expect("a renderer");
    let scene = renderer.upload(gpu, &scene).expect("a valid scene");
    let mut state = state();
    state.morphs.push(&[]);
    state.morphs.push(&[weight(0, 1.0)]);
    let drawn = renderer.draw(gpu, &scene, &state, offscreen.view(), None);
    let is_refused = matches!(
        drawn,
        Err(RenderError::Morphs {
            given: 2,
            needed: 1
        })
    );
    assert!(is_refused, "{drawn:?}");
}

#[test]
fn what_moves_into_the_picture_is_drawn_and_what_moves_out_is_not() {
    let mut scene = moving_plate();
    for (place, by, is_drawn) in [
        (at(-10.0, 0.0, 0.0), 0.0, false),
        // At rest far to the right; moved to the left by 30, right before the camera.
        (at(10.0, -30.0, 0.0), 0.0, false),
        (at(10.0, -30.0, 0.0), 10.0, true),
        (at(10.0, 0.0, 0.0), 0.0, true),
        (at(10.0, 0.0, 0.0), 10.0, false),
        (at(10.0, 0.0, 0.0), f32::NAN, false),
        (scaled_at([1.0, 2.0, 1.0], [10.0, -30.0, 0.0]), 5.0, true),
    ] {
        scene.instances[0].world_from_model = place;
        let mut state = state();
        state.morphs.push(&[weight(1, by)]);
        let (picture, stats) = shoot_with(&scene, &state, 1, None);
        let expected = if is_drawn { RED } else { BACKGROUND };
        assert_pixel(&picture, CENTER, expected, 0);
        assert_eq!(stats.instances_drawn, usize::from(is_drawn), "{by}");
    }
}

#[test]
fn a_vertex_at_the_edge_of_the_picture_is_not_culled() {
    // All of the plate but one corner stays behind the camera's left edge.
    let mut scene = moving_plate();
    scene.models[0].mesh.morph_targets[0] = target(2, &[[0.0, -9.0, 0.0]]);
    scene.instances[0].world_from_model = at(10.0, 14.0, 0.0);
    scene.instances[0].morph = vec![weight(0, 1.0)];
    let picture = shoot(&scene, &state());
    assert_eq!(picture, shoot(&modeled(&scene), &state()));
    assert!(picture.pixels().any(|pixel| pixel.0[..3] == RED));
}

#[test]
fn mirrored_lit_and_layered_surfaces_move_like_any() {
    let mut scene = moving_plate();
    let base = Pass {
        lighting: Lighting::Display,
        cull: Cull::Back,
        ..unlit(&mut scene, gray(200))
    };
    let decal = Pass {
        kind: PassKind::Decal,
        blend: Some(ironlands_scene::Blend::ALPHA),
        ..unlit(&mut scene, [0, 255, 0, 128])
    };
    let glass = Pass {
        kind: PassKind::Translucent,
        blend: Some(ironlands_scene::Blend::ALPHA),
        depth_write: false,
        ..unlit(&mut scene, [0, 0, 255, 64])
    };
    scene.materials[0].passes = vec![base, decal, glass];
    scene.sun = Sun {
        direction_to_sun: [-0.8, 0.0, 0.6],
        color: [1.0; 3],
        ambient: [0.0; 3],
        counter: [0.0; 3],
    };
    scene.instances[0].world_from_model = scaled_at([1.0, -2.0, 1.0], [10.0, 0.0, 0.0]);
    scene.instances[0].morph = vec![weight(0, 1.0), weight(1, 0.5)];
    let picture = shoot(&scene, &state());
    assert_eq!(picture, shoot(&modeled(&scene), &state()));
    assert!(picture.pixels().any(|pixel| pixel.0[..3] != BACKGROUND));
}

#[test]
fn surfaces_lit_from_around_move_and_keep_the_light_of_their_instance() {
    let mut scene = moving_plate();
    let texture = solid(&mut scene, [255; 4]);
    scene.materials[0].passes[0] = Pass {
        lighting: Lighting::Ambient,
        texture: Some(texture),
        ..Pass::default()
    };
    let light = |side| Some(ironlands_scene::AmbientCube([[side, 0.0, 0.0]; 6]));
    scene.instances[0].light = light(0.2);
    scene.instances[0].world_from_model = at(10.0, 4.0, 0.0);
    scene.instances[0].morph = vec![weight(0, 0.5)];
    add_instance(&mut scene, MODEL, at(10.0, -4.0, 0.0));
    scene.instances[1].light = light(0.8);
    scene.instances[1].morph = vec![weight(0, 0.5)];
    assert!(scene.materials[0].passes[0].lightmap.is_none());
    assert_eq!(
        shoot(&scene, &state()),
        shoot(&modeled_twice(&scene), &state())
    );
}

/// Both instances move alike, so one modeled mesh serves both.
fn modeled_twice(scene: &Scene) -> Scene {
    let mut expected = modeled(scene);
    expected.instances[1].morph.clear();
    expected
}

/// Red on the left, green on the right, as pieces of one node.
fn two_pieces() -> Scene {
    let mut scene = empty();
    let mut model = plate(&mut scene, RED);
    let pass = unlit(&mut scene, [0, 255, 0, 255]);
    let material = material(&mut scene, vec![pass]);
    let Model { mesh, pieces, .. } = &mut model;
    let Mesh {
        positions,
        normals,
        uv_sets,
        indices,
        batches,
        ..
    } = mesh;
    let to_the_right = positions
        .clone()
        .into_iter()
        .map(|[x, y, z]| [x, y - 4.0, z]);
    positions.extend(to_the_right);
    normals.extend_from_within(..);
    for uvs in uv_sets {
        uvs.extend_from_within(..);
    }
    indices.extend([4, 5, 6, 4, 6, 7]);
    batches.push(Batch {
        first_index: 6,
        n_indices: 6,
        material,
    });
    let mut bounds = pieces[0].lods[0].bounds;
    bounds.center[1] = -4.0;
    pieces.push(ModelPiece {
        node: 0,
        state: 0,
        lods: vec![PieceLod {
            bounds,
            batches: 1..2,
        }],
    });
    one(scene, model, at(10.0, 2.0, 0.0))
}

#[test]
fn hidden_pieces_are_not_drawn() {
    let mut scene = two_pieces();
    add_instance(&mut scene, MODEL, at(10.0, 2.0, 4.0));
    let shown = |scene: &Scene, state: &FrameState| {
        let picture = shoot(scene, state);
        [RED, GREEN].map(|color| {
            let pixels = picture.pixels();
            pixels.filter(|pixel| pixel.0[..3] == color).count()
        })
    };
    let [red, green] = shown(&scene, &state());
    assert!(red > 0 && green > 0);
    scene.instances[0].hidden_pieces = vec![1];
    let [one_hidden, half] = shown(&scene, &state());
    assert!(
        one_hidden == red && 0 < half && half < green,
        "the other instance shows both"
    );
    scene.instances[0].hidden_pieces = vec![0, 1];
    scene.instances[1].hidden_pieces = vec![0];
    assert_eq!(shown(&scene, &state())[0], 0);
    let also = FrameState {
        hidden_pieces: vec![[1, 1]],
        ..state()
    };
    assert_eq!(shown(&scene, &also), [0, 0]);
}
