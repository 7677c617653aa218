//! Why a command line is refused, in the user's language.

use std::error::Error as _;
use std::io::{self, Write};

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::words::{Language, language, line, marked, tr, tr_with};

/// What clap writes around a message.
const ERROR: &str = "error: ";
const USAGE: &str = "\n\nUsage: ";
const MORE: &str = "\n\nFor more information, try";

/// Ends the program with what an error says: help on stdout, a refusal on stderr.
pub fn exit(error: Error) -> ! {
    if language() == Language::English || !error.use_stderr() || is_help(&error) {
        error.exit();
    }
    // Without stderr it cannot be said.
    let _ = writeln!(io::stderr(), "{}", refusal(&error));
    std::process::exit(error.exit_code());
}

/// Help for a command line without arguments goes to stderr.
fn is_help(error: &Error) -> bool {
    error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
}

fn refusal(error: &Error) -> String {
    let rendered = error.render().to_string();
    let said = message(error).unwrap_or_else(|| line(own_message(&rendered)));
    let mut text = format!("{}: {said}", tr("error"));
    for (kind, label) in [
        (
            ContextKind::SuggestedSubcommand,
            marked("a similar command exists: {what}"),
        ),
        (
            ContextKind::SuggestedArg,
            marked("a similar option exists: {what}"),
        ),
        (
            ContextKind::SuggestedValue,
            marked("a similar value exists: {what}"),
        ),
    ] {
        if let Some(what) = error.get(kind) {
            let tip = tr_with(label, &[("what", what.to_string().into())]);
            text.push_str(&format!("\n\n  {tip}"));
        }
    }
    if let Some(usage) = error.get(ContextKind::Usage) {
        let usage = usage.to_string();
        let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage);
        text.push_str(&format!("\n\n{} {usage}", tr("Usage:")));
    }
    format!("{text}\n\n{}", tr("For more information, try --help."))
}

/// The message of a rendered error, without what clap writes around it.
fn own_message(rendered: &str) -> &str {
    let text = rendered.strip_prefix(ERROR).unwrap_or(rendered);
    let ends = [USAGE, MORE].into_iter().filter_map(|end| text.find(end));
    let end = ends.min().unwrap_or(text.len());
    text[..end].trim_end()
}

/// What is wrong, by the kind of an error and what it is about; `None` where it has a message of its own.
fn message(error: &Error) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::None) | None => None,
        Some(value) => Some(value.to_string()),
    };
    let option = text(ContextKind::InvalidArg);
    let value = text(ContextKind::InvalidValue);
    let with = |message: &str, values: &[(&str, String)]| {
        let values: Vec<_> = values
            .iter()
            .map(|(name, value)| (*name, value.clone().into()))
            .collect();
        Some(tr_with(message, &values))
    };
    match error.kind() {
        ErrorKind::UnknownArgument => with("unexpected argument {option}", &[("option", option?)]),
        ErrorKind::InvalidSubcommand => {
            let command = text(ContextKind::InvalidSubcommand)?;
            with("there is no command {command}", &[("command", command)])
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = [("options", option?)];
            with("required arguments are missing: {options}", &missing)
        }
        ErrorKind::MissingSubcommand => {
            let command = text(ContextKind::InvalidSubcommand)?;
            with("{command} requires a command", &[("command", command)])
        }
        ErrorKind::ArgumentConflict => {
            let option = option?;
            match text(ContextKind::PriorArg) {
                Some(other) if other != option => {
                    let both = [("option", option), ("other", other)];
                    with("{option} cannot be used with {other}", &both)
                }
                _ => with("{option} cannot be given twice", &[("option", option)]),
            }
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let (option, value) = (option?, value?);
            if value.is_empty() {
                return with("{option} requires a value", &[("option", option)]);
            }
            let both = [("option", option), ("value", value)];
            let mut said = with("invalid value {value} for {option}", &both)?;
            if let Some(source) = error.source() {
                said.push_str(&format!(": {}", line(&source.to_string())));
            }
            if let Some(values) = text(ContextKind::ValidValue) {
                let known = tr_with("possible values: {values}", &[("values", values.into())]);
                said.push_str(&format!("\n  [{known}]"));
            }
            Some(said)
        }
        _ => None,
    }
}
