//! Frames of a level that is flown over and edited take no memory that they do not give back.

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use glam::Vec3;

    use crate::camera::{Eye, Mode, Pose, Rig};
    use crate::editing::{EditCommand, EditWish, take_editor};
    use crate::flight::{Flight, Quality};
    use crate::frame_budget::FrameBudget;
    use crate::headless::Studio;
    use crate::kind::OpenOptions;
    use crate::level::{LoadedLevel, Subject};
    use crate::model_options::ModelOptions;
    use crate::picks::Picks;
    use crate::playback::{LevelPlay, Playback, What};
    use crate::renderer::{Camera, FrameState, GpuOptions, Switches};
    use crate::scene::TileShape;
    use crate::sim::Ray;
    use crate::sim::world::Poses;
    use crate::view_options::ViewOptions;

    /// By then all that frames share is there, and each edit was made and taken back a few times.
    const SETTLED: usize = 100;
    /// Frames unless the environment names another number.
    const N_FRAMES: usize = 400;
    /// Names it.
    const N_FRAMES_VARIABLE: &str = "IRONLANDS_SOAK_FRAMES";
    /// Frames of a flight around.
    const ROUND: usize = 50;
    /// Middle and radius of the flight, engine axes.
    const MIDDLE: Vec3 = Vec3::new(15_300.0, -21_000.0, -2600.0);
    const RADIUS: f32 = 700.0;

    #[test]
    #[expect(clippy::print_stdout, reason = "the figures of a long run")]
    #[cfg_attr(not(target_os = "linux"), ignore = "reads /proc")]
    fn flying_editing_and_undoing_take_no_memory() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["20_18_conv.dat", "21_18.l2j"] {
            let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("DATA/LINEAGE2");
            fs::copy(demo.join(name), folder.path().join(name)).unwrap();
        }
        let subject = Subject::Level(folder.path().to_owned());
        let registry = crate::worlds::registry();
        let level = LoadedLevel::open(&subject, &registry, &OpenOptions::default()).unwrap();
        let mut editing = take_editor(&level.editor).expect("an editor");
        editing.grant(EditWish::Command(EditCommand::Toggle));
        let flight = flight(&level);
        let mut studio = Studio::open(&level, &flight).unwrap();
        let n_frames = std::env::var(N_FRAMES_VARIABLE).ok();
        let n_frames = n_frames.map_or(N_FRAMES, |text| text.parse().expect("a number of frames"));
        let mut picks = Picks::new(level.world.clone(), TileShape::Slopes);
        let mut frame = 0;
        let mut kib_at = Vec::new();
        let mut n_edits = 0;
        let prepare = |_: f32, state: &mut FrameState| {
            let pose = pose(frame);
            flight.show_in(state, &pose, &flight.options, frame as f32 / 60.0);
            picks.update(TileShape::Slopes);
            picks.point_out(&Poses::default(), state);
            let ray = Ray {
                origin: pose.position,
                direction: pose.forward(),
            };
            let hit = level.pick(&ray, &Poses::default(), flight.options.land.as_ref());
            let hit = hit.expect("land ahead");
            // A stroke of three frames, a look at it, and all of it is taken back; every other one is made again before.
            match frame % 10 {
                0 => editing.press(&hit),
                3 => {
                    let text = editing.release().expect("a stroke");
                    n_edits += usize::from(text.starts_with("unsaved"));
                    picks.pick(hit);
                }
                5 if frame % 20 == 5 => {
                    editing.grant(EditWish::Command(EditCommand::Undo));
                    editing.grant(EditWish::Command(EditCommand::Redo));
                }
                8 => {
                    editing.grant(EditWish::Command(EditCommand::Undo));
                    assert_eq!(editing.status().n_done, 0);
                    assert_eq!(editing.status().unsaved, "");
                }
                _ => {}
            }
            editing.update(Some(&hit), TileShape::Slopes, state);
            kib_at.push(resident_kib());
            frame += 1;
        };
        let mut budget = FrameBudget::new(None);
        let times = studio.time_frames(n_frames as u32, &mut budget, prepare);
        times.unwrap();
        assert!(n_edits >= n_frames / 12, "{n_edits}");
        let [settled, last] = [SETTLED, n_frames].map(|frame| kib_at[frame]);
        let steps = (0..=10).map(|step| kib_at[n_frames * step / 10]);
        println!(
            "KiB after each tenth of {n_frames} frames: {:?}",
            steps.collect::<Vec<_>>()
        );
        // Other tests share the process without nextest.
        let is_alone = std::env::var_os("NEXTEST").is_some();
        assert!(
            !is_alone || last.saturating_sub(settled) * 20 <= settled,
            "{settled} KiB after {SETTLED} frames, {last} KiB after {n_frames}"
        );
    }

    fn flight(level: &LoadedLevel) -> Flight {
        let overlays = vec![false; level.scene.overlays.len()];
        let models = ModelOptions::new(Playback::new(What::Level(LevelPlay::Level), 15.0));
        Flight {
            start: Eye::in_level(pose(0), Rig::new(pose(0), Mode::Fly, 100.0)),
            near: Camera::default().near,
            size: [160, 90],
            gpu: GpuOptions {
                force_software: true,
            },
            quality: Quality {
                msaa_samples: Some(1),
                anisotropy: Some(1),
                land_memory_mib: 64,
            },
            options: ViewOptions::new(Switches::default(), overlays, models),
        }
    }

    /// Around the middle, looking at it from above.
    fn pose(frame: usize) -> Pose {
        let (sin, cos) = ((frame % ROUND) as f32 / ROUND as f32 * std::f32::consts::TAU).sin_cos();
        let position = MIDDLE + Vec3::new(cos, sin, 0.7) * RADIUS;
        let ahead = MIDDLE - position;
        Pose::new(
            position,
            ahead.y.atan2(ahead.x),
            ahead.z.atan2(ahead.truncate().length()),
        )
    }

    fn resident_kib() -> u64 {
        let text = fs::read_to_string("/proc/self/status").expect("of this process");
        let line = text.lines().find(|line| line.starts_with("VmRSS:"));
        let number = line.and_then(|line| line.split_ascii_whitespace().nth(1));
        number.and_then(|number| number.parse().ok()).expect("KiB")
    }
}
