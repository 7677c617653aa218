//! Every text of the window has its translation, and no translation is left over.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::assets::format::FileKind;
use crate::cli::view_of;
use crate::commands::fly::load;
use crate::input::every_help;
use crate::library::Library;
use crate::playback::LevelPlay;
use crate::renderer::SurfaceView;
use crate::settings::Settings;
use crate::view_options::Feature;
use crate::window::Loaded;

/// Calls whose first text, or whose text after this beginning, is shown.
const CALLS: [&str; 8] = [
    "tr(",
    "tr_with(",
    "with_key(",
    "key(",
    "row(ui, ",
    "marked(",
    "own(language, ",
    "with(",
];

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
    sources(Path::new("engine/cli"), &mut files);
    sources(Path::new("engine/gamepad"), &mut files);
    files.extend(["engine/error.rs", "engine/dialogs.rs"].map(PathBuf::from));
    let mut texts: BTreeSet<String> = files
        .iter()
        .flat_map(|file| texts_in(&fs::read_to_string(file).unwrap()))
        .collect();
    texts.extend(Feature::ALL.map(|feature| feature.label().to_owned()));
    texts.extend(FileKind::ALL.map(|kind| kind.name().to_owned()));
    texts.extend(SurfaceView::ALL.map(|view| view.name().to_owned()));
    let plays = LevelPlay::ALL.iter().flat_map(|it| [it.name(), it.label()]);
    texts.extend(plays.map(str::to_owned));
    texts.extend(every_help().map(str::to_owned));
    texts
}

/// The names of the messages of some files.
fn ids(files: &[&'static str]) -> Vec<&'static str> {
    let lines = files.iter().flat_map(|file| file.lines());
    let lines = lines.filter(|line| !line.starts_with(['#', ' ']));
    lines
        .filter_map(|line| Some(line.split_once(" =")?.0))
        .collect()
}

/// The names of messages that no text has.
pub fn unused(files: &[&'static str], texts: &[String]) -> Vec<&'static str> {
    let wanted: BTreeSet<String> = texts.iter().map(|text| id_of(text)).collect();
    let ids = ids(files).into_iter();
    ids.filter(|id| !wanted.contains(*id)).collect()
}

#[test]
fn all_messages_are_well_formed_and_named_once() {
    for file in RUSSIAN {
        if let Err((_, errors)) = FluentResource::try_new(file.to_owned()) {
            panic!("{errors:?}");
        }
    }
    let all = ids(&RUSSIAN);
    let once: BTreeSet<_> = all.iter().collect();
    assert_eq!(once.len(), all.len(), "a name twice");
}

#[test]
fn every_text_has_a_translation_and_every_translation_of_the_window_a_text() {
    let texts: Vec<_> = all_texts().into_iter().collect();
    let missing: Vec<_> = texts
        .iter()
        .filter(|text| tr_in(Language::Russian, text).is_none())
        .collect();
    assert!(missing.is_empty(), "without a translation: {missing:#?}");
    let unused = unused(&RUSSIAN[..1], &texts);
    assert!(unused.is_empty(), "without a text: {unused:#?}");
}

/// Macros, attributes and calls whose text is a line that the program composes.
const LINE_CALLS: [&str; 6] = [
    "#[error(",
    "log::info!(",
    "log::warn!(",
    "log::error!(",
    "show_message(format!(",
    "show_message(",
];

/// What is said in lines, with an example in place of each value.
fn lines_in(source: &str) -> BTreeSet<String> {
    let source = source.split("#[cfg(test)]\nmod tests {").next();
    let source = source.unwrap_or_default();
    let mut lines = BTreeSet::new();
    for call in LINE_CALLS {
        for (place, _) in source.match_indices(call) {
            let rest = source[place + call.len()..].trim_start();
            let Some(text) = rest.strip_prefix('"') else {
                continue;
            };
            let text = text.split('"').next().unwrap_or_default();
            let mut parts = text.split('{');
            let mut line = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                line.push('7');
                line.push_str(part.split_once('}').map_or("", |(_, behind)| behind));
            }
            // Of values alone, or of an error and its cause.
            if line.contains(char::is_alphabetic) && !line.contains("\\n") {
                lines.insert(line);
            }
        }
    }
    lines
}

#[test]
fn every_line_that_the_program_composes_has_a_translation() {
    let mut files = Vec::new();
    sources(Path::new("engine"), &mut files);
    sources(Path::new("worlds/kind/src"), &mut files);
    let lines: BTreeSet<String> = files
        .iter()
        .flat_map(|file| lines_in(&fs::read_to_string(file).unwrap()))
        .collect();
    assert!(lines.len() > 80, "{}", lines.len());
    let missing: Vec<_> = lines
        .iter()
        .filter(|line| lines::line_in(Language::Russian, line) == **line)
        .collect();
    assert!(missing.is_empty(), "without a translation: {missing:#?}");
}

/// Labels of facts that worlds know of a place.
fn labels() -> BTreeSet<String> {
    let mut files = Vec::new();
    for folder in ["worlds", "sim/world/src", "engine"] {
        sources(Path::new(folder), &mut files);
    }
    let mut labels = BTreeSet::new();
    for file in files {
        let source = fs::read_to_string(file).unwrap();
        let source = source.split("#[cfg(test)]\nmod tests {").next();
        let calls = source.unwrap_or_default().split("Fact::new(").skip(1);
        let literals = calls.filter_map(|call| call.trim_start().strip_prefix('"'));
        labels.extend(literals.filter_map(|it| Some(it.split_once('"')?.0.to_owned())));
    }
    labels
}

/// Names and legends of the overlays of the demo's levels, and of what their land is colored by.
fn overlay_texts() -> BTreeSet<String> {
    let registry = crate::worlds::registry();
    let mut library = Library::from_folder(&registry, Path::new("DATA"));
    while library.is_searching() {
        library.update();
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let mut texts = BTreeSet::new();
    for entry in library.shelves().iter().flat_map(|shelf| &shelf.entries) {
        let view = view_of(&entry.path, &registry);
        let Loaded { level, .. } = load(&view, &registry, &Settings::default(), None).unwrap();
        let overlays = level.scene.overlays.iter();
        let overlays = overlays.map(|overlay| (&overlay.name, &overlay.legend));
        let colorings = level.scene.tiles.iter().flat_map(|tiles| &tiles.color_by);
        let colorings = colorings.map(|color_by| (&color_by.name, &color_by.legend));
        for (name, legend) in overlays.chain(colorings) {
            texts.insert(name.clone());
            texts.extend(legend.iter().map(|entry| entry.text.clone()));
        }
    }
    texts
}

#[test]
fn what_worlds_say_in_the_window_has_a_translation() {
    /// Names that files give.
    const OF_FILES: [&str; 2] = ["Garrison", "Raiders"];
    let texts: Vec<_> = labels().into_iter().chain(overlay_texts()).collect();
    assert!(texts.len() > 60, "{}", texts.len());
    let missing: BTreeSet<_> = texts
        .iter()
        .filter(|text| !OF_FILES.contains(&&***text))
        .filter(|text| label_in(Language::Russian, text).is_none())
        .collect();
    let numbered = label_in(Language::Russian, "path 7");
    assert_eq!(numbered.as_deref(), Some("путь 7"));
    assert!(missing.is_empty(), "without a translation: {missing:#?}");
}

#[test]
fn lines_are_found_by_their_patterns_and_causes_one_by_one() {
    let russian = |line: &str| lines::line_in(Language::Russian, line);
    for (english, expected) in [
        (
            "cannot put the level Map01 on the graphics device: tea",
            "не удалось разместить уровень Map01 в памяти видеокарты: tea",
        ),
        (
            "cannot open the level: maps/x does not exist",
            "не удалось открыть уровень: maps/x не существует",
        ),
        (
            "nothing written: out/d cannot be written: no space",
            "ничего не записано: не удалось записать out/d: no space",
        ),
        (
            "--lod does nothing here: there is no window",
            "--lod здесь ни на что не влияет: окна нет",
        ),
        ("nothing like this", "nothing like this"),
    ] {
        assert_eq!(russian(english), expected);
    }
    assert_eq!(lines::line_in(Language::English, "stopped"), "stopped");
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
