//! Queries about two points, as the command line names them; and paths over regions that are loaded as needed.

use clap::Args;
use ironlands_sim_geodata::path::{
    DEFAULT_BUDGET, LazyGeodata, PathEnd, PathGuide, PathOptions, PathRequest, PathSearch,
    WalkPath, ZoneCache,
};
use ironlands_sim_geodata::{GeoPoint, GeoQuery, GeoQueryResult, GeodataError, Profile, Viewer};

use super::super::query_result::QueryResult;
use super::super::source::load;
use super::super::zones::kept_zones;
use super::{PointArg, ProfileArgs, QueryArgs};
use crate::{Lineage2Error, LoadedRegions};
use ironlands_world_kind::console::interrupt::interrupt_flag;

/// Eye height above a point.
pub const DEFAULT_EYE: f32 = 34.5;
/// Clearance above a flight.
pub const DEFAULT_CLEARANCE: i32 = 46;

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
    pub query: QueryArgs,

    #[command(flatten)]
    ends: Ends,

    #[command(flatten)]
    rule: ProfileArgs,
}

/// A line of sight.
#[derive(Debug, Args)]
pub struct SightArgs {
    #[command(flatten)]
    pub query: QueryArgs,

    #[command(flatten)]
    ends: Ends,

    /// Eye height above both points.
    #[arg(long, value_name = "POINTS", default_value_t = DEFAULT_EYE)]
    eye: f32,

    #[command(flatten)]
    rule: ProfileArgs,
}

/// A way around obstacles.
#[derive(Debug, Args)]
pub struct PathArgs {
    #[command(flatten)]
    pub query: QueryArgs,

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
    pub query: QueryArgs,

    #[command(flatten)]
    ends: Ends,
}

/// A straight flight.
#[derive(Debug, Args)]
pub struct FlyArgs {
    #[command(flatten)]
    pub query: QueryArgs,

    #[command(flatten)]
    ends: Ends,

    /// Required clearance above the line.
    #[arg(long, value_name = "POINTS", default_value_t = DEFAULT_CLEARANCE)]
    height: i32,
}

impl LineArgs {
    pub fn query(&self) -> Result<GeoQuery, Lineage2Error> {
        let (from, to) = self.ends.points();
        let profile = self.rule.profile(&self.query.source)?;
        Ok(GeoQuery::StraightWalk { from, to, profile })
    }
}

impl SightArgs {
    pub fn query(&self) -> Result<GeoQuery, Lineage2Error> {
        let (from, to) = self.ends.points();
        Ok(GeoQuery::LineOfSight {
            from: Viewer::new(from, self.eye),
            to: Viewer::new(to, self.eye),
            profile: self.rule.profile(&self.query.source)?,
        })
    }
}

impl SwimArgs {
    pub fn query(&self) -> GeoQuery {
        let (from, to) = self.ends.points();
        GeoQuery::Swim { from, to }
    }
}

impl FlyArgs {
    pub fn query(&self) -> GeoQuery {
        let (from, to) = self.ends.points();
        let height = self.height;
        GeoQuery::Fly { from, to, height }
    }
}

impl Ends {
    fn points(&self) -> (GeoPoint, GeoPoint) {
        (self.start.0, self.end.0)
    }
}

/// Finds a path over regions that are loaded as it reaches them; with doors over all regions, as zones that are kept know
/// no doors.
pub fn path(args: &PathArgs) -> Result<QueryResult, Lineage2Error> {
    let (from, to) = args.ends.points();
    let request = PathRequest { from, to };
    let profile = args.rule.profile(&args.query.source)?;
    let options = PathOptions {
        budget: args.budget,
        rough_factor: args.rough,
        cancel: Some(interrupt_flag()),
        ..PathOptions::default()
    };
    let (found, n_regions) = match args.query.doors.is_empty() {
        true => lazy_path(args, &request, &profile, &options)?,
        false => path_with_doors(args, &request, &profile, &options)?,
    };
    if found.end == PathEnd::Canceled {
        return Err(Lineage2Error::stopped());
    }
    let query = GeoQuery::Path {
        request,
        profile,
        budget: args.budget,
        rough_factor: args.rough,
    };
    let found = GeoQueryResult::Path(Box::new(found));
    Ok(QueryResult::new(&query, &found, Some(n_regions)))
}

/// A path, and how many regions were loaded.
fn lazy_path(
    args: &PathArgs,
    request: &PathRequest,
    profile: &Profile,
    options: &PathOptions<'_>,
) -> Result<(WalkPath, usize), Lineage2Error> {
    // A way may lead through any region; most lead through one.
    let mut regions = args.query.source.lazily(request.from)?;
    let ids: Vec<_> = regions.files.iter().map(|file| file.name.id).collect();
    let mut zones = kept_zones(&args.query.source.path, profile, &regions.files);
    let mut load = |id| regions.load(id);
    let mut ground = LazyGeodata::new(ids.iter().copied(), &mut load);
    let mut search = PathSearch::default();
    let found = PathGuide::new(&mut ground, &mut zones).find(request, options, &mut search);
    let n_regions = ground.n_loaded();
    // Without it, what was found means little.
    regions.finish()?;
    if let Some(damage) = zones.store_error() {
        log::warn!("the file of zones is damaged; the damaged part was rebuilt: {damage}");
    }
    let found = found.map_err(|error| match error {
        // That of the start is there, or there would be no regions to load.
        GeodataError::NoData { region } if !ids.contains(&region) => {
            args.query.source.no_region(request.to, region, ids)
        }
        error => Lineage2Error::Query(error),
    })?;
    Ok((found, n_regions))
}

fn path_with_doors(
    args: &PathArgs,
    request: &PathRequest,
    profile: &Profile,
    options: &PathOptions<'_>,
) -> Result<(WalkPath, usize), Lineage2Error> {
    let files = args.query.source.files()?;
    let LoadedRegions { geodata, left_out } = load(&files)?;
    let n_regions = files.len() - left_out.len();
    let broken_regions = args.query.source.broken_regions();
    broken_regions.log(left_out, files.len())?;
    let geodata = args.query.doors.apply(geodata)?;
    let mut zones = ZoneCache::new(profile, None);
    let mut ground = LazyGeodata::from(&geodata);
    let mut search = PathSearch::default();
    let found = PathGuide::new(&mut ground, &mut zones).find(request, options, &mut search);
    Ok((found.map_err(Lineage2Error::Query)?, n_regions))
}
