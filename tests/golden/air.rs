//! Sky, haze and water in the enhanced style.

use image::RgbaImage;
use ironlands::worlds::evil_islands::open_zone;
use ironlands_renderer::{FrameState, Style};
use ironlands_scene::Scene;

use super::compare::compare_with_golden;
use super::studio::{Studio, camera_at, root};

const SIZE: [u32; 2] = [320, 180];
const N_PIXELS: usize = (SIZE[0] * SIZE[1]) as usize;

/// Views: name, x, y, z, yaw and pitch in degrees, hour.
type View<'a> = (&'a str, [f32; 5], Option<f32>);

fn compare(scene: &Scene, views: &[View<'_>]) {
    let mut studio = Studio::open(SIZE);
    let uploaded = studio.upload(scene);
    let failures = views.iter().filter_map(|(name, camera, hour)| {
        let state = FrameState {
            camera: camera_at(*camera),
            style: Style::Enhanced,
            time_secs: 2.0,
            hour: *hour,
            ..FrameState::default()
        };
        let picture = studio.shoot(&uploaded, &state);
        compare_with_golden(name, &picture, N_PIXELS).err()
    });
    let failures: Vec<_> = failures.collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn zone() -> Scene {
    let path = root().join("DATA/EVIL_ISLANDS/Maps/zone1.mpr");
    let level = open_zone(&path, &[]);
    level.expect("the demo's zone opens").scene
}

#[test]
fn skies_have_their_hours() {
    compare(
        &zone(),
        &[
            ("sky_noon", [64.0, 64.0, 60.0, 200.0, 12.0], Some(12.0)),
            ("sky_dusk", [64.0, 64.0, 60.0, 290.0, 8.0], Some(18.7)),
            ("sky_night", [64.0, 64.0, 60.0, 200.0, 12.0], Some(0.0)),
        ],
    );
}

#[test]
fn water_is_clear_from_above_and_from_below() {
    compare(
        &zone(),
        &[
            ("water_above", [54.0, 8.0, 14.0, 60.0, -20.0], Some(12.0)),
            ("water_below", [54.0, 4.0, 6.0, 80.0, -9.0], Some(12.0)),
            ("water_night", [54.0, 10.0, 8.0, -90.0, -8.0], Some(0.0)),
        ],
    );
}

/// From high above the sea past the island, with the horizon in the upper half of the picture.
const OVER_THE_SEA: [f32; 5] = [-700.0, -700.0, 300.0, 40.0, -12.0];
/// Rows around the horizon: the end of the sea lies a bit below it.
const HORIZON_ROWS: std::ops::Range<u32> = 38..60;

/// The largest step between the mean colors of two neighboring rows around the horizon.
fn step_at_horizon(picture: &RgbaImage) -> f32 {
    let mean = |y: u32| {
        let sum = (0..SIZE[0]).fold([0.0; 3], |sum: [f32; 3], x| {
            let pixel = picture.get_pixel(x, y);
            [0, 1, 2].map(|channel| sum[channel] + f32::from(pixel[channel]))
        });
        sum.map(|channel| channel / SIZE[0] as f32)
    };
    let step = |y: u32| {
        let [above, below] = [mean(y), mean(y + 1)];
        let steps = [0, 1, 2].map(|channel| (above[channel] - below[channel]).abs());
        steps.into_iter().fold(0.0, f32::max)
    };
    HORIZON_ROWS.map(step).fold(0.0, f32::max)
}

#[test]
fn haze_hides_the_edge_of_the_sea_from_high_above() {
    let mut studio = Studio::open(SIZE);
    let uploaded = studio.upload(&zone());
    let mut state = FrameState {
        camera: camera_at(OVER_THE_SEA),
        style: Style::Enhanced,
        time_secs: 2.0,
        hour: Some(12.0),
        ..FrameState::default()
    };
    let hazy = studio.shoot(&uploaded, &state);
    state.switches.haze = false;
    let clear = studio.shoot(&uploaded, &state);
    let [hazy_step, clear_step] = [&hazy, &clear].map(step_at_horizon);
    // Of 255: a step of two can be seen, but not by many.
    assert!(clear_step > 10.0, "no edge to hide: a step of {clear_step}");
    assert!(hazy_step < 2.0, "a step of {hazy_step} in the haze");
    let found = compare_with_golden("haze_above", &hazy, N_PIXELS);
    assert!(found.is_ok(), "{}", found.unwrap_err());
}
