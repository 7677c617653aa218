//! Results of geodata queries: one text for people, one value for programs.

use std::io::Write;

use ironlands_assets_lineage2::{GeoCell, Nswe};
use ironlands_sim_geodata::{BlockedBy, GeoPoint, GroundLayer, StraightWalkEnd};
use serde_json::{Value, json};

use crate::Lineage2Error;
use ironlands_world_kind::Verdict;

/// What is said of a query.
pub struct QueryResult {
    /// No is what `move`, `sight` and the like may say.
    pub verdict: Verdict,
    /// For people, in lines.
    pub text: String,
    /// For programs, an object.
    pub json: Value,
}

impl QueryResult {
    /// A result of a query that is never negative.
    pub fn new(text: impl Into<String>, json: Value) -> Self {
        Self {
            verdict: Verdict::Done,
            text: text.into(),
            json,
        }
    }

    /// A result of yes or no.
    pub fn yes_or_no(is_yes: bool, text: impl Into<String>, json: Value) -> Self {
        Self {
            verdict: match is_yes {
                true => Verdict::Done,
                false => Verdict::No,
            },
            ..Self::new(text, json)
        }
    }

    /// Prints one of the two.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn print(&self, as_json: bool, out: &mut dyn Write) -> Result<Verdict, Lineage2Error> {
        match as_json {
            true => writeln!(out, "{}", self.json)?,
            false => writeln!(out, "{}", self.text)?,
        }
        Ok(self.verdict)
    }
}

/// A point as three numbers.
pub fn point_json(point: GeoPoint) -> Value {
    json!([point.x, point.y, point.z])
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

/// Region, block and cell.
pub fn cell_json(cell: GeoCell) -> Value {
    let (block, at) = (cell.block(), cell.cell());
    json!({
        "region": cell.region().to_string(),
        "block": [block.0, block.1],
        "cell": [at.0, at.1],
    })
}

/// Open sides in the order of their letters; `-` for none.
pub fn nswe_text(nswe: Nswe) -> String {
    let letters = [
        (Nswe::NORTH, 'N'),
        (Nswe::SOUTH, 'S'),
        (Nswe::WEST, 'W'),
        (Nswe::EAST, 'E'),
    ];
    let open: String = letters
        .into_iter()
        .filter(|(side, _)| nswe.contains(*side))
        .map(|(_, letter)| letter)
        .collect();
    match open.is_empty() {
        true => "-".to_owned(),
        false => open,
    }
}

/// Height, sides and place of a layer.
pub fn layer_json(layer: &GroundLayer) -> Value {
    json!({
        "height": layer.z,
        "nswe": nswe_text(layer.nswe),
        "layer": layer.index,
    })
}

/// Why a step cannot be made.
pub fn blocked_text(why: BlockedBy) -> &'static str {
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

/// How a walk ends, in words.
pub fn end_text(end: StraightWalkEnd) -> String {
    match end {
        StraightWalkEnd::Reached => "yes".to_owned(),
        StraightWalkEnd::OtherLayer => "no: it ends above or below".to_owned(),
        StraightWalkEnd::Blocked(why) => format!("no: {}", blocked_text(why)),
    }
}
