//! Queries about one point.

use clap::Args;
use ironlands_assets_lineage2::{CELL_SIZE, GeoCell};
use ironlands_sim_geodata::{GeoPoint, Geodata, GroundLayer, SpotOptions, StraightWalkEnd};
use serde_json::{Value, json};

use super::super::query_result::{
    QueryResult, cell_json, cell_text, end_text, end_word, layer_json, nswe_text, point_json,
    point_text,
};
use super::{PointArg, ProfileArgs, QueryArgs};
use crate::Lineage2Error;

/// Steps with their names, north first, clockwise.
const STEPS: [(&str, i32, i32); 8] = [
    ("north", 0, -1),
    ("north-east", 1, -1),
    ("east", 1, 0),
    ("south-east", 1, 1),
    ("south", 0, 1),
    ("south-west", -1, 1),
    ("west", -1, 0),
    ("north-west", -1, -1),
];

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
    pub(super) query: QueryArgs,

    /// Point as x,y,z.
    #[arg(value_name = "X,Y,Z", allow_hyphen_values = true)]
    point: PointArg,
}

/// A point and how a character walks from there.
#[derive(Debug, Args)]
pub struct StepArgs {
    #[command(flatten)]
    pub(super) query: QueryArgs,

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
    pub(super) query: QueryArgs,

    /// Spawn point as x,y,z.
    #[arg(value_name = "X,Y,Z", allow_hyphen_values = true)]
    point: PointArg,

    /// Maximum vertical distance to the ground, in points.
    #[arg(long, value_name = "POINTS", default_value_t = 200)]
    reach: i32,
}

/// A circle to choose from.
#[derive(Debug, Args)]
pub struct SpotArgs {
    #[command(flatten)]
    pub(super) query: QueryArgs,

    /// Center as x,y,z.
    #[arg(value_name = "X,Y,Z", allow_hyphen_values = true)]
    point: PointArg,

    /// Maximum distance from the center, in points.
    #[arg(long, value_name = "POINTS", default_value_t = 300)]
    radius: i32,

    /// Random seed; the same seed gives the same place.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    rule: ProfileArgs,
}

pub fn cell(args: &CellArgs) -> Result<QueryResult, Lineage2Error> {
    let cell = args.point.0.cell().map_err(Lineage2Error::outside)?;
    let (x, y) = cell.center();
    let mut json = cell_json(cell);
    json["middle"] = json!([x, y]);
    Ok(QueryResult::new(
        format!("{}, its middle is {x},{y}", cell_text(cell)),
        json,
    ))
}

pub fn height(args: &PointArgs) -> Result<QueryResult, Lineage2Error> {
    let (geodata, cell) = args.load()?;
    let z = args.point.0.z;
    let query_error = Lineage2Error::Query;
    let nearest = geodata.nearest_layer(cell, z).map_err(query_error)?;
    let below = geodata.layer_below(cell, nearest.z).map_err(query_error)?;
    let above = geodata.layer_above(cell, nearest.z).map_err(query_error)?;
    let next = |layer: &Option<GroundLayer>| match layer {
        Some(layer) => layer.z.to_string(),
        None => "none".to_owned(),
    };
    let text = format!(
        "{} is the ground nearest to {z}, open to {}; next layer below {}: {}, next above {}: {}; {}",
        nearest.z,
        nswe_text(nearest.nswe),
        nearest.z,
        next(&below),
        nearest.z,
        next(&above),
        cell_text(cell)
    );
    let mut json = layer_json(&nearest);
    json["below"] = json!(below.map(|layer| layer.z));
    json["above"] = json!(above.map(|layer| layer.z));
    json["below_and_above_of"] = json!(nearest.z);
    json["at"] = cell_json(cell);
    Ok(QueryResult::new(text, json))
}

pub fn layers(args: &PointArgs) -> Result<QueryResult, Lineage2Error> {
    let (geodata, cell) = args.load()?;
    let layers = geodata.layers(cell).map_err(Lineage2Error::Query)?;
    let mut lines = vec![format!("{} layers, {}", layers.len(), cell_text(cell))];
    let reported = layers.iter();
    lines.extend(reported.map(|layer| format!("  {}  open to {}", layer.z, nswe_text(layer.nswe))));
    let json = json!({
        "at": cell_json(cell),
        "layers": layers.iter().map(layer_json).collect::<Vec<Value>>(),
    });
    Ok(QueryResult::new(lines.join("\n"), json))
}

pub fn step(args: &StepArgs) -> Result<QueryResult, Lineage2Error> {
    let profile = args.rule.profile(&args.query.source)?;
    let geodata = load_circle(&args.query, args.point.0, CELL_SIZE)?;
    let cell = args.point.0.cell().map_err(Lineage2Error::outside)?;
    let z = geodata
        .nearest_layer(cell, args.point.0.z)
        .map_err(Lineage2Error::Query)?
        .z;
    let from = GeoPoint::from_cell(cell, z);
    let mut lines = vec![format!("from {}, {}", point_text(from), cell_text(cell))];
    let mut steps = Vec::new();
    for (name, dx, dy) in STEPS {
        let to = GeoPoint::new(from.x + dx * CELL_SIZE, from.y + dy * CELL_SIZE, z);
        let Ok(movement) = geodata.straight_walk(from, to, &profile) else {
            // The edge of all regions.
            continue;
        };
        // Whether another layer is nearer to where one came from is no matter: the step is made.
        let stands_at = match movement.end {
            StraightWalkEnd::Reached | StraightWalkEnd::OtherLayer => Some(movement.point.z),
            StraightWalkEnd::Blocked(_) => None,
        };
        lines.push(match stands_at {
            Some(height) => format!("  {name:10}  to {height}"),
            None => format!("  {name:10}  {}", end_text(movement.end)),
        });
        let end = match stands_at {
            Some(_) => "reached",
            None => end_word(movement.end),
        };
        steps.push(json!({"direction": name, "end": end, "height": stands_at}));
    }
    let json = json!({"from": point_json(from), "at": cell_json(cell), "steps": steps});
    Ok(QueryResult::new(lines.join("\n"), json))
}

pub fn drop(args: &PointArgs) -> Result<QueryResult, Lineage2Error> {
    let (geodata, _) = args.load()?;
    let fall = geodata.fall(args.point.0).map_err(Lineage2Error::Query)?;
    let text = match fall {
        Some((point, height)) => format!("falls {height} to {}", point_text(point)),
        None => "no ground below".to_owned(),
    };
    let json = json!({
        "point": fall.map(|(point, _)| point_json(point)),
        "fall": fall.map(|(_, height)| height),
    });
    Ok(QueryResult::yes_or_no(fall.is_some(), text, json))
}

pub fn snap(args: &SnapArgs) -> Result<QueryResult, Lineage2Error> {
    let geodata = args.query.source.load_around(args.point.0, &[])?;
    let snapped = geodata
        .snap_spawn(args.point.0, args.reach)
        .map_err(Lineage2Error::Query)?;
    let text = match snapped {
        Some(point) => point_text(point),
        None => format!("no ground within {}", args.reach),
    };
    let json = json!({"point": snapped.map(point_json)});
    Ok(QueryResult::yes_or_no(snapped.is_some(), text, json))
}

pub fn spot(args: &SpotArgs) -> Result<QueryResult, Lineage2Error> {
    const N_TRIES: u32 = 16;
    let options = SpotOptions {
        radius: args.radius,
        profile: args.rule.profile(&args.query.source)?,
        n_tries: N_TRIES,
    };
    let geodata = load_circle(&args.query, args.point.0, args.radius)?;
    let mut seed = args.seed;
    let spot = geodata
        .random_spot(args.point.0, &options, &mut seed)
        .map_err(Lineage2Error::Query)?;
    Ok(QueryResult::new(
        point_text(spot),
        json!({"point": point_json(spot)}),
    ))
}

impl PointArgs {
    fn load(&self) -> Result<(Geodata, GeoCell), Lineage2Error> {
        let geodata = self.query.source.load_around(self.point.0, &[])?;
        let cell = self.point.0.cell().map_err(Lineage2Error::outside)?;
        Ok((geodata, cell))
    }
}

/// What lies within a square around a point, as far as there is a world.
fn load_circle(query: &QueryArgs, middle: GeoPoint, radius: i32) -> Result<Geodata, Lineage2Error> {
    let corners = [-1, 1].map(|sign| GeoPoint {
        x: middle.x.saturating_add(radius.saturating_mul(sign)),
        y: middle.y.saturating_add(radius.saturating_mul(sign)),
        ..middle
    });
    let inside = corners.into_iter().filter(|corner| corner.cell().is_ok());
    let inside: Vec<GeoPoint> = inside.collect();
    query.source.load_around(middle, &inside)
}
