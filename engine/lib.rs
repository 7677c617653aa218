//! Ironlands: levels of four old worlds, opened from their owners' files, flown, asked and converted.
//!
//! This is the door for programs that build on it: the rooms under short names, and what the program itself
//! is made of that others can use. `examples/` shows the common tasks.

pub use ironlands_assets_loader as assets_loader;
pub use ironlands_demo as demo;
pub use ironlands_exchange as exchange;
pub use ironlands_renderer as renderer;
pub use ironlands_scene as scene;
pub use ironlands_sim as sim;

pub mod camera;
pub mod frame_times;
pub mod output;
