//! `ironlands convert PATH --format FORMAT --to DIR`: regions of geodata in another format.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use ironlands_assets_lineage2::convert::{ConvertOptions, Loss, LossKind, convert};
use ironlands_assets_lineage2::{FlatRule, GeodataFormat, RegionFileName, RegionPath, Tolerance};
use ironlands_world_kind::console::output::{OutputError, write_file};
use rayon::prelude::*;

use super::map::existing;
use super::source::{SourceArgs, format_parser};
use crate::Lineage2Error;
use ironlands_world_kind::Verdict;
use ironlands_world_kind::console::interrupt::{check_interrupt, watch_for_interrupt};
use ironlands_world_kind::console::output::make_folder_of;
use ironlands_world_kind::console::plain;
use ironlands_world_kind::console::{print_error, progress};

const EXAMPLES: &str = "\
Examples:
  ironlands convert geodata --format l2j --to l2j
          Convert all regions of a folder to the format of community servers.
  ironlands convert 17_25_conv.dat --format l2d --to out
          Convert one region and compute its diagonals.
  ironlands convert geodata --from conv.dat --format l2j --flat min --to out
          Convert only the original server's files of a folder; flat blocks keep the lower of their two heights.

Formats:
  conv.dat  original server; flat blocks have two heights
  l2j       community servers; flat blocks have one height
  l2d, rp   with diagonals; heights need not be multiples of 8
  l2g       l2j, encrypted with a key
  l2m       l2j with an offset table; at most 31 layers per cell
  path.txt  text, one line per cell

Information that the target format cannot hold is reported on stderr with counts, and with totals for several regions;
everything else is preserved. A region that cannot be converted is reported and the others are still converted; with
--strict the command stops there. If an output file exists, nothing is written without --force. Ctrl-C stops after the
files that are being written.

Exit codes: 0 done, 2 a region could not be converted.";

/// What `ironlands convert` takes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ConvertArgs {
    #[command(flatten)]
    source: SourceArgs,

    /// Output format.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), ignore_case = true)]
    format: GeodataFormat,

    /// Output folder; created if it does not exist.
    #[arg(long, value_name = "DIR", short_alias = 'o', alias = "output")]
    to: PathBuf,

    /// Height to keep of a flat block with two, if the target format holds only one.
    #[arg(long, value_enum, default_value = "max")]
    flat: FlatArg,

    /// Store blocks as flat where the original tools did: one layer per cell, no closed side, and all heights within 32
    /// points.
    #[arg(long)]
    flatten: bool,

    /// Overwrite existing files.
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FlatArg {
    /// The upper height, which the original server returns.
    Max,
    /// The lower height.
    Min,
    /// The average, rounded down to a multiple of 8.
    Avg,
}

/// What became of a region.
enum Outcome {
    /// Written, with its size and what it lost.
    Written(usize, Vec<Loss>),
    /// Not begun: Ctrl-C was pressed, or another failed and none may.
    Stopped,
}

/// Writes all regions on all threads, and returns how many.
///
/// # Errors
/// If there are no regions, files are in the way, or regions cannot be converted.
pub fn run(args: &ConvertArgs, out: &mut dyn Write) -> Result<Verdict, Lineage2Error> {
    watch_for_interrupt();
    let files = args.source.files()?;
    let jobs: Vec<(RegionPath, PathBuf)> = (files.into_iter())
        .map(|file| {
            let name = RegionFileName {
                format: args.format,
                ..file.name.clone()
            };
            let target = args.to.join(name.to_string());
            (file, target)
        })
        .collect();
    args.refuse_what_is_there(&jobs)?;
    args.refuse_what_is_no_folder()?;
    let bar = progress::bar(jobs.len());
    let is_over = AtomicBool::new(false);
    let outcomes: Vec<Result<Outcome, Lineage2Error>> = (jobs.par_iter())
        .with_max_len(1)
        .map(|(file, target)| {
            if is_over.load(Ordering::Relaxed) {
                return Ok(Outcome::Stopped);
            }
            let outcome = args.convert_one(file, target, &bar);
            if outcome.is_err() && args.source.strict {
                is_over.store(true, Ordering::Relaxed);
            }
            outcome
        })
        .collect();
    bar.finish_and_clear();
    args.report(&jobs, outcomes, out)
}

impl ConvertArgs {
    fn convert_one(
        &self,
        file: &RegionPath,
        target: &Path,
        bar: &ProgressBar,
    ) -> Result<Outcome, Lineage2Error> {
        if check_interrupt().is_err() {
            return Ok(Outcome::Stopped);
        }
        let region = file
            .open(Tolerance::STRICT)
            .map_err(Lineage2Error::Geodata)?;
        let failed = |source| Lineage2Error::ConvertRegion {
            path: file.path.clone(),
            source: Box::new(source),
        };
        let converted = convert(&region, self.format, &self.options()).map_err(failed)?;
        let bytes = converted.file.write().map_err(failed)?;
        // Not before there is something to put into it.
        make_folder_of(target)?;
        write_file(target, existing(self.force), &bytes)?;
        bar.inc(1);
        Ok(Outcome::Written(bytes.len(), converted.losses))
    }

    fn options(&self) -> ConvertOptions {
        ConvertOptions {
            flat_rule: match self.flat {
                FlatArg::Max => FlatRule::Max,
                FlatArg::Min => FlatRule::Min,
                FlatArg::Avg => FlatRule::Average,
            },
            flatten: self.flatten,
            ..ConvertOptions::default()
        }
    }

    /// Before anything is written: half of a set among the user's own files is worse than none.
    fn refuse_what_is_there(&self, jobs: &[(RegionPath, PathBuf)]) -> Result<(), Lineage2Error> {
        let there = jobs
            .iter()
            .find(|(_, target)| target.symlink_metadata().is_ok());
        match there {
            Some((_, path)) if !self.force => {
                Err(OutputError::Exists { path: path.clone() }.into())
            }
            _ => Ok(()),
        }
    }

    /// Before anything is converted: it could not be written.
    fn refuse_what_is_no_folder(&self) -> Result<(), Lineage2Error> {
        if self.to.exists() && !self.to.is_dir() {
            return Err(OutputError::MakeFolder {
                folder: self.to.clone(),
                error: ErrorKind::NotADirectory.into(),
            }
            .into());
        }
        Ok(())
    }

    /// What was lost and what failed, region after region, then how much was written.
    fn report(
        &self,
        jobs: &[(RegionPath, PathBuf)],
        outcomes: Vec<Result<Outcome, Lineage2Error>>,
        out: &mut dyn Write,
    ) -> Result<Verdict, Lineage2Error> {
        let (mut n_written, mut n_bytes, mut n_stopped) = (0, 0, 0);
        let mut first_error = None;
        let mut total = BTreeMap::<LossKind, u64>::new();
        for ((file, _), outcome) in jobs.iter().zip(outcomes) {
            match outcome {
                Ok(Outcome::Written(size, losses)) => {
                    n_written += 1;
                    n_bytes += size;
                    for loss in losses {
                        log::warn!("{}: lost: {loss}", file.path.display());
                        *total.entry(loss.kind).or_default() += loss.count;
                    }
                }
                Ok(Outcome::Stopped) => n_stopped += 1,
                // The only region's error ends the command, which prints it.
                Err(error) if jobs.len() == 1 => return Err(error),
                Err(error) => {
                    print_error(&error);
                    first_error = Some(error);
                }
            }
        }
        if jobs.len() > 1 {
            for (kind, count) in total {
                log::warn!("in all: lost: {}", Loss { kind, count });
            }
        }
        let folder = self.to.clone();
        let n_files = jobs.len();
        if n_stopped > 0 && first_error.is_none() {
            return Err(Lineage2Error::StoppedConverting {
                folder,
                n_written,
                n_files,
            });
        }
        if first_error.is_some() {
            return Err(Lineage2Error::Unconverted {
                folder,
                n_written,
                n_files,
            });
        }
        writeln!(
            out,
            "{}: {n_written} files, {n_bytes} bytes",
            plain::path(&folder)
        )?;
        Ok(Verdict::Done)
    }
}
