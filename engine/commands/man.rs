//! `ironlands man --to DIR`: manual pages of the program and all of its commands.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;

use super::convert::Files;
use crate::cli::documented;
use crate::console::output::{Existing, write_files};
use crate::console::plain;
use crate::error::AppError;
use crate::kind::{Registry, Verdict};

const EXAMPLES: &str = "\
Examples:
  ironlands man --to ~/.local/share/man/man1
          Install the pages, so that `man ironlands` and `man ironlands-render` find them.";

/// What `ironlands man` takes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ManArgs {
    /// Output folder; created if it does not exist.
    #[arg(long, value_name = "DIR")]
    to: PathBuf,

    /// Overwrite existing pages.
    #[arg(long)]
    force: bool,
}

/// Writes a page for the program and one for each command, and prints their names.
///
/// # Errors
/// If files are in the way or cannot be written.
pub fn run(args: &ManArgs, registry: &Registry, out: &mut dyn Write) -> Result<Verdict, AppError> {
    let mut command = documented(registry).disable_help_subcommand(true);
    command.build();
    let mut pages = Files::new();
    add_pages(command, &args.to, &mut pages)?;
    let existing = match args.force {
        true => Existing::Replace,
        false => Existing::Keep,
    };
    for (path, _) in &pages {
        crate::console::output::make_folder_of(path)?;
    }
    write_files(&pages, existing)?;
    for (path, _) in &pages {
        writeln!(out, "{}", plain::path(path))?;
    }
    Ok(Verdict::Done)
}

/// The page of a command and of those that it has.
fn add_pages(command: Command, folder: &Path, pages: &mut Files) -> Result<(), AppError> {
    for subcommand in command.get_subcommands() {
        add_pages(subcommand.clone(), folder, pages)?;
    }
    let page = Man::new(command);
    let mut text = Vec::new();
    page.render(&mut text)?;
    pages.push((folder.join(page.get_filename()), text));
    Ok(())
}
