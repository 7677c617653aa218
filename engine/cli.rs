//! The command line and its help.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{MAIN_SEPARATOR, Path};
use std::str::FromStr;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use glam::Vec3;

use crate::assets::unpack::DEFAULT_LIMIT;
use crate::assets::vfs::{as_on_disk, path_in_archive};
use crate::camera::Pose;
use crate::commands::convert::extensions_text;
use crate::commands::{
    check, check::CheckArgs, demo::DemoArgs, export, export::ExportArgs, extract,
    extract::ExtractArgs, fly::FlyArgs, import, import::ImportArgs, info, info::InfoArgs, pack,
    pack::PackArgs,
};
use crate::kind::{AnyWorldKind, CommandLine, OpenOptions, Registry};

/// What holds for levels of every world.
const ABOUT_LEVELS: &str = "A folder that contains exactly one level opens that level; if there are several, they are \
    listed. Levels open in a window; without a display, the level is rendered to a PNG file.";

const EXAMPLES: &str = "\
  ironlands --level DATA/MAPS/Map01
          Open the level in a window and fly through it; F1 shows the keys.
  ironlands --level DATA/MAPS/Map01 --render map01.png --size 1920x1080
          Render one picture without a window.
  ironlands --level DATA/MAPS/Map01 --camera 600,600,80,45,-20 --render hills.png
          The same from a camera of your choice.
";

const COMMAND_EXAMPLES: &str = "\
  ironlands check DATA
          Validate every file of a game folder; the exit code is 1 if there are errors.
  ironlands info DATA/MAPS/Map01
          Describe a file or level.
  ironlands demo --to demo-data
          Build the demo levels.
  ironlands export DATA/MAPS/Map01 --to map01.glb
          Write a level as glTF; models are written likewise, and `ironlands import` converts them back.

Exit codes:
  0  done
  1  the result is negative: `check` found errors, there is no path, two sets differ
  2  the command failed; the reason is on stderr

Environment:
  RUST_LOG                  log filter, such as `ironlands=debug`; overrides -v
  WGPU_BACKEND              graphics API to use: vulkan, metal, dx12
  DISPLAY, WAYLAND_DISPLAY  where windows open; if neither is set, a picture is rendered instead

Results go to stdout, progress and log messages to stderr.";

/// What the help of each command says after its options: examples that name no world, and what follows them.
const HELP: [(&str, &str, &str); 6] = [
    ("check", check::EXAMPLES, check::NOTES),
    ("info", info::EXAMPLES, info::NOTES),
    ("extract", extract::EXAMPLES, extract::NOTES),
    ("pack", pack::EXAMPLES, pack::NOTES),
    ("export", export::EXAMPLES, export::NOTES),
    ("import", import::EXAMPLES, import::NOTES),
];

/// Options that may stand before a command as well.
const ANYWHERE: [&str; 2] = ["verbose", "unpack_limit"];

/// Opens levels and models of old games in a 3D viewer, and queries, validates and converts their files.
#[derive(Debug, Parser)]
#[command(name = "ironlands", version)]
#[command(after_help = "See `ironlands --help` for details, examples and exit codes.")]
#[command(subcommand_negates_reqs = true, arg_required_else_help = true)]
#[command(
    override_usage = "ironlands --level PATH [OPTIONS]\n       ironlands --model FILE [OPTIONS]\n       ironlands COMMAND ..."
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

/// A level or model to show, and how.
#[derive(Debug)]
pub struct View {
    /// Options of the engine.
    pub args: FlyArgs,
    /// Options of each world.
    pub options: OpenOptions,
    /// The options of worlds that were given, with their dashes.
    pub given: Vec<(&'static dyn AnyWorldKind, Vec<String>)>,
}

/// What is to be done.
#[derive(Debug)]
pub enum Task {
    /// Show a level or model.
    View(Box<View>),
    /// A command of the engine.
    Command(Command),
    /// A command of a world.
    OfWorld {
        line: CommandLine,
        matches: ArgMatches,
    },
}

/// A checked command line.
#[derive(Debug)]
pub struct Invocation {
    pub verbose: u8,
    pub unpack_limit: u64,
    pub task: Task,
}

impl Invocation {
    /// Reads the command line; ends the program with help or an error where there is nothing to do.
    pub fn from_env(registry: &Registry) -> Self {
        let parsed = Self::parse(std::env::args_os(), registry);
        parsed.unwrap_or_else(|error| error.exit())
    }

    /// Reads a command line, the program's name first.
    ///
    /// # Errors
    /// A request for help, and an invalid command line.
    pub fn parse(
        args: impl IntoIterator<Item = OsString>,
        registry: &Registry,
    ) -> Result<Self, clap::Error> {
        let matches = command(registry).try_get_matches_from(args);
        let matches = matches.map_err(|error| with_what_to_type(error, registry))?;
        refuse_options_before_commands(&matches, registry)?;
        let mut lines = registry.kinds().flat_map(|kind| kind.commands());
        let of_world = matches.subcommand().and_then(|(name, matches)| {
            let line = lines.find(|line| line.name() == name)?;
            Some((line, matches.clone()))
        });
        // Global options are copied down to commands; both levels say the same.
        if let Some((line, of_world)) = of_world {
            return Ok(Self {
                verbose: matches.get_count("verbose"),
                unpack_limit: unpack_limit(&matches),
                task: Task::OfWorld {
                    line,
                    matches: of_world,
                },
            });
        }
        let cli = Cli::from_arg_matches(&matches)?;
        Ok(Self {
            verbose: cli.verbose,
            unpack_limit: cli.unpack_limit,
            task: match cli.command {
                Some(Command::Export(mut args)) => {
                    let matches = matches.subcommand_matches("export");
                    let matches = matches.expect("the command that was read");
                    let options = OpenOptions::from_assets(args.assets.clone());
                    args.options = options_of(matches, registry, options)?;
                    args.given = given_options(matches, registry);
                    Task::Command(Command::Export(args))
                }
                Some(command) => Task::Command(command),
                None => {
                    let given = given_options(&matches, registry);
                    refuse_options_of_others(&cli.fly, &given, registry)?;
                    let options = options_of(&matches, registry, cli.fly.options())?;
                    Task::View(Box::new(View {
                        args: cli.fly,
                        options,
                        given,
                    }))
                }
            },
        })
    }
}

/// The command line with the options and commands of all worlds.
fn command(registry: &Registry) -> clap::Command {
    let add_options = |command: clap::Command| {
        let about = command.get_about().cloned().unwrap_or_default();
        let long_about = command.get_long_about().cloned();
        let kinds = registry.kinds();
        let command = kinds.fold(command, |command, kind| kind.add_options(command));
        // Adding options also takes what is documented of their type.
        match long_about {
            Some(long_about) => command.about(about).long_about(long_about),
            None => command.about(about).long_about(None),
        }
    };
    let mut command = add_options(Cli::command()).mut_subcommand("export", add_options);
    let about = command.get_about().cloned().unwrap_or_default();
    command = command.long_about(format!(
        "{about}\n\nA level is {}. {ABOUT_LEVELS}",
        registry.level_kinds()
    ));
    for (name, examples, notes) in HELP {
        let mut help = examples_text(name, examples, registry);
        if name == "export" || name == "import" {
            help.push_str(&interchange_text(registry));
        }
        let help = format!("{help}\n{notes}");
        command = command.mut_subcommand(name, |it| it.after_long_help(help));
    }
    for line in registry.kinds().flat_map(|kind| kind.commands()) {
        command = command.subcommand((line.command)());
    }
    let examples = examples_text("", EXAMPLES, registry);
    command.after_long_help(format!("{examples}  {COMMAND_EXAMPLES}"))
}

/// The examples of a command, "" for the viewer: those that are given, and those of all worlds.
fn examples_text(command: &str, general: &str, registry: &Registry) -> String {
    let mut text = "Examples:\n".to_owned();
    if !general.is_empty() {
        // The constants have lost the indentation of their first line.
        text.push_str(&format!("  {general}"));
    }
    let examples = registry.kinds().flat_map(|kind| kind.examples());
    for example in examples.filter(|example| example.command() == command) {
        text.push_str(&format!(
            "  {}\n          {}\n",
            example.line, example.effect
        ));
    }
    text
}

/// Which single files are converted to what: `.mob and .cam as .json`.
fn interchange_text(registry: &Registry) -> String {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for format in registry.formats().all() {
        if !format.conversions().is_empty() {
            let group = groups.entry(extensions_text(format)).or_default();
            group.extend(format.extensions().iter().map(|it| format!(".{it}")));
        }
    }
    let groups = groups.into_iter();
    let groups = groups.map(|(forms, files)| format!("{} as {forms}", files.join(" ")));
    let groups = groups.collect::<Vec<_>>().join("; ");
    format!(
        "\nSingle files and their interchange formats: {groups}.\n\
         If `ironlands import` reads the format, it restores the original file, byte for byte if that was valid.\n"
    )
}

fn unpack_limit(matches: &ArgMatches) -> u64 {
    let limit = matches.get_one("unpack_limit").copied();
    limit.unwrap_or(DEFAULT_LIMIT >> 20)
}

fn options_of(
    matches: &ArgMatches,
    registry: &Registry,
    options: OpenOptions,
) -> Result<OpenOptions, clap::Error> {
    let mut kinds = registry.kinds();
    kinds.try_fold(options, |options, kind| kind.read_options(matches, options))
}

fn given_options(
    matches: &ArgMatches,
    registry: &Registry,
) -> Vec<(&'static dyn AnyWorldKind, Vec<String>)> {
    let kinds = registry.kinds();
    kinds
        .map(|kind| (kind, kind.given_options(matches)))
        .collect()
}

/// Viewing options before a command would be ignored; those of all commands are fine, so clap cannot distinguish them.
fn refuse_options_before_commands(
    matches: &ArgMatches,
    registry: &Registry,
) -> Result<(), clap::Error> {
    let Some(subcommand) = matches.subcommand_name() else {
        return Ok(());
    };
    let mut command = command(registry);
    command.build();
    let misplaced = command.get_arguments().find(|arg| {
        let id = arg.get_id().as_str();
        !ANYWHERE.contains(&id) && matches.value_source(id) == Some(ValueSource::CommandLine)
    });
    let Some(misplaced) = misplaced else {
        return Ok(());
    };
    let message =
        format!("{misplaced} has no effect on `{subcommand}`: put options after the command");
    Err(command.error(ErrorKind::ArgumentConflict, message))
}

/// Options of worlds that are for levels, with a model, or for models, with a level.
fn refuse_options_of_others(
    args: &FlyArgs,
    given: &[(&'static dyn AnyWorldKind, Vec<String>)],
    registry: &Registry,
) -> Result<(), clap::Error> {
    for (kind, options) in given {
        let (others, what) = match args.is_model() {
            true => (kind.level_options(), "levels"),
            false => (kind.model_options(), "models"),
        };
        if let Some(misplaced) = options.iter().find(|it| others.contains(&it.as_str())) {
            let message = format!("{misplaced} is for {what}");
            return Err(command(registry).error(ErrorKind::ArgumentConflict, message));
        }
    }
    Ok(())
}

/// For a path in place of a command, the error names the option or command that takes it.
fn with_what_to_type(error: clap::Error, registry: &Registry) -> clap::Error {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    match what_to_type(Path::new(typed), registry) {
        Some(message) => command(registry).error(ErrorKind::InvalidSubcommand, message),
        None => error,
    }
}

/// What to type for a path that was given without an option or a command; `None` for what looks like no path.
fn what_to_type(typed: &Path, registry: &Registry) -> Option<String> {
    let path = as_on_disk(typed);
    let quoted = match path.to_string_lossy() {
        text if text.contains(char::is_whitespace) => format!("\"{text}\""),
        text => text.into_owned(),
    };
    if !path.exists() && path_in_archive(&path).is_none() {
        let is_path = typed.to_string_lossy().contains(['/', MAIN_SEPARATOR, '.']);
        return is_path.then(|| {
            format!("{quoted} does not exist; a level is opened by `ironlands --level PATH`")
        });
    }
    let found = registry.recognize(&path).ok().flatten();
    let found = found.map(|(_, found)| found);
    let option = found.as_ref().and_then(|found| found.opener.option());
    let (what, command) = match (found, option) {
        (Some(found), Some(option)) => (found.description, option),
        _ if path.is_dir() && !registry.levels_below(&path).is_empty() => {
            ("a folder with levels".to_owned(), "--level")
        }
        (found, _) => {
            let what = found.map_or("no level or model".to_owned(), |found| found.description);
            (what, "info")
        }
    };
    Some(format!(
        "{quoted} is {what}: type `ironlands {command} {quoted}`"
    ))
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
    /// Convert models, levels and other files to interchange formats such as glTF.
    Export(ExportArgs),
    /// Convert glTF, OBJ and other interchange formats to game files.
    Import(ImportArgs),
    /// Extract files from an archive.
    Extract(ExtractArgs),
    /// Pack files into an archive.
    Pack(PackArgs),
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
        command(&registry()).debug_assert();
        command(&Registry::default()).debug_assert();
    }

    fn registry() -> Registry {
        crate::worlds::registry()
    }

    #[test]
    fn help_says_what_each_command_does_whatever_worlds_add() {
        let command = command(&registry());
        let about = |command: &clap::Command| {
            let about = command.get_about();
            about.map(ToString::to_string).unwrap_or_default()
        };
        assert_eq!(about(&command), about(&Cli::command()));
        for subcommand in Cli::command().get_subcommands() {
            let name = subcommand.get_name();
            let with_worlds = command.find_subcommand(name);
            assert_eq!(with_worlds.map(about), Some(about(subcommand)), "{name}");
        }
        for subcommand in command.get_subcommands() {
            let text = about(subcommand);
            assert!(!text.is_empty() && !text.starts_with("What"), "{text}");
        }
        let help = command.clone().render_long_help().to_string();
        let examples = help.lines().filter(|line| line.contains("ironlands --"));
        let examples =
            examples.filter(|line| !line.starts_with("Usage") && !line.starts_with("       "));
        for line in examples {
            assert!(line.starts_with("  ironlands"), "{line}");
        }
    }

    fn parse(args: &[&str]) -> Result<Invocation, clap::Error> {
        let args = ["ironlands"].iter().chain(args);
        Invocation::parse(args.map(OsString::from), &registry())
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
