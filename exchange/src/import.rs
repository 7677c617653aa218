//! What comes of an import, and why it did not.

use std::collections::BTreeMap;
use std::fmt;

use ironlands_assets_loader::parkan::msh::ModelDraft;
use ironlands_assets_loader::parkan::text::encode_cp1251;
use ironlands_assets_loader::parkan::wear::{Wear, WearRow};
use thiserror::Error;

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
    pub findings: Vec<ImportFinding>,
}

/// Something that was left out or changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportFinding {
    /// The first place, as in `meshes[0].primitives[1]` or `line 12`.
    pub place: String,
    /// What it is and what has become of it.
    pub message: String,
    /// In how many places it is so.
    pub count: u32,
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

impl fmt::Display for ImportFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)?;
        match self.count {
            0 | 1 => Ok(()),
            count => write!(f, " ({count} times)"),
        }
    }
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

/// Findings while they gather: one for each message, with the first place.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    order: Vec<ImportFinding>,
    by_message: BTreeMap<String, usize>,
}

impl Findings {
    pub(crate) fn add(&mut self, place: impl fmt::Display, message: impl Into<String>) {
        let message = message.into();
        let known = self.by_message.get(&message);
        if let Some(finding) = known.and_then(|at| self.order.get_mut(*at)) {
            finding.count = finding.count.saturating_add(1);
            return;
        }
        self.by_message.insert(message.clone(), self.order.len());
        self.order.push(ImportFinding {
            place: place.to_string(),
            message,
            count: 1,
        });
    }

    pub(crate) fn into_list(self) -> Vec<ImportFinding> {
        self.order
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

/// Moves texture coordinates by whole repeats to where a model can hold them; tells whether it did.
pub(crate) fn wrap_uvs(corners: &mut [[f32; 2]; 3]) -> bool {
    let mut is_moved = false;
    for axis in 0..2 {
        let values = corners.map(|uv| uv[axis]);
        let (min, max) = (
            values.into_iter().reduce(f32::min),
            values.into_iter().reduce(f32::max),
        );
        let (Some(min), Some(max)) = (min, max) else {
            continue;
        };
        // As they are stored: steps of 1/1024, 16 bits.
        if min < -32.0 || (max * 1024.0).round() > 32767.0 {
            let repeats = f32::midpoint(min, max).floor();
            for uv in corners.iter_mut() {
                uv[axis] -= repeats;
            }
            is_moved = true;
        }
    }
    is_moved
}
