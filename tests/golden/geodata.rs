//! The demo's regions of geodata: land in tiles, from far and near.

use std::sync::atomic::AtomicBool;

use ironlands::worlds::lineage2::formats::Tolerance;
use ironlands::worlds::lineage2::{
    GeodataWorld, Lineage2Options, load_regions, open_level, profile_of_formats,
};
use ironlands_renderer::{FrameState, TileView};
use ironlands_scene::{Scene, TileShape};

use super::compare::compare_with_golden;
use super::studio::{Studio, camera_at, root};

const SIZE: [u32; 2] = [320, 180];
const N_PIXELS: usize = (SIZE[0] * SIZE[1]) as usize;
/// Where the demo's sea stands.
const WATER_LEVEL: f32 = -3780.0;

fn open() -> (Scene, GeodataWorld) {
    let options = Lineage2Options {
        water_level: Some(WATER_LEVEL),
        ..Lineage2Options::default()
    };
    let opened = open_level(&root().join("DATA/LINEAGE2"), &options);
    let opened = opened.expect("the demo's regions");
    let (scene, level) = (opened.scene, opened.files);
    let never = AtomicBool::new(false);
    let geodata = load_regions(&level.files, Tolerance::STRICT, &|_| (), &never);
    let formats = level.files.iter().map(|file| file.name.format);
    let profile = profile_of_formats(formats);
    (
        scene,
        GeodataWorld::new(geodata.expect("both load"), profile),
    )
}

#[test]
fn the_regions_look_as_they_did() {
    let (scene, world) = open();
    let mut studio = Studio::open(SIZE);
    let mut scene = studio.upload(&scene);
    let plain = TileView::default();
    let marked = TileView {
        sides: true,
        grid: true,
        color_by: Some(1),
        ..plain
    };
    let views = [
        (
            "geodata_overview",
            [4000.0, -29000.0, -1200.0, 40.0, -9.0],
            plain,
            TileShape::Slopes,
        ),
        (
            "geodata_town",
            [15300.0, -21000.0, -2950.0, 52.0, -14.0],
            plain,
            TileShape::Slopes,
        ),
        (
            "geodata_bridge",
            [22700.0, -19400.0, -3400.0, 60.0, -14.0],
            plain,
            TileShape::Slopes,
        ),
        (
            "geodata_cells",
            [22700.0, -19400.0, -3400.0, 60.0, -14.0],
            marked,
            TileShape::Plateaus,
        ),
    ];
    let mut failures = Vec::new();
    for (name, camera, tiles, shape) in views {
        let state = FrameState {
            camera: camera_at(camera),
            tiles,
            ..FrameState::default()
        };
        scene.forget_tiles();
        studio.fill_land(&mut scene, &world, &state, shape);
        let actual = studio.shoot(&scene, &state);
        failures.extend(compare_with_golden(name, &actual, N_PIXELS).err());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
