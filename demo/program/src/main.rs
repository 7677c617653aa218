//! `ironlands-demo`: builds the demo levels. A program of its own, so that the viewer is built without their makers.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use clap::Parser;
use ironlands_assets_core::vfs;
use ironlands_demo::DemoError;
use ironlands_world_kind::console::interrupt::{
    end_on_signals, interrupt_flag, watch_for_interrupt,
};
use ironlands_world_kind::console::output::{Existing, OutputError, write_file};
use ironlands_world_kind::console::progress::Steps;

/// Build the demo levels. The files are identical on every machine.
#[derive(Debug, Parser)]
#[command(name = "ironlands-demo", version)]
struct Args {
    /// Output folder; created if it does not exist.
    #[arg(long, value_name = "DIR", default_value = "DATA")]
    to: PathBuf,

    /// Overwrite existing files that differ.
    #[arg(long)]
    force: bool,
}

/// Why the demo levels are not there.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("cannot listen for Ctrl-C and signals")]
    Signals(#[source] Box<dyn Error>),
    #[error("cannot build the demo levels")]
    Demo(#[source] Box<DemoError>),
    #[error("stopped")]
    Stopped,
    #[error("cannot read {}", path.display())]
    Read {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("{} is there already and differs; nothing was written, --force replaces it", path.display())]
    InTheWay { path: PathBuf },
    #[error("cannot make the folder {}", folder.display())]
    MakeFolder {
        folder: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("only {n_written} of {n_files} files are in {}", folder.display())]
    Partly {
        folder: PathBuf,
        n_written: usize,
        n_files: usize,
        #[source]
        source: Box<Self>,
    },
    #[error("cannot print")]
    Print(#[from] io::Error),
}

fn main() -> ExitCode {
    let args = Args::parse();
    match build(&args, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let mut text = failure.to_string();
            let mut cause = failure.source();
            while let Some(inner) = cause {
                text.push_str(&format!(": {inner}"));
                cause = inner.source();
            }
            // Without stderr the error cannot be reported.
            let _ = writeln!(io::stderr(), "error: {text}");
            ExitCode::from(2)
        }
    }
}

/// Builds the levels, writes what is not there yet, and prints how much that was.
fn build(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    end_on_signals().map_err(|error| Failure::Signals(error.into()))?;
    watch_for_interrupt();
    let steps = Steps::begin();
    let files = ironlands_demo::files(&mut |doing| steps.report(doing))
        .map_err(|error| Failure::Demo(error.into()))?;
    check_interrupt()?;
    let mut outdated = Vec::new();
    for (name, bytes) in &files {
        let path = args.to.join(name);
        match presence(&path, bytes)? {
            Presence::Same => {}
            Presence::Different if !args.force => return Err(Failure::InTheWay { path }),
            Presence::Missing | Presence::Different => outdated.push((path, bytes)),
        }
    }
    if !outdated.is_empty() {
        steps.report(&format!("writing {} files", outdated.len()));
    }
    for (n_written, (path, bytes)) in outdated.iter().enumerate() {
        let failed = |source| match n_written {
            0 => source,
            _ => Failure::Partly {
                folder: args.to.clone(),
                n_written,
                n_files: outdated.len(),
                source: Box::new(source),
            },
        };
        write(path, bytes).map_err(failed)?;
    }
    steps.end();
    let n_bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    writeln!(
        out,
        "{}: {} files, {:.1} MB; {} written, {} were there already",
        args.to.display(),
        files.len(),
        n_bytes as f64 / 1e6,
        outdated.len(),
        files.len() - outdated.len(),
    )?;
    Ok(())
}

fn check_interrupt() -> Result<(), Failure> {
    match interrupt_flag().load(Ordering::Relaxed) {
        true => Err(Failure::Stopped),
        false => Ok(()),
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    check_interrupt()?;
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(|source| Failure::MakeFolder {
        folder: folder.to_owned(),
        source,
    })?;
    Ok(write_file(path, Existing::Replace, bytes)?)
}

/// What is where a file shall be.
enum Presence {
    Missing,
    Same,
    Different,
}

fn presence(path: &Path, bytes: &[u8]) -> Result<Presence, Failure> {
    match vfs::read(path) {
        Ok(found) if found == bytes => Ok(Presence::Same),
        Ok(_) => Ok(Presence::Different),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Presence::Missing),
        Err(source) => Err(Failure::Read {
            path: path.to_owned(),
            source,
        }),
    }
}
