//! `ironlands completions SHELL`: a script that completes commands and options.

use std::io::Write;

use clap::Args;
use clap_complete::{Shell, generate};

use crate::cli::documented;
use crate::error::AppError;
use crate::kind::{Registry, Verdict};

const EXAMPLES: &str = "\
Examples:
  ironlands completions bash > ~/.local/share/bash-completion/completions/ironlands
          Complete in new bash shells.
  ironlands completions zsh > ~/.zfunc/_ironlands
          Complete in zsh, if its `fpath` has the folder ~/.zfunc.";

/// What `ironlands completions` takes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// Shell to complete in.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints the script.
///
/// # Errors
/// If the output cannot be written.
pub fn run(
    args: &CompletionsArgs,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Verdict, AppError> {
    // The generator panics where it cannot write.
    let mut script = Vec::new();
    generate(
        args.shell,
        &mut documented(registry),
        "ironlands",
        &mut script,
    );
    out.write_all(&script)?;
    Ok(Verdict::Done)
}
