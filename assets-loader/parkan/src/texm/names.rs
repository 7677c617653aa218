//! Texture names and the palette banks that their suffixes name (dossier section 9.3).

use thiserror::Error;

/// A texture name that the original refuses with `Bad texture name.`: no dot at positions 0 to 16.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("Bad texture name: \"{}\" has no dot in its first 17 bytes", name.escape_ascii())]
pub struct BadTextureName {
    /// The name.
    pub name: Vec<u8>,
}

/// A palette of `Palettes.lib`: one of `A.PAL`, `A0.PAL` .. `A9.PAL`, `B.PAL` .. `Z9.PAL`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PaletteBank(u16);

impl PaletteBank {
    const BANKS_PER_LETTER: u16 = 11;
    const N_BANKS: u16 = 26 * Self::BANKS_PER_LETTER;

    /// Number of the bank, `0..286`.
    pub const fn index(self) -> u16 {
        self.0
    }

    /// Name of the bank's entry in `Palettes.lib`.
    pub fn entry_name(self) -> String {
        // The quotient is below 26 by the type's invariant.
        let letter = char::from(b'A'.saturating_add((self.0 / Self::BANKS_PER_LETTER) as u8));
        match (self.0 % Self::BANKS_PER_LETTER).checked_sub(1) {
            None => format!("{letter}.PAL"),
            Some(digit) => format!("{letter}{digit}.PAL"),
        }
    }
}

/// The palette bank that a texture name's suffix names: after the dot a letter and perhaps a digit.
///
/// Stock names such as `NAME.0` name none.
///
/// # Errors
/// A name without a dot at positions 0 to 16.
pub fn palette_bank(name: &[u8]) -> Result<Option<PaletteBank>, BadTextureName> {
    let Some(dot) = name.iter().take(17).position(|byte| *byte == b'.') else {
        return Err(BadTextureName {
            name: name.to_vec(),
        });
    };
    let mut suffix = name.iter().skip(dot.saturating_add(1));
    let letter = suffix.next().copied().unwrap_or(0).to_ascii_uppercase();
    let digit = match suffix.next() {
        Some(digit @ b'0'..=b'9') => u16::from(digit.saturating_sub(b'0')).saturating_add(1),
        _ => 0,
    };
    // Below 'A' the original's index is negative: no bank. Above 'Z' it reads past its table: none either.
    let letter = letter.checked_sub(b'A').map(u16::from);
    let index = letter.map(|letter| {
        letter
            .saturating_mul(PaletteBank::BANKS_PER_LETTER)
            .saturating_add(digit)
    });
    Ok(index
        .filter(|index| *index < PaletteBank::N_BANKS)
        .map(PaletteBank))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_name_banks() {
        let bank = |name: &str| palette_bank(name.as_bytes()).unwrap();
        let index_and_name = |name| bank(name).map(|bank| (bank.index(), bank.entry_name()));
        assert_eq!(index_and_name("L05.0"), None);
        assert_eq!(index_and_name("L05."), None);
        assert_eq!(index_and_name("X.a"), Some((0, "A.PAL".to_owned())));
        assert_eq!(index_and_name("X.A0"), Some((1, "A0.PAL".to_owned())));
        assert_eq!(index_and_name(".B9x"), Some((21, "B9.PAL".to_owned())));
        assert_eq!(index_and_name("X.Z9"), Some((285, "Z9.PAL".to_owned())));
        assert_eq!(index_and_name("X.[0"), None);
        assert_eq!(index_and_name("X.\u{7f}"), None);
    }

    #[test]
    fn names_need_a_dot_in_time() {
        assert!(palette_bank(b"0123456789abcdef.A").is_ok());
        assert!(palette_bank(b"0123456789abcdefg.A").is_err());
        assert!(palette_bank(b"").is_err());
    }
}
