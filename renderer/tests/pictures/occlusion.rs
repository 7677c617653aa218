//! Ambient occlusion, on a floor before a wall.

use image::RgbaImage;
use ironlands_renderer::{Camera, FrameState, Style, Switches};
use ironlands_scene::{Fog, FogFalloff, Scene};

use super::stage::{
    BACKGROUND, SIZE, add_quad, assert_pixel, empty, gray, material, shoot, shoot_with, state,
    unlit,
};

const GRAY: [u8; 3] = [180; 3];
/// Where the floor meets the wall, on the floor far before it, and high on the wall.
const CORNER: [u32; 2] = [36, 24];
const OPEN_FLOOR: [u32; 2] = [36, 40];
const OPEN_WALL: [u32; 2] = [36, 16];
/// Above the wall.
const SKY: [u32; 2] = [36, 3];

fn scene() -> Scene {
    let mut scene = empty();
    let pass = unlit(&mut scene, gray(GRAY[0]));
    let material = material(&mut scene, vec![pass]);
    let floor = [
        [-4.0, 20.0, -4.0],
        [-4.0, -20.0, -4.0],
        [4.0, -20.0, -4.0],
        [4.0, 20.0, -4.0],
    ];
    let wall = [
        [4.0, 20.0, -4.0],
        [4.0, -20.0, -4.0],
        [4.0, -20.0, -2.0],
        [4.0, 20.0, -2.0],
    ];
    add_quad(&mut scene, floor, [0.0, 0.0, 1.0], material);
    add_quad(&mut scene, wall, [-1.0, 0.0, 0.0], material);
    scene.occlusion_radius = 1.5;
    scene
}

/// Looks down at the corner between them.
fn faithful() -> FrameState {
    FrameState {
        camera: Camera {
            pitch_rad: -std::f32::consts::FRAC_PI_4,
            ..Camera::default()
        },
        ..state()
    }
}

fn enhanced() -> FrameState {
    FrameState {
        style: Style::Enhanced,
        ..faithful()
    }
}

#[track_caller]
fn assert_only_the_corner_is_dark(picture: &RgbaImage) {
    let [r, ..] = picture.get_pixel(CORNER[0], CORNER[1]).0;
    assert!((80..GRAY[0] - 9).contains(&r), "{r} in the corner");
    for open in [OPEN_FLOOR, OPEN_WALL] {
        assert_pixel(picture, open, GRAY, 2);
    }
    assert_pixel(picture, SKY, BACKGROUND, 0);
}

#[test]
fn corners_are_darker_than_what_is_open() {
    let scene = scene();
    for n_samples in [1, 4] {
        let (picture, _) = shoot_with(&scene, &enhanced(), n_samples, None);
        assert_only_the_corner_is_dark(&picture);
    }
}

#[test]
fn nothing_is_darker_where_it_is_switched_off() {
    let scene = scene();
    let plain = shoot(&scene, &faithful());
    assert_pixel(&plain, CORNER, GRAY, 0);
    let off = FrameState {
        switches: Switches {
            ambient_occlusion: false,
            ..state().switches
        },
        ..enhanced()
    };
    assert!(shoot(&scene, &off) == plain);
    let without = Scene {
        occlusion_radius: 0.0,
        ..scene
    };
    assert!(shoot(&without, &enhanced()) == plain);
}

#[test]
fn what_is_lost_in_fog_is_not_darkened() {
    let fog = Fog {
        color: BACKGROUND.map(|channel| f32::from(channel) / 255.0),
        start: 0.0,
        end: 4.0,
        density: 1.0,
        falloff: FogFalloff::Linear,
        layer: None,
    };
    let scene = Scene {
        fog: Some(fog),
        ..scene()
    };
    assert_pixel(&shoot(&scene, &enhanced()), CORNER, BACKGROUND, 1);
}

#[test]
fn an_edge_before_something_far_behind_it_has_no_halo() {
    let mut scene = scene();
    let pass = unlit(&mut scene, gray(90));
    let material = material(&mut scene, vec![pass]);
    let post = [
        [2.0, 0.3, -4.0],
        [2.0, -0.3, -4.0],
        [2.0, -0.3, -1.0],
        [2.0, 0.3, -1.0],
    ];
    add_quad(&mut scene, post, [-1.0, 0.0, 0.0], material);
    let picture = shoot(&scene, &enhanced());
    // A row over post and wall, five lengths of the radius apart.
    for x in 0..SIZE[0] {
        let [r, ..] = picture.get_pixel(x, OPEN_WALL[1]).0;
        assert!(
            [90, GRAY[0]].iter().any(|it| r.abs_diff(*it) <= 3),
            "{r} at {x}"
        );
    }
}
