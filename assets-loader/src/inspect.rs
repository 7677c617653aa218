//! What a file or folder holds, and what is wrong with it: the answers behind `check` and `info`.
//!
//! In: a path. Out: one [`Report`] for each file of a known format, and one for each level folder, with facts
//! for people, a table of entries, and findings. Nothing stops at the first fault: a file that cannot be read
//! is a report with an error in it, and a file of no known format is listed as skipped. With [`Depth::Contents`] a map
//! of the Source engine is also opened as whoever draws it does, and files in it and in archives are unpacked, so that
//! what has no error here opens.
//!
//! Deliberately absent: printing, and the rules themselves, which stand in each format's `check`.

mod archive;
mod evil_islands_archives;
mod evil_islands_figure;
mod evil_islands_land;
mod evil_islands_map;
mod files;
mod geodata;
mod source;
mod source_level;
mod source_members;
mod source_models;
#[cfg(test)]
mod source_tests;
mod summary;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use thiserror::Error;

use crate::bytes::{Finding, FormatError, Severity};
use crate::level::near;
use crate::parkan::level_check::{LevelCheck, is_level_folder};
use crate::vfs::{read_file, read_head};

/// Folders in folders beyond this are not entered.
const MAX_DEPTH: usize = 32;

/// All that was found at one path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inspection {
    /// One for each known file and each level, in the order of paths; a level comes before its files. The geodata of
    /// a folder comes before its other files.
    pub reports: Vec<Report>,
    /// Files of no known format, and links to folders, which are not followed.
    pub skipped: Vec<PathBuf>,
    /// How far files are looked into.
    depth: Depth,
}

/// How far files are looked into.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Depth {
    /// As far as facts and entries need it: archives of the Source engine are not unpacked, and maps are not opened.
    Facts,
    /// All that a file holds.
    #[default]
    Contents,
}

/// What is known of one file or level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The file, or the level's folder.
    pub path: PathBuf,
    /// What it was taken for.
    pub kind: Kind,
    /// Facts in words, as in `("faces", "8192")`.
    pub facts: Vec<(&'static str, String)>,
    /// Entries of an archive, in directory order.
    pub entries: Vec<EntryRow>,
    /// What is wrong or worth knowing. Offsets count from the start of the file. Of one kind the first are listed, and
    /// the rest counted.
    pub findings: Vec<Finding>,
    /// The system or the format's reader refused it; the last finding says why, and facts beyond its size are missing.
    pub is_refused: bool,
}

/// One entry of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryRow {
    /// Its name.
    pub name: String,
    /// Its type: a fourcc, a chunk number, or a packing method.
    pub type_name: String,
    /// Bytes, unpacked.
    pub size: u64,
    /// Where its payload begins in the file.
    pub offset: u64,
    /// What it holds, in words; empty where that is not known.
    pub detail: String,
}

/// What a path was taken for, by its name, its first bytes, and the chunks of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A folder that holds `Land.msh` or `Land.map`: how its files fit together.
    Level,
    /// `Land.msh`, or terrain by another name.
    LandMsh,
    /// `Land.map`, or areals by another name.
    LandMap,
    /// A model.
    Msh,
    /// `*.wea`: a material table.
    Wear,
    /// `BuildDat.lst`: building categories.
    BuildDat,
    /// `data.tma`: a mission.
    Mission,
    /// A unit file: what a unit is put together from.
    UnitDat,
    /// An NRes archive.
    NRes,
    /// An RsLi library.
    RsLi,
    /// `*.bsp`: a map of the Source engine.
    Bsp,
    /// `*.vtf`: a texture of the Source engine.
    Vtf,
    /// `*.vmt`: a material of the Source engine.
    Vmt,
    /// `*_dir.vpk`: the directory of an archive of the Source engine.
    Vpk,
    /// `*.mdl`: a model of the Source engine, with the files beside it that it is drawn with.
    Mdl,
    /// `*.vvd`: vertices of a model of the Source engine.
    Vvd,
    /// `*.vtx`: faces of a model of the Source engine.
    Vtx,
    /// `*.phy`: what a model of the Source engine collides with.
    Phy,
    /// `*.ani`: animations of a model of the Source engine.
    Ani,
    /// `*.vhv`: light that was baked into a prop of a map of the Source engine.
    Vhv,
    /// `*.vmf`: a map of the Source engine as its editor keeps it.
    Vmf,
    /// `*.mpr`: the land of a zone of Evil Islands, with all that it names.
    Zone,
    /// `*.mp`: what holds for a whole zone of Evil Islands.
    Mp,
    /// `*.sec`: a sector of a zone of Evil Islands.
    Sec,
    /// A RES archive of Evil Islands, whatever its extension.
    Res,
    /// `*.reg`: a packed INI file.
    Reg,
    /// `*.cam`: a camera path.
    Cam,
    /// `*.adb`: the animation table of a unit.
    Adb,
    /// `*.idb` and the like: a database.
    Db,
    /// `*.mob`: what stands on a map of Evil Islands.
    Mob,
    /// `lights*.ini`: the light of a region of Evil Islands.
    LightsConfig,
    /// `*.mmp`: a texture of Evil Islands.
    Mmp,
    /// `*.fig`: the mesh of a part of a figure of Evil Islands.
    Fig,
    /// `*.lnk`: the tree of a figure of Evil Islands.
    Lnk,
    /// `*.bon` that is no archive: where a part of a figure of Evil Islands stands.
    Bon,
    /// `*.anm` that is no archive: one animation of one part of a figure of Evil Islands.
    Anm,
    /// A region of Lineage II geodata, in any format.
    Geodata,
    /// A folder with regions of one format: what they are together.
    GeodataSet,
    /// An entry of an archive, alone.
    Entry,
    /// A file or folder that the system did not let us read.
    Unreadable,
}

/// The path that was asked for could not be looked at.
#[derive(Debug, Error)]
#[error("{}: {error}", path.display())]
pub struct InspectError {
    /// The path.
    pub path: PathBuf,
    /// The system's answer.
    pub error: io::Error,
}

/// Inspects a file, an entry of an archive as in `bases.rlb/WALKER.MSH`, or a folder and everything below it in
/// the order of names.
///
/// Links to folders below `path` are not followed. Reads one file at a time.
///
/// # Errors
/// Nothing is there, or the system does not say what.
pub fn inspect(path: &Path) -> Result<Inspection, InspectError> {
    inspect_to(path, Depth::Contents)
}

/// As [`inspect`], as far into the files as `depth` says.
///
/// # Errors
/// As [`inspect`].
pub fn inspect_to(path: &Path, depth: Depth) -> Result<Inspection, InspectError> {
    let mut inspection = Inspection {
        depth,
        ..Inspection::default()
    };
    match (path.metadata(), path.parent(), path.file_name()) {
        (Ok(metadata), ..) if metadata.is_dir() => inspection.add_folder(path, 0),
        (Ok(_), ..) => inspection.add_file(path),
        (Err(_), Some(archive), Some(entry)) if is_archive(archive) => {
            let report = inspect_entry(path, archive, &entry.to_string_lossy())?;
            inspection.reports.push(report);
        }
        (Err(error), ..) => {
            let path = path.to_owned();
            return Err(InspectError { path, error });
        }
    }
    for report in &mut inspection.reports {
        report.findings = summary::summed_up(std::mem::take(&mut report.findings));
    }
    Ok(inspection)
}

/// What is wrong with the bytes of a file that is not written yet; its name and its first bytes say what it is. No
/// findings for a file of no known format.
///
/// # Errors
/// The bytes cannot be read as what they are to be.
pub fn inspect_bytes(path: &Path, data: &[u8]) -> Result<Vec<Finding>, FormatError> {
    let Some(kind) = files::sniff(path, data) else {
        return Ok(Vec::new());
    };
    let mut report = Report::new(path, kind);
    files::describe(&mut report, data, Depth::Facts)?;
    Ok(report.findings)
}

fn is_archive(file: &Path) -> bool {
    let head = read_head(file, files::SNIFFED_BYTES);
    let kind = head.ok().and_then(|head| files::sniff(file, &head));
    matches!(kind, Some(Kind::NRes | Kind::RsLi | Kind::Res))
}

fn inspect_entry(path: &Path, archive: &Path, name: &str) -> Result<Report, InspectError> {
    let data = match read_file(archive) {
        Ok(data) => data,
        Err(error) => return Ok(Report::unreadable(archive, error.to_string())),
    };
    let mut report = Report::new(path, Kind::Entry);
    match archive::tell_one(&mut report, archive, &data, name) {
        Ok(Ok(())) => {}
        Ok(Err(names)) => {
            let near = near::nearest(name, names.into_iter());
            let message = format!("no such entry{}", near::did_you_mean(&near));
            return Err(InspectError {
                path: path.to_owned(),
                error: io::Error::new(io::ErrorKind::NotFound, message),
            });
        }
        Err(error) => report.refuse(&error),
    }
    Ok(report)
}

impl Inspection {
    /// How many findings have this severity.
    pub fn count(&self, severity: Severity) -> usize {
        let findings = self.reports.iter().flat_map(|report| &report.findings);
        findings
            .filter(|finding| finding.severity == severity)
            .count()
    }

    fn add_folder(&mut self, folder: &Path, depth: usize) {
        let mut entries = match list(folder) {
            Ok(_) if depth >= MAX_DEPTH => {
                let message = format!("more than {MAX_DEPTH} folders deep; not looked into");
                return self.reports.push(Report::unreadable(folder, message));
            }
            Ok(entries) => entries,
            Err(error) => {
                return self
                    .reports
                    .push(Report::unreadable(folder, error.to_string()));
            }
        };
        entries.sort();
        if is_level_folder(folder) {
            self.reports.push(Report::of_level(folder));
        }
        let (regions, entries) = (entries.into_iter()).partition(|path| is_region_file(path));
        self.add_regions(folder, regions);
        for path in entries {
            if !path.is_dir() {
                self.add_file(&path);
            } else if path.is_symlink() {
                self.skipped.push(path);
            } else {
                self.add_folder(&path, depth.saturating_add(1));
            }
        }
    }

    /// Regions of geodata come first, and before them what they are together. There may be hundreds: all threads read
    /// them.
    fn add_regions(&mut self, folder: &Path, paths: Vec<PathBuf>) {
        let read = paths.par_iter().map(|path| match read_file(path) {
            Ok(data) => files::region_report(path, &data),
            Err(error) => (Report::unreadable(path, error.to_string()), None),
        });
        let (reports, told): (Vec<Report>, Vec<_>) = read.unzip();
        let told: Vec<_> = told.into_iter().flatten().collect();
        self.reports.extend(geodata::sets(folder, &told));
        self.reports.extend(reports);
    }

    fn add_file(&mut self, path: &Path) {
        // A file of no known format may be of any size: only its first bytes are read.
        let read = read_head(path, files::SNIFFED_BYTES).and_then(|head| {
            let kind = files::sniff(path, &head);
            kind.map(|kind| Ok((kind, read_file(path)?))).transpose()
        });
        match read {
            Ok(Some((kind, data))) => self
                .reports
                .push(files::report(path, kind, &data, self.depth)),
            Ok(None) => self.skipped.push(path.to_owned()),
            Err(error) => self
                .reports
                .push(Report::unreadable(path, error.to_string())),
        }
    }
}

impl Report {
    fn new(path: &Path, kind: Kind) -> Self {
        Self {
            path: path.to_owned(),
            kind,
            facts: Vec::new(),
            entries: Vec::new(),
            findings: Vec::new(),
            is_refused: false,
        }
    }

    fn of_level(folder: &Path) -> Self {
        let LevelCheck { facts, findings } = LevelCheck::of_folder(folder);
        Self {
            facts,
            findings,
            ..Self::new(folder, Kind::Level)
        }
    }

    fn unreadable(path: &Path, message: String) -> Self {
        Self {
            findings: vec![Finding::new(Severity::Error, "file", message)],
            is_refused: true,
            ..Self::new(path, Kind::Unreadable)
        }
    }

    /// What a reader refused, as a finding at its place.
    fn refuse(&mut self, error: &FormatError) {
        self.findings.push(refusal(error));
        self.is_refused = true;
    }

    fn fact(&mut self, name: &'static str, value: impl ToString) {
        self.facts.push((name, value.to_string()));
    }

    /// The most serious finding, if there is one.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }
}

impl Kind {
    /// What a file is taken for, by its name and its bytes; `None` for one of no known format.
    pub fn of(path: &Path, data: &[u8]) -> Option<Self> {
        files::sniff(path, data).map(|kind| files::by_chunks(path, kind, data))
    }

    /// Short name, as in the `format` of findings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Level => "level",
            Self::LandMsh => "land_msh",
            Self::LandMap => "land_map",
            Self::Msh => "msh",
            Self::Wear => "wear",
            Self::BuildDat => "build_dat",
            Self::Mission => "mission",
            Self::UnitDat => "unit_dat",
            Self::NRes => "nres",
            Self::RsLi => "rsli",
            Self::Bsp => "bsp",
            Self::Vtf => "vtf",
            Self::Vmt => "vmt",
            Self::Vpk => "vpk",
            Self::Mdl => "mdl",
            Self::Vvd => "vvd",
            Self::Vtx => "vtx",
            Self::Phy => "phy",
            Self::Ani => "ani",
            Self::Vhv => "vhv",
            Self::Vmf => "vmf",
            Self::Zone => "zone",
            Self::Mp => "mp",
            Self::Sec => "sec",
            Self::Res => "res",
            Self::Reg => "reg",
            Self::Cam => "cam",
            Self::Adb => "adb",
            Self::Db => "db",
            Self::Mob => "mob",
            Self::LightsConfig => "lights_config",
            Self::Mmp => "mmp",
            Self::Fig => "fig",
            Self::Lnk => "lnk",
            Self::Bon => "bon",
            Self::Anm => "anm",
            Self::Geodata => "geodata",
            Self::GeodataSet => "geodata_set",
            Self::Entry => "entry",
            Self::Unreadable => "unreadable",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn is_region_file(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    geodata::is_region(&name) && !path.is_dir()
}

fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    folder.read_dir()?.map(|entry| Ok(entry?.path())).collect()
}

/// What a reader refused, as a finding at its place.
fn refusal(error: &FormatError) -> Finding {
    Finding::new(Severity::Error, error.format, error.to_string()).at(error.offset)
}
