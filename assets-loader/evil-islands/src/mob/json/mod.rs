//! Maps as JSON that people read and change, and back, without loss: any map gives the same bytes again.
//!
//! A node is an object: `node` is its name, or its id as in `0x00012345`; `nodes` are its children, or `value` is what it
//! holds, or `script` its lines with the `key`, or `hex` its bytes where they are not of their type. Each node without
//! children has a line of its own. Text is decoded from CP1251, in which each byte is a character. Floats stand in as
//! few digits as identify them; what JSON has no number for is its bits, as in `"0x7fc00000"`. How a
//! damaged file differs from a valid one is said by `size`, `before` and `trailing`.

mod from_json;
mod problem;
mod to_json;

use thiserror::Error;

use super::Mob;
use ironlands_assets_core::bytes::FormatError;

/// What a file says that it is.
const FORMAT_NAME: &str = "Evil Islands MOB";

/// Why JSON is no map, or a map has no JSON form.
#[derive(Debug, Error)]
pub enum MobJsonError {
    /// The text is no JSON.
    #[error("no JSON: {0}")]
    Syntax(#[from] serde_json::Error),
    /// The JSON is no map.
    #[error("{path}: expected {expected}, found {found}")]
    Unexpected {
        /// Where, from the top of the file down.
        path: String,
        /// What belongs there.
        expected: String,
        /// What was found there.
        found: String,
    },
    /// The map cannot be written as a file either.
    #[error(transparent)]
    Unwritable(#[from] FormatError),
}

impl Mob {
    /// The map as JSON.
    ///
    /// # Errors
    /// The map cannot be written, see [`Self::write`].
    pub fn to_json(&self) -> Result<String, MobJsonError> {
        // Whatever can be written has a JSON form: types go with ids, and depth has its limit.
        self.write()?;
        Ok(to_json::text(self))
    }

    /// The map of a JSON text.
    ///
    /// # Errors
    /// The text is no JSON or no map, or the map cannot be written.
    pub fn from_json(text: &str) -> Result<Self, MobJsonError> {
        let json = serde_json::from_str(text)?;
        let mob = from_json::mob(&json)?;
        mob.write()?;
        Ok(mob)
    }
}
