//! Two neighboring regions of geodata for the world of Lineage II, in the formats of two servers: a coast with a
//! walled town, a harbour and a bridge, fields on a hillside, a river that crosses the border, and on the other side a
//! hamlet, a ridge with a tunnel, and a beacon.
//!
//! In: nothing. Out: the files of `LINEAGE2/`, through the loader's writers. The western region is a `_conv.dat` of the
//! original server, whose flat blocks have two heights; the eastern one an `.l2j` of community servers, whose have one.
//!
//! - [`land`]: heights before people came; [`course`]: the river's and roads' curves over it; [`roads`]
//! - [`ground_builder`]: what is solid in every cell; [`masonry`]: stairs, houses, towers
//! - [`town`], [`bridge`], [`harbour`], [`terraces`], [`aqueduct`], [`tunnel`], [`country`]: what people built
//! - [`sides`], [`blocks`]: where one may go, and all that as blocks
//! - [`server`]: doors, zones and spawn points, as a server's XML
//!
//! Deliberately absent: reading, queries, and water, which geodata has none of: see [`WATER_LEVEL`].

mod aqueduct;
mod blocks;
mod bridge;
mod country;
mod course;
mod ground_builder;
mod harbour;
mod land;
mod masonry;
pub mod places;
mod roads;
mod server;
mod sides;
mod terraces;
mod town;
mod tunnel;

use ironlands_assets_lineage2::conv_dat::ConvDat;
use ironlands_assets_lineage2::l2j::L2j;
use ironlands_assets_lineage2::{CELL_SIZE, FlatRule, Region, RegionId, ZERO_REGION};
use rayon::prelude::*;

use crate::DemoError;
use ground_builder::{DEPTH, GroundBuilder, Spot, WIDTH};

/// Height of the sea, the river and the lake, in points. No geodata file stores water, so a viewer of the regions has
/// to be given it. No ground is as high: heights are multiples of 8.
pub const WATER_LEVEL: i16 = -3780;

/// The same as a number to add to heights above the sea.
const SEA: f64 = WATER_LEVEL as f64;
/// Side of a cell in points.
const CELL: f64 = CELL_SIZE as f64;
/// The folder of all files, below `DATA`.
const FOLDER: &str = "LINEAGE2";

/// Both regions, and the files of a server, below `DATA`.
///
/// # Errors
/// None that a caller can cause: something that has outgrown its format.
pub fn files() -> Result<Vec<(String, Vec<u8>)>, DemoError> {
    let builder = build();
    let west = ConvDat::from_region(&region(&builder, 0)?);
    // The middle of a block is nearer to all of its cells than its top.
    let east = L2j::from_region(&region(&builder, 1)?, FlatRule::Average);
    let regions = [
        (
            format!("{FOLDER}/{}_conv.dat", west.region().id),
            west.write()?,
        ),
        (format!("{FOLDER}/{}.l2j", east.region.id), east.write()?),
    ];
    Ok(regions.into_iter().chain(server::files()).collect())
}

/// Makes the land and builds on it.
fn build() -> GroundBuilder {
    let land = land::Land::new();
    let land_of = |cell: usize| {
        let [x, y] = center_of([cell as i32 % WIDTH, cell as i32 / WIDTH]);
        land.height(x, y)
    };
    let cells = (0..(WIDTH * DEPTH) as usize).into_par_iter();
    let mut ground: Vec<i16> = cells
        .map(|cell| ground_builder::stored(SEA + land_of(cell)))
        .collect();
    let roads = roads::Roads::new(&land);
    for cell in roads.cells() {
        ground[cell] = ground_builder::stored(SEA + roads.height(cell, land_of(cell)));
    }
    let mut builder = GroundBuilder::new(ground);
    terraces::build(&mut builder);
    harbour::build(&mut builder);
    town::build(&mut builder);
    bridge::build(&mut builder);
    aqueduct::build(&mut builder);
    tunnel::build(&mut builder);
    country::build(&mut builder);
    builder
}

/// The region that lies this many regions east of the western one, whose north-west corner is the world's zero point.
fn region(builder: &GroundBuilder, regions_east: u8) -> Result<Region, DemoError> {
    let [x, y] = [ZERO_REGION.x() + regions_east, ZERO_REGION.y()];
    let id = RegionId::new(x, y).unwrap_or(ZERO_REGION);
    blocks::region(builder, id, usize::from(regions_east))
}

/// The middle of a cell, in points from the north-west corner of the western region; which are world points.
fn center_of(at: Spot) -> [f64; 2] {
    at.map(|cell| (f64::from(cell) + 0.5) * CELL)
}
