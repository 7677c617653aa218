//! Queries about one point, as the command line names them.

use clap::Args;
use ironlands_sim_geodata::{GeoPoint, GeoQuery, SpotOptions};

use super::{PointArg, ProfileArgs, QueryArgs};
use crate::Lineage2Error;

/// Places that are tried for a random one.
pub const N_SPOT_TRIES: u32 = 16;
/// Maximum vertical distance of a spawn to the ground.
pub const DEFAULT_REACH: i32 = 200;
/// Maximum distance of a random place.
pub const DEFAULT_RADIUS: i32 = 300;

/// A point, and no file.
#[derive(Debug, Args)]
pub struct CellArgs {
    /// Point as x,y,z; z is ignored.
    #[arg(value_name = "X,Y,Z", allow_hyphen_values = true)]
    point: PointArg,

    /// Print the result as one line of JSON.
    #[arg(long)]
    pub json: bool,
}

/// A point on geodata.
#[derive(Debug, Args)]
pub struct PointArgs {
    #[command(flatten)]
    pub query: QueryArgs,

    /// Point as x,y,z.
    #[arg(value_name = "X,Y,Z", allow_hyphen_values = true)]
    point: PointArg,
}

/// A point and how a character walks from there.
#[derive(Debug, Args)]
pub struct StepArgs {
    #[command(flatten)]
    pub query: QueryArgs,

    /// Point as x,y,z.
    #[arg(value_name = "X,Y,Z", allow_hyphen_values = true)]
    point: PointArg,

    #[command(flatten)]
    rule: ProfileArgs,
}

/// A spawn.
#[derive(Debug, Args)]
pub struct SnapArgs {
    #[command(flatten)]
    pub query: QueryArgs,

    /// Spawn point as x,y,z.
    #[arg(value_name = "X,Y,Z", allow_hyphen_values = true)]
    point: PointArg,

    /// Maximum vertical distance to the ground, in points.
    #[arg(long, value_name = "POINTS", default_value_t = DEFAULT_REACH)]
    reach: i32,
}

/// A circle to choose from.
#[derive(Debug, Args)]
pub struct SpotArgs {
    #[command(flatten)]
    pub query: QueryArgs,

    /// Center as x,y,z.
    #[arg(value_name = "X,Y,Z", allow_hyphen_values = true)]
    point: PointArg,

    /// Maximum distance from the center, in points.
    #[arg(long, value_name = "POINTS", default_value_t = DEFAULT_RADIUS)]
    radius: i32,

    /// Random seed; the same seed gives the same place.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    rule: ProfileArgs,
}

impl CellArgs {
    pub fn point(&self) -> GeoPoint {
        self.point.0
    }
}

impl PointArgs {
    pub fn point(&self) -> GeoPoint {
        self.point.0
    }
}

impl StepArgs {
    pub fn query(&self) -> Result<GeoQuery, Lineage2Error> {
        let profile = self.rule.profile(&self.query.source)?;
        Ok(GeoQuery::Steps(self.point.0, profile))
    }
}

impl SnapArgs {
    pub fn query(&self) -> GeoQuery {
        GeoQuery::SnapSpawn {
            spawn: self.point.0,
            reach: self.reach,
        }
    }
}

impl SpotArgs {
    pub fn query(&self) -> Result<GeoQuery, Lineage2Error> {
        let options = SpotOptions {
            radius: self.radius,
            profile: self.rule.profile(&self.query.source)?,
            n_tries: N_SPOT_TRIES,
        };
        Ok(GeoQuery::RandomSpot {
            middle: self.point.0,
            options,
            seed: self.seed,
        })
    }
}
