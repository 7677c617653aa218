//! Text from files and names, made safe to print: a name cannot end a line, move the cursor or fill the screen.

use std::borrow::Cow;
use std::path::Path;

/// Most characters of a line: the classes of entities of a real map take a thousand.
const MAX_CHARS: usize = 2000;
/// Most characters of a name in a table, whose columns are as wide as the longest: those of the longest paths.
const MAX_NAME_CHARS: usize = 260;

/// Text of a file in one line: control characters and those that turn the direction of text are escaped, as
/// `\u{1b}`.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match is_unsafe(character) {
            true => out.extend(character.escape_default()),
            false => out.push(character),
        }
    }
    Cow::Owned(out)
}

/// As [`plain`], cut where it is longer than a line should be.
pub fn line(text: &str) -> Cow<'_, str> {
    cut(text, MAX_CHARS)
}

/// As [`plain`], cut where it is longer than a column should be.
pub fn name(text: &str) -> Cow<'_, str> {
    cut(text, MAX_NAME_CHARS)
}

/// JSON text with such characters escaped, as `\u009b`: it has them in strings only, beside the ends of its lines.
pub fn json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character != '\n' && is_unsafe(character) {
            true => out.push_str(&format!("\\u{:04x}", u32::from(character))),
            false => out.push(character),
        }
    }
    out
}

/// A path in one line.
pub fn path(path: &Path) -> String {
    plain(&path.display().to_string()).into_owned()
}

fn cut(text: &str, max_chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max_chars) {
        None => plain(text),
        Some((end, _)) => Cow::Owned(format!("{}...", plain(&text[..end]))),
    }
}

fn is_unsafe(character: char) -> bool {
    let turns_text = matches!(character, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || turns_text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_line() {
        for (name, printed) in [
            ("a\nb.txt: error: forged", "a\\nb.txt: error: forged"),
            ("\u{1b}[2Jgone\r", "\\u{1b}[2Jgone\\r"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("txt.\u{202e}exe", "txt.\\u{202e}exe"),
            ("Земля \"и\" \\ вода", "Земля \"и\" \\ вода"),
        ] {
            assert_eq!(plain(name), printed);
        }
    }

    #[test]
    fn json_keeps_its_lines_and_its_meaning() {
        let text = "{\n  \"a\u{9b}\": \"\u{202e}Земля\"\n}";
        let printed = "{\n  \"a\\u009b\": \"\\u202eЗемля\"\n}";
        assert_eq!(json(text), printed);
    }

    #[test]
    fn long_values_are_cut_between_characters() {
        let long = "я".repeat(MAX_CHARS + 1);
        assert_eq!(line(&long), format!("{}...", "я".repeat(MAX_CHARS)));
        assert_eq!(line(&long[2..]), long[2..]);
        assert_eq!(name(&long).chars().count(), MAX_NAME_CHARS + 3);
    }
}
