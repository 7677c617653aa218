//! Text to entries.

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

use super::{Encoding, Entry, KeyValues, Layout, MAX_DEPTH, Problem, Tolerance, Value};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader};

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
const UTF16_MARKS: [&[u8]; 2] = [b"\xFF\xFE", b"\xFE\xFF"];

/// No condition is longer, so that no bracket is looked for in vain for long.
const MAX_CONDITION: usize = 256;

/// A cursor over text. All marks of the grammar are ASCII, so that it goes by bytes.
pub(super) struct Parser<'a> {
    reader: Reader<'a>,
    data: &'a [u8],
    /// Where reading ends: at a NUL, or at the end.
    end: usize,
    pos: usize,
    encoding: Encoding,
    tolerance: Tolerance,
}

/// A key or value as it stands.
struct Token<'a> {
    text: &'a [u8],
    is_quoted: bool,
    /// The closing quote is missing.
    is_open: bool,
}

impl<'a> Parser<'a> {
    pub(super) fn new(format: &'static str, data: &'a [u8], tolerance: Tolerance) -> Self {
        let encoding = match std::str::from_utf8(data) {
            Ok(_) => Encoding::Utf8,
            Err(_) => Encoding::Windows1252,
        };
        Self {
            reader: Reader::new(format, data),
            data,
            end: data.len(),
            pos: 0,
            encoding,
            tolerance,
        }
    }

    pub(super) fn text(mut self) -> Result<KeyValues, FormatError> {
        if UTF16_MARKS.iter().any(|mark| self.data.starts_with(mark)) {
            let what = "UTF-16".to_owned();
            let kind = FormatErrorKind::Unsupported { what };
            return Err(self.reader.error("byte order mark", kind));
        }
        if let Some(nul) = self.data.iter().position(|byte| *byte == 0) {
            self.waive(Tolerance::NUL, nul, "text", "no NUL", "a NUL")?;
            self.end = nul;
        }
        let start = self.pos;
        if self.data.starts_with(BYTE_ORDER_MARK) {
            self.pos = BYTE_ORDER_MARK.len();
        }
        let (entries, gap_start) = self.entries(0, start)?;
        Ok(KeyValues {
            entries,
            tail: self.decoded(gap_start, self.data.len()),
            encoding: self.encoding,
        })
    }

    /// Entries up to the brace or the end, which are not taken, and where the gap before that begins.
    fn entries(
        &mut self,
        depth: usize,
        mut gap_start: usize,
    ) -> Result<(Vec<Entry>, usize), FormatError> {
        let mut entries = Vec::new();
        loop {
            self.skip_gap();
            match self.peek() {
                None => break,
                Some(b'}') if depth > 0 => break,
                Some(b'}') => {
                    let expected = "a key or the end";
                    self.waive(Tolerance::STRAY_BRACE, self.pos, "key", expected, "}")?;
                    self.advance();
                }
                Some(b'{') => return Err(self.unexpected(self.pos, "key", "a key", "{")),
                Some(_) => {
                    entries.push(self.entry(depth, gap_start)?);
                    gap_start = self.pos;
                }
            }
        }
        Ok((entries, gap_start))
    }

    fn entry(&mut self, depth: usize, gap_start: usize) -> Result<Entry, FormatError> {
        let mut layout = Layout {
            before_key: self.decoded(gap_start, self.pos),
            ..Layout::default()
        };
        let key = self.token("key")?;
        layout.is_key_quoted = key.is_quoted;
        let mut entry = Entry::text(self.decoded_text(key.text), "");
        if key.is_open {
            layout.problem = Some(Problem::KeyQuote);
            entry.layout = Some(Box::new(layout));
            return Ok(entry);
        }
        entry.condition = self.condition(&mut layout.before_condition, Followed::ByBlock)?;
        let value_gap = self.pos;
        self.skip_gap();
        match self.peek() {
            None | Some(b'}') => {
                let found = if self.peek().is_none() {
                    "the end"
                } else {
                    "}"
                };
                let at = self.pos;
                self.waive(Tolerance::MISSING_VALUE, at, "value", "a value or {", found)?;
                self.pos = value_gap;
                layout.problem = Some(Problem::Value);
            }
            Some(b'{') => {
                layout.before_value = self.decoded(value_gap, self.pos);
                entry.value = Value::Block(self.block(depth, &mut layout)?);
                if entry.condition.is_none() {
                    entry.condition =
                        self.condition(&mut layout.before_condition, Followed::ByAnything)?;
                    layout.is_condition_last = entry.condition.is_some();
                }
            }
            Some(_) => {
                layout.before_value = self.decoded(value_gap, self.pos);
                let value = self.token("value")?;
                layout.is_value_quoted = value.is_quoted;
                layout.problem = value.is_open.then_some(Problem::ValueQuote);
                entry.value = Value::Text(self.decoded_text(value.text));
                let found = self.condition(&mut layout.before_condition, Followed::ByAnything)?;
                entry.condition = found;
            }
        }
        entry.layout = Some(Box::new(layout));
        Ok(entry)
    }

    fn block(&mut self, depth: usize, layout: &mut Layout) -> Result<Vec<Entry>, FormatError> {
        let depth = depth.saturating_add(1);
        if depth > MAX_DEPTH {
            let expected = format!("blocks at most {MAX_DEPTH} deep");
            return Err(self.unexpected(self.pos, "block", expected, "one more"));
        }
        let start = self.pos;
        self.advance();
        let (entries, gap_start) = self.entries(depth, self.pos)?;
        match self.peek() {
            Some(_) => {
                layout.before_brace = self.decoded(gap_start, self.pos);
                self.advance();
            }
            None => {
                let expected = "a closing brace";
                self.waive(Tolerance::MISSING_BRACE, start, "block", expected, "none")?;
                self.pos = gap_start;
                layout.problem = Some(Problem::Brace);
            }
        }
        Ok(entries)
    }

    fn token(&mut self, field: &'static str) -> Result<Token<'a>, FormatError> {
        let start = self.pos;
        let rest = self.rest();
        if let Some(quoted) = rest.strip_prefix(b"\"") {
            let len = quoted.iter().position(|byte| *byte == b'"');
            if len.is_none() {
                let expected = "a closing quote";
                self.waive(Tolerance::MISSING_QUOTE, start, field, expected, "none")?;
            }
            let text = quoted
                .get(..len.unwrap_or(quoted.len()))
                .unwrap_or_default();
            let quotes = if len.is_some() { 2 } else { 1 };
            self.pos = start.saturating_add(text.len()).saturating_add(quotes);
            return Ok(Token {
                text,
                is_quoted: true,
                is_open: len.is_none(),
            });
        }
        let ends = |byte: &u8| is_space(*byte) || matches!(byte, b'"' | b'{' | b'}');
        let len = rest.iter().position(ends).unwrap_or(rest.len());
        self.pos = start.saturating_add(len);
        Ok(Token {
            text: rest.get(..len).unwrap_or_default(),
            is_quoted: false,
            is_open: false,
        })
    }

    /// A condition on the same line, if there is one; else the cursor stays.
    ///
    /// Brackets hold vectors too: after a key a condition must look like one, and be followed by a block.
    fn condition(
        &mut self,
        before: &mut String,
        followed: Followed,
    ) -> Result<Option<String>, FormatError> {
        let start = self.pos;
        let n_blanks = self
            .rest()
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'));
        let open = start.saturating_add(n_blanks.count());
        let after = self.data.get(open..self.end).unwrap_or_default();
        let Some(inner) = after.strip_prefix(b"[") else {
            return Ok(None);
        };
        let ends = |byte: &u8| matches!(byte, b']' | b'\n' | b'\r');
        let len = inner.iter().take(MAX_CONDITION).position(ends);
        let Some(len) = len.filter(|len| inner.get(*len) == Some(&b']')) else {
            return Ok(None);
        };
        let text = inner.get(..len).unwrap_or_default();
        let looks_like_one = matches!(text, [b'$', ..] | [b'!', b'$', ..]);
        self.pos = open.saturating_add(len).saturating_add(2);
        if followed == Followed::ByBlock {
            let after = self.pos;
            self.skip_gap();
            let is_before_block = self.peek() == Some(b'{');
            self.pos = after;
            if !looks_like_one || !is_before_block {
                self.pos = start;
                return Ok(None);
            }
        } else if !looks_like_one {
            self.pos = start;
            return Ok(None);
        }
        *before = self.decoded(start, open);
        Ok(Some(self.decoded_text(text)))
    }

    /// Skips spaces and comments.
    fn skip_gap(&mut self) {
        loop {
            let rest = self.rest();
            let n_spaces = rest.iter().take_while(|byte| is_space(**byte)).count();
            let after = rest.get(n_spaces..).unwrap_or_default();
            self.pos = self.pos.saturating_add(n_spaces);
            if !after.starts_with(b"//") {
                return;
            }
            let n_comment = after.iter().take_while(|byte| **byte != b'\n').count();
            self.pos = self.pos.saturating_add(n_comment);
        }
    }

    fn rest(&self) -> &'a [u8] {
        self.data.get(self.pos..self.end).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    fn advance(&mut self) {
        self.pos = self.pos.saturating_add(1);
    }

    fn decoded(&self, start: usize, end: usize) -> String {
        self.decoded_text(self.data.get(start..end).unwrap_or_default())
    }

    fn decoded_text(&self, bytes: &[u8]) -> String {
        match self.encoding {
            // Parts of UTF-8 that were cut at ASCII marks are UTF-8.
            Encoding::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
            Encoding::Windows1252 => WINDOWS_1252
                .decode_without_bom_handling(bytes)
                .0
                .into_owned(),
        }
    }

    /// Continues if the rule is waived, else refuses.
    fn waive(
        &self,
        rule: Tolerance,
        at: usize,
        field: &'static str,
        expected: &'static str,
        found: &'static str,
    ) -> Result<(), FormatError> {
        if self.tolerance.contains(rule) {
            return Ok(());
        }
        Err(self.unexpected(at, field, expected, found))
    }

    fn unexpected(
        &self,
        at: usize,
        field: &'static str,
        expected: impl Into<Cow<'static, str>>,
        found: &'static str,
    ) -> FormatError {
        match self.reader.sub(field, at, 0) {
            Ok(reader) => reader.unexpected(field, expected, found),
            Err(error) => error,
        }
    }
}

/// What a condition must be followed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Followed {
    ByBlock,
    ByAnything,
}

/// The engine's own: what is no printable character separates.
fn is_space(byte: u8) -> bool {
    byte <= b' '
}
