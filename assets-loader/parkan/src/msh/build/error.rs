//! Why a draft does not become a model.

use thiserror::Error;

use ironlands_assets_core::bytes::FormatError;

/// Why a draft does not become a model. Nodes are counted from 0.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum DraftError {
    /// A model has at least one node.
    #[error("a model needs a node")]
    NoNodes,
    /// More than the format can number.
    #[error("{value} {what} are more than {limit}")]
    TooMany {
        /// What is too many.
        what: &'static str,
        /// How many there are.
        value: usize,
        /// How many there may be.
        limit: usize,
    },
    /// The parent stands behind its child, or is not there.
    #[error("node {node} hangs on node {parent}, which does not stand before it")]
    ParentNotBefore {
        /// The child.
        node: usize,
        /// Its parent.
        parent: usize,
    },
    /// A node without a pose.
    #[error("node {node} has no key")]
    NoKeys {
        /// The node.
        node: usize,
    },
    /// A time that is not whole, not the first 0, not after the one before it, or later than the format reaches.
    #[error("node {node} has key {key} at frame {time}")]
    Time {
        /// The node.
        node: usize,
        /// Its key, counted from 0.
        key: usize,
        /// The time.
        time: f32,
    },
    /// A number that is infinite, NaN, or beyond what its field can store.
    #[error("node {node} has a {what} of {value}")]
    Value {
        /// The node.
        node: usize,
        /// The field.
        what: &'static str,
        /// The number.
        value: f32,
    },
    /// There is no such state or level of detail, or it is taken.
    #[error("node {node} has no place for a piece of state {state} and level of detail {lod}")]
    NoPlaceForPiece {
        /// The node.
        node: usize,
        /// State of the piece.
        state: u8,
        /// Level of detail of the piece.
        lod: u8,
    },
    /// A piece or one of its batches has no triangle.
    #[error("the piece of node {node} of state {state} and level of detail {lod} lacks triangles")]
    NoTriangles {
        /// The node.
        node: usize,
        /// State of the piece.
        state: u8,
        /// Level of detail of the piece.
        lod: u8,
    },
    /// Bounds would be infinite.
    #[error("the model is too large for its bounds to be numbers")]
    TooLarge,
    /// The tables exceed the file format, as with more keys or frames than 16 bits reach.
    #[error(transparent)]
    Format(#[from] FormatError),
}
