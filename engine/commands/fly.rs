//! `ironlands --level PATH`: opens a level and flies it, in a window or into pictures.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use ironlands::assets_loader::level::OpenOptions;
use ironlands::camera::{Mode, Rig, standing};
use ironlands::frame_times::{FrameSummary, millis};
use ironlands::output::{Existing, check_writable, write_numbered_png, write_png};
use ironlands::renderer::{GpuOptions, Switches};

use crate::Verdict;
use crate::cli::{CameraArg, Size};
use crate::error::AppError;
use crate::flight::{Flight, Quality};
use crate::headless::{Studio, check_interrupt, has_display, watch_for_interrupt};
use crate::level::LoadedLevel;
use crate::view_options::ViewOptions;
use crate::window;

/// What `ironlands --level PATH` takes.
#[derive(Debug, Args)]
pub struct FlyArgs {
    /// Level to open, such as DATA/MAPS/Map01.
    #[arg(long, value_name = "PATH", required = true)]
    level: Option<PathBuf>,

    /// Factor of all heights, for Parkan levels whose heights are stored 32 times as large (then 0.03125).
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = parse_finite)]
    height_scale: f32,

    /// Start at this place, looking this way (degrees: yaw from +X to +Y, pitch up); else where the level says.
    #[arg(long, value_name = "X,Y,Z,YAW,PITCH", allow_hyphen_values = true)]
    camera: Option<CameraArg>,

    /// Start flying or walking; M changes it.
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

    /// Angle between the left and the right edge of the picture, in degrees.
    #[arg(long, value_name = "DEGREES", default_value_t = 74.5, value_parser = parse_fov, help_heading = "Picture")]
    fov: f32,

    /// Samples per pixel against jagged edges: 1 (off) or 4; by default 4, and 1 without a graphics card.
    #[arg(long, value_name = "N", value_parser = one_or_four(), help_heading = "Picture")]
    msaa: Option<u32>,

    /// Texture samples along slanted surfaces, 1 (off) to 16; by default 16, and 1 without a graphics card.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=16), help_heading = "Picture")]
    anisotropy: Option<u16>,

    /// Draw on the CPU, also where there is a graphics card: slow, the same picture everywhere.
    #[arg(long, help_heading = "Picture")]
    software: bool,

    /// Do not wait for the display between frames.
    #[arg(long, help_heading = "Picture")]
    no_vsync: bool,

    #[command(flatten)]
    switches: SwitchArgs,

    /// Draw one picture without a window, write it as PNG, and end.
    #[arg(
        long,
        value_name = "FILE.png",
        conflicts_with = "frames",
        help_heading = "Without a window"
    )]
    render: Option<PathBuf>,

    /// Draw N frames, print how long they took, and end; without a window they fly a circle.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Without a window")]
    frames: Option<u32>,

    /// Open no window even where there is a display.
    #[arg(long, help_heading = "Without a window")]
    offscreen: bool,

    /// Time of waves and scrolling textures in a picture, in seconds.
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 0.0,
        value_parser = parse_finite,
        help_heading = "Without a window"
    )]
    time: f32,

    /// Replace the file that --render names if it is there already.
    #[arg(long, requires = "render", help_heading = "Without a window")]
    force: bool,
}

/// What is drawn, beside the defaults.
#[derive(Debug, Args)]
#[command(next_help_heading = "Picture")]
struct SwitchArgs {
    /// Leave out the distance fog.
    #[arg(long)]
    no_fog: bool,
    /// Leave out water.
    #[arg(long)]
    no_water: bool,
    /// Draw water flat, without reflections and waves.
    #[arg(long)]
    no_reflection: bool,
    /// End the water at the level's edge.
    #[arg(long)]
    no_sea: bool,
    /// Leave out the sky.
    #[arg(long)]
    no_sky: bool,
    /// Add clouds, which no level knows of.
    #[arg(long)]
    clouds: bool,
    /// Leave out second texture layers.
    #[arg(long)]
    no_decal: bool,
    /// Leave out fine structure.
    #[arg(long)]
    no_detail: bool,
    /// Leave out stored light.
    #[arg(long)]
    no_lightmap: bool,
    /// Leave out models.
    #[arg(long)]
    no_models: bool,
    /// Draw far land as fine as near land.
    #[arg(long)]
    no_lod: bool,
    /// Draw this overlay of the level over the picture; can be given several times.
    #[arg(long, value_name = "NAME")]
    overlay: Vec<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ModeArg {
    /// Freely, through everything.
    Fly,
    /// On the ground, up no cliffs.
    Walk,
}

/// Opens the level and does with it what was asked.
///
/// # Errors
/// If the level, the device, the window or a file makes trouble.
pub fn run(args: &FlyArgs, answer: &mut dyn Write) -> Result<Verdict, AppError> {
    if let Some(path) = &args.render {
        check_picture_path(path, args.existing())?;
    }
    let is_windowless = args.render.is_some() || args.offscreen || !has_display();
    if is_windowless {
        watch_for_interrupt()?;
    }
    let path = args.level.as_deref().expect("the command line requires it");
    let level = LoadedLevel::open(path, &args.open_options())?;
    let flight = args.flight(&level)?;

    if is_windowless {
        check_interrupt()?;
        if args.render.is_none() && !args.offscreen {
            log::warn!(
                "there is no display (DISPLAY and WAYLAND_DISPLAY are not set): drawing offscreen"
            );
        }
        return fly_offscreen(args, &level, &flight, answer);
    }
    match window::run(&level, &flight, args.frames) {
        Err(failure) if failure.is_of_display() => {
            log::warn!(
                "the display cannot be used ({}): drawing offscreen",
                failure.error.chain()
            );
            watch_for_interrupt()?;
            fly_offscreen(args, &level, &flight, answer)
        }
        Err(failure) => Err(*failure.error),
        Ok(frame_times) => {
            if args.frames.is_some() {
                print_frame_times(&frame_times, answer)?;
            }
            Ok(Verdict::Done)
        }
    }
}

fn fly_offscreen(
    args: &FlyArgs,
    level: &LoadedLevel,
    flight: &Flight,
    answer: &mut dyn Write,
) -> Result<Verdict, AppError> {
    let mut studio = Studio::open(level, flight)?;
    let state = flight.frame_state(&flight.start.pose(), args.time);
    if let Some(n_frames) = args.frames {
        print_frame_times(&studio.time_frames(&state, n_frames)?, answer)?;
        return Ok(Verdict::Done);
    }
    let image = studio.picture(&state)?;
    // A large picture is better written with the device's memory free.
    drop(studio);
    check_interrupt()?;
    let path = match &args.render {
        Some(path) => {
            write_png(path, args.existing(), image)?;
            path.clone()
        }
        None => write_numbered_png(Path::new(""), level.name(), image)?,
    };
    let [width, height] = flight.size;
    writeln!(answer, "{} {width}x{height}", path.display())?;
    Ok(Verdict::Done)
}

impl FlyArgs {
    fn existing(&self) -> Existing {
        if self.force {
            Existing::Replace
        } else {
            Existing::Keep
        }
    }

    fn open_options(&self) -> OpenOptions {
        OpenOptions {
            height_scale: self.height_scale,
            ..OpenOptions::default()
        }
    }

    fn flight(&self, level: &LoadedLevel) -> Result<Flight, AppError> {
        let home = self.camera.map_or_else(|| level.start(), |camera| camera.0);
        let (mode, start) = match self.mode {
            ModeArg::Fly => (Mode::Fly, home),
            ModeArg::Walk => (Mode::Walk, standing(home, &|at| level.ground_below(at))),
        };
        Ok(Flight {
            home,
            start: Rig::new(start, mode, level.fly_speed()),
            horizontal_fov_rad: self.fov.to_radians(),
            size: self.size.0,
            gpu: GpuOptions {
                force_software: self.software,
            },
            quality: Quality {
                msaa_samples: self.msaa,
                anisotropy: self.anisotropy,
            },
            options: ViewOptions {
                switches: self.switches.switches(),
                overlays: self.switches.overlays(level)?,
                vsync: !self.no_vsync,
                ..ViewOptions::default()
            },
        })
    }
}

impl SwitchArgs {
    fn switches(&self) -> Switches {
        let Self {
            no_fog,
            no_water,
            no_reflection,
            no_sea,
            no_sky,
            clouds,
            no_decal,
            no_detail,
            no_lightmap,
            no_models,
            no_lod,
            overlay: _,
        } = *self;
        Switches {
            fog: !no_fog,
            water: !no_water,
            water_reflection: !no_reflection,
            sea_beyond_edge: !no_sea,
            sky: !no_sky,
            clouds,
            decal: !no_decal,
            detail: !no_detail,
            lightmap: !no_lightmap,
            models: !no_models,
            lod: !no_lod,
        }
    }

    /// For each overlay of the level, whether it was asked for.
    fn overlays(&self, level: &LoadedLevel) -> Result<Vec<bool>, AppError> {
        let mut shown = vec![false; level.scene.overlays.len()];
        for name in &self.overlay {
            let index = level
                .scene
                .overlay_index(name)
                .ok_or_else(|| AppError::NoOverlay {
                    name: name.clone(),
                    known: known_overlays(level),
                })?;
            shown[index] = true;
        }
        Ok(shown)
    }
}

fn known_overlays(level: &LoadedLevel) -> String {
    match &*level.scene.overlays {
        [] => "none".to_owned(),
        overlays => {
            let names: Vec<_> = overlays.iter().map(|overlay| &*overlay.name).collect();
            names.join(", ")
        }
    }
}

/// Refuses what could not be written in the end, before anything is opened.
fn check_picture_path(path: &Path, existing: Existing) -> Result<(), AppError> {
    let is_png = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    if !is_png {
        return Err(AppError::NotPng {
            path: path.to_owned(),
        });
    }
    Ok(check_writable(path, existing)?)
}

fn print_frame_times(times: &[Duration], answer: &mut dyn Write) -> Result<(), AppError> {
    let Some(summary) = FrameSummary::of(times.iter().copied()) else {
        // The window was closed before the first frame.
        return Ok(());
    };
    let FrameSummary {
        n_frames,
        min,
        median,
        p99,
        max,
        total: _,
    } = summary;
    writeln!(
        answer,
        "frames  min ms  median ms  p99 ms  max ms  frames/s"
    )?;
    writeln!(
        answer,
        "{n_frames:6}  {:6.2}  {:9.2}  {:6.2}  {:6.2}  {:8.1}",
        millis(min),
        millis(median),
        millis(p99),
        millis(max),
        summary.frames_per_sec(),
    )?;
    Ok(())
}

fn one_or_four() -> impl TypedValueParser<Value = u32> {
    PossibleValuesParser::new(["1", "4"]).try_map(|text| text.parse())
}

fn parse_fov(text: &str) -> Result<f32, &'static str> {
    text.parse()
        .ok()
        .filter(|degrees| (10.0..=150.0).contains(degrees))
        .ok_or("write an angle of 10 to 150 degrees")
}

fn parse_finite(text: &str) -> Result<f32, &'static str> {
    text.parse()
        .ok()
        .filter(|number: &f32| number.is_finite())
        .ok_or("write a number as in 2.5")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_times_print_as_a_table() {
        let mut answer = Vec::new();
        let times = [2, 4, 3].map(Duration::from_millis);
        print_frame_times(&times, &mut answer).unwrap();
        let lines: Vec<_> = std::str::from_utf8(&answer).unwrap().lines().collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].len(), lines[1].len(), "columns line up");
        let columns: Vec<_> = lines[1].split_whitespace().collect();
        assert_eq!(columns, ["3", "2.00", "3.00", "4.00", "4.00", "333.3"]);
    }

    #[test]
    fn only_png_names_are_taken_for_pictures() {
        let folder = tempfile::tempdir().unwrap();
        let check = |name: &str| check_picture_path(&folder.path().join(name), Existing::Keep);
        assert!(check("a.PNG").is_ok());
        for wrong in ["a.jpg", "png", "a"] {
            assert!(
                matches!(check(wrong), Err(AppError::NotPng { .. })),
                "{wrong}"
            );
        }
    }

    #[test]
    fn numbers_are_finite() {
        assert_eq!(parse_finite("-2.5"), Ok(-2.5));
        for wrong in ["nan", "inf", "1e99", "soon", ""] {
            assert!(parse_finite(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn fields_of_view_have_bounds() {
        assert_eq!(parse_fov("90"), Ok(90.0));
        for wrong in ["9", "151", "NaN", "wide"] {
            assert!(parse_fov(wrong).is_err(), "{wrong}");
        }
    }
}
