//! `ironlands geodata navmesh PATH --to FILE`: a navigation mesh for Detour.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use ironlands_assets_lineage2::{CELLS_PER_REGION_SIDE, GeoCell, RegionPath};
use ironlands_sim_geodata::nav_mesh::{NavMesh, NavMeshOptions};
use ironlands_world_kind::Verdict;
use ironlands_world_kind::console::output::{check_writable, make_folder_of, write_file};
use ironlands_world_kind::console::plain;
use ironlands_world_kind::console::progress::Steps;

use super::diff::BoxArg;
use super::map::existing;
use super::query::ProfileArgs;
use super::server_files::DoorArgs;
use super::source::{SourceArgs, load};
use crate::{Lineage2Error, LoadedRegions, nav_mesh_set};

const HELP: &str = "\
Examples:
  ironlands geodata navmesh geodata/22_22.l2j --to 22_22.navmesh
          Write a region as a navigation mesh.
  ironlands geodata navmesh geodata --box 81000,145000,86000,150000 --max-error 8 --to town.navmesh
          Write a part of a set, with polygons that are nearer to the ground.

The file is a set of tiles as RecastDemo saves them: version 1, with tiles of version 7 and references of 32 bits. Detour has
+Y up: its x, y and z are the game's x, z and y, in points. Polygons lead to each other exactly where steps do, in the
directions in which they do; off-mesh connections are drops and steps that polygons cannot show at borders of tiles.

References of 32 bits number 2^22 polygons, of which each tile has as many as the largest. A region with a town or many
floors may have more: write it in quarters.";

/// What `ironlands geodata navmesh` takes.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub struct NavmeshArgs {
    #[command(flatten)]
    source: SourceArgs,

    /// File to write.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,

    /// Only the cells of a rectangle, given by two corners.
    #[arg(long = "box", value_name = "X,Y,X,Y", allow_hyphen_values = true)]
    area: Option<BoxArg>,

    /// How far polygons may be above or below the ground, in points.
    #[arg(long, value_name = "POINTS", default_value_t = 16)]
    max_error: u16,

    #[command(flatten)]
    rule: ProfileArgs,

    #[command(flatten)]
    doors: DoorArgs,

    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
}

/// Makes a mesh and writes it.
///
/// # Errors
/// If there are no regions, the box has no ground or too much, or the file cannot be written.
pub fn run(args: &NavmeshArgs, out: &mut dyn Write) -> Result<Verdict, Lineage2Error> {
    check_writable(&args.to, existing(args.force))?;
    let profile = args.rule.profile(&args.source)?;
    let mut files = args.source.files()?;
    // Steps out of the box do not count.
    let (first, last) = keep_in_box(&mut files, args.area);
    let LoadedRegions { geodata, left_out } = load(&files)?;
    args.source.broken_regions().log(left_out, files.len())?;
    let geodata = args.doors.apply(geodata)?;
    let options = NavMeshOptions {
        first,
        last,
        max_error: args.max_error,
        profile,
    };
    let steps = Steps::begin();
    steps.report("making polygons");
    let mesh = NavMesh::new(&geodata, &options);
    steps.end();
    let set = nav_mesh_set(&mesh?)?;
    let bytes = set.write().map_err(|source| Lineage2Error::ConvertRegion {
        path: args.to.clone(),
        source: Box::new(source),
    })?;
    make_folder_of(&args.to)?;
    write_file(&args.to, existing(args.force), &bytes)?;
    let connections = set.tiles.iter().map(|(_, tile)| tile.connections.len());
    let n_connections: usize = connections.sum();
    let polygons = set.tiles.iter().map(|(_, tile)| tile.polygons.len());
    writeln!(
        out,
        "{}: {} tiles, {} polygons, {n_connections} off-mesh connections, {} bytes",
        plain::path(&args.to),
        set.tiles.len(),
        polygons.sum::<usize>() - n_connections,
        bytes.len()
    )?;
    Ok(Verdict::Done)
}

/// Keeps the regions that a box touches; returns its corners, by default those of all regions.
pub(super) fn keep_in_box(files: &mut Vec<RegionPath>, area: Option<BoxArg>) -> (GeoCell, GeoCell) {
    let (first, last) = match area {
        Some(BoxArg(first, last)) => (first, last),
        None => box_of(files),
    };
    files.retain(|file| {
        let (low, high) = cells_of(file);
        low.x <= last.x && high.x >= first.x && low.y <= last.y && high.y >= first.y
    });
    (first, last)
}

/// The cells of a region.
fn cells_of(file: &RegionPath) -> (GeoCell, GeoCell) {
    const LAST: u16 = CELLS_PER_REGION_SIDE as u16 - 1;
    let first = file.name.id.first_cell();
    let last = GeoCell {
        x: first.x + LAST,
        y: first.y + LAST,
    };
    (first, last)
}

/// The box around regions.
fn box_of(files: &[RegionPath]) -> (GeoCell, GeoCell) {
    let bound = |of: fn(GeoCell) -> u16| {
        let cells = || files.iter().map(cells_of);
        let low = cells().map(|(first, _)| of(first)).min().unwrap_or(0);
        (low, cells().map(|(_, last)| of(last)).max().unwrap_or(0))
    };
    let ((x0, x1), (y0, y1)) = (bound(|cell| cell.x), bound(|cell| cell.y));
    (GeoCell { x: x0, y: y0 }, GeoCell { x: x1, y: y1 })
}
