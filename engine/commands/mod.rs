//! The commands: each file has its arguments, one `run`, and an example in its `--help`.

pub mod check;
pub mod demo;
pub mod export;
pub mod fly;
pub mod import;
pub mod info;
