//! How the files of a level fit together: what no single file can tell (dossier sections 4.4, 9.4 to 9.6).
//!
//! In: a level's folder. Out: facts and findings. Terrain and areal map come as a pair; the rows of the two
//! material tables cover the rows that faces use; the names in them lead to materials, and the materials'
//! phases to textures. A level without a game root above it is checked as far as its own files go.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use super::land_map::{self, LandMap, PolygonBlockLayout};
use super::land_msh::{self, LandMsh};
use super::mat0::Mat0;
use super::nres::NRes;
use super::texm::palette_bank;
use super::text::decode_cp1251;
use super::wear::{Wear, WearRow, WearTolerance};
use crate::bytes::{Finding, Severity};
use crate::vfs::{Vfs, VfsError};

const FORMAT: &str = "level";
const TERRAIN: &str = "Land.msh";
const AREALS: &str = "Land.map";
/// Rows for `Face::overlay_material`, and for `Face::base_material`.
const OVERLAY_TABLE: &str = "Land1.wea";
const BASE_TABLE: &str = "Land2.wea";
const MATERIALS: &str = "Material.lib";
const TEXTURES: &str = "Textures.lib";
const LIGHTMAPS: &str = "LightMap.lib";
/// The material that stands in for one that is missing.
const FALLBACK: &[u8] = b"DEFAULT";

/// The answer for one level.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LevelCheck {
    /// Facts in words.
    pub facts: Vec<(&'static str, String)>,
    /// What does not fit together.
    pub findings: Vec<Finding>,
}

/// Whether a folder holds one of the two files that make a level.
pub fn is_level_folder(folder: &Path) -> bool {
    let files = Vfs::of_folder(folder);
    files.is_ok_and(|files| {
        [TERRAIN, AREALS]
            .iter()
            .any(|name| files.find_file(name).is_ok())
    })
}

impl LevelCheck {
    /// Checks the level in `folder` against itself and against the game root above it.
    pub fn of_folder(folder: &Path) -> Self {
        let mut check = Self::default();
        match (Vfs::of_folder(folder), Vfs::of_level(folder)) {
            (Ok(own), Ok(game)) => check.run(&own, &game),
            (Err(error), _) | (_, Err(error)) => check.find(Severity::Error, error),
        }
        check
    }

    /// `own` sees the level's folder only, `game` the root above it too.
    fn run(&mut self, own: &Vfs, game: &Vfs) {
        let areals = own.open_as(AREALS, |data| {
            let layout = PolygonBlockLayout::default();
            LandMap::read_with(data, land_map::Tolerance::all(), layout).map(drop)
        });
        self.keep(areals);
        let terrain = own.open_as(TERRAIN, |data| {
            LandMsh::read_with(data, land_msh::Tolerance::all()).map(|(land, _repairs)| land)
        });
        let Some(terrain) = self.keep(terrain) else {
            return;
        };
        let faces = terrain.faces.iter();
        let base_rows = faces.clone().map(|face| face.base_material).collect();
        let overlays = faces.map(|face| face.overlay_material);
        let overlay_rows = overlays
            .filter(|row| *row != land_msh::NO_OVERLAY)
            .collect();
        let mut resolver = Resolver::new(game, self);
        resolver.check_table(own, OVERLAY_TABLE, &overlay_rows);
        resolver.check_table(own, BASE_TABLE, &base_rows);
        resolver.finish();
    }

    fn find(&mut self, severity: Severity, message: impl ToString) {
        let finding = Finding::new(severity, FORMAT, message.to_string());
        self.findings.push(finding);
    }

    /// A file of the level itself; without it something is lost.
    fn keep<T>(&mut self, opened: Result<T, VfsError>) -> Option<T> {
        opened
            .map_err(|error| self.find(Severity::Error, error))
            .ok()
    }
}

/// Follows names from material tables to materials and textures, each once.
struct Resolver<'a> {
    check: &'a mut LevelCheck,
    materials: Option<Arc<NRes>>,
    textures: Option<Arc<NRes>>,
    lightmaps: Option<Arc<NRes>>,
    /// Entries of `Material.lib` that were looked at, and whether a face needs them.
    seen_materials: BTreeMap<usize, bool>,
    /// Names of textures that were looked for, and whether a face needs them.
    seen_textures: BTreeMap<Vec<u8>, bool>,
}

impl<'a> Resolver<'a> {
    fn new(game: &Vfs, check: &'a mut LevelCheck) -> Self {
        let mut library = |name| match game.nres(name) {
            Ok(archive) => Some(archive),
            Err(error @ VfsError::FileMissing { .. }) => {
                check.find(
                    Severity::Warning,
                    format!("{error}; its names are not checked"),
                );
                None
            }
            Err(error) => {
                check.find(Severity::Error, error);
                None
            }
        };
        let [materials, textures, lightmaps] = [MATERIALS, TEXTURES, LIGHTMAPS].map(&mut library);
        Self {
            check,
            materials,
            textures,
            lightmaps,
            seen_materials: BTreeMap::new(),
            seen_textures: BTreeMap::new(),
        }
    }

    fn check_table(&mut self, own: &Vfs, name: &'static str, used_rows: &BTreeSet<u8>) {
        let table = own.open_as(name, |data| {
            Wear::read_with(data, WearTolerance::AnyGapBeforeLightmaps)
        });
        let Some(table) = self.check.keep(table) else {
            return;
        };
        let n_rows = table.materials.len();
        self.check
            .facts
            .push((name, format!("{} of {n_rows} rows used", used_rows.len())));
        if let Some(beyond) = used_rows.iter().find(|row| usize::from(**row) >= n_rows) {
            let message = format!("faces use row {beyond} of {name}, which has {n_rows} rows");
            self.check.find(Severity::Error, message);
        }
        for (index, row) in table.materials.iter().enumerate() {
            let is_used = u8::try_from(index).is_ok_and(|index| used_rows.contains(&index));
            self.check_material(name, row, is_used);
        }
        for row in table.lightmaps.iter().flatten() {
            let missing = self
                .lightmaps
                .as_ref()
                .is_some_and(|lib| lib.find(&row.name).is_none());
            if missing {
                let lightmap = decode_cp1251(&row.name);
                let message = format!("{name} names lightmap \"{lightmap}\", not in {LIGHTMAPS}");
                self.check.find(Severity::Warning, message);
            }
        }
    }

    fn check_material(&mut self, table: &str, row: &WearRow, is_used: bool) {
        let Some(library) = self.materials.clone() else {
            return;
        };
        let severity = severity_of(is_used);
        let Some(index) = library.find(&row.name) else {
            let name = decode_cp1251(&row.name);
            let instead = match library.find(FALLBACK) {
                Some(_) => "DEFAULT is drawn instead",
                None => "the first material is drawn instead",
            };
            let message =
                format!("{table} names material \"{name}\", not in {MATERIALS}; {instead}");
            return self.check.find(severity, message);
        };
        let is_news = is_news(&mut self.seen_materials, index, is_used);
        let Some(entry) = library.entries.get(index).filter(|_| is_news) else {
            return;
        };
        match Mat0::read(&entry.data, entry.attr2) {
            Ok(material) => self.check_textures(&entry.name_text(), &material, is_used),
            Err(error) => {
                let error = error.in_entry(&entry.name_text());
                self.check.find(severity, format!("{MATERIALS}: {error}"));
            }
        }
    }

    fn check_textures(&mut self, material: &str, value: &Mat0, is_used: bool) {
        let Some(library) = self.textures.clone() else {
            return;
        };
        for phase in &value.phases {
            let name = phase.texture_name();
            // No name: the material is meant to have no texture.
            if name.is_empty() || !is_news(&mut self.seen_textures, name.to_vec(), is_used) {
                continue;
            }
            let severity = severity_of(is_used);
            if let Err(error) = palette_bank(name) {
                self.check
                    .find(severity, format!("material \"{material}\": {error}"));
            } else if library.find(name).is_none() {
                let texture = decode_cp1251(name);
                let message = format!(
                    "material \"{material}\" names texture \"{texture}\", not in {TEXTURES}"
                );
                self.check.find(severity, message);
            }
        }
    }

    fn finish(self) {
        let n_materials = self.seen_materials.len().to_string();
        let n_textures = self.seen_textures.len().to_string();
        self.check.facts.push(("materials", n_materials));
        self.check.facts.push(("textures", n_textures));
    }
}

/// What no face uses harms no one.
fn severity_of(is_used: bool) -> Severity {
    if is_used {
        Severity::Error
    } else {
        Severity::Note
    }
}

/// Whether a thing was not seen before, or only where no face needed it.
fn is_news<K: Ord>(seen: &mut BTreeMap<K, bool>, key: K, is_used: bool) -> bool {
    match seen.get_mut(&key) {
        None => {
            seen.insert(key, is_used);
            true
        }
        Some(was_used) => is_used && !std::mem::replace(was_used, is_used || *was_used),
    }
}
