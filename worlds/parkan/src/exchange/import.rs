//! What comes of an import: a draft, with names and coordinates as a model can hold them.

use ironlands_assets_core::text::encode_cp1251;
use ironlands_assets_parkan::msh::ModelDraft;
use ironlands_assets_parkan::nres::MAX_NAME_LEN;
use ironlands_assets_parkan::wear::{Wear, WearRow};
use ironlands_exchange::{ExchangeFinding, Findings, ImportError};

/// A model as geometry, with the names of its materials.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ImportedModel {
    /// What the loader builds a model of.
    pub draft: ModelDraft,
    /// Name of each WEAR row, CP1251; empty if no surface has a material.
    pub materials: Vec<Vec<u8>>,
    /// Name of each LIGHTMAPS row, CP1251.
    pub lightmaps: Vec<Vec<u8>>,
    /// What the file holds and the model does not.
    pub findings: Vec<ExchangeFinding>,
}

impl ImportedModel {
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
pub(super) fn node_name(name: &str, place: &str, findings: &mut Findings) -> Vec<u8> {
    spell(name, place, findings, |c| c != '\0')
}

/// A name as a WEAR row keeps it: without blanks, not empty.
pub(super) fn row_name(name: &str, place: &str, findings: &mut Findings) -> Vec<u8> {
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
pub(super) const DEFAULT_MATERIAL: &[u8] = b"DEFAULT";

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
pub(super) fn flat_normal([a, b, c]: [[f32; 3]; 3]) -> [f32; 3] {
    let [a, b, c] = [a, b, c].map(glam::Vec3::from);
    let normal = glam::Vec3::cross(b - a, c - a).as_dvec3();
    let normal = normal.try_normalize().unwrap_or(glam::DVec3::Z);
    normal.as_vec3().into()
}

/// Moves texture coordinates of a triangle by whole repeats to where a model can hold them.
///
/// # Errors
/// They are farther apart than a model can hold.
pub(super) fn wrap_uvs(
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
            let what = format!(
                "texture coordinates of one triangle go from {min} to {max}; a model has room for 63 repeats"
            );
            return Err(ImportError::unsupported(format, place, what));
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
