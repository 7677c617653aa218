//! What conversions of several formats share.

use std::fmt::Display;

use ironlands_assets_core::bytes::Finding;
use ironlands_assets_core::format::{ConversionError, ConversionRequest, Exported};

/// A single interchange file, under the requested name.
pub(crate) fn one_file(
    request: &ConversionRequest<'_>,
    bytes: Vec<u8>,
    findings: Vec<Finding>,
) -> Exported {
    Exported {
        files: vec![(request.interchange.to_owned(), bytes)],
        findings,
    }
}

/// A single text, which ends with a line end.
pub(crate) fn one_text(
    request: &ConversionRequest<'_>,
    mut text: String,
    findings: Vec<Finding>,
) -> Exported {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    one_file(request, text.into_bytes(), findings)
}

/// What the JSON library says.
pub(crate) fn no_such_json(error: impl Display) -> ConversionError {
    ConversionError::other(format!("no such JSON: {error}"))
}
