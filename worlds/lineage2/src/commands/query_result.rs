//! Results of geodata queries: one text for people, one object for programs.

use std::io::Write;

use ironlands_assets_lineage2::{GeoCell, Nswe};
use ironlands_sim_geodata::path::{PathEnd, WalkPath};
use ironlands_sim_geodata::{
    BlockedBy, GeoPoint, GeoQuery, GeoQueryResult, NearLayers, StepsFrom, StraightWalkEnd, SwimEnd,
};

use super::query_json::ResultJson;
use super::server_files::print_teleport;
use crate::Lineage2Error;
use ironlands_world_kind::Verdict;

/// Names of the eight steps, in the order of
/// [`STEPS_CLOCKWISE`](ironlands_sim_geodata::STEPS_CLOCKWISE).
pub const DIRECTIONS: [&str; 8] = [
    "north",
    "north-east",
    "east",
    "south-east",
    "south",
    "south-west",
    "west",
    "north-west",
];

/// What is printed of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrintForm {
    /// Sentences.
    Text,
    /// A line of JSON.
    Json,
    /// A line for each point that a game master types to be there.
    Teleport,
}

impl PrintForm {
    pub fn from_json(is_json: bool) -> Self {
        match is_json {
            true => Self::Json,
            false => Self::Text,
        }
    }
}

/// What is printed of a query.
pub struct QueryResult {
    /// No is what `move`, `sight` and the like may return.
    verdict: Verdict,
    /// For people, in lines.
    text: String,
    /// For programs.
    json: ResultJson,
    /// Places of the result.
    points: Vec<GeoPoint>,
}

impl QueryResult {
    /// `n_regions` is the number of regions that a path loaded.
    pub fn new(query: &GeoQuery, result: &GeoQueryResult, n_regions: Option<usize>) -> Self {
        let (is_yes, text) = match result {
            GeoQueryResult::Cell(cell) => {
                let (x, y) = cell.center();
                (true, format!("{}, its middle is {x},{y}", cell_text(*cell)))
            }
            GeoQueryResult::Height(near) => (true, height_text(query, near)),
            GeoQueryResult::Layers(cell, layers) => {
                let mut lines = vec![format!("{} layers, {}", layers.len(), cell_text(*cell))];
                let reported = layers.iter();
                lines.extend(
                    reported.map(|it| format!("  {}  open to {}", it.z, nswe_text(it.nswe))),
                );
                (true, lines.join("\n"))
            }
            GeoQueryResult::Steps(from) => (true, steps_text(from)),
            GeoQueryResult::StraightWalk(walk) => {
                let text = format!("{}; reaches {}", end_text(walk.end), point_text(walk.point));
                (walk.end == StraightWalkEnd::Reached, text)
            }
            GeoQueryResult::LineOfSight { there, back } => {
                (*there && *back, sight_text(*there, *back).to_owned())
            }
            GeoQueryResult::Path(path) => (
                path.end == PathEnd::Reached,
                path_text(path, n_regions.unwrap_or_default()),
            ),
            GeoQueryResult::Fall(fall) => {
                let text = match fall {
                    Some((point, height)) => format!("falls {height} to {}", point_text(*point)),
                    None => "no ground below".to_owned(),
                };
                (fall.is_some(), text)
            }
            GeoQueryResult::SnapSpawn(point) => {
                let text = match (point, query) {
                    (Some(point), _) => point_text(*point),
                    (None, GeoQuery::SnapSpawn { reach, .. }) => {
                        format!("no ground within {reach}")
                    }
                    (None, _) => "no ground".to_owned(),
                };
                (point.is_some(), text)
            }
            GeoQueryResult::RandomSpot(point) => (true, point_text(*point)),
            GeoQueryResult::Swim(swim) => {
                let text = match swim.end {
                    SwimEnd::Reached => "yes",
                    SwimEnd::Land => "no: land",
                    SwimEnd::Wall => "no: a wall",
                    SwimEnd::NoGround => "no: no ground",
                };
                let text = format!("{text}; reaches {}", point_text(swim.point));
                (swim.end == SwimEnd::Reached, text)
            }
            GeoQueryResult::Fly(flight) => {
                let text = match flight.is_reached {
                    true => "yes",
                    false => "no: something is in the way",
                };
                let text = format!("{text}; reaches {}", point_text(flight.point));
                (flight.is_reached, text)
            }
        };
        Self {
            verdict: match is_yes {
                true => Verdict::Done,
                false => Verdict::No,
            },
            text,
            json: ResultJson::new(result, n_regions),
            points: points_of(query, result),
        }
    }

    /// Prints one of the forms.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn print(&self, form: PrintForm, out: &mut dyn Write) -> Result<Verdict, Lineage2Error> {
        match form {
            PrintForm::Json => writeln!(out, "{}", serde_json::json!(self.json))?,
            PrintForm::Text => writeln!(out, "{}", self.text)?,
            PrintForm::Teleport => {
                for point in &self.points {
                    print_teleport(*point, out)?;
                }
            }
        }
        Ok(self.verdict)
    }
}

/// The places that a result names.
fn points_of(query: &GeoQuery, result: &GeoQueryResult) -> Vec<GeoPoint> {
    match result {
        GeoQueryResult::Height(near) => match query {
            GeoQuery::Height(at) => vec![GeoPoint {
                z: near.nearest.z,
                ..*at
            }],
            _ => vec![GeoPoint::from_cell(near.cell, near.nearest.z)],
        },
        GeoQueryResult::Layers(cell, layers) => {
            let points = layers.iter();
            points
                .map(|layer| GeoPoint::from_cell(*cell, layer.z))
                .collect()
        }
        GeoQueryResult::StraightWalk(walk) => vec![walk.point],
        GeoQueryResult::Path(path) => path.points.clone(),
        GeoQueryResult::Fall(fall) => fall.iter().map(|(point, _)| *point).collect(),
        GeoQueryResult::SnapSpawn(point) => point.iter().copied().collect(),
        GeoQueryResult::RandomSpot(point) => vec![*point],
        GeoQueryResult::Swim(swim) => vec![swim.point],
        GeoQueryResult::Fly(flight) => vec![flight.point],
        GeoQueryResult::Cell(_) | GeoQueryResult::Steps(_) | GeoQueryResult::LineOfSight { .. } => {
            Vec::new()
        }
    }
}

fn height_text(query: &GeoQuery, near: &NearLayers) -> String {
    let nearest = near.nearest;
    let z = match query {
        GeoQuery::Height(at) => at.z,
        _ => nearest.z,
    };
    let [below, above] = [near.below, near.above].map(|layer| match layer {
        Some(layer) => layer.z.to_string(),
        None => "none".to_owned(),
    });
    format!(
        "{} is the ground nearest to {z}, open to {}; next layer below {}: {below}, next above {}: {above}; {}",
        nearest.z,
        nswe_text(nearest.nswe),
        nearest.z,
        nearest.z,
        cell_text(near.cell)
    )
}

fn steps_text(from: &StepsFrom) -> String {
    let start = GeoPoint::from_cell(from.cell, from.z);
    let mut lines = vec![format!(
        "from {}, {}",
        point_text(start),
        cell_text(from.cell)
    )];
    let steps = DIRECTIONS.iter().zip(from.ends);
    lines.extend(steps.map(|(name, end)| match end {
        Ok(height) => format!("  {name:10}  to {height}"),
        Err(why) => format!("  {name:10}  no: {}", blocked_text(why)),
    }));
    lines.join("\n")
}

fn sight_text(there: bool, back: bool) -> &'static str {
    match (there, back) {
        (true, true) => "yes: they see each other",
        (true, false) => "no: only the first sees the second",
        (false, true) => "no: only the second sees the first",
        (false, false) => "no: neither sees the other",
    }
}

fn path_text(found: &WalkPath, n_regions: usize) -> String {
    let is_there = found.end == PathEnd::Reached;
    let text = match found.end {
        PathEnd::Reached => "yes, by",
        PathEnd::Unreachable => "no: there is no path; the nearest point is reached by",
        PathEnd::OutOfBudget => "no: not found within --budget; the nearest point is reached by",
        PathEnd::Canceled => "no: stopped after",
    };
    let longer = match is_there && !found.is_shortest {
        true => " (planned, so some hundredths above the least)",
        false => "",
    };
    let mut lines = vec![format!(
        "{text} {} cells, cost {}{longer}, {} cells looked at; regions loaded: {n_regions}; corners:",
        found.cells.len(),
        found.cost,
        found.n_expanded
    )];
    let corners = found.points.iter();
    lines.extend(corners.map(|point| format!("  {}", point_text(*point))));
    lines.join("\n")
}

/// A point as it is typed.
pub fn point_text(point: GeoPoint) -> String {
    format!("{},{},{}", point.x, point.y, point.z)
}

/// `22_22 block 139,131 cell 4,6`.
pub fn cell_text(cell: GeoCell) -> String {
    let (block, at) = (cell.block(), cell.cell());
    format!(
        "{} block {},{} cell {},{}",
        cell.region(),
        block.0,
        block.1,
        at.0,
        at.1
    )
}

/// Open sides by their letters; `-` for none.
pub fn nswe_text(nswe: Nswe) -> &'static str {
    const TEXTS: [&str; 16] = [
        "-", "E", "W", "WE", "S", "SE", "SW", "SWE", "N", "NE", "NW", "NWE", "NS", "NSE", "NSW",
        "NSWE",
    ];
    TEXTS[usize::from(nswe.bits() & 0xF)]
}

/// Why a step cannot be made.
fn blocked_text(why: BlockedBy) -> &'static str {
    match why {
        BlockedBy::ClosedSide => "a closed side",
        BlockedBy::Climb => "too high",
        BlockedBy::Drop => "too deep",
        BlockedBy::NoData => "no region",
    }
}

/// How a walk ends, in one word for programs.
pub fn end_word(end: StraightWalkEnd) -> &'static str {
    match end {
        StraightWalkEnd::Reached => "reached",
        StraightWalkEnd::OtherLayer => "other_layer",
        StraightWalkEnd::Blocked(BlockedBy::ClosedSide) => "closed_side",
        StraightWalkEnd::Blocked(BlockedBy::Climb) => "climb",
        StraightWalkEnd::Blocked(BlockedBy::Drop) => "drop",
        StraightWalkEnd::Blocked(BlockedBy::NoData) => "no_data",
    }
}

/// How a swim ends, in one word for programs.
pub fn swim_word(end: SwimEnd) -> &'static str {
    match end {
        SwimEnd::Reached => "reached",
        SwimEnd::Land => "land",
        SwimEnd::Wall => "wall",
        SwimEnd::NoGround => "no_ground",
    }
}

fn end_text(end: StraightWalkEnd) -> String {
    match end {
        StraightWalkEnd::Reached => "yes".to_owned(),
        StraightWalkEnd::OtherLayer => "no: it ends above or below".to_owned(),
        StraightWalkEnd::Blocked(why) => format!("no: {}", blocked_text(why)),
    }
}
