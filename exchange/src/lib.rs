//! Public formats of models and scenes: glTF 2.0 and Wavefront OBJ.
//!
//! In: plain data of a model, or a [`Scene`](ironlands_scene::Scene). Out: bytes of a `.glb`, or of an `.obj` with its
//! `.mtl` and pictures. The other way: a glTF or OBJ file taken apart, checked, and ready to be made a model of. Both
//! ways come with a list of what one side can hold and the other cannot.
//!
//! Both formats have +Y up, models and scenes +Z up; see [`write_gltf`] and [`obj`]. [`conversion`] has the types of the
//! lists in which worlds say what goes to which format and back.
//!
//! Deliberately absent: models of any game (the crates of `worlds` have those), archives, decoding of textures, skins.

mod container;
pub mod conversion;
mod error;
mod extras;
mod findings;
pub mod obj;
pub mod picture;
pub mod pose;
pub mod read_gltf;
pub mod write_gltf;
mod write_scene_glb;

pub use error::{ExportError, ImportError, finite, within_reach};
pub use extras::{from_extras, to_extras};
pub use findings::{ExchangeFinding, Findings};
pub use write_scene_glb::{NodeMotion, NodeTrack, write_moving_scene_glb, write_scene_glb};
