//! The demo's yard of materials: a picture of each part of its wall, and of its balls.

use ironlands::worlds::source;
use ironlands_renderer::FrameState;

use super::compare::compare_with_golden;
use super::studio::{Studio, camera_at, root};

const SIZE: [u32; 2] = [320, 180];
const N_PIXELS: usize = (SIZE[0] * SIZE[1]) as usize;

/// Four views of the lower rows of the wall, four of the upper one, and one of each pair of balls: x, y, z, yaw and pitch in
/// degrees.
fn views() -> Vec<(String, [f32; 5])> {
    let rows = [("lower", 80.0), ("upper", 232.0)];
    let of_row = |(row, z): (&str, f32)| {
        let places = [147.0, 434.0, 721.0, 850.0].into_iter().enumerate();
        let view = |(at, x)| {
            let name = format!("shading_{row}_{at}");
            (name, [x, 250.0, z, 90.0, 0.0])
        };
        places.map(view).collect::<Vec<_>>()
    };
    let balls = [96.0, 288.0, 480.0, 672.0, 864.0].into_iter().enumerate();
    let balls = balls.map(|(at, x)| (format!("shading_balls_{at}"), [x, 40.0, 58.0, 90.0, -2.0]));
    rows.into_iter().flat_map(of_row).chain(balls).collect()
}

#[test]
fn each_feature_of_materials_looks_as_it_did() {
    let path = root().join("DATA/SOURCE/shading.bsp");
    let options = source::SourceOptions::default();
    let level = source::open_level(&path, &[], &options).expect("the demo's yard opens");
    let mut studio = Studio::open(SIZE);
    let uploaded = studio.upload(&level.scene);
    let mut failures = Vec::new();
    for (name, camera) in views() {
        let state = FrameState {
            camera: camera_at(camera),
            time_secs: 1.25,
            ..FrameState::default()
        };
        let picture = studio.shoot(&uploaded, &state);
        failures.extend(compare_with_golden(&name, &picture, N_PIXELS).err());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
