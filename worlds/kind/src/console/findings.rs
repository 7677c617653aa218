//! Findings in the program's words.

use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::report::MISSING_FILES;

use super::plain;

/// What to do about missing files.
const ASSETS_HINT: &str = "; name folders of the game with --assets, list the files with -v";

/// `land_map: byte 0x1c: ...`, without the severity; in one line, whatever the file holds.
pub fn sentence(finding: &Finding) -> String {
    plain::line(&whole_sentence(finding)).into_owned()
}

fn whole_sentence(finding: &Finding) -> String {
    let Finding {
        severity: _,
        format,
        offset,
        message,
    } = finding;
    // The message of a refused file is the reader's, which begins with both already.
    if message
        .strip_prefix(format)
        .is_some_and(|rest| rest.starts_with([':', ' ']))
    {
        return message.clone();
    }
    match offset {
        Some(offset) => format!("{format}: byte {offset:#x}: {message}"),
        None => format!("{format}: {message}"),
    }
}

/// Logs findings: notes at the info level, the rest as warnings.
pub fn log_findings(findings: &[Finding]) {
    for finding in findings {
        match finding.severity {
            Severity::Note => log::info!("{}", sentence(finding)),
            Severity::Warning | Severity::Error => {
                log::warn!("{}{}", sentence(finding), hint(finding));
            }
        }
    }
}

/// What can be done about a finding, if anything.
fn hint(finding: &Finding) -> &'static str {
    let is_missing = finding.format == MISSING_FILES;
    if is_missing { ASSETS_HINT } else { "" }
}

/// The word for a severity.
pub fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_names_format_and_place_once() {
        let finding = Finding::new(Severity::Note, "nres", "an unused byte");
        assert_eq!(sentence(&finding), "nres: an unused byte");
        assert_eq!(sentence(&finding.at(28)), "nres: byte 0x1c: an unused byte");
        let refusal = "nres: byte 0x0, magic: needs 4 bytes, 0 are left";
        let finding = Finding::new(Severity::Error, "nres", refusal).at(0);
        assert_eq!(sentence(&finding), refusal);
        let forged = Finding::new(Severity::Note, "res", "entry \"a\nb: error: \u{1b}[2J\"");
        let printed = "res: entry \"a\\nb: error: \\u{1b}[2J\"";
        assert_eq!(sentence(&forged), printed);
    }
}
