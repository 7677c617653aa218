//! Text INI files of the game: `Config/*.ini`, `quest.ini` (dossier sections 1.1 and 11.12).
//!
//! In: bytes. Out: sections and keys by name, while every line is kept as it is: an untouched file is written back
//! byte for byte, and an edit changes its line only.
//!
//! Deliberately absent: the meaning of any key; numbers and lists, which their readers take from the values.

#[cfg(test)]
mod tests;

use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::findings::{Findings, shown};
use ironlands_assets_core::format::{FileKind, Format, Match};
use ironlands_assets_core::report::Report;

/// Files that are known by their names; those of light have a format of their own.
const NAMES: [&str; 2] = ["movie.ini", "quest.ini"];

/// A text INI file. All text is raw CP1251.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IniText {
    lines: Vec<Vec<u8>>,
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IniLine<'a> {
    /// The name between brackets.
    Section(&'a [u8]),
    /// A name and a value, without the spaces around them.
    Key(&'a [u8], &'a [u8]),
    /// A comment, an empty line, or anything else.
    Other(&'a [u8]),
}

impl Format for IniText {
    type Context = ();

    const NAME: &'static str = "ini_text";
    const EXTENSIONS: &'static [&'static str] = &["ini"];
    const KIND: FileKind = FileKind::Table;

    /// By the names that the game gives them: other programs have `.ini` files, too.
    fn recognize(name: &str, _head: &[u8]) -> Option<Match> {
        NAMES.contains(&name).then_some(Match::Name)
    }

    fn read(data: &[u8], (): &()) -> Result<Self, FormatError> {
        Ok(Self::parse(data))
    }

    fn write(&self) -> Result<Vec<u8>, FormatError> {
        Ok(self.to_bytes())
    }

    fn check(&self) -> Vec<Finding> {
        let mut next_offset = 0_u64;
        let ignored = self.lines.iter().filter_map(|stored| {
            let offset = next_offset;
            next_offset = offset.saturating_add(stored.len() as u64);
            let IniLine::Other(line) = IniLine::from_line(stored) else {
                return None;
            };
            let says_something = !line.is_empty() && !is_comment(line);
            says_something.then_some((offset, line))
        });
        let mut findings = Findings::new(Self::NAME);
        findings.rule_of(Severity::Warning, ignored, |(offset, line)| {
            let message = format!(
                "\"{}\" is no section, key or comment, and is ignored",
                shown(line)
            );
            (Some(offset), message)
        });
        findings.into_list()
    }

    fn describe(&self, report: &mut Report) {
        report.fact("sections", self.sections().count().to_string());
    }
}

impl IniText {
    /// Takes the lines of a file. Any bytes are a file.
    pub fn parse(data: &[u8]) -> Self {
        let lines = data.split_inclusive(|byte| *byte == b'\n');
        Self {
            lines: lines.map(<[u8]>::to_vec).collect(),
        }
    }

    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.lines.concat()
    }

    /// What each line is, in file order.
    pub fn lines(&self) -> impl Iterator<Item = IniLine<'_>> {
        self.lines.iter().map(|line| IniLine::from_line(line))
    }

    /// Names of the sections, in file order.
    pub fn sections(&self) -> impl Iterator<Item = &[u8]> {
        self.lines().filter_map(|line| match line {
            IniLine::Section(name) => Some(name),
            _ => None,
        })
    }

    /// Keys and values of a section, ASCII case-insensitively; those of all sections of that name, in file order.
    /// Keys before the first section are those of the section "".
    pub fn keys<'a>(&'a self, section: &str) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        let in_section = self.in_section(section);
        in_section.filter_map(|(_, line)| match line {
            IniLine::Key(name, value) => Some((name, value)),
            _ => None,
        })
    }

    /// The value of a key, ASCII case-insensitively; the first if several share the name.
    pub fn get(&self, section: &str, key: &str) -> Option<&[u8]> {
        let mut keys = self.keys(section);
        let found = keys.find(|(name, _)| name.eq_ignore_ascii_case(key.as_bytes()));
        found.map(|(_, value)| value)
    }

    /// Gives a key another value. A key that is not there comes last in its section; so does a section in the file.
    pub fn set(&mut self, section: &str, key: &str, value: &[u8]) {
        let is_it = |line: &IniLine<'_>| match line {
            IniLine::Key(name, _) => name.eq_ignore_ascii_case(key.as_bytes()),
            _ => false,
        };
        let found = self.in_section(section).find(|(_, line)| is_it(line));
        let index = found.map(|(index, _)| index);
        if let Some(line) = index.and_then(|index| self.lines.get_mut(index)) {
            let start = line.iter().position(|byte| *byte == b'=');
            let text = line.trim_ascii_end().len();
            let ending = line.split_off(text.min(line.len()));
            line.truncate(start.map_or(0, |start| start.saturating_add(1)));
            line.extend_from_slice(value);
            line.extend_from_slice(&ending);
            return;
        }
        let last = self.in_section(section).map(|(index, _)| index).last();
        let line = [key.as_bytes(), b"=", value].concat();
        match last {
            Some(last) => self.insert(last.saturating_add(1), &line),
            None => {
                if !section.is_empty() {
                    let head = [b"[", section.as_bytes(), b"]"].concat();
                    self.insert(self.lines.len(), &head);
                }
                let at = match section {
                    "" => 0,
                    _ => self.lines.len(),
                };
                self.insert(at, &line);
            }
        }
    }

    /// Lines of a section with their indices: its head, its keys, and the comments between them.
    fn in_section<'a>(&'a self, section: &str) -> impl Iterator<Item = (usize, IniLine<'a>)> {
        let mut is_inside = section.is_empty();
        let lines = self.lines().enumerate();
        lines.filter(move |(_, line)| {
            if let IniLine::Section(name) = line {
                is_inside = name.eq_ignore_ascii_case(section.as_bytes());
            }
            is_inside && !matches!(line, IniLine::Other([]))
        })
    }

    /// Puts in a line, with the ending that the file's first line has.
    fn insert(&mut self, index: usize, line: &[u8]) {
        let first = self.lines.first();
        let ending: &[u8] =
            match first.is_some_and(|it| it.ends_with(b"\n") && !it.ends_with(b"\r\n")) {
                true => b"\n",
                false => b"\r\n",
            };
        let before = index.checked_sub(1).and_then(|it| self.lines.get_mut(it));
        if let Some(before) = before.filter(|it| !it.ends_with(b"\n")) {
            before.extend_from_slice(ending);
        }
        self.lines.insert(index, [line, ending].concat());
    }
}

impl<'a> IniLine<'a> {
    fn from_line(line: &'a [u8]) -> Self {
        let line = line.trim_ascii();
        if is_comment(line) {
            return Self::Other(line);
        }
        let name = line.strip_prefix(b"[").and_then(|it| it.strip_suffix(b"]"));
        if let Some(name) = name {
            return Self::Section(name.trim_ascii());
        }
        let mut parts = line.splitn(2, |byte| *byte == b'=');
        match (parts.next(), parts.next()) {
            (Some(name), Some(value)) => Self::Key(name.trim_ascii(), value.trim_ascii()),
            _ => Self::Other(line),
        }
    }
}

/// Whether a line without the spaces around it is a comment.
fn is_comment(line: &[u8]) -> bool {
    matches!(line.first(), Some(b';' | b'#' | b'/'))
}
