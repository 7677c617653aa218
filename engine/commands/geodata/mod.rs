//! `ironlands geodata ...`: questions about geodata of Lineage II, maps, differences and zones; and `ironlands convert`.

mod answer;
mod broken;
pub mod convert;
mod diff;
mod map;
mod memory;
mod mesh;
mod query;
mod source;
mod zones;

pub use self::broken::BrokenRegions;
pub use self::memory::tell_memory;
pub use self::mesh::land_scene;
pub use self::source::{format_parser, load};
pub use self::zones::kept_zones;

use std::io::Write;

use clap::{Args, Subcommand};

use self::diff::DiffArgs;
use self::map::MapArgs;
use self::query::Query;
use self::zones::ZonesArgs;
use crate::Verdict;
use crate::error::AppError;

const EXAMPLES: &str = "\
Examples:
  ironlands geodata height geodata 83400,147943,-3400
          The ground at a point: its height, and where one may leave it.
  ironlands geodata step geodata/22_22.l2j 83400,147943,-3400
          Where each of the eight steps from there leads.
  ironlands geodata move geodata 83400,147943,-3400 83900,148300,-3400 --profile pts
          Whether one can walk there straight, and how far one comes.
  ironlands geodata path geodata 83400,147943,-3400 84200,149000,-3400 --json
          The shortest way there, for a program to read.
  ironlands geodata sight geodata 83400,147943,-3400 83900,148300,-3400 --eye 33
          Whether two see each other.
  ironlands geodata map geodata --to world.png
          All regions from above, north up.
  ironlands geodata diff old new --picture changes.png
          Cells that differ between two sets.
  ironlands geodata zones geodata
          Keep what paths need to know of all regions, so that they are planned at once.
  ironlands convert geodata --to l2j -o l2j
          Write all regions in another format.

Points are x,y,z in the game's own numbers: x to the east, y to the south, z up. Where a folder has regions in several
formats, --from chooses one. A region that cannot be read is left out, named and counted; --strict makes it an error.

Exit codes: 0 done, or yes; 1 no: no way, no sight, or there are differences; 2 it could not be done.";

/// What `ironlands geodata` takes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct GeodataArgs {
    /// What to do.
    #[command(subcommand)]
    command: GeodataCommand,
}

#[derive(Debug, Subcommand)]
enum GeodataCommand {
    #[command(flatten)]
    Query(Query),
    /// Draw regions from above, as a PNG.
    Map(MapArgs),
    /// Tell which cells differ between two regions or sets.
    Diff(DiffArgs),
    /// Keep in a folder of regions which of its parts lead to each other.
    Zones(ZonesArgs),
}

/// Does what is asked.
///
/// # Errors
/// If there is no geodata at a path, a region is broken, or nothing can be written.
pub fn run(args: &GeodataArgs, answer: &mut dyn Write) -> Result<Verdict, AppError> {
    match &args.command {
        GeodataCommand::Query(query) => query::run(query, answer),
        GeodataCommand::Map(args) => map::run(args, answer),
        GeodataCommand::Diff(args) => diff::run(args, answer),
        GeodataCommand::Zones(args) => zones::run(args, answer),
    }
}
