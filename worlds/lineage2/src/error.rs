//! Why something of this world could not be done.

use std::io;
use std::path::PathBuf;

use crate::TooManyPolygons;
use crate::edit::{EditError, JournalError};
use crate::server::{PlaceError, ServerFileError, UnknownDoor};
use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_lineage2::{FolderError, OutsideWorld};
use ironlands_exchange::ExportError;
use ironlands_sim_geodata::GeodataError;
use ironlands_sim_geodata::nav_mesh::NavMeshError;
use ironlands_world_kind::console::interrupt::Interrupted;
use ironlands_world_kind::console::output::OutputError;
use ironlands_world_kind::{CommandError, OpenError};
use thiserror::Error;

/// Why geodata could not be opened, or a command on it failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Lineage2Error {
    /// What all worlds and commands have in common.
    #[error(transparent)]
    Common(#[from] CommandError),
    /// Files that were looked for or loaded.
    #[error("cannot open the geodata")]
    Geodata(#[source] FolderError),
    /// A region has two files and no one said which format counts.
    #[error("{0}; --from chooses a format, or name one of the files")]
    RegionTwice(FolderError),
    /// The height of the sea is no number.
    #[error("a water level of {value} is not a number")]
    BadWaterLevel {
        /// The requested height.
        value: f32,
    },
    /// A path leads to something else.
    #[error(
        "{} is no geodata; expected a region of Lineage II geodata such as 22_16.l2j or 22_16_conv.dat, or a folder of them",
        path.display()
    )]
    NoGeodata {
        /// The requested path.
        path: PathBuf,
    },
    /// Regions are there, but none in the requested format.
    #[error("{} has no region in the format {format}", path.display())]
    NoFormat {
        /// The folder.
        path: PathBuf,
        /// The format.
        format: &'static str,
    },
    /// A point lies in a region that is not there.
    #[error("the point {point} is in region {region}, which has no file in {}; near it: {known}", path.display())]
    NoRegion {
        /// The requested point.
        point: String,
        /// Its region.
        region: String,
        /// The folder.
        path: PathBuf,
        /// Regions that are there.
        known: String,
    },
    /// A query refused its input.
    #[error("the query has no result")]
    Query(#[source] GeodataError),
    /// Regions could not be edited.
    #[error("the regions cannot be edited")]
    Edit(#[from] EditError),
    /// A level has a journal that was neither recovered nor discarded.
    #[error("edits of an earlier session were not saved: recover or discard them first")]
    EditInterrupted,
    /// A line of a file of edits.
    #[error("{}: line {line}", path.display())]
    EditLine {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The journal of an edit.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A file of a server is no XML.
    #[error("{}", path.display())]
    ServerFile {
        /// The file.
        path: PathBuf,
        /// Why, and where.
        #[source]
        source: Box<ServerFileError>,
    },
    /// A file of places has another form.
    #[error("{}", path.display())]
    Places {
        /// The file.
        path: PathBuf,
        /// Why, and where.
        #[source]
        source: PlaceError,
    },
    /// A door that no file has.
    #[error(transparent)]
    Door(#[from] UnknownDoor),
    /// A navigation mesh cannot be made.
    #[error(transparent)]
    NavMesh(#[from] NavMeshError),
    /// A navigation mesh does not fit into a file.
    #[error(transparent)]
    TooManyPolygons(#[from] TooManyPolygons),
    /// Zones could not be made.
    #[error("cannot make {}", path.display())]
    KeepZones {
        /// Their file.
        path: PathBuf,
        /// Why.
        #[source]
        source: Box<FormatError>,
    },
    /// A region could not be converted.
    #[error("cannot convert {}", path.display())]
    ConvertRegion {
        /// Its file.
        path: PathBuf,
        /// Why.
        #[source]
        source: Box<FormatError>,
    },
    /// Some regions could not be converted.
    #[error("{n_written} of {n_files} regions are in {}, the others are not converted", folder.display())]
    Unconverted {
        /// Where they are.
        folder: PathBuf,
        /// Regions that were written.
        n_written: usize,
        /// All regions.
        n_files: usize,
    },
    /// Ctrl-C, or a signal of the system.
    #[error("stopped: {n_written} of {n_files} regions are in {}", folder.display())]
    StoppedConverting {
        /// Where they are.
        folder: PathBuf,
        /// Regions that were written.
        n_written: usize,
        /// All regions.
        n_files: usize,
    },
    /// Some regions could not be compared.
    #[error("{n_broken} of {n_regions} regions could not be compared; the reasons stand above")]
    Uncompared {
        /// Those that could not be read.
        n_broken: usize,
        /// All regions.
        n_regions: usize,
    },
    /// A picture would take too much memory.
    #[error("the map would have {width} x {height} pixels; --scale {scale} makes it small enough")]
    MapTooLarge {
        /// Pixels.
        width: usize,
        /// Pixels.
        height: usize,
        /// Cells along a side of a pixel.
        scale: usize,
    },
    /// A file of triangles would take too much memory.
    #[error(
        "the land of {n_regions} regions is too large for one file; export fewer of them, or one at a time"
    )]
    LandTooLarge {
        /// All regions.
        n_regions: usize,
    },
    /// The land cannot be written as glTF.
    #[error("the land cannot be exported")]
    ExportLand(#[from] ExportError),
    /// A line of queries is no line.
    #[error("a line of the input has more than {max_bytes} bytes")]
    LongLine {
        /// The most that one may have.
        max_bytes: usize,
    },
    /// An array of queries ends within one.
    #[error("the input ends {n_left} bytes into a row of {size}")]
    CutRow {
        /// Bytes of the last row.
        n_left: usize,
        /// Bytes that a row has.
        size: usize,
    },
    /// Two sets have nothing in common.
    #[error("no region is in both, so there is nothing to draw")]
    NothingInBoth,
    /// A file or folder cannot be looked at.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

impl Lineage2Error {
    /// A point that no region can have.
    pub fn outside(error: OutsideWorld) -> Self {
        Self::Query(error.into())
    }

    /// Arguments that do not go with one another.
    pub fn arguments(why: &str) -> Self {
        CommandError::Arguments(why.to_owned()).into()
    }

    /// Ctrl-C, or a signal of the system.
    pub fn stopped() -> Self {
        CommandError::Stopped.into()
    }
}

impl From<OutputError> for Lineage2Error {
    fn from(error: OutputError) -> Self {
        CommandError::from(error).into()
    }
}

impl From<io::Error> for Lineage2Error {
    fn from(error: io::Error) -> Self {
        CommandError::from(error).into()
    }
}

impl From<OpenError> for Lineage2Error {
    fn from(error: OpenError) -> Self {
        CommandError::from(error).into()
    }
}

impl From<Interrupted> for Lineage2Error {
    fn from(interrupted: Interrupted) -> Self {
        CommandError::from(interrupted).into()
    }
}

impl From<Lineage2Error> for CommandError {
    fn from(error: Lineage2Error) -> Self {
        match error {
            Lineage2Error::Common(error) => error,
            error => Self::from_world(error),
        }
    }
}

impl From<Lineage2Error> for OpenError {
    fn from(error: Lineage2Error) -> Self {
        match error {
            Lineage2Error::Common(CommandError::Stopped) => Self::Stopped,
            Lineage2Error::Common(CommandError::Open(error)) => error,
            // These print with their causes, as all errors of opening do.
            Lineage2Error::Geodata(FolderError::Io { path, error }) => Self::Io { path, error },
            Lineage2Error::Geodata(FolderError::Format { path, error }) => {
                Self::Format { path, error }
            }
            error => Self::from_world(error),
        }
    }
}
