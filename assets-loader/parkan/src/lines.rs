//! Lines of the text formats: read one at a time with their offsets, and written back as they were spelled.
//!
//! A line ends in CRLF or LF, or with the text. What a line says is compared with what it said when it was
//! read; as long as it says the same it is written back byte for byte.

use std::borrow::Cow;

use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};

/// Line end that new text is written with.
pub(super) const CRLF: &[u8] = b"\r\n";

/// A cursor over the lines of a text.
#[derive(Debug, Clone)]
pub(super) struct Lines<'a> {
    r: Reader<'a>,
}

/// One line and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Line<'a> {
    /// The text without its line end and the blanks around it.
    pub text: &'a [u8],
    /// All bytes of the line, line end included.
    pub raw: &'a [u8],
    at: Reader<'a>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(format: &'static str, data: &'a [u8]) -> Self {
        Self {
            r: Reader::new(format, data),
        }
    }

    /// Takes the next line; the end of the text is an error that names `field`.
    pub(super) fn take(&mut self, field: &'static str) -> Result<Line<'a>, FormatError> {
        let at = self.r.clone();
        let ahead = at.clone().rest();
        if ahead.is_empty() {
            let kind = FormatErrorKind::Truncated {
                needed: 1,
                available: 0,
            };
            return Err(at.error(field, kind));
        }
        let len = ahead
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(ahead.len(), |end| end.saturating_add(1));
        let raw = self.r.bytes(field, len)?;
        Ok(Line {
            text: raw.trim_ascii(),
            raw,
            at,
        })
    }

    /// Takes lines for as long as `holds` says so: how many, and all their bytes.
    pub(super) fn take_while(&mut self, holds: impl Fn(&Line<'a>) -> bool) -> (usize, &'a [u8]) {
        let start = self.clone();
        let mut n_lines = 0usize;
        loop {
            let mut ahead = self.clone();
            match ahead.take("line") {
                Ok(line) if holds(&line) => n_lines = n_lines.saturating_add(1),
                _ => break,
            }
            *self = ahead;
        }
        let n_left = self.r.remaining();
        let bytes = start.r.clone().rest();
        let taken = bytes.len().saturating_sub(n_left);
        (n_lines, bytes.get(..taken).unwrap_or_default())
    }

    /// Whether all lines are taken.
    pub(super) fn is_at_end(&self) -> bool {
        self.r.remaining() == 0
    }

    /// Checks a count of lines against the bytes that are left.
    pub(super) fn claim(
        &self,
        field: &'static str,
        count: u64,
        line_size: usize,
    ) -> Result<usize, FormatError> {
        self.r.claim(field, count, line_size)
    }
}

impl Line<'_> {
    /// The error "expected this" for the whole line.
    pub(super) fn unexpected(
        &self,
        field: &'static str,
        expected: impl Into<Cow<'static, str>>,
    ) -> FormatError {
        self.at
            .unexpected(field, expected, format!("\"{}\"", self.text.escape_ascii()))
    }

    /// The line end: CRLF, LF, or nothing at the end of the text.
    pub(super) fn end(&self) -> &'static [u8] {
        match self.raw {
            [.., b'\r', b'\n'] => CRLF,
            [.., b'\n'] => b"\n",
            _ => b"",
        }
    }
}

/// What a line said when it was read, and how it was spelled.
#[derive(Debug, Clone)]
pub(super) struct KeptLine<T> {
    said: T,
    raw: Vec<u8>,
}

impl<T> KeptLine<T> {
    pub(super) fn new(said: T, line: &Line<'_>) -> Self {
        Self {
            said,
            raw: line.raw.to_vec(),
        }
    }
}

/// Writes lines, kept ones as they were.
#[derive(Debug)]
pub(super) struct LineWriter {
    w: Writer,
    line_end: &'static [u8],
    is_mid_line: bool,
}

impl LineWriter {
    /// `line_end` is what new lines end in.
    pub(super) fn new(format: &'static str, line_end: &'static [u8]) -> Self {
        Self {
            w: Writer::new(format),
            line_end,
            is_mid_line: false,
        }
    }

    /// Writes a line as it was kept if it still says `value`, else as `spell` puts it.
    pub(super) fn line<T: PartialEq>(
        &mut self,
        kept: Option<&KeptLine<T>>,
        value: &T,
        spell: impl FnOnce(&T) -> Vec<u8>,
    ) {
        match kept {
            Some(kept) if kept.said == *value => self.raw(&kept.raw),
            _ => {
                self.raw(&spell(value));
                self.w.bytes(self.line_end);
                self.is_mid_line = false;
            }
        }
    }

    /// Writes whole lines as they are, beginning at the start of a line.
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        let Some(last) = bytes.last() else {
            return;
        };
        if self.is_mid_line {
            self.w.bytes(self.line_end);
        }
        self.w.bytes(bytes);
        self.is_mid_line = *last != b'\n';
    }

    /// The error "expected this, found that" at the next byte.
    pub(super) fn unexpected(
        &self,
        field: &'static str,
        expected: &'static str,
        found: impl ToString,
    ) -> FormatError {
        self.w.unexpected(field, expected, found)
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.w.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_crlf_or_lf_or_with_the_text() {
        let mut lines = Lines::new("bcn", b" a\t\r\n\nb");
        let a = lines.take("line").unwrap();
        assert_eq!((a.text, a.end()), (&b"a"[..], CRLF));
        let blank = lines.take("line").unwrap();
        assert_eq!((blank.text, blank.end()), (&b""[..], &b"\n"[..]));
        let b = lines.take("line").unwrap();
        assert_eq!((b.text, b.end()), (&b"b"[..], &b""[..]));
        let error = b.unexpected("letter", "a");
        assert_eq!(error.offset, 6);
        assert!(lines.is_at_end());
        assert_eq!(lines.take("row").unwrap_err().offset, 7);
    }

    #[test]
    fn lines_are_taken_while_they_hold() {
        let mut lines = Lines::new("bcn", b"\n \r\nx\n");
        let is_blank = |line: &Line<'_>| line.text.is_empty();
        assert_eq!(lines.take_while(is_blank), (2, &b"\n \r\n"[..]));
        assert_eq!(lines.take_while(is_blank), (0, &b""[..]));
        assert_eq!(lines.take("letter").unwrap().text, b"x");
        assert_eq!(lines.take_while(is_blank), (0, &b""[..]));
    }

    #[test]
    fn a_line_that_says_something_new_is_spelled_anew() {
        let mut lines = Lines::new("bcn", b"  07 \n8");
        let seven = KeptLine::new(7, &lines.take("line").unwrap());
        let eight = KeptLine::new(8, &lines.take("line").unwrap());
        let mut w = LineWriter::new("bcn", CRLF);
        let spell = |value: &i32| value.to_string().into_bytes();
        w.line(Some(&seven), &7, spell);
        w.line(Some(&eight), &8, spell);
        w.line(Some(&eight), &9, spell);
        assert_eq!(w.finish(), b"  07 \n8\r\n9\r\n");
    }
}
