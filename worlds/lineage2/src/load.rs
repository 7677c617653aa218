//! Many region files at once, on all threads; and the step rule that suits them.

use ironlands_assets_lineage2::{FolderError, GeodataFormat, RegionId, RegionPath, Tolerance};
use ironlands_sim_geodata::{Geodata, PackBuilder, Profile};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use thiserror::Error;

/// How far loading has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadProgress {
    /// The region that was read last.
    pub region: RegionId,
    /// Regions that were read, or found to be broken.
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
    /// It was canceled.
    #[error("loading was canceled")]
    Canceled,
}

/// What was loaded, and what was not.
#[derive(Debug)]
pub struct LoadedRegions {
    /// All regions that could be read.
    pub geodata: Geodata,
    /// The others, in the order given.
    pub left_out: Vec<LeftOut>,
}

/// A region that could not be read.
#[derive(Debug)]
pub struct LeftOut {
    /// The region.
    pub id: RegionId,
    /// Why: the file, and the place in it.
    pub error: FolderError,
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
/// If a file cannot be read, the first of them in the order given, or loading was canceled.
pub fn load_regions(
    files: &[RegionPath],
    tolerance: Tolerance,
    progress: &(dyn Fn(LoadProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<Geodata, LoadError> {
    let LoadedRegions { geodata, left_out } =
        load_readable_regions(files, tolerance, progress, cancel)?;
    match left_out.into_iter().next() {
        Some(first) => Err(first.error.into()),
        None => Ok(geodata),
    }
}

/// Reads and packs regions as [`load_regions`] does, and leaves out those that cannot be read.
///
/// # Errors
/// If loading was canceled.
pub fn load_readable_regions(
    files: &[RegionPath],
    tolerance: Tolerance,
    progress: &(dyn Fn(LoadProgress) + Sync),
    cancel: &AtomicBool,
) -> Result<LoadedRegions, LoadError> {
    let n_done = AtomicUsize::new(0);
    let kits = Mutex::new(Vec::<Kit>::new());
    let kits = || kits.lock().unwrap_or_else(PoisonError::into_inner);
    let load = |file: &RegionPath| {
        if cancel.load(Ordering::Relaxed) {
            return Err(LoadError::Canceled);
        }
        let mut kit = kits().pop().unwrap_or_default();
        let Kit { bytes, builder } = &mut kit;
        let read = file.visit(tolerance, bytes, |block| builder.add(block));
        let pack = read.map(|()| builder.finish());
        // After a broken region the builder holds a part of it, and is dropped.
        if pack.is_ok() {
            kits().push(kit);
        }
        progress(LoadProgress {
            region: file.name.id,
            n_done: n_done.fetch_add(1, Ordering::Relaxed).saturating_add(1),
            n_regions: files.len(),
        });
        Ok(pack)
    };
    let loaded: Vec<Result<_, LoadError>> = files.par_iter().with_max_len(1).map(load).collect();
    let mut packs = Vec::new();
    let mut left_out = Vec::new();
    for (file, pack) in files.iter().zip(loaded) {
        let id = file.name.id;
        match pack? {
            Ok(pack) => packs.push((id, pack)),
            Err(error) => left_out.push(LeftOut { id, error }),
        }
    }
    let geodata = Geodata::new(packs);
    log::debug!("geodata: {:?}", geodata.memory());
    Ok(LoadedRegions { geodata, left_out })
}

/// The step rule that suits regions of these formats: that of the original server if all are its own.
pub fn profile_of_formats(formats: impl IntoIterator<Item = GeodataFormat>) -> Profile {
    let mut formats = formats.into_iter();
    match formats.all(|format| format == GeodataFormat::ConvDat) {
        true => Profile::PTS,
        false => Profile::ACIS,
    }
}
