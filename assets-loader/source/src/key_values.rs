//! KeyValues: the engine's text of nested keys and values (dossier section 10.2), for VMT, VMF and the like.
//!
//! In: text. Out: entries in file order, duplicates kept, which is up to their reader to make sense of. Spaces,
//! comments, quotes and conditions are kept too: an untouched file is written back byte for byte, and an edited one
//! keeps what surrounds the edit.
//!
//! Deliberately absent: the meaning of any key, the evaluation of conditions, the loading of `#include`d files.

mod read;
#[cfg(test)]
mod tests;
mod write;

use bitflags::bitflags;

use ironlands_assets_core::bytes::{Finding, FormatError};
use ironlands_assets_core::format::{FileKind, Format, inherent_methods};

const FORMAT: &str = KeyValues::NAME;
/// How deep blocks may be nested. VMF needs 5.
pub const MAX_DEPTH: usize = 32;

/// A text of keys and values.
///
/// Equality is that of the entries; spaces, comments and quotes do not count.
///
/// ```
/// use ironlands_assets_source::key_values::{Entry, KeyValues};
///
/// let data = b"LightmappedGeneric\n{\n\t$basetexture brick/wall01 // the wall\n}\n";
/// let mut text = KeyValues::read(data)?;
/// let shader = text.get("lightmappedgeneric").expect("whatever the case");
/// assert_eq!(shader.get("$basetexture"), Some("brick/wall01"));
/// assert_eq!(text.write()?, data, "untouched, it keeps its comments and spaces");
///
/// text.entries.push(Entry::text("#include", "other.vmt"));
/// assert_eq!(KeyValues::read(&text.write()?)?, text);
/// # Ok::<(), ironlands_assets_core::bytes::FormatError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct KeyValues {
    /// The top level, in file order: blocks, and directives such as `#include "file"` as pairs.
    pub entries: Vec<Entry>,
    /// What follows the last entry.
    tail: String,
    encoding: Encoding,
}

/// How characters are bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Encoding {
    #[default]
    Utf8,
    /// Of texts that are no UTF-8: every byte is a character, and back.
    Windows1252,
}

/// A key with a value or a block.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The key, spelled as stored; compare it without case.
    pub key: String,
    /// What belongs to the key.
    pub value: Value,
    /// The condition in brackets, as in `!$X360`, without the brackets.
    pub condition: Option<String>,
    /// What surrounds it in the text that it was read from.
    layout: Option<Box<Layout>>,
}

/// What surrounds the parts of an entry, and how they are spelled. Gaps hold spaces, comments and waived errors.
#[derive(Debug, Clone, Default)]
struct Layout {
    before_key: String,
    is_key_quoted: bool,
    before_value: String,
    is_value_quoted: bool,
    before_condition: String,
    /// The condition of a block stands behind its brace, not before it.
    is_condition_last: bool,
    /// Between the last entry of a block and its brace.
    before_brace: String,
    /// What is not there, and was waived.
    problem: Option<Problem>,
}

/// What an entry lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Problem {
    KeyQuote,
    Value,
    ValueQuote,
    Brace,
}

impl Layout {
    fn lacks_value(&self) -> bool {
        self.problem == Some(Problem::Value)
    }
}

/// What belongs to a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A text; numbers and vectors are texts as well.
    Text(String),
    /// Entries in braces.
    Block(Vec<Entry>),
}

bitflags! {
    /// Rules of the strict reader that can be waived, one flag each.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// The text ends inside of a block; the missing braces are taken as read.
        const MISSING_BRACE = 1 << 0;
        /// A closing brace that closes nothing is skipped.
        const STRAY_BRACE = 1 << 1;
        /// A key at the end of a block or of the text has no value; it gets an empty one.
        const MISSING_VALUE = 1 << 2;
        /// The text ends inside of quotes; the quote is taken as read.
        const MISSING_QUOTE = 1 << 3;
        /// A NUL ends the text; what follows is kept and not read.
        const NUL = 1 << 4;
    }
}

impl From<Vec<Entry>> for KeyValues {
    fn from(entries: Vec<Entry>) -> Self {
        Self {
            entries,
            ..Self::default()
        }
    }
}

impl Format for KeyValues {
    type Context = ();

    const NAME: &'static str = "key_values";
    const EXTENSIONS: &'static [&'static str] = &[];
    const KIND: FileKind = FileKind::Table;

    inherent_methods!(read, write);

    /// No findings: what is waived is overlooked by the engine, and the texts of the games are full of it.
    fn read_tolerant(data: &[u8], (): &()) -> Result<(Self, Vec<Finding>), FormatError> {
        let text = Self::read_with(FORMAT, data, Tolerance::all())?;
        Ok((text, Vec::new()))
    }
}

impl KeyValues {
    /// Reads a whole text by the strict grammar.
    ///
    /// # Errors
    /// As [`Self::read_with`] without tolerance.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(FORMAT, data, Tolerance::empty())
    }

    /// Reads a whole text that errors call `format`.
    ///
    /// # Errors
    /// A rule of the grammar that is broken and not waived, or blocks that are nested too deep.
    pub fn read_with(
        format: &'static str,
        data: &[u8],
        tolerance: Tolerance,
    ) -> Result<Self, FormatError> {
        read::Parser::new(format, data, tolerance).text()
    }

    /// Writes the text: the same bytes if nothing was changed, tabs and quotes for what was added.
    ///
    /// # Errors
    /// A text that the grammar cannot hold: a quote in it, for there are no escapes; a character that a text that is
    /// no UTF-8 cannot hold; blocks that are nested too deep.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        write::write(self)
    }

    /// The first entry of that key at the top level, whatever the case.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.is(key))
    }
}

impl Entry {
    /// A key with what belongs to it.
    pub fn new(key: impl Into<String>, value: Value) -> Self {
        Self {
            key: key.into(),
            value,
            condition: None,
            layout: None,
        }
    }

    /// A key with a text.
    pub fn text(key: impl Into<String>, value: impl Into<String>) -> Self {
        Self::new(key, Value::Text(value.into()))
    }

    /// A key with entries in braces.
    pub fn block(key: impl Into<String>, entries: Vec<Entry>) -> Self {
        Self::new(key, Value::Block(entries))
    }

    /// Whether the key is `key`, whatever the case of ASCII letters.
    pub fn is(&self, key: &str) -> bool {
        self.key.eq_ignore_ascii_case(key)
    }

    /// The text, if it is no block.
    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            Value::Block(_) => None,
        }
    }

    /// The text of the last pair of that key in the block, whatever the case: of duplicates the last counts.
    pub fn get(&self, key: &str) -> Option<&str> {
        let mut same = self.entries().iter().rev().filter(|entry| entry.is(key));
        same.find_map(Self::as_text)
    }

    /// The entries of the block; none if it is a text.
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Text(_) => &[],
            Value::Block(entries) => entries,
        }
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.value == other.value && self.condition == other.condition
    }
}

impl Eq for Entry {}

impl PartialEq for KeyValues {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}
