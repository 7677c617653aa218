//! What a set takes in memory and how long it loads, for `ironlands info`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use crate::LoadedRegions;
use ironlands_assets_lineage2::{GeodataFormat, RegionFolder, RegionPath};

use super::broken::BrokenRegions;
use super::source::{load, word};
use crate::Lineage2Error;

/// Loads all regions at a path, format after format, and prints bytes and time. A region with several files of a
/// format is loaded from the first. Nothing is printed for a path without regions that can be read.
///
/// # Errors
/// On Ctrl-C, or if the output cannot be written.
pub fn print_memory(path: &Path, out: &mut dyn Write) -> Result<(), Lineage2Error> {
    for (format, files) in by_format(path)? {
        let start = Instant::now();
        let LoadedRegions { geodata, left_out } = load(&files)?;
        let millis = start.elapsed().as_secs_f64() * 1e3;
        let n_regions = files.len() - left_out.len();
        if n_regions == 0 {
            continue;
        }
        let read = (files.iter()).filter(|file| geodata.has_region(file.name.id));
        let n_bytes: u64 = read.map(n_bytes).sum::<Result<_, _>>()?;
        BrokenRegions::LeaveOut.log(left_out, files.len())?;
        let packed = geodata.memory().packs;
        let share = packed as f64 / n_bytes.max(1) as f64;
        writeln!(
            out,
            "\n{}: {} regions, {n_bytes} bytes in files, {packed} in memory ({share:.2} of that), loaded in {millis:.0} ms",
            word(format),
            n_regions
        )?;
    }
    Ok(())
}

fn by_format(path: &Path) -> Result<BTreeMap<GeodataFormat, Vec<RegionPath>>, Lineage2Error> {
    let mut sets = BTreeMap::<_, Vec<RegionPath>>::new();
    let found = match path.is_dir() {
        true => {
            RegionFolder::scan(path)
                .map_err(Lineage2Error::Geodata)?
                .files
        }
        false => RegionPath::new(path)
            .map(|file| BTreeMap::from([(file.name.id, vec![file])]))
            .unwrap_or_default(),
    };
    for file in found.into_values().flatten() {
        let set = sets.entry(file.name.format).or_default();
        if !set.iter().any(|known| known.name.id == file.name.id) {
            set.push(file);
        }
    }
    Ok(sets)
}

fn n_bytes(file: &RegionPath) -> Result<u64, Lineage2Error> {
    let metadata = file.path.metadata();
    let size = metadata.map(|metadata| metadata.len());
    size.map_err(|source| Lineage2Error::Read {
        path: file.path.clone(),
        source,
    })
}
