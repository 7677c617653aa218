//! Ironlands: levels of old worlds, opened from their owners' files, shown, queried and converted.
//!
//! The library for programs that build on it: its crates under short names, and the program itself, which [`run`] runs with
//! any list of worlds. `examples/` shows the common tasks; `examples/height_picture` adds a world of its own.

pub use glam;
pub use ironlands_assets_core as assets;
pub use ironlands_exchange as exchange;
pub use ironlands_renderer as renderer;
pub use ironlands_scene as scene;
pub use ironlands_sim as sim;
pub use ironlands_world_kind as kind;
pub use ironlands_world_kind::console;
pub use ironlands_worlds as worlds;

mod background;
mod bookmarks;
mod browser;
pub mod camera;
mod cli;
mod commands;
mod comparison;
mod day_clock;
mod dialogs;
mod editing;
mod error;
mod flight;
mod frame_budget;
pub mod frame_times;
mod gamepad;
mod headless;
mod hearing;
mod hud;
mod input;
mod land_options;
mod level;
mod level_defaults;
mod library;
mod minimap;
mod model_contents;
mod model_options;
mod model_stage;
mod objects;
mod path_draft;
mod path_flight;
mod photo;
mod picks;
mod playback;
mod poser;
mod program;
mod projection;
mod recording;
pub mod screens;
mod settings;
mod soak;
#[cfg(test)]
mod test_world;
mod thumbnails;
mod tile_feed;
mod unzip;
mod user_folders;
mod view_options;
mod window;
mod words;

pub use program::{run, run_line};
