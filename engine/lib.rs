//! Ironlands: levels of four old worlds, opened from their owners' files, shown, queried and converted.
//!
//! The library for programs that build on it: its crates under short names, and what the program itself is made of that
//! others can use. `examples/` shows the common tasks.

pub use ironlands_assets_loader as assets_loader;
pub use ironlands_exchange as exchange;
pub use ironlands_renderer as renderer;
pub use ironlands_scene as scene;
pub use ironlands_sim as sim;

/// What joins the files of each world to queries.
pub mod worlds {
    pub use ironlands_world_evil_islands as evil_islands;
    pub use ironlands_world_lineage2 as lineage2;
    pub use ironlands_world_parkan as parkan;
    pub use ironlands_world_source as source;
}

pub mod camera;
pub mod frame_times;
pub mod interrupt;
pub mod output;
pub mod progress;
