//! The sky of a level: `sky.ske` and `sky.wea` beside its mission.

use std::path::Path;

use ironlands_scene::SoundClip;

use crate::effect_scene::{SoundFiles, first_frame};
use crate::material_table::{MaterialResolver, MaterialTable};
use crate::open::{open_wear, optional};
use crate::registry::ObjectRef;
use crate::ske::{self, Ske};
use crate::sky_scene::SkyFrames;
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::vfs::{Vfs, VfsError};

/// What findings of this module name as their format.
const FORMAT: &str = "parkan sky";
/// The material table of a sky.
const WEAR: &str = "sky.wea";
/// Its rows.
const NEBULA: usize = 0;
const CLOUDS: usize = 2;
const SUN: usize = 3;
const MOON: usize = 4;
const FLARES: [usize; 2] = [5, 6];
const SNOW: usize = 7;
const RAIN: usize = 8;
/// Rows of the table of a sky: nebula, stars, clouds, sun, moon, two flares, snow, rain.
pub const N_ROWS: usize = 9;
/// Where recordings are.
const SOUNDS: &str = "sounds.lib";

/// The sky of a mission.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelSky {
    /// By the hour.
    pub ske: Ske,
    /// Index of the material of each row of `sky.wea`.
    pub materials: [Option<usize>; N_ROWS],
    /// Recordings of rain, by name.
    pub clips: Vec<(Vec<u8>, SoundClip)>,
}

impl LevelSky {
    /// Opens what lies beside a mission's file; `None` if it has no sky, or a broken one.
    pub(crate) fn open(
        mission: &Path,
        game: &Vfs,
        resolver: &mut MaterialResolver<'_>,
        findings: &mut Vec<Finding>,
    ) -> Option<Self> {
        let folder = Vfs::from_folder(mission.parent()?).ok()?;
        let ske = match folder.open_as(ske::FILE, Ske::read) {
            Ok(ske) => ske,
            // Then the level has the default sky.
            Err(VfsError::FileMissing { .. }) => return None,
            Err(error) => {
                findings.push(Finding::new(Severity::Error, FORMAT, error.to_string()));
                return None;
            }
        };
        let wear = folder.has(WEAR).then(|| open_wear(&folder, WEAR, findings));
        let wear = wear.and_then(|it| optional(it, findings));
        let n_rows = wear.as_ref().map_or(0, |it| it.materials.len());
        if n_rows < N_ROWS {
            let message =
                format!("{WEAR} has {n_rows} of {N_ROWS} rows; what they name is not drawn");
            findings.push(Finding::new(Severity::Warning, FORMAT, message));
        }
        let mut row = |idx: usize| {
            let row = wear.as_ref()?.materials.get(idx)?;
            Some(resolver.material(&row.name))
        };
        let materials = std::array::from_fn(&mut row);
        let mut files = SoundFiles::new(game);
        let mut clips: Vec<(Vec<u8>, SoundClip)> = Vec::new();
        let keyframes = ske.sections.iter().flat_map(|it| &it.keyframes);
        let names = keyframes.filter_map(|it| it.sounds.first());
        for name in names {
            let is_known = clips.iter().any(|(known, _)| known == name);
            let name_text = std::str::from_utf8(name).ok();
            let resource = name_text.and_then(|it| ObjectRef::new(SOUNDS, it));
            let clip = resource.filter(|_| !is_known);
            let clip = clip.and_then(|it| files.clip(&it, findings));
            clips.extend(clip.map(|clip| (name.clone(), clip)));
        }
        Some(Self {
            ske,
            materials,
            clips,
        })
    }

    /// What the sky shows of its materials.
    pub(crate) fn frames(&self, table: &MaterialTable) -> SkyFrames {
        let material = |row: usize| self.materials.get(row).copied().flatten();
        let frame = |row: usize| first_frame(table, material(row));
        let texture = |row: usize| frame(row).and_then(|it| it.texture);
        SkyFrames {
            nebula: texture(NEBULA),
            clouds: texture(CLOUDS),
            sun: frame(SUN),
            moon: frame(MOON),
            flares: FLARES.map(frame),
            snow: frame(SNOW),
            rain: frame(RAIN),
        }
    }
}
