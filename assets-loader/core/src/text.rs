//! Names and text as the old games store them: CP1251, ASCII case folding, fixed-size fields.
//!
//! Names compare with `A..Z` folded to `a..z` and every other byte as it is; human text is Windows-1251; a fixed-size
//! string ends at its first NUL and what follows is kept (Parkan dossier, sections 1.4 and 2.3; Evil Islands dossier,
//! sections 0.2 and 1.4).

use std::borrow::Cow;

use encoding_rs::{Encoding, IBM866, WINDOWS_1251};

/// Decodes CP1251. Every byte has a meaning or becomes U+FFFD; keep the raw bytes beside the text.
pub fn decode_cp1251(bytes: &[u8]) -> Cow<'_, str> {
    WINDOWS_1251.decode_without_bom_handling(bytes).0
}

/// Encodes to CP1251; `None` if a character has no code there.
pub fn encode_cp1251(text: &str) -> Option<Vec<u8>> {
    let (bytes, _, unmappable) = WINDOWS_1251.encode(text);
    (!unmappable).then(|| bytes.into_owned())
}

/// The code page that bytes are shown in. Both have one character for each byte.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CodePage {
    /// That of Windows, which the Russian games use.
    #[default]
    Cp1251,
    /// That of DOS, which the author of the best known tools tried first.
    Cp866,
}

impl CodePage {
    fn encoding(self) -> &'static Encoding {
        match self {
            Self::Cp1251 => WINDOWS_1251,
            Self::Cp866 => IBM866,
        }
    }

    /// The character of a byte.
    pub fn decode(self, byte: u8) -> Option<char> {
        let bytes = [byte];
        let (text, _) = self.encoding().decode_without_bom_handling(&bytes);
        text.chars().next()
    }

    /// The byte of a character.
    pub fn encode(self, character: char) -> Option<u8> {
        let mut buffer = [0; 4];
        let (bytes, _, is_unmappable) = self.encoding().encode(character.encode_utf8(&mut buffer));
        match (is_unmappable, &*bytes) {
            (false, [byte]) => Some(*byte),
            _ => None,
        }
    }
}

/// The part of a fixed-size string before its first NUL, or all of it.
pub fn until_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// A name as a fixed-size field, zero-filled; `None` if it holds a NUL or is longer than `max_len`.
pub fn fixed_name<const N: usize>(name: &[u8], max_len: usize) -> Option<[u8; N]> {
    if name.len() > max_len.min(N) || name.contains(&0) {
        return None;
    }
    let mut field = [0; N];
    for (target, byte) in field.iter_mut().zip(name) {
        *target = *byte;
    }
    Some(field)
}

/// Order of two names as the original compares them: ASCII letters folded, bytes from 0x80 on as they are.
pub fn cmp_names(a: &[u8], b: &[u8]) -> std::cmp::Ordering {
    let fold = u8::to_ascii_lowercase;
    a.iter().map(fold).cmp(b.iter().map(fold))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fold_ascii_only() {
        assert!(cmp_names(b"LAND.MSH", b"land.msh").is_eq());
        // 0xC0 and 0xE0 are the capital and small letter A of CP1251.
        assert!(cmp_names(&[0xC0], &[0xE0]).is_ne());
    }

    #[test]
    fn cyrillic_goes_both_ways() {
        let bytes = [0xC7, 0xE5, 0xEC, 0xEB, 0xFF];
        assert_eq!(decode_cp1251(&bytes), "Земля");
        assert_eq!(encode_cp1251("Земля").as_deref(), Some(&bytes[..]));
        assert_eq!(encode_cp1251("地"), None);
    }

    #[test]
    fn fixed_names_end_at_nul_or_fill_the_field() {
        assert_eq!(until_nul(b"AB\0garbage"), b"AB");
        assert_eq!(until_nul(b"full"), b"full");
        assert_eq!(fixed_name::<4>(b"AB", 3), Some(*b"AB\0\0"));
        assert_eq!(fixed_name::<4>(b"ABCD", 3), None);
        assert_eq!(fixed_name::<4>(b"A\0", 3), None);
    }
}
