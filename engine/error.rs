//! Why a command could not do its work: while doing what, to which file, and what can be done about it.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::assets::bytes::FormatError;
use crate::assets::format::{ArchiveError, ConversionError};
use crate::assets::inspect::InspectError;
use crate::assets::vfs::path_in_archive;
use crate::console::interrupt::Interrupted;
use crate::console::output::OutputError;
use crate::console::{error_chain, plain};
use crate::exchange::conversion::ModelImportError;
use crate::kind::{CommandError, OpenError, Registry};
use crate::renderer::RenderError;
use crate::words::{line, tr};

/// Why a command could not do its work; exit code 2.
#[derive(Debug, Error)]
pub enum AppError {
    // Prints with its path and cause.
    #[error("cannot open the level: {0}")]
    OpenLevel(OpenError),
    // Prints with its path and cause.
    #[error("cannot open the model: {0}")]
    OpenModel(OpenError),
    #[error("the {of} has no overlay {name:?}; it has {known}")]
    NoOverlay {
        of: &'static str,
        name: String,
        known: String,
    },
    #[error("the land has no coloring {name:?}; it has {known}")]
    NoColoring { name: String, known: String },
    #[error("the pick {x},{y} is not in a picture of {width}x{height}")]
    PickOutside {
        x: f32,
        y: f32,
        width: u32,
        height: u32,
    },
    #[error("no model has {what} {wanted}; there are {known}")]
    NoChoice {
        what: &'static str,
        wanted: u8,
        known: String,
    },
    #[error("the model has no animation {wanted}; it has {known}")]
    NoAnimation { wanted: String, known: String },
    #[error("{option} is for models with several animations, and this one has none")]
    NotAnimated { option: &'static str },
    #[error("{level} has no light named {wanted:?}; it has {known}")]
    NoLight {
        level: String,
        wanted: String,
        known: String,
    },
    #[error("the light of {level} is the same at all hours: it has no day")]
    NoDay { level: String },
    #[error("the model has no frame {frame}; its last is {last}")]
    NoFrame { frame: f32, last: f32 },
    #[error("cannot open a graphics device")]
    OpenGpu(#[source] RenderError),
    #[error("cannot put the level {level} on the graphics device")]
    Upload {
        level: String,
        #[source]
        source: RenderError,
    },
    #[error("cannot draw")]
    Draw(#[source] RenderError),
    #[error("cannot open a window: {}", without_source_place(&.0.to_string()))]
    OpenWindow(winit::error::OsError),
    #[error("cannot work with the window system: {}", without_source_place(&.0.to_string()))]
    EventLoop(winit::error::EventLoopError),
    #[error("nothing written")]
    Output(#[from] OutputError),
    // One file of several: prints as its cause.
    #[error(transparent)]
    OneFile(OutputError),
    #[error("only {n_written} of {n_files} files are in {}", folder.display())]
    PartlyWritten {
        folder: PathBuf,
        n_written: usize,
        n_files: usize,
        #[source]
        source: Box<AppError>,
    },
    #[error("{n_written} of {n_files} files are in {}, {n_broken} could not be unpacked", folder.display())]
    PartlyUnpacked {
        folder: PathBuf,
        n_written: usize,
        n_files: usize,
        n_broken: usize,
    },
    #[error("{} is no camera path; expected {expected}", path.display())]
    UnknownCameraPath { path: PathBuf, expected: String },
    #[error("{} is no camera path", path.display())]
    CameraPath {
        path: PathBuf,
        #[source]
        source: Box<FormatError>,
    },
    // Ctrl-C, or a signal of the system: which of them is not known.
    #[error("stopped")]
    Stopped,
    #[error("stopped: {n_written} of {n_frames} pictures are in {}", folder.display())]
    StoppedRecording {
        folder: PathBuf,
        n_written: u32,
        n_frames: u32,
    },
    #[error("cannot record {}", path.display())]
    RecordSound {
        path: PathBuf,
        source: ironlands_sound::SoundError,
    },
    #[error("cannot record {}", path.display())]
    RecordVideo {
        path: PathBuf,
        source: crate::recording::VideoError,
    },
    #[error("{secs} seconds are more than {most} pictures; a smaller --fps makes fewer")]
    TooManyFrames { secs: f32, most: u32 },
    #[error("cannot listen for Ctrl-C and signals")]
    WatchInterrupt(#[source] ctrlc::Error),
    #[error("cannot unpack {}", path.display())]
    Unzip {
        path: PathBuf,
        #[source]
        source: zip::result::ZipError,
    },
    #[error("the settings are not kept: {} is broken in line {line}", path.display())]
    BrokenSettings { path: PathBuf, line: usize },
    #[error("cannot read {}", path.display())]
    Read {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    // Prints with its path and cause.
    #[error("cannot look at {0}")]
    Inspect(InspectError),
    #[error("{} is or holds nothing of a known format; known are those of {worlds}", path.display())]
    NothingKnown { path: PathBuf, worlds: String },
    #[error("{} could not be read; the reason stands above", path.display())]
    Unread { path: PathBuf },
    #[error("cannot check {reason}")]
    NotToBeRead { reason: String },
    #[error("{n_unchecked} of {n_paths} paths could not be checked")]
    Unchecked { n_unchecked: usize, n_paths: usize },
    #[error(
        "the demo levels are built by a program of their own, and {} is not there; `cargo build --release -p ironlands-demo-program` builds it",
        path.display()
    )]
    NoDemoProgram { path: PathBuf },
    #[error("cannot start {}", path.display())]
    StartDemo {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("the name must end in {expected}: {}", path.display())]
    NotExchanged { path: PathBuf, expected: String },
    #[error("cannot export {} to {}: {what} files are exported to {possible}", path.display(), to.display())]
    NoOpenForm {
        path: PathBuf,
        what: &'static str,
        possible: String,
        to: PathBuf,
    },
    #[error("cannot import {} from {}: {what} files are imported from {possible}", to.display(), path.display())]
    NoGameForm {
        path: PathBuf,
        what: &'static str,
        possible: String,
        to: PathBuf,
    },
    #[error("cannot convert {}", path.display())]
    Convert {
        path: PathBuf,
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    #[error("{} is a level, which cannot be written as .{extension}", path.display())]
    NotForLevel { path: PathBuf, extension: String },
    #[error("{0}")]
    UnusedOption(&'static str),
    // Prints with its path; its cause follows.
    #[error(transparent)]
    ImportModel(ModelImportError),
    #[error("cannot make {}: what was made cannot be read; nothing was written", path.display())]
    MadeUnreadable {
        path: PathBuf,
        #[source]
        source: Box<FormatError>,
    },
    // Prints with its path and cause.
    #[error("cannot take files out: {0}")]
    Archive(ArchiveError),
    #[error("{} is no archive that files can be packed into; an existing one is given by --archive, and the name of a new one must give its format", path.display())]
    NoPacker { path: PathBuf },
    #[error("cannot put files into {}", path.display())]
    Pack {
        path: PathBuf,
        #[source]
        source: Box<ConversionError>,
    },
    #[error("{} has no entry {name:?}, and none below a folder of that name; `ironlands info` lists them", archive.display())]
    NoEntry { archive: PathBuf, name: String },
    #[error("the name of {} is no text that an archive can hold", path.display())]
    NotText { path: PathBuf },
    #[error("cannot write the results to stdout")]
    Stdout(#[from] io::Error),
    // Prints as its cause.
    #[error(transparent)]
    Common(CommandError),
    // Prints with its path and cause.
    #[error("cannot find the level: {0}")]
    LevelOfOptions(OpenError),
    #[error("{option} is for {what}")]
    OptionOfOthers { option: String, what: &'static str },
}

impl AppError {
    /// Nothing of a known format is at a path.
    pub fn nothing_known(path: &Path, registry: &Registry) -> Self {
        let worlds: Vec<_> = registry.kinds().map(|kind| kind.name()).collect();
        Self::NothingKnown {
            path: path.to_owned(),
            worlds: worlds.join(", "),
        }
    }

    /// The same error, after some of the files of a run were written; nothing else reports these.
    pub fn after_some(self, folder: &Path, n_written: usize, n_files: usize) -> Self {
        if n_written == 0 {
            return self;
        }
        // "Nothing written" would be wrong; its cause says enough.
        Self::PartlyWritten {
            folder: folder.to_owned(),
            n_written,
            n_files,
            source: Box::new(match self {
                Self::Output(error) => Self::OneFile(error),
                error => error,
            }),
        }
    }

    /// The error and its causes in one line, outermost first.
    pub fn chain(&self) -> String {
        error_chain(self)
    }

    /// Prints the chain once, on stderr. What can be done about it stands in the errors themselves.
    pub fn print(&self) {
        // Without stderr the error cannot be reported.
        let (word, text) = (tr("error"), line(&self.chain()));
        let _ = writeln!(io::stderr(), "{word}: {}", plain::line(&text));
        for path in self.choices() {
            let _ = writeln!(io::stderr(), "  {}", plain::path(path));
        }
    }

    /// Paths of which one must be chosen.
    pub fn choices(&self) -> &[PathBuf] {
        match self {
            Self::OpenLevel(OpenError::SeveralLevels { levels, .. }) => levels,
            _ => &[],
        }
    }

    /// Whether something is there that is no level, and may be browsed.
    pub fn is_no_level(&self) -> bool {
        match self {
            Self::OpenLevel(OpenError::NotExpected { .. }) => true,
            // A member of an archive, of which worlds know levels and models alone.
            Self::OpenLevel(OpenError::NotFound { path, .. }) => path_in_archive(path).is_some(),
            _ => false,
        }
    }
}

impl From<CommandError> for AppError {
    fn from(error: CommandError) -> Self {
        match error {
            CommandError::Stopped | CommandError::Open(OpenError::Stopped) => Self::Stopped,
            CommandError::Stdout(error) => Self::Stdout(error),
            CommandError::Output(error) => Self::Output(error),
            error => Self::Common(error),
        }
    }
}

impl From<Interrupted> for AppError {
    fn from(Interrupted: Interrupted) -> Self {
        Self::Stopped
    }
}

/// What the window library says, without the line of its own source that it begins with.
fn without_source_place(text: &str) -> &str {
    text.strip_prefix("os error at ")
        .and_then(|rest| rest.split_once(": "))
        .map_or(text, |(_place, reason)| reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_after_some_files_does_not_say_that_none_are_there() {
        let full = || {
            AppError::from(OutputError::Io {
                path: "out/d".into(),
                source: io::ErrorKind::StorageFull.into(),
            })
        };
        let none = full().after_some(Path::new("out"), 0, 9).chain();
        assert_eq!(
            none,
            "nothing written: out/d cannot be written: no storage space"
        );
        let some = full().after_some(Path::new("out"), 3, 9).chain();
        let reported = "only 3 of 9 files are in out: out/d cannot be written: no storage space";
        assert_eq!(some, reported);
    }

    #[test]
    fn errors_of_the_window_library_begin_with_no_place_in_its_source() {
        for (said, reported) in [
            ("os error at /a/winit/src/x11/mod.rs:94: no X: 7", "no X: 7"),
            (r"os error at C:\winit\window.rs:3: no window", "no window"),
            (
                "EventLoop can't be recreated",
                "EventLoop can't be recreated",
            ),
        ] {
            assert_eq!(without_source_place(said), reported);
        }
    }
}
