//! Buildings cut the land: the ground of a level with the buildings of its mission (section 1.5).
//!
//! In: a terrain, and the basements of the buildings on it. Out: a terrain in which faces inside of an outer contour are
//! gone, those that it crosses end at it, and faces of row 0 close what is between it and the inner contour, which stands at the
//! mean height of the outer one. Inside of that there is no land: the building's own faces are the ground there. Both
//! levels of detail are cut.
//!
//! Deliberately absent: files, what buildings look like.

mod patches;
mod region;
mod rings;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use ironlands_scene::Affine;

use self::patches::Patches;
use self::rings::Contours;
use crate::bas::Bas;
use crate::land_msh::LandMsh;
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::Findings;

/// What findings of this module name as their format.
const FORMAT: &str = "parkan foundations";
/// Basements that are looked at: a retail mission has a few dozen buildings.
const MAX_BASEMENTS: usize = 1024;

/// A building that cuts the land.
#[derive(Debug, Clone, PartialEq)]
pub struct Basement {
    /// Name of the building, for reports.
    pub name: String,
    /// Its contours.
    pub bas: Arc<Bas>,
    /// Where it stands.
    pub world_from_object: Affine,
    /// Whether it stays at the height that it is given, as bridges do, instead of that of the land around it.
    pub keeps_height: bool,
}

/// A terrain that buildings have cut.
#[derive(Debug, Clone, PartialEq)]
pub struct CutLand {
    /// The terrain.
    pub land: LandMsh,
    /// For each of its faces the one of the file that it is, or is a part of; `None` where it was made for a building.
    pub sources: Vec<Option<u16>>,
}

/// What becomes of a terrain and the buildings on it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Foundations {
    /// `None` where no building cuts it.
    pub cut: Option<CutLand>,
    /// For each basement how far its building moves up.
    pub rises: Vec<f32>,
    /// What does not fit.
    pub findings: Vec<Finding>,
}

/// Why a building does not cut the land.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum CutError {
    #[error("there are {0} outer contours, not one")]
    OuterContours(usize),
    #[error("a contour has {0} corners, too many")]
    TooManyCorners(usize),
    #[error("a contour crosses itself or surrounds nothing")]
    NotSimple,
    #[error("a corner of a contour is too far away")]
    FarAway,
    #[error("the inner contour is not inside of the outer one")]
    InnerOutside,
    #[error("the contour reaches beyond the land")]
    OffLand,
    #[error("it would cut too many faces")]
    TooManyFaces,
    #[error("the land around it cannot be divided into triangles")]
    Untriangulated,
    #[error("the terrain would have more vertices or faces than it can number")]
    TerrainFull,
    #[error("tiles of the terrain share their faces")]
    SharedFaces,
}

impl Foundations {
    /// Lets buildings cut a terrain, one after the other.
    pub fn new(land: &LandMsh, basements: &[Basement]) -> Self {
        let mut refused = Vec::new();
        let mut rises = vec![0.0; basements.len()];
        let mut patches = None;
        let looked_at = basements.iter().zip(&mut rises).take(MAX_BASEMENTS);
        for (basement, rise) in looked_at {
            let patches = patches.get_or_insert_with(|| Patches::new(land));
            match patches.as_mut().map_err(|error| error.clone()) {
                Err(error) => {
                    refused.push((None, format!("no building cuts the land: {error}")));
                    break;
                }
                Ok(patches) => match lay(patches, basement) {
                    Ok(risen) => *rise = risen,
                    Err(error) => {
                        let name = &basement.name;
                        refused.push((None, format!("{name} does not cut the land: {error}")));
                    }
                },
            }
        }
        let mut findings = Findings::new(FORMAT);
        findings.rule(Severity::Warning, refused);
        if let Some(n_more) = basements
            .len()
            .checked_sub(MAX_BASEMENTS)
            .filter(|n| *n > 0)
        {
            let message = format!("{n_more} buildings beyond {MAX_BASEMENTS} do not cut the land");
            findings.rule(Severity::Warning, [(None, message)]);
        }
        let cut = patches.and_then(Result::ok);
        Self {
            cut: cut.filter(Patches::is_changed).map(Patches::finish),
            rises,
            findings: findings.into_list(),
        }
    }
}

/// How far the building moves up.
fn lay(patches: &mut Patches, basement: &Basement) -> Result<f32, CutError> {
    let contours = Contours::new(&basement.bas, &basement.world_from_object)?;
    let inner = contours.inner.iter().flatten();
    let own_height = mean(inner.map(|[_, _, z]| *z));
    let height = patches.lay(&contours, basement.keeps_height)?;
    let rise = own_height.map(|own| height - own);
    Ok(rise.filter(|_| !basement.keeps_height).unwrap_or(0.0))
}

/// The mean of numbers; `None` without any.
fn mean(values: impl Iterator<Item = f32> + Clone) -> Option<f32> {
    let n = values.clone().count();
    let sum: f64 = values.map(f64::from).sum();
    (n > 0).then(|| (sum / n as f64) as f32)
}
