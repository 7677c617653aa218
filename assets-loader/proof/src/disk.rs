//! Files of tests in temporary folders.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Writes a file below a folder, and the folders that it lies in; its path.
pub fn put_file(root: &Path, name: &str, data: impl AsRef<[u8]>) -> PathBuf {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, data).unwrap();
    path
}

/// A temporary folder with some files.
pub fn folder_with(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, data) in files {
        put_file(folder.path(), name, data);
    }
    folder
}
