//! How the files of a level fit together: what no single file can show (dossier sections 4.4, 9.4 to 9.6).
//!
//! In: a level's folder. Out: facts and findings. Terrain and areal map come as a pair; the rows of the two
//! material tables cover the rows that faces use; the names in them lead to materials, and the materials'
//! phases to textures, as [`super::material_table`] follows them. A level without a game root above it is checked
//! as far as its own files go.

mod on_ground;
#[cfg(test)]
mod tests;

use crate::game_files;
use std::collections::BTreeSet;
use std::path::Path;

use self::on_ground::buildings_on_ground;
use super::face_mask::FaceFlags;
use super::land_map::{self, LandMap, PolygonBlockLayout};
use super::land_msh::{self, Face, LandMsh};
use super::material_table::{Concern, MaterialResolver, MaterialTable, Problem, TextureKind};
use super::placement::LevelMission;
use super::wear::{Wear, WearTolerance};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::vfs::{Vfs, VfsError};

/// What levels as a whole are called in reports and findings.
pub const FORMAT: &str = "level";
const TERRAIN: &str = "Land.msh";
const AREALS: &str = "Land.map";
/// Rows for both materials of faces, and what each takes its microtexture from.
const MATERIAL_TABLE: &str = "Land1.wea";
const MICROTEXTURE_TABLE: &str = "Land2.wea";

/// The result for one level.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LevelCheck {
    /// Facts in words.
    pub facts: Vec<(&'static str, String)>,
    /// What does not fit together.
    pub findings: Vec<Finding>,
    /// For each building of the level's mission whether it stands on the ground.
    pub buildings_on_ground: Vec<bool>,
}

/// Whether a folder holds one of the two files that make a level.
pub fn is_level_folder(folder: &Path) -> bool {
    let files = game_files::of_folder(folder);
    files.is_ok_and(|files| {
        [TERRAIN, AREALS]
            .iter()
            .any(|name| files.find_file(name).is_ok())
    })
}

impl LevelCheck {
    /// Checks the level in `folder` against itself and against the game root above it.
    pub fn from_folder(folder: &Path) -> Self {
        let mut check = Self::default();
        match (game_files::of_folder(folder), game_files::of_level(folder)) {
            (Ok(own), Ok(game)) => check.run(&own, &game, folder),
            (Err(error), _) | (_, Err(error)) => check.find(Severity::Error, error),
        }
        check
    }

    /// `own` sees the level's folder only, `game` the root above it too.
    fn run(&mut self, own: &Vfs, game: &Vfs, folder: &Path) {
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
        let faces = || terrain.faces.iter();
        let second = faces().filter_map(Face::second);
        let rows = faces().map(|face| face.first_material).chain(second);
        let with_microtexture = faces().filter(|face| face.flags.contains(FaceFlags::MICROTEXTURE));
        let second = with_microtexture.clone().filter_map(Face::second);
        let detailed = with_microtexture.map(|face| face.first_material);
        let used = [
            (MATERIAL_TABLE, rows.collect()),
            (MICROTEXTURE_TABLE, detailed.chain(second).collect()),
        ];
        let mut resolver = MaterialResolver::new(game);
        let mut tables = Vec::new();
        for (name, rows) in used {
            tables.extend(resolve_table(own, name, &rows, &mut resolver, self));
        }
        self.keep_problems(resolver, &tables);
        // What is wrong with missions is said where these are checked.
        let (mission, _) = LevelMission::find(game, folder);
        let on_ground = mission.map(|it| buildings_on_ground(&it.mission, &terrain));
        self.buildings_on_ground = on_ground.unwrap_or_default();
    }

    /// What the resolver found, each once, as bad as the worst use of it.
    fn keep_problems(&mut self, resolver: MaterialResolver<'_>, tables: &[ResolvedTable]) {
        let (table, problems) = resolver.into_problems();
        let used: BTreeSet<usize> = tables.iter().flat_map(|it| &it.used).copied().collect();
        for Problem { concern, message } in problems {
            let severity = severity_of(concern, &used, &table);
            let named_in = match concern {
                Concern::Material(idx) => tables.iter().find(|it| it.rows.contains(&idx)),
                Concern::Library(_) | Concern::Texture(_) | Concern::Lightmap => None,
            };
            match named_in {
                Some(ResolvedTable { name, .. }) => {
                    self.find(severity, format!("{name}: {message}"));
                }
                None => self.find(severity, message),
            }
        }
        let textures = table.textures.iter();
        let n_textures = textures
            .filter(|it| it.kind == TextureKind::Surface)
            .count();
        self.facts
            .push(("materials", table.materials.len().to_string()));
        self.facts.push(("textures", n_textures.to_string()));
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

/// A table whose rows have been followed.
struct ResolvedTable {
    name: &'static str,
    rows: Vec<usize>,
    /// Materials that faces need.
    used: BTreeSet<usize>,
}

/// All names of a table are followed, whether a face needs them or not; `None` if there is no table.
fn resolve_table(
    own: &Vfs,
    name: &'static str,
    used_rows: &BTreeSet<u8>,
    resolver: &mut MaterialResolver<'_>,
    check: &mut LevelCheck,
) -> Option<ResolvedTable> {
    let table = own.open_as(name, |data| {
        Wear::read_with(data, WearTolerance::AnyGapBeforeLightmaps)
    });
    let table = check.keep(table)?;
    let n_rows = table.materials.len();
    let fact = format!("{} of {n_rows} rows used", used_rows.len());
    check.facts.push((name, fact));
    if let Some(beyond) = used_rows.iter().find(|row| usize::from(**row) >= n_rows) {
        let message = format!("faces use row {beyond} of {name}, which has {n_rows} rows");
        check.find(Severity::Error, message);
    }
    let rows = resolver.wear(&table).materials;
    let used = used_rows
        .iter()
        .filter_map(|row| rows.get(usize::from(*row)).copied());
    Some(ResolvedTable {
        name,
        used: used.collect(),
        rows,
    })
}

/// The severity of a problem: what no face uses does no harm.
fn severity_of(concern: Concern, used: &BTreeSet<usize>, table: &MaterialTable) -> Severity {
    let is_used = match concern {
        Concern::Library(severity) => return severity,
        Concern::Lightmap => return Severity::Warning,
        Concern::Material(idx) => used.contains(&idx),
        Concern::Texture(idx) => used.iter().any(|material| {
            let material = table.materials.get(*material);
            material.is_some_and(|it| it.textures.contains(&Some(idx)))
        }),
    };
    if is_used {
        Severity::Error
    } else {
        Severity::Note
    }
}
