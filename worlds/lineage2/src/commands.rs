//! `ironlands geodata ...`: queries of geodata of Lineage II, maps, differences and zones; and `ironlands convert`.

mod batch;
mod broken;
pub mod convert;
mod diff;
mod edit;
mod land_glb;
mod map;
mod memory;
mod merge;
mod mesh;
mod navmesh;
mod places;
mod query;
mod query_json;
mod query_result;
mod server_files;
mod source;
mod spawns;
mod zones;

pub use self::broken::BrokenRegions;
pub use self::land_glb::land_glb;
pub use self::memory::print_memory;
pub use self::query::points::DEFAULT_REACH;
pub use self::server_files::{read_doors, read_server_files};
pub use self::source::{format_parser, load, region_files};
pub use self::zones::{KeptZones, kept_zones};

use std::io::Write;

use clap::{Args, Subcommand};

use self::batch::BatchArgs;
use self::diff::DiffArgs;
use self::edit::EditArgs;
use self::map::MapArgs;
use self::merge::MergeArgs;
use self::mesh::MeshArgs;
use self::navmesh::NavmeshArgs;
use self::places::PlacesArgs;
use self::query::Query;
use self::spawns::SpawnsArgs;
use self::zones::ZonesArgs;
use crate::Lineage2Error;
use ironlands_world_kind::Verdict;

const EXAMPLES: &str = "\
Examples:
  ironlands geodata height geodata 83400,147943,-3400
          Find the ground at a point: its height and open sides.
  ironlands geodata step geodata/22_22.l2j 83400,147943,-3400
          Show where each of the eight steps from a point leads.
  ironlands geodata move geodata 83400,147943,-3400 83900,148300,-3400 --profile pts
          Test whether a straight walk is possible, and where it is blocked.
  ironlands geodata path geodata 83400,147943,-3400 84200,149000,-3400 --json
          Find the shortest path, as JSON for another program.
  ironlands geodata sight geodata 83400,147943,-3400 83900,148300,-3400 --eye 33
          Test the line of sight between two points.
  ironlands geodata query geodata < queries.jsonl > results.jsonl
          Run many queries; `ironlands geodata query --help` shows their form.
  ironlands geodata map geodata --to world.png
          Render all regions from above, north up.
  ironlands geodata diff old new --picture changes.png
          List the cells that differ between two sets.
  ironlands geodata merge ours theirs --base old --to merged
          Merge the changes that two sets made to a third.
  ironlands geodata edit geodata --apply edits.jsonl
          Raise, level or smooth ground, add layers, close sides; `ironlands geodata edit --help` lists all edits.
  ironlands geodata spawns geodata data/spawns
          List spawn points that stand in nothing.
  ironlands geodata path geodata 83400,147943,-3400 84200,149000,-3400 --doors data/doors.xml --open 23220001
          Find a path around closed doors of a server.
  ironlands geodata zones geodata
          Precompute path-finding data of all regions, so that long paths are planned quickly.
  ironlands geodata mesh geodata --box 81000,145000,86000,150000 --lod 2 --to town.obj
          Write a part of the land as OBJ, in squares of 4 x 4 cells.
  ironlands geodata navmesh geodata/22_22.l2j --to 22_22.navmesh
          Write a region as a navigation mesh for Detour.
  ironlands convert geodata --format l2j --to l2j
          Convert all regions to another format.

Points are x,y,z in game coordinates: x east, y south, z up. If a folder has regions in several formats, --from chooses
one. A region that cannot be read is skipped and reported; --strict makes it an error.

Exit codes: 0 done, or yes; 1 no: no path, no line of sight, or differences found; 2 the command failed.";

/// What `ironlands geodata` takes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct GeodataArgs {
    /// Query or operation.
    #[command(subcommand)]
    command: GeodataCommand,
}

#[derive(Debug, Subcommand)]
enum GeodataCommand {
    #[command(flatten)]
    One(Query),
    /// Run queries of every kind from stdin, in order, on all processor cores.
    Query(BatchArgs),
    /// Render regions from above to a PNG file.
    Map(MapArgs),
    /// Compare two regions or sets of regions cell by cell.
    Diff(DiffArgs),
    /// Change cells of regions: heights, layers, open sides; or apply a patch.
    #[command(visible_alias = "patch")]
    Edit(EditArgs),
    /// Merge two sets of regions into a third.
    Merge(MergeArgs),
    /// Check the spawn points of a server's XML files.
    Spawns(SpawnsArgs),
    /// List named places of a server's zones or of a text.
    Places(PlacesArgs),
    /// Write land as OBJ or glTF, at a level of detail.
    Mesh(MeshArgs),
    /// Write a navigation mesh for Detour.
    Navmesh(NavmeshArgs),
    /// Precompute which parts of a set of regions are connected, for long paths.
    Zones(ZonesArgs),
}

/// Runs a command.
///
/// # Errors
/// If there is no geodata at a path, a region is broken, or nothing can be written.
pub fn run(args: &GeodataArgs, out: &mut dyn Write) -> Result<Verdict, Lineage2Error> {
    match &args.command {
        GeodataCommand::One(query) => query::run(query, out),
        GeodataCommand::Query(args) => batch::run(args, out),
        GeodataCommand::Map(args) => map::run(args, out),
        GeodataCommand::Diff(args) => diff::run(args, out),
        GeodataCommand::Edit(args) => edit::run(args, out),
        GeodataCommand::Merge(args) => merge::run(args, out),
        GeodataCommand::Spawns(args) => spawns::run(args, out),
        GeodataCommand::Places(args) => places::run(args, out),
        GeodataCommand::Mesh(args) => mesh::run(args, out),
        GeodataCommand::Navmesh(args) => navmesh::run(args, out),
        GeodataCommand::Zones(args) => zones::run(args, out),
    }
}
