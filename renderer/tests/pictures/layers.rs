//! Holes, lightmaps, and translucent surfaces: on models, and on meshes beside them.

use ironlands_scene::{
    Affine, Blend, BlendFactor, Lighting, MaterialIdx, ModelIdx, Pass, PassKind, Scene,
};

use crate::{models::*, stage::*};

const GREEN: [u8; 3] = [0, 255, 0];

/// So near that a plate fills the picture.
const NEAR: Affine = Affine([
    [1.0, 0.0, 0.0, 1.2],
    [0.0, 1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0, 0.0],
]);
const LEFT: [u32; 2] = [1, CENTER[1]];
const RIGHT: [u32; 2] = [SIZE[0] - 2, CENTER[1]];

/// A red plate whose right half is a hole, before a green wall.
fn plate_with_hole() -> Scene {
    let mut scene = empty();
    let pixels = [[255, 0, 0, 255], [255, 0, 0, 0]].concat();
    let base = Pass {
        texture: Some(texture(&mut scene, [2, 1], pixels)),
        lighting: Lighting::Unlit,
        alpha_test: Some(0.5),
        ..Pass::default()
    };
    let holed = material(&mut scene, vec![base]);
    let wall = unlit(&mut scene, [0, 255, 0, 255]);
    let wall = material(&mut scene, vec![wall]);
    add_wall(&mut scene, 10.0, wall);
    one(scene, plate_of(holed), NEAR)
}

/// A lightmap of this strength for a material.
fn add_lightmap(scene: &mut Scene, material: MaterialIdx, light: u8) {
    let lightmap = Pass {
        kind: PassKind::Lightmap,
        blend: Some(Blend::MODULATE),
        depth_write: false,
        uv_set: 1,
        ..unlit(scene, gray(light))
    };
    scene.materials[material.0 as usize].passes.push(lightmap);
}

#[test]
fn a_hole_shows_what_is_behind() {
    let picture = shoot(&plate_with_hole(), &state());
    assert_pixel(&picture, LEFT, [255, 0, 0], 0);
    assert_pixel(&picture, RIGHT, GREEN, 0);
}

#[test]
fn a_lightmap_leaves_holes_alone() {
    let mut scene = plate_with_hole();
    add_lightmap(&mut scene, MaterialIdx(0), 64);
    for samples in [1, 4] {
        let picture = shoot_with(&scene, &state(), samples, None).0;
        assert_pixel(&picture, LEFT, [64, 0, 0], 1);
        assert_pixel(&picture, RIGHT, GREEN, 0);
    }
}

#[test]
fn a_lightmap_darkens_and_can_be_switched_off() {
    let mut scene = passes_on_wall(&[(PassKind::Base, gray(200), None)]);
    add_lightmap(&mut scene, MaterialIdx(0), 128);
    let on_wall = scene.clone();
    scene.meshes.clear();
    let on_model = one(scene, plate_of(MaterialIdx(0)), NEAR);
    let mut switched_off = state();
    switched_off.switches.lightmap = false;
    for scene in [on_wall, on_model] {
        // 200 * 128 / 255
        assert_pixel(&shoot(&scene, &state()), CENTER, [100; 3], 1);
        assert_pixel(&shoot(&scene, &switched_off), CENTER, [200; 3], 0);
    }
}

#[test]
fn a_lightmap_covers_every_pixel_of_a_slanted_model() {
    let mut scene = empty();
    let base = unlit(&mut scene, gray(200));
    let material = material(&mut scene, vec![base]);
    add_lightmap(&mut scene, material, 0);
    let turned = Affine([
        [0.31, 0.83, 2.2, 4.1],
        [-0.77, 2.9, 0.4, -0.3],
        [0.55, 0.2, 1.7, 0.2],
    ]);
    let scene = one(scene, plate_of(material), turned);
    for samples in [1, 4] {
        let picture = shoot_with(&scene, &state(), samples, None).0;
        let n_unlit = picture.pixels().filter(|it| it.0[0] > BACKGROUND[0]);
        let n_dark = picture.pixels().filter(|it| it.0[..3] == [0; 3]);
        assert_eq!(n_unlit.count(), 0, "no pixel keeps its light");
        assert!(n_dark.count() > 300);
    }
}

/// Glass that lets half of the light through.
fn glass(scene: &mut Scene, [r, g, b]: [u8; 3]) -> ModelIdx {
    let pane = Pass {
        kind: PassKind::Translucent,
        blend: Some(Blend::ALPHA),
        depth_write: false,
        ..unlit(scene, [r, g, b, 128])
    };
    let pane = material(scene, vec![pane]);
    add_model(scene, plate_of(pane))
}

fn pane_at(x: f32) -> Affine {
    scaled_at([1.0, x, x], [x, 0.0, 0.0])
}

/// What halves of these colors make, the last nearest, over what is behind.
fn halves(behind: [u8; 3], panes: &[[u8; 3]]) -> [u8; 3] {
    panes.iter().fold(behind, |below, pane| {
        [0, 1, 2]
            .map(|c| ((u32::from(below[c]) * 127 + u32::from(pane[c]) * 128 + 127) / 255) as u8)
    })
}

#[test]
fn panes_are_blended_far_to_near_in_any_order() {
    let [red, blue] = [[255, 0, 0], [0, 0, 255]];
    for order in [[6.0, 3.0], [3.0, 6.0]] {
        let mut scene = empty();
        for x in order {
            let model = glass(&mut scene, if x == 3.0 { red } else { blue });
            add_instance(&mut scene, model, pane_at(x));
        }
        let expected = halves(BACKGROUND, &[blue, red]);
        assert_pixel(&shoot(&scene, &state()), CENTER, expected, 1);
        // From the other side, what was near is far.
        let mut state = state();
        state.camera.position.x = 9.0;
        state.camera.yaw_rad = std::f32::consts::PI;
        let expected = halves(BACKGROUND, &[red, blue]);
        assert_pixel(&shoot(&scene, &state), CENTER, expected, 1);
    }
}

#[test]
fn panes_are_put_in_order_from_the_camera_that_takes_the_picture() {
    let [red, blue] = [[255, 0, 0], [0, 0, 255]];
    let mut scene = empty();
    for (x, color) in [(3.0, red), (6.0, blue)] {
        let model = glass(&mut scene, color);
        add_instance(&mut scene, model, pane_at(x));
    }
    let mut on_mesh = empty();
    for (x, color) in [(3.0, red), (6.0, blue)] {
        glass(&mut on_mesh, color);
        let material = MaterialIdx(on_mesh.materials.len() as u32 - 1);
        add_wall(&mut on_mesh, x, material);
    }
    let frozen = state().camera;
    for scene in [scene, on_mesh] {
        let mut state = state();
        state.culling_camera = Some(frozen);
        state.camera.position.x = 9.0;
        state.camera.yaw_rad = std::f32::consts::PI;
        let expected = halves(BACKGROUND, &[red, blue]);
        assert_pixel(&shoot(&scene, &state), CENTER, expected, 1);
    }
}

#[test]
fn panes_of_two_models_and_of_meshes_take_turns() {
    let [red, blue, white] = [[255, 0, 0], [0, 0, 255], [255; 3]];
    let mut scene = empty();
    let models = [red, blue].map(|color| glass(&mut scene, color));
    for (x, model) in [(2.0, 0), (4.0, 0), (8.0, 0), (3.0, 1), (10.0, 1)] {
        add_instance(&mut scene, models[model], pane_at(x));
    }
    let of_mesh = Pass {
        texture: Some(solid(&mut scene, [255, 255, 255, 128])),
        ..scene.materials[0].passes[0].clone()
    };
    let of_mesh = material(&mut scene, vec![of_mesh]);
    add_wall(&mut scene, 6.0, of_mesh);
    let expected = halves(BACKGROUND, &[blue, red, white, red, blue, red]);
    assert_pixel(&shoot(&scene, &state()), CENTER, expected, 2);
}

#[test]
fn panes_follow_poses_not_the_rest() {
    let [red, blue] = [[255, 0, 0], [0, 0, 255]];
    let mut scene = empty();
    for (x, color) in [(6.0, blue), (3.0, red)] {
        let model = glass(&mut scene, color);
        add_instance(&mut scene, model, pane_at(x));
    }
    let mut state = state();
    state.poses = vec![pane_at(3.0), pane_at(6.0)];
    let expected = halves(BACKGROUND, &[red, blue]);
    assert_pixel(&shoot(&scene, &state), CENTER, expected, 1);
}

#[test]
fn panes_of_one_model_in_a_row_are_one_call() {
    let mut scene = empty();
    let model = glass(&mut scene, [255, 0, 0]);
    for i in 0..100 {
        add_instance(&mut scene, model, pane_at(3.0 + ((i * 37) % 100) as f32));
    }
    let stats = shoot_with(&scene, &state(), 1, None).1;
    assert_eq!((stats.instances_drawn, stats.draw_calls), (100, 1));
}

#[test]
fn a_pane_is_hidden_by_walls_and_lies_over_water() {
    let red = [255, 0, 0];
    let mut scene = passes_on_wall(&[(PassKind::Base, gray(100), None)]);
    let model = glass(&mut scene, red);
    add_instance(&mut scene, model, pane_at(12.0));
    assert_pixel(&shoot(&scene, &state()), CENTER, [100; 3], 0);
    // Water in front of a pane is drawn first all the same: only panes among themselves are put in order.
    scene.instances[0].world_from_model = pane_at(8.0);
    let water = Pass {
        kind: PassKind::Water,
        blend: Some(Blend::ALPHA),
        depth_write: false,
        ..unlit(&mut scene, [0, 0, 255, 128])
    };
    let water = material(&mut scene, vec![water]);
    add_wall(&mut scene, 9.0, water);
    let mut state = state();
    state.switches.water_reflection = false;
    let expected = halves([100; 3], &[[0, 0, 255], red]);
    assert_pixel(&shoot(&scene, &state), CENTER, expected, 1);
}

#[test]
fn a_glow_adds_to_what_is_behind() {
    let mut scene = passes_on_wall(&[(PassKind::Base, [50, 60, 200, 255], None)]);
    let glow = Pass {
        kind: PassKind::Translucent,
        blend: Some(Blend {
            source: BlendFactor::One,
            destination: BlendFactor::One,
        }),
        depth_write: false,
        ..unlit(&mut scene, [100, 0, 90, 255])
    };
    let glow = material(&mut scene, vec![glow]);
    let scene = one(scene, plate_of(glow), pane_at(5.0));
    assert_pixel(&shoot(&scene, &state()), CENTER, [150, 60, 255], 0);
}
