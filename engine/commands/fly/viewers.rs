//! `ironlands view`, `render`, `record` and `bench`: the viewer's options as commands, each with those that it needs.

use std::path::PathBuf;

use clap::{Arg, Args, Command};

use super::FlyArgs;
use crate::console::input_path;
use crate::kind::{AnyWorldKind, OpenOptions};

/// Examples of the help that name no world.
pub const VIEW_EXAMPLES: &str = "\
  ironlands view DATA/MAPS/Map01
          Fly through a level; `ironlands DATA/MAPS/Map01` is the same.
  ironlands view DATA/bases.rlb/WALKER.MSH
          View a model by itself: drag to turn it.
";
pub const RENDER_EXAMPLES: &str = "\
  ironlands render DATA/MAPS/Map01 --to map01.png --size 1920x1080
          Render a level from where it opens.
  ironlands render DATA/MAPS/Map01 --camera 600,600,80,45,-20 --to hills.png
          The same from a camera of your choice.
  ironlands render DATA/MAPS/Map01 --compare DATA/MAPS/Map02 --to both.png
          Render two levels side by side, from the same camera.
";
pub const RECORD_EXAMPLES: &str = "\
  ironlands record DATA/MAPS/Map01 --play flight.cam --to frames --fps 25
          Render the path as frames/frame-0000.png and so on.
";
pub const BENCH_EXAMPLES: &str = "\
  ironlands bench DATA/MAPS/Map01 --frames 300 --offscreen
          Print a table of frame times along a circle: minimum, median and p99.
";

/// What the help says after them.
pub const NOTES: &str = "\
`ironlands --help` lists exit codes and environment variables.";

/// The identifier of their path.
pub const PATH: &str = "path";

/// Changes the declarations of [`View`] to those of a command.
pub type Declare = fn(Command) -> Command;

/// The commands, and what each declares.
pub const COMMANDS: [(&str, Declare); 4] = [
    ("view", |command| {
        let unused = ["render", "record", "fps", "frames", "time", "force"];
        shaped(command, &unused)
    }),
    ("render", |command| {
        let unused = [
            "record",
            "fps",
            "frames",
            "offscreen",
            "no_vsync",
            "is_looped",
            "frame_budget",
        ];
        shaped(command, &unused).mut_arg("render", is_output)
    }),
    ("record", |command| {
        let unused = [
            "render",
            "frames",
            "offscreen",
            "no_vsync",
            "is_looped",
            "compare",
            "mode",
            "camera",
            "frame_budget",
        ];
        shaped(command, &unused)
            .mut_arg("record", is_output)
            .mut_arg("play", |arg| arg.required(true))
    }),
    ("bench", |command| {
        let unused = ["render", "record", "fps", "force", "pick", "compare"];
        shaped(command, &unused).mut_arg("frames", |arg| arg.default_value("300"))
    }),
];

/// What the viewing commands take: a level or model to show, and how.
#[derive(Debug, Args)]
pub struct View {
    /// Level, model or mission to open: a folder, a file, or an entry of an archive. A folder that contains exactly one
    /// level opens that level.
    #[arg(id = PATH, value_name = "PATH", value_parser = input_path(), group = "subject")]
    _path: Option<PathBuf>,

    #[command(flatten)]
    pub args: FlyArgs,

    /// Options of each world.
    #[arg(skip)]
    pub options: OpenOptions,

    /// The options of worlds that were given, with their dashes.
    #[arg(skip)]
    pub given: Vec<(&'static dyn AnyWorldKind, Vec<String>)>,
}

impl View {
    /// What the options of the engine and of worlds say; one of the engine's has the path.
    pub fn new(
        args: FlyArgs,
        options: OpenOptions,
        given: Vec<(&'static dyn AnyWorldKind, Vec<String>)>,
    ) -> Self {
        Self {
            _path: None,
            args,
            options,
            given,
        }
    }
}

/// A command whose help shows neither the options that its path stands for nor those that it does not use.
fn shaped(command: Command, unused: &[&str]) -> Command {
    let usage = format!("ironlands {} [OPTIONS] <PATH>", command.get_name());
    let is_hidden = |id: &str| ["level", "model"].contains(&id) || unused.contains(&id);
    let hide = |arg: Arg| {
        let is_hidden = arg.is_hide_set() || is_hidden(arg.get_id().as_str());
        arg.hide(is_hidden)
    };
    command.override_usage(usage).mut_args(hide)
}

/// Where pictures go, by the name that all commands have for it.
fn is_output(arg: Arg) -> Arg {
    arg.long("to").required(true)
}
