//! Texts of the window, the help, messages and errors in the user's language.
//!
//! In: English texts, as the code has them. Out: the same in the language of the moment. Translations are messages of
//! [Fluent](https://projectfluent.org), whose names are made of the English texts; what a language lacks stays English.
//! The language is that of `--language`, or else of the settings, or else the system's.
//!
//! Deliberately absent: texts of files, and results on stdout, which other programs read.

mod lines;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};

/// The Russian texts: of the window, of the help, of the help of worlds, what worlds say in the window, and lines that the
/// program composes.
const RUSSIAN: [&str; 5] = [
    include_str!("words/ru/window.ftl"),
    include_str!("words/ru/help.ftl"),
    include_str!("words/ru/worlds.ftl"),
    include_str!("words/ru/labels.ftl"),
    LINES,
];
const LINES: &str = include_str!("words/ru/lines.ftl");
/// Longest name of a message that is made of the words of its text alone.
const LONGEST_ID: usize = 60;

/// A language of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    English,
    Russian,
}

/// The language of the moment, by its place in [`Language::ALL`].
static LANGUAGE: AtomicU8 = AtomicU8::new(0);
/// The language that was requested for this run, likewise; [`NONE`] where settings decide.
static REQUESTED: AtomicU8 = AtomicU8::new(NONE);
const NONE: u8 = u8::MAX;

impl Language {
    pub const ALL: [Self; 2] = [Self::English, Self::Russian];

    /// What it is called in itself.
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Russian => "Русский",
        }
    }

    /// Its two letters.
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Russian => "ru",
        }
    }

    /// The language of a code such as `ru` or `ru-RU`.
    pub fn from_code(code: &str) -> Option<Self> {
        let code = code.to_lowercase();
        let primary = code.split(['-', '_', '.']).next().unwrap_or_default();
        Self::ALL.into_iter().find(|it| it.code() == primary)
    }

    /// The system's, if it is one of these, else English.
    pub fn from_system() -> Self {
        let locale = sys_locale::get_locale();
        let known = locale.and_then(|locale| Self::from_code(&locale));
        known.unwrap_or(Self::English)
    }
}

impl Language {
    fn place(self) -> u8 {
        let place = Self::ALL.iter().position(|it| *it == self);
        place.unwrap_or(0) as u8
    }
}

/// Requests a language for this run, whatever settings say; `None` leaves it to them.
pub fn request_language(language: Option<Language>) {
    REQUESTED.store(language.map_or(NONE, Language::place), Ordering::Relaxed);
}

/// The language that was requested for this run.
pub fn requested_language() -> Option<Language> {
    let place = usize::from(REQUESTED.load(Ordering::Relaxed));
    Language::ALL.get(place).copied()
}

/// All texts are in this language from now on.
pub fn set_language(language: Language) {
    LANGUAGE.store(language.place(), Ordering::Relaxed);
}

/// The language of the moment.
pub fn language() -> Language {
    let place = usize::from(LANGUAGE.load(Ordering::Relaxed));
    Language::ALL
        .get(place)
        .copied()
        .unwrap_or(Language::English)
}

/// What a world says in the window, in the language of the moment.
pub fn label(text: &str) -> String {
    label_in(language(), text).unwrap_or_else(|| text.to_owned())
}

/// Texts that end with a number are translated with `{n}` in its place.
fn label_in(language: Language, text: &str) -> Option<String> {
    translated(language, text, &[]).or_else(|| {
        let (head, number) = text.rsplit_once(' ')?;
        let number: u32 = number.parse().ok()?;
        translated(language, &format!("{head} {{n}}"), &[("n", number.into())])
    })
}

/// A text in the language of the moment.
pub fn tr(text: &str) -> String {
    translated(language(), text, &[]).unwrap_or_else(|| text.to_owned())
}

/// A text in a language; `None` where that is English, or lacks it.
pub fn tr_in(language: Language, text: &str) -> Option<String> {
    translated(language, text, &[])
}

/// A line that the program composed of a message and values, such as an error with its causes, in the language of the
/// moment.
pub fn line(text: &str) -> String {
    lines::line_in(language(), text)
}

/// As [`line`], in a language, where one message covers all of it.
pub fn line_in(language: Language, text: &str) -> Option<String> {
    lines::whole_line(language, text)
}

/// A text that is translated where it is shown.
pub const fn marked(text: &'static str) -> &'static str {
    text
}

/// A text with values in place of their names in braces.
pub fn tr_with(text: &str, values: &[(&str, FluentValue<'_>)]) -> String {
    translated(language(), text, values).unwrap_or_else(|| filled(text, values))
}

/// The English text with its values.
fn filled(text: &str, values: &[(&str, FluentValue<'_>)]) -> String {
    let mut filled = text.to_owned();
    for (name, value) in values {
        let value = match value {
            FluentValue::String(text) => text.to_string(),
            FluentValue::Number(number) => number.as_string().into_owned(),
            _ => String::new(),
        };
        filled = filled.replace(&format!("{{{name}}}"), &value);
    }
    filled
}

/// The text in a language; `None` where that is English, or lacks it.
fn translated(
    language: Language,
    text: &str,
    values: &[(&str, FluentValue<'_>)],
) -> Option<String> {
    let found = formatted(language, &id_of(text), values)?;
    Some(match text.starts_with(char::is_uppercase) {
        true => capitalized(&found),
        false => found,
    })
}

/// A message of a language with its values; `None` where that is English, or lacks it.
fn formatted(
    language: Language,
    message: &str,
    values: &[(&str, FluentValue<'_>)],
) -> Option<String> {
    let bundle = match language {
        Language::English => return None,
        Language::Russian => russian(),
    };
    let mut args = FluentArgs::new();
    for (name, value) in values {
        args.set((*name).to_owned(), value.clone());
    }
    // What is wrong with a message shows in its text.
    let mut errors = Vec::new();
    let pattern = bundle.get_message(message)?.value()?;
    let found = bundle.format_pattern(pattern, Some(&args), &mut errors);
    Some(found.into_owned())
}

/// A text with its first letter as at the beginning of a sentence.
fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// The name of the message of a text: its letters and digits, with `-` between them, and signs of axes and numbers in
/// words; of a long text its beginning and a checksum of all.
fn id_of(text: &str) -> String {
    let text = text.replace(" +", " plus ").replace(" -X", " minus X");
    let text = text.replace(" -Y", " minus Y").replace(" -Z", " minus Z");
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let mut id = words.join("-").to_lowercase();
    if id.len() > LONGEST_ID {
        let end = id[..LONGEST_ID].rfind('-').unwrap_or(LONGEST_ID);
        id = format!("{}-{:04x}", &id[..end], checksum(&id));
    }
    // Names begin with a letter.
    match id.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        true => id,
        false => format!("n-{id}"),
    }
}

/// FNV-1a, folded to 16 bits.
fn checksum(text: &str) -> u32 {
    let sum = text.bytes().fold(0x811c_9dc5_u32, |sum, byte| {
        (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    (sum >> 16) ^ (sum & 0xffff)
}

fn russian() -> &'static FluentBundle<FluentResource> {
    static BUNDLE: OnceLock<FluentBundle<FluentResource>> = OnceLock::new();
    BUNDLE.get_or_init(|| bundle_of(Language::Russian, &RUSSIAN))
}

fn bundle_of(language: Language, texts: &[&str]) -> FluentBundle<FluentResource> {
    let code = language.code().parse().expect("codes are well-formed");
    let mut bundle = FluentBundle::new_concurrent(vec![code]);
    // Marks of direction around values are for scripts that go to the left; egui shows them as boxes.
    bundle.set_use_isolating(false);
    for text in texts {
        // What can be read of a broken file is used; a test names its errors.
        let resource = match FluentResource::try_new((*text).to_owned()) {
            Ok(resource) | Err((resource, _)) => resource,
        };
        bundle.add_resource_overriding(resource);
    }
    bundle
}

/// Messages of the help that no text of it has.
#[cfg(test)]
pub fn unused_help(texts: &[String]) -> Vec<&'static str> {
    tests::unused(&RUSSIAN[1..3], texts)
}

#[cfg(test)]
mod tests;
