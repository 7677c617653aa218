//! The committed `DATA/` is what this crate builds, on one thread as on many.
//!
//! After a change that is meant to alter the demo, `BLESS=1 cargo test -p ironlands-demo` rewrites it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ironlands_demo::files;

fn data_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../DATA")
}

/// Rewrites the folder first, where that is requested, so that no test reads a half-written one.
fn bless() {
    static BLESSED: OnceLock<()> = OnceLock::new();
    BLESSED.get_or_init(|| {
        if std::env::var_os("BLESS").is_some() {
            write(&files(&mut |_| ()).unwrap());
        }
    });
}

#[test]
fn data_folder_is_what_one_thread_builds() {
    bless();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let built = pool.install(|| files(&mut |_| ()).unwrap());
    for (path, bytes) in &built {
        let stored =
            fs::read(data_folder().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        let first_difference = stored.iter().zip(bytes).position(|(a, b)| a != b);
        assert_eq!(
            first_difference, None,
            "{path}: byte where the committed file differs"
        );
        assert_eq!(stored.len(), bytes.len(), "{path}: length");
    }
    let stored: BTreeSet<PathBuf> = files_below(&data_folder());
    let built: BTreeSet<PathBuf> = built
        .iter()
        .map(|(path, _)| data_folder().join(path))
        .collect();
    assert_eq!(stored, built, "nothing else lies in DATA");
}

#[test]
fn many_threads_build_the_same_and_show_what_they_do() {
    bless();
    let mut reported = Vec::new();
    let built = files(&mut |step| reported.push(step.to_owned())).unwrap();
    assert!(reported.len() >= 3, "{reported:?}");
    for (path, bytes) in &built {
        assert!(
            fs::read(data_folder().join(path)).unwrap() == *bytes,
            "{path}"
        );
    }
    let n_bytes: usize = built.iter().map(|(_, bytes)| bytes.len()).sum();
    // 15.4 million for the levels of three games, and 2.2 for two regions of geodata, of which 0.6 is the least that any
    // two regions take.
    assert!(
        n_bytes < 17_700_000,
        "{n_bytes} bytes are much for a repository"
    );
}

fn write(files: &[(String, Vec<u8>)]) {
    for (path, bytes) in files {
        let path = data_folder().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

fn files_below(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.insert(path);
            }
        }
    }
    found
}
