//! `ironlands geodata spawns PATH FILES`: spawn points of a server's XML that stand in nothing, cannot be left, or are
//! cut off.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use ironlands_sim_geodata::GeoPoint;
use ironlands_world_kind::Verdict;
use ironlands_world_kind::console::input_path;
use ironlands_world_kind::console::interrupt::interrupt_flag;
use ironlands_world_kind::console::plain;
use ironlands_world_kind::console::progress::Steps;
use rayon::prelude::*;
use serde::Serialize;

use super::query::points::DEFAULT_REACH;
use super::query::{PointArg, ProfileArgs};
use super::query_result::point_text;
use super::server_files::{DoorArgs, PlaceArgs, place_text, print_teleport, read_server_files};
use super::source::{SourceArgs, load};
use crate::server::{Spawn, SpawnCheck, SpawnProblem};
use crate::{Lineage2Error, LoadedRegions};

const HELP: &str = "\
Examples:
  ironlands geodata spawns geodata data/spawns
          Check all spawn points in the XML files of a folder and the folders in it.
  ironlands geodata spawns geodata spawns/giran.xml --reach 64 --json
          Check one file, as JSON for another program.
  ironlands geodata spawns geodata data/spawns --start 83400,147943,-3400 --doors data/doors.xml
          List also the points that no path leads to from a point, with closed doors.
  ironlands geodata spawns geodata data/spawns --places data/zones --teleport
          Name the zone of each listed point, and print what a game master types to be there.

A spawn point is an element with the attributes x, y and z (or locx, locy and locz), or with a pos of the form x;y;z or
x;y;z;heading, whatever its name; doors are none. Points without a region, farther than --reach from the ground, or whose cell cannot be
left by any of the eight steps are listed with their file and line, and those that are cut off from --start.

Exit codes: 0 all are good, 1 some are listed, 2 the command failed.";

/// What `ironlands geodata spawns` takes.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub struct SpawnsArgs {
    #[command(flatten)]
    source: SourceArgs,

    /// XML files, or folders of them.
    #[arg(value_name = "FILES", required = true, value_parser = input_path())]
    files: Vec<PathBuf>,

    /// Maximum vertical distance to the ground, in points.
    #[arg(long, value_name = "POINTS", default_value_t = DEFAULT_REACH)]
    reach: i32,

    /// List also points that no path leads to from this point, as x,y,z.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    start: Option<PointArg>,

    #[command(flatten)]
    rule: ProfileArgs,

    #[command(flatten)]
    doors: DoorArgs,

    #[command(flatten)]
    places: PlaceArgs,

    /// Print a line of JSON for each point that is listed.
    #[arg(long)]
    json: bool,
}

/// A listed point for programs.
#[derive(Serialize)]
struct BadSpawnJson<'a> {
    file: String,
    line: usize,
    element: &'a str,
    point: [i32; 3],
    problem: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ground: Option<i32>,
}

/// Checks all points.
///
/// # Errors
/// If there are no regions, or a file cannot be read or is no XML.
pub fn run(args: &SpawnsArgs, out: &mut dyn Write) -> Result<Verdict, Lineage2Error> {
    let profile = args.rule.profile(&args.source)?;
    let places = args.places.read()?;
    let files = read_server_files(&args.files)?;
    let spawns = files.iter().flat_map(|read| {
        let of_file = read.file.spawns.iter();
        of_file.map(move |spawn| (&*read.path, spawn))
    });
    let spawns: Vec<(&Path, &Spawn)> = spawns.collect();
    let regions = args.source.files()?;
    let LoadedRegions { geodata, left_out } = load(&regions)?;
    args.source.broken_regions().log(left_out, regions.len())?;
    let check = SpawnCheck::new(args.doors.apply(geodata)?, profile, args.reach);
    let check = match args.start {
        Some(start) => with_start(check, start.point())?,
        None => check,
    };
    let found: Vec<Option<SpawnProblem>> = (spawns.par_iter())
        .map(|(_, spawn)| check.problem(spawn.point))
        .collect();
    let bad = spawns.iter().zip(&found);
    let bad = bad.filter_map(|((file, spawn), found)| Some((file, spawn, (*found)?)));
    let mut n_bad = 0;
    for (file, spawn, found) in bad {
        match args.json {
            true => writeln!(out, "{}", json(found, file, spawn))?,
            false => {
                writeln!(
                    out,
                    "{}:{}: {} at {}{}: {}",
                    plain::path(file),
                    spawn.place.line,
                    plain::name(&spawn.element),
                    point_text(spawn.point),
                    place_text(&places, spawn.point),
                    found.text(args.reach)
                )?;
                if args.places.teleport {
                    print_teleport(spawn.point, out)?;
                }
            }
        }
        n_bad += 1;
    }
    if !args.json {
        writeln!(
            out,
            "{} spawn points in {} files: {n_bad} listed",
            spawns.len(),
            files.len()
        )?;
    }
    Ok(match n_bad {
        0 => Verdict::Done,
        _ => Verdict::No,
    })
}

/// Points must be reachable from a point.
fn with_start(check: SpawnCheck, from: GeoPoint) -> Result<SpawnCheck, Lineage2Error> {
    let steps = Steps::begin();
    steps.report("making zones");
    let check = check.with_start(from, interrupt_flag());
    steps.end();
    check
        .map_err(Lineage2Error::Query)?
        .ok_or(Lineage2Error::stopped())
}

fn json(problem: SpawnProblem, file: &Path, spawn: &Spawn) -> serde_json::Value {
    let GeoPoint { x, y, z } = spawn.point;
    let (problem, ground) = match problem {
        SpawnProblem::NoRegion => ("no_region", None),
        SpawnProblem::FarFromGround { nearest } => ("far_from_ground", Some(nearest)),
        SpawnProblem::Enclosed => ("enclosed", None),
        SpawnProblem::CutOff => ("cut_off", None),
    };
    serde_json::json!(BadSpawnJson {
        file: file.display().to_string(),
        line: spawn.place.line,
        element: &spawn.element,
        point: [x, y, z],
        problem,
        ground,
    })
}
