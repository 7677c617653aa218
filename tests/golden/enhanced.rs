//! Pictures in the enhanced style: shadows of the sun on two levels, a night with 500 lamps, a hall with dark corners and a
//! lamp that glows, and a garden in light of high range.

use ironlands::worlds::evil_islands::open_zone;
use ironlands::worlds::parkan::{ParkanOptions, open_level};
use ironlands::worlds::source;
use ironlands_renderer::{FrameState, ResolutionScale, Style};
use ironlands_scene::{Flicker, Light, Scene};

use super::compare::compare_with_golden;
use super::studio::{Studio, camera_at, root};

const SIZE: [u32; 2] = [320, 180];
const N_PIXELS: usize = (SIZE[0] * SIZE[1]) as usize;
const N_LAMPS: u16 = 500;
/// Views over the zone's village and into it: x, y, z, yaw and pitch in degrees.
const VILLAGE: [f32; 5] = [66.0, 30.0, 16.0, 40.0, -14.0];
const SQUARE: [f32; 5] = [110.0, 60.0, 14.0, 205.0, -12.0];
/// A view over the woods of a Parkan level.
const WOODS: [f32; 5] = [600.0, 600.0, 80.0, 45.0, -20.0];
/// A view into the hall of the Source map, and one over its pool.
const HALL: [f32; 5] = [-600.0, -70.0, 84.0, 10.0, -7.0];
const POOL: [f32; 5] = [120.0, -300.0, 64.0, 40.0, -4.0];
/// Views over the grass of the garden along its ropes, from its corner in other colors, out of its dark shed, and of its bowl of
/// fire.
const MEADOW: [f32; 5] = [600.0, 80.0, 56.0, 110.0, -5.0];
const CORNER: [f32; 5] = [90.0, 120.0, 56.0, 35.0, -6.0];
const SHED: [f32; 5] = [1440.0, 330.0, 64.0, 180.0, -4.0];
const FIRE: [f32; 5] = [545.0, 380.0, 62.0, 38.0, -6.0];

fn zone() -> Scene {
    let path = root().join("DATA/EVIL_ISLANDS/Maps/zone1.mpr");
    let level = open_zone(&path, &[]);
    level.expect("the demo's zone opens").scene
}

fn map01() -> Scene {
    let path = root().join("DATA/MAPS/Map01");
    let level = open_level(&path, &ParkanOptions::default());
    level.expect("the demo's level opens").scene
}

/// Views: name, x, y, z, yaw and pitch in degrees, hour.
fn failures(scene: &Scene, views: &[(&str, [f32; 5], Option<f32>)]) -> Vec<String> {
    let mut studio = Studio::open(SIZE);
    let uploaded = studio.upload(scene);
    let mut failures = Vec::new();
    for (name, camera, hour) in views {
        let state = FrameState {
            camera: camera_at(*camera),
            style: Style::Enhanced,
            time_secs: 2.0,
            hour: *hour,
            ..FrameState::default()
        };
        let picture = studio.shoot(&uploaded, &state);
        failures.extend(compare_with_golden(name, &picture, N_PIXELS).err());
    }
    failures
}

#[test]
fn the_sun_throws_shadows_on_land_and_village() {
    let mut found = failures(&map01(), &[("enhanced_woods", WOODS, None)]);
    found.extend(failures(
        &zone(),
        &[("enhanced_village", VILLAGE, Some(10.0))],
    ));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_frame_of_half_the_size_is_enlarged() {
    let mut studio = Studio::open(SIZE);
    let uploaded = studio.upload(&map01());
    let state = FrameState {
        camera: camera_at(WOODS),
        style: Style::Enhanced,
        time_secs: 2.0,
        resolution: ResolutionScale::LEAST,
        ..FrameState::default()
    };
    let picture = studio.shoot(&uploaded, &state);
    let found = compare_with_golden("enhanced_half_size", &picture, N_PIXELS);
    assert!(found.is_ok(), "{}", found.unwrap_err());
}

#[test]
fn corners_are_dark_and_lamps_glow() {
    let path = root().join("DATA/SOURCE/demo.bsp");
    let options = source::SourceOptions::default();
    let level = source::open_level(&path, &[], &options).expect("the demo's map opens");
    let views = [("enhanced_hall", HALL, None), ("enhanced_pool", POOL, None)];
    let found = failures(&level.scene, &views);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn grass_grows_ropes_hang_and_eyes_get_used_to_the_dark() {
    let path = root().join("DATA/SOURCE/garden.bsp");
    let options = source::SourceOptions {
        light: Some(source::LightRange::Hdr),
        ..source::SourceOptions::default()
    };
    let level = source::open_level(&path, &[], &options).expect("the garden opens");
    let views = [
        ("garden_meadow", MEADOW, None),
        ("garden_corner", CORNER, None),
        ("garden_shed", SHED, None),
        ("garden_fire", FIRE, None),
    ];
    let found = failures(&level.scene, &views);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn five_hundred_lamps_light_a_night() {
    let mut scene = zone();
    assert!(!scene.lights.is_empty(), "the zone's own torches");
    let [min, max] = scene.bounds().map_or([[0.0; 3]; 2], |it| [it.min, it.max]);
    let mut random = 1u32;
    let mut share = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 8) as f32 / 16_777_216.0
    };
    for seed in 0..N_LAMPS {
        let [x, y] = [0, 1].map(|axis| min[axis] + (max[axis] - min[axis]) * share());
        let color = [0, 1, 2].map(|_| 0.4 + 0.6 * share());
        // On its ground, as far as the nearest vertex shows.
        let ground = nearest_height(&scene, [x, y]);
        scene.lights.push(Light {
            position: [x, y, ground + 1.5],
            color,
            range: 8.0,
            flicker: Flicker {
                share: 0.3,
                per_sec: 6.0,
                seed: seed.into(),
            },
            ..Light::default()
        });
    }
    let found = failures(&scene, &[("enhanced_night", SQUARE, Some(0.0))]);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn nearest_height(scene: &Scene, [x, y]: [f32; 2]) -> f32 {
    let distance_sq = |at: &&[f32; 3]| (at[0] - x).powi(2) + (at[1] - y).powi(2);
    let ground = scene.meshes[0].positions.iter();
    let nearest = ground.min_by(|a, b| distance_sq(a).total_cmp(&distance_sq(b)));
    nearest.map_or(0.0, |position| position[2])
}
