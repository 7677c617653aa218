//! `ironlands geodata height PATH POINT` and all other queries about points.

mod lines;
mod points;

use std::io::Write;
use std::str::FromStr;

use clap::{Args, Subcommand, ValueEnum};
use ironlands_assets_lineage2::GeodataFormat;
use ironlands_sim_geodata::{GeoPoint, NoDataRule, Profile};

use self::lines::{FlyArgs, LineArgs, PathArgs, SightArgs, SwimArgs};
use self::points::{CellArgs, PointArgs, SnapArgs, SpotArgs, StepArgs};
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
    let (said, as_json) = match query {
        Query::Cell(args) => (points::cell(args)?, args.json),
        Query::Height(args) => (points::height(args)?, args.query.json),
        Query::Layers(args) => (points::layers(args)?, args.query.json),
        Query::Step(args) => (points::step(args)?, args.query.json),
        Query::Move(args) => (lines::movement(args)?, args.query.json),
        Query::Sight(args) => (lines::sight(args)?, args.query.json),
        Query::Path(args) => (lines::path(args)?, args.query.json),
        Query::Drop(args) => (points::drop(args)?, args.query.json),
        Query::Snap(args) => (points::snap(args)?, args.query.json),
        Query::Spot(args) => (points::spot(args)?, args.query.json),
        Query::Swim(args) => (lines::swim(args)?, args.query.json),
        Query::Fly(args) => (lines::fly(args)?, args.query.json),
    };
    said.print(as_json, out)
}

/// What all queries but one take.
#[derive(Debug, Args)]
struct QueryArgs {
    #[command(flatten)]
    source: SourceArgs,

    /// Print the result as one line of JSON.
    #[arg(long)]
    json: bool,
}

/// How a character walks.
#[derive(Debug, Args)]
struct ProfileArgs {
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
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum NoDataArg {
    /// Impassable.
    Blocked,
    /// Open ground at the height of the character.
    Open,
}

impl NoDataArg {
    fn rule(self) -> NoDataRule {
        match self {
            Self::Blocked => NoDataRule::Blocked,
            Self::Open => NoDataRule::Open,
        }
    }
}

impl ProfileArgs {
    /// The rule, for regions of a source.
    fn profile(&self, source: &SourceArgs) -> Result<Profile, Lineage2Error> {
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
        Some(ProfileArg::Pts) => Profile::PTS,
        Some(ProfileArg::Acis) => Profile::ACIS,
        Some(ProfileArg::Loose) => Profile::LOOSE,
        None => match source.has_only(GeodataFormat::ConvDat)? {
            true => Profile::PTS,
            false => Profile::ACIS,
        },
    })
}

/// A point, written as x,y,z in the game's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PointArg(GeoPoint);

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
