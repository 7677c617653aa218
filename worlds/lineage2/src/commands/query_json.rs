//! Results of geodata queries for programs: the objects that `--json` and `geodata query` print.

use ironlands_assets_lineage2::{GeoCell, RegionId};
use ironlands_sim_geodata::path::PathEnd;
use ironlands_sim_geodata::{GeoPoint, GeoQueryResult, GroundLayer, StraightWalkEnd, SwimEnd};
use serde::{Serialize, Serializer};

use super::query_result::{DIRECTIONS, end_word, nswe_text, swim_word};

/// A point as three numbers.
type PointJson = [i32; 3];

/// The result of a query.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum ResultJson {
    Cell {
        #[serde(serialize_with = "as_text")]
        region: RegionId,
        block: (u8, u8),
        cell: (u8, u8),
        middle: (i32, i32),
    },
    Height {
        #[serde(flatten)]
        nearest: LayerJson,
        below: Option<i32>,
        above: Option<i32>,
        below_and_above_of: i32,
        at: CellJson,
    },
    Layers {
        at: CellJson,
        layers: Vec<LayerJson>,
    },
    Steps {
        from: PointJson,
        at: CellJson,
        steps: Vec<StepJson>,
    },
    LineOfSight {
        line_of_sight: bool,
        there: bool,
        back: bool,
    },
    Path(PathJson),
    Fall {
        point: Option<PointJson>,
        fall: Option<i32>,
    },
    Point {
        point: Option<PointJson>,
    },
    Line {
        reached: bool,
        end: &'static str,
        point: PointJson,
    },
}

/// Region, block and cell.
#[derive(Debug, Serialize)]
pub struct CellJson {
    #[serde(serialize_with = "as_text")]
    region: RegionId,
    block: (u8, u8),
    cell: (u8, u8),
}

/// Height, sides and place of a layer.
#[derive(Debug, Serialize)]
pub struct LayerJson {
    height: i32,
    nswe: &'static str,
    layer: u8,
}

/// Where a step leads.
#[derive(Debug, Serialize)]
pub struct StepJson {
    direction: &'static str,
    end: &'static str,
    height: Option<i32>,
}

/// A path.
#[derive(Debug, Serialize)]
pub struct PathJson {
    reached: bool,
    end: &'static str,
    points: Vec<PointJson>,
    n_cells: usize,
    cost: u32,
    is_shortest: bool,
    n_expanded: u32,
    /// Only where regions are loaded as needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    n_regions: Option<usize>,
}

impl ResultJson {
    /// `n_regions` is the number of regions that a path loaded, where it loads them itself.
    pub fn new(result: &GeoQueryResult, n_regions: Option<usize>) -> Self {
        match result {
            GeoQueryResult::Cell(cell) => Self::Cell {
                region: cell.region(),
                block: cell.block(),
                cell: cell.cell(),
                middle: cell.center(),
            },
            GeoQueryResult::Height(near) => Self::Height {
                nearest: LayerJson::new(&near.nearest),
                below: near.below.map(|layer| layer.z),
                above: near.above.map(|layer| layer.z),
                below_and_above_of: near.nearest.z,
                at: CellJson::new(near.cell),
            },
            GeoQueryResult::Layers(cell, layers) => Self::Layers {
                at: CellJson::new(*cell),
                layers: layers.iter().map(LayerJson::new).collect(),
            },
            GeoQueryResult::Steps(from) => {
                let ends = DIRECTIONS.iter().zip(from.ends);
                let steps = ends.map(|(&direction, end)| StepJson {
                    direction,
                    end: end.map_or_else(
                        |why| end_word(StraightWalkEnd::Blocked(why)),
                        |_| end_word(StraightWalkEnd::Reached),
                    ),
                    height: end.ok(),
                });
                Self::Steps {
                    from: point_json(GeoPoint::from_cell(from.cell, from.z)),
                    at: CellJson::new(from.cell),
                    steps: steps.collect(),
                }
            }
            GeoQueryResult::StraightWalk(walk) => Self::Line {
                reached: walk.end == StraightWalkEnd::Reached,
                end: end_word(walk.end),
                point: point_json(walk.point),
            },
            GeoQueryResult::LineOfSight { there, back } => Self::LineOfSight {
                line_of_sight: *there && *back,
                there: *there,
                back: *back,
            },
            GeoQueryResult::Path(path) => Self::Path(PathJson {
                reached: path.end == PathEnd::Reached,
                end: match path.end {
                    PathEnd::Reached => "reached",
                    PathEnd::Unreachable => "unreachable",
                    PathEnd::OutOfBudget => "out_of_budget",
                    PathEnd::Canceled => "canceled",
                },
                points: path.points.iter().map(|point| point_json(*point)).collect(),
                n_cells: path.cells.len(),
                cost: path.cost,
                is_shortest: path.is_shortest,
                n_expanded: path.n_expanded,
                n_regions,
            }),
            GeoQueryResult::Fall(fall) => Self::Fall {
                point: fall.map(|(point, _)| point_json(point)),
                fall: fall.map(|(_, height)| height),
            },
            GeoQueryResult::SnapSpawn(point) => Self::Point {
                point: point.map(point_json),
            },
            GeoQueryResult::RandomSpot(point) => Self::Point {
                point: Some(point_json(*point)),
            },
            GeoQueryResult::Swim(swim) => Self::Line {
                reached: swim.end == SwimEnd::Reached,
                end: swim_word(swim.end),
                point: point_json(swim.point),
            },
            GeoQueryResult::Fly(flight) => Self::Line {
                reached: flight.is_reached,
                end: match flight.is_reached {
                    true => "reached",
                    false => "blocked",
                },
                point: point_json(flight.point),
            },
        }
    }
}

impl CellJson {
    fn new(cell: GeoCell) -> Self {
        Self {
            region: cell.region(),
            block: cell.block(),
            cell: cell.cell(),
        }
    }
}

impl LayerJson {
    fn new(layer: &GroundLayer) -> Self {
        Self {
            height: layer.z,
            nswe: nswe_text(layer.nswe),
            layer: layer.index,
        }
    }
}

fn point_json(point: GeoPoint) -> PointJson {
    [point.x, point.y, point.z]
}

fn as_text<S: Serializer>(region: &RegionId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(region)
}
