//! The words that the project does not use, and what it says instead: the glossary of CONTRIBUTING.md as a test. Reads
//! sources and Markdown only; needs no GPU and no data.

#[path = "words/rules.rs"]
mod rules;
#[path = "words/text.rs"]
mod text;

use rules::{CONSTRUCTORS, NAMES, PHRASES, Rule, SPELLING};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use text::Text;

/// The folders and files that are read. `CHANGELOG.md` is not: it calls things by their names of the time.
const ROOTS: [&str; 19] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "assets-loader",
    "benches",
    "bindings",
    "demo",
    "docs",
    "engine",
    "examples",
    "exchange",
    "fuzz",
    "query-bench",
    "renderer",
    "scene",
    "shaders",
    "sim",
    "worlds",
];

/// `tests` is read, too, but for the list itself.
const LISTS: [&str; 2] = ["tests/words.rs", "tests/words/"];

static TEXTS: LazyLock<Vec<Text>> = LazyLock::new(all_texts);

/// A line that breaks a rule, and the word that does.
type Finding = (usize, String);

#[test]
fn spelling_is_american() {
    assert_kept(SPELLING, spelling_findings);
}

#[test]
fn names_are_those_of_the_glossary() {
    assert_kept(NAMES, name_findings);
}

#[test]
fn sentences_use_the_words_of_the_field() {
    assert_kept(PHRASES, phrase_findings);
}

#[test]
fn constructors_are_new_or_from() {
    assert_kept(CONSTRUCTORS, constructor_findings);
}

fn assert_kept(rules: &[Rule], find: fn(&Rule, &Text) -> Vec<Finding>) {
    let mut broken = Vec::new();
    for rule in rules {
        for text in TEXTS.iter() {
            let Text { path, .. } = text;
            let lines = find(rule, text).into_iter();
            broken.extend(
                lines.map(|(line, word)| format!("{path}:{line}: `{word}`, say: {}", rule.say)),
            );
        }
    }
    assert!(broken.is_empty(), "not our words:\n{}", broken.join("\n"));
}

/// Words in prose and parts of names, whatever their case: `skyColour` has the part `colour`.
fn spelling_findings(rule: &Rule, text: &Text) -> Vec<Finding> {
    let is_listed = |word: &str| rule.words().any(|it| it == word);
    let words = text.words.iter();
    words.filter(|(_, word)| is_listed(word)).cloned().collect()
}

/// Whole names in code, in the case in which they are listed. Prose may use the same word for something else.
fn name_findings(rule: &Rule, text: &Text) -> Vec<Finding> {
    let is_listed = |name: &str| rule.words().any(|it| it == name);
    let names = text.names();
    let found = names.filter(|(_, name)| is_listed(name));
    found.map(|(line, name)| (line, name.to_owned())).collect()
}

/// Words and phrases in comments, string literals and Markdown, whatever their case.
fn phrase_findings(rule: &Rule, text: &Text) -> Vec<Finding> {
    let is_letter = |it: char| it.is_alphanumeric() || it == '_';
    let has = |line: &str, phrase: &str| {
        let mut found = line.match_indices(phrase);
        found.any(|(at, _)| {
            !line[..at].ends_with(is_letter) && !line[at + phrase.len()..].starts_with(is_letter)
        })
    };
    let mut found = Vec::new();
    for (number, line) in &text.prose {
        let phrases = rule.words().filter(|phrase| has(line, phrase));
        found.extend(phrases.map(|phrase| (*number, phrase.to_owned())));
    }
    found
}

/// Associated functions that return `Self`, take none, and whose name begins with one of the words.
fn constructor_findings(rule: &Rule, text: &Text) -> Vec<Finding> {
    let mut found = Vec::new();
    for (at, _) in text.code.match_indices("fn ") {
        let signature = signature_in(&text.code[at + "fn ".len()..]);
        let name = signature.split(['(', '<']).next().unwrap_or_default();
        let is_listed = rule.words().any(|it| {
            let rest = name.strip_prefix(it);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
        });
        let (arguments, result) = signature.split_once("->").unwrap_or((signature, ""));
        let makes_self = result.contains("Self") && !arguments.contains("self");
        if is_listed && makes_self {
            let line = text.code[..at].matches('\n').count() + 1;
            found.push((line, name.to_owned()));
        }
    }
    found
}

/// A signature without the body that follows it. The `;` in the type of an array does not end it.
fn signature_in(code: &str) -> &str {
    let mut n_open = 0;
    let end = code.find(|it| {
        match it {
            '[' => n_open += 1,
            ']' => n_open -= 1,
            _ => (),
        }
        n_open == 0 && matches!(it, '{' | ';')
    });
    code[..end.unwrap_or(code.len())].trim_end()
}

fn all_texts() -> Vec<Text> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut texts = Vec::new();
    let roots = ROOTS.into_iter().chain(["tests"]);
    for path in roots.flat_map(|it| files_below(&root.join(it))) {
        let name = path.strip_prefix(&root).expect("below the root");
        let name = name.to_string_lossy().replace('\\', "/");
        if LISTS.iter().any(|it| name.starts_with(it)) {
            continue;
        }
        let content = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        texts.push(if name.ends_with(".md") {
            Text::from_markdown(name, &content)
        } else {
            Text::from_source(name, &content)
        });
    }
    assert!(texts.len() > 500, "only {} files were found", texts.len());
    texts
}

/// All Rust, WGSL and Markdown files below a folder, in a fixed order; a file is below itself.
fn files_below(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let is_read = |path: &PathBuf| {
        let extension = path.extension().and_then(|it| it.to_str());
        let is_ours = path.is_dir() && !path.ends_with("target");
        is_ours || matches!(extension, Some("rs" | "wgsl" | "md"))
    };
    let entries = std::fs::read_dir(path).expect("a folder of the project");
    let mut paths: Vec<PathBuf> = entries.map(|it| it.expect("an entry").path()).collect();
    paths.retain(is_read);
    paths.sort();
    paths.iter().flat_map(|it| files_below(it)).collect()
}

#[test]
fn arrays_do_not_end_signatures() {
    let whole = "of(a: [u8; 4]) -> Self";
    assert_eq!(signature_in(&format!("{whole} {{ b }}")), whole);
    assert_eq!(signature_in(&format!("{whole};")), whole);
}
