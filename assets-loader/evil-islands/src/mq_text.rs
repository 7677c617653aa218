//! Texts of a multiplayer quest: briefings, quest descriptions, `map.txt` (dossier section 11.12).
//!
//! In: bytes. Out: lines, those that begin with `#` as directives with their arguments. Every line is kept as it is.
//!
//! Deliberately absent: the meaning of any directive; `quest.ini`, which is an [`IniText`](super::ini_text::IniText).

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_core::format::{FileKind, Format};

/// A text of lines. All text is raw CP1251.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MqText {
    /// Lines with their endings; they may be edited freely.
    pub lines: Vec<Vec<u8>>,
}

/// What a line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MqLine<'a> {
    /// A line that begins with `#`: its name and its arguments, split at spaces.
    Directive(&'a [u8], Vec<&'a [u8]>),
    /// Any other line, without its ending.
    Text(&'a [u8]),
}

/// A directive and the lines of text that follow it, up to the next directive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MqBlock<'a> {
    /// The rest of the line after the directive's name.
    pub arguments: Vec<&'a [u8]>,
    /// Lines without their endings.
    pub lines: Vec<&'a [u8]>,
}

impl Format for MqText {
    type Context = ();

    const NAME: &'static str = "mq_text";
    const EXTENSIONS: &'static [&'static str] = &[];
    const KIND: FileKind = FileKind::Text;

    fn read(data: &[u8], (): &()) -> Result<Self, FormatError> {
        Ok(Self::parse(data))
    }

    fn write(&self) -> Result<Vec<u8>, FormatError> {
        Ok(self.to_bytes())
    }
}

impl MqText {
    /// Takes the lines of a file. Any bytes are a file.
    pub fn parse(data: &[u8]) -> Self {
        let lines = data.split_inclusive(|byte| *byte == b'\n');
        Self {
            lines: lines.map(<[u8]>::to_vec).collect(),
        }
    }

    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.lines.concat()
    }

    /// The first line, which is the title of a briefing and of a quest, without its ending.
    pub fn title(&self) -> Option<&[u8]> {
        self.lines.first().map(|line| without_ending(line))
    }

    /// What each line is, in file order.
    pub fn parsed(&self) -> impl Iterator<Item = MqLine<'_>> {
        self.lines.iter().map(|line| MqLine::from_line(line))
    }

    /// The blocks of all directives of that name, ASCII case-insensitively, in file order.
    pub fn blocks<'a>(&'a self, name: &str) -> Vec<MqBlock<'a>> {
        let mut blocks: Vec<MqBlock<'a>> = Vec::new();
        let mut is_inside = false;
        for line in self.parsed() {
            match line {
                MqLine::Directive(found, arguments) => {
                    is_inside = found.eq_ignore_ascii_case(name.as_bytes());
                    if is_inside {
                        let lines = Vec::new();
                        blocks.push(MqBlock { arguments, lines });
                    }
                }
                MqLine::Text(text) => {
                    if let Some(block) = blocks.last_mut().filter(|_| is_inside) {
                        block.lines.push(text);
                    }
                }
            }
        }
        blocks
    }
}

impl<'a> MqLine<'a> {
    fn from_line(line: &'a [u8]) -> Self {
        let line = without_ending(line);
        let Some(directive) = line.trim_ascii().strip_prefix(b"#") else {
            return Self::Text(line);
        };
        let mut words = directive
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty());
        let name = words.next().unwrap_or_default();
        Self::Directive(name, words.collect())
    }
}

fn without_ending(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use ironlands_assets_proof::{Fact, Truncations, proof};
    use proptest::prelude::*;

    use super::*;

    proof! {
        MqText {
            facts: facts(),
            // Any bytes are a file.
            damage: Vec::new(),
            truncations: Truncations::Valid,
            values: prop::collection::vec(any::<u8>(), 0..80).prop_map(|bytes| MqText::parse(&bytes)),
            // A line of a byte is a list of its own.
            growth: 80,
            runs: 500,
        }
    }

    fn facts() -> Vec<Fact<MqText>> {
        let rows: [(&[u8], &[&[u8]]); 5] = [
            (b"", &[]),
            (b"\n", &[b"\n"]),
            (b"\r", &[b"\r"]),
            (b"a\n\nb", &[b"a\n", b"\n", b"b"]),
            (&[0x98, 0, 0xFF], &[&[0x98, 0, 0xFF]]),
        ];
        let facts = rows.map(|(bytes, lines)| {
            let lines = lines.iter().map(|line| line.to_vec()).collect();
            Fact::new("lines", MqText { lines }, bytes)
        });
        let briefing = Fact::from_bytes("a briefing", BRIEFING);
        facts.into_iter().chain([briefing]).collect()
    }

    const BRIEFING: &[u8] = b"Title\r\n#show Smith\r\n#CAMERA 3\r\n#phrase Smith 1\r\nHello,\r\n hero.\r\n#phrase Zak 2\r\nBye";

    #[test]
    fn directives_and_the_lines_after_them() {
        let text = MqText::parse(BRIEFING);
        assert_eq!(text.to_bytes(), BRIEFING);
        assert_eq!(text.title(), Some(&b"Title"[..]));
        let phrases = text.blocks("PHRASE");
        let expected = [
            MqBlock {
                arguments: vec![b"Smith", b"1"],
                lines: vec![b"Hello,", b" hero."],
            },
            MqBlock {
                arguments: vec![b"Zak", b"2"],
                lines: vec![b"Bye"],
            },
        ];
        assert_eq!(phrases, expected);
        assert_eq!(text.blocks("camera")[0].arguments, [b"3"]);
        assert!(text.blocks("none").is_empty());
        let line = MqText::parse(b"  #  ");
        assert_eq!(
            line.parsed().next(),
            Some(MqLine::Directive(b"", Vec::new()))
        );
    }

    #[test]
    fn a_text_without_a_line_has_no_title() {
        assert_eq!(MqText::parse(b"").title(), None);
    }
}
