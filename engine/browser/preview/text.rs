//! Text of a file, in lines.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::assets::format::{Conversion, ConversionOptions, ConversionRequest};
use crate::assets::text::decode_cp1251;

/// Bytes from the start that decide whether a file is text.
const SAMPLE: usize = 4096;
/// Longer lines are cut where they are shown: a file without line ends is one line.
const MAX_LINE: usize = 2000;
/// Interchange formats that are text.
const TEXT_FORMS: [&str; 5] = ["json", "csv", "ini", "vmf", "txt"];

/// A text, and where its lines are.
#[derive(Debug, Clone)]
pub struct Text {
    /// What it is called: `text`, or an interchange format.
    pub label: &'static str,
    text: Arc<str>,
    lines: Arc<[Range<usize>]>,
}

impl Text {
    fn new(label: &'static str, text: String) -> Self {
        let mut start = 0;
        let mut lines = Vec::new();
        for line in text.split_inclusive('\n') {
            let end = start + line.trim_end_matches(['\r', '\n']).len();
            lines.push(start..end);
            start += line.len();
        }
        Self {
            label,
            text: text.into(),
            lines: lines.into(),
        }
    }

    /// The bytes themselves, if they are text.
    pub fn from_bytes(data: &[u8]) -> Option<Self> {
        let sample = &data[..data.len().min(SAMPLE)];
        let is_odd = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t' | b'\r' | b'\n');
        if data.is_empty() || sample.iter().any(is_odd) {
            return None;
        }
        let text = match std::str::from_utf8(data) {
            Ok(text) => text.to_owned(),
            Err(_) => decode_cp1251(data).into_owned(),
        };
        Some(Self::new("text", text))
    }

    /// What a conversion makes of a file, if that is text.
    pub fn from_conversion(path: &Path, data: &[u8], conversion: &Conversion) -> Option<Self> {
        if !TEXT_FORMS.contains(&conversion.extension) {
            return None;
        }
        let interchange = Path::new("preview").with_extension(conversion.extension);
        let request = ConversionRequest {
            file: path,
            interchange: &interchange,
            options: &ConversionOptions::default(),
        };
        let exported = (conversion.export?)(data, &request).ok()?;
        let (_, bytes) = exported.files.into_iter().next_back()?;
        let text = String::from_utf8(bytes).ok()?;
        Some(Self::new(conversion.extension, text))
    }

    /// How many lines it has.
    pub fn n_lines(&self) -> usize {
        self.lines.len()
    }

    /// A line without its end, cut if it is long.
    pub fn line(&self, index: usize) -> &str {
        let range = self.lines.get(index).cloned().unwrap_or_default();
        let line = &self.text[range];
        match line.char_indices().nth(MAX_LINE) {
            Some((end, _)) => &line[..end],
            None => line,
        }
    }

    /// All of it, to copy.
    pub fn whole(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_known_by_its_bytes_and_comes_in_lines() {
        assert!(Text::from_bytes(b"NRes\x01\0\0\0").is_none());
        assert!(Text::from_bytes(b"").is_none());
        let text = Text::from_bytes(b"one\r\ntwo\n\nfour").unwrap();
        let lines: Vec<_> = (0..text.n_lines()).map(|line| text.line(line)).collect();
        assert_eq!(lines, ["one", "two", "", "four"]);
        // CP1251, as the games spell it.
        let text = Text::from_bytes(b"\xcf\xf0\xe8\xe2\xe5\xf2").unwrap();
        assert_eq!(text.line(0), "Привет");
        let long = "\u{44f}".repeat(MAX_LINE + 5);
        let text = Text::from_bytes(long.as_bytes()).unwrap();
        assert_eq!(text.line(0).chars().count(), MAX_LINE);
    }
}
