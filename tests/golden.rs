//! Pictures of the demo level against golden ones, drawn on the software adapter where there is one.
//!
//! `BLESS=1 cargo test --test golden` writes the goldens; look at them before you commit. A failure leaves the
//! actual picture and the difference in `target/golden/`.

use std::path::{Path, PathBuf};

use image::RgbaImage;
use ironlands_assets_loader::level::{self, Level, OpenOptions};
use ironlands_renderer::{
    Camera, FrameState, Gpu, GpuOptions, OffscreenTarget, RenderSettings, Renderer, Switches,
    capture,
};
use ironlands_scene::Scene;

const SIZE: [u32; 2] = [320, 180];

/// A channel may differ by this much: drivers round filtering, interpolation and blending differently in the
/// last bits, and three blended passes and the microtexture's factor of 2 add up.
const CHANNEL_TOLERANCE: u8 = 10;

/// This share of the pixels may differ by more: along the outlines of triangles a driver is free in which
/// sample belongs to which triangle, and a level has outlines on about every hundredth pixel.
const OUTLIER_SHARE: f64 = 0.01;

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
    let mut studio = Studio::open();
    let mut failures = Vec::new();
    for (name, camera, switches) in views() {
        let actual = studio.shoot(camera, switches, &[]);
        failures.extend(compare_with_golden(name, &actual).err());
    }
    let areals = studio
        .level
        .scene
        .overlay_index("areals")
        .expect("the demo level has areals");
    let actual = studio.shoot(
        [600.0, 600.0, 120.0, 135.0, -35.0],
        Switches::default(),
        &[areals],
    );
    failures.extend(compare_with_golden("areals", &actual).err());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn looking_up_shows_nothing_but_sky() {
    let mut studio = Studio::open();
    let camera = [600.0, 600.0, 200.0, 30.0, 60.0];
    let level = studio.shoot(camera, Switches::default(), &[]);
    let only_sky = studio.shoot_sky(camera);
    assert!(level == only_sky, "something of the level is in the sky");
    let top = level.get_pixel(0, 0);
    let bottom = level.get_pixel(0, SIZE[1] - 1);
    assert_ne!(top, bottom, "the sky is a gradient");
}

#[test]
fn fog_hides_what_is_beyond_its_end() {
    let mut studio = Studio::open();
    let fog = studio.level.scene.fog.expect("a Parkan level has fog");
    // Straight down from higher than the fog's end: nothing but fog.
    let camera = [600.0, 600.0, fog.end + 200.0, 0.0, -89.0];
    let fogged = studio.shoot(camera, Switches::default(), &[]);
    let clear = Switches {
        fog: false,
        ..Switches::default()
    };
    let clear = studio.shoot(camera, clear, &[]);
    let n_ground = fogged
        .pixels()
        .zip(clear.pixels())
        .filter(|(a, b)| a != b)
        .count();
    let half = (SIZE[0] * SIZE[1] / 2) as usize;
    assert!(
        n_ground > half,
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
fn the_same_frame_twice_is_the_same_picture() {
    let mut studio = Studio::open();
    let camera = [600.0, 600.0, 30.0, 135.0, -12.0];
    let first = studio.shoot(camera, Switches::default(), &[]);
    let second = studio.shoot(camera, Switches::default(), &[]);
    assert!(first == second);
}

/// One opened level on one device.
struct Studio {
    gpu: Gpu,
    renderer: Renderer,
    target: OffscreenTarget,
    level: Level,
    scene: ironlands_renderer::SceneGpu,
}

impl Studio {
    fn open() -> Self {
        let software = GpuOptions {
            force_software: true,
        };
        let gpu = Gpu::offscreen(&software)
            .or_else(|_| Gpu::offscreen(&GpuOptions::default()))
            .expect("a Vulkan driver: ./test installs one");
        let target = OffscreenTarget::new(&gpu, SIZE).expect("a small target");
        let mut renderer =
            Renderer::new(&gpu, target.format(), RenderSettings::default()).expect("a renderer");
        let level = level::open(&root().join("DATA/MAPS/Map01"), &OpenOptions::default())
            .expect("the demo level opens");
        let scene = renderer
            .upload(&gpu, &level.scene)
            .expect("the demo level fits the device");
        Self {
            gpu,
            renderer,
            target,
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
        let view = self.target.view();
        self.renderer
            .draw(&self.gpu, &self.scene, &state, view, None)
            .expect("a frame is drawn");
        capture(&self.gpu, &self.target).expect("the picture comes back")
    }

    /// The level's sky without the level.
    fn shoot_sky(&mut self, camera: [f32; 5]) -> RgbaImage {
        let empty = Scene {
            meshes: Vec::new(),
            water: None,
            ..self.level.scene.clone()
        };
        let scene = self
            .renderer
            .upload(&self.gpu, &empty)
            .expect("an empty level fits the device");
        let state = FrameState {
            camera: camera_at(camera),
            ..FrameState::default()
        };
        let view = self.target.view();
        self.renderer
            .draw(&self.gpu, &scene, &state, view, None)
            .expect("a frame is drawn");
        capture(&self.gpu, &self.target).expect("the picture comes back")
    }
}

fn camera_at([x, y, z, yaw, pitch]: [f32; 5]) -> Camera {
    Camera {
        position: glam::Vec3::new(x, y, z),
        yaw_rad: yaw.to_radians(),
        pitch_rad: pitch.to_radians(),
        ..Camera::default()
    }
}

fn compare_with_golden(name: &str, actual: &RgbaImage) -> Result<(), String> {
    let golden_path = root().join("tests/golden").join(format!("{name}.png"));
    if std::env::var_os("BLESS").is_some() {
        actual.save(&golden_path).expect("goldens can be written");
        return Ok(());
    }
    let golden = image::open(&golden_path)
        .map_err(|error| format!("{}: {error}", golden_path.display()))?
        .to_rgba8();
    if golden.dimensions() != actual.dimensions() {
        return Err(format!(
            "{name}: {:?} instead of {:?}",
            actual.dimensions(),
            golden.dimensions()
        ));
    }
    let mut n_outliers = 0u32;
    let mut difference = RgbaImage::new(SIZE[0], SIZE[1]);
    for (x, y, pixel) in actual.enumerate_pixels() {
        let expected = golden.get_pixel(x, y);
        let apart: [u8; 3] = std::array::from_fn(|c| pixel[c].abs_diff(expected[c]));
        n_outliers += u32::from(apart.iter().any(|d| *d > CHANNEL_TOLERANCE));
        let [r, g, b] = apart.map(|d| d.saturating_mul(8));
        difference.put_pixel(x, y, image::Rgba([r, g, b, 255]));
    }
    let share = f64::from(n_outliers) / f64::from(SIZE[0] * SIZE[1]);
    if share <= OUTLIER_SHARE {
        return Ok(());
    }
    let folder = root().join("target/golden");
    std::fs::create_dir_all(&folder).expect("target can be written");
    save(actual, &folder.join(format!("{name}_actual.png")));
    save(&difference, &folder.join(format!("{name}_difference.png")));
    Err(format!(
        "{name}: {:.2} % of the pixels differ by more than {CHANNEL_TOLERANCE}; see {}",
        share * 100.0,
        folder.display()
    ))
}

fn save(picture: &RgbaImage, path: &Path) {
    picture.save(path).expect("target can be written");
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
