//! Queries are built from plain arrays and know no game; what turns typed files into those arrays lies in `worlds`.
//! Which crates they may depend on is held by `tidy.rs`.

use std::path::{Path, PathBuf};

/// Crates of queries, by their folders.
const QUERIES: [&str; 6] = [
    "sim/core",
    "sim/animation",
    "sim/areal",
    "sim/brush",
    "sim/regions",
    "sim/geodata",
];

/// Names of games and of their engines, and the beginning of the crates of readers.
const GAME_WORDS: [&str; 9] = [
    "parkan",
    "iron3d",
    "iron strategy",
    "evil islands",
    "evil_islands",
    "lineage",
    "half-life",
    "valve",
    "ironlands_assets",
];

#[test]
fn queries_know_no_game() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in QUERIES {
        let sources = sources_of(&root.join(folder).join("src"));
        assert!(!sources.is_empty(), "{folder} has sources");
        for path in sources {
            let text = std::fs::read_to_string(&path).expect("a source is text");
            for (number, line) in text.lines().enumerate() {
                // A comment may cite a document.
                let code = line.split("//").next().unwrap_or_default().to_lowercase();
                if GAME_WORDS.iter().any(|word| code.contains(word)) {
                    found.push(format!("{}:{}: {line}", path.display(), number + 1));
                }
            }
        }
    }
    assert!(found.is_empty(), "game words:\n{}", found.join("\n"));
}

/// All Rust files below a folder.
fn sources_of(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of the project") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources_of(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found
}
