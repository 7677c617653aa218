//! What comes of an import, and why it did not.

use ironlands_assets_loader::parkan::msh::ModelDraft;
use ironlands_assets_loader::parkan::nres::MAX_NAME_LEN;
use ironlands_assets_loader::parkan::wear::{Wear, WearRow};
use ironlands_assets_loader::text::encode_cp1251;
use thiserror::Error;

use crate::findings::{ExchangeFinding, Findings};

/// A model as geometry, with the names of its materials.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Imported {
    /// What the loader builds a model of.
    pub draft: ModelDraft,
    /// Name of each WEAR row, CP1251; empty if no surface has a material.
    pub materials: Vec<Vec<u8>>,
    /// Name of each LIGHTMAPS row, CP1251.
    pub lightmaps: Vec<Vec<u8>>,
    /// What the file holds and the model does not.
    pub findings: Vec<ExchangeFinding>,
}

/// Why a file did not become a draft.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The text of a glTF file is not the JSON that it should be.
    #[error("gltf: its text is no JSON of glTF")]
    Json(#[from] serde_json::Error),
    /// A rule is broken.
    #[error("{format}: {place}: expected {expected}, found {found}")]
    Unexpected {
        /// `glb`, `gltf` or `obj`.
        format: &'static str,
        /// JSON path, byte or line.
        place: String,
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// Sound, but not for a model, or beyond what one can hold.
    #[error("{format}: {place}: {what}")]
    Unsupported {
        /// `glb`, `gltf` or `obj`.
        format: &'static str,
        /// JSON path, byte or line.
        place: String,
        /// What it is.
        what: String,
    },
    /// A file that the file names could not be had.
    #[error("gltf: {place}: the file {uri:?} cannot be read")]
    Fetch {
        /// JSON path.
        place: String,
        /// As it is named.
        uri: String,
        /// Why.
        source: std::io::Error,
    },
}

impl Imported {
    /// The table of materials; `None` if no surface has one.
    pub fn wear(&self) -> Option<Wear> {
        let rows = |names: &[Vec<u8>]| -> Vec<WearRow> {
            let row = |name: &Vec<u8>| WearRow {
                legacy_id: 0,
                name: name.clone(),
            };
            names.iter().map(row).collect()
        };
        let lightmaps = (!self.lightmaps.is_empty()).then(|| rows(&self.lightmaps));
        (!self.materials.is_empty()).then(|| Wear::new(rows(&self.materials), lightmaps))
    }
}

/// A name as a model keeps it. Characters that CP1251 has not become `_`.
pub(crate) fn node_name(name: &str, place: &str, findings: &mut Findings) -> Vec<u8> {
    spell(name, place, findings, |c| c != '\0')
}

/// A name as a WEAR row keeps it: without blanks, not empty.
pub(crate) fn row_name(name: &str, place: &str, findings: &mut Findings) -> Vec<u8> {
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control();
    let mut spelled = spell(name, place, findings, is_plain);
    if spelled.is_empty() {
        spelled.extend(DEFAULT_MATERIAL);
    }
    if spelled.len() > MAX_NAME_LEN {
        let what = "a name is longer than the 35 bytes that the game can find in its libraries";
        findings.add(place, what);
    }
    spelled
}

/// What the game falls back to (dossier section 9.6).
pub(crate) const DEFAULT_MATERIAL: &[u8] = b"DEFAULT";

fn spell(
    name: &str,
    place: &str,
    findings: &mut Findings,
    is_plain: impl Fn(char) -> bool,
) -> Vec<u8> {
    let mut spelled = Vec::with_capacity(name.len());
    let mut is_changed = false;
    for c in name.chars() {
        let mut utf8 = [0; 4];
        let code = encode_cp1251(c.encode_utf8(&mut utf8)).filter(|_| is_plain(c));
        is_changed |= code.is_none();
        spelled.extend(code.unwrap_or_else(|| b"_".to_vec()));
    }
    if is_changed {
        findings.add(
            place,
            "a name has characters that it cannot have; they become _",
        );
    }
    spelled
}

/// A triangle's normal by its corners, counter-clockwise; up for one without an area.
pub(crate) fn flat_normal([a, b, c]: [[f32; 3]; 3]) -> [f32; 3] {
    let [a, b, c] = [a, b, c].map(glam::Vec3::from);
    let normal = glam::Vec3::cross(b - a, c - a).as_dvec3();
    let normal = normal.try_normalize().unwrap_or(glam::DVec3::Z);
    normal.as_vec3().into()
}

/// A place of a vertex or node that sums and squares of many such stay finite with.
pub(crate) fn within_reach(
    position: [f32; 3],
    format: &'static str,
    place: &str,
) -> Result<[f32; 3], ImportError> {
    if position.iter().all(|v| v.abs() <= MAX_REACH) {
        return Ok(position);
    }
    Err(ImportError::Unsupported {
        format,
        place: place.to_owned(),
        what: format!("it puts something at {position:?}, beyond the {MAX_REACH:e} of a model"),
    })
}

/// Far beyond any model, and far below where bounds of thousands of nodes end at infinity.
const MAX_REACH: f32 = 1e12;

/// Moves texture coordinates of a triangle by whole repeats to where a model can hold them.
///
/// # Errors
/// They are farther apart than a model can hold.
pub(crate) fn wrap_uvs(
    corners: &mut [[f32; 2]; 3],
    format: &'static str,
    place: &str,
    findings: &mut Findings,
) -> Result<(), ImportError> {
    let mut is_moved = false;
    for axis in 0..2 {
        let values = corners.map(|uv| uv[axis]);
        let min = values.into_iter().fold(f32::INFINITY, f32::min);
        let max = values.into_iter().fold(f32::NEG_INFINITY, f32::max);
        // As they are stored: steps of 1/1024, 16 bits.
        let fits =
            |repeats: f32| min - repeats >= -32.0 && ((max - repeats) * 1024.0).round() <= 32767.0;
        if fits(0.0) {
            continue;
        }
        // Around 0, or else as low as it goes.
        let candidates = [f32::midpoint(min, max).floor(), (min + 32.0).floor()];
        let Some(repeats) = candidates.into_iter().find(|it| fits(*it)) else {
            return Err(ImportError::Unsupported {
                format,
                place: place.to_owned(),
                what: format!(
                    "texture coordinates of one triangle go from {min} to {max}; a model has room for 63 repeats"
                ),
            });
        };
        for uv in corners.iter_mut() {
            uv[axis] -= repeats;
        }
        is_moved = true;
    }
    if is_moved {
        let what = "texture coordinates beyond -32..32 are moved by whole repeats";
        findings.add(place, what);
    }
    Ok(())
}
