//! The commands: each file has its arguments, one `run`, and an example in its `--help`.

pub mod check;
pub mod completions;
pub mod convert;
pub mod demo;
pub mod export;
pub mod extract;
pub mod fly;
pub mod import;
pub mod info;
mod inspection_json;
pub mod man;
pub mod pack;

pub use self::convert::read_game_file;
pub use self::export::files_of as export_files;
