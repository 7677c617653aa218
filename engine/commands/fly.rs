//! `ironlands --level PATH` and `--model FILE`: opens it and shows it, in a window or in pictures.

mod beside;
mod day;
mod frame_table;
mod land;
mod models;
mod numbers;
mod opener;
mod path;
mod picking;
mod resolution;
mod subject;
mod switches;
mod unused_options;
mod viewers;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::camera::{Eye, Mode, Orbit, Rig, standing};
use crate::console::input_path;
use crate::console::output::{Existing, check_picture_path, write_numbered_png, write_png};
use crate::renderer::{Camera, FrameState, GpuOptions};
use crate::scene::Aabb;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use glam::Vec3;
use image::RgbaImage;

use self::day::DayArgs;
use self::frame_table::{print_budget, print_frame_times};
use self::land::LandArgs;
use self::models::ModelArgs;
use self::numbers::{parse_fov, parse_time};
use self::opener::means;
pub use self::opener::show_start;
use self::path::PathArgs;
use self::picking::PickArgs;
use self::resolution::ResolutionArgs;
use self::subject::SubjectArgs;
use self::switches::SwitchArgs;
use self::unused_options::{Time, UnusedOption, warn_of_unused_options};
pub use self::viewers::{
    BENCH_EXAMPLES, COMMANDS, NOTES, PATH, RECORD_EXAMPLES, RENDER_EXAMPLES, VIEW_EXAMPLES, View,
};
use crate::cli::{CameraArg, Size};
use crate::console::plain;
use crate::error::AppError;
use crate::flight::{Flight, Quality};
use crate::frame_budget::FrameBudget;
use crate::headless::{Studio, check_interrupt, has_display, watch_for_interrupt};
use crate::kind::{OpenOptions, Registry, Verdict};
use crate::level::LoadedLevel;
use crate::path_flight::PathFlight;
use crate::poser::Poser;
use crate::recording::Recording;
use crate::settings::Settings;
use crate::view_options::ViewOptions;
use crate::window::{self, First, Loaded, ScreenOptions};

/// Distance of the nearest thing that is drawn around a model, in radii of the model, ...
const NEAR_OF_RADIUS: f32 = 0.02;
/// ... and at least this, in its units.
const NEAREST: f32 = 0.001;

/// Why frames of two levels are not measured.
const COMPARED_FRAMES: &str =
    "--compare is for windows and pictures: frame times are those of one level";

/// What `ironlands --level PATH` and `--model FILE` take.
#[derive(Debug, Args)]
pub struct FlyArgs {
    #[command(flatten)]
    subject: SubjectArgs,

    /// Level or model to show beside it, from the same camera, for comparison: in the right half of the window or picture.
    #[arg(long, value_name = "PATH", value_parser = input_path(), conflicts_with = "record")]
    compare: Option<PathBuf>,

    /// Initial camera: position, yaw from +X toward +Y and pitch upward, in degrees; by default the level's own.
    #[arg(long, value_name = "X,Y,Z,YAW,PITCH", allow_hyphen_values = true)]
    camera: Option<CameraArg>,

    /// Initial movement mode; M toggles it.
    #[arg(long, value_enum, default_value_t = ModeArg::Fly)]
    mode: ModeArg,

    /// Width and height of the window or picture in pixels.
    #[arg(
        long,
        value_name = "WxH",
        default_value = "1280x720",
        help_heading = "Picture"
    )]
    size: Size,

    /// Horizontal field of view in degrees; by default 74.5, or in a window what its settings say.
    #[arg(long, value_name = "DEGREES", value_parser = parse_fov, allow_negative_numbers = true, help_heading = "Picture")]
    fov: Option<f32>,

    /// Multisample antialiasing: 1 (off) or 4 samples per pixel; by default 4, or 1 without a graphics card.
    #[arg(long, value_name = "N", value_parser = one_or_four(), help_heading = "Picture")]
    msaa: Option<u32>,

    /// Anisotropic filtering, 1 (off) to 16; by default 16, or 1 without a graphics card.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=16), help_heading = "Picture")]
    anisotropy: Option<u16>,

    /// Render on the CPU even if there is a graphics card: slow, but the same picture everywhere.
    #[arg(long, help_heading = "Picture")]
    software: bool,

    /// Disable vertical synchronization.
    #[arg(long, help_heading = "Picture")]
    no_vsync: bool,

    /// Play no sound.
    #[arg(long)]
    mute: bool,

    #[command(flatten)]
    switches: SwitchArgs,

    #[command(flatten)]
    resolution: ResolutionArgs,

    #[command(flatten)]
    day: DayArgs,

    #[command(flatten)]
    land: LandArgs,

    #[command(flatten)]
    path: PathArgs,

    #[command(flatten)]
    models: ModelArgs,

    /// Render one picture to a PNG file without a window, then exit.
    #[arg(
        long,
        value_name = "FILE.png",
        conflicts_with = "frames",
        group = "written",
        help_heading = "Without a window"
    )]
    render: Option<PathBuf>,

    #[command(flatten)]
    picking: PickArgs,

    /// Render N frames, print a table of frame times, then exit; without a window, along the camera path or a circle.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Without a window")]
    frames: Option<u32>,

    /// Do not open a window, even if there is a display.
    #[arg(long, help_heading = "Without a window")]
    offscreen: bool,

    /// Point in time that a picture shows, in seconds: of models, waves, animated textures and the camera path.
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 0.0,
        value_parser = parse_time,
        allow_negative_numbers = true,
        help_heading = "Without a window"
    )]
    time: f32,

    /// Overwrite existing pictures of --render and --record.
    #[arg(long, requires = "written", help_heading = "Without a window")]
    force: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ModeArg {
    /// Fly freely, through everything.
    Fly,
    /// Walk on the ground, blocked by walls and cliffs.
    Walk,
}

/// Opens the level or model and draws it as requested.
///
/// # Errors
/// Errors of the level, the device, the window or a file.
pub fn run(view: &View, registry: &Registry, out: &mut dyn Write) -> Result<Verdict, AppError> {
    let View { args, .. } = view;
    if let Some(path) = &args.render {
        check_picture_path(path, args.existing())?;
    }
    args.path.check()?;
    if args.compare.is_some() && args.frames.is_some() {
        return Err(AppError::UnusedOption(COMPARED_FRAMES));
    }
    let wants_no_window = args.render.is_some() || args.path.is_recording() || args.offscreen;
    let is_windowless = wants_no_window || !has_display();
    if is_windowless {
        watch_for_interrupt();
    }
    let settings = match is_windowless {
        true => Settings::default(),
        false => Settings::load(),
    };
    let time = is_windowless.then(|| args.time_shown());
    let loaded = match load(view, registry, &settings, time) {
        // Several levels, which are shown where one can choose, or files of another kind, which are browsed.
        Err(error)
            if !is_windowless
                && args.frames.is_none()
                && (!error.choices().is_empty() || error.is_no_level()) =>
        {
            let path = args.subject.level().map(Path::to_owned);
            return match show_start(view, path, registry, settings) {
                Err(failure) if failure.is_of_display() => Err(error),
                shown => shown
                    .map(|()| Verdict::Done)
                    .map_err(|failure| *failure.error),
            };
        }
        loaded => Arc::new(loaded?),
    };
    let second = match &args.compare {
        Some(path) => Some(Arc::new(beside::load(path, view, registry, &settings)?)),
        None => None,
    };
    if is_windowless {
        check_interrupt()?;
        if !wants_no_window {
            log::warn!(
                "there is no display (DISPLAY and WAYLAND_DISPLAY are not set): drawing offscreen"
            );
        }
        return fly_offscreen(args, &loaded, second, out);
    }
    let flight = &loaded.flight;
    let screen = ScreenOptions {
        size: flight.size,
        gpu: flight.gpu,
        quality: flight.quality,
        vsync: flight.options.vsync,
    };
    let means = means(view, screen, registry, settings);
    match window::run(
        First::Level(Arc::clone(&loaded), second.clone()),
        means,
        args.frames,
    ) {
        Err(failure) if failure.is_of_display() => {
            log::warn!(
                "the display cannot be used ({}): drawing offscreen",
                failure.error.chain()
            );
            watch_for_interrupt();
            fly_offscreen(args, &loaded, second, out)
        }
        Err(failure) => Err(*failure.error),
        Ok(frame_times) => {
            if args.frames.is_some() {
                print_frame_times(&frame_times, out)?;
            }
            Ok(Verdict::Done)
        }
    }
}

/// Opens what is to be shown, and says which options do nothing; `time` as in [`Time`].
pub fn load(
    view: &View,
    registry: &Registry,
    settings: &Settings,
    time: Option<Time>,
) -> Result<Loaded, AppError> {
    let View { args, options, .. } = view;
    let subject = args.subject.subject(registry, options)?;
    let level = LoadedLevel::open(&subject, registry, options)?;
    level.log();
    let path = args.path.flight(registry, options)?;
    let flight = args.flight(&level, path, settings)?;
    warn_of_unused_options(view, &level, &flight, time);
    Ok(Loaded { level, flight })
}

fn fly_offscreen(
    args: &FlyArgs,
    loaded: &Loaded,
    second: Option<Arc<Loaded>>,
    out: &mut dyn Write,
) -> Result<Verdict, AppError> {
    let Loaded { level, flight } = loaded;
    if let Some(second) = second {
        return beside::draw(args, loaded, second, out);
    }
    let recording = args.recording(flight)?;
    let mut studio = Studio::open(level, flight)?;
    let mut poser = Poser::default();
    if let Some(recording) = recording {
        recording.run(&mut studio, &level.scene, |time_secs, state| {
            prepare_picture(args, level, flight, &mut poser, time_secs, state);
        })?;
        return print_recording(&recording, flight, out);
    }
    if let Some(n_frames) = args.frames {
        let mut budget = FrameBudget::new(flight.options.frame_budget());
        let times = studio.time_frames(n_frames, &mut budget, |share, state| {
            prepare_measured(args, level, flight, &mut poser, share, state);
        })?;
        print_frame_times(&times, out)?;
        print_budget(&budget, out)?;
        return Ok(Verdict::Done);
    }
    let mut state = FrameState::default();
    prepare_picture(args, level, flight, &mut poser, args.time, &mut state);
    let seen = (poser.poses(), flight.size, &flight.options);
    args.picking.point_out(level, seen, &mut state, out)?;
    let image = studio.picture(&state)?;
    // A large picture is better written with the device's memory free.
    drop(studio);
    write_picture(args, loaded, image, out)
}

fn write_picture(
    args: &FlyArgs,
    Loaded { level, flight }: &Loaded,
    image: RgbaImage,
    out: &mut dyn Write,
) -> Result<Verdict, AppError> {
    check_interrupt()?;
    let path = match &args.render {
        Some(path) => {
            write_png(path, args.existing(), image)?;
            path.clone()
        }
        None => write_numbered_png(Path::new(""), level.name(), image)?,
    };
    let [width, height] = flight.size;
    writeln!(out, "{} {width}x{height}", plain::path(&path))?;
    Ok(Verdict::Done)
}

fn print_recording(
    recording: &Recording,
    flight: &Flight,
    out: &mut dyn Write,
) -> Result<Verdict, AppError> {
    let [width, height] = flight.size;
    if let Some(video) = recording.video() {
        let n_frames = recording.n_frames();
        writeln!(
            out,
            "{} {width}x{height}, {n_frames} frames",
            plain::path(video)
        )?;
        return Ok(Verdict::Done);
    }
    let [first, last] = [0, recording.n_frames() - 1].map(|frame| recording.path_of(frame));
    let [first, last] = [&*first, Path::new(last.file_name().unwrap_or_default())].map(plain::path);
    writeln!(out, "{first} to {last} {width}x{height}")?;
    if let Some(sound) = recording.sound() {
        writeln!(out, "{}", plain::path(&sound))?;
    }
    Ok(Verdict::Done)
}

/// Makes the frame at a time: along the camera path, if there is one.
fn prepare_picture(
    args: &FlyArgs,
    level: &LoadedLevel,
    flight: &Flight,
    poser: &mut Poser,
    time_secs: f32,
    state: &mut FrameState,
) {
    let mut options = flight.options.clone();
    if let Some(path) = &mut options.path {
        path.seek(time_secs);
    }
    // What is recorded from --time on has moved that long before.
    let since_secs = match args.path.is_recording() {
        true => args.time + time_secs,
        false => time_secs,
    };
    options.let_pass(since_secs.into());
    flight.show_in(state, &flight.start.pose(), &options, since_secs);
    poser.pose(level, options.model_clock(), state);
}

/// Makes the frame at `share` (0..1) of the way that is measured, which begins where a picture is taken from.
fn prepare_measured(
    args: &FlyArgs,
    level: &LoadedLevel,
    flight: &Flight,
    poser: &mut Poser,
    share: f32,
    state: &mut FrameState,
) {
    flight.show_in(state, &flight.start.pose(), &flight.options, args.time);
    flight.go_measured_way(state, &flight.options, share);
    let mut options = flight.options.clone();
    options.let_pass(state.time_secs.into());
    poser.pose(level, options.model_clock(), state);
}

impl FlyArgs {
    /// Whether a model is to be shown.
    pub fn is_model(&self) -> bool {
        self.subject.is_model()
    }

    /// How to open it, as far as all worlds share that.
    pub fn options(&self) -> OpenOptions {
        self.subject.options()
    }

    fn existing(&self) -> Existing {
        if self.force {
            Existing::Replace
        } else {
            Existing::Keep
        }
    }

    /// Options that were given and change no picture, or no window.
    fn without_a_picture(&self, time: Option<Time>) -> Vec<UnusedOption> {
        let is_windowless = time.is_some();
        let without_use = |option, reason: &str| UnusedOption::because(option, reason);
        let mut unused = Vec::new();
        if is_windowless && self.no_vsync {
            unused.push(without_use("--no-vsync", "there is no window"));
        }
        if is_windowless && self.mute {
            unused.push(without_use("--mute", "only windows play sound"));
        }
        if !is_windowless && self.time != 0.0 {
            unused.push(without_use("--time", "in a window, time goes by from 0"));
        }
        if is_windowless && self.path.is_given() {
            let reason = "the camera goes along --play FILE.cam";
            unused.extend(self.camera.map(|_| without_use("--camera", reason)));
            unused
                .extend(matches!(self.mode, ModeArg::Walk).then(|| without_use("--mode", reason)));
        }
        unused
    }

    /// What is seen of time without a window.
    fn time_shown(&self) -> Time {
        match self.time == 0.0 && self.frames.is_none() && !self.path.is_recording() {
            true => Time::Begins,
            false => Time::Passes,
        }
    }

    fn recording(&self, flight: &Flight) -> Result<Option<Recording>, AppError> {
        match &flight.options.path {
            Some(path) => self.path.recording(path, self.existing()),
            None => Ok(None),
        }
    }

    fn flight(
        &self,
        level: &LoadedLevel,
        path: Option<PathFlight>,
        settings: &Settings,
    ) -> Result<Flight, AppError> {
        let fov_rad = (self.fov.unwrap_or(settings.field_of_view_deg)).to_radians();
        let (start, near) = match &level.model_bounds {
            Some(bounds) => self.around_model(bounds, fov_rad),
            None => (self.in_level(level, settings), Camera::default().near),
        };
        let options = ViewOptions::new(
            self.switches.switches(),
            self.switches.overlays(level)?,
            self.models.options(level, self.path.level_play())?,
        );
        Ok(Flight {
            start,
            near,
            size: self.size.0,
            gpu: self.gpu(),
            quality: self.quality(),
            options: ViewOptions {
                style: self.switches.style(level, settings),
                surfaces: self.switches.surfaces.unwrap_or_default(),
                resolution: self.resolution.scale(),
                frame_budget_ms: self.resolution.frame_budget_ms(settings),
                fov_rad,
                settings: *settings,
                vsync: !self.no_vsync,
                is_muted: self.mute,
                crosshair: level.model_bounds.is_none(),
                day: self.day.clock(level)?,
                day_idx: self.day.index(level)?,
                land: self.land.options(level)?,
                path,
                ..options
            },
        })
    }

    fn gpu(&self) -> GpuOptions {
        GpuOptions {
            force_software: self.software,
        }
    }

    fn quality(&self) -> Quality {
        Quality {
            msaa_samples: self.msaa,
            anisotropy: self.anisotropy,
            land_memory_mib: self.land.memory_mib(),
        }
    }

    fn in_level(&self, level: &LoadedLevel, settings: &Settings) -> Eye {
        let home = self.camera.map_or_else(|| level.start(), |camera| camera.0);
        let (mode, start) = match self.mode {
            ModeArg::Fly => (Mode::Fly, home),
            ModeArg::Walk => (Mode::Walk, standing(home, level)),
        };
        let speed = level.fly_speed() * settings.fly_speed;
        let rig = Rig::new(start, mode, speed).with_gait(level.world.gait());
        Eye::in_level(home, rig)
    }

    /// The eye, and how near it sees.
    fn around_model(&self, bounds: &Aabb, fov_rad: f32) -> (Eye, f32) {
        let radius = (Vec3::from(bounds.max) - Vec3::from(bounds.min)).length() * 0.5;
        let orbit = Orbit::around(
            Vec3::from(bounds.center()),
            radius,
            fov_rad,
            self.size.0,
            self.models.turn_rad(),
        );
        let rig = Rig::new(orbit.pose(), Mode::Fly, radius);
        let near = (radius * NEAR_OF_RADIUS).clamp(NEAREST, Camera::default().near);
        let mut eye = Eye::around_model(orbit, rig);
        if let Some(camera) = self.camera {
            eye.fly_from(camera.0);
        }
        (eye, near)
    }
}

fn one_or_four() -> impl TypedValueParser<Value = u32> {
    PossibleValuesParser::new(["1", "4"]).try_map(|text| text.parse())
}
