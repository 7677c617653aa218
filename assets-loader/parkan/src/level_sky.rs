//! The sky of a level: `sky.ske` and `sky.wea` beside its mission.

use std::path::Path;

use crate::material_table::MaterialResolver;
use crate::open::{open_wear, optional};
use crate::ske::{self, Ske};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::vfs::{Vfs, VfsError};

/// What findings of this module name as their format.
const FORMAT: &str = "parkan sky";
/// The material table of a sky.
const WEAR: &str = "sky.wea";
/// Its rows for snow and rain.
const SNOW_ROW: usize = 7;
const RAIN_ROW: usize = 8;

/// The sky of a mission.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelSky {
    /// By the hour.
    pub ske: Ske,
    /// Indices of the materials of snow and rain.
    pub weather: [Option<usize>; 2],
}

impl LevelSky {
    /// Opens what lies beside a mission's file; `None` if it has no sky, or a broken one.
    pub(crate) fn open(
        mission: &Path,
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
        let mut row = |idx: usize| {
            let row = wear.as_ref()?.materials.get(idx)?;
            Some(resolver.material(&row.name))
        };
        Some(Self {
            ske,
            weather: [row(SNOW_ROW), row(RAIN_ROW)],
        })
    }
}
