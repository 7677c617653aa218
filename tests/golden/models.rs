//! Each model of the demo at three times, and the inhabited level.

use image::{GenericImage, RgbaImage};
use ironlands::worlds::parkan::formats::msh::model_entries;
use ironlands::worlds::parkan::formats::nres::NRes;
use ironlands::worlds::parkan::{ModelWorld, ParkanOptions, ParkanWorld, open_level, open_model};
use ironlands_renderer::{Camera, FrameState, SceneGpu, Switches};
use ironlands_scene::Affine;
use ironlands_sim::world::World;
use ironlands_sim::world::{Clock, Play, Poses};

use super::compare::{compare, compare_with_golden};
use super::studio::{Studio, camera_at, root};

/// Of one of the three pictures that stand side by side.
const SIZE: [u32; 2] = [160, 160];
const LEVEL_SIZE: [u32; 2] = [480, 270];

/// Seconds, and parts of the animation.
const TIMES: [(f32, f32); 3] = [(0.0, 0.0), (0.4, 0.3), (1.1, 0.7)];

/// Everything but models and what burns and smokes on them.
fn bare() -> Switches {
    Switches {
        models: false,
        particles: false,
        ..Switches::default()
    }
}

#[test]
fn each_model_looks_as_it_did_at_three_times() {
    let mut studio = Studio::open(SIZE);
    let mut failures = Vec::new();
    let models = demo_models();
    assert!(models.len() >= 5, "{models:?}");
    for name in models {
        let mut stage = Stage::open(&mut studio, &name);
        let picture = stage.shoot(TIMES, Switches::default());
        let n_subject = differ(&picture, &stage.shoot(TIMES, bare()));
        let stem = name.rsplit('/').next().unwrap_or_default();
        let stem = stem.to_lowercase().replace(".msh", "");
        let name = format!("model_{stem}");
        failures.extend(compare_with_golden(&name, &picture, n_subject).err());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The model that changes least: if it stood still, its golden picture would show it.
#[test]
fn a_beacon_that_stands_still_is_not_as_it_was() {
    let mut studio = Studio::open(SIZE);
    let beacon = demo_models()
        .into_iter()
        .find(|name| name.contains("BEACON"));
    let mut stage = Stage::open(&mut studio, &beacon.expect("the demo has a beacon"));
    let moving = stage.shoot(TIMES, Switches::default());
    let n_subject = differ(&moving, &stage.shoot(TIMES, bare()));
    assert_eq!(compare(&moving, &moving, n_subject), Ok(()));
    for time in TIMES {
        let still = stage.shoot([time; 3], Switches::default());
        let compared = compare(&moving, &still, n_subject);
        assert!(compared.is_err(), "as at {time:?}");
    }
}

/// All models of the archives in `DATA`, as in `bases.rlb/WALKER.MSH`.
fn demo_models() -> Vec<String> {
    let folder = root().join("DATA").read_dir().expect("DATA is there");
    let paths = folder.map(|entry| entry.expect("DATA can be listed").path());
    let mut names = Vec::new();
    for path in paths.filter(|path| path.extension().is_some_and(|it| it == "rlb")) {
        let data = std::fs::read(&path).expect("an archive can be read");
        let archive = NRes::read(&data).expect("an archive of the demo is valid");
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let entries = model_entries(&archive).map(|idx| archive.entries[idx].name_text());
        names.extend(entries.map(|entry| format!("{file}/{entry}")));
    }
    names.sort();
    names
}

/// A model that is looked at alone.
struct Stage<'a> {
    studio: &'a mut Studio,
    scene: SceneGpu,
    world: ModelWorld,
    camera: Camera,
}

impl<'a> Stage<'a> {
    /// The model of this name in `DATA`.
    fn open(studio: &'a mut Studio, name: &str) -> Self {
        let level = open_model(&root().join("DATA").join(name), &ParkanOptions::default())
            .expect("a demo model opens");
        let model = &level.files;
        let spawn = &level.scene.spawns[0];
        Self {
            world: ModelWorld::new(&model.level_objects()).expect("a sound skeleton"),
            scene: studio.upload(&level.scene),
            camera: Camera {
                position: spawn.position.into(),
                yaw_rad: spawn.yaw_rad,
                pitch_rad: spawn.pitch_rad,
                horizontal_fov_rad: 0.9,
                ..Camera::default()
            },
            studio,
        }
    }

    /// Three pictures side by side.
    fn shoot(&mut self, times: [(f32, f32); 3], switches: Switches) -> RgbaImage {
        let mut picture = RgbaImage::new(SIZE[0] * 3, SIZE[1]);
        for (idx, (time_secs, part)) in (0..).zip(times) {
            let frame = (self.world.last_frame() * part).round();
            let state = FrameState {
                camera: self.camera,
                time_secs,
                poses: poses(&self.world, time_secs, Play::Frame(frame)),
                switches,
                ..FrameState::default()
            };
            let shot = self.studio.shoot(&self.scene, &state);
            picture
                .copy_from(&shot, SIZE[0] * idx, 0)
                .expect("it has its place");
        }
        picture
    }
}

/// How many pixels of two pictures differ.
fn differ(a: &RgbaImage, b: &RgbaImage) -> usize {
    a.pixels().zip(b.pixels()).filter(|(a, b)| a != b).count()
}

fn poses(world: &dyn World, time_secs: f32, play: Play) -> Vec<Affine> {
    let mut poses = Poses::default();
    let clock = Clock {
        time_secs: time_secs.into(),
        play,
    };
    world.pose(&clock, &mut poses);
    let rows = |m: &[f32; 16]| std::array::from_fn(|row| std::array::from_fn(|i| m[row * 4 + i]));
    let matrices = poses.world_from_nodes().iter();
    matrices.map(|it| Affine(rows(&it.0))).collect()
}

#[test]
fn the_inhabited_level_looks_as_it_did_at_two_times() {
    let level = open_level(&root().join("DATA/MAPS/Map01"), &ParkanOptions::default())
        .expect("the demo level opens");
    let files = &level.files;
    let world = ParkanWorld::new(files.ground(), None, None, None)
        .and_then(|world| world.with_level_objects(&files.level_objects))
        .expect("a sound level");
    let mut studio = Studio::open(LEVEL_SIZE);
    let scene = studio.upload(&level.scene);
    let mut shoot = |camera, time_secs, switches| {
        let state = FrameState {
            camera: camera_at(camera),
            time_secs,
            switches,
            poses: poses(&world, time_secs, Play::Level),
            ..FrameState::default()
        };
        studio.shoot(&scene, &state)
    };
    let camera = [300.0, 190.0, 38.0, 62.0, -8.0];
    let mut failures = Vec::new();
    for (name, time_secs) in [("inhabited_0", 0.0), ("inhabited_5", 5.0)] {
        let picture = shoot(camera, time_secs, Switches::default());
        let n_pixels = (LEVEL_SIZE[0] * LEVEL_SIZE[1]) as usize;
        failures.extend(compare_with_golden(name, &picture, n_pixels).err());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    // Without water, whose waves alone change half of the picture.
    let [dry, dry_and_bare] = [Switches::default(), bare()].map(|switches| Switches {
        water: false,
        particles: false,
        ..switches
    });
    let [before, after] = [0.0, 5.0].map(|time_secs| shoot(camera, time_secs, dry));
    let [empty, empty_after] = [0.0, 5.0].map(|time_secs| shoot(camera, time_secs, dry_and_bare));
    assert_eq!(differ(&empty, &empty_after), 0, "nothing but models moves");
    assert!(differ(&before, &empty) > 1000, "models are seen");
    assert!(differ(&before, &after) > 100, "something moves");
}
