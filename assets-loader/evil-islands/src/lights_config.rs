//! `Config/lights*.ini`: colors of sky, ambient light and sun for each hour of the day in a region.
//!
//! Document: Evil Islands dossier, section 12.4. Text in CP1251: `[sky]`, `[ambient]` and `[sunlight]` with keys
//! `time00` to `time23` of values `r,g,b`, 0 to 255. Tolerant: names in any case, blanks, comments; lines that are none of
//! this are kept and written back, as all lines are that are not set.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use super::sec;
use ironlands_assets_core::bytes::{Finding, FormatError, FormatErrorKind, Severity};
use ironlands_assets_core::findings::{Findings, shown};
use ironlands_assets_core::format::{FileKind, Format, Match};
use ironlands_assets_core::report::Report;

const FORMAT: &str = LightsConfig::NAME;
/// Hours of a day.
pub const HOURS: usize = 24;
/// What values count up to.
const FULL: f32 = 255.0;

/// What has a color each hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LightsSection {
    /// Background of the picture.
    Sky,
    /// Light from everywhere.
    Ambient,
    /// Light of the sun.
    Sunlight,
}

/// A file: its lines, and what they mean.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LightsConfig {
    lines: Vec<Line>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    /// With its end, if it has one.
    bytes: Vec<u8>,
    meaning: Meaning,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// Nothing, or a comment.
    Blank,
    /// A section begins: one of the three, or another.
    Section(Option<LightsSection>),
    /// A color of an hour. A later line of the same hour does not count.
    Color {
        section: LightsSection,
        hour: usize,
        color: [u8; 3],
    },
    /// Anything else.
    Unknown,
}

/// A region of the game, above or below ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the region of its name")]
pub enum Region {
    Gipat,
    Ingos,
    Suslanger,
    CaveGipat,
    CaveIngos,
    CaveSuslanger,
}

impl LightsSection {
    /// All three, in the order in which they are written.
    pub const ALL: [Self; 3] = [Self::Sky, Self::Ambient, Self::Sunlight];

    /// Its name in the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sky => "sky",
            Self::Ambient => "ambient",
            Self::Sunlight => "sunlight",
        }
    }
}

impl Region {
    /// All regions.
    pub const ALL: [Self; 6] = [
        Self::Gipat,
        Self::Ingos,
        Self::Suslanger,
        Self::CaveGipat,
        Self::CaveIngos,
        Self::CaveSuslanger,
    ];

    /// Its name in the names of files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gipat => "gipat",
            Self::Ingos => "ingos",
            Self::Suslanger => "suslanger",
            Self::CaveGipat => "cavegipat",
            Self::CaveIngos => "caveingos",
            Self::CaveSuslanger => "cavesuslanger",
        }
    }

    /// Name of its file in `Config/`.
    pub fn file_name(self) -> String {
        format!("lights{}.ini", self.name())
    }

    /// The region that a name contains, as that of a zone: it holds the name of the region, and `cave` below ground. The names
    /// of most zones contain none, and it is undocumented where those are.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let is_cave = name.contains("cave");
        let mut regions = Self::ALL.into_iter();
        regions.find(|region| match region.name().strip_prefix("cave") {
            Some(above_ground) => is_cave && name.contains(above_ground),
            None => !is_cave && name.contains(region.name()),
        })
    }
}

impl Format for LightsConfig {
    type Context = ();

    const NAME: &'static str = "lights_config";
    const EXTENSIONS: &'static [&'static str] = &["ini"];
    const KIND: FileKind = FileKind::Table;

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        let is_named = name.starts_with("lights") && name.ends_with(".ini");
        // The magic number of a sector outweighs a name.
        (is_named && !head.starts_with(&sec::MAGIC)).then_some(Match::Name)
    }

    fn read(data: &[u8], (): &()) -> Result<Self, FormatError> {
        Self::read(data)
    }

    ironlands_assets_core::inherent_methods!(write, check);

    fn describe(&self, report: &mut Report) {
        for section in LightsSection::ALL {
            let n = (0..HOURS)
                .filter(|hour| self.color(section, *hour).is_some())
                .count();
            report.fact(section.name(), format!("{n} of {HOURS} hours"));
        }
    }
}

impl LightsConfig {
    /// Reads a file.
    ///
    /// # Errors
    /// No color of any hour is in it.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let mut section = None;
        let line = |bytes: &[u8]| {
            let meaning = meaning(bytes, section);
            if let Meaning::Section(begun) = meaning {
                section = begun;
            }
            let bytes = bytes.to_vec();
            Line { bytes, meaning }
        };
        let lines: Vec<Line> = data
            .split_inclusive(|byte| *byte == b'\n')
            .map(line)
            .collect();
        let is_color = |line: &Line| matches!(line.meaning, Meaning::Color { .. });
        if lines.iter().any(is_color) {
            return Ok(Self { lines });
        }
        Err(FormatError {
            format: FORMAT,
            entry: None,
            field: "colors".into(),
            offset: 0,
            kind: FormatErrorKind::unexpected(
                "[sky], [ambient] or [sunlight] with time00=r,g,b",
                "none of them",
            ),
        })
    }

    /// Writes the file.
    ///
    /// # Errors
    /// None today: every value can be written.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let lines = self.lines.iter().map(|line| line.bytes.as_slice());
        Ok(lines.collect::<Vec<_>>().concat())
    }

    /// A file of its own: colors of each hour for each section, in the order of [`LightsSection::ALL`].
    pub fn draft(colors: &[[[u8; 3]; HOURS]; 3]) -> Self {
        let mut config = Self::default();
        for (section, colors) in LightsSection::ALL.into_iter().zip(colors) {
            for (hour, color) in colors.iter().enumerate() {
                config.set_color(section, hour, *color);
            }
        }
        config
    }

    /// The color that is stored for an hour, 0 to 23.
    pub fn color(&self, section: LightsSection, hour: usize) -> Option<[u8; 3]> {
        let idx = self.line_of(section, hour)?;
        match self.lines.get(idx)?.meaning {
            Meaning::Color { color, .. } => Some(color),
            Meaning::Blank | Meaning::Section(_) | Meaning::Unknown => None,
        }
    }

    /// Sets the color of an hour. Its line keeps all but its value; where there is none, one is added to the section.
    /// Hours that a day has not are let be.
    pub fn set_color(&mut self, section: LightsSection, hour: usize, color: [u8; 3]) {
        if hour >= HOURS {
            return;
        }
        let [r, g, b] = color;
        let value = format!("{r},{g},{b}");
        let meaning = Meaning::Color {
            section,
            hour,
            color,
        };
        if let Some(line) = self
            .line_of(section, hour)
            .and_then(|idx| self.lines.get_mut(idx))
        {
            line.bytes = with_value(&line.bytes, &value);
            line.meaning = meaning;
            return;
        }
        let mut new = vec![Line {
            bytes: format!("time{hour:02}={value}\r\n").into_bytes(),
            meaning,
        }];
        let at = self.end_of(section).unwrap_or_else(|| {
            let name = section.name();
            let head = Line {
                bytes: format!("[{name}]\r\n").into_bytes(),
                meaning: Meaning::Section(Some(section)),
            };
            new.insert(0, head);
            self.lines.len()
        });
        // The line before may be the last of a file that ends without a line end.
        let before = at.checked_sub(1).and_then(|idx| self.lines.get_mut(idx));
        if let Some(before) = before.filter(|line| !line.bytes.ends_with(b"\n")) {
            before.bytes.extend_from_slice(b"\r\n");
        }
        self.lines.splice(at..at, new);
    }

    /// The color at a time of day in hours, each part 0 to 1: between the hour before and the hour after, from 23 on
    /// to 0. Hours that are missing are bridged. Times beyond a day wrap around; `None` if there is no color at all or
    /// the time is not finite.
    pub fn color_at(&self, section: LightsSection, time: f32) -> Option<[f32; 3]> {
        if !time.is_finite() {
            return None;
        }
        let day = HOURS as f32;
        // Rounding may turn a time just before 0 into a full day.
        let time = Some(time.rem_euclid(day))
            .filter(|time| *time < day)
            .unwrap_or_default();
        let hour = time.floor() as usize;
        let of_hour = |hour: usize| self.color(section, hour.checked_rem(HOURS)?);
        let back = (0..HOURS)
            .find(|back| of_hour(hour.saturating_add(HOURS).saturating_sub(*back)).is_some())?;
        let ahead = (1..=HOURS).find(|ahead| of_hour(hour.saturating_add(*ahead)).is_some())?;
        let before = of_hour(hour.saturating_add(HOURS).saturating_sub(back))?;
        let after = of_hour(hour.saturating_add(ahead))?;
        let since = time - time.floor() + back as f32;
        let share = since / (back.saturating_add(ahead) as f32);
        let part = |(a, b): (u8, u8)| (f32::from(a) * (1.0 - share) + f32::from(b) * share) / FULL;
        let [r, g, b] = before;
        let [next_r, next_g, next_b] = after;
        Some([(r, next_r), (g, next_g), (b, next_b)].map(part))
    }

    /// Hours without a color, hours with more than one, and lines that mean nothing.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        let hours = LightsSection::ALL
            .into_iter()
            .flat_map(|section| (0..HOURS).map(move |hour| (section, hour)));
        let missing = hours.filter(|(section, hour)| self.color(*section, *hour).is_none());
        let message = |(section, hour): (LightsSection, usize)| {
            (None, format!("[{}] has no time{hour:02}", section.name()))
        };
        findings.rule(Severity::Warning, missing.map(message));
        let mut offset = 0u64;
        let mut placed = Vec::new();
        for line in &self.lines {
            placed.push((offset, line));
            offset = offset.saturating_add(line.bytes.len() as u64);
        }
        let mut reported = BTreeSet::new();
        let again = placed
            .iter()
            .filter_map(|(offset, line)| match line.meaning {
                Meaning::Color { section, hour, .. } if !reported.insert((section, hour)) => {
                    let message = format!("[{}] has time{hour:02} again", section.name());
                    Some((Some(*offset), message))
                }
                _ => None,
            });
        findings.rule(Severity::Warning, again);
        let unknown = placed
            .iter()
            .filter(|(_, line)| line.meaning == Meaning::Unknown);
        findings.rule(
            Severity::Note,
            unknown.map(|(offset, line)| {
                let message = format!(
                    "a line means nothing here: {}",
                    shown(line.bytes.trim_ascii())
                );
                (Some(*offset), message)
            }),
        );
        findings.into_list()
    }

    /// The first line with the color of an hour.
    fn line_of(&self, section: LightsSection, hour: usize) -> Option<usize> {
        self.lines.iter().position(|line| {
            matches!(line.meaning, Meaning::Color { section: s, hour: h, .. } if (s, h) == (section, hour))
        })
    }

    /// Behind the last line of a section that is not blank, where it begins first.
    fn end_of(&self, section: LightsSection) -> Option<usize> {
        let head = self
            .lines
            .iter()
            .position(|line| line.meaning == Meaning::Section(Some(section)))?;
        let inside = self.lines.iter().enumerate().skip(head.saturating_add(1));
        let inside = inside.take_while(|(_, line)| !matches!(line.meaning, Meaning::Section(_)));
        let last = inside
            .filter(|(_, line)| line.meaning != Meaning::Blank)
            .last();
        Some(last.map_or(head, |(idx, _)| idx).saturating_add(1))
    }
}

/// What a line means below the head of a section.
fn meaning(line: &[u8], section: Option<LightsSection>) -> Meaning {
    let text = without_comment(line).trim_ascii();
    if text.is_empty() {
        return Meaning::Blank;
    }
    if let Some(name) = text
        .strip_prefix(b"[")
        .and_then(|rest| rest.strip_suffix(b"]"))
    {
        let name = name.trim_ascii();
        let is_it = |section: &LightsSection| section.name().as_bytes().eq_ignore_ascii_case(name);
        return Meaning::Section(LightsSection::ALL.into_iter().find(is_it));
    }
    let parts = section.zip(key_and_value(text));
    let color = parts.and_then(|(section, (key, value))| {
        Some(Meaning::Color {
            section,
            hour: hour(key)?,
            color: color(value)?,
        })
    });
    color.unwrap_or(Meaning::Unknown)
}

/// A line up to a comment.
fn without_comment(line: &[u8]) -> &[u8] {
    let is_comment =
        |rest: &[u8]| rest.starts_with(b";") || rest.starts_with(b"//") || rest.starts_with(b"#");
    let start = (0..line.len()).find(|at| line.get(*at..).is_some_and(is_comment));
    start.and_then(|at| line.get(..at)).unwrap_or(line)
}

fn key_and_value(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut parts = text.splitn(2, |byte| *byte == b'=');
    Some((parts.next()?.trim_ascii(), parts.next()?.trim_ascii()))
}

/// `time00` to `time23`.
fn hour(key: &[u8]) -> Option<usize> {
    let (name, digits) = key.split_at_checked(4)?;
    let is_two_digits = digits.len() == 2 && digits.iter().all(u8::is_ascii_digit);
    let hour: usize = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (name.eq_ignore_ascii_case(b"time") && is_two_digits && hour < HOURS).then_some(hour)
}

/// Three whole numbers between commas.
fn color(value: &[u8]) -> Option<[u8; 3]> {
    let part = |part: &[u8]| std::str::from_utf8(part.trim_ascii()).ok()?.parse().ok();
    let parts = value.split(|byte| *byte == b',').map(part);
    parts.collect::<Option<Vec<u8>>>()?.try_into().ok()
}

/// A line with another value: blanks around it, a comment and the line end stay.
fn with_value(line: &[u8], value: &str) -> Vec<u8> {
    let text = without_comment(line);
    let start = text
        .iter()
        .position(|byte| *byte == b'=')
        .map_or(text.len(), |at| at.saturating_add(1));
    let (key, old) = text.split_at_checked(start).unwrap_or((text, &[]));
    let blanks_before = old.len().saturating_sub(old.trim_ascii_start().len());
    let rest = line.get(start..).unwrap_or_default();
    let old_end = old.trim_ascii_end().len();
    let before = rest.get(..blanks_before).unwrap_or_default();
    let after = rest.get(old_end..).unwrap_or_default();
    [key, before, value.as_bytes(), after].concat()
}
