//! The background, the dome and its sun.

use glam::Vec3;
use ironlands_renderer::{Camera, FrameState, Style, Switches};
use ironlands_scene::{CloudLayer, Fog, FogFalloff, MaterialIdx, Scene, Sky};

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

fn looking_up(scene: &Scene, change: impl Fn(&mut Switches)) -> image::RgbaImage {
    let mut state = FrameState {
        camera: Camera {
            pitch_rad: 0.6,
            ..Camera::default()
        },
        style: Style::Enhanced,
        ..FrameState::default()
    };
    change(&mut state.switches);
    shoot(scene, &state)
}

#[test]
fn clouds_come_only_on_request_and_where_a_scene_has_some() {
    let cloudy = Scene {
        clouds: CloudLayer::FAIR.to_vec(),
        ..Scene::default()
    };
    let with = |scene: &Scene, clouds| looking_up(scene, |switches| switches.clouds = clouds);
    assert_eq!(with(&cloudy, false), with(&Scene::default(), false));
    assert_eq!(
        with(&Scene::default(), true),
        with(&Scene::default(), false)
    );
    assert_ne!(with(&cloudy, true), with(&cloudy, false));
}

#[test]
fn clouds_cover_as_much_of_the_sky_as_their_layer_says() {
    let covered = |cover| {
        let scene = Scene {
            sky: Sky {
                zenith: [0.0; 3],
                horizon: [0.0; 3],
                sun_disc: [0.0; 3],
                cloud_light: [1.0; 3],
                cloud_shade: [1.0; 3],
                ..Sky::default()
            },
            clouds: vec![CloudLayer {
                cover,
                opacity: 1.0,
                // So small that many are in view.
                size: 0.1,
                drift_per_sec: [0.0; 2],
            }],
            ..Scene::default()
        };
        let picture = looking_up(&scene, |switches| switches.clouds = true);
        let n_clouded = picture.pixels().filter(|pixel| pixel.0[0] > 20).count();
        n_clouded as f32 / picture.pixels().count() as f32
    };
    assert_eq!(covered(0.0), 0.0);
    let [few, many] = [0.3, 0.8].map(covered);
    assert!(
        (0.1..0.4).contains(&few) && (0.6..0.95).contains(&many),
        "{few} {many}"
    );
}

#[test]
fn stars_shine_where_the_sky_has_them() {
    let bright = |stars| {
        let scene = Scene {
            sky: Sky {
                zenith: [0.0; 3],
                horizon: [0.0; 3],
                sun_disc: [0.0; 3],
                stars,
                ..Sky::default()
            },
            ..Scene::default()
        };
        let picture = looking_up(&scene, |switches| switches.rich_sky = true);
        picture.pixels().filter(|pixel| pixel.0[0] > 40).count()
    };
    assert_eq!(bright(0.0), 0);
    assert!(bright(1.0) > 5, "{}", bright(1.0));
}

#[test]
fn what_haze_hides_is_the_sky_behind_it() {
    let mut scene = empty();
    scene.sky.glow = [0.3, 0.2, 0.0];
    scene.haze = Some(Fog {
        color: [0.0; 3],
        start: 1.0,
        end: 50.0,
        falloff: FogFalloff::Linear,
        density: 1.0,
        layer: None,
    });
    let mut state = state();
    state.switches.sky = true;
    state.style = Style::Enhanced;
    let sky = shoot(&scene, &state);
    let green = unlit(&mut scene, [20, 200, 20, 255]);
    let green = material(&mut scene, vec![green]);
    let mut wall = scene.clone();
    add_wall(&mut wall, 60.0, green);
    let hidden = shoot(&wall, &state);
    for (x, y, pixel) in sky.enumerate_pixels() {
        // The sky is dithered.
        let [r, g, b, _] = pixel.0;
        assert_pixel(&hidden, [x, y], [r, g, b], 1);
    }
    let mut near = scene;
    add_wall(&mut near, 5.0, green);
    assert_pixel(&shoot(&near, &state), CENTER, [20, 200, 20], 6);
    state.switches.haze = false;
    assert_ne!(shoot(&wall, &state), hidden, "without haze there is a wall");
}
