//! Files of servers as the command line names them: doors, spawns, places.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use ironlands_assets_core::vfs;
use ironlands_sim_geodata::{GeoPoint, Geodata};
use ironlands_world_kind::console::input_path;
use ironlands_world_kind::console::plain;

use crate::Lineage2Error;
use crate::server::{DoorSet, Places, ServerFile};

/// How near to a place a point must be to be named after it, in points.
const NEAR_PLACE: i32 = 4000;

/// A file with what it has.
pub struct ReadFile {
    /// Where it is.
    pub path: PathBuf,
    /// What it has.
    pub file: ServerFile,
}

/// Reads XML files, and all below folders. What has no meaning is logged.
///
/// # Errors
/// If a file cannot be read or is no XML.
pub fn read_server_files(paths: &[PathBuf]) -> Result<Vec<ReadFile>, Lineage2Error> {
    let mut files = Vec::new();
    for path in paths {
        add_files(path, &mut files)?;
    }
    let read = files.into_iter().map(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let file = ServerFile::read(&read_bytes(&path)?, &name);
        let file = file.map_err(|source| Lineage2Error::ServerFile {
            path: path.clone(),
            source: Box::new(source),
        })?;
        for problem in &file.problems {
            log::warn!("{}: {problem}; left out", plain::path(&path));
        }
        Ok(ReadFile { path, file })
    });
    read.collect()
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, Lineage2Error> {
    vfs::read(path).map_err(|source| Lineage2Error::Read {
        path: path.to_owned(),
        source,
    })
}

/// A file, or all XML files below a folder, in the order of their names.
fn add_files(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Lineage2Error> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let read_error = |source| Lineage2Error::Read {
        path: path.to_owned(),
        source,
    };
    let entries = std::fs::read_dir(path).map_err(read_error)?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<Result<_, _>>().map_err(read_error)?;
    paths.sort();
    for path in paths {
        // Links to folders may lead in a circle.
        let is_folder = path.is_dir() && !path.is_symlink();
        if is_folder || is_xml(&path) && path.is_file() {
            add_files(&path, files)?;
        }
    }
    Ok(())
}

fn is_xml(path: &Path) -> bool {
    let ending = path.extension().unwrap_or(OsStr::new(""));
    ending.eq_ignore_ascii_case("xml")
}

/// Doors of XML files and folders of them, as they are at first. Those that cannot be put on the ground are logged.
///
/// # Errors
/// If a file cannot be read or is no XML.
pub fn read_doors(paths: &[PathBuf]) -> Result<DoorSet, Lineage2Error> {
    let files = read_server_files(paths)?;
    let doors = files.into_iter().flat_map(|it| it.file.doors);
    let (set, outside) = DoorSet::new(doors);
    for door in outside {
        log::warn!("{door}; left out");
    }
    Ok(set)
}

/// Doors over geodata.
#[derive(Debug, Args)]
pub struct DoorArgs {
    /// Close the doors of a server's XML files, or of a folder of them, as they are at first.
    #[arg(long, value_name = "FILES", value_parser = input_path())]
    doors: Vec<PathBuf>,

    /// Open doors by their ids, or all.
    #[arg(long, value_name = "IDS", value_delimiter = ',', requires = "doors")]
    open: Vec<DoorChoice>,

    /// Close doors by their ids, or all; after --open.
    #[arg(long, value_name = "IDS", value_delimiter = ',', requires = "doors")]
    close: Vec<DoorChoice>,
}

/// A door, or all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DoorChoice {
    All,
    One(u32),
}

impl FromStr for DoorChoice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim() {
            "all" => Ok(Self::All),
            id => id
                .parse()
                .map(Self::One)
                .map_err(|_| "write ids of doors as 19210001,19210002, or all"),
        }
    }
}

impl DoorArgs {
    /// Whether there are doors.
    pub fn is_empty(&self) -> bool {
        self.doors.is_empty()
    }

    /// The geodata with the doors that are closed.
    ///
    /// # Errors
    /// If a file cannot be read, or no door has a requested id.
    pub fn apply(&self, geodata: Geodata) -> Result<Geodata, Lineage2Error> {
        if self.is_empty() {
            return Ok(geodata);
        }
        let mut set = read_doors(&self.doors)?;
        for (choices, is_open) in [(&self.open, true), (&self.close, false)] {
            for choice in choices {
                match *choice {
                    DoorChoice::All => set.set_all_open(is_open),
                    DoorChoice::One(id) => set.set_open(id, is_open)?,
                }
            }
        }
        Ok(set.apply(&geodata))
    }
}

/// Named places.
#[derive(Debug, Args)]
pub struct PlaceArgs {
    /// Files with names of places: XML of a server's zones, or lines of x, y, z and a name.
    #[arg(long, value_name = "FILES", value_parser = input_path())]
    places: Vec<PathBuf>,

    /// Print a line //teleport x y z for each place.
    #[arg(long)]
    pub teleport: bool,
}

impl PlaceArgs {
    /// All places.
    ///
    /// # Errors
    /// If a file cannot be read, or has another form.
    pub fn read(&self) -> Result<Places, Lineage2Error> {
        read_places(&self.places)
    }
}

/// The places of XML files, folders of them, and text files.
///
/// # Errors
/// If a file cannot be read, or has another form.
pub fn read_places(paths: &[PathBuf]) -> Result<Places, Lineage2Error> {
    let mut places = Places::default();
    for path in paths {
        if path.is_dir() || is_xml(path) {
            for read in read_server_files(std::slice::from_ref(path))? {
                read.file
                    .zones
                    .into_iter()
                    .for_each(|zone| places.add_zone(zone));
            }
            continue;
        }
        let text = String::from_utf8_lossy(&read_bytes(path)?).into_owned();
        let added = places.add_text(&text);
        added.map_err(|source| Lineage2Error::Places {
            path: path.clone(),
            source,
        })?;
    }
    Ok(places)
}

/// The name of where a point is, in brackets and after a space; nothing where it has none.
pub fn place_text(places: &Places, point: GeoPoint) -> String {
    match places.name_of(point, NEAR_PLACE) {
        Some(name) => format!(" ({})", plain::name(name)),
        None => String::new(),
    }
}

/// What a game master types to be there.
///
/// # Errors
/// If it cannot be written.
pub fn print_teleport(point: GeoPoint, out: &mut dyn Write) -> Result<(), Lineage2Error> {
    let GeoPoint { x, y, z } = point;
    writeln!(out, "//teleport {x} {y} {z}")?;
    Ok(())
}
