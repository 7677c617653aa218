//! The demo level, bare: ground, water, sky, fog and overlays.

use ironlands::kind::Level;
use ironlands::worlds::parkan::formats::level::ParkanLevel;
use ironlands::worlds::parkan::{ParkanOptions, open_level};
use ironlands_renderer::{FrameState, SceneGpu, Switches};
use ironlands_scene::{Fog, Scene};

use super::compare::compare_with_golden;
use super::studio::{Studio, camera_at, root};
use image::RgbaImage;

const SIZE: [u32; 2] = [320, 180];
const N_PIXELS: usize = (SIZE[0] * SIZE[1]) as usize;

/// Views of Map01: name, x, y, z, yaw and pitch in degrees, what is drawn.
fn views() -> Vec<(&'static str, [f32; 5], Switches)> {
    let all = Switches::default();
    let plain = Switches {
        decal: false,
        detail: false,
        water_reflection: false,
        fog: false,
        lod: false,
        ..all
    };
    vec![
        ("overview", [150.0, 150.0, 140.0, 45.0, -14.0], all),
        ("shore", [300.0, 190.0, 38.0, 62.0, -8.0], all),
        ("road", [620.0, 500.0, 28.0, 158.0, -3.0], all),
        ("mountains", [300.0, 700.0, 75.0, 75.0, -2.0], all),
        ("base_passes_only", [300.0, 700.0, 75.0, 75.0, -2.0], plain),
        ("from_above", [595.0, 595.0, 900.0, 90.0, -89.0], plain),
    ]
}

#[test]
fn map01_looks_as_it_did() {
    let mut level = BareLevel::open();
    let mut failures = Vec::new();
    for (name, camera, switches) in views() {
        let actual = level.shoot(camera, switches, &[]);
        failures.extend(compare_with_golden(name, &actual, N_PIXELS).err());
    }
    let areals = level
        .level
        .scene
        .overlay_index("areals")
        .expect("the demo level has areals");
    let actual = level.shoot(
        [600.0, 600.0, 120.0, 135.0, -35.0],
        Switches::default(),
        &[areals],
    );
    failures.extend(compare_with_golden("areals", &actual, N_PIXELS).err());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn looking_up_shows_nothing_but_sky() {
    let mut level = BareLevel::open();
    let camera = [600.0, 600.0, 200.0, 30.0, 60.0];
    let shot = level.shoot(camera, Switches::default(), &[]);
    let only_sky = level.shoot_sky(camera);
    assert!(shot == only_sky, "something of the level is in the sky");
    let top = shot.get_pixel(0, 0);
    let bottom = shot.get_pixel(0, SIZE[1] - 1);
    assert_ne!(top, bottom, "the sky is a gradient");
}

#[test]
fn fog_hides_what_is_beyond_its_end() {
    let mut level = BareLevel::open();
    let fog = level.level.scene.fog.expect("a Parkan level has fog");
    level.replace_fog(Fog { layer: None, ..fog });
    // Straight down from higher than the fog's end: nothing but fog, which is everywhere.
    let camera = [600.0, 600.0, fog.end + 200.0, 0.0, -89.0];
    let fogged = level.shoot(camera, Switches::default(), &[]);
    let clear = Switches {
        fog: false,
        ..Switches::default()
    };
    let clear = level.shoot(camera, clear, &[]);
    let n_ground = fogged
        .pixels()
        .zip(clear.pixels())
        .filter(|(a, b)| a != b)
        .count();
    assert!(
        n_ground > N_PIXELS / 2,
        "without fog the ground is seen: {n_ground} pixels differ"
    );
    for pixel in fogged.pixels() {
        for channel in 0..3 {
            let difference = f32::from(pixel[channel]) - fog.color[channel] * 255.0;
            assert!(difference.abs() <= 2.0, "{pixel:?} is not {:?}", fog.color);
        }
    }
}

#[test]
fn fog_lies_below_and_the_level_is_seen_from_above() {
    let mut level = BareLevel::open();
    let clear = Switches {
        fog: false,
        ..Switches::default()
    };
    for pitch in [-89.0, -45.0] {
        let camera = [100.0, 100.0, 830.0, 45.0, pitch];
        let [fogged, clear] = [Switches::default(), clear].map(|it| level.shoot(camera, it, &[]));
        let contrast = |picture: &RgbaImage| {
            let greens = || picture.pixels().map(|pixel| f64::from(pixel[1]));
            let mean = greens().sum::<f64>() / N_PIXELS as f64;
            greens().map(|green| (green - mean).abs()).sum::<f64>() / N_PIXELS as f64
        };
        let [fogged, clear] = [&fogged, &clear].map(contrast);
        assert!(
            fogged > 0.5 * clear,
            "at {pitch} degrees fog leaves {fogged} of a contrast of {clear}"
        );
    }
}

#[test]
fn the_same_frame_twice_is_the_same_picture() {
    let mut level = BareLevel::open();
    let camera = [600.0, 600.0, 30.0, 135.0, -12.0];
    let first = level.shoot(camera, Switches::default(), &[]);
    let second = level.shoot(camera, Switches::default(), &[]);
    assert!(first == second);
}

/// Map01 without a mission, on a device.
struct BareLevel {
    studio: Studio,
    level: Level<ParkanLevel>,
    scene: SceneGpu,
}

impl BareLevel {
    fn open() -> Self {
        let options = ParkanOptions {
            bare: true,
            ..ParkanOptions::default()
        };
        let level =
            open_level(&root().join("DATA/MAPS/Map01"), &options).expect("the demo level opens");
        let mut studio = Studio::open(SIZE);
        let scene = studio.upload(&level.scene);
        Self {
            studio,
            level,
            scene,
        }
    }

    fn shoot(&mut self, camera: [f32; 5], switches: Switches, overlays: &[usize]) -> RgbaImage {
        let state = FrameState {
            camera: camera_at(camera),
            switches,
            overlays: overlays.to_vec(),
            ..FrameState::default()
        };
        self.studio.shoot(&self.scene, &state)
    }

    fn replace_fog(&mut self, fog: Fog) {
        self.level.scene.fog = Some(fog);
        self.scene = self.studio.upload(&self.level.scene);
    }

    /// The level's sky without the level.
    fn shoot_sky(&mut self, camera: [f32; 5]) -> RgbaImage {
        let empty = Scene {
            meshes: Vec::new(),
            water: None,
            ..self.level.scene.clone()
        };
        let scene = self.studio.upload(&empty);
        let state = FrameState {
            camera: camera_at(camera),
            ..FrameState::default()
        };
        self.studio.shoot(&scene, &state)
    }
}
