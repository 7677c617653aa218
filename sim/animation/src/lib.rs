//! Poses of rigid nodes, bit for bit as the x87 unit of the original computes them (dossier section 8).
//!
//! In: plain [`KeyTables`] and how the nodes of a model hang on them, taken once into a [`Skeleton`], and
//! a [`Playback`] per instance. Out: one matrix a node, into the caller's slice. Times count in frames; nodes,
//! positions and matrices are in the model's own axes and units.
//!
//! Portable: `+ - * /` are single f32 operations in the dossier's order, and what needs sine, cosine and
//! arccosine is rounded correctly from the exact value ([`x87`]), so every machine gives the same bits. Only the
//! payload of a NaN is not promised. Below the smallest normal f32 the registers of the original keep more bits
//! than a plain f32 has; no pose of a known file gets there.
//!
//! This costs less than half of a plain sampler (`benches/animation`): what depends on two keys alone is kept with
//! them, nodes are sampled several at a time, and exact values are computed only where an f64 leaves a doubt.
//!
//! Deliberately absent: files and their rules, which clip plays, how fast, and whether it loops. The caller passes the
//! time.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

#[expect(
    clippy::indexing_slicing,
    reason = "hot; lanes and axes of arrays, whose lengths are the same"
)]
mod arcs;
#[expect(
    clippy::indexing_slicing,
    reason = "hot; lanes and axes of arrays, whose lengths are the same"
)]
mod blend;
mod pose;
mod sampler;
mod tables;
#[cfg(test)]
mod tests;
#[cfg(all(test, target_arch = "x86_64"))]
mod unit;
pub mod x87;

pub use self::blend::{Channels, Playback, interpolate};
pub use self::pose::{Instance, Skeleton, SkeletonError};
pub use self::sampler::{Compat, NodePose, TrackSampler};
pub use self::tables::{KeyTables, PoseKey, TrackLink};
pub use ironlands_sim_core::RowMatrix;
