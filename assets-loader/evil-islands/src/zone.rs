//! A zone with all that it needs to be drawn: land, objects, textures and models.
//!
//! In: the path of a `.mpr`, and where the game's other files may be. Out: the typed files. The land is what a zone
//! cannot do without; whatever else is missing or broken is a finding (dossier sections 1.3, 1.4, 10.3, 10.7).

mod archive;
mod check;
mod files;
mod open;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::archive::ZoneArchive;
pub(super) use self::files::{DEFAULT_TEXTURE, texture_name};
use super::figure::Figure;
use super::game_files::GameFiles;
use super::land::Land;
use super::lights_config::{LightsConfig, Region};
use super::map_entities::{MapEntity, map_entities};
use super::mmp::Mmp;
use super::mob::Mob;
use super::mob::view::{MapObject, WorldSettings};
use super::mp::Mp;
use super::sec::Sec;
use ironlands_assets_core::bytes::Finding;
use ironlands_assets_core::format::Format;
use ironlands_assets_core::vfs::VfsError;

/// What findings of this module name as their format.
const FORMAT: &str = ZoneArchive::NAME;
/// Extension of the archive of a zone's land.
pub const LAND_EXTENSION: &str = "mpr";
/// Extension of the objects of a zone.
pub const MAP_EXTENSION: &str = "mob";

/// A zone.
#[derive(Debug, Clone)]
pub struct Zone {
    /// The `*.mpr`.
    pub path: PathBuf,
    /// What the files in it, and its atlases, are named after; it may differ from the name of the archive.
    pub stem: String,
    /// What holds for all sectors.
    pub mp: Mp,
    /// Row after row: that at x, y is `sectors[y * x_sectors + x]`; `None` where one is missing or broken.
    pub sectors: Vec<Option<Box<Sec>>>,
    /// Texture atlases by number; `None` where one is missing or broken.
    pub atlases: Vec<Option<Mmp>>,
    /// The map that stands beside the archive.
    pub mob: Option<Mob>,
    /// Objects of the map, in file order.
    pub objects: Vec<MapObject>,
    /// Models that objects name, by lower-case name.
    pub figures: BTreeMap<String, Figure>,
    /// Textures that objects name, by lower-case name without extension.
    pub textures: BTreeMap<String, Mmp>,
    /// Colors of sky and light for each hour, of every region that the game has. The first is the one that the zone's
    /// name contains, if any.
    pub lights: Vec<(Region, LightsConfig)>,
    /// The game's files.
    pub game_files: Arc<GameFiles>,
    /// What it had to do without.
    pub findings: Vec<Finding>,
}

/// Equal if they were read from equal files; where else files are looked for does not count.
impl PartialEq for Zone {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
            && self.stem == other.stem
            && self.mp == other.mp
            && self.sectors == other.sectors
            && self.atlases == other.atlases
            && self.mob == other.mob
            && self.figures == other.figures
            && self.textures == other.textures
            && self.lights == other.lights
            && self.findings == other.findings
    }
}

impl Zone {
    /// Opens a zone by the path of its `*.mpr`, with the map beside it and what both name. `assets` are roots of the
    /// game, or archives, that are searched before the folders above the zone.
    ///
    /// # Errors
    /// The archive cannot be read, is none, or holds no header that can be read; an asset that cannot be read.
    pub fn open(path: &Path, assets: &[PathBuf]) -> Result<Self, VfsError> {
        open::open(path, assets)
    }

    /// Its sectors as one grid.
    pub fn land(&self) -> Land<'_> {
        Land::new(&self.mp, &self.sectors)
    }

    /// Its name, as the file's.
    pub fn name(&self) -> String {
        let stem = self.path.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    /// What the map says of weather and light.
    pub fn world_settings(&self) -> Option<WorldSettings> {
        self.mob.as_ref().and_then(Mob::world_settings)
    }

    /// All that the map places, with the height of the ground below it.
    pub fn entities(&self) -> Vec<MapEntity> {
        let land = self.land();
        let entities = self.mob.as_ref();
        let entities = entities.map(|mob| map_entities(mob, &|x, y| land.height_at([x, y])));
        entities.unwrap_or_default()
    }

    /// The model of an object.
    pub fn figure_of(&self, object: &MapObject) -> Option<&Figure> {
        self.figures.get(&object.template.to_ascii_lowercase())
    }

    /// What the checks of all files find, and where they contradict each other (section 10.7).
    pub fn check(&self) -> Vec<Finding> {
        check::check(self)
    }
}
