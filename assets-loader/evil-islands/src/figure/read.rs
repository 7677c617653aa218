//! From archives to parts.

use std::collections::HashMap;

use super::{FORMAT, Figure, FigureAnimation, FigurePart};
use crate::adb::{self, Adb};
use crate::anm::{self, Anm};
use crate::bon::{self, Bon};
use crate::fig::{self, Fig};
use crate::lnk::{self, Lnk};
use crate::res::{self, ResArchive, ResEntry};
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::text::decode_cp1251;

/// What meshes begin with, whatever the number of their states.
const FIG_MARK: &[u8] = b"FIG";

pub(super) fn read(
    name: &str,
    model: &[u8],
    bon: &[u8],
    anm: Option<&[u8]>,
    adb: Option<&[u8]>,
) -> Result<Figure, FormatError> {
    let model = ResArchive::read_with(model, res::Tolerance::all())?;
    let mut figure = Figure {
        name: name.to_owned(),
        ..Figure::default()
    };
    add_parts(&mut figure, &model);
    if figure.parts.is_empty() {
        figure.warn("it has no parts".to_owned());
    }
    match bon {
        [] => figure.warn("no rest positions: all parts stand at the origin".to_owned()),
        _ => match ResArchive::read_with(bon, res::Tolerance::all()) {
            Ok(archive) => add_offsets(&mut figure, &archive),
            Err(error) => figure.refuse("rest positions", &error),
        },
    }
    match anm.map(|anm| ResArchive::read_with(anm, res::Tolerance::all())) {
        Some(Ok(archive)) => add_animations(&mut figure, &archive),
        Some(Err(error)) => figure.refuse("animations", &error),
        None => {}
    }
    if let Some(table) = adb {
        let read = match Adb::read(table) {
            Ok(adb) => Ok((adb, None)),
            Err(error) => {
                Adb::read_with(table, adb::Tolerance::all()).map(|adb| (adb, Some(error)))
            }
        };
        figure.adb = figure.take("the table of animations", read);
    }
    Ok(figure)
}

/// The tree, and the meshes of its parts. Meshes that are not in the tree become roots.
fn add_parts(figure: &mut Figure, model: &ResArchive) {
    let lnk = match find_lnk(figure, model) {
        Some(entry) => {
            let strict = Lnk::read(&entry.data);
            let tolerant = |strict| match strict {
                Ok(lnk) => Ok((lnk, None)),
                Err(error) => {
                    Lnk::read_with(&entry.data, lnk::Tolerance::all()).map(|lnk| (lnk, Some(error)))
                }
            };
            figure
                .take("the tree", tolerant(strict))
                .unwrap_or_default()
        }
        None => Lnk::default(),
    };
    let order = lnk.depth_first();
    let parents = lnk.parents();
    let mut place_of: HashMap<usize, u32> = HashMap::new();
    let meshes = Names::from_names(model.entries.iter().map(|entry| entry.name_text()));
    for link in order {
        let Some(stored) = lnk.links.get(link) else {
            continue;
        };
        // As many as records in a file of less than 4 GiB.
        place_of.insert(link, figure.parts.len() as u32);
        let parent = parents.get(link).copied().flatten();
        let name = decode_cp1251(&stored.name.bytes).into_owned();
        let entry = meshes
            .find(&name)
            .and_then(|index| model.entries.get(index));
        let mesh = entry.filter(|entry| entry.data.starts_with(FIG_MARK));
        let fig = mesh.and_then(|entry| read_fig(figure, entry));
        figure.parts.push(FigurePart {
            name,
            parent: parent.and_then(|parent| place_of.get(&parent).copied()),
            fig,
            bon: None,
        });
    }
    let parts = Names::from_parts(figure);
    for entry in &model.entries {
        let name = entry.name_text().into_owned();
        if !entry.data.starts_with(FIG_MARK) || parts.find(&name).is_some() {
            continue;
        }
        figure.warn(format!(
            "part {name} is not in the tree; it hangs on nothing"
        ));
        let fig = read_fig(figure, entry);
        figure.parts.push(FigurePart {
            name,
            fig,
            ..FigurePart::default()
        });
    }
}

/// The tree is called as the model is; where files have been renamed, it is what is no mesh.
fn find_lnk<'a>(figure: &mut Figure, model: &'a ResArchive) -> Option<&'a ResEntry> {
    let is_lnk = |entry: &&ResEntry| !entry.data.starts_with(FIG_MARK) && !entry.is_archive();
    if let Some(named) = model.find(&figure.name).filter(|entry| is_lnk(entry)) {
        return Some(named);
    }
    let other = model.entries.iter().find(is_lnk);
    match other {
        Some(entry) => {
            let message = format!("its tree is called {}", entry.name_text());
            let finding = Finding::new(Severity::Note, FORMAT, message);
            figure.findings.push(finding);
        }
        None => figure.warn("it has no tree of parts".to_owned()),
    }
    other
}

fn read_fig(figure: &mut Figure, entry: &ResEntry) -> Option<Fig> {
    // The order of normals is reported and not changed: the fix is the user's to choose.
    let waived = fig::Tolerance::all().difference(fig::Tolerance::UNGROUPED_NORMALS);
    let read = match Fig::read(&entry.data) {
        Ok(fig) => Ok((fig, None)),
        Err(error) => Fig::read_with(&entry.data, waived).map(|fig| (fig, Some(error))),
    };
    let fig = figure.take(&entry.name_text(), read)?;
    figure.add_findings(&entry.name_text(), fig.check());
    Some(fig)
}

fn add_offsets(figure: &mut Figure, archive: &ResArchive) {
    let parts = Names::from_parts(figure);
    for entry in &archive.entries {
        let name = entry.name_text();
        let read = match Bon::read(&entry.data) {
            Ok(bon) => Ok((bon, None)),
            Err(error) => {
                Bon::read_with(&entry.data, bon::Tolerance::all()).map(|bon| (bon, Some(error)))
            }
        };
        let place = format!("rest position of {name}");
        let bon = figure.take(&place, read);
        let part = parts.find(&name);
        match part.and_then(|part| figure.parts.get_mut(part)) {
            Some(part) => part.bon = bon,
            None => figure.warn(format!("{place}: there is no such part")),
        }
    }
    let without = figure.parts.iter().filter(|part| part.bon.is_none());
    let names: Vec<_> = without.map(|part| part.name.clone()).collect();
    for name in names {
        figure.warn(format!(
            "part {name} has no rest position; it stands where its parent does"
        ));
    }
}

fn add_animations(figure: &mut Figure, archive: &ResArchive) {
    let names = Names::from_parts(figure);
    for entry in &archive.entries {
        let name = entry.name_text().into_owned();
        match ResArchive::read_with(&entry.data, res::Tolerance::all()) {
            Ok(archive) => {
                let animation = read_animation(figure, &names, &name, &archive);
                figure.animations.push(animation);
            }
            Err(error) => figure.refuse(&format!("animation {name}"), &error),
        }
    }
}

fn read_animation(
    figure: &mut Figure,
    names: &Names,
    name: &str,
    archive: &ResArchive,
) -> FigureAnimation {
    let mut parts = vec![None; figure.parts.len()];
    for entry in &archive.entries {
        let place = format!("animation {name} of {}", entry.name_text());
        let read = match Anm::read(&entry.data) {
            Ok(anm) => Ok((anm, None)),
            Err(error) => {
                Anm::read_with(&entry.data, anm::Tolerance::all()).map(|anm| (anm, Some(error)))
            }
        };
        let anm = figure.take(&place, read);
        let part = names.find(&entry.name_text());
        let fig = part.and_then(|part| figure.parts.get(part)?.fig.as_ref());
        let missing = anm.as_ref().zip(fig);
        if let Some((component, morph)) =
            missing.and_then(|(anm, fig)| anm.missing_morph(&fig.morphs))
        {
            let message = format!(
                "{place}: morph component {component} names offset {}",
                morph.morph
            );
            figure.warn(message);
        }
        match part.and_then(|part| parts.get_mut(part)) {
            Some(part) => *part = anm,
            None => figure.warn(format!("{place}: there is no such part")),
        }
    }
    FigureAnimation {
        name: name.to_owned(),
        parts,
    }
}

/// The first of each name, whatever its case. Archives may hold many thousands.
struct Names(HashMap<String, usize>);

impl Names {
    fn from_names(
        names: impl DoubleEndedIterator<Item = impl AsRef<str>> + ExactSizeIterator,
    ) -> Self {
        let names = names.enumerate().rev();
        Self(
            names
                .map(|(index, name)| (name.as_ref().to_ascii_lowercase(), index))
                .collect(),
        )
    }

    fn from_parts(figure: &Figure) -> Self {
        Self::from_names(figure.parts.iter().map(|part| &part.name))
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.0.get(&name.to_ascii_lowercase()).copied()
    }
}

impl Figure {
    /// What was read, with the strict reader's findings; what even the tolerant reader refuses is a finding.
    fn take<T>(
        &mut self,
        place: &str,
        read: Result<(T, Option<FormatError>), FormatError>,
    ) -> Option<T> {
        match read {
            Ok((value, refused)) => {
                if let Some(error) = refused {
                    self.warn(format!("{place}: {error}"));
                }
                Some(value)
            }
            Err(error) => {
                self.refuse(place, &error);
                None
            }
        }
    }

    fn add_findings(&mut self, place: &str, findings: Vec<Finding>) {
        let of_part = findings.into_iter().map(|finding| finding.in_part(place));
        self.findings.extend(of_part);
    }

    fn refuse(&mut self, place: &str, error: &FormatError) {
        let message = format!("{place}: {error}");
        let finding = Finding::new(Severity::Error, FORMAT, message);
        self.findings.push(finding);
    }

    fn warn(&mut self, message: String) {
        let finding = Finding::new(Severity::Warning, FORMAT, message);
        self.findings.push(finding);
    }
}
