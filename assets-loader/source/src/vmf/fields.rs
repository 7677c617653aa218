//! Typed fields in a block of keys and values, and back, so that what is not known or not changed stays as it was.

use std::collections::{HashMap, VecDeque};
use std::fmt::Display;
use std::str::FromStr;

use super::FORMAT;
use crate::key_values::{Entry, Value};
use ironlands_assets_core::bytes::{FormatError, Reader};

/// A block whose entries are taken out one at a time.
pub(super) struct Fields {
    /// Where the block stands, as in `world.solid 2`.
    place: String,
    /// Blocks that were taken are left hollow: they keep only how they were spelled.
    entries: Vec<(Entry, bool)>,
}

/// An entry of a typed value, ready to be put among those that were kept.
pub(super) struct Known {
    entry: Entry,
    /// Numbers may be spelled in several ways.
    is_numeric: bool,
}

impl From<Entry> for Known {
    fn from(entry: Entry) -> Self {
        let is_numeric = false;
        Self { entry, is_numeric }
    }
}

/// What a block held: entries that are not known, and the order and spelling of all.
///
/// Equality is that of the entries that are not known; how the others were spelled does not count.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    entries: Vec<(Entry, bool)>,
}

impl PartialEq for Kept {
    fn eq(&self, other: &Self) -> bool {
        self.unknown().eq(other.unknown())
    }
}

impl Kept {
    /// The entries that are not known, in file order.
    pub fn unknown(&self) -> impl Iterator<Item = &Entry> {
        let unknown = self.entries.iter().filter(|(_, is_known)| !is_known);
        unknown.map(|(entry, _)| entry)
    }

    /// The block with these entries: each takes the place of the next that had its key, others come last.
    ///
    /// An entry whose numbers have not changed keeps its spelling.
    pub(super) fn merge(&self, known: Vec<Known>) -> Vec<Entry> {
        let mut waiting = HashMap::<(String, bool), VecDeque<usize>>::new();
        for (index, known) in known.iter().enumerate() {
            let queue = waiting.entry(kind_of(&known.entry)).or_default();
            queue.push_back(index);
        }
        let mut known: Vec<Option<Known>> = known.into_iter().map(Some).collect();
        let mut merged = Vec::new();
        for (kept, is_known) in &self.entries {
            if !is_known {
                merged.push(kept.clone());
                continue;
            }
            let queue = waiting.get_mut(&kind_of(kept));
            let next = queue.and_then(VecDeque::pop_front);
            let next = next
                .and_then(|index| known.get_mut(index))
                .and_then(Option::take);
            if let Some(next) = next {
                merged.push(respell(kept, next));
            }
        }
        merged.extend(known.into_iter().flatten().map(|known| known.entry));
        merged
    }
}

/// What an entry can take the place of: its key without case, and whether it is a block.
fn kind_of(entry: &Entry) -> (String, bool) {
    let is_block = matches!(entry.value, Value::Block(_));
    (entry.key.to_ascii_lowercase(), is_block)
}

/// The entry `next` in the layout of `kept`, and in its spelling if it says the same.
fn respell(kept: &Entry, next: Known) -> Entry {
    let mut entry = kept.clone();
    match (&kept.value, next.entry.value) {
        (Value::Text(old), Value::Text(new)) if next.is_numeric && says_the_same(old, &new) => {}
        (_, value) => entry.value = value,
    }
    entry
}

/// Whether two texts are the same numbers, which may be spelled in several ways and stand in any brackets.
fn says_the_same(a: &str, b: &str) -> bool {
    numbers(a).is_some_and(|a| numbers(b) == Some(a))
}

/// Words between spaces; brackets are words of their own.
fn words(text: &str) -> Vec<&str> {
    let is_bracket = |c: char| "()[]{}".contains(c);
    let parts = text.split_inclusive(is_bracket).flat_map(move |part| {
        let last = part.chars().next_back().filter(|c| is_bracket(*c));
        let (word, bracket) = part.split_at(part.len().saturating_sub(usize::from(last.is_some())));
        word.split_whitespace()
            .chain((!bracket.is_empty()).then_some(bracket))
    });
    parts.collect()
}

impl Fields {
    pub(super) fn new(place: impl Into<String>, entries: Vec<Entry>) -> Self {
        Self {
            place: place.into(),
            entries: entries.into_iter().map(|entry| (entry, false)).collect(),
        }
    }

    /// The next text of that key.
    pub(super) fn text(&mut self, key: &str) -> Option<String> {
        let mut same = self.entries.iter_mut();
        same.find_map(|(entry, is_known)| {
            let text = entry.as_text().filter(|_| !*is_known && entry.is(key))?;
            *is_known = true;
            Some(text.to_owned())
        })
    }

    /// All texts that are left, with their keys.
    pub(super) fn all_texts(&mut self) -> Vec<(String, String)> {
        let texts = self.entries.iter_mut().filter(|(_, is_known)| !is_known);
        let texts = texts.filter_map(|(entry, is_known)| {
            let text = entry.as_text()?;
            *is_known = true;
            Some((entry.key.clone(), text.to_owned()))
        });
        texts.collect()
    }

    /// All blocks of that key.
    pub(super) fn blocks(&mut self, key: &str) -> Vec<Self> {
        let mut blocks = Vec::new();
        for (entry, is_known) in &mut self.entries {
            let is_next = entry.is(key) && !*is_known;
            if let Value::Block(entries) = &mut entry.value
                && is_next
            {
                *is_known = true;
                let place = format!("{}.{key} {}", self.place, blocks.len());
                blocks.push(Self::new(place, std::mem::take(entries)));
            }
        }
        blocks
    }

    /// The only block of that key, if there is one.
    pub(super) fn block(&mut self, key: &str) -> Result<Option<Self>, FormatError> {
        let mut blocks = self.blocks(key);
        match blocks.len() {
            0 | 1 => Ok(blocks.pop()),
            n_blocks => Err(self.refuse(key, "one block", n_blocks)),
        }
    }

    /// A whole or broken number.
    pub(super) fn number<T: FromStr>(&mut self, key: &str) -> Result<Option<T>, FormatError> {
        let Some(text) = self.text(key) else {
            return Ok(None);
        };
        let number = text.trim().parse();
        number
            .map(Some)
            .map_err(|_| self.refuse(key, "a number", text))
    }

    /// `n` numbers, if the key is there; brackets and commas around them do not count.
    pub(super) fn numbers(&mut self, key: &str, n: usize) -> Result<Option<Vec<f64>>, FormatError> {
        let Some(text) = self.text(key) else {
            return Ok(None);
        };
        let numbers = numbers(&text);
        match numbers.filter(|numbers| numbers.len() == n) {
            Some(numbers) => Ok(Some(numbers)),
            None => Err(self.refuse(key, format!("{n} numbers"), text)),
        }
    }

    /// `N` numbers, if the key is there.
    pub(super) fn array<const N: usize>(
        &mut self,
        key: &str,
    ) -> Result<Option<[f64; N]>, FormatError> {
        let numbers = self.numbers(key, N)?;
        Ok(numbers.and_then(|numbers| numbers.try_into().ok()))
    }

    /// What must be there.
    pub(super) fn need<T>(&self, key: &str, value: Option<T>) -> Result<T, FormatError> {
        value.ok_or_else(|| self.refuse(key, "a value", "none"))
    }

    pub(super) fn refuse(
        &self,
        key: &str,
        expected: impl Into<std::borrow::Cow<'static, str>>,
        found: impl ToString,
    ) -> FormatError {
        let field = format!("{}.{key}", self.place);
        Reader::new(FORMAT, &[]).unexpected(field, expected, found)
    }

    /// What is left, and how all was spelled.
    pub(super) fn finish(self) -> Kept {
        let Self { place: _, entries } = self;
        Kept { entries }
    }
}

/// All numbers of a text; `None` if something else than brackets stands between them, or one is not finite.
fn numbers(text: &str) -> Option<Vec<f64>> {
    let words = words(text)
        .into_iter()
        .filter(|word| !"()[]{}".contains(*word));
    let number = |word: &str| f64::from_str(word).ok().filter(|number| number.is_finite());
    words.map(number).collect()
}

/// Numbers with spaces between them.
pub(super) fn spaced<T: Display>(numbers: impl IntoIterator<Item = T>) -> String {
    let texts: Vec<String> = numbers
        .into_iter()
        .map(|number| number.to_string())
        .collect();
    texts.join(" ")
}

/// A pair of a number, or of several in a text, if there is one.
pub(super) fn pair<T: Display>(key: &str, value: &Option<T>) -> Option<Known> {
    value.as_ref().map(|value| numeric(key, value.to_string()))
}

/// A pair of numbers.
pub(super) fn numeric(key: impl Into<String>, text: String) -> Known {
    Known {
        entry: Entry::text(key, text),
        is_numeric: true,
    }
}

/// A pair of a text that counts letter by letter.
pub(super) fn exact((key, text): &(String, String)) -> Known {
    Entry::text(key, text).into()
}
