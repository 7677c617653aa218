//! The background, the dome and its sun.

use glam::Vec3;
use ironlands_renderer::{Camera, FrameState, Switches};
use ironlands_scene::{MaterialIdx, Scene};

use crate::stage::*;

/// Ground around the camera at height `z`, its front upward.
fn add_ground(scene: &mut Scene, z: f32, half: f32, material: MaterialIdx) {
    let corners = [
        [-half, -half, z],
        [half, -half, z],
        [half, half, z],
        [-half, half, z],
    ];
    add_quad(scene, corners, [0.0, 0.0, 1.0], material);
}

#[test]
fn an_empty_scene_is_the_background() {
    let picture = shoot(&empty(), &state());
    assert!(
        picture
            .pixels()
            .all(|pixel| pixel.0[..3] == BACKGROUND && pixel.0[3] == 255)
    );
}

#[test]
fn sky_covers_the_top_rows_and_ground_the_bottom_ones() {
    let mut scene = empty();
    let green = unlit(&mut scene, [20, 200, 20, 255]);
    let green = material(&mut scene, vec![green]);
    add_ground(&mut scene, -2.0, 1000.0, green);
    let mut state = state();
    state.switches.sky = true;
    let picture = shoot(&scene, &state);
    for x in 0..SIZE[0] {
        let [r, _, b, _] = picture.get_pixel(x, 0).0;
        assert!(b > r, "sky is blue up there");
        assert_ne!(picture.get_pixel(x, 0).0[..3], BACKGROUND);
        assert_pixel(&picture, [x, SIZE[1] - 1], [20, 200, 20], 0);
    }
}

#[test]
fn the_sun_stands_where_its_direction_says() {
    let mut scene = empty();
    scene.sky.sun_disc = [1.0; 3];
    let up_left = Vec3::new(1.0, 0.45, 0.3).normalize();
    scene.sun.direction_to_sun = up_left.to_array();
    let mut state = state();
    state.switches.sky = true;
    let picture = shoot(&scene, &state);
    let brightness =
        |pixel: &image::Rgba<u8>| pixel.0[..3].iter().map(|c| u32::from(*c)).sum::<u32>();
    let (x, y, _) = picture
        .enumerate_pixels()
        .max_by_key(|(_, _, pixel)| brightness(pixel))
        .expect("there are pixels");
    // The tangent of half the field of view, 0.65 rad, is 0.76: 36 - 36 * 0.45 / 0.76 and 24 - 36 * 0.3 / 0.76.
    assert!(x.abs_diff(15) <= 1 && y.abs_diff(10) <= 1, "({x}, {y})");
}

#[test]
fn clouds_come_only_on_request() {
    let with = |clouds| {
        let state = FrameState {
            camera: Camera {
                pitch_rad: 0.6,
                ..Camera::default()
            },
            switches: Switches {
                clouds,
                ..Switches::default()
            },
            ..FrameState::default()
        };
        shoot(&Scene::default(), &state)
    };
    assert_eq!(
        with(false),
        shoot(
            &Scene::default(),
            &FrameState {
                camera: Camera {
                    pitch_rad: 0.6,
                    ..Camera::default()
                },
                ..FrameState::default()
            }
        )
    );
    assert_ne!(with(false), with(true));
}
