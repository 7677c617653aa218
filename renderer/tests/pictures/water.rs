//! Water, and the sea beyond the level.

use ironlands_renderer::{Camera, FrameState, Style};
use ironlands_scene::{Blend, Pass, PassKind, Scene, SeaBed, Water};

use crate::stage::*;

/// A level of 100 x 100 in front of the camera, 4 below it, all water over a bed 6 further down.
fn lake(alpha: u8) -> Scene {
    let mut scene = empty();
    let bed = unlit(&mut scene, [200, 100, 0, 255]);
    let bed = material(&mut scene, vec![bed]);
    let water = Pass {
        kind: PassKind::Water,
        blend: Some(Blend::ALPHA),
        depth_write: false,
        ..unlit(&mut scene, [0, 80, 160, alpha])
    };
    let water = material(&mut scene, vec![water]);
    let at = |z: f32| {
        [
            [0.0, -50.0, z],
            [100.0, -50.0, z],
            [100.0, 50.0, z],
            [0.0, 50.0, z],
        ]
    };
    add_quad(&mut scene, at(-10.0), [0.0, 0.0, 1.0], bed);
    add_quad(&mut scene, at(-4.0), [0.0, 0.0, 1.0], water);
    scene.water = Some(Water {
        level: -4.0,
        material: water,
        uv_per_unit: 0.1,
        level_min: [0.0, -50.0],
        level_max: [100.0, 50.0],
        bed: None,
    });
    scene
}

fn looking(from: [f32; 3], to: [f32; 3]) -> FrameState {
    FrameState {
        camera: Camera {
            position: from.into(),
            ..Camera::default()
        }
        .looking_at(to.into()),
        ..state()
    }
}

#[test]
fn water_without_reflection_is_its_material_blended() {
    let mut state = looking([50.0, 0.0, 20.0], [50.1, 0.0, 0.0]);
    state.switches.water_reflection = false;
    assert_pixel(&shoot(&lake(128), &state), CENTER, [100, 90, 80], 1);
}

#[test]
fn low_views_mirror_the_sky_and_steep_ones_show_the_water() {
    let mut scene = lake(255);
    scene.sky.sun_disc = [0.0; 3];
    scene.sky.zenith = scene.sky.horizon;
    let distance_to_sky = |state: &FrameState| -> u32 {
        let pixel = shoot(&scene, state).get_pixel(CENTER[0], CENTER[1]).0;
        (0..3)
            .map(|c| u32::from(pixel[c].abs_diff(BACKGROUND[c])))
            .sum()
    };
    let low = distance_to_sky(&looking([2.0, 0.0, -2.0], [60.0, 0.0, -4.0]));
    let steep = distance_to_sky(&looking([50.0, 0.0, 20.0], [50.1, 0.0, -4.0]));
    assert!(low < steep / 2, "{low} and {steep}");
}

#[test]
fn waves_move_with_time() {
    let scene = lake(255);
    let mut state = looking([2.0, 0.0, 2.0], [60.0, 0.0, -4.0]);
    state.switches.sky = true;
    let first = shoot(&scene, &state);
    state.time_secs = 1.0;
    assert_ne!(first, shoot(&scene, &state));
    state.switches.water_reflection = false;
    let still = shoot(&scene, &state);
    state.time_secs = 2.0;
    assert_eq!(still, shoot(&scene, &state));
}

#[test]
fn the_sea_goes_on_beyond_the_edge_without_a_seam() {
    let scene = lake(128);
    // Straight down on the edge at x = 100, which divides the upper half of the picture from the lower.
    let mut state = looking([100.0, 0.0, 16.0], [100.001, 0.0, -4.0]);
    state.switches.water_reflection = false;
    let picture = shoot(&scene, &state);
    for x in 0..SIZE[0] {
        assert_pixel(&picture, [x, CENTER[1] - 1], [0, 80, 160], 1);
        assert_pixel(&picture, [x, CENTER[1]], [0, 80, 160], 3);
    }
    // Well inside, the bed shines through.
    assert_pixel(&picture, [CENTER[0], SIZE[1] - 1], [100, 90, 80], 1);
}

#[test]
fn a_sea_with_a_bed_is_as_clear_as_the_water_of_the_level() {
    let mut scene = lake(128);
    let water = scene.water.as_mut().expect("there is water");
    water.bed = Some(SeaBed {
        color: [200.0 / 255.0, 100.0 / 255.0, 0.0],
        depth: 6.0,
    });
    // As the ground of the lake, which is unlit.
    scene.sun.ambient = [1.0; 3];
    let mut state = looking([100.0, 0.0, 16.0], [100.001, 0.0, -4.0]);
    state.switches.water_reflection = false;
    let picture = shoot(&scene, &state);
    for y in 0..SIZE[1] {
        assert_pixel(&picture, [CENTER[0], y], [100, 90, 80], 1);
    }
    // At night the bed is as dark as the ground that the sun lights.
    scene.sun.ambient = [0.0; 3];
    scene.sun.color = [0.0; 3];
    let picture = shoot(&scene, &state);
    assert_pixel(&picture, [CENTER[0], 0], [0, 40, 80], 1);
}

#[test]
fn opaque_water_looks_the_same_inside_the_level_and_beyond() {
    let inside = lake(255);
    let mut beyond = inside.clone();
    beyond.meshes.clear();
    let water = beyond.water.as_mut().expect("there is water");
    (water.level_min, water.level_max) = ([900.0, 0.0], [1000.0, 100.0]);
    let mut state = looking([20.0, 0.0, 6.0], [60.0, 10.0, -4.0]);
    state.time_secs = 1.5;
    let [inside, beyond] = [inside, beyond].map(|scene| shoot(&scene, &state));
    for y in CENTER[1]..SIZE[1] {
        for x in 0..SIZE[0] {
            let [r, g, b, _] = inside.get_pixel(x, y).0;
            assert_pixel(&beyond, [x, y], [r, g, b], 2);
        }
    }
}

#[test]
fn the_sea_reaches_the_horizon_and_can_be_switched_off() {
    let scene = lake(255);
    let mut state = looking([50.0, 0.0, 0.0], [51.0, 0.0, 0.0]);
    state.switches.water_reflection = false;
    let just_below_horizon = [CENTER[0], CENTER[1] + 1];
    assert_pixel(&shoot(&scene, &state), just_below_horizon, [0, 80, 160], 0);
    state.switches.sea_beyond_edge = false;
    assert_pixel(&shoot(&scene, &state), just_below_horizon, BACKGROUND, 0);
    state.switches.sea_beyond_edge = true;
    state.switches.water = false;
    assert_pixel(&shoot(&scene, &state), just_below_horizon, BACKGROUND, 0);
}

#[test]
fn a_sea_that_is_not_clear_is_drawn_after_ambient_occlusion() {
    let mut scene = lake(255);
    let mut state = looking([50.0, 0.0, 0.0], [51.0, 0.0, 0.0]);
    state.switches.water_reflection = false;
    let faithful = shoot(&scene, &state);
    scene.occlusion_radius = 1.0;
    state.style = Style::Enhanced;
    assert!(shoot(&scene, &state) == faithful);
}

#[test]
fn no_sea_lies_inside_the_level() {
    let mut scene = lake(255);
    scene.meshes.truncate(1);
    let state = looking([50.0, 0.0, 20.0], [50.1, 0.0, -4.0]);
    assert_pixel(&shoot(&scene, &state), CENTER, [200, 100, 0], 0);
}

#[test]
fn waves_stay_in_place_when_the_camera_moves() {
    let mut scene = lake(255);
    scene.meshes.clear();
    let ahead = |y: f32| looking([500.0, y, 0.0], [560.0, y, -4.0]);
    // Open sea without a feature but its waves.
    assert_ne!(shoot(&scene, &ahead(0.0)), shoot(&scene, &ahead(7.0)));
    let mut calm = [ahead(0.0), ahead(7.0)];
    for state in &mut calm {
        state.switches.water_reflection = false;
    }
    assert_eq!(shoot(&scene, &calm[0]), shoot(&scene, &calm[1]));
}
