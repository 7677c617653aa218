//! `ironlands demo`: builds the demo levels.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use ironlands::assets_loader::vfs;
use ironlands::output::{Existing, write_file};

use super::make_folder_of;
use crate::Verdict;
use crate::error::AppError;
use crate::headless::{check_interrupt, watch_for_interrupt};
use crate::plain;
use crate::progress::Steps;

const EXAMPLES: &str = "\
Examples:
  ironlands demo
          Build DATA in the current folder, where `--level DATA/MAPS/Map01` finds it.
  ironlands demo --to /tmp/demo && ironlands --level /tmp/demo/MAPS/Map02
          Build them somewhere else and open the second.
  ironlands demo && ironlands geodata map DATA/LINEAGE2 --to map.png
          Render the two geodata regions from above.

The files are identical on every machine. Existing files with the same content are left untouched; if existing
files differ, nothing is written without --force.";

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

/// Builds the demo levels and prints what was written.
///
/// # Errors
/// If files are in the way or cannot be written.
pub fn run(args: &DemoArgs, answer: &mut dyn Write) -> Result<Verdict, AppError> {
    watch_for_interrupt();
    let steps = Steps::begin();
    let files = ironlands::demo::files(&mut |doing| steps.tell(doing))
        .map_err(|error| AppError::Demo(Box::new(error)))?;
    check_interrupt()?;

    let mut outdated = Vec::new();
    for (name, bytes) in &files {
        let path = args.to.join(name);
        match presence(&path, bytes)? {
            Presence::Same => {}
            Presence::Different if !args.force => {
                return Err(AppError::DemoInTheWay { path });
            }
            Presence::Missing | Presence::Different => outdated.push((path, bytes)),
        }
    }
    if !outdated.is_empty() {
        steps.tell(&format!("writing {} files", outdated.len()));
    }
    for (n_written, (path, bytes)) in outdated.iter().enumerate() {
        let written = check_interrupt()
            .and_then(|()| make_folder_of(path))
            .and_then(|()| Ok(write_file(path, Existing::Replace, bytes)?));
        written.map_err(|error| error.after_some(&args.to, n_written, outdated.len()))?;
    }
    steps.end();

    let n_bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    writeln!(
        answer,
        "{}: {} files, {:.1} MB; {} written, {} were there already",
        plain::path(&args.to),
        files.len(),
        n_bytes as f64 / 1e6,
        outdated.len(),
        files.len() - outdated.len(),
    )?;
    Ok(Verdict::Done)
}

/// What is where a file shall be.
enum Presence {
    Missing,
    Same,
    Different,
}

fn presence(path: &Path, bytes: &[u8]) -> Result<Presence, AppError> {
    match vfs::read(path) {
        Ok(found) if found == bytes => Ok(Presence::Same),
        Ok(_) => Ok(Presence::Different),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Presence::Missing),
        Err(source) => Err(AppError::Read {
            path: path.to_owned(),
            source,
        }),
    }
}
