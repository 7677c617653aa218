//! `ironlands geodata spawns PATH FILES`: spawn points of a server's XML that stand in nothing or cannot be left.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use ironlands_assets_core::vfs;
use ironlands_sim_geodata::{GeoPoint, Geodata, GeodataError, Profile};
use ironlands_world_kind::Verdict;
use ironlands_world_kind::console::input_path;
use ironlands_world_kind::console::plain;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use rayon::prelude::*;
use serde::Serialize;

use super::query::ProfileArgs;
use super::query::points::DEFAULT_REACH;
use super::query_result::point_text;
use super::source::{SourceArgs, load};
use crate::{Lineage2Error, LoadedRegions};

const HELP: &str = "\
Examples:
  ironlands geodata spawns geodata data/spawns
          Check all spawn points in the XML files of a folder and the folders in it.
  ironlands geodata spawns geodata spawns/giran.xml --reach 64 --json
          Check one file, as JSON for another program.

A spawn point is an element with the attributes x, y and z (or locx, locy and locz), or with a pos of the form x;y;z or
x;y;z;heading, whatever its name. Points without a region, farther than --reach from the ground, or whose cell cannot be
left by any of the eight steps are listed with their file and line.

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

    #[command(flatten)]
    rule: ProfileArgs,

    /// Print a line of JSON for each point that is listed.
    #[arg(long)]
    json: bool,
}

/// A point of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Spawn {
    line: usize,
    element: String,
    point: GeoPoint,
}

/// What is wrong with a spawn point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BadSpawn {
    NoRegion,
    FarFromGround { nearest: i32 },
    Enclosed,
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
    let mut files = Vec::new();
    for path in &args.files {
        add_files(path, &mut files)?;
    }
    let mut spawns = Vec::new();
    for file in &files {
        let bytes = vfs::read(file).map_err(|source| Lineage2Error::Read {
            path: file.clone(),
            source,
        })?;
        let of_file = read_spawns(&bytes).map_err(|(line, source)| Lineage2Error::Xml {
            path: file.clone(),
            line,
            source: Box::new(source),
        })?;
        spawns.extend(of_file.into_iter().map(|spawn| (file, spawn)));
    }
    let regions = args.source.files()?;
    let LoadedRegions { geodata, left_out } = load(&regions)?;
    args.source.broken_regions().log(left_out, regions.len())?;
    let found: Vec<Option<BadSpawn>> = (spawns.par_iter())
        .map(|(_, spawn)| check(&geodata, spawn.point, args.reach, &profile))
        .collect();
    let bad = spawns.iter().zip(&found);
    let bad = bad.filter_map(|((file, spawn), found)| Some((file, spawn, (*found)?)));
    let mut n_bad = 0;
    for (file, spawn, found) in bad {
        match args.json {
            true => writeln!(out, "{}", found.json(file, spawn))?,
            false => writeln!(
                out,
                "{}:{}: {} at {}: {}",
                plain::path(file),
                spawn.line,
                plain::name(&spawn.element),
                point_text(spawn.point),
                found.text(args.reach)
            )?,
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

/// A file, or all XML files below a folder, in the order of their names.
fn add_files(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Lineage2Error> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let read_error = |source| Lineage2Error::Read {
        path: path.to_owned(),
        source,
    };
    let entries = std::fs::read_dir(path).map_err(read_error)?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<Result<_, _>>().map_err(read_error)?;
    paths.sort();
    for path in paths {
        let is_xml = path
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("xml"));
        // Links to folders may lead in a circle.
        let is_folder = path.is_dir() && !path.is_symlink();
        if is_folder || is_xml && path.is_file() {
            add_files(&path, files)?;
        }
    }
    Ok(())
}

/// All elements with a point; or the line where the text is no XML.
fn read_spawns(bytes: &[u8]) -> Result<Vec<Spawn>, (usize, quick_xml::Error)> {
    let mut reader = Reader::from_reader(bytes);
    let mut spawns = Vec::new();
    let (mut line, mut n_counted) = (1, 0);
    loop {
        // An element is where it begins.
        let start = usize::try_from(reader.buffer_position()).unwrap_or(bytes.len());
        line += bytes[n_counted..start]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        n_counted = start;
        match reader.read_event() {
            Ok(Event::Start(element) | Event::Empty(element)) => {
                if let Some(point) = point_of(&element) {
                    let name = String::from_utf8_lossy(element.name().as_ref()).into_owned();
                    spawns.push(Spawn {
                        line,
                        element: name,
                        point,
                    });
                }
            }
            Ok(Event::Eof) => return Ok(spawns),
            Ok(_) => {}
            Err(error) => return Err((line, error)),
        }
    }
}

/// The point of an element, if it has one.
fn point_of(element: &BytesStart<'_>) -> Option<GeoPoint> {
    let mut axes = [None; 3];
    for attribute in element.attributes().flatten() {
        let value = std::str::from_utf8(&attribute.value).ok()?;
        let key = attribute.key.as_ref().to_ascii_lowercase();
        let axis = match &*key {
            b"x" | b"locx" => 0,
            b"y" | b"locy" => 1,
            b"z" | b"locz" => 2,
            b"pos" => {
                let numbers = value.split(';').map(|number| number.trim().parse().ok());
                if let Some(&[x, y, z, ..]) = numbers.collect::<Option<Vec<i32>>>().as_deref() {
                    axes = [Some(x), Some(y), Some(z)];
                }
                continue;
            }
            _ => continue,
        };
        axes[axis] = value.trim().parse().ok();
    }
    let [Some(x), Some(y), Some(z)] = axes else {
        return None;
    };
    Some(GeoPoint::new(x, y, z))
}

fn check(geodata: &Geodata, point: GeoPoint, reach: i32, profile: &Profile) -> Option<BadSpawn> {
    let found = || -> Result<Option<BadSpawn>, GeodataError> {
        let Some(ground) = geodata.snap_spawn(point, reach)? else {
            let nearest = geodata.height(point)?;
            return Ok(Some(BadSpawn::FarFromGround { nearest }));
        };
        let steps = geodata.steps_from(ground, profile)?;
        let is_enclosed = steps.ends.iter().all(Result::is_err);
        Ok(is_enclosed.then_some(BadSpawn::Enclosed))
    };
    found().unwrap_or(Some(BadSpawn::NoRegion))
}

impl BadSpawn {
    fn text(self, reach: i32) -> String {
        match self {
            Self::NoRegion => "no region".to_owned(),
            Self::FarFromGround { nearest } => {
                format!("no ground within {reach}; the nearest is at {nearest}")
            }
            Self::Enclosed => "no step leads out of its cell".to_owned(),
        }
    }

    fn json(self, file: &Path, spawn: &Spawn) -> serde_json::Value {
        let GeoPoint { x, y, z } = spawn.point;
        let (problem, ground) = match self {
            Self::NoRegion => ("no_region", None),
            Self::FarFromGround { nearest } => ("far_from_ground", Some(nearest)),
            Self::Enclosed => ("enclosed", None),
        };
        serde_json::json!(BadSpawnJson {
            file: file.display().to_string(),
            line: spawn.line,
            element: &spawn.element,
            point: [x, y, z],
            problem,
            ground,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_found_in_the_forms_that_servers_write() {
        let text = br#"<?xml version="1.0"?>
<list><!-- <spawn x="9" y="9" z="9"/> -->
  <spawn npcId="20001" x="-84141" y="244623"
         z="-3728" heading="0"/>
  <npc id="1" pos="10;20;30;40"><ai x="5"/></npc>
  <row locx="1" locy="2" locz="3"></row>
  <zone X="a" Y="2" Z="3"/>
</list>"#;
        let spawns = read_spawns(text).unwrap();
        let found: Vec<_> = spawns
            .iter()
            .map(|it| (it.line, &*it.element, it.point))
            .collect();
        let expected = [
            (3, "spawn", GeoPoint::new(-84141, 244623, -3728)),
            (5, "npc", GeoPoint::new(10, 20, 30)),
            (6, "row", GeoPoint::new(1, 2, 3)),
        ];
        assert_eq!(found, expected);
        let broken = read_spawns(b"<list>\n<spawn x='1'>\n</list>").unwrap_err();
        assert_eq!(broken.0, 3);
    }
}
