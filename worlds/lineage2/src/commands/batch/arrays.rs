//! Batches as arrays of little-endian numbers.

use std::io::Write;

use clap::ValueEnum;
use indicatif::ProgressBar;
use ironlands_sim_geodata::arrays::{ArrayQuery, NO_HEIGHT, NO_RESULT};
use ironlands_sim_geodata::{Geodata, Profile};

use super::Counts;
use super::chunks::{Chunks, Rows};
use crate::Lineage2Error;

/// Bytes of a number.
const NUMBER: usize = size_of::<i32>();

/// What the rows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ArrayKind {
    /// Heights of the nearest layers.
    Height,
    /// Straight walks.
    Move,
    /// Lines of sight.
    Sight,
    /// Straight swims.
    Swim,
    /// Straight flights.
    Fly,
}

impl ArrayKind {
    /// The query, with the options of the command.
    pub fn query(self, profile: Profile, eye_height: f32, height: i32) -> ArrayQuery {
        match self {
            Self::Height => ArrayQuery::Height,
            Self::Move => ArrayQuery::StraightWalk(profile),
            Self::Sight => ArrayQuery::LineOfSight {
                eye_height,
                profile,
            },
            Self::Swim => ArrayQuery::Swim,
            Self::Fly => ArrayQuery::Fly { height },
        }
    }
}

/// Runs a query for each row of stdin.
///
/// # Errors
/// If stdin cannot be read, or ends within a row.
pub fn run(
    geodata: &Geodata,
    query: &ArrayQuery,
    bar: &ProgressBar,
    out: &mut dyn Write,
) -> Result<Counts, Lineage2Error> {
    let missing = match query {
        ArrayQuery::Height => NO_HEIGHT,
        _ => NO_RESULT,
    };
    let mut counts = Counts::default();
    let mut chunks = Chunks::new(Rows::Bytes(query.row_in() * NUMBER));
    while let Some(bytes) = chunks.next()? {
        let (numbers, _) = bytes.as_chunks::<NUMBER>();
        let numbers: Vec<i32> = numbers.iter().map(|it| i32::from_le_bytes(*it)).collect();
        let n_rows = numbers.len() / query.row_in();
        let mut results = vec![0; n_rows * query.row_out()];
        geodata
            .array_batch(query, &numbers, &mut results)
            .expect("as many rows of results as of queries");
        let results_bytes: Vec<u8> = results.iter().flat_map(|it| it.to_le_bytes()).collect();
        out.write_all(&results_bytes)?;
        out.flush()?;
        let ends = results.iter().step_by(query.row_out());
        counts.n_queries += n_rows;
        counts.n_failed += ends.filter(|end| **end == missing).count();
        bar.set_position(counts.n_queries as u64);
    }
    Ok(counts)
}
