//! Figures to glTF 2.0, and back.
//!
//! In: a [`Figure`](ironlands_assets_evil_islands::figure::Figure) with its textures. Out: the bytes of a `.glb`, with
//! extreme states as morph targets and all animations. The other way: what was written, changed or not, becomes a figure
//! again, beside the figure that it was written from where there is one. Both ways come with a list of what one side can
//! hold and the other cannot.
//!
//! Deliberately absent: textures on the way back, which are files of their own.

mod base;
mod conversions;
mod extras;
mod read_gltf;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "indices into what has just been written, and of meshes, which are compared with their tables first"
)]
mod write_glb;

pub use base::BaseError;
pub use conversions::{MODEL_EXPORTS, MODEL_IMPORTS};
pub use read_gltf::{ImportedFigure, read_figure_glb};
pub use write_glb::{FigureSource, write_figure_glb};
