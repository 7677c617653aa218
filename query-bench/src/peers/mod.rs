//! The libraries that are measured against, a file each.
//!
//! Each is used as its own documents recommend for one query at a time, in f32, built at the quality that it
//! calls its default or medium. What a library leaves to its user (a triangle test, say) is written here as well
//! as it is done elsewhere, so that none is slow because of us.

pub mod bvh;
#[cfg(feature = "embree")]
pub mod embree;
pub mod height_field;
pub mod obvhs;
pub mod parry;
#[cfg(feature = "tinybvh")]
pub mod tinybvh;
mod triangle;
#[cfg(feature = "vbsp")]
pub mod vbsp;

use crate::{Mesh, Peer};

/// parry, and Embree if it is compiled in: with robust arithmetic, then without.
///
/// # Panics
/// If the mesh has no triangle.
pub fn main(mesh: &Mesh) -> Vec<Box<dyn Peer>> {
    let parry: Box<dyn Peer> = Box::new(parry::Parry::new(mesh));
    #[cfg_attr(
        not(feature = "embree"),
        expect(unused_mut, reason = "no other library follows")
    )]
    let mut peers = vec![parry];
    #[cfg(feature = "embree")]
    for arithmetic in [embree::Arithmetic::Robust, embree::Arithmetic::Fast] {
        peers.push(Box::new(embree::Embree::new(mesh, arithmetic)));
    }
    peers
}

/// The crates `bvh` and `obvhs`, and tinybvh if it is compiled in.
pub fn others(mesh: &Mesh) -> Vec<Box<dyn Peer>> {
    vec![
        Box::new(bvh::BvhCrate::new(mesh)),
        Box::new(obvhs::Obvhs::new(mesh)),
        #[cfg(feature = "tinybvh")]
        Box::new(tinybvh::TinyBvh::new(mesh)),
    ]
}

#[cfg(test)]
mod tests;
