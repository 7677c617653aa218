//! The command line and its help.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use glam::Vec3;
use ironlands::assets_loader::unpack::DEFAULT_LIMIT;
use ironlands::assets_loader::vfs::as_on_disk;
use ironlands::camera::Pose;

use crate::commands::{
    check::CheckArgs,
    demo::DemoArgs,
    export::ExportArgs,
    extract::ExtractArgs,
    fly::FlyArgs,
    geodata::{GeodataArgs, convert::ConvertArgs},
    import::ImportArgs,
    info::InfoArgs,
    pack::PackArgs,
};
use crate::wrong_name::what_to_type;

const EXAMPLES: &str = "\
Examples:
  ironlands --level DATA/MAPS/Map01
          Open the level in a window and fly through it; F1 shows the keys.
  ironlands --level DATA/MAPS/Map01 --render map01.png --size 1920x1080
          Render one picture without a window.
  ironlands --level DATA/MAPS/Map01 --camera 600,600,80,45,-20 --render hills.png
          The same from a camera of your choice.
  ironlands --level DATA/SOURCE/demo.bsp --mode walk
          Walk through a Source engine map; --assets names the folder of its game.
  ironlands --mission DATA/MISSIONS/single.01
          Open the level of a mission, with the objects of that mission.
  ironlands --level Maps/zone1.mpr --hour 19:30 --play Cameras/intro.cam
          Open an Evil Islands zone in the evening and play a camera path; --record DIR renders it to numbered pictures.
  ironlands --level DATA/LINEAGE2 --water-level -3780
          Open Lineage II geodata, one region or a folder of them; a second click finds the path from the first.
  ironlands --model DATA/bases.rlb/WALKER.MSH
          View a model: drag to turn it; the panel plays its animation.
  ironlands --model DATA/EVIL_ISLANDS/Res/figures.res/unhuma.mod --animation cwalk01 --complection 0.2,0.8,1
          View a figure; the panel controls its build, animations and parts.
  ironlands --model DATA/bases.rlb/WALKER.MSH --frame 12 --turn 90 --render walker.png
          Render one frame of it from another side, without a window.
  ironlands check DATA
          Validate every file of a game folder; the exit code is 1 if there are faults.
  ironlands info DATA/MAPS/Map01/Land.msh
          Describe a file.
  ironlands demo --to demo-data
          Build the demo levels.
  ironlands export bases.rlb/WALKER.MSH --to walker.glb
          Write a model as glTF; `ironlands import` converts it back.
  ironlands convert geodata --to l2j -o l2j
          Convert Lineage II geodata to another format.
  ironlands geodata map geodata --to world.png
          Render it from above; `ironlands geodata --help` lists queries and comparisons.

Exit codes:
  0  done
  1  the answer is no: `check` found faults, `geodata` found no path or found differences
  2  the command failed; the reason is on stderr

Environment:
  RUST_LOG                  log filter, such as `ironlands=debug`; overrides -v
  WGPU_BACKEND              graphics API to use: vulkan, metal, dx12
  DISPLAY, WAYLAND_DISPLAY  where windows open; if neither is set, a picture is rendered instead

Results go to stdout, progress and log messages to stderr.";

/// Options that may stand before a command as well.
const ANYWHERE: [&str; 2] = ["verbose", "unpack_limit"];

/// Opens levels and models of old games in a 3D viewer, and queries, validates and converts their files.
///
/// What a level is depends on its game. Parkan: Iron Strategy: a folder such as DATA/MAPS/Map01 with Land.msh and
/// Land.map in it, shown with the objects of its first mission unless --mission or --bare is given. Source engine: a
/// map, *.bsp. Evil Islands: a zone, *.mpr. Lineage II: a geodata region such as 22_22.l2j, or a folder of regions. A
/// folder that contains exactly one level opens that level; if there are several, they are listed. Levels open in a
/// window; without a display, the level is rendered to a PNG file.
#[derive(Debug, Parser)]
#[command(name = "ironlands", version, after_long_help = EXAMPLES)]
#[command(after_help = "See `ironlands --help` for details, examples and exit codes.")]
#[command(subcommand_negates_reqs = true, arg_required_else_help = true)]
#[command(
    override_usage = "ironlands --level PATH [OPTIONS]\n       ironlands --mission PATH [OPTIONS]\n       ironlands --model FILE [OPTIONS]\n       ironlands COMMAND ..."
)]
pub struct Cli {
    /// Command to run instead of opening a level or model.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Log more to stderr: -v for progress, -vv for details, -vvv for everything.
    #[arg(short, long, action = ArgAction::Count, global = true)]
    pub verbose: u8,

    /// Maximum unpacked size of a file in MiB, including everything packed inside it; always at least 64 times the
    /// size of the file. Protects against small files that unpack to gigabytes.
    #[arg(long, value_name = "MIB", global = true, default_value_t = DEFAULT_LIMIT >> 20)]
    pub unpack_limit: u64,

    /// Options of the viewer, which runs if there is no command.
    #[command(flatten)]
    pub fly: FlyArgs,
}

impl Cli {
    /// Reads the command line; ends the program with help or an error where there is nothing to do.
    pub fn from_env() -> Self {
        let parsed = Self::command()
            .try_get_matches()
            .map_err(with_what_to_type)
            .and_then(|matches| Self::from_checked_matches(&matches));
        parsed.unwrap_or_else(|error| error.exit())
    }

    /// Flying options before a command would be ignored; those of all commands are fine, so clap cannot tell them
    /// apart.
    fn from_checked_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut command = Self::command();
        command.build();
        if let Some(subcommand) = matches.subcommand_name() {
            let stray = command.get_arguments().find(|arg| {
                let id = arg.get_id().as_str();
                !ANYWHERE.contains(&id)
                    && matches.value_source(id) == Some(ValueSource::CommandLine)
            });
            if let Some(stray) = stray {
                let message = format!(
                    "{stray} is of no use to `{subcommand}`: put options after the command"
                );
                return Err(command.error(ErrorKind::ArgumentConflict, message));
            }
        }
        Self::from_arg_matches(matches)
    }
}

/// A path in place of a command is answered with the option or command that takes it.
fn with_what_to_type(error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    match what_to_type(Path::new(typed)) {
        Some(message) => Cli::command().error(ErrorKind::InvalidSubcommand, message),
        None => error,
    }
}

/// A file or folder to read, in whatever case it is typed.
pub fn input_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(|path| as_on_disk(&path))
}

/// What the program does beside viewing.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Validate files and levels.
    Check(CheckArgs),
    /// Describe a file or level.
    Info(InfoArgs),
    /// Build the demo levels.
    Demo(DemoArgs),
    /// Convert models to glTF or OBJ, levels to glTF or VMF, and other files to interchange formats.
    Export(ExportArgs),
    /// Convert glTF, OBJ and other interchange formats to game files.
    Import(ImportArgs),
    /// Extract files from an archive or from a Source map.
    Extract(ExtractArgs),
    /// Pack files into a Source map or a RES archive.
    Pack(PackArgs),
    /// Convert Lineage II geodata to another format.
    Convert(ConvertArgs),
    /// Query, render and compare Lineage II geodata.
    Geodata(GeodataArgs),
}

/// Width and height of a picture, written as 1280x720.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(pub [u32; 2]);

impl FromStr for Size {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let side = |text: &str| text.parse::<u32>().ok().filter(|side| *side > 0);
        text.split_once(['x', 'X'])
            .and_then(|(width, height)| Some(Self([side(width)?, side(height)?])))
            .ok_or("write width and height in pixels as in 1280x720")
    }
}

/// A camera, written as x,y,z,yaw,pitch in level units and degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraArg(pub Pose);

impl FromStr for CameraArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers: Vec<f32> = text
            .split(',')
            .map_while(|number| number.trim().parse().ok())
            .filter(|number: &f32| number.is_finite())
            .collect();
        match (&*numbers, text.split(',').count()) {
            (&[x, y, z, yaw, pitch], 5) => Ok(Self(Pose::new(
                Vec3::new(x, y, z),
                yaw.to_radians(),
                pitch.to_radians(),
            ))),
            _ => Err(
                "write five numbers x,y,z,yaw,pitch, angles in degrees, as in 600,600,80,45,-20",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_holds_together() {
        Cli::command().debug_assert();
    }

    fn parse(args: &[&str]) -> Result<Cli, clap::Error> {
        let args = ["ironlands"].iter().chain(args);
        Cli::command()
            .try_get_matches_from(args)
            .map_err(with_what_to_type)
            .and_then(|matches| Cli::from_checked_matches(&matches))
    }

    #[test]
    fn flying_options_and_commands_exclude_each_other() {
        assert!(parse(&["--level", "x"]).is_ok());
        assert!(parse(&["check", "x"]).is_ok());
        let error = parse(&["--size", "4x4", "check", "x"]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ArgumentConflict);
        assert!(error.to_string().contains("--size"), "{error}");
        let error = parse(&["--size", "4x4"]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MissingRequiredArgument);
    }

    #[test]
    fn one_thing_is_opened() {
        for args in [
            &["--level", "x", "--bare"][..],
            &["--level", "x", "--mission", "y"],
            &["--mission", "y"],
            &[
                "--model", "m", "--frame", "3", "--turn", "-90", "--state", "1", "--lod", "0",
            ],
            &[
                "--model",
                "unhufe",
                "--animation",
                "cidle",
                "--complection",
                "-0.5,0,1",
            ],
            &["--level", "x", "--play", "all", "--rate", "20"],
        ] {
            assert!(parse(args).is_ok(), "{args:?}");
        }
        for args in [
            &["--level", "x", "--model", "m"][..],
            &["--mission", "y", "--model", "m"],
            &["--mission", "y", "--bare"],
            &["--model", "m", "--bare"],
            &["--model", "m", "--no-models"],
            &["--model", "m", "--play", "all"],
            &["--model", "m", "--mode", "walk"],
            &["--model", "m", "--height-scale", "2"],
            &["--model", "m", "--camera", "1,2,3,4,5", "--turn", "90"],
            &["--level", "x", "--frame", "3"],
            &["--level", "x", "--turn", "90"],
            &["--level", "x", "--animation", "cidle"],
            &["--mission", "x", "--complection", "0,0,0"],
        ] {
            let error = parse(args).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ArgumentConflict, "{args:?}");
        }
        for alone in [&["--bare"][..], &["--frame", "3"]] {
            let error = parse(alone).unwrap_err();
            assert_eq!(
                error.kind(),
                ErrorKind::MissingRequiredArgument,
                "{alone:?}"
            );
        }
    }

    #[test]
    fn verbosity_counts_before_and_after_a_command() {
        for args in [
            ["-vv", "check", "x"],
            ["check", "-vv", "x"],
            ["check", "x", "-vv"],
        ] {
            assert_eq!(parse(&args).unwrap().verbose, 2, "{args:?}");
        }
    }

    #[test]
    fn the_unpack_limit_is_taken_before_and_after_a_command() {
        for args in [
            &["--unpack-limit", "4096", "check", "x"][..],
            &["check", "x", "--unpack-limit", "4096"],
            &["--level", "x", "--unpack-limit", "4096"],
        ] {
            assert_eq!(parse(args).unwrap().unpack_limit, 4096, "{args:?}");
        }
        assert_eq!(parse(&["check", "x"]).unwrap().unpack_limit, 96);
    }

    #[test]
    fn sizes_are_two_numbers_above_zero() {
        assert_eq!("1280x720".parse(), Ok(Size([1280, 720])));
        for wrong in ["", "1280", "x", "0x720", "12x-3", "12x3x4", "1e3x2"] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_camera_is_five_finite_numbers_with_angles_in_degrees() {
        let CameraArg(pose) = "600, 600.5,-80,90,-45".parse().unwrap();
        assert_eq!(pose.position, Vec3::new(600.0, 600.5, -80.0));
        assert!((pose.yaw_rad - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
        assert!((pose.pitch_rad + std::f32::consts::FRAC_PI_4).abs() < 1e-6);
        for wrong in [
            "",
            "1,2,3,4",
            "1,2,3,4,5,6",
            "1,2,3,4,x",
            "1,2,3,4,nan",
            "1,inf,3,4,5",
        ] {
            assert!(wrong.parse::<CameraArg>().is_err(), "{wrong}");
        }
    }
}
