//! Why a map cannot become a brush world.

/// One lump of a map names what another does not hold, or would need more memory than the map is worth.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BrushWorldError {
    /// An index, or the end of a range, is beyond a lump.
    #[error("{owner} {owner_idx} names {what} {named} of {n}")]
    Missing {
        /// What names it.
        owner: &'static str,
        /// Index of what names it.
        owner_idx: usize,
        /// What is named.
        what: &'static str,
        /// The index, or one past the end of the range, as stored.
        named: i64,
        /// How many there are.
        n: usize,
    },
    /// A node is below itself, or below two others.
    #[error("node {node} is reached twice")]
    NodeReachedTwice {
        /// The node.
        node: usize,
    },
    /// Entities share brush models so often that their brushes would fill the memory.
    #[error("brush entities have more than {limit} sides")]
    TooManySides {
        /// Most sides that they may have.
        limit: usize,
    },
    /// There are more static props than any map has, and their sides would fill the memory.
    #[error("more than {limit} static props")]
    TooManyProps {
        /// Most props that there may be.
        limit: usize,
    },
    /// A displacement is no grid.
    #[error(
        "displacement {displacement} is no grid of 4, 8 or 16 cells a row with two triangles each"
    )]
    NoGrid {
        /// Index of the displacement.
        displacement: usize,
    },
}
