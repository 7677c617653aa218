//! Why a command could not do its work: while doing what, to which file, and what can be done about it.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ironlands::assets_loader::archive::ArchiveError;
use ironlands::assets_loader::bytes::FormatError;
use ironlands::assets_loader::format::ConversionError;
use ironlands::assets_loader::inspect::InspectError;
use ironlands::assets_loader::level::LevelError;
use ironlands::assets_loader::lineage2::{FolderError, OutsideWorld};
use ironlands::exchange::{ExportError, ImportError};
use ironlands::output::OutputError;
use ironlands::renderer::RenderError;
use ironlands::sim::geodata::GeodataError;
use thiserror::Error;

use crate::plain;

/// Why a command could not do its work; exit code 2.
#[derive(Debug, Error)]
pub enum AppError {
    // Prints with its path and cause.
    #[error("cannot open the level: {0}")]
    OpenLevel(LevelError),
    // Prints with its path and cause.
    #[error("{0}; --from chooses it, or name one of the files")]
    LevelRegionTwice(LevelError),
    // Prints with its path and cause.
    #[error("cannot open the model: {0}")]
    OpenModel(LevelError),
    // Prints with its path and cause.
    #[error("cannot find the mission's level: {0}")]
    LevelOfMission(LevelError),
    #[error("{} is a model, no level; --model looks at it", path.display())]
    ModelNotLevel { path: PathBuf },
    #[error("{} is a mission, no level; --mission opens the level that it is played on", path.display())]
    MissionNotLevel { path: PathBuf },
    #[error("{} is no mission; below it are missions such as {missions}", path.display())]
    MissionsBelow { path: PathBuf, missions: String },
    #[error("cannot answer questions about {}", path.display())]
    IndexLevel {
        path: PathBuf,
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    #[error("the {of} has no overlay {name:?}; it has {known}")]
    NoOverlay {
        of: &'static str,
        name: String,
        known: String,
    },
    #[error("the land has no look {name:?}; it has {known}")]
    NoLook { name: String, known: String },
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
    #[error("the figure has no animation {wanted}; it has {known}")]
    NoAnimation { wanted: String, known: String },
    #[error("{option} is for figures, and this model is none")]
    NotAFigure { option: &'static str },
    #[error("{level} has no light of the region {wanted:?}; it has {known}")]
    NoRegionLight {
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
    #[error("pictures are written as PNG, so the name must end in .png: {}", path.display())]
    NotPng { path: PathBuf },
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
    #[error("{} is no camera path", path.display())]
    CameraPath {
        path: PathBuf,
        #[source]
        source: Box<FormatError>,
    },
    // Ctrl-C, or a signal of the system: which of them is not told.
    #[error("stopped")]
    Stopped,
    #[error("stopped: {n_written} of {n_frames} pictures are in {}", folder.display())]
    StoppedRecording {
        folder: PathBuf,
        n_written: u32,
        n_frames: u32,
    },
    #[error("{secs} seconds are more than {most} pictures; a smaller --fps makes fewer")]
    TooManyFrames { secs: f32, most: u32 },
    #[error("cannot listen for Ctrl-C and signals")]
    WatchInterrupt(#[source] ctrlc::Error),
    #[error("cannot read {}", path.display())]
    Read {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    // Prints with its path and cause.
    #[error("cannot look at {0}")]
    Inspect(InspectError),
    #[error(
        "{} is or holds nothing of a known format: Land.msh, Land.map, *.wea, BuildDat.lst, NRes and RsLi libraries, Source maps and their files, RES archives of Evil Islands and what is in them, geodata of Lineage II",
        path.display()
    )]
    NothingKnown { path: PathBuf },
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
    #[error("cannot make the folder {}", folder.display())]
    MakeFolder {
        folder: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("the name must end in {expected}: {}", path.display())]
    NotExchanged {
        path: PathBuf,
        expected: &'static str,
    },
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
        source: Box<ConversionError>,
    },
    #[error("cannot read {}", path.display())]
    BrokenArchive {
        path: PathBuf,
        #[source]
        source: Box<FormatError>,
    },
    #[error("{} is a level, which cannot be written as {extension}", path.display())]
    NotForLevel {
        path: PathBuf,
        extension: &'static str,
    },
    #[error("{0}")]
    StrayOption(&'static str),
    #[error("cannot export {}", path.display())]
    Export {
        path: PathBuf,
        #[source]
        source: Box<ExportError>,
    },
    #[error("cannot import {}", path.display())]
    Import {
        path: PathBuf,
        #[source]
        source: Box<ImportError>,
    },
    #[error("cannot make a model of {}", path.display())]
    BuildModel {
        path: PathBuf,
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    #[error("cannot make {}: what was made cannot be read; nothing was written", path.display())]
    MadeUnreadable {
        path: PathBuf,
        #[source]
        source: Box<FormatError>,
    },
    #[error("cannot use {} as the base", path.display())]
    FigureBase {
        path: PathBuf,
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    // Prints with its path and cause.
    #[error("cannot take files out: {0}")]
    Archive(ArchiveError),
    #[error("{} has no entry {name:?}, and none below a folder of that name; `ironlands info` lists them", archive.display())]
    NoEntry { archive: PathBuf, name: String },
    #[error("cannot put files into {}", path.display())]
    Pack {
        path: PathBuf,
        #[source]
        source: Box<FormatError>,
    },
    #[error("cannot decompile {}", path.display())]
    Decompile {
        path: PathBuf,
        #[source]
        source: Box<FormatError>,
    },
    // Prints with its path and cause.
    #[error("cannot open the geodata: {0}")]
    OpenGeodata(LevelError),
    #[error("cannot open the geodata")]
    Geodata(#[source] FolderError),
    #[error("{0}; --from chooses a format, or name one of the files")]
    RegionTwice(FolderError),
    #[error(
        "{} is {found}; expected a region of Lineage II geodata such as 22_16.l2j or 22_16_conv.dat, or a folder of them",
        path.display()
    )]
    NoGeodata { path: PathBuf, found: String },
    #[error("{} has no region in the format {format}", path.display())]
    NoFormat { path: PathBuf, format: &'static str },
    #[error("the point {point} is in region {region}, which is not in {}; near it: {known}", path.display())]
    NoRegion {
        point: String,
        region: String,
        path: PathBuf,
        known: String,
    },
    #[error("the question has no answer")]
    AskGeodata(#[source] GeodataError),
    #[error("cannot make {}", path.display())]
    KeepZones {
        path: PathBuf,
        #[source]
        source: Box<FormatError>,
    },
    #[error("cannot convert {}", path.display())]
    ConvertRegion {
        path: PathBuf,
        #[source]
        source: Box<FormatError>,
    },
    #[error("{n_written} of {n_files} regions are in {}, the others are not converted", folder.display())]
    Unconverted {
        folder: PathBuf,
        n_written: usize,
        n_files: usize,
    },
    #[error("stopped: {n_written} of {n_files} regions are in {}", folder.display())]
    StoppedConverting {
        folder: PathBuf,
        n_written: usize,
        n_files: usize,
    },
    #[error("{n_broken} of {n_regions} regions could not be compared; the reasons stand above")]
    Uncompared { n_broken: usize, n_regions: usize },
    #[error("the map would have {width} x {height} pixels; --scale {scale} makes it small enough")]
    MapTooLarge {
        width: usize,
        height: usize,
        scale: usize,
    },
    #[error(
        "the land of {n_regions} regions is too large for one file; export fewer of them, or one at a time"
    )]
    LandTooLarge { n_regions: usize },
    #[error("no region is in both, so there is nothing to draw")]
    NothingInBoth,
    #[error("the name of {} is no text that an archive can hold", path.display())]
    NotText { path: PathBuf },
    #[error("cannot write the answer to stdout")]
    Answer(#[from] io::Error),
}

impl AppError {
    /// The same error, after some of the files of a run were written; nothing else is there to be told of them.
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

    /// A point that no region can have.
    pub fn outside(error: OutsideWorld) -> Self {
        Self::AskGeodata(error.into())
    }

    /// The error and its causes in one line, outermost first.
    pub fn chain(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(inner) = cause {
            text.push_str(&format!(": {inner}"));
            cause = inner.source();
        }
        text
    }

    /// Prints the chain once, on stderr. What can be done about it stands in the errors themselves.
    pub fn print(&self) {
        // Without stderr there is nobody left to tell.
        let _ = writeln!(io::stderr(), "error: {}", plain::line(&self.chain()));
        for path in self.choices() {
            let _ = writeln!(io::stderr(), "  {}", plain::path(path));
        }
    }

    /// Paths of which one must be chosen.
    fn choices(&self) -> &[PathBuf] {
        match self {
            Self::OpenLevel(LevelError::SeveralLevels { levels, .. }) => levels,
            _ => &[],
        }
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
        let told = "only 3 of 9 files are in out: out/d cannot be written: no storage space";
        assert_eq!(some, told);
    }

    #[test]
    fn errors_of_the_window_library_begin_with_no_place_in_its_source() {
        for (said, told) in [
            ("os error at /a/winit/src/x11/mod.rs:94: no X: 7", "no X: 7"),
            (r"os error at C:\winit\window.rs:3: no window", "no window"),
            (
                "EventLoop can't be recreated",
                "EventLoop can't be recreated",
            ),
        ] {
            assert_eq!(without_source_place(said), told);
        }
    }
}
