//! A file cut into code and prose: what the rules are compared with.

/// A file. Lines are counted from 1.
pub struct Text {
    /// Path from the root of the project, with `/`.
    pub path: String,
    /// Lines of comments, string literals and Markdown, in lowercase, with their numbers.
    pub prose: Vec<(usize, String)>,
    /// Everything else, with all line breaks of the file.
    pub code: String,
    /// All words of prose and of names, in lowercase, with their lines.
    pub words: Vec<(usize, String)>,
}

impl Text {
    /// Markdown is prose, without the glossary: it lists the words that are not used.
    pub fn from_markdown(path: String, content: &str) -> Self {
        let mut is_glossary = false;
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(content.lines()) {
            if line.starts_with("## ") {
                is_glossary = line == "## Glossary";
            }
            if !is_glossary {
                lines.push((number, line.to_owned()));
            }
        }
        Self::new(path, lines, String::new())
    }

    /// A Rust or WGSL source.
    ///
    /// Comments begin with `//`; this project uses no block comments. String literals may span lines, and raw ones may
    /// contain quotes. A string of one word is a name, as of a table or a key, and goes with the code.
    pub fn from_source(path: String, content: &str) -> Self {
        let (mut prose, mut code) = (Vec::new(), String::new());
        let mut rest = content;
        let mut line = 1;
        while !rest.is_empty() {
            let (n_bytes, is_prose) = next_part(rest);
            let part = &rest[..n_bytes];
            let n_breaks = part.matches('\n').count();
            if is_prose && !is_name(part) {
                prose.extend((line..).zip(part.lines().map(str::to_owned)));
                code.push_str(&"\n".repeat(n_breaks));
            } else {
                code.push_str(part);
            }
            line += n_breaks;
            rest = &rest[n_bytes..];
        }
        Self::new(path, prose, code)
    }

    fn new(path: String, prose: Vec<(usize, String)>, code: String) -> Self {
        let mut words = Vec::new();
        let code_lines = (1..).zip(code.lines());
        let prose_lines = prose.iter().map(|(number, line)| (*number, line.as_str()));
        for (number, line) in prose_lines.chain(code_lines) {
            let parts = names_in(line).flat_map(words_of_name);
            words.extend(parts.map(|word| (number, word.to_lowercase())));
        }
        let prose = prose.into_iter();
        Self {
            path,
            prose: prose
                .map(|(number, line)| (number, line.to_lowercase()))
                .collect(),
            code,
            words,
        }
    }

    /// The names in code, with their lines.
    pub fn names(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = (1..).zip(self.code.lines());
        lines.flat_map(|(number, line)| names_in(line).map(move |name| (number, name)))
    }
}

/// Whether a part is a string literal of one word.
fn is_name(part: &str) -> bool {
    let content = part.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    content
        .is_some_and(|it| !it.is_empty() && it.chars().all(|it| it.is_alphanumeric() || it == '_'))
}

/// Length of the first part of a source, and whether it is prose.
fn next_part(source: &str) -> (usize, bool) {
    if source.starts_with("//") {
        return (source.find('\n').unwrap_or(source.len()), true);
    }
    if let Some(n_bytes) = string_length(source) {
        return (n_bytes, true);
    }
    // Code, up to the next comment or string. A quote in a character literal begins no string, nor does the last letter
    // of a name.
    let mut n_bytes = 0;
    let mut is_in_name = false;
    while n_bytes < source.len() {
        let rest = &source[n_bytes..];
        let is_string = !(is_in_name && rest.starts_with('r')) && string_length(rest).is_some();
        if rest.starts_with("//") || is_string {
            break;
        }
        let mut literals = ["'\"'", "'\\\"'", "'\\''"].iter();
        let literal = literals.find(|it| rest.starts_with(**it));
        let first = rest.chars().next().unwrap_or_default();
        is_in_name = first.is_alphanumeric() || first == '_';
        n_bytes += literal.map_or(first.len_utf8(), |it| it.len());
    }
    (n_bytes, false)
}

/// Length of the string literal that a source begins with.
fn string_length(source: &str) -> Option<usize> {
    if let Some(raw) = source.strip_prefix('r') {
        let content = raw.trim_start_matches('#').strip_prefix('"')?;
        let n_hashes = raw.len() - content.len() - 1;
        let end = format!("\"{}", "#".repeat(n_hashes));
        let begin = source.len() - content.len();
        return Some(begin + content.find(&end)? + end.len());
    }
    let content = source.strip_prefix('"')?;
    let mut is_escaped = false;
    for (at, it) in content.char_indices() {
        match it {
            '"' if !is_escaped => return Some(1 + at + 1),
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    None
}

/// Runs of letters, digits and underscores.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric() && it != '_')
        .filter(|name| !name.is_empty())
}

/// The words that a name consists of: `sky_color`, `SkyColor` and `SKY_COLOR` have two.
fn words_of_name(name: &str) -> impl Iterator<Item = &str> {
    name.split('_').flat_map(|part| {
        let mut words = Vec::new();
        let mut begin = 0;
        for (at, it) in part.char_indices() {
            if it.is_uppercase() && part[..at].ends_with(char::is_lowercase) {
                words.push(&part[begin..at]);
                begin = at;
            }
        }
        words.push(&part[begin..]);
        words
    })
}

#[test]
fn sources_are_cut_into_code_and_prose() {
    let source =
        "let a = \"b // c\"; // d \"e\nlet f = r#\"g\"h\"#;\nlet i = '\"'; j(\"k\\\"l\"); \"m\"";
    let text = Text::from_source("a.rs".to_owned(), source);
    let prose: Vec<String> = text
        .prose
        .iter()
        .map(|(line, it)| format!("{line} {it}"))
        .collect();
    assert_eq!(
        prose,
        [
            "1 \"b // c\"",
            "1 // d \"e",
            "2 r#\"g\"h\"#",
            "3 \"k\\\"l\""
        ]
    );
    assert_eq!(text.code, "let a = ; \nlet f = ;\nlet i = '\"'; j(); \"m\"");
}

#[test]
fn names_are_cut_into_words() {
    let text = Text::from_source("a.rs".to_owned(), "sky_color(SkyColor, SKY_COLOR)");
    let words: Vec<&str> = text.words.iter().map(|(_, word)| word.as_str()).collect();
    assert_eq!(words, ["sky", "color"].repeat(3));
}

#[test]
fn the_glossary_is_not_read() {
    let page = "# A\n## Glossary\nold words\n## B\nprose";
    let text = Text::from_markdown("a.md".to_owned(), page);
    let lines: Vec<usize> = text.prose.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [1, 4, 5]);
}
