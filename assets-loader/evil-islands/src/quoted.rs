//! Raw bytes of strings and names as readable text, and back without loss.
//!
//! A byte is the character that a code page has for it; what people cannot see or what ends a string is escaped:
//! `\"`, `\\`, `\n`, `\r`, `\t`, and `\x98` for any other byte.

pub use ironlands_assets_core::text::CodePage;

/// The bytes in quotes.
pub(super) fn quote(bytes: &[u8], page: CodePage) -> String {
    let mut text = String::with_capacity(bytes.len().saturating_add(2));
    text.push('"');
    for byte in bytes {
        match *byte {
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            byte => match visible(byte, page) {
                Some(character) => text.push(character),
                None => text.push_str(&format!("\\x{byte:02X}")),
            },
        }
    }
    text.push('"');
    text
}

/// The bytes without quotes; `None` if there is one that needs an escape.
pub(super) fn plain(bytes: &[u8], page: CodePage) -> Option<String> {
    bytes.iter().map(|byte| visible(*byte, page)).collect()
}

/// The character of a byte that people see, and that is that byte again.
fn visible(byte: u8, page: CodePage) -> Option<char> {
    let character = page.decode(byte)?;
    let is_visible = !character.is_control() && page.encode(character) == Some(byte);
    is_visible.then_some(character)
}

/// The bytes of text without escapes; the character that the code page lacks, else.
pub(super) fn bytes_of(text: &str, page: CodePage) -> Result<Vec<u8>, char> {
    let bytes = text.chars().map(|it| page.encode(it).ok_or(it));
    bytes.collect()
}

/// Takes a quoted string off the front of `text`: its bytes, and what follows the closing quote.
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn unquote(text: &str, page: CodePage) -> Result<(Vec<u8>, &str), String> {
    let mut rest = text.strip_prefix('"').ok_or("no quote begins it")?.chars();
    let mut bytes = Vec::new();
    while let Some(character) = rest.next() {
        let byte = match character {
            '"' => return Ok((bytes, rest.as_str())),
            '\\' => unescape(&mut rest)?,
            other => page
                .encode(other)
                .ok_or_else(|| format!("the code page has no {other:?}"))?,
        };
        bytes.push(byte);
    }
    Err("no quote ends it".to_owned())
}

fn unescape(rest: &mut std::str::Chars<'_>) -> Result<u8, String> {
    match rest.next() {
        Some(same @ ('"' | '\\')) => Ok(same as u8),
        Some('n') => Ok(b'\n'),
        Some('r') => Ok(b'\r'),
        Some('t') => Ok(b'\t'),
        Some('x') => {
            let digits: String = rest.by_ref().take(2).collect();
            let is_hex = digits.len() == 2 && digits.bytes().all(|it| it.is_ascii_hexdigit());
            let byte = is_hex.then(|| u8::from_str_radix(&digits, 16).ok());
            byte.flatten()
                .ok_or_else(|| format!("\\x{digits} is no byte"))
        }
        other => Err(format!("no escape is \\{}", other.unwrap_or(' '))),
    }
}

/// The shortest text that is this very number again, always with a point or an exponent; no number, or an endless
/// one, as `float(0x7FC00000)`.
pub(super) fn float(value: f32) -> String {
    match value.is_finite() {
        true => format!("{value:?}"),
        false => format!("float({:#010X})", value.to_bits()),
    }
}

/// What [`float`] wrote; also a number without point.
pub(super) fn parse_float(text: &str) -> Option<f32> {
    if let Some(bits) = text
        .strip_prefix("float(0x")
        .and_then(|it| it.strip_suffix(')'))
    {
        return Some(f32::from_bits(parse_hex_u32(bits)?));
    }
    let is_number = text
        .bytes()
        .all(|it| it.is_ascii_digit() || b"+-.eE".contains(&it));
    let value: f32 = text.parse().ok().filter(|_| is_number)?;
    value.is_finite().then_some(value)
}

/// A number in hexadecimal digits and nothing else.
pub(super) fn parse_hex_u32(digits: &str) -> Option<u32> {
    let is_hex = digits.bytes().all(|it| it.is_ascii_hexdigit());
    is_hex
        .then(|| u32::from_str_radix(digits, 16).ok())
        .flatten()
}

/// Bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// What [`hex`] wrote.
pub(super) fn parse_hex(digits: &str) -> Option<Vec<u8>> {
    let is_hex = digits.bytes().all(|it| it.is_ascii_hexdigit());
    if !is_hex || !digits.len().is_multiple_of(2) {
        return None;
    }
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back_in_either_code_page() {
        let all: Vec<u8> = (0..=255).collect();
        for page in [CodePage::Cp1251, CodePage::Cp866] {
            let text = quote(&all, page);
            assert_eq!(unquote(&text, page), Ok((all.clone(), "")), "{page:?}");
        }
        assert_eq!(
            quote(&[0xC7, 0x98, b'"', 0], CodePage::Cp1251),
            r#""З\x98\"\x00""#
        );
        assert_eq!(quote(&[0x87], CodePage::Cp866), r#""З""#);
        assert_eq!(plain(b"a\0", CodePage::Cp1251), None);
    }

    #[test]
    fn problems_of_strings_are_reported() {
        for (text, reported) in [
            ("a", "no quote begins it"),
            ("\"a", "no quote ends it"),
            ("\"\\q\"", "no escape is \\q"),
            ("\"\\x9\"", "is no byte"),
            ("\"地\"", "has no '地'"),
        ] {
            let problem = unquote(text, CodePage::Cp1251).unwrap_err();
            assert!(problem.contains(reported), "{text}: {problem}");
        }
    }

    #[test]
    fn floats_are_the_same_bits_again() {
        let bits = [
            0,
            0x8000_0000,
            1,
            0x3F80_0000,
            0x7F7F_FFFF,
            0x7F80_0000,
            0xFFC0_0001,
        ];
        for value in bits.map(f32::from_bits) {
            let text = float(value);
            let again = parse_float(&text).unwrap();
            assert_eq!(again.to_bits(), value.to_bits(), "{text}");
            assert!(text.contains(['.', 'e', '(']), "{text}");
        }
        for text in ["nan", "inf", "", "1f", "0x1", "1e99"] {
            assert_eq!(parse_float(text), None, "{text}");
        }
    }

    #[test]
    fn hexadecimal_digits_come_in_pairs() {
        assert_eq!(parse_hex(&hex(&[0, 0xAB])), Some(vec![0, 0xAB]));
        assert_eq!(parse_hex("0"), None);
        assert_eq!(parse_hex("+1"), None);
    }
}
