//! Draws a [`Scene`](ironlands_scene::Scene) with wgpu.
//!
//! In: a scene, once; a [`FrameState`], per frame. Out: a picture in a window or in memory, and [`FrameStats`].
//! Three lifetimes are kept apart by types: the device ([`Gpu`], [`Renderer`]), the scene ([`SceneGpu`]) and the
//! frame ([`FrameState`]). Colors are display-space values from texture to target; see `shaders/`.
//!
//! Deliberately absent: file parsing, game names, windows and input, world queries.
//!
//! ```no_run
//! use ironlands_renderer::{
//!     Camera, FrameState, Gpu, GpuOptions, OffscreenTarget, RenderSettings, Renderer, capture,
//! };
//! use ironlands_scene::Scene;
//!
//! let gpu = Gpu::offscreen(&GpuOptions::default())?;
//! let target = OffscreenTarget::new(&gpu, [640, 360])?;
//! let mut renderer = Renderer::new(&gpu, target.format(), RenderSettings::default())?;
//! let scene = renderer.upload(&gpu, &Scene::default())?;
//! let state = FrameState {
//!     camera: Camera::default(),
//!     time_secs: 1.0,
//!     ..FrameState::default()
//! };
//! renderer.draw(&gpu, &scene, &state, target.view(), None)?;
//! let picture = capture(&gpu, &target)?;
//! assert_eq!(picture.dimensions(), (640, 360));
//! # Ok::<(), ironlands_renderer::RenderError>(())
//! ```

mod attachments;
mod blob_shadows;
mod camera;
mod capture;
mod cull;
mod deep_water;
mod draw_list;
mod drawn_view;
mod emitter_list;
mod error;
mod frame;
mod frame_lights;
mod frame_state;
mod frame_timer;
mod gpu;
mod growing_buffer;
mod lamp_maps;
mod light_grid;
mod linear_light;
mod mips;
mod model_list;
mod motion;
mod occluders;
mod pane_layers;
mod panes;
mod particle_list;
mod passes;
mod portals;
mod radix_sort;
mod resolution;
mod rigid_balls;
mod scene_upload;
mod seen_through;
mod settings;
mod shaders;
mod sun_maps;
mod target;
mod tiles;
mod uniforms;
mod view_cells;
mod viewpoint;
mod waters;

pub use camera::Camera;
pub use capture::capture;
pub use error::RenderError;
pub use frame::{Renderer, SidePicture};
pub use frame_state::{FrameState, FrameStats, HudFrame, Style, SurfaceView, Switches, TileView};
pub use gpu::{Gpu, GpuCaps, GpuOptions};
pub use particle_list::ParticleList;
pub use resolution::ResolutionScale;
pub use scene_upload::SceneGpu;
pub use settings::RenderSettings;
pub use target::{ColorFormat, OffscreenTarget, TargetView, WindowFrame, WindowTarget};
pub use tiles::TileMemory;
