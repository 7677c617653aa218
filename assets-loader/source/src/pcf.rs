//! `*.pcf`: particle systems, as trees of elements (see [`dmx`](super::dmx)).
//!
//! In: one file. Out: [`Pcf`], and through it each [`ParticleSystem`] with its functions and children. Source: Valve's
//! developer wiki, pages `Particle System Overview` and those of its parts.
//!
//! Deliberately absent: particles; `level_scene` makes them.

mod draft;
mod functions;
mod json;
mod systems;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use ironlands_assets_core::bytes::{Finding, FormatError, Reader, Severity};
use ironlands_assets_core::format::{
    Conversion, FileKind, Format, Match, Reference, inherent_methods,
};
use ironlands_assets_core::report::Report;

pub use self::draft::{DraftFunction, DraftSystem, DraftValue};
pub use self::functions::{FunctionList, canonical_name};
pub use self::systems::{Child, Function, Parameters, ParticleSystem};
use super::dmx::{BINARY_START, Dmx, DmxItems, DmxLink, DmxValue};

const FORMAT: &str = Pcf::NAME;
/// What the header calls the elements.
const DMX_FORMAT: &str = "pcf";
/// Attribute of the root that lists all systems.
const SYSTEMS: &str = "particleSystemDefinitions";
/// Versions of what is in the elements.
const VERSIONS: std::ops::RangeInclusive<u32> = 1..=2;
/// Most names in one finding, and most findings.
const MAX_NAMED: usize = 12;
const MAX_FINDINGS: usize = 200;

/// A file of particle systems.
#[derive(Debug, Clone, PartialEq)]
pub struct Pcf {
    /// Its elements.
    pub dmx: Dmx,
}

impl Format for Pcf {
    type Context = ();

    const NAME: &'static str = "pcf";
    const EXTENSIONS: &'static [&'static str] = &["pcf"];
    const KIND: FileKind = FileKind::Effect;

    inherent_methods!(read, write, check);

    fn recognize(name: &str, head: &[u8]) -> Option<Match> {
        let line = head.split(|byte| *byte == b'\n').next();
        let words = line.filter(|line| line.starts_with(BINARY_START));
        let mut words = words.into_iter().flat_map(|it| it.split(|it| *it == b' '));
        if words.any(|word| word == DMX_FORMAT.as_bytes()) {
            return Some(Match::Content);
        }
        name.ends_with(".pcf").then_some(Match::Extension)
    }

    fn conversions() -> &'static [Conversion] {
        json::CONVERSIONS
    }

    fn describe(&self, report: &mut Report) {
        report.fact("encoding", format!("binary {}", self.dmx.encoding));
        report.fact("version", self.dmx.format_version);
        report.fact("elements", self.dmx.elements.len());
        report.fact("systems", self.systems().count());
        let mut seen = HashSet::new();
        for system in self.systems().filter(|it| seen.insert(it.index())) {
            report.fact("system", summary(&system));
        }
    }

    /// Materials of the systems.
    fn references(&self, _: &Path) -> Vec<Reference> {
        let names = self.systems().filter_map(|it| it.material());
        let mut known = HashSet::new();
        let names = names.filter(|it| known.insert(it.to_lowercase()));
        let path = |name: String| super::vmt::material_path(&name);
        names
            .map(|it| Reference::new(FileKind::Material, path(it)))
            .collect()
    }
}

impl Pcf {
    /// Reads a whole file.
    ///
    /// # Errors
    /// As [`Dmx::read`]; elements of another format or version, a root without a list of systems.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let dmx = Dmx::read(FORMAT, data)?;
        let r = Reader::new(FORMAT, data);
        if dmx.format != DMX_FORMAT {
            return Err(r.unexpected("format", DMX_FORMAT, dmx.format));
        }
        if !VERSIONS.contains(&dmx.format_version) {
            return Err(r.unexpected("version", "1 or 2", dmx.format_version));
        }
        let pcf = Self { dmx };
        match pcf.roots() {
            Some(_) => Ok(pcf),
            None => Err(r.unexpected(SYSTEMS, "a list of elements of the root", "none")),
        }
    }

    /// Writes the file; the same bytes if nothing was changed.
    ///
    /// # Errors
    /// As [`Dmx::write`].
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        self.dmx.write(FORMAT)
    }

    /// The systems that the file lists, in its order.
    pub fn systems(&self) -> impl Iterator<Item = ParticleSystem<'_>> {
        let links = self.roots().unwrap_or_default().iter();
        let elements = links.filter_map(|link| self.dmx.linked(link));
        elements.map(|(index, element)| ParticleSystem::new(&self.dmx, index, element))
    }

    /// A system by its name, whatever the case; of duplicates the first.
    pub fn system(&self, name: &str) -> Option<ParticleSystem<'_>> {
        let name = name.to_lowercase();
        self.systems().find(|it| it.name().to_lowercase() == name)
    }

    fn roots(&self) -> Option<&[DmxLink]> {
        let root = self.dmx.elements.first()?;
        match self.dmx.attribute(root, SYSTEMS)? {
            DmxValue::Element(links @ DmxItems::List(_)) => Some(links.as_slice()),
            _ => None,
        }
    }

    /// What games would miss or overlook.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut names = HashSet::new();
        let mut seen = HashSet::new();
        let mut unknown = BTreeSet::new();
        for system in self.systems() {
            if findings.len() >= MAX_FINDINGS {
                let message = "there is more of this kind";
                findings.push(Finding::new(Severity::Warning, FORMAT, message));
                break;
            }
            if !seen.insert(system.index()) {
                continue;
            }
            let name = system.name();
            let mut messages = system.flaws();
            if !names.insert(name.to_lowercase()) {
                messages.push("another system has this name; only one of them is found".to_owned());
            }
            for function in system.functions() {
                if !function.is_stock() {
                    unknown.insert(function.name());
                }
            }
            messages.truncate(MAX_FINDINGS);
            findings.extend(
                messages
                    .into_iter()
                    .map(|message| Finding::new(Severity::Warning, FORMAT, message).in_part(&name)),
            );
        }
        findings.extend(unknown_functions(&unknown));
        findings
    }
}

/// Functions that no stock game has, in one note.
fn unknown_functions(names: &BTreeSet<String>) -> Option<Finding> {
    let message = format!(
        "{} functions are of no stock game: {}",
        names.len(),
        first_of(names)
    );
    (!names.is_empty()).then(|| Finding::new(Severity::Note, FORMAT, message))
}

/// Some names in one text.
pub(crate) fn first_of(names: &BTreeSet<String>) -> String {
    let shown: Vec<_> = names.iter().take(MAX_NAMED).map(String::as_str).collect();
    let more = if names.len() > MAX_NAMED { ", ..." } else { "" };
    shown.join(", ") + more
}

/// A system in one line: its name, material, size and children.
fn summary(system: &ParticleSystem<'_>) -> String {
    let material = system.material().filter(|it| !it.is_empty());
    let material = material.as_deref().unwrap_or("no material");
    let n_functions = system.functions().count();
    let n_particles = (system.parameters()).int("max_particles", systems::MAX_PARTICLES);
    let name = system.name();
    let line =
        format!("{name}: {material}, up to {n_particles} particles, {n_functions} functions");
    let children: BTreeSet<_> = system.children().map(|it| it.system.name()).collect();
    match children.is_empty() {
        true => line,
        false => format!("{line}, begins {}", first_of(&children)),
    }
}
