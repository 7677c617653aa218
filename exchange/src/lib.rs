//! Models to glTF 2.0 and OBJ, and back; scenes to glTF.
//!
//! In: a model (`*.msh`) with what its rows look like. Out: bytes of a `.glb`, or of an `.obj` with its `.mtl` and
//! pictures. The other way: bytes of a glTF or OBJ file become a
//! [`ModelDraft`](ironlands_assets_loader::parkan::msh::ModelDraft), which the loader builds a model
//! of. Both ways come with a list of what one side can hold and the other cannot.
//!
//! Both formats are written with +Y up, as their readers expect; models have +Z up. glTF gets one root node that
//! turns, and everything below it stays in the model's own axes, so that vertices come back bit for bit.
//!
//! Figures of Evil Islands go the same way, their extreme states as morph targets.
//!
//! Deliberately absent: files and folders, archives, decoding of textures, skins, morph targets of other models.

mod extras;
mod figure_base;
mod figure_extras;
mod findings;
mod geometry;
mod glb;
mod gltf_buffer;
mod gltf_material;
mod import;
mod left_out;
mod look;
mod pose;
mod read_gltf;
mod read_obj;
mod source;
mod write_figure_glb;
mod write_glb;
mod write_obj;
mod write_scene_glb;

pub use figure_base::BaseError;
pub use findings::ExchangeFinding;
pub use import::{ImportError, Imported};
pub use look::ModelLook;
pub use read_gltf::figure::{ImportedFigure, read_figure_glb};
pub use read_gltf::{ImportOptions, read_glb, read_gltf};
pub use read_obj::read_obj;
pub use source::{ExportError, ModelSource};
pub use write_figure_glb::{FigureSource, write_figure_glb};
pub use write_glb::{Glb, GlbOptions, write_glb};
pub use write_obj::{ObjFiles, ObjOptions, write_obj};
pub use write_scene_glb::write_scene_glb;
