//! Sentences: recordings that are played one after the other, by names that begin with an exclamation mark.
//!
//! In: `scripts/sentences.txt`. Source: Valve's developer wiki, page `Sentences.txt`, which the older engine has as well.

use std::collections::HashMap;

use ironlands_assets_core::bytes::{Finding, Severity};

use crate::game_files::GameFiles;

const FORMAT: &str = "sentences";
const PATH: &str = "scripts/sentences.txt";
/// Folder of words that name none.
const USUAL_FOLDER: &str = "vox/";
/// Most words of a sentence.
const MAX_WORDS: usize = 32;
/// What commas and periods are.
const COMMA: &str = "_comma";
const PERIOD: &str = "_period";

/// Sentences by their names in lower case, without the exclamation mark.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Sentences(HashMap<String, Vec<Word>>);

/// A recording of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Word {
    /// Path of the recording below `sound/`.
    pub wave: String,
    /// How it is played.
    pub effects: WordEffects,
}

/// How a word is played. Parts of recordings and changed lengths are not kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WordEffects {
    /// Share of the loudness of the recording, `0.0..=1.0`.
    pub volume: f32,
    /// Factor of its pitch.
    pub rate: f32,
}

impl Sentences {
    /// All sentences of a game; none where there is no such file.
    pub fn open(files: &GameFiles, findings: &mut Vec<Finding>) -> Self {
        match files.open(PATH) {
            Ok(data) => Self::from_text(&String::from_utf8_lossy(&data.unwrap_or_default())),
            Err(error) => {
                let message = format!("{PATH}: {error}");
                findings.push(Finding::new(Severity::Warning, FORMAT, message));
                Self::default()
            }
        }
    }

    fn from_text(text: &str) -> Self {
        let sentences = text.lines().filter_map(|line| {
            let line = line.split("//").next()?.trim();
            let (name, words) = line.split_once(char::is_whitespace)?;
            // What follows in braces is for subtitles.
            let words = words.split('{').next()?;
            Some((name.to_lowercase(), read_words(words)))
        });
        Self(sentences.collect())
    }

    /// The words of a sentence, whatever the case of its name.
    pub fn get(&self, name: &str) -> Option<&[Word]> {
        let name = name.trim().trim_start_matches('!').to_lowercase();
        self.0.get(&name).map(Vec::as_slice)
    }
}

impl WordEffects {
    const USUAL: Self = Self {
        volume: 1.0,
        rate: 1.0,
    };

    /// With those of letters and percentages, as in `p120 v50`.
    fn with(mut self, text: &str) -> Self {
        for effect in text.split_whitespace() {
            let mut letters = effect.chars();
            let letter = letters.next();
            let Ok(percent) = letters.as_str().parse::<f32>() else {
                continue;
            };
            let share = percent / 100.0;
            match letter {
                Some('v') => self.volume = share.clamp(0.0, 1.0),
                Some('p') => self.rate = share.clamp(0.01, 2.55),
                _ => {}
            }
        }
        self
    }
}

/// Effects in parentheses are those of the word that they follow without a blank, otherwise of all later ones.
fn read_words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut usual = WordEffects::USUAL;
    let mut folder = USUAL_FOLDER.to_owned();
    let mut rest = text.trim_start();
    while !rest.is_empty() && words.len() < MAX_WORDS {
        if let Some((effects, after)) = take_effects(rest) {
            usual = usual.with(effects);
            rest = after.trim_start();
            continue;
        }
        let (word, after) = take_word(rest);
        if let Some((own, _)) = word.rsplit_once('/') {
            folder = format!("{own}/");
        }
        let word = word.rsplit('/').next().unwrap_or(word);
        let (effects, after) = match take_effects(after) {
            Some((effects, after)) => (usual.with(effects), after),
            None => (usual, after),
        };
        words.push(Word {
            wave: format!("{folder}{word}.wav"),
            effects,
        });
        rest = after.trim_start();
    }
    words
}

/// What is in parentheses, and what follows.
fn take_effects(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('(')?;
    Some(inner.split_once(')').unwrap_or((inner, "")))
}

/// A word, and what follows.
fn take_word(text: &str) -> (&str, &str) {
    if let Some(after) = text.strip_prefix(',') {
        return (COMMA, after);
    }
    if let Some(after) = text.strip_prefix('.') {
        return (PERIOD, after);
    }
    let ends = |it: char| it.is_whitespace() || matches!(it, ',' | '.' | '(');
    text.split_at(text.find(ends).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_words_with_folders_pauses_and_effects() {
        let text = "// a comment\n\
            DOOR_SHUT blast door, (p90) shut(v50 e70). now // later\r\n\
            GUARD0 npc/guard/on1(p120) halt! {Len 1.5 closecaption guard}\n\
            EMPTY\n";
        let sentences = Sentences::from_text(text);
        let facts = |name: &str| {
            let words = sentences.get(name)?.iter();
            let facts = words.map(|it| (it.wave.as_str(), it.effects.volume, it.effects.rate));
            Some(facts.collect::<Vec<_>>())
        };
        let expected = [
            ("vox/blast.wav", 1.0, 1.0),
            ("vox/door.wav", 1.0, 1.0),
            ("vox/_comma.wav", 1.0, 1.0),
            ("vox/shut.wav", 0.5, 0.9),
            ("vox/_period.wav", 1.0, 0.9),
            ("vox/now.wav", 1.0, 0.9),
        ];
        assert_eq!(facts("!door_shut").as_deref(), Some(&expected[..]));
        let guard = [
            ("npc/guard/on1.wav", 1.0, 1.2),
            ("npc/guard/halt!.wav", 1.0, 1.0),
        ];
        assert_eq!(facts("Guard0").as_deref(), Some(&guard[..]));
        assert_eq!(facts("EMPTY"), None);
        let many = format!("MANY {}", "la ".repeat(100));
        let many = Sentences::from_text(&many);
        assert_eq!(many.get("many").map(<[_]>::len), Some(MAX_WORDS));
        for odd in ["A (", "A (p", "A x(", "A ()", "A ((((", "A ..,,"] {
            assert!(Sentences::from_text(odd).get("a").is_some(), "{odd}");
        }
    }
}
