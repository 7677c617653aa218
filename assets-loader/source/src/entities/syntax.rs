//! The grammar of the entity lump (dossier section 8.1).

use super::FORMAT;
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader};

/// Rules of the text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum EntitySyntax {
    /// A backslash is one.
    #[default]
    Plain,
    /// Version 17: `\"` is a quote and `\\` a backslash; any other backslash is one.
    Escapes,
}

impl EntitySyntax {
    /// The rules of a file version.
    pub fn from_version(version: u32) -> Self {
        match version {
            ..=17 => Self::Escapes,
            _ => Self::Plain,
        }
    }

    /// Appends text in quotes. Errors: a quote where there are no escapes.
    pub(super) fn write_quoted(self, text: &[u8], out: &mut Vec<u8>) -> Result<(), FormatError> {
        if self == Self::Plain && text.contains(&b'"') {
            let at = Reader::nested(FORMAT, &[], out.len() as u64);
            let found = String::from_utf8_lossy(text);
            return Err(at.unexpected("text", "no quotes", found));
        }
        out.push(b'"');
        let mut bytes = text.iter().peekable();
        while let Some(byte) = bytes.next() {
            let is_read_as_escape =
                *byte == b'\\' && matches!(bytes.peek(), None | Some(b'"' | b'\\'));
            if self == Self::Escapes && (*byte == b'"' || is_read_as_escape) {
                out.push(b'\\');
            }
            out.push(*byte);
        }
        out.push(b'"');
        Ok(())
    }
}

/// Keys and values.
type Pairs = Vec<(Vec<u8>, Vec<u8>)>;

/// Where the reader of entities stands.
pub(super) struct Cursor<'a> {
    r: Reader<'a>,
    data: &'a [u8],
    syntax: EntitySyntax,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(data: &'a [u8], syntax: EntitySyntax) -> Self {
        Self {
            r: Reader::new(FORMAT, data),
            data,
            syntax,
        }
    }

    /// The pairs of the next entity and its text, with the text before it and the line's end after it. `None` where
    /// only the tail is left, which is not taken.
    pub(super) fn entity(&mut self) -> Result<Option<(Pairs, &'a [u8])>, FormatError> {
        let start = self.r.clone();
        self.skip_space()?;
        if self.peek() != Some(b'{') {
            self.r = start;
            return Ok(None);
        }
        self.r.u8("brace")?;
        let mut pairs = Vec::new();
        loop {
            self.skip_space()?;
            if self.peek() == Some(b'}') {
                break;
            }
            let key = self.quoted("key")?;
            self.skip_space()?;
            pairs.push((key, self.quoted("value")?));
        }
        self.r.u8("brace")?;
        if self.peek() == Some(b'\n') {
            self.r.u8("line end")?;
        }
        let text = self.data.get(start.position()..self.r.position());
        Ok(Some((pairs, text.unwrap_or_default())))
    }

    /// The text after the last entity: space and NULs.
    pub(super) fn tail(&mut self) -> Result<&'a [u8], FormatError> {
        let start = self.r.position();
        self.skip_space()?;
        let at = self.r.clone();
        let rest = self.r.rest();
        if let Some(offset) = rest.iter().position(|byte| *byte != 0) {
            let after = at.sub(
                "after the last entity",
                at.position().saturating_add(offset),
                0,
            )?;
            let found = rest.get(offset..).unwrap_or_default();
            let found = found.get(..found.len().min(8)).unwrap_or_default();
            let found = format!("\"{}\"", found.escape_ascii());
            return Err(after.unexpected("after the last entity", "an entity or the end", found));
        }
        Ok(self.data.get(start..).unwrap_or_default())
    }

    fn peek(&self) -> Option<u8> {
        self.data.get(self.r.position()).copied()
    }

    fn skip_space(&mut self) -> Result<(), FormatError> {
        loop {
            let rest = self.data.get(self.r.position()..).unwrap_or_default();
            let len = match rest {
                [b' ' | b'\t' | b'\r' | b'\n', ..] => 1,
                [b'/', b'/', ..] => rest
                    .iter()
                    .position(|byte| *byte == b'\n')
                    .unwrap_or(rest.len()),
                _ => return Ok(()),
            };
            self.r.bytes("space", len)?;
        }
    }

    /// Text in quotes, without them.
    fn quoted(&mut self, field: &'static str) -> Result<Vec<u8>, FormatError> {
        let at = self.r.clone();
        let quote = self.r.u8(field)?;
        if quote != b'"' {
            let found = format!("\"{}\"", [quote].escape_ascii());
            return Err(at.unexpected(field, "a quote", found));
        }
        let rest = self.data.get(self.r.position()..).unwrap_or_default();
        let mut text = Vec::new();
        let mut bytes = rest.iter().enumerate();
        while let Some((index, byte)) = bytes.next() {
            let next = rest.get(index.saturating_add(1));
            match (byte, next, self.syntax) {
                (b'"', _, _) => {
                    self.r.bytes(field, index.saturating_add(1))?;
                    return Ok(text);
                }
                (b'\\', Some(next @ (b'"' | b'\\')), EntitySyntax::Escapes) => {
                    text.push(*next);
                    bytes.next();
                }
                _ => text.push(*byte),
            }
        }
        Err(at.error(
            field,
            FormatErrorKind::Truncated {
                needed: (rest.len() as u64).saturating_add(1),
                available: rest.len() as u64,
            },
        ))
    }
}
