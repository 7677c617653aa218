//! Sky, haze and water in the enhanced style.

use ironlands::worlds::evil_islands::open_zone;
use ironlands::worlds::parkan::{ParkanOptions, open_level};
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

#[test]
fn haze_hides_the_edge_of_the_sea_from_high_above() {
    let path = root().join("DATA/MAPS/Map01");
    let level = open_level(&path, &ParkanOptions::default()).expect("it opens");
    let view = ("haze_above", [400.0, 300.0, 800.0, 225.0, -30.0], None);
    compare(&level.scene, &[view]);
}
