//! Paths that stand alone: `ironlands PATH` and `ironlands view PATH` open what the path is.
//!
//! They are read as the command and the option that the path is for, so that one set of declarations checks them all.

use std::ffi::OsString;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use clap::ArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::{command, spoken};
use crate::assets::vfs::{as_on_disk, path_in_archive};
use crate::commands::fly;
use crate::headless::has_display;
use crate::kind::Registry;

/// The command that shows levels and models.
const VIEW: &str = "view";
/// The command for all else, where there is no window.
const INFO: &str = "info";

/// The matches of a command line, in which paths may stand alone.
pub fn matches(mut args: Vec<OsString>, registry: &Registry) -> Result<ArgMatches, clap::Error> {
    let command_name = match spoken(registry).try_get_matches_from(with_subject(&args, registry)) {
        Ok(matches) => return Ok(matches),
        Err(error) => for_path(error, registry)?,
    };
    args.insert(1, command_name.into());
    spoken(registry).try_get_matches_from(with_subject(&args, registry))
}

/// The command that opens a path which was typed in place of a command.
fn for_path(error: clap::Error, registry: &Registry) -> Result<&'static str, clap::Error> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else {
        return Err(error);
    };
    let path = as_on_disk(Path::new(typed));
    if path.exists() || path_in_archive(&path).is_some() {
        return Ok(match option_of(&path, registry) {
            Some(_) => VIEW,
            // The window browses files; without one they are described.
            None if has_display() => VIEW,
            None => INFO,
        });
    }
    let is_path = typed.contains(['/', MAIN_SEPARATOR, '.']);
    Err(match is_path {
        true => {
            let message = format!("{} does not exist", path.display());
            spoken(registry).error(ErrorKind::InvalidSubcommand, message)
        }
        false => error,
    })
}

/// The option that opens a path; `None` for what is no level or model, and holds none.
fn option_of(path: &Path, registry: &Registry) -> Option<&'static str> {
    let found = registry.recognize(path).ok().flatten();
    let option = found.and_then(|(_, found)| found.opener.option());
    let holds_levels = || path.is_dir() && !registry.levels_below(path).is_empty();
    option.or_else(|| holds_levels().then_some("--level"))
}

/// The command line with the option that the path of a [viewing command](fly::COMMANDS) is for.
fn with_subject(args: &[OsString], registry: &Registry) -> Vec<OsString> {
    let mut args = args.to_vec();
    // What is wrong with them is said when all is read.
    let partial = command(registry).ignore_errors(true);
    let matches = partial.try_get_matches_from(&args);
    let Some((name, matches)) = matches.as_ref().ok().and_then(ArgMatches::subcommand) else {
        return args;
    };
    if !fly::COMMANDS.iter().any(|(command, _)| *command == name) {
        return args;
    }
    let Some(path) = matches.get_one::<PathBuf>(fly::PATH) else {
        return args;
    };
    // What cannot be shown is reported as a level is.
    let mut option = OsString::from(option_of(path, registry).unwrap_or("--level"));
    option.push("=");
    option.push(path);
    let place = args.iter().position(|arg| *arg == *name);
    args.insert(place.map_or(args.len(), |place| place + 1), option);
    args
}
