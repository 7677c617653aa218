//! A map with all that it needs to be drawn.

mod brush_entities;
mod detail;
mod lump_patches;
mod prop_models;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::brush_entities::brush_entities;
pub use self::detail::Detail;
pub use self::prop_models::{is_prop_class, model_key, prop_model};
use super::bsp::game_lump::{GameLump, StaticProps};
use super::bsp::{BspFile, FaceSet, LumpId, Map};
use super::entities::{Entities, EntitySyntax};
use super::game_files::{GameFiles, GameFilesError};
use super::missing_files::MissingFiles;
use super::pakfile::Pakfile;
use super::studio_model::StudioModel;
use super::studio_motion::StudioMotion;
use super::vmt::LightRange;
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::vfs::{VfsError, read_file};

/// What findings of this module name as their format.
const FORMAT: &str = "source level";
/// Maps up to here write entities with escapes (dossier section 8.1).
const LAST_WITH_ESCAPES: u32 = 17;

/// A map, its entities, and the game's files that it names.
#[derive(Debug, Clone)]
pub struct SourceLevel {
    /// The `*.bsp`.
    pub path: PathBuf,
    /// Its lumps as bytes, those of patch files beside it in place of its own.
    pub file: BspFile,
    /// Its lumps.
    pub map: Map,
    /// Its entities; the first is the world.
    pub entities: Entities,
    /// Models that never move.
    pub static_props: StaticProps,
    /// Grass, pebbles and the like.
    pub detail: Detail,
    /// Its own files and those of the game.
    pub game_files: Arc<GameFiles>,
    /// Models that static props and entities name, by [`model_key`].
    pub models: BTreeMap<String, StudioModel>,
    /// What moves those of entities that can move, likewise.
    pub motions: BTreeMap<String, Arc<StudioMotion>>,
    /// Which faces and light are shown.
    pub face_set: FaceSet,
    /// Files of the models that are nowhere.
    pub missing: MissingFiles,
    /// What else it had to do without.
    pub findings: Vec<Finding>,
}

/// Equal if they were read from equal files; where else files are looked for does not count.
impl PartialEq for SourceLevel {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
            && self.map == other.map
            && self.entities == other.entities
            && self.static_props == other.static_props
            && self.detail == other.detail
            && self.models == other.models
            && self.motions == other.motions
            && self.face_set == other.face_set
            && self.missing == other.missing
            && self.findings == other.findings
    }
}

impl SourceLevel {
    /// Opens a map and the models that it names. `assets` are folders of the game and `*_dir.vpk` files in them, for
    /// what the map's own archive lacks; `face_set` is the light to show, else what the map was made for.
    ///
    /// # Errors
    /// The file cannot be read or is no map, or a folder of the game cannot be read. A broken archive, broken props
    /// and whatever is missing are findings.
    pub fn open(
        path: &Path,
        assets: &[PathBuf],
        face_set: Option<FaceSet>,
    ) -> Result<Self, VfsError> {
        let invalid = |error: FormatError| VfsError::Invalid {
            file: path.to_owned(),
            error: Box::new(error),
        };
        let mut findings = Vec::new();
        let mut file = BspFile::read(&read_file(path)?).map_err(invalid)?;
        lump_patches::apply_all(path, &mut file, &mut findings);
        let map = Map::read(&file).map_err(invalid)?;
        let entities = read_entities(&file).map_err(invalid)?;
        findings.extend(brush_entities(&file, &map, &entities));
        let static_props = or_default(static_props(&file), &mut findings);
        let pakfile = or_default(pakfile(&file), &mut findings);
        let game_files = GameFiles::new(pakfile, assets).map_err(|error| match error {
            GameFilesError::Vfs(error) => error,
            GameFilesError::Pakfile(error) => invalid(*error),
            GameFilesError::Archive { archive, error } => VfsError::Invalid {
                file: archive,
                error,
            },
        })?;
        let face_set = shown_set(&map, face_set, &mut findings);
        let detail = or_default(Detail::read(&file, face_set), &mut findings);
        let mut missing = MissingFiles::default();
        let (models, motions) = prop_models::load_all(
            (&static_props, &detail),
            &entities,
            &game_files,
            &mut missing,
            &mut findings,
        );
        Ok(Self {
            path: path.to_owned(),
            face_set,
            file,
            map,
            entities,
            static_props,
            detail,
            game_files: Arc::new(game_files),
            models,
            motions,
            missing,
            findings,
        })
    }

    /// What the checks of all files find.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = self.map.check();
        findings.extend(self.game_files.pakfile().iter().flat_map(|it| it.check()));
        findings.extend(self.missing.findings());
        findings.extend(self.findings.iter().cloned());
        findings
    }

    /// Its name, as the file's.
    pub fn name(&self) -> String {
        let stem = self.path.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    /// Whether the map was compiled without any light. Its game then shows it fully bright, whatever light is stored.
    pub fn is_full_bright(&self) -> bool {
        self.map.world_lights_of(self.face_set).is_empty()
    }

    /// For which light conditional parts of materials are chosen.
    pub fn light_range(&self) -> LightRange {
        match self.face_set {
            FaceSet::Ldr => LightRange::Ldr,
            FaceSet::Hdr => LightRange::Hdr,
        }
    }
}

/// The light that is shown: the wanted one, if the map has such.
fn shown_set(map: &Map, wanted: Option<FaceSet>, findings: &mut Vec<Finding>) -> FaceSet {
    let own = map.default_face_set();
    let Some(wanted) = wanted else { return own };
    if wanted == own || !map.lighting_of(wanted).is_empty() {
        return wanted;
    }
    let name = |set: FaceSet| match set {
        FaceSet::Ldr => "LDR",
        FaceSet::Hdr => "HDR",
    };
    let message = format!("it has no {} light; {} is shown", name(wanted), name(own));
    findings.push(Finding::new(Severity::Warning, FORMAT, message));
    own
}

/// The entities of a map by the rules of its version.
///
/// # Errors
/// The lump cannot be unpacked, or its text breaks the rules. Offsets count from the start of the file.
pub fn read_entities(file: &BspFile) -> Result<Entities, FormatError> {
    let content = file.content(LumpId::Entities)?;
    Entities::read(&content, entity_syntax(file)).map_err(|mut error| {
        // Offsets in a packed lump count in its content.
        if !file.is_compressed(LumpId::Entities) {
            let start = u64::from(file.lump_offset(LumpId::Entities));
            error.offset = error.offset.saturating_add(start);
        }
        error
    })
}

fn entity_syntax(file: &BspFile) -> EntitySyntax {
    match file.version <= LAST_WITH_ESCAPES {
        true => EntitySyntax::Escapes,
        false => EntitySyntax::Plain,
    }
}

/// The static props of a map; none if it has none.
pub(crate) fn static_props(file: &BspFile) -> Result<StaticProps, FormatError> {
    let lump = file.lump(LumpId::GameLump);
    if lump.is_empty() {
        return Ok(StaticProps::default());
    }
    let game_lump = GameLump::read_within(
        lump,
        file.lump_offset(LumpId::GameLump).into(),
        file.budget(),
    )?;
    Ok(game_lump.static_props(file.version)?.unwrap_or_default())
}

fn pakfile(file: &BspFile) -> Result<Option<Pakfile>, FormatError> {
    let lump = file.lump(LumpId::Pakfile);
    match lump.is_empty() {
        true => Ok(None),
        false => Pakfile::read_within(lump, file.budget()).map(Some),
    }
}

/// What the level can do without.
fn or_default<T: Default>(read: Result<T, FormatError>, findings: &mut Vec<Finding>) -> T {
    read.unwrap_or_else(|error| {
        let finding = Finding::new(Severity::Error, FORMAT, error.to_string());
        findings.push(finding.at(error.offset));
        T::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_that_a_map_has_not_is_reported_and_not_shown() {
        let lit = |ldr: usize, hdr: usize| Map {
            lighting: vec![1; ldr],
            lighting_hdr: vec![1; hdr],
            ..Map::default()
        };
        use FaceSet::{Hdr, Ldr};
        for (map, wanted, shown, reported) in [
            (lit(4, 0), None, Ldr, ""),
            (lit(4, 0), Some(Ldr), Ldr, ""),
            (
                lit(4, 0),
                Some(Hdr),
                Ldr,
                "it has no HDR light; LDR is shown",
            ),
            (
                lit(0, 4),
                Some(Ldr),
                Hdr,
                "it has no LDR light; HDR is shown",
            ),
            (lit(4, 4), Some(Hdr), Hdr, ""),
            (lit(4, 4), Some(Ldr), Ldr, ""),
        ] {
            let mut findings = Vec::new();
            assert_eq!(shown_set(&map, wanted, &mut findings), shown);
            let messages: String = findings.iter().map(|it| &*it.message).collect();
            assert_eq!(messages, reported, "{wanted:?}");
        }
    }
}
