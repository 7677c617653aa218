//! `ironlands info PATH`: describes a file or level.

use std::io::Write;
use std::path::PathBuf;

use crate::assets::inspect::{Depth, EntryRow, Inspection, Report, Scope, inspect_to};
use clap::Args;
use serde_json::json;

use super::inspection_json;
use crate::console::findings::{sentence, severity_word};
use crate::console::input_path;
use crate::console::plain;
use crate::error::AppError;
use crate::kind::{Registry, Verdict};

/// Examples of the help that name no world.
pub const EXAMPLES: &str = "\
  ironlands info DATA/MAPS/Map01
          Describe a level and its files; archive entries are listed only for a single file.
  ironlands info DATA/Textures.lib --json | jq '.reports[0].entries[].name'
          The same for other programs: facts, entries and findings as JSON.
";

/// What the help says after them.
pub const NOTES: &str = "\
Exit codes: 0 done, 2 the file could not be read; the reason is in the message.";

/// What `ironlands info` takes.
#[derive(Debug, Args)]
pub struct InfoArgs {
    /// File to describe, or folder to describe with everything below it.
    #[arg(value_name = "PATH", value_parser = input_path())]
    path: PathBuf,

    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

/// Prints facts, entries and findings.
///
/// # Errors
/// If the path is not there, nothing at it is of a known format, or it is a file that cannot be read.
pub fn run(args: &InfoArgs, registry: &Registry, out: &mut dyn Write) -> Result<Verdict, AppError> {
    let mut inspection =
        inspect_to(&args.path, Depth::Facts, registry.formats()).map_err(AppError::Inspect)?;
    if inspection.reports.is_empty() {
        return Err(AppError::nothing_known(&args.path, registry));
    }
    let is_folder = args.path.is_dir();
    if is_folder {
        // There may be thousands.
        let reports = inspection.reports.iter_mut();
        reports.for_each(|report| report.entries.clear());
    }
    match args.json {
        true => print_json(&inspection, registry, out)?,
        false => print_text(&inspection, registry, out)?,
    }
    // A broken file of a folder does not keep the others from being described.
    if !is_folder && inspection.reports.iter().any(|it| it.is_refused) {
        return Err(AppError::Unread {
            path: args.path.clone(),
        });
    }
    Ok(Verdict::Done)
}

fn print_json(
    inspection: &Inspection,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<(), AppError> {
    let mut notes = Vec::new();
    for kind in registry.kinds() {
        kind.describe(&inspection.reports, &mut notes)?;
    }
    let notes = String::from_utf8_lossy(&notes);
    let notes = notes.lines().filter(|line| !line.is_empty());
    let skipped = inspection.skipped.iter();
    let value = json!({
        "reports": inspection.reports.iter().map(inspection_json::report).collect::<Vec<_>>(),
        "unknown": skipped.map(|path| inspection_json::text(path)).collect::<Vec<_>>(),
        "notes": notes.collect::<Vec<_>>(),
    });
    inspection_json::print(&value, out)
}

fn print_text(
    inspection: &Inspection,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<(), AppError> {
    let (members, reports): (Vec<&Report>, Vec<&Report>) =
        (inspection.reports.iter()).partition(|report| report.scope == Scope::Member);
    for (index, report) in reports.into_iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        print_report(report, out)?;
        print_entries(&report.entries, out)?;
    }
    print_table(&members, out)?;
    for kind in registry.kinds() {
        kind.describe(&inspection.reports, out)?;
    }
    for skipped in &inspection.skipped {
        log::info!("{}: of no known format", skipped.display());
    }
    Ok(())
}

fn print_report(report: &Report, out: &mut dyn Write) -> Result<(), AppError> {
    writeln!(out, "{}: {}", plain::path(&report.path), report.format)?;
    let names = report.facts.iter().map(|(name, _)| name.chars().count());
    let width = names.max().unwrap_or(0);
    for (name, value) in &report.facts {
        writeln!(out, "  {name:width$}  {}", plain::line(value))?;
    }
    for finding in &report.findings {
        let severity = severity_word(finding.severity);
        writeln!(out, "  {severity}: {}", sentence(finding))?;
    }
    Ok(())
}

/// One line a file of a group, with what its report has for facts; then its findings.
fn print_table(members: &[&Report], out: &mut dyn Write) -> Result<(), AppError> {
    let Some(widest) = members.iter().max_by_key(|report| report.facts.len()) else {
        return Ok(());
    };
    let name_of = |report: &Report| match report.path.file_name() {
        Some(name) => plain::name(&name.to_string_lossy()).into_owned(),
        None => plain::path(&report.path),
    };
    let mut rows: Vec<Vec<String>> = vec![vec!["file".to_owned()]];
    rows[0].extend(widest.facts.iter().map(|(name, _)| (*name).to_owned()));
    for report in members {
        let mut row = vec![name_of(report)];
        row.extend(widest.facts.iter().map(|(name, _)| {
            let mut known = report.facts.iter();
            let fact = known.find(|(known, _)| known == name);
            fact.map_or_else(
                || "-".to_owned(),
                |(_, value)| plain::name(value).into_owned(),
            )
        }));
        rows.push(row);
    }
    let n_columns = rows[0].len();
    let widths: Vec<usize> = (0..n_columns)
        .map(|at| rows.iter().map(|row| row[at].len()).max().unwrap_or(0))
        .collect();
    writeln!(out)?;
    for row in &rows {
        let cells = row.iter().zip(&widths);
        let cells: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:>width$}"))
            .collect();
        writeln!(out, "  {}", cells.join("  "))?;
    }
    for report in members {
        for finding in &report.findings {
            let severity = severity_word(finding.severity);
            writeln!(
                out,
                "  {}: {severity}: {}",
                name_of(report),
                sentence(finding)
            )?;
        }
    }
    Ok(())
}

fn print_entries(entries: &[EntryRow], out: &mut dyn Write) -> Result<(), AppError> {
    if entries.is_empty() {
        return Ok(());
    }
    let width = |of: fn(&EntryRow) -> &str, heading: &str| {
        let widths = entries
            .iter()
            .map(|entry| plain::name(of(entry)).chars().count());
        widths.max().unwrap_or(0).max(heading.len())
    };
    let name_width = width(|entry| &entry.name, "name");
    let type_width = width(|entry| &entry.type_name, "type");
    writeln!(
        out,
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
        let [name, type_name] = [name, type_name].map(|text| plain::name(text));
        let detail = plain::line(detail);
        let line = format!(
            "  {name:name_width$}  {type_name:type_width$}  {size:>10}  {:>10}  {detail}",
            format!("{offset:#x}")
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
