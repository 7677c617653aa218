//! Levels that are opened from damaged files: whatever a loader makes of them, the renderer can draw.
//!
//! The first byte says what the rest is: a Source map, or the terrain of a Parkan level.
#![no_main]

use ironlands_worlds::kind::OpenOptions;
use ironlands_worlds::registry;
use libfuzzer_sys::fuzz_target;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

/// A folder of this process. libFuzzer never ends a process in an orderly way, so it stays.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("ironlands-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the level");
    folder
});

fuzz_target!(|data: &[u8]| {
    let Some((kind, data)) = data.split_first() else {
        return;
    };
    let name = match kind % 2 {
        0 => "map.bsp",
        _ => "Land.msh",
    };
    let path = FOLDER.join(name);
    fs::write(&path, data).expect("the level's file");
    if let Ok((_, level)) = registry().open(&path, &OpenOptions::default()) {
        level.scene.validate().expect("loaders make valid scenes");
    }
});
