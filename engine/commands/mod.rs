//! The commands: each file has its arguments, one `run`, and an example in its `--help`.

pub mod check;
pub mod demo;
pub mod export;
pub mod extract;
pub mod fly;
pub mod import;
pub mod info;
pub mod pack;

use std::fs;
use std::path::Path;

use crate::error::AppError;

/// Makes the folder that a file is to be written in, if it is not there.
fn make_folder_of(path: &Path) -> Result<(), AppError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(|source| AppError::MakeFolder {
        folder: folder.to_owned(),
        source,
    })
}
