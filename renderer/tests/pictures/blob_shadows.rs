//! Round shadows below models, on a floor seen from above.

use glam::Vec3;
use image::RgbaImage;
use ironlands_renderer::{Camera, FrameState, Style, Switches};
use ironlands_scene::{Affine, Scene};

use super::models::{add_instance, add_model, plate};
use super::stage::{SIZE, add_quad, empty, gray, material, shoot, shoot_with, state, unlit};

const GRAY: u8 = 180;
/// Half of a plate's width, 1, and half of its depth, 0, in the mean; and half as much again.
const RADIUS: f32 = 0.75;
/// As `shaders/blob_shadow.wgsl` has it.
const STRENGTH: f32 = 0.55;

/// A plate, 2 high and on edge, above the middle of a floor.
fn scene(height: f32) -> Scene {
    let mut scene = empty();
    let pass = unlit(&mut scene, gray(GRAY));
    let material = material(&mut scene, vec![pass]);
    let floor = [
        [-9.0, 9.0, 0.0],
        [-9.0, -9.0, 0.0],
        [9.0, -9.0, 0.0],
        [9.0, 9.0, 0.0],
    ];
    add_quad(&mut scene, floor, [0.0, 0.0, 1.0], material);
    let plate = plate(&mut scene, [255, 0, 0]);
    let plate = add_model(&mut scene, plate);
    let mut place = Affine::IDENTITY;
    place.0[2][3] = 1.0 + height;
    add_instance(&mut scene, plate, place);
    scene.occlusion_radius = 1.0;
    scene
}

fn from_above(blob_shadows: bool) -> FrameState {
    FrameState {
        camera: Camera {
            position: Vec3::new(0.0, 0.0, 5.0),
            pitch_rad: -std::f32::consts::FRAC_PI_2,
            ..Camera::default()
        },
        style: Style::Enhanced,
        switches: Switches {
            blob_shadows,
            ambient_occlusion: false,
            ..state().switches
        },
        ..state()
    }
}

/// The floor's color where a ray through the middle of each pixel meets it, `strength` in the middle of the shadow.
#[track_caller]
fn assert_shadow(picture: &RgbaImage, state: &FrameState, strength: f32) {
    for (x, y, pixel) in picture.enumerate_pixels() {
        let through = glam::Vec2::new(x as f32, y as f32) + 0.5;
        let direction = state.camera.direction_through(through, SIZE);
        let eye = state.camera.position;
        let on_floor = eye - direction * (eye.z / direction.z);
        let edge = (1.0 - (on_floor / RADIUS).truncate().length_squared()).max(0.0);
        let expected = f32::from(GRAY) * (1.0 - strength * edge * edge);
        let off = (f32::from(pixel.0[0]) - expected).abs();
        assert!(
            !is_amid_floor(picture, x, y) || off <= 1.0,
            "{x} {y}: {pixel:?}, expected {expected}"
        );
    }
}

/// Whether neither a pixel nor one next to it shows the plate or the background: which way a surface faces is found from
/// its neighbors.
fn is_amid_floor(picture: &RgbaImage, x: u32, y: u32) -> bool {
    let neighbors = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)];
    neighbors.iter().all(|(right, down)| {
        let (x, y) = (x.checked_add_signed(*right), y.checked_add_signed(*down));
        let pixel = x.zip(y).and_then(|(x, y)| picture.get_pixel_checked(x, y));
        pixel.is_none_or(|pixel| pixel.0[0] == pixel.0[1])
    })
}

#[test]
fn the_floor_below_a_model_darkens_toward_its_middle() {
    let scene = scene(0.0);
    let state = from_above(true);
    for n_samples in [1, 4] {
        let (picture, _) = shoot_with(&scene, &state, n_samples, None);
        assert_shadow(&picture, &state, STRENGTH);
    }
}

#[test]
fn a_shadow_lies_where_its_model_is_from_any_side() {
    let scene = scene(0.0);
    let above = from_above(true);
    for position in [Vec3::new(-4.0, 1.5, 3.0), Vec3::new(2.0, 3.0, 2.5)] {
        let camera = Camera {
            position,
            ..above.camera
        }
        .looking_at(Vec3::ZERO);
        let state = FrameState {
            camera,
            ..above.clone()
        };
        assert_shadow(&shoot(&scene, &state), &state, STRENGTH);
    }
}

#[test]
fn a_shadow_fades_while_its_model_rises() {
    let state = from_above(true);
    // A shadow reaches three radii down.
    assert_shadow(&shoot(&scene(1.125), &state), &state, 0.5 * STRENGTH);
    assert_shadow(&shoot(&scene(2.3), &state), &state, 0.0);
}

#[test]
fn there_is_none_below_what_is_large_or_where_it_is_switched_off() {
    let mut scene = scene(0.0);
    let off = from_above(false);
    assert_shadow(&shoot(&scene, &off), &off, 0.0);
    let on = from_above(true);
    let without_sun = FrameState {
        switches: Switches {
            sun_shadows: false,
            ..on.switches
        },
        ..on.clone()
    };
    assert_shadow(&shoot(&scene, &without_sun), &without_sun, 0.0);
    // Five times that are less than the radius.
    scene.occlusion_radius = 0.14;
    assert_shadow(&shoot(&scene, &on), &on, 0.0);
}

#[test]
fn walls_are_not_darkened() {
    let mut scene = scene(0.0);
    let pass = unlit(&mut scene, gray(90));
    let material = material(&mut scene, vec![pass]);
    let wall = [
        [0.2, 4.0, 0.0],
        [0.2, -4.0, 0.0],
        [0.2, -4.0, 3.0],
        [0.2, 4.0, 3.0],
    ];
    add_quad(&mut scene, wall, [-1.0, 0.0, 0.0], material);
    // Straight at the wall, past the plate.
    let state = FrameState {
        camera: Camera {
            position: Vec3::new(-4.0, 0.0, 1.0),
            ..Camera::default()
        },
        switches: Switches {
            models: true,
            ..from_above(true).switches
        },
        ..from_above(true)
    };
    let off = FrameState {
        switches: from_above(false).switches,
        ..state.clone()
    };
    let (on, off) = (shoot(&scene, &state), shoot(&scene, &off));
    let is_floor = |pixel: &image::Rgba<u8>| pixel.0[0] > 90 && pixel.0[1] > 0;
    let mut n_darker_on_floor = 0;
    for (on, off) in on.pixels().zip(off.pixels()) {
        if is_floor(off) {
            n_darker_on_floor += usize::from(on != off);
        } else {
            assert_eq!(on, off);
        }
    }
    assert!(n_darker_on_floor > 0);
}
