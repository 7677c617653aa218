//! `ironlands demo`: runs the program that builds the demo levels.

use std::env::consts::EXE_SUFFIX;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;

use clap::Args;

use crate::error::AppError;
use crate::kind::Verdict;

const EXAMPLES: &str = "\
Examples:
  ironlands demo
          Build DATA in the current folder, where `--level DATA/MAPS/Map01` finds it.
  ironlands demo --to /tmp/demo && ironlands --level /tmp/demo/MAPS/Map02
          Build them somewhere else and open the second.

The files are identical on every machine. Existing files with the same content are left untouched; if existing
files differ, nothing is written without --force.

A separate program, ironlands-demo, builds the levels; it must be in the same folder as this one.";

/// What `ironlands demo` takes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct DemoArgs {
    /// Output folder; created if it does not exist.
    #[arg(long, value_name = "DIR", default_value = "DATA")]
    to: PathBuf,

    /// Overwrite existing files that differ.
    #[arg(long)]
    force: bool,
}

/// Runs the demo program, which prints what was written, and ends as it ends.
///
/// # Errors
/// If it is not there or cannot be started. It prints errors of its own.
pub fn run(args: &DemoArgs, out: &mut dyn Write) -> Result<Verdict, AppError> {
    out.flush()?;
    let own = std::env::current_exe().map_err(|source| AppError::StartDemo {
        path: "ironlands-demo".into(),
        source,
    })?;
    let path = own.with_file_name(format!("ironlands-demo{EXE_SUFFIX}"));
    let mut program = Command::new(&path);
    program.arg("--to").arg(&args.to);
    if args.force {
        program.arg("--force");
    }
    let status = program.status().map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => AppError::NoDemoProgram { path },
        _ => AppError::StartDemo { path, source },
    })?;
    match status.success() {
        true => Ok(Verdict::Done),
        false => std::process::exit(status.code().unwrap_or(2)),
    }
}
