//! The committed `DATA/` is what this crate builds, on one thread as on many.
//!
//! After a change that is meant to alter the demo, `BLESS=1 cargo test -p ironlands-demo` writes it anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ironlands_demo::{build, files};

fn data_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../DATA")
}

/// Writes the folder anew first, where that is asked for, so that no test reads a half-written one.
fn bless() {
    static BLESSED: OnceLock<()> = OnceLock::new();
    BLESSED.get_or_init(|| {
        if std::env::var_os("BLESS").is_some() {
            build(&data_folder(), &mut |_| ()).unwrap();
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
fn build_writes_the_files_and_tells_what_it_does() {
    bless();
    let folder = tempfile::tempdir().unwrap();
    let mut told = Vec::new();
    let summary = build(folder.path(), &mut |step| told.push(step.to_owned())).unwrap();
    let written = files_below(folder.path());
    assert_eq!(summary.n_files, written.len());
    let n_bytes: u64 = written
        .iter()
        .map(|path| fs::metadata(path).unwrap().len())
        .sum();
    assert_eq!(summary.n_bytes as u64, n_bytes);
    assert!(
        n_bytes < 9_500_000,
        "{n_bytes} bytes are much for a repository"
    );
    assert!(told.len() >= 3, "{told:?}");
    for path in files_below(&data_folder()) {
        let below = path.strip_prefix(data_folder()).unwrap();
        assert!(
            fs::read(&path).unwrap() == fs::read(folder.path().join(below)).unwrap(),
            "{}",
            below.display()
        );
    }
}

#[test]
fn a_file_in_the_way_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("DATA");
    fs::write(&root, "not a folder").unwrap();
    let mut told = 0;
    let error = build(&root, &mut |_| told += 1).unwrap_err();
    assert!(error.to_string().ends_with("DATA"), "{error}");
    assert_eq!(told, 0, "nothing is built that cannot be written");
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
