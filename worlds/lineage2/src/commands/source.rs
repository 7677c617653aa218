//! Where geodata comes from: a region's file or a folder of them, as the command line names it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{LeftOut, LoadError, LoadProgress, LoadedRegions, load_readable_regions};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use ironlands_assets_lineage2::{
    FolderError, GeodataFormat, RegionFolder, RegionId, RegionPath, Tolerance,
};
use ironlands_sim_geodata::{GeoPoint, Geodata, RegionPack};

use super::broken::BrokenRegions;
use crate::Lineage2Error;
use ironlands_world_kind::OpenError;
use ironlands_world_kind::console::input_path;
use ironlands_world_kind::console::interrupt::{interrupt_flag, watch_for_interrupt};
use ironlands_world_kind::console::progress;

/// Most regions that are named as examples.
const MAX_EXAMPLES: usize = 8;

/// A region or a set of them.
#[derive(Debug, Args)]
pub struct SourceArgs {
    /// Region file such as 22_16.l2j, or folder of regions.
    #[arg(value_name = "PATH", value_parser = input_path())]
    pub path: PathBuf,

    /// Format to read if a folder has several.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), ignore_case = true)]
    pub from: Option<GeodataFormat>,

    /// Fail if a region cannot be read, instead of skipping it.
    #[arg(long)]
    pub strict: bool,
}

impl SourceArgs {
    /// The files, one for each region.
    ///
    /// # Errors
    /// If there are none, or a region has two.
    pub fn files(&self) -> Result<Vec<RegionPath>, Lineage2Error> {
        region_files(&self.path, self.from)
    }

    /// What happens to regions that cannot be read.
    pub fn broken_regions(&self) -> BrokenRegions {
        BrokenRegions::from_strict(self.strict)
    }

    /// Whether all files are of a format.
    ///
    /// # Errors
    /// If there are none.
    pub fn has_only(&self, format: GeodataFormat) -> Result<bool, Lineage2Error> {
        let folder = region_folder(&self.path, self.from)?;
        let mut files = folder.files.values().flatten();
        Ok(files.all(|file| file.name.format == format))
    }

    /// All that is there, to be loaded as it is needed; the region of a point must be there.
    ///
    /// # Errors
    /// If there is no such region, or a region has two files.
    pub fn lazily(&self, point: GeoPoint) -> Result<LazyRegions, Lineage2Error> {
        watch_for_interrupt();
        Ok(LazyRegions {
            first: point.cell().map_err(Lineage2Error::outside)?.region(),
            files: one_each(&self.folder_with(point)?)?,
            broken: self.broken_regions(),
            left_out: Vec::new(),
            failure: None,
        })
    }

    /// Loads what lies around these points; the region of the first must be there.
    ///
    /// # Errors
    /// If there is no such region, it cannot be read, a region has two files, or another is broken and none may be left
    /// out.
    pub fn load_around(
        &self,
        first: GeoPoint,
        others: &[GeoPoint],
    ) -> Result<Geodata, Lineage2Error> {
        let mut ids = vec![first.cell().map_err(Lineage2Error::outside)?.region()];
        for point in others {
            ids.push(point.cell().map_err(Lineage2Error::outside)?.region());
        }
        let is_between = |at: u8, of: fn(RegionId) -> u8| {
            let places = || ids.iter().map(|id| of(*id));
            places().min() <= Some(at) && Some(at) <= places().max()
        };
        self.load(first, |id| {
            is_between(id.x(), RegionId::x) && is_between(id.y(), RegionId::y)
        })
    }

    fn load(
        &self,
        first: GeoPoint,
        is_needed: impl Fn(RegionId) -> bool,
    ) -> Result<Geodata, Lineage2Error> {
        let mut folder = self.folder_with(first)?;
        folder.files.retain(|id, _| is_needed(*id));
        let files = one_each(&folder)?;
        let LoadedRegions {
            geodata,
            mut left_out,
        } = load(&files)?;
        // Without the region of the point there is no result.
        let id = first.cell().map_err(Lineage2Error::outside)?.region();
        if let Some(at) = left_out.iter().position(|broken| broken.id == id) {
            return Err(Lineage2Error::Geodata(left_out.swap_remove(at).error));
        }
        self.broken_regions().log(left_out, files.len())?;
        Ok(geodata)
    }

    /// The files that are there, if that of a point is.
    fn folder_with(&self, first: GeoPoint) -> Result<RegionFolder, Lineage2Error> {
        let folder = region_folder(&self.path, self.from)?;
        let id = first.cell().map_err(Lineage2Error::outside)?.region();
        match folder.files.contains_key(&id) {
            true => Ok(folder),
            false => Err(self.no_region(first, id, folder.files.into_keys().collect())),
        }
    }

    /// Says that the region of a point has no file, and which others have.
    pub fn no_region(&self, point: GeoPoint, id: RegionId, known: Vec<RegionId>) -> Lineage2Error {
        Lineage2Error::NoRegion {
            point: format!("{},{}", point.x, point.y),
            region: id.to_string(),
            path: self.path.clone(),
            known: examples(id, known),
        }
    }
}

/// Regions that are loaded one at a time.
pub struct LazyRegions {
    /// One a region.
    pub files: Vec<RegionPath>,
    /// Without it there is no result.
    first: RegionId,
    broken: BrokenRegions,
    left_out: Vec<LeftOut>,
    failure: Option<Lineage2Error>,
}

impl LazyRegions {
    /// Loads a region; `None` if it cannot be read, which [`finish`](Self::finish) reports.
    pub fn load(&mut self, id: RegionId) -> Option<Arc<RegionPack>> {
        if self.failure.is_some() {
            return None;
        }
        let file = self.files.iter().find(|file| file.name.id == id)?;
        match load(std::slice::from_ref(file)) {
            Ok(LoadedRegions { geodata, left_out }) => {
                self.left_out.extend(left_out);
                geodata.pack(id).cloned()
            }
            Err(failure) => {
                self.failure = Some(failure);
                None
            }
        }
    }

    /// Reports regions that could not be read.
    ///
    /// # Errors
    /// If loading was stopped, the region of the first point cannot be read, or none may be left out.
    pub fn finish(mut self) -> Result<(), Lineage2Error> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let mut broken = self.left_out.iter();
        if let Some(at) = broken.position(|broken| broken.id == self.first) {
            return Err(Lineage2Error::Geodata(self.left_out.swap_remove(at).error));
        }
        self.broken.log(self.left_out, self.files.len())
    }
}

/// The words for formats that can be read and written.
pub fn format_parser() -> impl TypedValueParser<Value = GeodataFormat> {
    let formats = GeodataFormat::ALL
        .into_iter()
        .filter(|format| *format != GeodataFormat::L2s);
    let words = formats.map(|format| PossibleValue::new(word(format)).alias(format.ending()));
    PossibleValuesParser::new(words)
        .map(|word| GeodataFormat::from_word(&word).expect("one of the words above"))
}

/// What users call a format: `conv.dat`, `l2j`.
pub fn word(format: GeodataFormat) -> &'static str {
    format.ending().trim_start_matches(['_', '.'])
}

/// The files at a path, one for each region, in the order of regions.
///
/// # Errors
/// If there are none, or a region has two.
pub fn region_files(
    path: &Path,
    from: Option<GeodataFormat>,
) -> Result<Vec<RegionPath>, Lineage2Error> {
    one_each(&region_folder(path, from)?)
}

/// What is at a path; at least one region. A file is a folder of its own.
fn region_folder(path: &Path, from: Option<GeodataFormat>) -> Result<RegionFolder, Lineage2Error> {
    // Says what is near a path that does not exist.
    path.metadata()
        .map_err(|error| OpenError::from_io(path, error))?;
    if !path.is_dir() {
        let file = RegionPath::new(path).map_err(|_| no_geodata(path))?;
        return match from {
            Some(_) => Err(Lineage2Error::arguments(
                "--from is for folders, and this is a file",
            )),
            None => Ok(RegionFolder {
                files: [(file.name.id, vec![file])].into(),
            }),
        };
    }
    let folder = RegionFolder::scan(path).map_err(Lineage2Error::Geodata)?;
    if folder.files.is_empty() {
        return Err(no_geodata(path));
    }
    let Some(format) = from else {
        return Ok(folder);
    };
    let folder = folder.of_format(format);
    match folder.files.is_empty() {
        true => Err(Lineage2Error::NoFormat {
            path: path.to_owned(),
            format: word(format),
        }),
        false => Ok(folder),
    }
}

fn one_each(folder: &RegionFolder) -> Result<Vec<RegionPath>, Lineage2Error> {
    folder.one_each().map_err(|error| match error {
        FolderError::Duplicate { .. } => Lineage2Error::RegionTwice(error),
        error => Lineage2Error::Geodata(error),
    })
}

fn no_geodata(path: &Path) -> Lineage2Error {
    Lineage2Error::NoGeodata {
        path: path.to_owned(),
    }
}

/// Loads all regions that can be read on all threads, with a bar.
///
/// # Errors
/// [`CommandError::Stopped`](ironlands_world_kind::CommandError::Stopped) on Ctrl-C.
pub fn load(files: &[RegionPath]) -> Result<LoadedRegions, Lineage2Error> {
    watch_for_interrupt();
    let bar = progress::bar(files.len());
    let reported = |progress: LoadProgress| bar.set_position(progress.n_done as u64);
    let loaded = load_readable_regions(files, Tolerance::STRICT, &reported, interrupt_flag());
    bar.finish_and_clear();
    loaded.map_err(|error| match error {
        LoadError::File(error) => Lineage2Error::Geodata(error),
        LoadError::Canceled => Lineage2Error::stopped(),
    })
}

/// Regions that are there, those near the wanted one first.
fn examples(wanted: RegionId, mut ids: Vec<RegionId>) -> String {
    let distance = |id: &RegionId| {
        let (x, y) = (id.x().abs_diff(wanted.x()), id.y().abs_diff(wanted.y()));
        u32::from(x).pow(2) + u32::from(y).pow(2)
    };
    ids.sort_by_key(distance);
    let names: Vec<String> = ids
        .iter()
        .take(MAX_EXAMPLES)
        .map(RegionId::to_string)
        .collect();
    match ids.len() > MAX_EXAMPLES {
        true => format!("{}, ...", names.join(", ")),
        false => names.join(", "),
    }
}
