//! Whether files of regions changed on the disk.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use ironlands_assets_lineage2::{RegionId, RegionPath};

/// How often files are looked at.
const PERIOD: Duration = Duration::from_secs(1);

/// Files, and when they were written last as far as is known.
#[derive(Debug)]
pub struct FileWatch {
    files: Vec<WatchedFile>,
    looked: Instant,
}

#[derive(Debug)]
struct WatchedFile {
    file: RegionPath,
    known: Option<Stamp>,
    /// Another one, which was seen once: who writes may not be done.
    seen: Option<Stamp>,
}

/// What changes when a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    n_bytes: u64,
}

impl FileWatch {
    /// Takes the files as they are.
    pub fn new(files: &[RegionPath]) -> Self {
        let watched = files.iter().map(|file| WatchedFile {
            known: stamp_of(&file.path),
            file: file.clone(),
            seen: None,
        });
        Self {
            files: watched.collect(),
            looked: Instant::now(),
        }
    }

    /// The regions whose files changed and then stayed for a look or two. Looks at most once a second.
    pub fn poll(&mut self) -> Vec<RegionId> {
        match self.looked.elapsed() < PERIOD {
            true => Vec::new(),
            false => self.look(),
        }
    }

    /// The same without waiting for a second to pass.
    pub fn look(&mut self) -> Vec<RegionId> {
        self.looked = Instant::now();
        let changed = self.files.iter_mut().filter_map(|watched| {
            let now = stamp_of(&watched.file.path);
            let is_still = now == watched.seen;
            watched.seen = now;
            // A file that is gone may come back, as editors write some.
            let has_changed = now.is_some() && now != watched.known && is_still;
            has_changed.then(|| {
                watched.known = now;
                watched.file.name.id
            })
        });
        changed.collect()
    }

    /// A file was written here.
    pub fn note_written(&mut self, id: RegionId) {
        if let Some(watched) = self.files.iter_mut().find(|it| it.file.name.id == id) {
            watched.known = stamp_of(&watched.file.path);
        }
    }

    /// The file of a region.
    pub fn file(&self, id: RegionId) -> Option<&RegionPath> {
        let watched = self.files.iter().find(|it| it.file.name.id == id);
        watched.map(|watched| &watched.file)
    }
}

fn stamp_of(path: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(path).ok()?;
    Some(Stamp {
        modified: metadata.modified().ok(),
        n_bytes: metadata.len(),
    })
}
