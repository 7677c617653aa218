//! Texts of parameters to numbers, as the engine reads them: what begins like a number is one, the rest is 0.

use super::look::Transform;

/// No number is spelled longer.
const MAX_NUMBER: usize = 40;

/// The number that a text begins with; 0 if with none.
pub(crate) fn number(text: &str) -> f32 {
    let text = text.trim_start();
    let mut len = 0usize;
    let mut has_digit = false;
    // The longest beginning that is a number; `1e` and `1e+` are 1.
    for (idx, byte) in text.bytes().enumerate().take(MAX_NUMBER) {
        let end = idx.saturating_add(1);
        let is_part = byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
        if !is_part {
            break;
        }
        has_digit |= byte.is_ascii_digit();
        let parses = text
            .get(..end)
            .is_some_and(|number| number.parse::<f32>().is_ok());
        if has_digit && parses {
            len = end;
        }
    }
    let number = text.get(..len).and_then(|number| number.parse().ok());
    number
        .filter(|value: &f32| value.is_finite())
        .unwrap_or(0.0)
}

/// A number that is not zero.
pub(super) fn is_set(text: &str) -> bool {
    number(text) != 0.0
}

/// The numbers of a vector: `[r g b]` as they are, `{r g b}` divided by 255, a number by itself. The closing bracket
/// may be missing.
pub(super) fn vector(text: &str) -> Vec<f32> {
    let text = text.trim();
    let (inner, divisor) = match text.as_bytes().first() {
        Some(b'[') => (text.get(1..), 1.0),
        Some(b'{') => (text.get(1..), 255.0),
        _ => (Some(text), 1.0),
    };
    let inner = inner.unwrap_or_default().trim_end_matches([']', '}']);
    let parts = inner.split(|c: char| c.is_whitespace() || c == ',');
    let parts = parts.filter(|part| !part.is_empty());
    parts.map(|part| number(part) / divisor).collect()
}

/// A color; of a single number all three channels.
pub(super) fn color(text: &str) -> [f32; 3] {
    match vector(text).as_slice() {
        [r, g, b, ..] => [*r, *g, *b],
        [gray] => [*gray; 3],
        _ => [0.0; 3],
    }
}

/// Two numbers; of a single number both.
pub(super) fn pair(text: &str) -> [f32; 2] {
    match vector(text).as_slice() {
        [u, v, ..] => [*u, *v],
        [both] => [*both; 2],
        [] => [0.0; 2],
    }
}

/// `center .5 .5 scale 1 1 rotate 0 translate 0 0`, in any order; what is not named stays. Or a matrix in brackets, row
/// after row, of four columns.
pub(super) fn transform(text: &str) -> Transform {
    if text.trim_start().starts_with('[') {
        return match vector(text).as_slice() {
            [a, b, _, c, d, e, _, f, ..] => Transform([[*a, *b, *c], [*d, *e, *f]]),
            _ => Transform::IDENTITY,
        };
    }
    let [mut center, mut scale, mut translate] = [[0.5; 2], [1.0; 2], [0.0; 2]];
    let mut rotate_deg = 0.0;
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let mut next = || {
            let is_number = |word: &&str| word.starts_with(|c: char| !c.is_ascii_alphabetic());
            words.next_if(is_number).map(number)
        };
        let mut both = |old: [f32; 2]| match next() {
            Some(u) => [u, next().unwrap_or(u)],
            None => old,
        };
        match word.to_ascii_lowercase().as_str() {
            "center" => center = both(center),
            "scale" => scale = both(scale),
            "translate" => translate = both(translate),
            "rotate" => rotate_deg = next().unwrap_or(0.0),
            _ => {}
        }
    }
    Transform::new(center, scale, rotate_deg, translate)
}
