//! Inspections as JSON, for other programs.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use crate::assets::bytes::Finding;
use crate::assets::inspect::{EntryRow, Fit, Report, Scope};
use crate::console::findings::severity_word;
use crate::console::plain;
use crate::error::AppError;

/// A report with all that it says.
pub fn report(report: &Report) -> Value {
    let Report {
        path,
        scope,
        format,
        facts,
        entries,
        findings,
        fits,
        is_refused,
    } = report;
    // A name may stand for several facts, and their order says something.
    let facts = facts.iter();
    let facts = facts.map(|(name, value)| json!({ "name": name, "value": value }));
    json!({
        "path": text(path),
        "scope": scope_word(*scope),
        "format": format,
        "facts": facts.collect::<Vec<_>>(),
        "entries": entries.iter().map(entry).collect::<Vec<_>>(),
        "findings": findings.iter().map(finding).collect::<Vec<_>>(),
        "fits": fits.iter().map(fit).collect::<Vec<_>>(),
        "is_refused": is_refused,
    })
}

/// A path as text; what is no text in it is replaced.
pub fn text(path: &Path) -> Value {
    path.to_string_lossy().into()
}

/// Prints a value, safe for terminals.
///
/// # Errors
/// If the output cannot be written.
pub fn print(value: &Value, out: &mut dyn Write) -> Result<(), AppError> {
    writeln!(out, "{}", plain::json(&format!("{value:#}")))?;
    Ok(())
}

/// How often a rule holds.
pub fn fit(fit: &Fit) -> Value {
    let Fit {
        rule,
        n_fitting,
        n_all,
    } = fit;
    json!({ "rule": rule, "fitting": n_fitting, "all": n_all })
}

fn entry(entry: &EntryRow) -> Value {
    let EntryRow {
        name,
        type_name,
        size,
        offset,
        detail,
    } = entry;
    json!({ "name": name, "type": type_name, "size": size, "offset": offset, "content": detail })
}

fn finding(finding: &Finding) -> Value {
    let Finding {
        severity,
        format,
        offset,
        message,
    } = finding;
    json!({
        "severity": severity_word(*severity),
        "format": format,
        "offset": offset,
        "message": message,
    })
}

fn scope_word(scope: Scope) -> &'static str {
    match scope {
        Scope::File => "file",
        Scope::Member => "member",
        Scope::Group => "group",
        Scope::Entry => "entry",
        Scope::Unreadable => "unreadable",
    }
}
