//! `ironlands geodata query PATH < queries.jsonl > results.jsonl`: queries of every kind, in order, on all cores; and
//! the same for arrays of one kind.

mod arrays;
mod chunks;
mod line;

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use ironlands_sim_geodata::{Geodata, NoStoredZones, QueryContexts, ZoneSource};
use rayon::prelude::*;

use self::arrays::ArrayKind;
use self::chunks::Chunks;
use self::line::{Defaults, run_line};
use super::query::ProfileArgs;
use super::query::lines::{DEFAULT_CLEARANCE, DEFAULT_EYE};
use super::server_files::DoorArgs;
use super::source::{SourceArgs, load};
use super::zones::KeptZones;
use crate::{Lineage2Error, LoadedRegions};
use ironlands_world_kind::Verdict;
use ironlands_world_kind::console::interrupt::{check_interrupt, interrupt_flag};

const HELP: &str = "\
Examples:
  ironlands geodata query geodata < queries.jsonl > results.jsonl
          Run queries of every kind, one JSON object per line.
  echo '{\"query\":\"height\",\"at\":[83400,147943,-3400],\"id\":1}' | ironlands geodata query geodata
          Run one query; its result has the same id.
  ironlands geodata query geodata --binary move --profile pts < moves.bin > ends.bin
          Run straight walks from an array of numbers.

A query is a JSON object with the member \"query\", which is one of the following, and its other members:
  cell, height, layers, drop   at
  step                         at, profile, no_data
  snap                         at, reach (200)
  spot                         at, radius (300), seed (1), profile, no_data
  move                         from, to, profile, no_data
  sight                        from, to, eye (34.5), profile, no_data
  path                         from, to, profile, no_data, rough (1), budget (20000000)
  swim                         from, to
  fly                          from, to, height (46)
Points are [x,y,z] in game coordinates. \"profile\" and \"no_data\" are named as the options of this command, which are
their defaults. \"id\" may be anything, and is part of the result. Empty lines are skipped.

There is one line of results for each query, in the same order, with the same members as --json of the single commands
prints. A query that has no result gives an object with \"error\" and \"line\", the number of its line in the input,
and the others continue. Results appear as soon as the queries before them are done, so that a program may write
queries and read results in turn. Without a file of `ironlands geodata zones` each long path makes its own zones.

--binary takes rows of little-endian 32-bit numbers and prints rows for them, without anything around them:
  height   x, y, z             height, or -2147483648 for none
  move     from x,y,z to x,y,z end, last valid point x, y, z
  sight    from x,y,z to x,y,z 1 if the first sees the second, plus 2 for the reverse
  swim     from x,y,z to x,y,z end, last point x, y, z
  fly      from x,y,z to x,y,z end, last point x, y, z
Ends are 0 for reached and -1 for no result, of moves 1 for another layer, 2 for a closed side, 3 for a climb, 4 for a
drop, 5 for a missing region; of swims 1 for land, 2 for a wall, 3 for no ground; of flights 1 for blocked.

Exit codes: 0 done; 1 at least one query has no result; 2 the command failed.";

/// Lines that a thread takes in turn.
const LINES_PER_TASK: usize = 64;

/// What `ironlands geodata query` takes.
#[derive(Debug, Args)]
#[command(after_long_help = HELP)]
pub struct BatchArgs {
    #[command(flatten)]
    source: SourceArgs,

    #[command(flatten)]
    rule: ProfileArgs,

    #[command(flatten)]
    doors: DoorArgs,

    /// Read and write arrays of numbers for queries of this kind, instead of JSON.
    #[arg(long, value_enum, value_name = "KIND")]
    binary: Option<ArrayKind>,

    /// Eye height above both points of --binary sight.
    #[arg(long, value_name = "POINTS", default_value_t = DEFAULT_EYE)]
    eye: f32,

    /// Required clearance of --binary fly.
    #[arg(long, value_name = "POINTS", default_value_t = DEFAULT_CLEARANCE)]
    height: i32,
}

/// Lines or rows so far, and those without a result.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    n_queries: usize,
    n_failed: usize,
}

/// Runs all queries of stdin.
///
/// # Errors
/// If there are no regions, stdin cannot be read, a line is too long, or on Ctrl-C.
pub fn run(args: &BatchArgs, out: &mut dyn Write) -> Result<Verdict, Lineage2Error> {
    let profile = args.rule.profile(&args.source)?;
    let files = args.source.files()?;
    let LoadedRegions { geodata, left_out } = load(&files)?;
    args.source.broken_regions().log(left_out, files.len())?;
    let geodata = args.doors.apply(geodata)?;
    let bar = spinner();
    let counts = match args.binary {
        Some(kind) => {
            let query = kind.query(profile, args.eye, args.height);
            arrays::run(&geodata, &query, &bar, out)
        }
        None => {
            // Zones that are kept know no doors.
            let zones: Arc<dyn ZoneSource> = match args.doors.is_empty() {
                true => Arc::new(KeptZones::new(&args.source.path, &files)),
                false => Arc::new(NoStoredZones),
            };
            let contexts = QueryContexts::new(zones, Some(interrupt_flag()));
            run_lines(&geodata, &contexts, &Defaults { profile }, &bar, out)
        }
    };
    bar.finish_and_clear();
    let Counts {
        n_queries,
        n_failed,
    } = counts?;
    if n_failed == 0 {
        return Ok(Verdict::Done);
    }
    log::warn!("{n_failed} of {n_queries} queries have no result");
    Ok(Verdict::No)
}

fn run_lines(
    geodata: &Geodata,
    contexts: &QueryContexts<'_>,
    defaults: &Defaults,
    bar: &ProgressBar,
    out: &mut dyn Write,
) -> Result<Counts, Lineage2Error> {
    let mut counts = Counts::default();
    let mut n_lines = 0;
    let mut chunks = Chunks::new(chunks::Rows::Lines);
    while let Some(bytes) = chunks.next()? {
        let lines: Vec<&[u8]> = bytes
            .strip_suffix(b"\n")
            .unwrap_or(bytes)
            .split(|byte| *byte == b'\n')
            .collect();
        let done: Vec<(Vec<u8>, Counts)> = (lines.par_chunks(LINES_PER_TASK).enumerate())
            .map(|(index, lines)| {
                let first = n_lines + index * LINES_PER_TASK;
                contexts.with(|context| {
                    let mut results = Vec::new();
                    let mut counts = Counts::default();
                    for (at, line) in lines.iter().enumerate() {
                        let line = line.trim_ascii();
                        if line.is_empty() {
                            continue;
                        }
                        let has_result = run_line(
                            geodata,
                            context,
                            defaults,
                            line,
                            first + at + 1,
                            &mut results,
                        );
                        counts.n_queries += 1;
                        counts.n_failed += usize::from(!has_result);
                    }
                    (results, counts)
                })
            })
            .collect();
        // A path that was canceled has no result.
        check_interrupt()?;
        for (results, part) in done {
            out.write_all(&results)?;
            counts.n_queries += part.n_queries;
            counts.n_failed += part.n_failed;
        }
        out.flush()?;
        n_lines += lines.len();
        bar.set_position(counts.n_queries as u64);
    }
    Ok(counts)
}

/// How many queries are done; a terminal shows it.
fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {human_pos} queries, {per_sec}")
        .expect("the template is well-formed");
    let bar = ProgressBar::new_spinner().with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
