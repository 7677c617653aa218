//! The words that the project does not use, and what it says instead: the glossary of CONTRIBUTING.md as a test. Reads
//! sources and Markdown only; needs no GPU and no data.
//!
//! A rule holds everywhere but in the folders that it names as not yet clean. When a folder has become clean, delete its
//! name: the rule then holds there, too. [`no_rule_spares_a_clean_folder`] fails as long as one is named without need.

#[path = "words/rules.rs"]
mod rules;
#[path = "words/text.rs"]
mod text;

use rules::{NAMES, PHRASES, Rule, SPELLING};
use std::path::{Path, PathBuf};
use text::{Text, name_parts, names, parts_of_source};

/// All folders and files of the root that are read, but for hidden ones, `target` and binary files.
const ROOTS: [&str; 19] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "assets-loader",
    "benches",
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
    "tests",
    "worlds",
];

/// The list itself. `CHANGELOG.md` is not read either: it names things as they were called at the time.
const LISTS: [&str; 2] = ["tests/words.rs", "tests/words/rules.rs"];

/// A place that breaks a rule.
struct Finding {
    path: String,
    line: usize,
    word: String,
}

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

/// A folder that is clean must not stay on the list of those that are not.
#[test]
fn no_rule_spares_a_clean_folder() {
    let sources = all_texts();
    let mut needless = Vec::new();
    for (rules, find) in [
        (SPELLING, spelling_findings as FindFn),
        (NAMES, name_findings),
        (PHRASES, phrase_findings),
    ] {
        for rule in rules {
            let found: Vec<Finding> = sources.iter().flat_map(|text| find(rule, text)).collect();
            let clean = rule
                .not_yet()
                .filter(|folder| !found.iter().any(|it| it.path.starts_with(folder)));
            needless.extend(clean.map(|folder| format!("{:?}: {folder}", rule.words)));
        }
    }
    assert!(
        needless.is_empty(),
        "clean by now, delete from `not_yet`:\n{}",
        needless.join("\n")
    );
}

type FindFn = fn(&Rule, &Text) -> Vec<Finding>;

fn assert_kept(rules: &[Rule], find: FindFn) {
    let sources = all_texts();
    let mut broken = Vec::new();
    for rule in rules {
        for text in &sources {
            if rule.not_yet().any(|it| text.path.starts_with(it)) {
                continue;
            }
            broken.extend(
                find(rule, text)
                    .into_iter()
                    .map(|it| format!("{}:{}: `{}`, say: {}", it.path, it.line, it.word, rule.say)),
            );
        }
    }
    assert!(
        broken.is_empty(),
        "words that we do not use:\n{}",
        broken.join("\n")
    );
}

/// Words in prose and parts of names, whatever their case: `skyColour` has the part `colour`.
fn spelling_findings(rule: &Rule, text: &Text) -> Vec<Finding> {
    let mut found = Vec::new();
    for (line, part) in text.prose.iter().chain(&text.code) {
        for word in names(part).flat_map(name_parts) {
            let word = word.to_lowercase();
            if rule.words().any(|it| it == word) {
                found.push(text.finding(*line, &word));
            }
        }
    }
    found
}

/// Whole names in code, in the case in which they are listed. Prose may use the same word for something else.
fn name_findings(rule: &Rule, text: &Text) -> Vec<Finding> {
    let mut found = Vec::new();
    for (line, part) in &text.code {
        for name in names(part).filter(|name| rule.words().any(|it| it == *name)) {
            found.push(text.finding(*line, name));
        }
    }
    found
}

/// Words and phrases in comments, string literals and Markdown, whatever their case.
fn phrase_findings(rule: &Rule, text: &Text) -> Vec<Finding> {
    let mut found = Vec::new();
    for (line, part) in &text.prose {
        let part = part.to_lowercase();
        for phrase in rule.words() {
            let is_found = part.match_indices(phrase).any(|(at, _)| {
                let is_letter = |it: char| it.is_alphanumeric() || it == '_';
                !part[..at].ends_with(is_letter)
                    && !part[at + phrase.len()..].starts_with(is_letter)
            });
            if is_found {
                found.push(text.finding(*line, phrase));
            }
        }
    }
    found
}

impl Text {
    fn finding(&self, line: usize, word: &str) -> Finding {
        Finding {
            path: self.path.clone(),
            line,
            word: word.to_owned(),
        }
    }
}

fn all_texts() -> Vec<Text> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut texts = Vec::new();
    for path in ROOTS.iter().flat_map(|it| files_below(&root.join(it))) {
        let relative = path.strip_prefix(&root).expect("below the root");
        let name = relative.to_string_lossy().replace('\\', "/");
        if LISTS.contains(&name.as_str()) {
            continue;
        }
        let content = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (prose, code) = if name.ends_with(".md") {
            (without_glossary(&content), Vec::new())
        } else {
            parts_of_source(&content)
        };
        texts.push(Text {
            path: name,
            prose,
            code,
        });
    }
    assert!(texts.len() > 500, "only {} files were found", texts.len());
    texts
}

/// The lines of a Markdown file. The glossary lists the words that are not used, so it may use them.
fn without_glossary(content: &str) -> Vec<(usize, String)> {
    let mut is_glossary = false;
    let mut lines = Vec::new();
    for (number, line) in content.lines().enumerate() {
        if line.starts_with("## ") {
            is_glossary = line == "## Glossary";
        }
        if !is_glossary {
            lines.push((number + 1, line.to_owned()));
        }
    }
    lines
}

/// All Rust, WGSL and Markdown files below a folder, in a fixed order; a file is below itself.
fn files_below(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let is_text = |path: &PathBuf| {
        let extension = path.extension().and_then(|it| it.to_str());
        path.is_dir() || matches!(extension, Some("rs" | "wgsl" | "md"))
    };
    let entries = std::fs::read_dir(path).expect("a folder of the project");
    let mut paths: Vec<PathBuf> = entries.map(|it| it.expect("an entry").path()).collect();
    paths.retain(|it| is_text(it) && it.file_name().is_some_and(|name| name != "target"));
    paths.sort();
    paths.iter().flat_map(|it| files_below(it)).collect()
}
