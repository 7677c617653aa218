//! Queries about two points: straight walks, sight, paths.

use clap::Args;
use ironlands_sim_geodata::path::{
    DEFAULT_BUDGET, LazyGeodata, PathEnd, PathGuide, PathOptions, PathRequest, PathSearch, WalkPath,
};
use ironlands_sim_geodata::{GeoPoint, GeodataError, SwimEnd, Viewer};
use serde_json::{Value, json};

use super::super::query_result::{QueryResult, end_text, end_word, point_json, point_text};
use super::super::zones::kept_zones;
use super::{NoDataArg, PointArg, ProfileArgs, QueryArgs};
use crate::Lineage2Error;
use ironlands_world_kind::console::interrupt::interrupt_flag;

/// Two points.
#[derive(Debug, Args)]
struct Ends {
    /// Start as x,y,z.
    #[arg(value_name = "FROM", allow_hyphen_values = true)]
    start: PointArg,

    /// End as x,y,z.
    #[arg(value_name = "TO", allow_hyphen_values = true)]
    end: PointArg,
}

/// A straight walk.
#[derive(Debug, Args)]
pub struct LineArgs {
    #[command(flatten)]
    pub(super) query: QueryArgs,

    #[command(flatten)]
    ends: Ends,

    #[command(flatten)]
    rule: ProfileArgs,
}

/// A line of sight.
#[derive(Debug, Args)]
pub struct SightArgs {
    #[command(flatten)]
    pub(super) query: QueryArgs,

    #[command(flatten)]
    ends: Ends,

    /// Eye height above both points.
    #[arg(long, value_name = "POINTS", default_value_t = 34.5)]
    eye: f32,

    /// How to treat places without a region.
    #[arg(long, value_enum, default_value = "blocked")]
    no_data: NoDataArg,
}

/// A way around obstacles.
#[derive(Debug, Args)]
pub struct PathArgs {
    #[command(flatten)]
    pub(super) query: QueryArgs,

    #[command(flatten)]
    ends: Ends,

    #[command(flatten)]
    rule: ProfileArgs,

    /// Cost factor of cells with a closed side; above 1, paths keep away from walls.
    #[arg(long, value_name = "FACTOR", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=17))]
    rough: u32,

    /// Maximum number of cells to visit before the search gives up; the default is the limit of the viewer.
    #[arg(long, value_name = "CELLS", default_value_t = DEFAULT_BUDGET)]
    budget: u32,
}

/// A straight swim.
#[derive(Debug, Args)]
pub struct SwimArgs {
    #[command(flatten)]
    pub(super) query: QueryArgs,

    #[command(flatten)]
    ends: Ends,
}

/// A straight flight.
#[derive(Debug, Args)]
pub struct FlyArgs {
    #[command(flatten)]
    pub(super) query: QueryArgs,

    #[command(flatten)]
    ends: Ends,

    /// Required clearance above the line.
    #[arg(long, value_name = "POINTS", default_value_t = 46)]
    height: i32,
}

pub fn movement(args: &LineArgs) -> Result<QueryResult, Lineage2Error> {
    let (from, to) = args.ends.points();
    let profile = args.rule.profile(&args.query.source)?;
    let geodata = args.query.source.load_around(from, &[to])?;
    let movement = geodata
        .straight_walk(from, to, &profile)
        .map_err(Lineage2Error::Query)?;
    let is_there = end_word(movement.end) == "reached";
    let text = format!(
        "{}; reaches {}",
        end_text(movement.end),
        point_text(movement.point)
    );
    let json = json!({
        "reached": is_there,
        "end": end_word(movement.end),
        "point": point_json(movement.point),
    });
    Ok(QueryResult::yes_or_no(is_there, text, json))
}

pub fn sight(args: &SightArgs) -> Result<QueryResult, Lineage2Error> {
    let (from, to) = args.ends.points();
    let geodata = args.query.source.load_around(from, &[to])?;
    let [a, b] = [from, to].map(|point| Viewer::new(point, args.eye));
    let sees = |a: &Viewer, b: &Viewer| {
        let seen = geodata.one_way_line_of_sight(a, b, args.no_data.rule());
        seen.map_err(Lineage2Error::Query)
    };
    let (there, back) = (sees(&a, &b)?, sees(&b, &a)?);
    let text = match (there, back) {
        (true, true) => "yes: they see each other",
        (true, false) => "no: only the first sees the second",
        (false, true) => "no: only the second sees the first",
        (false, false) => "no: neither sees the other",
    };
    let json = json!({"line_of_sight": there && back, "there": there, "back": back});
    Ok(QueryResult::yes_or_no(there && back, text, json))
}

pub fn path(args: &PathArgs) -> Result<QueryResult, Lineage2Error> {
    let (from, to) = args.ends.points();
    let profile = args.rule.profile(&args.query.source)?;
    // A way may lead through any region; most lead through one.
    let mut regions = args.query.source.lazily(from)?;
    let ids: Vec<_> = regions.files.iter().map(|file| file.name.id).collect();
    let mut zones = kept_zones(&args.query.source.path, &profile, &regions.files);
    let options = PathOptions {
        budget: args.budget,
        rough_factor: args.rough,
        cancel: Some(interrupt_flag()),
        ..PathOptions::default()
    };
    let mut load = |id| regions.load(id);
    let mut ground = LazyGeodata::new(ids.iter().copied(), &mut load);
    let found = PathGuide::new(&mut ground, &mut zones).find(
        &PathRequest { from, to },
        &options,
        &mut PathSearch::default(),
    );
    let n_regions = ground.n_loaded();
    // Without it, what was found means little.
    regions.finish()?;
    if let Some(damage) = zones.store_error() {
        log::warn!("the file of zones is damaged; the damaged part was rebuilt: {damage}");
    }
    let found = found.map_err(|error| match error {
        // That of the start is there, or there would be no regions to load.
        GeodataError::NoData { region } if !ids.contains(&region) => {
            args.query.source.no_region(to, region, ids)
        }
        error => Lineage2Error::Query(error),
    })?;
    match found.end {
        PathEnd::Canceled => Err(Lineage2Error::stopped()),
        PathEnd::Reached | PathEnd::Unreachable | PathEnd::OutOfBudget => {
            Ok(path_result(&found, n_regions))
        }
    }
}

fn path_result(found: &WalkPath, n_regions: usize) -> QueryResult {
    let (is_there, word, text) = match found.end {
        PathEnd::Reached => (true, "reached", "yes, by"),
        PathEnd::Unreachable => (
            false,
            "unreachable",
            "no: there is no path; the nearest point is reached by",
        ),
        PathEnd::OutOfBudget => (
            false,
            "out_of_budget",
            "no: not found within --budget; the nearest point is reached by",
        ),
        PathEnd::Canceled => (false, "canceled", "no: stopped after"),
    };
    let n_cells = found.cells.len();
    let longer = match is_there && !found.is_shortest {
        true => " (planned, so some hundredths above the least)",
        false => "",
    };
    let mut lines = vec![format!(
        "{text} {n_cells} cells, cost {}{longer}, {} cells looked at; regions loaded: {n_regions}; corners:",
        found.cost, found.n_expanded
    )];
    let corners = found.points.iter();
    lines.extend(corners.map(|point| format!("  {}", point_text(*point))));
    let points: Vec<Value> = found
        .points
        .iter()
        .map(|point| point_json(*point))
        .collect();
    let json = json!({
        "reached": is_there,
        "end": word,
        "points": points,
        "n_cells": n_cells,
        "cost": found.cost,
        "is_shortest": found.is_shortest,
        "n_expanded": found.n_expanded,
        "n_regions": n_regions,
    });
    QueryResult::yes_or_no(is_there, lines.join("\n"), json)
}

pub fn swim(args: &SwimArgs) -> Result<QueryResult, Lineage2Error> {
    let (from, to) = args.ends.points();
    let geodata = args.query.source.load_around(from, &[to])?;
    let swim = geodata.swim(from, to).map_err(Lineage2Error::Query)?;
    let (word, text) = match swim.end {
        SwimEnd::Reached => ("reached", "yes"),
        SwimEnd::Land => ("land", "no: land"),
        SwimEnd::Wall => ("wall", "no: a wall"),
        SwimEnd::NoGround => ("no_ground", "no: no ground"),
    };
    Ok(come_to(
        swim.end == SwimEnd::Reached,
        word,
        text,
        swim.point,
    ))
}

pub fn fly(args: &FlyArgs) -> Result<QueryResult, Lineage2Error> {
    let (from, to) = args.ends.points();
    let geodata = args.query.source.load_around(from, &[to])?;
    let flight = geodata
        .fly(from, to, args.height)
        .map_err(Lineage2Error::Query)?;
    let (word, text) = match flight.is_reached {
        true => ("reached", "yes"),
        false => ("blocked", "no: something is in the way"),
    };
    Ok(come_to(flight.is_reached, word, text, flight.point))
}

fn come_to(is_there: bool, word: &str, text: &str, point: GeoPoint) -> QueryResult {
    let json = json!({"reached": is_there, "end": word, "point": point_json(point)});
    QueryResult::yes_or_no(
        is_there,
        format!("{text}; reaches {}", point_text(point)),
        json,
    )
}

impl Ends {
    fn points(&self) -> (GeoPoint, GeoPoint) {
        (self.start.0, self.end.0)
    }
}
