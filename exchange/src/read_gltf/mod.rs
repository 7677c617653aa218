//! Reading glTF 2.0, text or binary: what every world's import does first.
//!
//! Nothing is copied from the file before it has been checked, and the work is counted, so that what a hostile file
//! claims costs no more than its size allows. What a model is made of the nodes, meshes and animations is up to the
//! worlds.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

mod accessor;
mod beside;
mod curve;
mod document;
mod scenes;
mod surface;
#[expect(
    clippy::arithmetic_side_effects,
    reason = "matrices of f64, which do not overflow"
)]
mod transform;

pub use self::accessor::Elements;
pub use self::beside::read_beside;
pub use self::curve::{Curve, NEAR};
pub use self::document::{Document, FORMAT, Fetch, at_most, unexpected, unsupported};
pub use self::scenes::{Tops, check_parents, taken_tops};
pub use self::surface::{Surface, attribute};
pub use self::transform::{Residual, Transform, Z_UP_FROM_Y_UP, unit};

/// Refuses to get a file that a document names.
///
/// # Errors
/// Always.
pub fn fetch_nothing(_uri: &str) -> std::io::Result<Vec<u8>> {
    Err(std::io::Error::other("no other files are read"))
}
