//! Findings in the program's words.

use ironlands::assets_loader::bytes::{Finding, Severity};

/// `land_map: byte 0x1c: ...`, without the severity.
pub fn sentence(finding: &Finding) -> String {
    let Finding {
        severity: _,
        format,
        offset,
        message,
    } = finding;
    match offset {
        Some(offset) => format!("{format}: byte {offset:#x}: {message}"),
        None => format!("{format}: {message}"),
    }
}

/// The word for a severity.
pub fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}
