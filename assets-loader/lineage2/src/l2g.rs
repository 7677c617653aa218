//! `X_Y.l2g`: an `.l2j` under a running key. Dossier section 2.5.
//!
//! The key word is big-endian. Each byte is hidden by the plain byte before it, the first by the key. `.l2s` mixes
//! the address of a licensee into the key; such files do not begin with a block type, and are refused.

#[cfg(test)]
mod tests;

use super::flat::FlatRule;
use super::l2j::L2j;
use super::region::Region;
use super::{RegionId, Tolerance};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Writer};

const FORMAT: &str = "l2g";

/// Bytes before the hidden `.l2j`.
const KEY_SIZE: u64 = 4;

/// A key of this value hides nothing.
const PLAIN_KEY: u32 = 0x8141_41AB;

/// An `.l2j` and the key that it is stored under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct L2g {
    /// Any number; [`L2g::PLAIN`] hides nothing.
    pub key: u32,
    /// What is hidden.
    pub l2j: L2j,
}

impl L2g {
    /// The key that hides nothing.
    pub const PLAIN: u32 = PLAIN_KEY;

    /// Reads a whole file; `id` is from its name.
    pub fn read(id: RegionId, data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(id, data, Tolerance::STRICT)
    }

    /// Reads a whole file, with leniency.
    pub fn read_with(id: RegionId, data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let key = u32::from_be_bytes(r.array("key")?);
        let at = r.clone();
        let plain = show(key, r.rest());
        if plain.first().is_some_and(|&kind| kind > 2) {
            return Err(at.unexpected(
                "first block type",
                "0, 1 or 2 under the key",
                "another: a wrong key, or an .l2s that is locked to its owner",
            ));
        }
        let mut body = Reader::nested(FORMAT, &plain, at.offset());
        let l2j = L2j::take(&mut body, id, tolerance)?;
        Ok(Self { key, l2j })
    }

    /// A file of any region under a key.
    pub fn from_region(region: &Region, rule: FlatRule, key: u32) -> Self {
        Self {
            key,
            l2j: L2j::from_region(region, rule),
        }
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// As in [`L2j::write`].
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { key, l2j } = self;
        let mut w = Writer::new(FORMAT);
        w.bytes(&key.to_be_bytes());
        w.bytes(&hide(*key, &l2j.write()?));
        Ok(w.finish())
    }

    /// What the document calls unusual (section 8).
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = self.l2j.check();
        for finding in &mut findings {
            finding.format = FORMAT;
            finding.offset = finding.offset.map(|offset| offset.saturating_add(KEY_SIZE));
        }
        findings
    }
}

/// The byte that hides the first one; `None` if nothing is hidden.
fn first_mask(key: u32) -> Option<u8> {
    let mixed = PLAIN_KEY ^ key;
    let bytes = mixed.to_be_bytes();
    (mixed != 0).then(|| bytes.into_iter().fold(0, |mask, byte| mask ^ byte))
}

fn show(key: u32, hidden: &[u8]) -> Vec<u8> {
    let Some(mut mask) = first_mask(key) else {
        return hidden.to_vec();
    };
    let plain = hidden.iter().map(|byte| {
        mask ^= byte;
        mask
    });
    plain.collect()
}

fn hide(key: u32, plain: &[u8]) -> Vec<u8> {
    let Some(mut mask) = first_mask(key) else {
        return plain.to_vec();
    };
    let hidden = plain.iter().map(|&byte| {
        let hidden = byte ^ mask;
        mask = byte;
        hidden
    });
    hidden.collect()
}
