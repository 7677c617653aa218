//! Words and marks of a script, without its comments.

/// A word or mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind,
    pub(super) text: &'a str,
    /// From 1.
    pub(super) line: usize,
    pub(super) is_first_of_line: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// `[#A-Za-z][#_A-Za-z0-9-]*`
    Name,
    Open,
    Close,
    Colon,
    /// Strings, numbers and all other marks.
    Other,
}

/// All tokens of a text, and the lines of strings that are not closed: such a string ends with its line.
pub(super) fn tokens(text: &str) -> (Vec<Token<'_>>, Vec<usize>) {
    let mut tokens = Vec::new();
    let mut open_strings = Vec::new();
    for (idx, line_text) in text.lines().enumerate() {
        let line = idx.saturating_add(1);
        let mut is_first_of_line = true;
        let mut rest = line_text.trim_start();
        while !rest.is_empty() && !rest.starts_with("//") {
            let (kind, len) = match string_len(rest) {
                Some((len, is_closed)) => {
                    if !is_closed {
                        open_strings.push(line);
                    }
                    (TokenKind::Other, len)
                }
                None => mark_or_word(rest),
            };
            let (text, after) = rest.split_at(len);
            tokens.push(Token {
                kind,
                text,
                line,
                is_first_of_line,
            });
            is_first_of_line = false;
            rest = after.trim_start();
        }
    }
    (tokens, open_strings)
}

/// Length of the string at the start of a text, and whether it is closed.
fn string_len(text: &str) -> Option<(usize, bool)> {
    let inside = text.strip_prefix('"')?;
    Some(match inside.find('"') {
        Some(len) => (len.saturating_add(2), true),
        None => (text.len(), false),
    })
}

/// Kind and length of what is at the start of a text, which is not empty.
fn mark_or_word(text: &str) -> (TokenKind, usize) {
    let first = text.chars().next().unwrap_or_default();
    let kind = match first {
        '(' => TokenKind::Open,
        ')' => TokenKind::Close,
        ':' => TokenKind::Colon,
        '#' | 'A'..='Z' | 'a'..='z' => TokenKind::Name,
        _ => TokenKind::Other,
    };
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || ['#', '_', '-'].contains(&c);
    let len = match kind {
        TokenKind::Name => text.find(|c| !is_in_name(c)).unwrap_or(text.len()),
        _ => first.len_utf8(),
    };
    (kind, len)
}
