//! The commands: each file has its arguments, one `run`, and an example in its `--help`.

pub mod check;
mod convert;
pub mod demo;
pub mod export;
pub mod extract;
pub mod fly;
pub mod geodata;
pub mod import;
pub mod info;
pub mod pack;

use std::fs;
use std::path::Path;

use ironlands::output::{Existing, check_writable};

use crate::error::AppError;

/// Makes the folder that a file is to be written in, if it is not there.
fn make_folder_of(path: &Path) -> Result<(), AppError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(|source| AppError::MakeFolder {
        folder: folder.to_owned(),
        source,
    })
}

/// Refuses what could not be written in the end, before anything is opened.
fn check_picture_path(path: &Path, existing: Existing) -> Result<(), AppError> {
    let is_png = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    if !is_png {
        return Err(AppError::NotPng {
            path: path.to_owned(),
        });
    }
    Ok(check_writable(path, existing)?)
}
