//! The help in the user's language: a walk over the built command line, which replaces each text by its translation.
//!
//! What clap writes itself cannot be translated: headings, the default and the possible values of an option, and the
//! word before the usage. So they are hidden and written here.

use std::fmt::Write;

use clap::builder::{PossibleValue, StyledStr};
use clap::{Arg, Command};

use crate::words::{Language, line_in, marked, tr_in};

/// Words of a usage that stand for what can be typed.
const USAGE_WORDS: [&str; 2] = [marked("OPTIONS"), marked("COMMAND")];
/// What clap writes before a usage.
const USAGE: &str = "Usage: ";
/// Longest line of a text that is broken into lines by hand.
const WIDTH: usize = 100;
/// Between a word of a list and what is said of it.
const COLUMN_GAP: &str = "  ";

/// A command line whose help is in a language.
pub fn localized(mut command: Command, language: Language) -> Command {
    if language == Language::English {
        return command;
    }
    // Adds the texts of clap.
    command.build();
    translate(command, language)
}

fn translate(command: Command, language: Language) -> Command {
    let mut command = command
        .mut_args(|arg| translate_arg(arg, language))
        .mut_subcommands(|command| translate(command, language));
    let styles = command.get_styles();
    let (style, heading) = (*styles.get_usage(), own(language, "Usage:"));
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{style}{heading}{style:#} {{usage}}\n\n{{all-args}}{{after-help}}"
    );
    let usage = usage_in(language, &command.render_usage().to_string());
    command = command
        .override_usage(usage)
        .help_template(template)
        .subcommand_help_heading(own(language, "Commands"));
    let block = |text: &StyledStr| block_in(language, &text.to_string(), WIDTH);
    if let Some(text) = command.get_about().map(block) {
        command = command.about(text);
    }
    if let Some(text) = command.get_long_about().map(block) {
        command = command.long_about(text);
    }
    if let Some(text) = command.get_after_help().map(block) {
        command = command.after_help(text);
    }
    match command.get_after_long_help().map(block) {
        Some(text) => command.after_long_help(text),
        None => command,
    }
}

fn translate_arg(arg: Arg, language: Language) -> Arg {
    let heading = match arg.get_help_heading() {
        Some(heading) => heading,
        None if arg.is_positional() => marked("Arguments"),
        None => marked("Options"),
    };
    let heading = own(language, heading);
    let [short, long] = [false, true].map(|is_long| help_of(&arg, language, is_long));
    arg.help_heading(heading)
        .help(short)
        .long_help(long)
        .hide_default_value(true)
        .hide_possible_values(true)
}

/// What the help says of an option, with its default and possible values.
fn help_of(arg: &Arg, language: Language, is_long: bool) -> String {
    let text = match is_long {
        true => arg.get_long_help().or_else(|| arg.get_help()),
        false => arg.get_help().or_else(|| arg.get_long_help()),
    };
    let mut help = text.map_or_else(String::new, |text| {
        block_in(language, &text.to_string(), usize::MAX)
    });
    let values = match arg.is_hide_possible_values_set() || !arg.get_action().takes_values() {
        true => Vec::new(),
        false => arg.get_possible_values(),
    };
    let shown: Vec<_> = values.iter().filter(|value| !value.is_hide_set()).collect();
    let described = shown.iter().any(|value| value.get_help().is_some());
    let label = own(language, "Possible values:");
    let mut notes = Vec::new();
    if described && is_long {
        let _ = write!(help, "\n\n{label}");
        for value in &shown {
            help.push_str(&line_of_value(value, language));
        }
    } else if !shown.is_empty() {
        let names: Vec<_> = shown.iter().map(|value| value.get_name()).collect();
        notes.push(format!("[{} {}]", label.to_lowercase(), names.join(", ")));
    }
    let defaults = arg.get_default_values();
    if arg.get_action().takes_values() && !arg.is_hide_default_value_set() && !defaults.is_empty() {
        let defaults: Vec<_> = defaults.iter().map(|it| it.to_string_lossy()).collect();
        let label = own(language, "default:");
        notes.insert(0, format!("[{label} {}]", defaults.join(" ")));
    }
    for note in notes {
        help.push_str(if is_long { "\n\n" } else { " " });
        help.push_str(&note);
    }
    help
}

fn line_of_value(value: &PossibleValue, language: Language) -> String {
    let name = value.get_name();
    match value.get_help() {
        Some(text) => format!("\n- {name}: {}", own(language, &text.to_string())),
        None => format!("\n- {name}"),
    }
}

/// A usage without its heading, its lines below each other.
fn usage_in(language: Language, usage: &str) -> String {
    let heading = own(language, "Usage:");
    let indent = " ".repeat(heading.chars().count() + 1);
    let text = usage.strip_prefix(USAGE).unwrap_or(usage);
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    let mut text = lines.join(&format!("\n{indent}"));
    for word in USAGE_WORDS {
        text = text.replace(word, &own(language, word).to_uppercase());
    }
    text
}

/// A text of several lines in a language, whose lines are no longer than `width`.
fn block_in(language: Language, text: &str, width: usize) -> String {
    let parts = parts_of(text).into_iter().map(|part| match part {
        Part::Verbatim(line) => line.to_owned(),
        Part::Words { before, text } => wrapped(before, &own(language, &text), width),
    });
    parts.collect::<Vec<_>>().join("\n")
}

/// A part of a help text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part<'a> {
    /// A line that is the same in all languages: a command to type, or an empty one.
    Verbatim(&'a str),
    /// One or more sentences, over as many lines as it takes, behind an indentation or the word that they explain.
    Words { before: &'a str, text: String },
}

/// The parts of a help text.
pub fn parts_of(text: &str) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    // The indentation of words that the next line may continue.
    let mut open = None;
    for line in text.split('\n') {
        let words = line.trim_start();
        let indent = line.len() - words.len();
        if words.is_empty() || (indent > 0 && is_typed(words)) {
            parts.push(Part::Verbatim(line));
            open = None;
            continue;
        }
        let column = words.split_once(COLUMN_GAP).filter(|_| indent > 0);
        let behind = column.map_or(words, |(_, behind)| behind.trim_start());
        if column.is_none()
            && open == Some(indent)
            && let Some(Part::Words { text, .. }) = parts.last_mut()
        {
            text.push(' ');
            text.push_str(words);
        } else {
            parts.push(Part::Words {
                before: &line[..line.len() - behind.len()],
                text: behind.to_owned(),
            });
        }
        let is_whole = column.is_some() || words.ends_with(['.', ':']);
        open = (!is_whole).then_some(indent);
    }
    parts
}

/// Whether a line is to be typed: a command, or JSON.
fn is_typed(line: &str) -> bool {
    line.starts_with("ironlands ") || line.starts_with('{') || line.contains("| ironlands ")
}

/// Words in lines of at most a width, each as far in as the first.
fn wrapped(before: &str, text: &str, width: usize) -> String {
    let indent = before.chars().count();
    let mut lines = before.to_owned();
    let mut taken = indent;
    for (index, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if index > 0 && taken + 1 + length > width {
            let _ = write!(lines, "\n{:indent$}", "");
            taken = indent;
        } else if index > 0 {
            lines.push(' ');
            taken += 1;
        }
        lines.push_str(word);
        taken += length;
    }
    lines
}

/// A text in a language, or as it is where that lacks it; with a full stop only where the text has one.
fn own(language: Language, text: &str) -> String {
    let found = tr_in(language, text).or_else(|| line_in(language, text));
    match found {
        None => text.to_owned(),
        Some(found) if text.ends_with('.') => found,
        Some(found) => found.trim_end_matches('.').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_is_cut_into_commands_and_sentences() {
        let text = "Examples:\n  ironlands demo\n          Build it in\n          a folder.\n\n  0  done\n  1  no\nOne\nsentence.\nTwo.";
        let words = |before, text: &str| Part::Words {
            before,
            text: text.to_owned(),
        };
        let expected = [
            words("", "Examples:"),
            Part::Verbatim("  ironlands demo"),
            words("          ", "Build it in a folder."),
            Part::Verbatim(""),
            words("  0  ", "done"),
            words("  1  ", "no"),
            words("", "One sentence."),
            words("", "Two."),
        ];
        assert_eq!(parts_of(text), expected);
        assert_eq!(wrapped("  a  ", "bb cc dd", 9), "  a  bb\n     cc\n     dd");
        assert_eq!(wrapped("", "раз два три", 7), "раз два\nтри");
    }

    /// Every text of the help, but for what worlds are called.
    fn texts(command: &Command, found: &mut Vec<String>) {
        let mut add = |text: Option<&StyledStr>| {
            let text = text.map(ToString::to_string).unwrap_or_default();
            let parts = parts_of(&text).into_iter();
            found.extend(parts.filter_map(|part| match part {
                Part::Words { text, .. } => Some(text),
                Part::Verbatim(_) => None,
            }));
        };
        add(command.get_about());
        add(command.get_long_about());
        add(command.get_after_help());
        add(command.get_after_long_help());
        for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
            add(arg.get_help());
            add(arg.get_long_help());
            let values = arg.get_possible_values();
            for value in values.iter().filter(|_| arg.get_action().takes_values()) {
                add(value.get_help());
            }
            let heading = arg.get_help_heading();
            add(heading.map(|it| StyledStr::from(it.to_owned())).as_ref());
        }
        for subcommand in command.get_subcommands() {
            texts(subcommand, found);
        }
    }

    #[test]
    fn every_text_of_the_help_is_translated_and_no_translation_is_left_over() {
        let mut command = super::super::command(&crate::worlds::registry());
        command.build();
        let mut found = Vec::new();
        texts(&command, &mut found);
        found.sort();
        found.dedup();
        assert!(found.len() > 300, "{}", found.len());
        let is_missing = |text: &&String| {
            tr_in(Language::Russian, text).is_none() && line_in(Language::Russian, text).is_none()
        };
        let missing: Vec<_> = found.iter().filter(is_missing).collect();
        assert!(missing.is_empty(), "without a translation: {missing:#?}");
        let unused = crate::words::unused_help(&found);
        assert!(unused.is_empty(), "without a text: {unused:#?}");
    }

    #[test]
    fn translated_help_has_no_english_of_clap_and_parses_the_same() {
        let command = || {
            localized(
                super::super::command(&crate::worlds::registry()),
                Language::Russian,
            )
        };
        let help = command().render_long_help().to_string();
        for word in [
            "Usage:",
            "Options:",
            "Commands:",
            "[default:",
            "Possible values",
            "Print help",
        ] {
            assert!(!help.contains(word), "{word} is in\n{help}");
        }
        for word in [
            "Использование: ironlands",
            "Команды:",
            "Параметры:",
            "[по умолчанию: 1280x720]",
        ] {
            assert!(help.contains(word), "{word} is not in\n{help}");
        }
        command().debug_assert();
        let line = [
            "ironlands",
            "render",
            "x",
            "--to",
            "x.png",
            "--size",
            "64x36",
        ];
        let matches = command().try_get_matches_from(line).unwrap();
        let (name, matches) = matches.subcommand().unwrap();
        let size = matches.get_one::<crate::cli::Size>("size").copied();
        assert_eq!((name, size), ("render", Some(crate::cli::Size([64, 36]))));
    }
}
