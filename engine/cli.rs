//! The command line and its help.

mod declared;
mod language;
mod localized;
mod opening;
mod refusal;
mod values;

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, FromArgMatches, Parser, Subcommand};

use self::declared::command;
pub use self::language::{documented, take_language};
use self::language::{language_codes, spoken};
pub use self::values::{CameraArg, Size};
use crate::assets::unpack::DEFAULT_LIMIT;
use crate::commands::{
    check::CheckArgs, completions::CompletionsArgs, demo::DemoArgs, export::ExportArgs,
    extract::ExtractArgs, fly::FlyArgs, fly::View, import::ImportArgs, info::InfoArgs,
    man::ManArgs, pack::PackArgs,
};
use crate::headless::has_display;
use crate::kind::{AnyWorldKind, CommandLine, OpenOptions, Registry};

/// Options that may stand before a command as well.
const ANYWHERE: [&str; 3] = ["verbose", "unpack_limit", "language"];

/// Opens levels and models of old games in a 3D viewer, and queries, validates and converts their files.
#[derive(Debug, Parser)]
#[command(name = "ironlands", version)]
#[command(after_help = "See `ironlands --help` for details, examples and exit codes.")]
#[command(subcommand_negates_reqs = true, arg_required_else_help = true)]
#[command(
    override_usage = "ironlands PATH [OPTIONS]\n       ironlands --level PATH [OPTIONS]\n       ironlands --model FILE [OPTIONS]\n       ironlands COMMAND ..."
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

    /// Language of help, messages and the window; by default that of the window's settings, or else the system's.
    #[arg(id = "language", long, value_name = "LANG", global = true, value_parser = language_codes())]
    _language: Option<String>,

    /// Options of `view`, which also runs if there is no command.
    #[command(flatten)]
    pub fly: FlyArgs,
}

/// What is to be done.
#[derive(Debug)]
pub enum Task {
    /// Nothing but the start screen.
    Start,
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
        let (_, options) = take_language(std::env::args_os().skip(1));
        if let Some(verbose) = options.iter().map(|it| verbosity(it)).sum()
            && has_display()
        {
            return Self {
                verbose,
                unpack_limit: DEFAULT_LIMIT >> 20,
                task: Task::Start,
            };
        }
        let parsed = Self::parse(std::env::args_os(), registry);
        parsed.unwrap_or_else(|error| refusal::exit(error))
    }

    /// Ends the program as a command line without arguments does where no window can be opened.
    pub fn exit_without_arguments(registry: &Registry) -> ! {
        let program = [OsString::from("ironlands")];
        let error = Self::parse(program, registry).expect_err("a request for help");
        refusal::exit(error)
    }

    /// Reads a command line, the program's name first.
    ///
    /// # Errors
    /// A request for help, and an invalid command line.
    pub fn parse(
        args: impl IntoIterator<Item = OsString>,
        registry: &Registry,
    ) -> Result<Self, clap::Error> {
        let args = args.into_iter().collect();
        let matches = opening::matches(args, registry)?;
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
                Some(
                    Command::View(view)
                    | Command::Render(view)
                    | Command::Record(view)
                    | Command::Bench(view),
                ) => {
                    let (_, matches) = matches.subcommand().expect("the command that was read");
                    Task::Command(Command::View(read_view(view.args, matches, registry)?))
                }
                Some(command) => Task::Command(command),
                None => Task::Command(Command::View(read_view(cli.fly, &matches, registry)?)),
            },
        })
    }
}

/// How much more an option has logged; `None` if it is another one.
fn verbosity(option: &OsStr) -> Option<u8> {
    let option = option.to_str()?;
    let letters = option.strip_prefix('-').filter(|it| it.starts_with('v'));
    match (option, letters) {
        ("--verbose", _) => Some(1),
        (_, Some(letters)) if letters.bytes().all(|it| it == b'v') => letters.len().try_into().ok(),
        _ => None,
    }
}

/// What `ironlands view PATH` shows.
pub fn view_of(path: &Path, registry: &Registry) -> Box<View> {
    let words = ["ironlands", "view", "--"].map(OsString::from);
    let line = words.into_iter().chain([path.into()]);
    let invocation = Invocation::parse(line, registry).expect("every path may be typed there");
    match invocation.task {
        Task::Command(Command::View(view)) => view,
        task => unreachable!("`view` is read as {task:?}"),
    }
}

/// What is to be shown, from the options of the engine and of all worlds.
fn read_view(
    args: FlyArgs,
    matches: &ArgMatches,
    registry: &Registry,
) -> Result<Box<View>, clap::Error> {
    let given = given_options(matches, registry);
    refuse_options_of_others(&args, &given, registry)?;
    let options = options_of(matches, registry, args.options())?;
    Ok(Box::new(View::new(args, options, given)))
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
    let mut command = spoken(registry);
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
            return Err(spoken(registry).error(ErrorKind::ArgumentConflict, message));
        }
    }
    Ok(())
}

/// The commands of the engine, in the order of the help.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show a level or model in a window, as `ironlands PATH` does.
    View(Box<View>),
    /// Render one picture to a PNG file.
    Render(Box<View>),
    /// Render a camera path to numbered pictures.
    Record(Box<View>),
    /// Measure how long frames take.
    Bench(Box<View>),
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
    /// Print a script that completes commands and options in a shell.
    Completions(CompletionsArgs),
    /// Write the manual pages of all commands.
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

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
    fn options_that_only_log_more_leave_the_start_screen() {
        for (option, more) in [("-v", Some(1)), ("-vvv", Some(3)), ("--verbose", Some(1))] {
            assert_eq!(verbosity(option.as_ref()), more);
        }
        for option in ["", "-", "v", "-vx", "--version", "--level", "-V", "DATA"] {
            assert_eq!(verbosity(option.as_ref()), None, "{option}");
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
}
