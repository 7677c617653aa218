//! `BuildDat.lst`: building unit files by category, text (dossier section 6).
//!
//! Sections of a header, `NAME COUNT`, and that many quoted paths; blank lines and `//` comments stand
//! between sections only. The original reports every error as `BuildDat.lst is corrupted`.

use super::lines::{CRLF, KeptLine, Line, LineWriter, Lines};
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::format::Format;

mod files;
mod format;
#[cfg(test)]
mod tests;

const FORMAT: &str = BuildDat::NAME;
/// The shortest path line: two quotes around one letter.
const MIN_PATH_LINE: usize = 3;
/// What every path begins with, in either case.
const PATH_ROOT: &str = "UNITS\\BUILDS\\";

/// The categories in file order, each with its unit files.
///
/// Two lists are equal if their sections are; how they are spelled is kept for [`BuildDat::write`] only.
#[derive(Debug, Clone)]
pub struct BuildDat {
    /// Sections in file order.
    pub sections: Vec<Section>,
    /// Spelling of the text that this was read from.
    spelling: Option<Box<Spelling>>,
}

/// One category and its unit files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Category.
    pub category: Category,
    /// Paths as written, with backslashes.
    pub paths: Vec<String>,
}

/// What [`BuildDat::read_with`] lets pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BuildDatTolerance {
    /// Names are spelled exactly, and each category has one section.
    #[default]
    Strict,
    /// Names are compared without case, and a category may have several sections.
    FoldedNamesAndRepeats,
}

#[derive(Debug, Clone)]
struct Spelling {
    line_end: &'static [u8],
    sections: Vec<SectionSpelling>,
    /// Blank lines and comments after the last section.
    tail: Vec<u8>,
}

#[derive(Debug, Clone)]
struct SectionSpelling {
    category: Category,
    /// Blank lines and comments before the header.
    before: Vec<u8>,
    header: KeptLine<(Category, usize)>,
    paths: Vec<KeptLine<String>>,
}

impl PartialEq for BuildDat {
    fn eq(&self, other: &Self) -> bool {
        self.sections == other.sections
    }
}

impl Eq for BuildDat {}

impl BuildDat {
    /// A new list; it is written with CRLF and without blank lines.
    pub fn new(sections: Vec<Section>) -> Self {
        Self {
            sections,
            spelling: None,
        }
    }

    /// Reads the whole file, strictly.
    ///
    /// # Errors
    /// A header that is not a known name and a count, a section that occurs twice, fewer paths than
    /// counted, or a path that is unquoted, empty or has other bytes than `A-Z a-z 0-9 _ . / \ -`.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(data, BuildDatTolerance::Strict)
    }

    /// Reads the whole file; see [`BuildDatTolerance`] for what may pass.
    ///
    /// # Errors
    /// As [`BuildDat::read`], less what is tolerated.
    pub fn read_with(data: &[u8], tolerance: BuildDatTolerance) -> Result<Self, FormatError> {
        let mut lines = Lines::new(FORMAT, data);
        let line_end = match lines.clone().take("section").map(|line| line.end()) {
            Ok(b"\n") => b"\n",
            _ => CRLF,
        };
        let mut sections: Vec<Section> = Vec::new();
        let mut spelling = Vec::new();
        loop {
            let before = take_between(&mut lines);
            if lines.is_at_end() {
                let spelling = Spelling {
                    line_end,
                    sections: spelling,
                    tail: before,
                };
                return Ok(Self {
                    sections,
                    spelling: Some(Box::new(spelling)),
                });
            }
            let header = lines.take("section name")?;
            let (category, count) = parse_header(&header, tolerance)?;
            let is_repeat = sections.iter().any(|section| section.category == category);
            if is_repeat && tolerance == BuildDatTolerance::Strict {
                return Err(header.unexpected("section name", "one section a category"));
            }
            let n_paths = lines.claim("section count", count, MIN_PATH_LINE)?;
            let (paths, kept_paths) = read_paths(&mut lines, n_paths)?;
            spelling.push(SectionSpelling {
                category,
                before,
                header: KeptLine::new((category, n_paths), &header),
                paths: kept_paths,
            });
            sections.push(Section { category, paths });
        }
    }

    /// Writes the list; what still says what it said when it was read keeps its spelling, and comments stay
    /// before their sections. New lines are as in the original files: names as in the table, CRLF.
    ///
    /// # Errors
    /// A path that could not be read back.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let Self { sections, spelling } = self;
        let spelling = spelling.as_deref();
        let mut w = LineWriter::new(FORMAT, spelling.map_or(CRLF, |kept| kept.line_end));
        let mut kept_sections: Vec<&SectionSpelling> =
            spelling.map_or_else(Vec::new, |kept| kept.sections.iter().collect());
        for Section { category, paths } in sections {
            let kept = kept_sections
                .iter()
                .position(|kept| kept.category == *category)
                .map(|idx| kept_sections.remove(idx));
            if let Some(kept) = kept {
                w.raw(&kept.before);
            }
            let header = (*category, paths.len());
            w.line(
                kept.map(|kept| &kept.header),
                &header,
                |(category, count)| format!("{} {count}", category.name()).into_bytes(),
            );
            for (idx, path) in paths.iter().enumerate() {
                if !is_path(path.as_bytes()) {
                    return Err(w.unexpected("path", PATH_RULE, path.escape_debug()));
                }
                let kept = kept.and_then(|kept| kept.paths.get(idx));
                w.line(kept, path, |path| format!("\"{path}\"").into_bytes());
            }
        }
        if let Some(kept) = spelling {
            w.raw(&kept.tail);
        }
        Ok(w.finish())
    }

    /// Whether the sections are the twelve of the original in their order, and whether paths look like its.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut find = |severity, message| findings.push(Finding::new(severity, FORMAT, message));
        if self.sections.is_empty() {
            // The original reads twelve sections and stops with "BuildDat.lst is corrupted" where there is none.
            find(Severity::Error, "the list has no section".to_owned());
            return findings;
        }
        let categories = self.sections.iter().map(|section| section.category);
        if !categories.clone().eq(Category::ALL) {
            for missing in Category::ALL {
                if !categories.clone().any(|category| category == missing) {
                    find(
                        Severity::Warning,
                        format!("section {} is missing", missing.name()),
                    );
                }
            }
            if !categories.is_sorted() {
                let message = "sections are not in the order of the original".to_owned();
                find(Severity::Warning, message);
            }
        }
        for section in &self.sections {
            for path in &section.paths {
                if !is_unit_path(path) {
                    let message = format!(
                        "section {}: {path} is no .dat file under {PATH_ROOT}",
                        section.category.name()
                    );
                    find(Severity::Warning, message);
                }
            }
        }
        findings
    }
}

/// Object categories in file order; each has a mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    missing_docs,
    reason = "the original's names, table in dossier section 6"
)]
pub enum Category {
    BunkerSmall,
    BunkerMedium,
    BunkerLarge,
    Generator,
    Mine,
    Storage,
    Plant,
    Hangar,
    MainTeleport,
    Institute,
    TowerMedium,
    TowerLarge,
}

impl Category {
    /// All categories in the order of the original's file.
    pub const ALL: [Self; 12] = [
        Self::BunkerSmall,
        Self::BunkerMedium,
        Self::BunkerLarge,
        Self::Generator,
        Self::Mine,
        Self::Storage,
        Self::Plant,
        Self::Hangar,
        Self::MainTeleport,
        Self::Institute,
        Self::TowerMedium,
        Self::TowerLarge,
    ];

    /// The name of the section.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BunkerSmall => "Bunker_Small",
            Self::BunkerMedium => "Bunker_Medium",
            Self::BunkerLarge => "Bunker_Large",
            Self::Generator => "Generator",
            Self::Mine => "Mine",
            Self::Storage => "Storage",
            Self::Plant => "Plant",
            Self::Hangar => "Hangar",
            Self::MainTeleport => "MainTeleport",
            Self::Institute => "Institute",
            Self::TowerMedium => "Tower_Medium",
            Self::TowerLarge => "Tower_Large",
        }
    }

    /// The scheme type word that unit files of the category carry.
    pub const fn mask(self) -> u32 {
        match self {
            Self::BunkerSmall => 0x8001_0000,
            Self::BunkerMedium => 0x8002_0000,
            Self::BunkerLarge => 0x8004_0000,
            Self::Generator => 0x8000_0002,
            Self::Mine => 0x8000_0004,
            Self::Storage => 0x8000_0008,
            Self::Plant => 0x8000_0010,
            Self::Hangar => 0x8000_0040,
            Self::MainTeleport => 0x8000_0200,
            Self::Institute => 0x8000_0400,
            Self::TowerMedium => 0x8010_0000,
            Self::TowerLarge => 0x8020_0000,
        }
    }

    fn named(name: &[u8], tolerance: BuildDatTolerance) -> Option<Self> {
        Self::ALL.into_iter().find(|category| {
            let known = category.name().as_bytes();
            match tolerance {
                BuildDatTolerance::Strict => known == name,
                BuildDatTolerance::FoldedNamesAndRepeats => known.eq_ignore_ascii_case(name),
            }
        })
    }
}

const PATH_RULE: &str = "a quoted path of A-Z a-z 0-9 _ . / \\ -";

fn take_between(lines: &mut Lines<'_>) -> Vec<u8> {
    let is_between = |line: &Line<'_>| line.text.is_empty() || line.text.starts_with(b"//");
    lines.take_while(is_between).1.to_vec()
}

fn parse_header(
    line: &Line<'_>,
    tolerance: BuildDatTolerance,
) -> Result<(Category, u64), FormatError> {
    let mut fields = line
        .text
        .split(u8::is_ascii_whitespace)
        .filter(|field| !field.is_empty());
    let name = fields.next().unwrap_or_default();
    let Some(category) = Category::named(name, tolerance) else {
        return Err(line.unexpected("section name", "the name of a category and a count"));
    };
    let digits = match (fields.next(), fields.next()) {
        (Some(digits), None) if digits.iter().all(u8::is_ascii_digit) => digits,
        _ => return Err(line.unexpected("section count", "one decimal number after the name")),
    };
    let digits = std::str::from_utf8(digits).unwrap_or_default();
    // Digits that do not fit are more paths than any file holds.
    Ok((category, digits.parse().unwrap_or(u64::MAX)))
}

fn read_paths(
    lines: &mut Lines<'_>,
    n_paths: usize,
) -> Result<(Vec<String>, Vec<KeptLine<String>>), FormatError> {
    let mut paths = Vec::with_capacity(n_paths);
    let mut kept = Vec::with_capacity(n_paths);
    for _ in 0..n_paths {
        let line = lines.take("path")?;
        let path = line
            .text
            .strip_prefix(b"\"")
            .and_then(|rest| rest.strip_suffix(b"\""))
            .filter(|path| is_path(path))
            .and_then(|path| std::str::from_utf8(path).ok());
        let Some(path) = path else {
            return Err(line.unexpected("path", PATH_RULE));
        };
        kept.push(KeptLine::new(path.to_owned(), &line));
        paths.push(path.to_owned());
    }
    Ok((paths, kept))
}

fn is_path(path: &[u8]) -> bool {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"_./\\-".contains(byte);
    !path.is_empty() && path.iter().all(allowed)
}

fn is_unit_path(path: &str) -> bool {
    let path = path.replace('/', "\\").to_ascii_uppercase();
    let is_plain = |part: &str| !matches!(part, "" | "." | "..");
    path.starts_with(PATH_ROOT) && path.ends_with(".DAT") && path.split('\\').all(is_plain)
}
