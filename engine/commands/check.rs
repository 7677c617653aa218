//! `ironlands check PATH...`: validates files and levels.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::assets::bytes::Severity;
use crate::assets::inspect::{Fit, Inspection, Scope, inspect};
use clap::Args;
use serde_json::{Value, json};

use super::inspection_json;
use crate::console::findings::{sentence, severity_word};
use crate::console::input_path;
use crate::console::plain;
use crate::error::AppError;
use crate::kind::{Registry, Verdict};

/// Examples of the help that name no world.
pub const EXAMPLES: &str = "\
  ironlands check DATA
          Validate every known file below DATA, and the references between the files of each level.
  ironlands check --strict DATA | grep -v note
          Treat warnings as errors, and hide notes.
  ironlands check --report \"/games/My Game\" > report.txt
          Print figures without any content of the game.
  ironlands check DATA --json | jq '.totals'
          Print findings and totals as JSON, for other programs.
";

/// What the help says after them.
pub const NOTES: &str = "\
Each finding is one line: path, severity, format, byte offset, description. An error violates a rule that the original
game relies on; a warning violates a recommendation, but the file works; a note is informational.

Files of unknown formats are listed last, as not checked.

Lines that begin with \"fits\" or \"does not fit\" are rules that no document states, with how often they hold.

If there are many findings of one kind, one line summarizes them; the totals count lines.

Exit codes: 0 no errors, 1 errors found, 2 a path could not be checked; the others are still checked.";

/// What `ironlands check` takes.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Files, archive entries, or folders to validate with everything below them.
    #[arg(value_name = "PATH", required = true, value_parser = input_path())]
    paths: Vec<PathBuf>,

    /// Treat warnings as errors.
    #[arg(long)]
    strict: bool,

    /// Print JSON instead of text, when all is checked.
    #[arg(long)]
    json: bool,

    /// Print figures alone, of each format and of what is believed of all files of a game: no name or content of a file
    /// is in them, so that they can be sent to others.
    #[arg(long, conflicts_with = "json")]
    report: bool,
}

/// Prints every finding, then how many there are. A path that cannot be checked is reported, and the others are
/// checked all the same.
///
/// # Errors
/// If a path is not there, or nothing at it is of a known format; for several of them when all are done.
pub fn run(
    args: &CheckArgs,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Verdict, AppError> {
    let mut total = Total::default();
    let mut n_unchecked = 0;
    let mut json = JsonLists::default();
    for path in &args.paths {
        match inspect_known(path, registry) {
            Ok(inspection) => {
                if args.json {
                    json.add(&inspection);
                } else if !args.report {
                    print_findings(&inspection, out)?;
                    print_skipped(&inspection, out)?;
                }
                total.add(&inspection);
            }
            // The only path's error ends the command, which prints it.
            Err(error) if args.paths.len() == 1 => return Err(error),
            Err(error) => {
                error.print();
                n_unchecked += 1;
            }
        }
    }
    match args.json {
        true => json.print(&total, out)?,
        false => {
            if args.report {
                total.print_formats(out)?;
            }
            total.print_fits(out)?;
            total.print(out)?;
        }
    }
    if n_unchecked > 0 {
        return Err(AppError::Unchecked {
            n_unchecked,
            n_paths: args.paths.len(),
        });
    }
    let is_faulty = total.n_errors > 0 || args.strict && total.n_warnings > 0;
    Ok(if is_faulty {
        Verdict::No
    } else {
        Verdict::Done
    })
}

fn inspect_known(path: &Path, registry: &Registry) -> Result<Inspection, AppError> {
    let inspection = inspect(path, registry.formats()).map_err(AppError::Inspect)?;
    if inspection.reports.is_empty() {
        return Err(AppError::nothing_known(path, registry));
    }
    match &inspection.reports[..] {
        [report] if report.scope == Scope::Unreadable => {
            let reasons = report.findings.iter().map(|finding| &*finding.message);
            Err(AppError::NotToBeRead {
                reason: reasons.collect(),
            })
        }
        _ => Ok(inspection),
    }
}

fn print_findings(inspection: &Inspection, out: &mut dyn Write) -> Result<(), AppError> {
    for report in &inspection.reports {
        log::info!("{}: {}", report.path.display(), report.format);
        let path = plain::path(&report.path);
        for finding in &report.findings {
            writeln!(
                out,
                "{path}: {}: {}",
                severity_word(finding.severity),
                sentence(finding),
            )?;
        }
    }
    Ok(())
}

/// Names what was not checked, so that it is not mistaken for valid.
fn print_skipped(inspection: &Inspection, out: &mut dyn Write) -> Result<(), AppError> {
    for path in &inspection.skipped {
        let path = plain::path(path);
        writeln!(out, "{path}: not checked: of no known format")?;
    }
    Ok(())
}

/// What is printed as JSON, of all paths.
#[derive(Debug, Default)]
struct JsonLists {
    reports: Vec<Value>,
    unknown: Vec<Value>,
}

impl JsonLists {
    fn add(&mut self, inspection: &Inspection) {
        let reports = inspection.reports.iter();
        self.reports.extend(reports.map(inspection_json::report));
        let skipped = inspection.skipped.iter();
        self.unknown
            .extend(skipped.map(|path| inspection_json::text(path)));
    }

    fn print(self, total: &Total, out: &mut dyn Write) -> Result<(), AppError> {
        let Self { reports, unknown } = self;
        let value = json!({ "reports": reports, "unknown": unknown, "totals": total.json() });
        inspection_json::print(&value, out)
    }
}

/// Counts over all paths.
#[derive(Debug, Default)]
struct Total {
    n_files: usize,
    n_levels: usize,
    n_skipped: usize,
    n_errors: usize,
    n_warnings: usize,
    n_notes: usize,
    /// Files by format.
    by_format: BTreeMap<&'static str, usize>,
    /// Findings by format, and whether they are notes, warnings or errors.
    by_severity: BTreeMap<(&'static str, Severity), usize>,
    /// Rules in the order in which they came up.
    fits: Vec<Fit>,
}

impl Total {
    fn add(&mut self, inspection: &Inspection) {
        let reports = &inspection.reports;
        for report in reports {
            *self.by_format.entry(report.format).or_default() += 1;
            for finding in &report.findings {
                let kind = (finding.format, finding.severity);
                *self.by_severity.entry(kind).or_default() += 1;
            }
            for fit in &report.fits {
                match self.fits.iter_mut().find(|known| known.rule == fit.rule) {
                    Some(known) => {
                        known.n_fitting += fit.n_fitting;
                        known.n_all += fit.n_all;
                    }
                    None => self.fits.push(*fit),
                }
            }
        }
        let n_levels = reports
            .iter()
            .filter(|report| report.scope == Scope::Group)
            .count();
        self.n_levels += n_levels;
        self.n_files += reports.len() - n_levels;
        self.n_skipped += inspection.skipped.len();
        self.n_errors += inspection.count(Severity::Error);
        self.n_warnings += inspection.count(Severity::Warning);
        self.n_notes += inspection.count(Severity::Note);
    }

    fn json(&self) -> Value {
        let Self {
            n_files,
            n_levels,
            n_skipped,
            n_errors,
            n_warnings,
            n_notes,
            ..
        } = self;
        json!({
            "files": n_files,
            "levels": n_levels,
            "unknown": n_skipped,
            "errors": n_errors,
            "warnings": n_warnings,
            "notes": n_notes,
            "fits": self.fits.iter().map(inspection_json::fit).collect::<Vec<_>>(),
        })
    }

    /// Who reports, how many files of each format there are, and how many findings.
    fn print_formats(&self, out: &mut dyn Write) -> Result<(), AppError> {
        writeln!(out, "ironlands {}", env!("CARGO_PKG_VERSION"))?;
        for (format, n_files) in &self.by_format {
            writeln!(out, "files of {format}: {n_files}")?;
        }
        for ((format, severity), n_findings) in &self.by_severity {
            writeln!(
                out,
                "{} of {format}: {n_findings}",
                severity_word(*severity)
            )?;
        }
        Ok(())
    }

    fn print_fits(&self, out: &mut dyn Write) -> Result<(), AppError> {
        for fit in &self.fits {
            writeln!(out, "{fit}")?;
        }
        Ok(())
    }

    fn print(&self, out: &mut dyn Write) -> Result<(), AppError> {
        let Self {
            n_files,
            n_levels,
            n_skipped,
            n_errors,
            n_warnings,
            n_notes,
            ..
        } = self;
        write!(
            out,
            "files {n_files}, levels {n_levels}: errors {n_errors}, warnings {n_warnings}, notes {n_notes}"
        )?;
        match n_skipped {
            0 => writeln!(out)?,
            _ => writeln!(out, "; of no known format {n_skipped}")?,
        }
        Ok(())
    }
}
