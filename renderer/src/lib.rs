//! Draws a [`Scene`](ironlands_scene::Scene) with wgpu.
//!
//! In: a scene, once; a [`FrameState`], per frame. Out: a picture in a window or in memory, and [`FrameStats`].
//! Three lifetimes are kept apart by types: the device ([`Gpu`], [`Renderer`]), the scene ([`SceneGpu`]) and the
//! frame ([`FrameState`]). Colors are display-space values from texture to target; see `shaders/`.
//!
//! Deliberately absent: file parsing, game names, windows and input, questions about the world.

mod attachments;
mod camera;
mod capture;
mod cull;
mod draw_list;
mod drawn_view;
mod error;
mod frame;
mod frame_state;
mod gpu;
mod growing_buffer;
mod mips;
mod model_list;
mod passes;
mod scene_upload;
mod settings;
mod shaders;
mod target;
mod tiles;
mod uniforms;
mod view_cells;
mod viewpoint;

pub use camera::Camera;
pub use capture::capture;
pub use error::RenderError;
pub use frame::Renderer;
pub use frame_state::{FrameState, FrameStats, HudFrame, Switches, TileView};
pub use gpu::{Gpu, GpuCaps, GpuOptions};
pub use scene_upload::SceneGpu;
pub use settings::RenderSettings;
pub use target::{ColorFormat, OffscreenTarget, TargetView, WindowFrame, WindowTarget};
pub use tiles::TileMemory;
