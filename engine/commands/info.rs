//! `ironlands info PATH`: tells what is in a file or level.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use ironlands::assets_loader::inspect::{EntryRow, Report, inspect};

use crate::Verdict;
use crate::error::AppError;
use crate::findings::{sentence, severity_word};

const EXAMPLES: &str = "\
Examples:
  ironlands info DATA/MAPS/Map01/Land.msh
          What is in a terrain: counts, bounds, and its chunks.
  ironlands info Textures.lib
          The entries of an archive with type, size and offset.
  ironlands info DATA/MAPS/Map01
          A level and its files; entries are listed only for a single file.";

/// What `ironlands info` takes.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct InfoArgs {
    /// File, or folder to tell of with everything below it.
    #[arg(value_name = "PATH")]
    path: PathBuf,
}

/// Prints facts, entries and findings.
///
/// # Errors
/// If the path is not there, or nothing at it is of a known format.
pub fn run(args: &InfoArgs, answer: &mut dyn Write) -> Result<Verdict, AppError> {
    let inspection = inspect(&args.path).map_err(AppError::Inspect)?;
    if inspection.reports.is_empty() {
        return Err(AppError::NothingKnown {
            path: args.path.clone(),
        });
    }
    let is_folder = args.path.is_dir();
    for (index, report) in inspection.reports.iter().enumerate() {
        if index > 0 {
            writeln!(answer)?;
        }
        print_report(report, answer)?;
        if !is_folder {
            print_entries(&report.entries, answer)?;
        }
    }
    for skipped in &inspection.skipped {
        log::info!("{}: of no known format", skipped.display());
    }
    Ok(Verdict::Done)
}

fn print_report(report: &Report, answer: &mut dyn Write) -> Result<(), AppError> {
    writeln!(answer, "{}: {}", report.path.display(), report.kind)?;
    let names = report.facts.iter().map(|(name, _)| name.chars().count());
    let width = names.max().unwrap_or(0);
    for (name, value) in &report.facts {
        writeln!(answer, "  {name:width$}  {value}")?;
    }
    for finding in &report.findings {
        let severity = severity_word(finding.severity);
        writeln!(answer, "  {severity}: {}", sentence(finding))?;
    }
    Ok(())
}

fn print_entries(entries: &[EntryRow], answer: &mut dyn Write) -> Result<(), AppError> {
    if entries.is_empty() {
        return Ok(());
    }
    let width = |of: fn(&EntryRow) -> usize, heading: &str| {
        entries.iter().map(of).max().unwrap_or(0).max(heading.len())
    };
    let name_width = width(|entry| entry.name.chars().count(), "name");
    let type_width = width(|entry| entry.type_name.chars().count(), "type");
    writeln!(
        answer,
        "\n  {:name_width$}  {:type_width$}  {:>10}  {:>10}  content",
        "name", "type", "bytes", "offset"
    )?;
    for entry in entries {
        let EntryRow {
            name,
            type_name,
            size,
            offset,
            detail,
        } = entry;
        let line = format!(
            "  {name:name_width$}  {type_name:type_width$}  {size:>10}  {:>10}  {detail}",
            format!("{offset:#x}")
        );
        writeln!(answer, "{}", line.trim_end())?;
    }
    Ok(())
}
