//! The plain tables that a skeleton is made of.
//!
//! Deliberately absent: reading them from a file, and its rules of which tables are valid.

use super::sampler::NodePose;

/// Keys and frame map of one model, shared by all its nodes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KeyTables {
    /// Keys of all nodes; those of one node lie one after the other.
    pub keys: Vec<PoseKey>,
    /// For each frame of each animated node the key to begin at.
    pub map: Vec<u16>,
    /// Words of the map that each node with a map has.
    pub n_frames: usize,
}

/// The pose of a node at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PoseKey {
    /// Time in frames.
    pub time: f32,
    /// Where the node is then.
    pub pose: NodePose,
}

/// How a node hangs on the tables. What points outside of them does no harm: see [`Skeleton::new`].
///
/// [`Skeleton::new`]: super::Skeleton::new
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TrackLink {
    /// First word of the node's block in the frame map; `None` without a map.
    pub map_start: Option<usize>,
    /// The key that holds wherever the map does not say otherwise: the last of the track. `None` without keys.
    pub fallback: Option<usize>,
}

impl TrackLink {
    /// A node without keys and map.
    pub const NONE: Self = Self {
        map_start: None,
        fallback: None,
    };
}
