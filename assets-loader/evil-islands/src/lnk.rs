//! LNK: which part of a model hangs on which (dossier section 9.2).

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use bitflags::bitflags;

use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity, Writer};
use ironlands_assets_core::format::{FileKind, Format, Match};
use ironlands_assets_core::record::Codec;
use ironlands_assets_core::report::Report;
use ironlands_assets_core::text::decode_cp1251;

const FORMAT: &str = Lnk::NAME;
/// Bytes of the shortest record: two lengths.
const MIN_LINK_SIZE: usize = 8;

/// The tree of a model's parts, in file order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lnk {
    /// The parts.
    pub links: Vec<Link>,
    /// Bytes after the last record; kept.
    pub tail: Vec<u8>,
}

/// A part and what it hangs on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Link {
    /// The part.
    pub name: LinkName,
    /// What it hangs on; empty for the root.
    pub parent: LinkName,
}

/// A name as stored, CP1251.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkName {
    /// Without the NUL at its end.
    pub bytes: Vec<u8>,
    /// Whether a NUL ends it, which counts in the stored length.
    pub has_nul: bool,
}

bitflags! {
    /// Rules of the strict reader that can be waived, one flag each.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Tolerance: u32 {
        /// Names twice, no root or several, parents that are not there, circles. What such a part hangs on is
        /// nothing: it stands as a root.
        const BROKEN_TREE = 1 << 0;
        /// Bytes follow the last record. They are kept.
        const TRAILING_BYTES = 1 << 1;
    }
}

impl Format for Lnk {
    type Context = ();

    const NAME: &'static str = "lnk";
    const EXTENSIONS: &'static [&'static str] = &["lnk"];
    const KIND: FileKind = FileKind::Model;

    fn recognize(name: &str, _head: &[u8]) -> Option<Match> {
        name.ends_with(".lnk").then_some(Match::Extension)
    }

    ironlands_assets_core::inherent_methods!(read, tolerant, write, check);

    fn describe(&self, report: &mut Report) {
        let names = self.links.iter();
        let names = names.map(|link| decode_cp1251(&link.name.bytes));
        report.fact("parts", names.collect::<Vec<_>>().join(", "));
    }
}

impl Lnk {
    /// Reads a whole file by the strict rules.
    ///
    /// # Errors
    /// As [`Self::read_with`] without tolerance.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        Self::read_with(data, Tolerance::empty())
    }

    /// Reads a whole file, waiving the given rules.
    ///
    /// # Errors
    /// Lengths beyond the bytes that are there, parts that make no tree with one root, trailing bytes.
    pub fn read_with(data: &[u8], tolerance: Tolerance) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let mut lnk = Self::default();
        let offsets = lnk.walk(&mut r)?;
        let at_end = r.clone();
        lnk.tail = r.rest().to_vec();
        if !tolerance.contains(Tolerance::BROKEN_TREE)
            && let Some(problem) = lnk.problems().first()
        {
            let offset = offsets.get(problem.link).copied();
            let offset = offset.unwrap_or(at_end.offset());
            let at = Reader::nested(FORMAT, &[], offset);
            return Err(at.unexpected(problem.field, problem.expected, &problem.found));
        }
        if !lnk.tail.is_empty() && !tolerance.contains(Tolerance::TRAILING_BYTES) {
            at_end.finish("after the last part")?;
        }
        Ok(lnk)
    }

    /// Writes the file; the same bytes if nothing was changed.
    ///
    /// # Errors
    /// A name that ends in an uncounted NUL, or more than the fields hold.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let mut w = Writer::new(FORMAT);
        self.clone().walk(&mut w)?;
        w.bytes(&self.tail);
        Ok(w.finish())
    }

    /// Reads or writes all records; returns where they begin.
    fn walk(&mut self, c: &mut impl Codec) -> Result<Vec<u64>, FormatError> {
        let mut offsets = Vec::new();
        c.items("part count", MIN_LINK_SIZE, &mut self.links, |c, link| {
            offsets.push(c.offset());
            link.name.walk(c, "name")?;
            link.parent.walk(c, "parent")
        })?;
        Ok(offsets)
    }

    /// What the strict reader refuses, and what is unusual.
    pub fn check(&self) -> Vec<Finding> {
        let problems = self.problems().into_iter().map(|problem| {
            let link = problem.link;
            let Problem {
                expected, found, ..
            } = problem;
            let message = format!("part {link}: expected {expected}, found {found}");
            Finding::new(Severity::Error, FORMAT, message)
        });
        let mut findings: Vec<_> = problems.collect();
        let order = self.depth_first();
        if findings.is_empty() && !order.is_sorted() {
            let message = "parts do not stand depth first";
            findings.push(Finding::new(Severity::Note, FORMAT, message));
        }
        findings
    }

    /// The part that each part hangs on, by index; `None` for roots and for parts whose parent is not there or hangs
    /// on them.
    pub fn parents(&self) -> Vec<Option<usize>> {
        let by_name = self.by_name();
        let of_link = |link: &Link| {
            let name = &link.parent.bytes;
            (!name.is_empty()).then(|| by_name.get(&name.to_ascii_lowercase()).copied())?
        };
        let mut parents: Vec<_> = self.links.iter().map(of_link).collect();
        for link in circles(&parents) {
            if let Some(parent) = parents.get_mut(link) {
                *parent = None;
            }
        }
        parents
    }

    /// Indices of the parts, each after the one that it hangs on: first a part, then all below it, then the next.
    pub fn depth_first(&self) -> Vec<usize> {
        let parents = self.parents();
        let mut children = vec![Vec::new(); self.links.len()];
        let mut waiting = Vec::new();
        for (link, parent) in parents.iter().enumerate().rev() {
            match parent.and_then(|parent| children.get_mut(parent)) {
                Some(children) => children.push(link),
                None => waiting.push(link),
            }
        }
        let mut order = Vec::with_capacity(self.links.len());
        while let Some(link) = waiting.pop() {
            order.push(link);
            waiting.extend(children.get(link).into_iter().flatten());
        }
        order
    }

    /// A new tree: names of parts, each with the index of the one that it hangs on. Written depth first.
    ///
    /// # Errors
    /// What the strict reader would refuse.
    pub fn draft(parts: &[(Vec<u8>, Option<usize>)]) -> Result<Self, FormatError> {
        let r = Reader::new(FORMAT, &[]);
        let link = |(name, parent): &(Vec<u8>, Option<usize>)| {
            let parent = match parent {
                Some(parent) => match parts.get(*parent) {
                    Some((name, _)) => LinkName::ended(name),
                    None => return Err(r.unexpected("parent", "an index of a part", parent)),
                },
                None => LinkName::default(),
            };
            Ok(Link {
                name: LinkName::ended(name),
                parent,
            })
        };
        let lnk = Self {
            links: parts.iter().map(link).collect::<Result<_, _>>()?,
            tail: Vec::new(),
        };
        if let Some(problem) = lnk.problems().first() {
            return Err(r.unexpected(problem.field, problem.expected, &problem.found));
        }
        let order = lnk.depth_first().into_iter();
        Ok(Self {
            links: order
                .filter_map(|link| lnk.links.get(link).cloned())
                .collect(),
            tail: Vec::new(),
        })
    }

    /// The first part of each name, lower case.
    fn by_name(&self) -> HashMap<Vec<u8>, usize> {
        let names = self.links.iter().enumerate().rev();
        let names = names.map(|(index, link)| (link.name.bytes.to_ascii_lowercase(), index));
        names.collect()
    }

    fn problems(&self) -> Vec<Problem> {
        let by_name = self.by_name();
        let mut problems = Vec::new();
        let mut n_roots = 0_usize;
        let mut problem = |link, field, expected, found: String| {
            problems.push(Problem {
                link,
                field,
                expected,
                found,
            });
        };
        for (index, link) in self.links.iter().enumerate() {
            let name = link.name.bytes.to_ascii_lowercase();
            let shown = || format!("\"{}\"", decode_cp1251(&link.name.bytes));
            if name.is_empty() {
                problem(index, "name", "a name", "none".to_owned());
            } else if by_name.get(&name) != Some(&index) {
                problem(index, "name", "a name of its own", shown());
            }
            let parent = link.parent.bytes.to_ascii_lowercase();
            if parent.is_empty() {
                n_roots = n_roots.saturating_add(1);
                if n_roots > 1 {
                    problem(
                        index,
                        "parent",
                        "one root",
                        format!("{} as another", shown()),
                    );
                }
            } else if !by_name.contains_key(&parent) {
                let found = format!("\"{}\"", decode_cp1251(&link.parent.bytes));
                problem(index, "parent", "the name of a part", found);
            }
        }
        if n_roots == 0 {
            problem(0, "parent", "one root", "none".to_owned());
        }
        let of_link = |link: &Link| {
            by_name
                .get(&link.parent.bytes.to_ascii_lowercase())
                .copied()
        };
        let parents: Vec<_> = self.links.iter().map(of_link).collect();
        for link in circles(&parents) {
            problem(
                link,
                "parent",
                "a tree",
                "parts that hang on each other".to_owned(),
            );
        }
        problems
    }
}

/// A broken rule of the tree.
struct Problem {
    link: usize,
    field: &'static str,
    expected: &'static str,
    found: String,
}

/// A part of each circle: the one that closes it.
fn circles(parents: &[Option<usize>]) -> Vec<usize> {
    // The walk that visited a part; 0 is none.
    let mut met_in = vec![0_usize; parents.len()];
    let mut closing = Vec::new();
    for start in 0..parents.len() {
        let walk = start.saturating_add(1);
        let mut at = Some(start);
        while let Some(part) = at {
            let parent = parents.get(part).copied().flatten();
            match met_in.get_mut(part) {
                Some(met @ 0) => *met = walk,
                _ => break,
            }
            let is_met = parent.is_some_and(|it| met_in.get(it) == Some(&walk));
            if is_met {
                closing.push(part);
            }
            at = parent;
        }
    }
    closing
}

impl LinkName {
    /// A name with the NUL that all known files have.
    fn ended(name: &[u8]) -> Self {
        Self {
            bytes: name.to_vec(),
            has_nul: true,
        }
    }

    fn walk(&mut self, c: &mut impl Codec, field: &'static str) -> Result<(), FormatError> {
        let Self { bytes, has_nul } = self;
        if !*has_nul && bytes.last() == Some(&0) {
            return Err(c.unexpected(
                field,
                "a name without a NUL at its end",
                bytes.escape_ascii(),
            ));
        }
        bytes.extend(has_nul.then_some(0));
        let len = c.count::<u32>(field, bytes.len(), 1)?;
        c.bytes(field, bytes, len)?;
        *has_nul = bytes.pop_if(|last| *last == 0).is_some();
        Ok(())
    }
}
