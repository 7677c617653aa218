//! Every text of the window has its translation, and no translation is left over.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::assets::format::FileKind;
use crate::input::every_help;
use crate::renderer::SurfaceView;
use crate::view_options::Feature;

const RUSSIAN: &str = include_str!("ru.ftl");

/// Calls whose first text, or whose text after this beginning, is shown.
const CALLS: [&str; 5] = ["tr(", "tr_with(", "with_key(", "row(ui, ", "marked("];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
}

/// The texts that calls in a source show.
fn texts_in(source: &str) -> BTreeSet<String> {
    let source = source.split("#[cfg(test)]\nmod tests {").next();
    let source = source.unwrap_or_default();
    let mut texts = BTreeSet::new();
    for call in CALLS {
        for (place, _) in source.match_indices(call) {
            let is_name = source[..place].ends_with(|it: char| it.is_alphanumeric() || it == '_');
            let rest = source[place + call.len()..].trim_start();
            if let Some(text) = rest.strip_prefix('"')
                && !is_name
            {
                let text = text.split('"').next().unwrap_or_default();
                texts.insert(text.to_owned());
            }
        }
    }
    texts
}

/// All texts of the window.
fn all_texts() -> BTreeSet<String> {
    let mut files = vec![PathBuf::from("engine/hud.rs")];
    sources(Path::new("engine/hud"), &mut files);
    sources(Path::new("engine/window"), &mut files);
    let mut texts: BTreeSet<String> = files
        .iter()
        .flat_map(|file| texts_in(&fs::read_to_string(file).unwrap()))
        .collect();
    texts.extend(Feature::ALL.map(|feature| feature.label().to_owned()));
    texts.extend(FileKind::ALL.map(|kind| kind.name().to_owned()));
    texts.extend(SurfaceView::ALL.map(|view| view.name().to_owned()));
    texts.extend(every_help().map(str::to_owned));
    texts
}

#[test]
fn every_text_has_a_translation_and_every_translation_a_text() {
    let (_, errors) = match FluentResource::try_new(RUSSIAN.to_owned()) {
        Ok(resource) => (resource, Vec::new()),
        Err(broken) => broken,
    };
    assert!(errors.is_empty(), "{errors:?}");
    let lines = RUSSIAN.lines().filter(|line| !line.starts_with(['#', ' ']));
    let ids: Vec<_> = lines
        .filter_map(|line| Some(line.split_once(" =")?.0))
        .collect();
    let known: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(known.len(), ids.len(), "a name twice");
    let texts = all_texts();
    let wanted: BTreeSet<String> = texts.iter().map(|text| id_of(text)).collect();
    let missing: Vec<_> = texts
        .iter()
        .filter(|text| !known.contains(&*id_of(text)))
        .collect();
    assert!(missing.is_empty(), "without a translation: {missing:#?}");
    let unused: Vec<_> = known.iter().filter(|id| !wanted.contains(**id)).collect();
    assert!(unused.is_empty(), "without a text: {unused:#?}");
}

#[test]
fn texts_are_found_by_their_words_and_filled_with_values() {
    assert_eq!(id_of("Back to {name} (Esc)"), "back-to-name-esc");
    assert_eq!(id_of("2 columns"), "n-2-columns");
    let values = [("name", FluentValue::from("Map01"))];
    let text = "Back to {name} (Esc)";
    assert_eq!(tr_with(text, &values), "Back to Map01 (Esc)");
    let russian = translated(Language::Russian, text, &values).unwrap();
    assert!(
        russian.contains("Map01") && !russian.contains("Back"),
        "{russian}"
    );
    assert_eq!(
        translated(Language::Russian, "nothing like this", &[]),
        None
    );
    let files = |n: usize| {
        let values = [("n", FluentValue::from(n))];
        translated(Language::Russian, "{n} findings", &values).unwrap()
    };
    assert_eq!(files(1), "1 замечание");
    assert_eq!(files(3), "3 замечания");
    assert_eq!(files(11), "11 замечаний");
}

#[test]
fn languages_go_by_their_codes() {
    for (code, language) in [
        ("ru", Some(Language::Russian)),
        ("ru_RU.UTF-8", Some(Language::Russian)),
        ("RU-by", Some(Language::Russian)),
        ("en-US", Some(Language::English)),
        ("de-DE", None),
        ("", None),
    ] {
        assert_eq!(Language::from_code(code), language, "{code}");
    }
}
