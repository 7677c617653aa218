//! The formats of Parkan, for all that iterates formats.

use ironlands_assets_core::format::{FormatSet, no_groups};
use ironlands_assets_core::formats;

use crate::wear::Wear;

/// All formats.
pub const FORMATS: FormatSet = FormatSet {
    formats: formats![Wear],
    inspect_folder: no_groups,
};
