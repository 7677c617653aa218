//! Debug layers, the highlight and the user interface.

use glam::Vec3;
use ironlands_renderer::{FrameState, HudFrame};
use ironlands_scene::{Overlay, OverlayVertex, Scene};

use crate::stage::*;

const RED: [u8; 4] = [255, 0, 0, 255];

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
        ..Overlay::default()
    });
    scene.overlays.push(Overlay {
        name: "area".to_owned(),
        triangles: vec![vertex(0.3, -0.3), vertex(-0.3, -0.3), vertex(0.0, 0.3)],
        ..Overlay::default()
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
fn a_line_from_behind_the_camera_ends_at_the_picture_s_edge() {
    // Far behind, just behind, and beside the eye, where a point has no place on the screen.
    for start_x in [-50.0, -0.1, 0.0] {
        let mut scene = with_overlay(5.0);
        scene.overlays[0].lines[0].position = [start_x, 0.0, -1.0];
        scene.overlays[0].lines[1].position = [5.0, 0.0, -1.0];
        let state = FrameState {
            overlays: vec![0],
            ..state()
        };
        let picture = shoot(&scene, &state);
        // It runs toward the camera below it: down the middle of the picture, not up and not aside.
        assert_pixel(&picture, [CENTER[0], SIZE[1] - 1], [255, 0, 0], 0);
        assert_pixel(&picture, [CENTER[0], 0], [200; 3], 0);
        assert_pixel(&picture, [4, SIZE[1] - 1], [200; 3], 0);
    }
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
        assert!(r > b + 20, "yellow over gray: {r} {b}");
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
