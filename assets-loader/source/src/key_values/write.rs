//! Entries to text.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

use super::read::Parser;
use super::{Encoding, Entry, FORMAT, KeyValues, Layout, MAX_DEPTH, Problem, Tolerance, Value};
use ironlands_assets_core::bytes::{FormatError, Writer};

/// Writes in the layout that was read, or where edits do not fit into that, in a layout of our own.
pub(super) fn write(text: &KeyValues) -> Result<Vec<u8>, FormatError> {
    for keeps_layout in [true, false] {
        let bytes = print(text, keeps_layout)?;
        let back = Parser::new(FORMAT, &bytes, Tolerance::all()).text();
        if back.is_ok_and(|back| back == *text) {
            return Ok(bytes);
        }
    }
    let expected = "keys, values and conditions that read back as they are";
    Err(refused("text", expected, "others"))
}

fn print(text: &KeyValues, keeps_layout: bool) -> Result<Vec<u8>, FormatError> {
    let KeyValues {
        entries,
        tail,
        encoding,
    } = text;
    let mut printer = Printer {
        out: String::new(),
        keeps_layout,
    };
    printer.entries(entries, 0)?;
    let is_last_new = entries.last().is_some_and(|entry| entry.layout.is_none());
    match keeps_layout {
        true if tail.is_empty() && is_last_new => printer.out.push('\n'),
        true => printer.out.push_str(tail),
        false => printer.out.push('\n'),
    }
    match encoding {
        Encoding::Utf8 => Ok(printer.out.into_bytes()),
        Encoding::Windows1252 => match WINDOWS_1252.encode(&printer.out) {
            (bytes, _, false) => Ok(bytes.into_owned()),
            (_, _, true) => Err(refused("text", "characters of Windows-1252", "others")),
        },
    }
}

struct Printer {
    out: String,
    keeps_layout: bool,
}

impl Printer {
    fn entries(&mut self, entries: &[Entry], depth: usize) -> Result<(), FormatError> {
        if depth > MAX_DEPTH {
            let expected = format!("blocks at most {MAX_DEPTH} deep");
            return Err(refused("block", expected, "one more"));
        }
        entries.iter().try_for_each(|entry| match &entry.layout {
            Some(layout) if self.keeps_layout => self.kept(entry, layout, depth),
            _ => self.new_entry(entry, depth),
        })
    }

    /// An entry in the layout that it was read in.
    fn kept(&mut self, entry: &Entry, layout: &Layout, depth: usize) -> Result<(), FormatError> {
        self.out.push_str(&layout.before_key);
        let is_key_open = layout.problem == Some(Problem::KeyQuote);
        self.token("key", &entry.key, layout.is_key_quoted, is_key_open)?;
        match &entry.value {
            Value::Text(text) if text.is_empty() && (is_key_open || layout.lacks_value()) => {}
            Value::Text(text) => {
                self.out.push_str(match layout.lacks_value() {
                    true => " ",
                    false => &layout.before_value,
                });
                let is_open = layout.problem == Some(Problem::ValueQuote);
                self.token("value", text, layout.is_value_quoted, is_open)?;
                self.condition(entry, &layout.before_condition);
            }
            Value::Block(entries) => {
                if !layout.is_condition_last {
                    self.condition(entry, &layout.before_condition);
                }
                self.out.push_str(&layout.before_value);
                self.out.push('{');
                self.entries(entries, depth.saturating_add(1))?;
                self.out.push_str(&layout.before_brace);
                if layout.problem != Some(Problem::Brace) {
                    self.out.push('}');
                }
                if layout.is_condition_last {
                    self.condition(entry, &layout.before_condition);
                }
            }
        }
        Ok(())
    }

    /// An entry in our own layout: a line, or a block indented by tabs.
    fn new_entry(&mut self, entry: &Entry, depth: usize) -> Result<(), FormatError> {
        self.line(depth);
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let is_name = !entry.key.is_empty() && entry.key.bytes().all(is_plain);
        match &entry.value {
            Value::Text(text) => {
                self.token("key", &entry.key, true, false)?;
                self.out.push(' ');
                self.token("value", text, true, false)?;
                self.condition(entry, " ");
            }
            Value::Block(entries) => {
                self.token("key", &entry.key, !is_name, false)?;
                self.condition(entry, " ");
                self.line(depth);
                self.out.push('{');
                self.entries(entries, depth.saturating_add(1))?;
                self.line(depth);
                self.out.push('}');
            }
        }
        Ok(())
    }

    fn line(&mut self, depth: usize) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n('\t', depth));
    }

    fn condition(&mut self, entry: &Entry, gap: &str) {
        if let Some(condition) = &entry.condition {
            self.out.extend([gap, "[", condition, "]"]);
        }
    }

    fn token(
        &mut self,
        field: &'static str,
        text: &str,
        was_quoted: bool,
        is_open: bool,
    ) -> Result<(), FormatError> {
        if text.contains('"') {
            let expected = "text without quotes, for there are no escapes";
            return Err(refused(field, expected, text));
        }
        let needs_quotes = text.is_empty()
            || text.starts_with("//")
            || text.contains(|c: char| c <= ' ' || matches!(c, '{' | '}'));
        if !was_quoted && !needs_quotes {
            self.out.push_str(text);
            return Ok(());
        }
        self.out.extend(["\"", text]);
        if !is_open {
            self.out.push('"');
        }
        Ok(())
    }
}

fn refused(
    field: &'static str,
    expected: impl Into<Cow<'static, str>>,
    found: &str,
) -> FormatError {
    Writer::new(FORMAT).unexpected(field, expected, format!("\"{}\"", found.escape_debug()))
}
