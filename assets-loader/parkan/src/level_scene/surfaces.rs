//! What faces are drawn with: their material rows and flags to passes (dossier section 11.4).

use std::collections::BTreeMap;

use ironlands_scene::{Liquid, Material, MaterialIdx, MirrorSheet, Pass};

use crate::face_mask::FaceFlags;
use crate::land_msh::{Face, LandMsh};
use crate::level::{ParkanLevel, TerrainRows};
use crate::material_scene::{base_pass, decal_pass, microtexture, water_pass};
use crate::material_table::MaterialTable;

/// All that decides how a face is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Surface {
    first: u8,
    /// `None` without a second material that could be drawn.
    second: Option<u8>,
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
    /// What liquids mirror in; `None` without any.
    sheet: Option<MirrorSheet>,
    known: BTreeMap<Surface, MaterialIdx>,
    materials: Vec<Material>,
}

impl<'a> Surfaces<'a> {
    pub(super) fn new(level: &'a ParkanLevel) -> Self {
        Self {
            table: &level.materials,
            rows: &level.terrain_rows,
            sheet: mirror_sheet(level.ground()),
            known: BTreeMap::new(),
            materials: Vec::new(),
        }
    }

    /// The surface of a face, without what the level has no material for.
    pub(super) fn of_face(&self, face: &Face) -> Surface {
        let is_water = face.flags.contains(FaceFlags::WATER);
        let second = face.second().filter(|_| !is_water);
        Surface {
            first: face.first_material,
            second: second.filter(|row| self.rows.surfaces.contains_key(row)),
            has_microtexture: face.flags.contains(FaceFlags::MICROTEXTURE) && !is_water,
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

    /// Place of each material among all, sorted by first material: neighbors in it share most passes.
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

    /// The same liquid, which shows a mirror in the style of the game.
    fn mirroring(&self, pass: Pass) -> Pass {
        let liquid = pass.liquid.map(|liquid| Liquid {
            sheet: self.sheet,
            ..liquid
        });
        Pass { liquid, ..pass }
    }

    fn to_material(&self, surface: Surface) -> Material {
        let of_row = |rows: &BTreeMap<u8, usize>, row: u8| {
            rows.get(&row)
                .and_then(|idx| self.table.materials.get(*idx))
        };
        let first = of_row(&self.rows.surfaces, surface.first);
        let second = surface
            .second
            .map(|row| (row, of_row(&self.rows.surfaces, row)));
        let second = second.and_then(|(row, material)| Some((row, material?)));
        let with_microtexture = |pass: Pass, row: u8| Pass {
            detail: of_row(&self.rows.microtextures, row)
                .filter(|_| surface.has_microtexture)
                .and_then(|material| microtexture(self.table, material)),
            ..pass
        };
        let first_pass = match surface.is_water {
            true => self.mirroring(water_pass(self.table, first)),
            false => with_microtexture(base_pass(self.table, first), surface.first),
        };
        let second_pass =
            second.map(|(row, material)| with_microtexture(decal_pass(self.table, material), row));
        let names = [first, second.map(|(_, material)| material)];
        let names: Vec<&str> = (names.iter().flatten())
            .map(|material| material.name.as_str())
            .collect();
        Material {
            name: names.join(" + "),
            passes: std::iter::once(first_pass).chain(second_pass).collect(),
        }
    }
}

/// The mirror that all liquids of a level share: a picture over the box of their faces, moved by a bump map (section 1.4 of
/// "Parkan: what is settled since").
fn mirror_sheet(land: &LandMsh) -> Option<MirrorSheet> {
    let faces = land.faces.iter();
    let liquid = faces.filter(|face| face.flags.contains(FaceFlags::WATER));
    let vertices = liquid.flat_map(|face| face.vertices);
    let places = vertices.filter_map(|vertex| {
        let [x, y, _] = *land.positions.get(usize::from(vertex))?;
        (x.is_finite() && y.is_finite()).then_some([x, y])
    });
    let min = places
        .clone()
        .reduce(|[a, b], [x, y]| [a.min(x), b.min(y)])?;
    let max = places.reduce(|[a, b], [x, y]| [a.max(x), b.max(y)])?;
    let has_sides = min.iter().zip(max).all(|(low, high)| high > *low);
    has_sides.then_some(MirrorSheet {
        min,
        max,
        repeats: 100.0,
        // A bump of 64 of 128 steps, through a matrix of 0.01.
        ripple: 0.005,
        period_secs: 10.0,
    })
}
