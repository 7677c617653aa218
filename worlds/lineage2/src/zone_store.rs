//! Zones that were kept on disk, beside the regions that they were made from.

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_core::vfs::MappedFile;
use ironlands_assets_lineage2::zone_file::{
    ZoneClass, ZoneFile, ZoneIndex, ZoneRegion, ZoneRules, ZoneTile,
};
use ironlands_assets_lineage2::{FolderError, RegionPath};
use ironlands_sim_geodata::path::{NavGraph, StoredZoneError, StoredZones};
use ironlands_sim_geodata::{NoDataRule, Profile};
use rayon::prelude::*;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A file of zones that fits the regions it lies beside. Mapped: tiles come from the disk on demand.
#[derive(Debug)]
pub struct ZoneStore {
    file: MappedFile,
    index: ZoneIndex,
}

/// Why a file of zones is not used.
#[derive(Debug, Error)]
pub enum ZoneStoreError {
    /// It cannot be read.
    #[error("{}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// It is damaged, or no such file.
    #[error("{}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: Box<FormatError>,
    },
    /// The regions are not those that it was made from.
    #[error("{}: made from other regions, or for another step rule", path.display())]
    Stale {
        /// The file.
        path: PathBuf,
    },
    /// A region cannot be read.
    #[error(transparent)]
    Region(#[from] FolderError),
}

impl ZoneStore {
    /// Where the zones of a folder are kept for a step rule; `None` for rules that the file cannot
    /// hold: those without a name, for places without regions, or that differ in more than the limits of steps.
    pub fn path(folder: &Path, profile: &Profile) -> Option<PathBuf> {
        // The file has the limits of steps, and no place for more.
        let limits = Profile {
            max_up: profile.max_up,
            uses_flat_pair: profile.uses_flat_pair,
            max_down: profile.max_down,
            ..Profile::ACIS
        };
        let name = profile.name().filter(|_| *profile == limits)?;
        Some(folder.join(format!("{name}.zones")))
    }

    /// Opens a file of zones. Every region is read once, to compare its checksum: zones of other regions would give
    /// wrong results.
    ///
    /// # Errors
    /// If the file cannot be read, its header is damaged, or it was made from other regions or for another rule.
    pub fn open(
        path: &Path,
        profile: &Profile,
        files: &[RegionPath],
    ) -> Result<Self, ZoneStoreError> {
        let io = |error| ZoneStoreError::Io {
            path: path.to_owned(),
            error,
        };
        let file = MappedFile::open(path).map_err(io)?;
        let index = ZoneIndex::read(&file).map_err(|error| ZoneStoreError::Format {
            path: path.to_owned(),
            error: Box::new(error),
        })?;
        // Names and sizes first: they cost nothing.
        let is_for = index.rules == rules_of(profile) && have_sizes(&index.regions, files);
        if !is_for || index.regions != checksums(files)? {
            return Err(ZoneStoreError::Stale {
                path: path.to_owned(),
            });
        }
        Ok(Self { file, index })
    }
}

impl StoredZones for ZoneStore {
    fn tile(&self, number: u32) -> Option<Result<ZoneTile, StoredZoneError>> {
        let tile = self.index.tile(&self.file, number)?;
        Some(tile.map_err(Into::into))
    }

    fn class(&self, number: u32) -> Option<ZoneClass> {
        self.index.classes.get(number as usize).copied()
    }
}

/// The zones of a graph as a file has them; `regions` are those that its geodata was loaded from. Classes must be known,
/// and edits are kept like all else.
pub fn zone_file(graph: &NavGraph, regions: Vec<ZoneRegion>) -> ZoneFile {
    ZoneFile {
        rules: rules_of(graph.profile()),
        regions,
        classes: graph.zone_classes().to_vec(),
        tiles: graph.zone_tiles().collect(),
    }
}

/// Names, sizes and checksums of regions, in the order of regions, as a file of zones names them.
///
/// # Errors
/// If one cannot be read.
pub fn checksums(files: &[RegionPath]) -> Result<Vec<ZoneRegion>, FolderError> {
    let regions = files.par_iter().map(|file| {
        let (size, crc) = file.checksum()?;
        Ok(ZoneRegion {
            id: file.name.id,
            name: name_of(file),
            size,
            crc,
        })
    });
    let mut regions: Vec<ZoneRegion> = regions.collect::<Result<_, FolderError>>()?;
    regions.sort_unstable();
    Ok(regions)
}

fn have_sizes(regions: &[ZoneRegion], files: &[RegionPath]) -> bool {
    let has_size = |file: &RegionPath| {
        let named = regions.iter().find(|region| region.id == file.name.id);
        let size = file.path.metadata().map(|metadata| metadata.len());
        named.is_some_and(|region| size.is_ok_and(|size| size == region.size))
    };
    regions.len() == files.len() && files.iter().all(has_size)
}

fn name_of(file: &RegionPath) -> String {
    let name = file.path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Zones are made for one rule of where nothing is: that no step leads there.
fn rules_of(profile: &Profile) -> ZoneRules {
    debug_assert_eq!(profile.no_data, NoDataRule::Blocked);
    ZoneRules {
        max_up: profile.max_up,
        uses_flat_pair: profile.uses_flat_pair,
        max_down: profile.max_down,
    }
}
