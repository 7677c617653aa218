//! The formats of geodata, for all that iterates formats.

use ironlands_assets_core::format::FormatSet;
use ironlands_assets_core::formats;

use crate::RegionFile;
use crate::inspect::inspect_folder;
use crate::nav_mesh_set::NavMeshSet;
use crate::zone_file::ZoneFile;

/// All formats. Those of regions are one: the name of a file says which of them it has.
pub const FORMATS: FormatSet = FormatSet {
    formats: formats![RegionFile, ZoneFile, NavMeshSet],
    inspect_folder,
};
