//! The window's texts in the user's language.
//!
//! In: English texts, as the code has them. Out: the same in the language of the moment. Translations are messages of
//! [Fluent](https://projectfluent.org), whose names are made of the English texts; what a language lacks stays English.
//!
//! Deliberately absent: texts of files, and of the command line.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};

/// A language of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    English,
    Russian,
}

/// The language of the moment, by its place in [`Language::ALL`].
static LANGUAGE: AtomicU8 = AtomicU8::new(0);

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

/// All texts are in this language from now on.
pub fn set_language(language: Language) {
    let place = Language::ALL.iter().position(|it| *it == language);
    LANGUAGE.store(place.unwrap_or(0) as u8, Ordering::Relaxed);
}

/// The language of the moment.
pub fn language() -> Language {
    let place = usize::from(LANGUAGE.load(Ordering::Relaxed));
    Language::ALL
        .get(place)
        .copied()
        .unwrap_or(Language::English)
}

/// A text in the language of the moment.
pub fn tr(text: &str) -> String {
    translated(language(), text, &[]).unwrap_or_else(|| text.to_owned())
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
    let bundle = match language {
        Language::English => return None,
        Language::Russian => russian(),
    };
    let message = bundle.get_message(&id_of(text))?;
    let mut args = FluentArgs::new();
    for (name, value) in values {
        args.set((*name).to_owned(), value.clone());
    }
    // What is wrong with a message shows in its text.
    let mut errors = Vec::new();
    let found = bundle.format_pattern(message.value()?, Some(&args), &mut errors);
    Some(match text.starts_with(char::is_uppercase) {
        true => capitalized(&found),
        false => found.into_owned(),
    })
}

/// A text with its first letter as at the beginning of a sentence.
fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// The name of the message of a text: its letters and digits, with `-` between them.
fn id_of(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let id = words.join("-").to_lowercase();
    // Names begin with a letter.
    match id.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        true => id,
        false => format!("n-{id}"),
    }
}

fn russian() -> &'static FluentBundle<FluentResource> {
    static BUNDLE: OnceLock<FluentBundle<FluentResource>> = OnceLock::new();
    BUNDLE.get_or_init(|| bundle_of(Language::Russian, include_str!("words/ru.ftl")))
}

fn bundle_of(language: Language, text: &str) -> FluentBundle<FluentResource> {
    let code = language.code().parse().expect("codes are well-formed");
    let mut bundle = FluentBundle::new_concurrent(vec![code]);
    // Marks of direction around values are for scripts that go to the left; egui shows them as boxes.
    bundle.set_use_isolating(false);
    // What can be read of a broken file is used; a test names its errors.
    let resource = match FluentResource::try_new(text.to_owned()) {
        Ok(resource) | Err((resource, _)) => resource,
    };
    bundle.add_resource_overriding(resource);
    bundle
}

#[cfg(test)]
mod tests;
