//! What a path is, by its name and first bytes.

use std::fmt;
use std::path::{Path, PathBuf};

use super::LevelError;
use super::near::near_paths;
use super::search::{self, levels_below};
use crate::bytes::Reader;
use crate::evil_islands::zone::{LAND_EXTENSION, MAP_EXTENSION};
use crate::lineage2::RegionFileName;
use crate::parkan::level::BASE_NAME;
use crate::parkan::nres::{self, NRes};
use crate::parkan::nres_kind::NResKind;
use crate::vfs::{self, Vfs, VfsError};

/// Most folders that are named as examples.
const MAX_EXAMPLES: usize = 3;

/// What a path is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sniffed {
    /// A Parkan level.
    ParkanLevel {
        /// Its folder.
        folder: PathBuf,
        /// What its files begin with, as in `Land` for `Land.msh`.
        base: String,
    },
    /// An NRes archive that holds no terrain.
    OtherNRes {
        /// Number of its entries; `None` if it is broken.
        n_entries: Option<usize>,
    },
    /// A map of the Source engine.
    SourceBsp {
        /// Version of the format.
        version: u32,
    },
    /// A zone of Evil Islands.
    EvilIslandsZone {
        /// The archive of its land, `*.mpr`.
        land: PathBuf,
    },
    /// What stands in a zone of Evil Islands, `*.mob`, without the land beside it.
    EvilIslandsMap,
    /// A region of Lineage II geodata, by its name.
    GeodataRegion,
    /// A folder of Lineage II geodata regions.
    GeodataFolder {
        /// Number of files; a region may have several.
        n_regions: usize,
    },
    /// A folder that is no level.
    OtherFolder {
        /// The levels in and below it, of any world, in the order of their paths.
        levels_below: Vec<PathBuf>,
    },
    /// A file of unknown kind.
    OtherFile,
}

impl fmt::Display for Sniffed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ParkanLevel { .. } => write!(f, "a Parkan level"),
            Self::OtherNRes { n_entries: None } => write!(f, "a broken NRes archive"),
            Self::OtherNRes { n_entries: Some(n) } => {
                write!(f, "an NRes archive of {n} entries without terrain")
            }
            Self::SourceBsp { version } => {
                write!(f, "a Source engine level (VBSP version {version})")
            }
            Self::EvilIslandsZone { .. } => write!(f, "a zone of Evil Islands"),
            Self::EvilIslandsMap => write!(
                f,
                "what stands in a zone of Evil Islands; there is no *.{LAND_EXTENSION} of its name beside it"
            ),
            Self::GeodataRegion => write!(f, "a region of Lineage II geodata"),
            Self::GeodataFolder { n_regions } => {
                write!(f, "a folder of {n_regions} Lineage II geodata regions")
            }
            Self::OtherFolder { levels_below } if levels_below.is_empty() => {
                write!(f, "a folder without levels")
            }
            Self::OtherFolder { levels_below } => {
                let levels = levels_below.iter().map(|path| path.display().to_string());
                let levels: Vec<_> = levels.collect();
                write!(f, "a folder above {}", levels.join(", "))
            }
            Self::OtherFile => write!(f, "a file of unknown kind"),
        }
    }
}

/// Says what a path is. Folders are listed, files are read only as far as their kind asks for.
///
/// # Errors
/// [`LevelError::NotFound`] and [`LevelError::Io`].
pub fn sniff(path: &Path) -> Result<Sniffed, LevelError> {
    let io_error = |error| LevelError::Io {
        path: path.to_owned(),
        error,
    };
    match path.metadata() {
        Ok(metadata) if metadata.is_dir() => sniff_folder(path).map_err(io_error),
        Ok(_) => sniff_file(path).map_err(io_error),
        Err(error) if is_missing(&error) => Err(LevelError::NotFound {
            path: path.to_owned(),
            near: near_paths(path),
        }),
        Err(error) => Err(io_error(error)),
    }
}

/// Whether a path leads nowhere, also where it leads through a file.
fn is_missing(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory)
}

fn sniff_folder(folder: &Path) -> std::io::Result<Sniffed> {
    let names: Vec<String> = folder
        .read_dir()?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<std::io::Result<_>>()?;
    if names.iter().any(|name| is_land_msh(name)) {
        return Ok(Sniffed::ParkanLevel {
            folder: folder.to_owned(),
            base: BASE_NAME.to_owned(),
        });
    }
    let n_regions = names
        .iter()
        .filter(|name| RegionFileName::parse(name).is_some())
        .count();
    if n_regions > 0 {
        return Ok(Sniffed::GeodataFolder { n_regions });
    }
    Ok(Sniffed::OtherFolder {
        levels_below: levels_below(folder),
    })
}

/// Some folders below a folder that are what is looked for, at most `max_depth` deep, in the order of their names:
/// as many as an answer needs for examples. Below one that is found nothing is looked for, and links to folders are
/// not followed, since they could lead in circles.
pub fn folders_below(
    folder: &Path,
    max_depth: usize,
    is_wanted: &dyn Fn(&Path) -> bool,
) -> Vec<PathBuf> {
    let mut found = Vec::new();
    find_folders(folder, max_depth, is_wanted, &mut found);
    found
}

fn find_folders(
    folder: &Path,
    depth: usize,
    is_wanted: &dyn Fn(&Path) -> bool,
    found: &mut Vec<PathBuf>,
) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    for folder in folders {
        if found.len() >= MAX_EXAMPLES {
            return;
        }
        match is_wanted(&folder) {
            true => found.push(folder),
            false => find_folders(&folder, depth, is_wanted, found),
        }
    }
}

fn sniff_file(path: &Path) -> std::io::Result<Sniffed> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let head = match vfs::read_head(path, 8) {
        Ok(head) => head,
        Err(VfsError::Io { error, .. }) => return Err(error),
        Err(error) => return Err(std::io::Error::other(error)),
    };
    let mut r = Reader::new("level", &head);
    let magic = r.array::<4>("magic").unwrap_or_default();
    let kind = match &magic {
        b"NRes" => return sniff_nres(path),
        // A damaged Land.msh is still one: opening it says what is wrong with it.
        _ if is_land_msh(&name) => parkan_file(path),
        b"VBSP" => match r.u32("version") {
            Ok(version) => Sniffed::SourceBsp { version },
            Err(_) => Sniffed::SourceBsp { version: 0 },
        },
        // A map of another engine: opening it says of which.
        _ if has_extension(path, search::MAP_EXTENSION) => Sniffed::SourceBsp { version: 0 },
        // A damaged archive is still one: opening it says what is wrong with it.
        _ if has_extension(path, LAND_EXTENSION) => Sniffed::EvilIslandsZone {
            land: path.to_owned(),
        },
        _ if has_extension(path, MAP_EXTENSION) => zone_of_map(path),
        _ if RegionFileName::parse(&name).is_some() => Sniffed::GeodataRegion,
        _ => Sniffed::OtherFile,
    };
    Ok(kind)
}

fn sniff_nres(path: &Path) -> std::io::Result<Sniffed> {
    let is_land = path
        .file_name()
        .is_some_and(|name| is_land_msh(&name.to_string_lossy()));
    if is_land {
        return Ok(parkan_file(path));
    }
    let data = vfs::read(path)?;
    Ok(match NRes::read_with(&data, nres::Tolerance::all()) {
        Ok(archive) if NResKind::of(&archive) == NResKind::LandMsh => parkan_file(path),
        Ok(archive) => Sniffed::OtherNRes {
            n_entries: Some(archive.entries.len()),
        },
        Err(_) => Sniffed::OtherNRes { n_entries: None },
    })
}

/// The level that a terrain file belongs to: its neighbors begin with the same name.
fn parkan_file(path: &Path) -> Sniffed {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    Sniffed::ParkanLevel {
        folder: folder.to_owned(),
        base: path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
    }
}

/// The zone that a map belongs to: the land beside it that has its name.
fn zone_of_map(path: &Path) -> Sniffed {
    let name = path.with_extension(LAND_EXTENSION);
    let name = name.file_name().unwrap_or_default().to_string_lossy();
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let land = Vfs::of_folder(folder).and_then(|vfs| vfs.find_file(&name));
    match land {
        // As the user wrote it, as far as that is known.
        Ok(land) => Sniffed::EvilIslandsZone {
            land: folder.join(land.file_name().unwrap_or_default()),
        },
        Err(_) => Sniffed::EvilIslandsMap,
    }
}

pub(super) fn is_land_msh(name: &str) -> bool {
    name.eq_ignore_ascii_case("Land.msh")
}

pub(super) fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}
