//! The language of help and messages, which is known before the command line is read.

use std::ffi::OsString;

use clap::Command;
use clap::builder::PossibleValuesParser;

use super::declared::command;
use super::localized::localized;
use crate::kind::Registry;
use crate::words::{Language, language, requested_language};

/// The option for it.
const OPTION: &str = "--language";

/// The language that a command line requests, the last of several, and its other arguments. Options that are no such
/// request are among these.
pub fn take_language(
    args: impl IntoIterator<Item = OsString>,
) -> (Option<Language>, Vec<OsString>) {
    let (mut requested, mut others) = (None, Vec::new());
    let mut args = args.into_iter().peekable();
    while let Some(arg) = args.next() {
        if arg == "--" {
            others.push(arg);
            others.extend(args);
            break;
        }
        let text = arg.to_str().unwrap_or_default();
        let code = match text.strip_prefix(OPTION) {
            Some("") => args.peek().and_then(|code| code.to_str()),
            Some(code) => code.strip_prefix('='),
            None => None,
        };
        match code.and_then(Language::from_code) {
            Some(language) => {
                requested = Some(language);
                if text == OPTION {
                    args.next();
                }
            }
            None => others.push(arg),
        }
    }
    (requested, others)
}

/// The languages that can be requested.
pub fn language_codes() -> PossibleValuesParser {
    PossibleValuesParser::new(Language::ALL.map(Language::code))
}

/// The command line in the language of the moment.
pub fn spoken(registry: &Registry) -> Command {
    localized(command(registry), language())
}

/// The command line for documents: in English, unless a language was requested.
pub fn documented(registry: &Registry) -> Command {
    let language = requested_language().unwrap_or(Language::English);
    localized(command(registry), language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_requested_language_is_taken_out_of_the_command_line() {
        let taken = |line: &str| {
            let args = line.split_whitespace().map(OsString::from);
            let (language, others) = take_language(args);
            let others: Vec<_> = others.iter().filter_map(|it| it.to_str()).collect();
            (language, others.join(" "))
        };
        let russian = Some(Language::Russian);
        for (line, language, others) in [
            ("--language ru", russian, ""),
            ("-v --language=ru check x", russian, "-v check x"),
            ("--language en --language ru", russian, ""),
            ("--help", None, "--help"),
            ("--language", None, "--language"),
            ("--language klingon", None, "--language klingon"),
            ("--languages=ru", None, "--languages=ru"),
            ("view -- --language ru", None, "view -- --language ru"),
        ] {
            assert_eq!(taken(line), (language, others.to_owned()), "{line}");
        }
    }
}
