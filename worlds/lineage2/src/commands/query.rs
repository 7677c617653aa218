//! `ironlands geodata height PATH POINT` and all other queries about points.

pub mod lines;
pub mod points;

use std::io::Write;
use std::str::FromStr;
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use ironlands_assets_lineage2::{CELL_SIZE, GeodataFormat};
use ironlands_sim_geodata::path::PathRequest;
use ironlands_sim_geodata::{
    GeoPoint, GeoQuery, GeoQueryResult, Geodata, NoDataRule, NoStoredZones, Profile, QueryContext,
};

use self::lines::{FlyArgs, LineArgs, PathArgs, SightArgs, SwimArgs};
use self::points::{CellArgs, PointArgs, SnapArgs, SpotArgs, StepArgs};
use super::query_result::{PrintForm, QueryResult};
use super::server_files::DoorArgs;
use super::source::SourceArgs;
use crate::Lineage2Error;
use ironlands_world_kind::Verdict;

/// A query.
#[derive(Debug, Subcommand)]
pub enum Query {
    /// Compute the region, block and cell of a point; reads no file.
    Cell(CellArgs),
    /// Find the ground nearest to a point, and the next layers below and above it.
    Height(PointArgs),
    /// List all layers at a point, from the lowest up.
    Layers(PointArgs),
    /// Show where each of the eight steps from a point leads.
    Step(StepArgs),
    /// Test whether a straight walk between two points is possible, and where it is blocked.
    Move(LineArgs),
    /// Test the line of sight between characters at two points.
    Sight(SightArgs),
    /// Find the shortest path between two points, if there is one.
    Path(PathArgs),
    /// Find the ground that a character at a point falls to.
    Drop(PointArgs),
    /// Snap a spawn point to the nearest ground.
    Snap(SnapArgs),
    /// Find a random place within a straight walk of a point.
    Spot(SpotArgs),
    /// Test whether swimming straight between two points is possible.
    Swim(SwimArgs),
    /// Test whether flying straight between two points is possible.
    Fly(FlyArgs),
}

/// Runs a query and prints its result.
///
/// # Errors
/// If there is no region at a point, or one is broken.
pub fn run(query: &Query, out: &mut dyn Write) -> Result<Verdict, Lineage2Error> {
    let (args, query) = match query {
        Query::Cell(args) => {
            let cell = args.point().cell().map_err(Lineage2Error::outside)?;
            let (query, result) = (GeoQuery::Cell(args.point()), GeoQueryResult::Cell(cell));
            return QueryResult::new(&query, &result, None)
                .print(PrintForm::from_json(args.json), out);
        }
        Query::Path(args) => {
            return lines::path(args)?.print(args.query.form(), out);
        }
        Query::Height(args) => (&args.query, GeoQuery::Height(args.point())),
        Query::Layers(args) => (&args.query, GeoQuery::Layers(args.point())),
        Query::Drop(args) => (&args.query, GeoQuery::Fall(args.point())),
        Query::Step(args) => (&args.query, args.query()?),
        Query::Move(args) => (&args.query, args.query()?),
        Query::Sight(args) => (&args.query, args.query()?),
        Query::Snap(args) => (&args.query, args.query()),
        Query::Spot(args) => (&args.query, args.query()?),
        Query::Swim(args) => (&args.query, args.query()),
        Query::Fly(args) => (&args.query, args.query()),
    };
    let geodata = args.doors.apply(load_for(&query, &args.source)?)?;
    let mut context = QueryContext::new(Arc::new(NoStoredZones), None);
    let result = geodata.query(&query, &mut context);
    let result = result.map_err(Lineage2Error::Query)?;
    QueryResult::new(&query, &result, None).print(args.form(), out)
}

/// Loads the regions that a query may reach.
fn load_for(query: &GeoQuery, source: &SourceArgs) -> Result<Geodata, Lineage2Error> {
    match *query {
        GeoQuery::Steps(at, _) => load_square(source, at, CELL_SIZE),
        GeoQuery::RandomSpot {
            middle, options, ..
        } => load_square(source, middle, options.radius),
        GeoQuery::StraightWalk { from, to, .. }
        | GeoQuery::Swim { from, to }
        | GeoQuery::Fly { from, to, .. }
        | GeoQuery::Path {
            request: PathRequest { from, to },
            ..
        } => source.load_around(from, &[to]),
        GeoQuery::LineOfSight { from, to, .. } => source.load_around(from.point, &[to.point]),
        GeoQuery::Cell(at)
        | GeoQuery::Height(at)
        | GeoQuery::Layers(at)
        | GeoQuery::Fall(at)
        | GeoQuery::SnapSpawn { spawn: at, .. } => source.load_around(at, &[]),
    }
}

/// What lies within a square around a point, as far as there is a world.
fn load_square(
    source: &SourceArgs,
    middle: GeoPoint,
    radius: i32,
) -> Result<Geodata, Lineage2Error> {
    let corners = [-1, 1].map(|sign| GeoPoint {
        x: middle.x.saturating_add(radius.saturating_mul(sign)),
        y: middle.y.saturating_add(radius.saturating_mul(sign)),
        ..middle
    });
    let inside = corners.into_iter().filter(|corner| corner.cell().is_ok());
    let inside: Vec<GeoPoint> = inside.collect();
    source.load_around(middle, &inside)
}

/// What all queries but one take.
#[derive(Debug, Args)]
pub struct QueryArgs {
    #[command(flatten)]
    source: SourceArgs,

    /// Print the result as one line of JSON.
    #[arg(long)]
    json: bool,

    /// Print each point of the result as a line //teleport x y z.
    #[arg(long, conflicts_with = "json")]
    teleport: bool,

    #[command(flatten)]
    doors: DoorArgs,
}

impl QueryArgs {
    fn form(&self) -> PrintForm {
        match self.teleport {
            true => PrintForm::Teleport,
            false => PrintForm::from_json(self.json),
        }
    }
}

/// How a character walks.
#[derive(Debug, Args)]
pub struct ProfileArgs {
    /// Step rule; by default pts for regions from conv.dat, acis for others.
    #[arg(long, value_enum)]
    profile: Option<ProfileArg>,

    /// How to treat places without a region.
    #[arg(long, value_enum, default_value = "blocked")]
    no_data: NoDataArg,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProfileArg {
    /// The original server: steps of up to 32, with both heights of flat blocks.
    Pts,
    /// aCis: steps of less than 48.
    Acis,
    /// L2-Scripts: steps of less than 64.
    Loose,
    /// L2J with its driver: the nearest layer at any height, cutting corners; straight lines from cell to cell.
    L2j,
    /// L2J Mobius: as l2j, without cutting corners.
    Mobius,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NoDataArg {
    /// Impassable.
    Blocked,
    /// Open ground at the height of the character.
    Open,
}

impl NoDataArg {
    pub fn rule(self) -> NoDataRule {
        match self {
            Self::Blocked => NoDataRule::Blocked,
            Self::Open => NoDataRule::Open,
        }
    }
}

impl ProfileArgs {
    /// The rule, for regions of a source.
    pub fn profile(&self, source: &SourceArgs) -> Result<Profile, Lineage2Error> {
        let profile = profile_of(self.profile, source)?;
        Ok(profile.with_no_data(self.no_data.rule()))
    }
}

/// The requested rule, or that of a source.
///
/// # Errors
/// If there are no regions.
pub fn profile_of(
    requested: Option<ProfileArg>,
    source: &SourceArgs,
) -> Result<Profile, Lineage2Error> {
    Ok(match requested {
        Some(profile) => profile.profile(),
        None => match source.has_only(GeodataFormat::ConvDat)? {
            true => Profile::PTS,
            false => Profile::ACIS,
        },
    })
}

impl ProfileArg {
    /// The step rule of that name.
    pub fn profile(self) -> Profile {
        match self {
            Self::Pts => Profile::PTS,
            Self::Acis => Profile::ACIS,
            Self::Loose => Profile::LOOSE,
            Self::L2j => Profile::L2J,
            Self::Mobius => Profile::MOBIUS,
        }
    }
}

/// A point, written as x,y,z in the game's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PointArg(GeoPoint);

impl PointArg {
    pub fn point(self) -> GeoPoint {
        self.0
    }
}

impl FromStr for PointArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers: Option<Vec<i32>> = text
            .split(',')
            .map(|number| number.trim().parse().ok())
            .collect();
        match numbers.as_deref() {
            Some(&[x, y, z]) => Ok(Self(GeoPoint::new(x, y, z))),
            _ => Err("write three whole numbers x,y,z, as in -84141,244623,-3728"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_three_whole_numbers() {
        let point = PointArg(GeoPoint::new(-84141, 244623, -3728));
        assert_eq!("-84141, 244623,-3728".parse(), Ok(point));
        for wrong in ["", "1,2", "1,2,3,4", "1,2,x", "1.5,2,3", "1,2,3000000000"] {
            assert!(wrong.parse::<PointArg>().is_err(), "{wrong}");
        }
    }
}
