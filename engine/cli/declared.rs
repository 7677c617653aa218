//! The declarations of the command line: the engine's own, what worlds add to them, and what the help says.

use std::collections::BTreeMap;

use clap::CommandFactory;

use super::Cli;
use crate::commands::convert::extensions_text;
use crate::commands::{check, export, extract, fly, import, info, pack};
use crate::kind::Registry;

/// What holds for levels of every world.
const ABOUT_LEVELS: &str = "A folder that contains exactly one level opens that level; if there are several, the \
    start screen shows them, or they are listed where there is no display. Without arguments, the start screen shows all \
    levels that are found. Levels open in a window; without a display, the level is rendered to a PNG file.";

const EXAMPLES: &str = "\
  ironlands DATA/MAPS/Map01
          Open the level in a window and fly through it; F1 shows the keys. `--level DATA/MAPS/Map01` does the same.
  ironlands render DATA/MAPS/Map01 --to map01.png --size 1920x1080
          Render one picture without a window.
  ironlands render DATA/MAPS/Map01 --camera 600,600,80,45,-20 --to hills.png
          The same from a camera of your choice.
";

/// What the help says of the viewer's options, which the commands list.
const MORE_OPTIONS: &str = "\
`ironlands view --help` lists all options of the picture, of levels and of each world.";

/// Options of the viewer that the help of the program lists itself.
const MAIN_OPTIONS: [&str; 14] = [
    "level",
    "model",
    "assets",
    "camera",
    "mode",
    "size",
    "style",
    "play",
    "render",
    "record",
    "frames",
    "verbose",
    "unpack_limit",
    "language",
];

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
  LC_ALL, LANG              language of help, messages and the window, unless --language or settings choose one
  IRONLANDS_SETTINGS        file of the window's settings in place of the user's own; empty for none
  IRONLANDS_CACHE           folder of the start screen's pictures in place of the user's own; empty for none
  DISPLAY, WAYLAND_DISPLAY  where windows open; if neither is set, a picture is rendered instead

Results go to stdout, progress and log messages to stderr.";

/// What the help of each command says after its options: examples that name no world, and what follows them.
const HELP: [(&str, &str, &str); 10] = [
    ("view", fly::VIEW_EXAMPLES, fly::NOTES),
    ("render", fly::RENDER_EXAMPLES, fly::NOTES),
    ("record", fly::RECORD_EXAMPLES, fly::NOTES),
    ("bench", fly::BENCH_EXAMPLES, fly::NOTES),
    ("check", check::EXAMPLES, check::NOTES),
    ("info", info::EXAMPLES, info::NOTES),
    ("extract", extract::EXAMPLES, extract::NOTES),
    ("pack", pack::EXAMPLES, pack::NOTES),
    ("export", export::EXAMPLES, export::NOTES),
    ("import", import::EXAMPLES, import::NOTES),
];

/// The command line with the options and commands of all worlds.
pub fn command(registry: &Registry) -> clap::Command {
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
    let own = Cli::command();
    let of_engine: Vec<_> = own.get_arguments().map(clap::Arg::get_id).collect();
    let is_listed = |id: &clap::Id| !of_engine.contains(&id) || MAIN_OPTIONS.contains(&id.as_str());
    command = command.mut_args(|arg| {
        let is_hidden = arg.is_hide_set() || !is_listed(arg.get_id());
        arg.hide(is_hidden)
    });
    for (name, shape) in fly::COMMANDS {
        command = command.mut_subcommand(name, |it| shape(add_options(it)));
    }
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
    command.after_long_help(format!("{MORE_OPTIONS}\n\n{examples}  {COMMAND_EXAMPLES}"))
}

/// The examples of a command, "" for the viewer: those that are given, and those of all worlds.
fn examples_text(command: &str, general: &str, registry: &Registry) -> String {
    let mut text = "Examples:\n".to_owned();
    if !general.is_empty() {
        // The constants have lost the indentation of their first line.
        text.push_str(&format!("  {general}"));
    }
    let examples = registry.kinds().flat_map(|kind| kind.examples());
    for example in examples.filter(|example| example.is_of(command)) {
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
