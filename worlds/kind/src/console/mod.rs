//! What commands of the engine and of worlds share: files that are written, progress, Ctrl-C, text that is safe to print.

pub mod findings;
pub mod interrupt;
pub mod output;
pub mod plain;
pub mod progress;

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser};
use ironlands_assets_core::vfs::as_on_disk;

/// A path of something that is read: as typed, else with the case that its parts have on disk.
pub fn input_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(|path| as_on_disk(&path))
}

/// An error and its causes in one line, outermost first.
pub fn error_chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(&format!(": {inner}"));
        cause = inner.source();
    }
    text
}

/// Prints an error and its causes once, on stderr. What can be done about it stands in the errors themselves.
pub fn print_error(error: &dyn Error) {
    // Without stderr the message has no reader.
    let _ = writeln!(io::stderr(), "error: {}", plain::line(&error_chain(error)));
}

/// Any number.
///
/// # Errors
/// Text that is no finite number.
pub fn finite_number(text: &str) -> Result<f32, &'static str> {
    text.parse()
        .ok()
        .filter(|number: &f32| number.is_finite())
        .ok_or("write a number as in 2.5")
}

/// Three numbers with commas between them.
///
/// # Errors
/// Text that is anything else.
pub fn parse_three(text: &str) -> Result<[f32; 3], &'static str> {
    let numbers: Result<Vec<_>, _> = text.split(',').map(str::trim).map(finite_number).collect();
    let three = numbers.ok().and_then(|numbers| numbers.try_into().ok());
    three.ok_or("write three numbers as in 0.5,0.5,1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_numbers_are_three() {
        assert_eq!(parse_three("0.5, -1,2"), Ok([0.5, -1.0, 2.0]));
        for wrong in ["1,2", "1,2,3,4", "1,2,nan", "", "1;2;3"] {
            assert!(parse_three(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_are_finite() {
        assert_eq!(finite_number("-2.5"), Ok(-2.5));
        for wrong in ["nan", "inf", "1e99", "soon", ""] {
            assert!(finite_number(wrong).is_err(), "{wrong}");
        }
    }
}
