//! `ironlands geodata zones DIR`: what paths need to know of all regions, kept beside them; and how it is found again.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::{LoadedRegions, ZoneStore, checksums, zone_file};
use clap::Args;
use ironlands_assets_lineage2::RegionPath;
use ironlands_sim_geodata::path::{NavGraph, StoredZones, ZoneCache};
use ironlands_sim_geodata::{NoDataRule, Profile, ZoneSource};
use ironlands_world_kind::console::output::{Existing, check_writable, write_file};

use super::query::{ProfileArg, profile_of};
use super::source::{SourceArgs, load};
use crate::Lineage2Error;
use ironlands_world_kind::Verdict;
use ironlands_world_kind::console::interrupt::{interrupt_flag, watch_for_interrupt};
use ironlands_world_kind::console::plain;
use ironlands_world_kind::console::progress::Steps;

const EXAMPLES: &str = "\
Examples:
  ironlands geodata zones geodata
          Write geodata/acis.zones, or geodata/pts.zones where all regions are from conv.dat.
  ironlands geodata zones geodata --profile loose --force
          Write the zones of another step rule, overwriting an older file.

`geodata path` and the viewer use the file if it is beside the regions and none of them has changed since. With it,
unreachable goals are reported at once, and long paths are planned without loading regions beside the path.";

/// What `ironlands geodata zones` takes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ZonesArgs {
    #[command(flatten)]
    source: SourceArgs,

    /// Step rule; by default pts for regions from conv.dat, acis for others.
    #[arg(long, value_enum)]
    profile: Option<ProfileArg>,

    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
}

/// Makes and writes the zones of a folder.
///
/// # Errors
/// If there are no regions, one is broken, or the file cannot be written.
pub fn run(args: &ZonesArgs, out: &mut dyn Write) -> Result<Verdict, Lineage2Error> {
    watch_for_interrupt();
    let profile = profile_of(args.profile, &args.source)?;
    let files = args.source.files()?;
    let folder = folder_of(&args.source.path);
    let Some(path) = folder.and_then(|folder| ZoneStore::path(folder, &profile)) else {
        return Err(Lineage2Error::arguments(
            "zones are kept for a folder of regions, not for a file, and for the step rules pts, acis and loose",
        ));
    };
    let existing = match args.force {
        true => Existing::Replace,
        false => Existing::Keep,
    };
    check_writable(&path, existing)?;
    // Before they are loaded: zones of what changes meanwhile do not fit, and are not used.
    let regions = checksums(&files).map_err(Lineage2Error::Geodata)?;
    let LoadedRegions { geodata, left_out } = load(&files)?;
    args.source.broken_regions().log(left_out, files.len())?;
    let steps = Steps::begin();
    steps.report("making zones");
    let graph = NavGraph::build(&geodata, &profile, interrupt_flag());
    steps.end();
    let graph = graph.ok_or(Lineage2Error::stopped())?;
    let memory = graph.memory();
    let bytes = zone_file(&graph, regions).write();
    let bytes = bytes.map_err(|source| Lineage2Error::KeepZones {
        path: path.clone(),
        source: Box::new(source),
    })?;
    write_file(&path, existing, &bytes)?;
    writeln!(
        out,
        "{}: {} regions, {} zones, {} bytes",
        plain::path(&path),
        files.len(),
        memory.n_zones,
        bytes.len()
    )?;
    Ok(Verdict::Done)
}

/// Zones of a level or a folder: those that are kept there, once they are needed, else as they are made.
pub fn kept_zones(source: &Path, profile: &Profile, files: &[RegionPath]) -> ZoneCache {
    let zones = ZoneCache::new(profile, None);
    let Some(path) = kept_path(source, profile) else {
        return zones;
    };
    let (profile, files) = (*profile, files.to_vec());
    zones.with_store_from(move || open_store(&path, &profile, &files))
}

/// The zones that are kept in a folder, for queries on many threads: each file is opened once, when it is needed.
pub struct KeptZones {
    source: PathBuf,
    files: Vec<RegionPath>,
    stores: Mutex<Vec<(Profile, Option<Arc<ZoneStore>>)>>,
}

impl KeptZones {
    /// Those beside these regions, if a folder has them.
    pub fn new(source: &Path, files: &[RegionPath]) -> Self {
        Self {
            source: source.to_owned(),
            files: files.to_vec(),
            stores: Mutex::default(),
        }
    }
}

impl ZoneSource for KeptZones {
    fn stored(&self, profile: &Profile) -> Option<Box<dyn StoredZones>> {
        // Others wait while one opens it.
        let mut stores = self.stores.lock().unwrap_or_else(PoisonError::into_inner);
        let known = stores.iter().find(|(known, _)| known == profile);
        let store = match known {
            Some((_, store)) => store.clone(),
            None => {
                let path = kept_path(&self.source, profile);
                let store = path.and_then(|path| open_store(&path, profile, &self.files));
                let store = store.map(Arc::new);
                stores.push((*profile, store.clone()));
                store
            }
        };
        store.map(|store| Box::new(store) as Box<dyn StoredZones>)
    }
}

/// The file of zones of a folder for a step rule, if there is one.
fn kept_path(source: &Path, profile: &Profile) -> Option<PathBuf> {
    // Zones know nothing of ways where no region is.
    let folder = folder_of(source).filter(|_| profile.no_data == NoDataRule::Blocked);
    let path = folder.and_then(|folder| ZoneStore::path(folder, profile));
    path.filter(|path| path.exists())
}

/// Opens a file of zones; one that does not fit is reported and not used.
fn open_store(path: &Path, profile: &Profile, files: &[RegionPath]) -> Option<ZoneStore> {
    match ZoneStore::open(path, profile, files) {
        Ok(store) => Some(store),
        Err(error) => {
            let why = error.source().map(|source| format!(": {source}"));
            log::warn!(
                "stored zones are not used: {error}{}; `ironlands geodata zones --force` rebuilds them",
                why.unwrap_or_default()
            );
            None
        }
    }
}

fn folder_of(source: &Path) -> Option<&Path> {
    source.is_dir().then_some(source)
}
