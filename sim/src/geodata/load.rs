//! Many region files at once, on all threads.

use super::pack::PackBuilder;
use super::world::Geodata;
use ironlands_assets_loader::lineage2::{FolderError, RegionId, RegionPath, Tolerance};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use thiserror::Error;

/// How far loading has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadProgress {
    /// The region that was loaded last.
    pub region: RegionId,
    /// Regions that are loaded.
    pub n_done: usize,
    /// Regions that there are.
    pub n_regions: usize,
}

/// Why regions were not loaded.
#[derive(Debug, Error)]
pub enum LoadError {
    /// A file cannot be read or is no region.
    #[error(transparent)]
    File(#[from] FolderError),
    /// It was asked to stop.
    #[error("loading was cancelled")]
    Cancelled,
}

/// What a thread loads with. It is used again: fresh memory is a tenth of the time.
#[derive(Default)]
struct Kit {
    bytes: Vec<u8>,
    builder: PackBuilder,
}

/// Reads and packs regions on all threads. `progress` is called from any of them after each region; once `cancel` is
/// set, no further file is begun.
///
/// Files are read, not mapped: of loading, a map would save a hundredth or two, and one whose file is cut short while
/// it is mapped ends the process.
///
/// # Errors
/// If a file cannot be had, the first of them in the order given, or loading was cancelled.
pub fn load_regions(
    files: &[RegionPath],
    tolerance: Tolerance,
    progress: &(dyn Fn(LoadProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<Geodata, LoadError> {
    let n_done = AtomicUsize::new(0);
    let kits = Mutex::new(Vec::<Kit>::new());
    let kits = || kits.lock().unwrap_or_else(PoisonError::into_inner);
    let load = |file: &RegionPath| {
        if cancel.load(Ordering::Relaxed) {
            return Err(LoadError::Cancelled);
        }
        let mut kit = kits().pop().unwrap_or_default();
        let Kit { bytes, builder } = &mut kit;
        file.visit(tolerance, bytes, |block| builder.add(block))?;
        let pack = builder.finish();
        kits().push(kit);
        let id = file.name.id;
        progress(LoadProgress {
            region: id,
            n_done: n_done.fetch_add(1, Ordering::Relaxed) + 1,
            n_regions: files.len(),
        });
        Ok((id, pack))
    };
    let loaded: Vec<Result<_, LoadError>> = files.par_iter().with_max_len(1).map(load).collect();
    let packs = loaded.into_iter().collect::<Result<Vec<_>, _>>()?;
    let geodata = Geodata::new(packs);
    log::debug!("geodata: {:?}", geodata.memory());
    Ok(geodata)
}
