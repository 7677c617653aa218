//! Commands of worlds.

use std::error::Error;
use std::io;

use clap::ArgMatches;
use thiserror::Error;

use crate::OpenError;
use crate::console::interrupt::Interrupted;
use crate::console::output::OutputError;

/// What a command that did its work says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Done; or: yes.
    Done,
    /// The result is no: errors were found, a path is blocked, two sets differ.
    No,
}

/// A command of a world: how its arguments are read, and what it does with them.
#[derive(Debug, Clone, Copy)]
pub struct CommandLine {
    /// The command with its arguments and help.
    pub command: fn() -> clap::Command,
    /// Does the work; results go to the writer, which is stdout.
    pub run: fn(&ArgMatches, &mut dyn io::Write) -> Result<Verdict, CommandError>,
}

impl CommandLine {
    /// What it is typed as.
    pub fn name(&self) -> String {
        (self.command)().get_name().to_owned()
    }
}

/// Why a command of a world could not do its work.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CommandError {
    /// A level could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A file could not be written, and none was.
    #[error("nothing written")]
    Output(#[from] OutputError),
    /// Ctrl-C, or a signal of the system.
    #[error("stopped")]
    Stopped,
    /// The results could not be written.
    #[error("cannot write the results to stdout")]
    Stdout(#[from] io::Error),
    /// The arguments do not go with one another.
    #[error("{0}")]
    Arguments(String),
    /// An error of its world alone.
    #[error(transparent)]
    OfWorld(Box<dyn Error + Send + Sync>),
}

impl CommandError {
    /// An error of its world alone.
    pub fn from_world(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::OfWorld(error.into())
    }
}

impl From<Interrupted> for CommandError {
    fn from(Interrupted: Interrupted) -> Self {
        Self::Stopped
    }
}

impl From<Interrupted> for OpenError {
    fn from(Interrupted: Interrupted) -> Self {
        Self::Stopped
    }
}
