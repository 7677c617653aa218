//! What faces are drawn with: their material rows and flags to passes (dossier section 11.4).

use std::collections::BTreeMap;

use ironlands_scene::{Material, MaterialIdx};

use crate::face_mask::FaceFlags;
use crate::land_msh::{Face, NO_OVERLAY};
use crate::level::{ParkanLevel, TerrainRows};
use crate::material_scene::{base_pass, decal_pass, detail_pass, water_pass};
use crate::material_table::MaterialTable;

/// All that decides how a face is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Surface {
    base: u8,
    /// `None` without an overlay that could be drawn.
    overlay: Option<u8>,
    has_microtexture: bool,
    is_water: bool,
}

impl Surface {
    pub(super) fn is_water(self) -> bool {
        self.is_water
    }
}

/// The scene's materials, one for each distinct surface.
pub(super) struct Surfaces<'a> {
    table: &'a MaterialTable,
    rows: &'a TerrainRows,
    known: BTreeMap<Surface, MaterialIdx>,
    materials: Vec<Material>,
}

impl<'a> Surfaces<'a> {
    pub(super) fn new(level: &'a ParkanLevel) -> Self {
        Self {
            table: &level.materials,
            rows: &level.terrain_rows,
            known: BTreeMap::new(),
            materials: Vec::new(),
        }
    }

    /// The surface of a face, without what the level has no material for.
    pub(super) fn of_face(&self, face: &Face) -> Surface {
        let is_water = face.flags.contains(FaceFlags::WATER);
        let overlay = (face.overlay_material != NO_OVERLAY && !is_water)
            .then_some(face.overlay_material)
            .filter(|row| self.rows.overlay.contains_key(row));
        Surface {
            base: face.base_material,
            overlay,
            has_microtexture: face.flags.contains(FaceFlags::MICROTEXTURE)
                && self.rows.microtexture.is_some()
                && !is_water,
            is_water,
        }
    }

    /// The material of a surface, made on first use.
    pub(super) fn material(&mut self, surface: Surface) -> MaterialIdx {
        if let Some(known) = self.known.get(&surface) {
            return *known;
        }
        let idx = MaterialIdx(self.materials.len() as u32);
        self.materials.push(self.to_material(surface));
        self.known.insert(surface, idx);
        idx
    }

    /// Place of each material among all, sorted by base layer first: neighbors in it share most passes.
    #[expect(
        clippy::indexing_slicing,
        reason = "a rank for each material that was made"
    )]
    pub(super) fn material_ranks(&self) -> Vec<usize> {
        let mut ranks = vec![0; self.materials.len()];
        for (rank, material) in self.known.values().enumerate() {
            ranks[material.0 as usize] = rank;
        }
        ranks
    }

    pub(super) fn into_materials(self) -> Vec<Material> {
        self.materials
    }

    fn to_material(&self, surface: Surface) -> Material {
        let material = |idx: &usize| self.table.materials.get(*idx);
        let base = self.rows.base.get(&surface.base).and_then(material);
        let overlay = surface.overlay.and_then(|row| self.rows.overlay.get(&row));
        let overlay = overlay.and_then(material);
        let detail = self.rows.microtexture.filter(|_| surface.has_microtexture);
        let detail = detail.as_ref().and_then(material);
        let first = match surface.is_water {
            true => water_pass(base),
            false => base_pass(base),
        };
        let passes = std::iter::once(first)
            .chain(overlay.map(decal_pass))
            .chain(detail.map(detail_pass))
            .collect();
        let names = [base, overlay, detail].into_iter().flatten();
        let names: Vec<&str> = names.map(|material| material.name.as_str()).collect();
        Material {
            name: names.join(" + "),
            passes,
        }
    }
}
