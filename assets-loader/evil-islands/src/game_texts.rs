//! `texts.res` and `textslmp.res`: the words of the game, one file without extension for each string (dossier
//! section 1.2).
//!
//! In: the archive. Out: strings by their keys, as in `ARMOR <item> <material>`.
//!
//! Deliberately absent: which key belongs to what; the bytes of the archive, which is a
//! [`ResArchive`] and is written as one.

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::res::{ResArchive, ResEntry, Tolerance};
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::text::{decode_cp1251, encode_cp1251};

const FORMAT: &str = "game_texts";

/// The strings of an archive.
#[derive(Debug, Clone, Default)]
pub struct GameTexts {
    /// The archive itself: its entries are the strings.
    pub archive: ResArchive,
}

/// A string and its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameText<'a> {
    /// The key as stored: words between spaces.
    pub key: Cow<'a, str>,
    /// The text.
    pub text: Cow<'a, str>,
}

impl GameTexts {
    /// Opens the bytes of an archive of strings, tolerantly.
    ///
    /// # Errors
    /// It is no such archive.
    pub fn open(data: &[u8]) -> Result<Self, FormatError> {
        let archive = ResArchive::read_with(data, Tolerance::all())?;
        Ok(Self { archive })
    }

    /// All strings, in the archive's order.
    pub fn iter(&self) -> impl Iterator<Item = GameText<'_>> {
        self.archive.entries.iter().map(GameText::from_entry)
    }

    /// The string of a key, ASCII case-insensitively.
    pub fn get(&self, key: &str) -> Option<Cow<'_, str>> {
        let entry = self.archive.find(key)?;
        Some(decode_cp1251(&entry.data))
    }

    /// Strings whose keys begin with these words, ASCII case-insensitively, in the archive's order.
    pub fn of_words<'a>(&'a self, words: &'a [&'a str]) -> impl Iterator<Item = GameText<'a>> {
        self.iter().filter(move |text| {
            let mut found = text.words();
            let is_found =
                |word: &&str| found.next().is_some_and(|it| it.eq_ignore_ascii_case(word));
            words.iter().all(is_found)
        })
    }

    /// Gives a key another string, or a new key one.
    ///
    /// Returns whether it was done: it is not where CP1251 lacks a character of either.
    #[must_use]
    pub fn set(&mut self, key: &str, text: &str) -> bool {
        match (encode_cp1251(key), encode_cp1251(text)) {
            (Some(key), Some(text)) => {
                self.archive.put(&key, text);
                true
            }
            _ => false,
        }
    }

    /// What is worth knowing: strings that are archives or hold a NUL, which no text does.
    pub fn check(&self) -> Vec<Finding> {
        let doubtful = |entry: &&ResEntry| entry.is_archive() || entry.data.contains(&0);
        let entries = self.archive.entries.iter().filter(doubtful);
        let findings = entries.map(|entry| {
            let message = format!("\"{}\" is no text", entry.name_text());
            Finding::new(Severity::Note, FORMAT, message).at(entry.offset())
        });
        findings.collect()
    }
}

impl<'a> GameText<'a> {
    fn from_entry(entry: &'a ResEntry) -> Self {
        Self {
            key: entry.name_text(),
            text: decode_cp1251(&entry.data),
        }
    }

    /// The words of the key. An unpaired quote, which one original key begins with, is part of its word.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.key.split(' ').filter(|word| !word.is_empty())
    }
}
