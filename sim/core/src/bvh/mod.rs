//! A bounding volume hierarchy over boxes, four children a node of 128 bytes: rays, moving boxes and overlap tests.
//!
//! In: boxes along the axes, which may move later. Out: which of them are hit, nearest first; the caller decides what
//! that means. Nothing is missed for rounding, so a box that is just not hit may count as hit.
//!
//! Numbers are compared four at a time with what every processor of the platform has (SSE2, NEON); wider registers
//! bring nothing where a query waits for one node after the other.
//!
//! Deliberately absent: what is in the boxes.

mod bounds;
mod build;
mod tree;

pub use bounds::Bounds;
pub use tree::{BoxRay, Bvh};
