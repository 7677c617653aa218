//! The demo's models: in, nothing; out, drafts for the loader's builder, the materials that they are drawn with, and
//! the archives that hold both.
//!
//! Models stand on z = 0 and look along +X; a unit is a meter.

mod archives;
mod bake;
mod basements;
mod body;
mod building;
mod hall_ways;
mod materials;
pub mod plants;
mod props;
pub mod shape;
mod sources;
pub mod turn;
mod turret;
mod walker;

use ironlands_assets_parkan::msh::ModelDraft;
use ironlands_assets_parkan::texm::Texm;

pub use archives::archives;
pub use basements::of_model as basement;
pub use materials::materials;
pub use plants::SWAY_FRAMES;
pub use turret::{CANNON_SOCKET, SWEEP_FRAMES, TURRET_SOCKET};
pub use walker::{SCAN_FRAMES, STRIDE as WALK_STRIDE, WALK_FRAMES};

/// A model and what it is drawn with.
pub struct DemoModel {
    /// Where it lies.
    pub archive: Archive,
    /// Name of its entries, without `.msh` and `.wea`.
    pub stem: &'static str,
    /// Its geometry.
    pub draft: ModelDraft,
    /// Rows of its material table.
    pub materials: &'static [&'static str],
    /// The one row of its light maps, if it has one.
    pub lightmap: Option<&'static str>,
}

/// The archives of models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Archive {
    Bases,
    Turrets,
    Guns,
    Fortif,
    Static,
}

impl Archive {
    pub const ALL: [Self; 5] = [
        Self::Bases,
        Self::Turrets,
        Self::Guns,
        Self::Fortif,
        Self::Static,
    ];

    pub fn file_name(self) -> &'static str {
        match self {
            Self::Bases => "bases.rlb",
            Self::Turrets => "turrets.rlb",
            Self::Guns => "guns.rlb",
            Self::Fortif => "fortif.rlb",
            Self::Static => "static.rlb",
        }
    }
}

/// All models, in the order of their archives.
pub fn all() -> Vec<DemoModel> {
    vec![
        walker::walker(),
        turret::turret(),
        turret::cannon(),
        building::building(),
        turret::base(),
        plants::pine(),
        plants::oak(),
        plants::rock(),
        props::crate_box(),
        props::beacon(),
        sources::brazier(),
        sources::fountain(),
        sources::portal(),
        sources::scrap(),
    ]
}

/// The unit vector at an angle in degrees, counter-clockwise from +X.
pub fn direction(degrees: f64) -> [f64; 2] {
    let angle = turn::Angle::degrees(degrees);
    [angle.cos, angle.sin]
}

/// The light maps of models, by name.
pub fn lightmaps() -> Vec<(String, Texm)> {
    vec![building::lightmap()]
}
