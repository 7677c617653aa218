//! Paths over the ground: exact ones, long ones over a graph of zones, and reachability. Dossier
//! section 5.
//!
//! - [`PathSearch`]: A* over cells and layers, the cheapest path by the step rule; scratch memory for all else
//! - [`NavGraph`]: zones, which are the strongly connected components of a tile, and the exits between
//!   them; classes of all of them decide reachability
//! - [`PathFinder`]: exact paths, or a path plan over zones, refined leg by leg; then shortened by straight walks
//! - [`PathGuide`]: the same over regions that are loaded as needed ([`LazyGeodata`]), with zones that are made as
//!   needed ([`ZoneCache`]) or were kept on disk ([`StoredZones`])
//!
//! Costs are 10 for a step along an axis and 14 for a diagonal one.

#[expect(
    clippy::arithmetic_side_effects,
    reason = "cells have 16 bits, and all else is counted in a budget of 32"
)]
mod basin;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "hot; numbers of nodes are those that the search gave to what it came to, within a budget of cells"
)]
mod exact;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "exits begin at one of 128 x 128 cells and lead in one of eight directions; the reader of files refuses others"
)]
mod exits;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "hot; numbers of nodes are those that the search gave to what it came to, within a budget of cells"
)]
mod frontier;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "numbers of zones, edges and classes are those that were given when the graph was made"
)]
mod graph;
#[expect(
    clippy::arithmetic_side_effects,
    reason = "cells have 16 bits, and all else is counted in a budget of 32"
)]
mod guide;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "numbers of zones, edges and classes are those that were given when the graph was made"
)]
mod hubs;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a bit for every number of a region"
)]
mod lazy_geodata;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a tile has 16,384 cells of at most 255 layers, each of which is numbered once"
)]
mod nodes;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "ranges of a leg that was just found"
)]
mod path_plan;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "positions of the path that is pulled"
)]
mod pull;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "positions of the path that was found"
)]
mod request;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "numbers of zones, edges and classes are those that were given when the graph was made"
)]
mod scc;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "hot; numbers of nodes are those that the search gave to what it came to, within a budget of cells"
)]
mod search;
mod store;
#[expect(
    clippy::arithmetic_side_effects,
    reason = "a tile is one of 512 x 512, of 128 cells a side"
)]
mod tile;
mod zone_cache;
mod zone_graph;
mod zones;

#[cfg(test)]
mod tests;

pub use graph::{NavGraph, NavMemory};
pub use guide::PathGuide;
pub use lazy_geodata::LazyGeodata;
pub use request::{DEFAULT_BUDGET, PathEnd, PathFinder, PathOptions, PathRequest, WalkPath};
pub use search::PathSearch;
pub use store::{StoredZoneError, StoredZones};
pub use zone_cache::ZoneCache;
