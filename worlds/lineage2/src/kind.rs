//! Lineage II geodata as a kind of world.

mod examples;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, FromArgMatches};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::format::{Format, FormatSet};
use ironlands_assets_core::report::Report;
use ironlands_assets_lineage2::formats::FORMATS;
use ironlands_assets_lineage2::level::GeodataLevel;
use ironlands_assets_lineage2::level_scene::to_scene;
use ironlands_assets_lineage2::{FolderError, GeodataFormat, RegionFile, RegionFileName, SET};
use ironlands_exchange::write_gltf::Glb;
use ironlands_sim_geodata::{Geodata, Profile};
use ironlands_world_kind::console::{finite_number, input_path, plain};
use ironlands_world_kind::{
    CommandError, CommandLine, Example, Level, LevelPlace, OpenError, Opened, Opener, Recognized,
    WorldKind,
};

use self::examples::EXAMPLES;
use crate::commands::{
    self, BrokenRegions, DEFAULT_REACH, GeodataArgs, convert::ConvertArgs, format_parser,
    kept_zones, land_glb, load, print_memory, read_doors, read_server_files,
};
use crate::sea_guess::SeaGuess;
use crate::server::{ServerLayers, SpawnCheck};
use crate::{
    GeodataEditor, GeodataWorld, Lineage2Error, LoadedRegions, SharedWorld, profile_of_formats,
};

/// Lineage II geodata, for the registry.
#[derive(Debug, Clone, Copy)]
pub struct Lineage2;

/// How geodata is opened.
#[derive(Debug, Clone, Default, PartialEq, Args)]
#[command(next_help_heading = "Geodata")]
pub struct Lineage2Options {
    /// Geodata format to read if a region has files in several formats.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), ignore_case = true)]
    pub from: Option<GeodataFormat>,

    /// Fail if a geodata region cannot be read, instead of skipping it.
    #[arg(long)]
    pub strict: bool,

    /// Height of the sea, which geodata does not store; by default that of the game, if much of the land is sea floor.
    #[arg(long, value_name = "Z", value_parser = finite_number, allow_negative_numbers = true)]
    pub water_level: Option<f32>,

    /// Doors of a server's XML files, or of a folder of them: closed as they are at first; the editor opens and closes them.
    #[arg(long, value_name = "FILES", value_parser = input_path())]
    pub doors: Vec<PathBuf>,

    /// Zones of a server's XML files, or of a folder of them, drawn as walls over the ground.
    #[arg(long, value_name = "FILES", value_parser = input_path())]
    pub zones: Vec<PathBuf>,

    /// Spawn points of a server's XML files, or of a folder of them, marked by whether they stand on ground that one can leave.
    #[arg(long, value_name = "FILES", value_parser = input_path())]
    pub spawns: Vec<PathBuf>,
}

impl WorldKind for Lineage2 {
    type Options = Lineage2Options;

    const NAME: &'static str = "geodata";
    const EXPECTED: &'static str =
        "Lineage II geodata (a region such as 22_16.l2j, or a folder of regions)";
    const FORMATS: FormatSet = FORMATS;
    const LEVEL_OPTIONS: &'static [&'static str] = &[
        "--from",
        "--strict",
        "--water-level",
        "--doors",
        "--zones",
        "--spawns",
    ];
    const EXAMPLES: &'static [Example] = EXAMPLES;

    fn level_place(name: &str) -> Option<LevelPlace> {
        RegionFileName::parse(name).map(|_| LevelPlace::Folder)
    }

    fn recognize(path: &Path) -> io::Result<Option<Recognized>> {
        let is_region =
            |name: &std::ffi::OsStr| RegionFileName::parse(&name.to_string_lossy()).is_some();
        if !path.is_dir() {
            let is_region = path.is_file() && path.file_name().is_some_and(is_region);
            let region = || Recognized::new(Opener::Level, "a region of Lineage II geodata");
            return Ok(is_region.then(region));
        }
        let mut n_regions = 0_usize;
        for entry in path.read_dir()? {
            let is_region = is_region(&entry?.file_name());
            n_regions = n_regions.saturating_add(usize::from(is_region));
        }
        let description = format!("a folder of {n_regions} Lineage II geodata regions");
        Ok((n_regions > 0).then(|| Recognized::new(Opener::Level, description)))
    }

    /// Regions are loaded here, with a bar; those that cannot be read go from the level, and are findings.
    fn open(path: &Path, _: &[PathBuf], options: &Lineage2Options) -> Result<Opened, OpenError> {
        let Level {
            mut scene,
            files: mut level,
            mut findings,
        } = open_level(path, options)?;
        // Zones are kept for all files of a folder, whole or broken.
        let all_files = level.files.clone();
        let LoadedRegions { geodata, left_out } = load(&all_files)?;
        let broken_regions = BrokenRegions::from_strict(options.strict);
        let reported = broken_regions.lines(left_out, level.files.len())?;
        level.files.retain(|file| geodata.has_region(file.name.id));
        if level.water_level.is_none()
            && let Some(guess) = SeaGuess::new(&geodata)
        {
            level.water_level = Some(guess.level);
            findings.push(guess.finding());
        }
        if !reported.is_empty() || level.water_level.is_some() {
            scene = to_scene(&level);
        }
        let warning = |line| Finding::new(Severity::Warning, "geodata", line);
        findings.extend(reported.into_iter().map(warning));
        let formats = level.files.iter().map(|file| file.name.format);
        let profile = profile_of_formats(formats);
        let doors = read_doors(&options.doors)?;
        let geodata = doors.apply(&geodata);
        let mut server = server_layers(&geodata, profile, options)?;
        scene.overlays.append(&mut server.overlays);
        let world = GeodataWorld::new(geodata, profile);
        // Zones that are kept know no doors.
        let world = match options.doors.is_empty() {
            true => world.with_zones(kept_zones(&level.path, &profile, &all_files)),
            false => world,
        };
        let world = Arc::new(SharedWorld::new(world).with_server_layers(server));
        let editor = GeodataEditor::new(Arc::clone(&world), path, &level.files).with_doors(doors);
        Ok(Opened {
            scene,
            world,
            findings,
            model: None,
            editor: Some(Box::new(editor)),
        })
    }

    fn export_glb(
        path: &Path,
        _: &[PathBuf],
        options: &Lineage2Options,
    ) -> Result<Option<Glb>, OpenError> {
        let level = open_level(path, options)?.files;
        let of_server = [&options.doors, &options.zones, &options.spawns];
        if of_server.iter().any(|files| !files.is_empty()) {
            log::warn!("doors, zones and spawn points are not exported");
        }
        let broken_regions = BrokenRegions::from_strict(options.strict);
        Ok(Some(land_glb(&level, broken_regions)?))
    }

    fn commands() -> Vec<CommandLine> {
        vec![
            CommandLine {
                command: || {
                    let about = "Query, render and compare Lineage II geodata";
                    GeodataArgs::augment_args(clap::Command::new("geodata")).about(about)
                },
                run: |matches, out| {
                    let args = GeodataArgs::from_arg_matches(matches).map_err(usage)?;
                    Ok(commands::run(&args, out)?)
                },
            },
            CommandLine {
                command: || {
                    let about = "Convert Lineage II geodata to another format";
                    ConvertArgs::augment_args(clap::Command::new("convert")).about(about)
                },
                run: |matches, out| {
                    let args = ConvertArgs::from_arg_matches(matches).map_err(usage)?;
                    Ok(commands::convert::run(&args, out)?)
                },
            },
        ]
    }

    fn describe(reports: &[Report], out: &mut dyn Write) -> Result<(), CommandError> {
        for path in loadable_paths(reports) {
            print_memory(path, out)?;
        }
        Ok(())
    }
}

/// Zones and spawn points of the files that the options name, over the ground with its doors as they are.
fn server_layers(
    geodata: &Geodata,
    profile: Profile,
    options: &Lineage2Options,
) -> Result<ServerLayers, Lineage2Error> {
    let mut layers = ServerLayers::default();
    let zones = read_server_files(&options.zones)?;
    let zones = zones.into_iter().flat_map(|read| read.file.zones);
    layers.add_zones(geodata, zones.collect());
    let spawns = read_server_files(&options.spawns)?;
    let paths = spawns
        .iter()
        .map(|read| plain::path(&read.path).to_string());
    let paths: Vec<String> = paths.collect();
    let files = paths
        .iter()
        .map(|it| &**it)
        .zip(spawns.iter().map(|read| &read.file));
    let check = SpawnCheck::new(geodata.clone(), profile, DEFAULT_REACH);
    layers.add_spawns(&check, DEFAULT_REACH, files);
    Ok(layers)
}

/// Finds the regions of a level; none of them is read.
///
/// # Errors
/// See [`OpenError`].
pub fn open_level(
    path: &Path,
    options: &Lineage2Options,
) -> Result<Level<GeodataLevel>, OpenError> {
    if let Some(value) = options.water_level.filter(|level| !level.is_finite()) {
        return Err(Lineage2Error::BadWaterLevel { value }.into());
    }
    let level = GeodataLevel::open(path, options.from, options.water_level);
    let level = level.map_err(|error| match error {
        FolderError::Io { path, error } => OpenError::Io { path, error },
        FolderError::Format { path, error } => OpenError::Format { path, error },
        FolderError::Duplicate { .. } => Lineage2Error::RegionTwice(error).into(),
        error => OpenError::from_world(error),
    })?;
    let scene = to_scene(&level);
    Level::new(path, level, &[], (scene, Vec::new()))
}

/// Folders of regions, and a file that was named itself if it has no error.
fn loadable_paths(reports: &[Report]) -> Vec<&Path> {
    let sets = reports.iter().filter(|report| report.format == SET);
    let mut paths: Vec<&Path> = sets.map(|report| &*report.path).collect();
    paths.dedup();
    if let [report] = reports
        && report.format == RegionFile::NAME
        && report.worst() != Some(Severity::Error)
    {
        paths.push(&report.path);
    }
    paths
}

fn usage(error: clap::Error) -> CommandError {
    CommandError::Arguments(error.to_string())
}
