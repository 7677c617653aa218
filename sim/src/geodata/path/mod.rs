//! Ways over the ground: exact ones, long ones over a graph of zones, and whether there is one at all. Dossier
//! section 5.
//!
//! - [`PathSearch`]: A* over cells and layers, the cheapest way by the rules of steps; scratch memory for all else
//! - [`NavGraph`]: zones, which are the parts of a tile in which everyone comes everywhere, and the exits between
//!   them; components over all of them answer reachability
//! - [`NavGraph::find_path`]: a plan over zones, made exact leg by leg, then pulled taut by straight walks
//!
//! Costs are 10 for a step along an axis and 14 for a diagonal one.

mod exact;
mod exits;
mod frontier;
mod graph;
mod nodes;
mod plan;
mod pull;
mod request;
mod scc;
mod search;
mod tile;
mod zones;

#[cfg(test)]
mod tests;

pub use graph::{NavGraph, NavMemory};
pub use request::{PathEnd, PathFinder, PathOptions, PathRequest, WalkPath};
pub use search::PathSearch;
