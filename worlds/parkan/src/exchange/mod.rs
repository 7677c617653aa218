//! Models to glTF 2.0 and OBJ, and back; land to glTF and back ([`land`]).
//!
//! In: a model (`*.msh`) with what its rows look like. Out: bytes of a `.glb`, or of an `.obj` with its `.mtl` and
//! pictures. The other way: bytes of a glTF or OBJ file become a
//! [`ModelDraft`](ironlands_assets_parkan::msh::ModelDraft), which a model is built of. Both ways come with a list of
//! what one side can hold and the other cannot.
//!
//! A GLB has one root node that turns +Z up to +Y up, and everything below it stays in the model's own axes, so that
//! vertices come back bit for bit.
//!
//! Deliberately absent: skins and morph targets, which models have not.

mod base;
mod conversions;
mod extras;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "indices and counts of a model, whose reader has compared them with its tables"
)]
mod geometry;
#[expect(
    clippy::indexing_slicing,
    reason = "the two axes of texture coordinates"
)]
mod import;
pub mod land;
#[expect(
    clippy::indexing_slicing,
    reason = "slots of pieces, which are compared with the table when the pieces are made"
)]
mod left_out;
mod look;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "keys of tracks, whose ranges the model has checked"
)]
mod motions;
mod read_gltf;
mod read_obj;
mod source;
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "indices into what has just been written, and of a model, whose reader has compared them with its tables"
)]
mod write_glb;
#[expect(
    clippy::indexing_slicing,
    reason = "indices of a model, whose reader has compared them with its tables"
)]
mod write_obj;

pub use conversions::{ExportChoiceError, MODEL_EXPORTS, MODEL_IMPORTS};
pub use import::ImportedModel;
pub use look::ModelAppearance;
pub use read_gltf::{ImportOptions, read_glb, read_gltf};
pub use read_obj::read_obj;
pub use source::{ModelExportError, ModelSource};
pub use write_glb::{GlbOptions, write_glb};
pub use write_obj::{ObjFiles, ObjOptions, write_obj};
