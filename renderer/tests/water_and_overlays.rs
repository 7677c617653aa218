//! Water, the sea beyond the level, debug layers, the highlight and the user interface in a picture.

mod common;

use common::*;
use glam::Vec3;
use ironlands_renderer::{Camera, FrameState, HudFrame};
use ironlands_scene::{Blend, Overlay, OverlayVertex, Pass, PassKind, Scene, Water};

const RED: [u8; 4] = [255, 0, 0, 255];

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
fn no_sea_lies_inside_the_level() {
    let mut scene = lake(255);
    scene.meshes.truncate(1);
    let state = looking([50.0, 0.0, 20.0], [50.1, 0.0, -4.0]);
    assert_pixel(&shoot(&scene, &state), CENTER, [200, 100, 0], 0);
}

/// A wall at 10 and a line and a triangle that can be put before or behind it.
fn with_overlay(x: f32) -> Scene {
    let mut scene = empty();
    let white = unlit(&mut scene, [200, 200, 200, 255]);
    let white = material(&mut scene, vec![white]);
    add_wall(&mut scene, 10.0, white);
    let vertex = |y: f32, z: f32| OverlayVertex {
        position: [x, y * x, z * x],
        color: RED,
    };
    scene.overlays.push(Overlay {
        name: "line".to_owned(),
        lines: vec![vertex(1.0, 0.0), vertex(-1.0, 0.0)],
        triangles: Vec::new(),
    });
    scene.overlays.push(Overlay {
        name: "area".to_owned(),
        lines: Vec::new(),
        triangles: vec![vertex(0.3, -0.3), vertex(-0.3, -0.3), vertex(0.0, 0.3)],
    });
    scene
}

fn red_pixels(scene: &Scene, overlays: &[usize]) -> usize {
    let state = FrameState {
        overlays: overlays.to_vec(),
        ..state()
    };
    shoot(scene, &state)
        .pixels()
        .filter(|pixel| pixel.0 == RED)
        .count()
}

#[test]
fn overlays_are_drawn_on_request_only() {
    let scene = with_overlay(5.0);
    assert_eq!(red_pixels(&scene, &[]), 0);
    let line = red_pixels(&scene, &[0]);
    assert!(
        (70..=144).contains(&line),
        "a line across 72 pixels, at most two wide: {line}"
    );
    assert!(red_pixels(&scene, &[1]) > 200);
    assert_eq!(red_pixels(&scene, &[7]), 0, "there is no such overlay");
}

#[test]
fn an_overlay_on_a_surface_wins_against_it() {
    assert!(red_pixels(&with_overlay(10.0), &[0]) >= 70);
}

#[test]
fn a_hidden_overlay_is_faint() {
    let scene = with_overlay(20.0);
    assert_eq!(red_pixels(&scene, &[0, 1]), 0);
    let state = FrameState {
        overlays: vec![1],
        ..state()
    };
    // A fifth of red over 200.
    assert_pixel(&shoot(&scene, &state), CENTER, [211, 160, 160], 1);
}

#[test]
fn a_line_from_behind_the_camera_is_cut_at_the_near_plane() {
    let mut scene = with_overlay(5.0);
    scene.overlays[0].lines[0].position = [-50.0, 0.0, -1.0];
    scene.overlays[0].lines[1].position = [5.0, 0.0, -1.0];
    let state = FrameState {
        overlays: vec![0],
        ..state()
    };
    let picture = shoot(&scene, &state);
    // It runs towards the camera below it: down the middle of the picture, not up and not aside.
    assert_pixel(&picture, [CENTER[0], SIZE[1] - 1], [255, 0, 0], 0);
    assert_pixel(&picture, [CENTER[0], 0], [200; 3], 0);
    assert_pixel(&picture, [4, SIZE[1] - 1], [200; 3], 0);
}

#[test]
fn the_highlight_points_out_its_triangles() {
    let scene = with_overlay(5.0);
    let corners = [[9.9, 3.0, -3.0], [9.9, -3.0, -3.0], [9.9, 0.0, 3.0]].map(Vec3::from);
    // More triangles than there is room for at first.
    for n_triangles in [1, 500] {
        let state = FrameState {
            highlight: vec![corners; n_triangles],
            ..state()
        };
        let picture = shoot(&scene, &state);
        let [r, _, b, _] = picture.get_pixel(CENTER[0], CENTER[1]).0;
        assert!(r > b + 20, "yellow over grey: {r} {b}");
        assert_pixel(&picture, [2, 2], [200; 3], 0);
    }
}

#[test]
fn the_user_interface_is_painted_over_the_frame() {
    let context = egui::Context::default();
    let input = egui::RawInput {
        screen_rect: Some(egui::Rect::from_min_size(
            egui::Pos2::ZERO,
            egui::vec2(SIZE[0] as f32, SIZE[1] as f32),
        )),
        ..Default::default()
    };
    let mut output = context.run_ui(input, |ui| {
        let rect = egui::Rect::from_min_size(egui::pos2(4.0, 4.0), egui::vec2(20.0, 10.0));
        ui.painter()
            .rect_filled(rect, 0.0, egui::Color32::from_rgb(0, 200, 40));
    });
    let hud = HudFrame {
        paint_jobs: context.tessellate(std::mem::take(&mut output.shapes), output.pixels_per_point),
        textures_delta: std::mem::take(&mut output.textures_delta),
        pixels_per_point: output.pixels_per_point,
    };
    let scene = with_overlay(5.0);
    let (picture, _) = shoot_with(&scene, &state(), 4, Some(hud));
    assert_pixel(&picture, [14, 9], [0, 200, 40], 1);
    assert_pixel(&picture, [40, 9], [200; 3], 0);
}
