//! A hash of what files hold: eight bytes at a time, under a key that no file knows.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Makes hashers with one key of its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContentHash {
    key: u64,
}

/// Multiplies and folds.
pub(super) struct ContentHasher(u64);

const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

impl Default for ContentHash {
    fn default() -> Self {
        Self {
            key: RandomState::new().hash_one(ODD),
        }
    }
}

impl BuildHasher for ContentHash {
    type Hasher = ContentHasher;

    #[inline]
    fn build_hasher(&self) -> ContentHasher {
        ContentHasher(self.key)
    }
}

impl Hasher for ContentHasher {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        for &word in words {
            self.write_u64(u64::from_le_bytes(word));
        }
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        // Both halves of the product, so that every bit reaches every other.
        let product = u128::from(self.0 ^ number) * u128::from(ODD);
        self.0 = (product as u64 ^ (product >> 64) as u64).wrapping_add(ODD);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}
