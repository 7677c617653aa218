//! Sources cut into code and prose: what a rule is compared with.

/// A file: pieces of text with the number of their line.
pub struct Text {
    /// Path from the root of the project, with `/`.
    pub path: String,
    /// Comments, string literals and Markdown.
    pub prose: Vec<(usize, String)>,
    /// Everything else.
    pub code: Vec<(usize, String)>,
}

/// Pieces of text with the number of their line.
pub type Pieces = Vec<(usize, String)>;

/// Prose and code of a Rust or WGSL source.
///
/// Comments begin with `//`; block comments are not used in this project. String literals may span lines, and raw ones
/// may contain quotes.
pub fn parts_of_source(source: &str) -> (Pieces, Pieces) {
    let (mut prose, mut code) = (Pieces::new(), Pieces::new());
    let mut rest = source;
    let mut line = 1;
    while !rest.is_empty() {
        let (n_bytes, is_prose) = next_part(rest);
        let part = &rest[..n_bytes];
        let pieces = if is_prose { &mut prose } else { &mut code };
        pieces.extend((line..).zip(part.lines().map(str::to_owned)));
        line += part.matches('\n').count();
        rest = &rest[n_bytes..];
    }
    (prose, code)
}

/// Length of the first part of a source, and whether it is prose.
fn next_part(source: &str) -> (usize, bool) {
    if source.starts_with("//") {
        return (source.find('\n').unwrap_or(source.len()), true);
    }
    if let Some(n_bytes) = string_length(source) {
        return (n_bytes, true);
    }
    // Code, up to the next comment or string. A quote in a character literal begins none.
    let mut n_bytes = 0;
    while n_bytes < source.len() {
        let rest = &source[n_bytes..];
        let is_name = |it: char| it.is_alphanumeric() || it == '_';
        let is_inside_name = source[..n_bytes].ends_with(is_name);
        let is_string = !(is_inside_name && rest.starts_with('r')) && string_length(rest).is_some();
        if n_bytes > 0 && (rest.starts_with("//") || is_string) {
            break;
        }
        let quoted = ["'\"'", "'\\\"'", "'\\''"]
            .iter()
            .find(|it| rest.starts_with(**it));
        let first = rest.chars().next().map_or(1, char::len_utf8);
        n_bytes += quoted.map_or(first, |it| it.len());
    }
    (n_bytes, false)
}

/// Length of the string literal that a source begins with.
fn string_length(source: &str) -> Option<usize> {
    if let Some(raw) = source.strip_prefix('r') {
        let n_hashes = raw.bytes().take_while(|it| *it == b'#').count();
        let end = format!("\"{}", "#".repeat(n_hashes));
        let content = raw[n_hashes..].strip_prefix('"')?;
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

/// The names in a piece of text: runs of letters, digits and underscores.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric() && it != '_')
        .filter(|name| !name.is_empty())
}

/// The words that a name consists of: `sky_color`, `SkyColor` and `SKY_COLOR` have two.
pub fn name_parts(name: &str) -> impl Iterator<Item = &str> {
    name.split('_').flat_map(|part| {
        let mut begins = vec![0];
        let mut before = '_';
        for (at, it) in part.char_indices() {
            if it.is_uppercase() && before.is_lowercase() {
                begins.push(at);
            }
            before = it;
        }
        begins.push(part.len());
        let ranges: Vec<_> = begins.windows(2).map(|it| it[0]..it[1]).collect();
        ranges.into_iter().map(|range| &part[range])
    })
}

#[test]
fn sources_are_cut_into_code_and_prose() {
    let source = "let a = \"b // c\"; // d \"e\nlet f = r#\"g\"h\"#;\nlet i = '\"'; j(\"k\\\"l\")";
    let (prose, code) = parts_of_source(source);
    let text = |pieces: &Pieces| {
        let texts: Vec<String> = pieces
            .iter()
            .map(|(line, it)| format!("{line}{it}"))
            .collect();
        texts.join("|")
    };
    assert_eq!(
        text(&prose),
        "1\"b // c\"|1// d \"e|2r#\"g\"h\"#|3\"k\\\"l\""
    );
    assert_eq!(
        text(&code),
        "1let a = |1; |1|2let f = |2;|3let i = '\"'; j(|3)"
    );
}

#[test]
fn names_are_cut_into_words() {
    let words: Vec<&str> = names("sky_color(SkyColor, SKY_COLOR)")
        .flat_map(name_parts)
        .collect();
    assert_eq!(words, ["sky", "color", "Sky", "Color", "SKY", "COLOR"]);
}
