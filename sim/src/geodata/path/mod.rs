//! Ways over the ground: exact ones, long ones over a graph of zones, and whether there is one at all. Dossier
//! section 5.
//!
//! - [`PathSearch`]: A* over cells and layers, the cheapest way by the rules of steps; scratch memory for all else
//! - [`NavGraph`]: zones, which are the parts of a tile in which everyone comes everywhere, and the exits between
//!   them; classes of all of them answer reachability
//! - [`PathFinder`]: exact paths, or a plan over zones, made exact leg by leg, then pulled taut by straight walks
//! - [`PathGuide`]: the same over regions that are loaded as needed ([`Ground`]), with zones that are made as needed
//!   ([`ZoneCache`]) or were kept on disk ([`ZoneStore`])
//!
//! Costs are 10 for a step along an axis and 14 for a diagonal one.

mod basin;
mod exact;
mod exits;
mod frontier;
mod graph;
mod ground;
mod guide;
mod hubs;
mod lazy;
mod nodes;
mod plan;
mod pull;
mod request;
mod scc;
mod search;
mod store;
mod tile;
mod zone_graph;
mod zones;

#[cfg(test)]
mod tests;

pub use graph::{NavGraph, NavMemory};
pub use ground::Ground;
pub use guide::PathGuide;
pub use lazy::ZoneCache;
pub use request::{DEFAULT_BUDGET, PathEnd, PathFinder, PathOptions, PathRequest, WalkPath};
pub use search::PathSearch;
pub use store::{ZoneStore, ZoneStoreError, checksums};
