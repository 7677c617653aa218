//! `ironlands geodata places PATH FILES`: named places of zones and texts, on the ground.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use ironlands_sim_geodata::{GeoPoint, Geodata};
use ironlands_world_kind::Verdict;
use ironlands_world_kind::console::input_path;
use ironlands_world_kind::console::plain;

use super::query_result::point_text;
use super::server_files::{print_teleport, read_places};
use super::source::{SourceArgs, load};
use crate::{Lineage2Error, LoadedRegions};

const HELP: &str = "\
Examples:
  ironlands geodata places geodata data/zones
          List the zones of a server's XML files by name, each with a point on the ground in it.
  ironlands geodata places geodata places.txt --teleport
          The same as lines that a game master types, of a text with lines of x, y, z and a name.

A zone is named by its name, or by the comment at its begin, or by its type and id. Places without ground are listed
with their own height.

Exit codes: 0 all are on ground, 1 some are not, 2 the command failed.";

/// What `ironlands geodata places` takes.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub struct PlacesArgs {
    #[command(flatten)]
    source: SourceArgs,

    /// XML files of zones, folders of them, or texts with lines of x, y, z and a name.
    #[arg(value_name = "FILES", required = true, value_parser = input_path())]
    files: Vec<PathBuf>,

    /// Print places as lines //teleport x y z, each after a line with its name.
    #[arg(long)]
    teleport: bool,

    /// Print a line of JSON for each place.
    #[arg(long, conflicts_with = "teleport")]
    json: bool,
}

/// Lists all places.
///
/// # Errors
/// If there are no regions, or a file cannot be read or has another form.
pub fn run(args: &PlacesArgs, out: &mut dyn Write) -> Result<Verdict, Lineage2Error> {
    let places = read_places(&args.files)?;
    let regions = args.source.files()?;
    let LoadedRegions { geodata, left_out } = load(&regions)?;
    args.source.broken_regions().log(left_out, regions.len())?;
    let mut n_without = 0;
    for place in &places.places {
        let ground = ground(&geodata, place.point);
        n_without += usize::from(ground.is_none());
        let point = ground.unwrap_or(place.point);
        if args.json {
            let GeoPoint { x, y, z } = point;
            let line = serde_json::json!({
                "name": place.name,
                "point": [x, y, z],
                "ground": ground.is_some(),
            });
            writeln!(out, "{line}")?;
        } else if args.teleport {
            writeln!(out, "# {}", plain::name(&place.name))?;
            print_teleport(point, out)?;
        } else {
            let without = match ground {
                Some(_) => "",
                None => "  no ground",
            };
            let name = plain::name(&place.name);
            writeln!(out, "{name}  {}{without}", point_text(point))?;
        }
    }
    Ok(match n_without {
        0 => Verdict::Done,
        _ => Verdict::No,
    })
}

/// The ground nearest to a place in height.
fn ground(geodata: &Geodata, point: GeoPoint) -> Option<GeoPoint> {
    let z = geodata.height(point).ok()?;
    Some(GeoPoint { z, ..point })
}
