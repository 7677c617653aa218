//! The script of a level and its cipher.
//!
//! Document: Evil Islands dossier, section 11.6. Any key works, and the same steps encrypt and decrypt.

use std::borrow::Cow;

use super::edit::{EditError, encode};
use ironlands_assets_core::text::decode_cp1251;

/// Of the generator of the Microsoft C runtime, which the cipher runs on.
const MULTIPLIER: u32 = 214_013;
const INCREMENT: u32 = 2_531_011;

/// A script: its text, and the key that it is encrypted with in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    /// Where the cipher begins. Stored in plain.
    pub key: u32,
    /// CP1251 with CR LF, decrypted.
    pub text: Vec<u8>,
}

impl Script {
    /// The script of stored bytes.
    pub(super) fn decrypt(key: u32, cipher: &[u8]) -> Self {
        let text = crypt(key, cipher).collect();
        Self { key, text }
    }

    /// The bytes to be stored behind the key.
    pub fn encrypted(&self) -> Vec<u8> {
        crypt(self.key, &self.text).collect()
    }

    /// The text, decoded.
    pub fn to_text(&self) -> Cow<'_, str> {
        decode_cp1251(&self.text)
    }

    /// Replaces the text; the key stays. Line ends become CR LF.
    ///
    /// # Errors
    /// Characters that CP1251 lacks; then nothing is changed.
    pub fn set_text(&mut self, text: &str) -> Result<(), EditError> {
        let lines = text.split('\n');
        let lines = lines.map(|line| line.strip_suffix('\r').unwrap_or(line));
        self.text = encode(&lines.collect::<Vec<_>>().join("\r\n"))?;
        Ok(())
    }
}

/// Each byte with the next byte of the generator laid over it.
fn crypt(key: u32, bytes: &[u8]) -> impl Iterator<Item = u8> {
    let mut state = key;
    bytes.iter().map(move |byte| {
        state = state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT);
        let [_, _, mask, _] = state.to_le_bytes();
        byte ^ mask
    })
}
