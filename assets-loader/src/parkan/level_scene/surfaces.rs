//! What faces are drawn with: their material rows and flags to passes (dossier section 11.4).

use std::collections::BTreeMap;

use ironlands_scene::{
    Blend, BlendFactor, Cull, Lighting, Material, MaterialIdx, Pass, PassKind, TextureIdx,
};

use crate::parkan::face_mask::FaceFlags;
use crate::parkan::land_msh::{Face, NO_OVERLAY};
use crate::parkan::level::{LevelMaterial, LevelMaterials};
use crate::parkan::mat0::Mat0;

/// D3DBLEND code for "not set".
const NO_CODE: u8 = 255;

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
    level: &'a LevelMaterials,
    known: BTreeMap<Surface, MaterialIdx>,
    materials: Vec<Material>,
}

impl<'a> Surfaces<'a> {
    pub(super) fn new(level: &'a LevelMaterials) -> Self {
        Self {
            level,
            known: BTreeMap::new(),
            materials: Vec::new(),
        }
    }

    /// The surface of a face, without what the level has no material for.
    pub(super) fn of_face(&self, face: &Face) -> Surface {
        let is_water = face.flags.contains(FaceFlags::WATER);
        let overlay = (face.overlay_material != NO_OVERLAY && !is_water)
            .then_some(face.overlay_material)
            .filter(|row| self.level.overlay_rows.contains_key(row));
        Surface {
            base: face.base_material,
            overlay,
            has_microtexture: face.flags.contains(FaceFlags::MICROTEXTURE)
                && self.level.microtexture.is_some()
                && !is_water,
            is_water,
        }
    }

    /// The material of a surface, made when it is first asked for.
    pub(super) fn material(&mut self, surface: Surface) -> MaterialIdx {
        if let Some(known) = self.known.get(&surface) {
            return *known;
        }
        let idx = MaterialIdx(self.materials.len() as u32);
        self.materials.push(self.to_material(surface));
        self.known.insert(surface, idx);
        idx
    }

    /// Place of each material among all, sorted by base layer first: neighbours in it share most passes.
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
        let row = |rows: &BTreeMap<u8, usize>, row: u8| {
            rows.get(&row)
                .and_then(|idx| self.level.materials.get(*idx))
        };
        let base = row(&self.level.base_rows, surface.base);
        let overlay = surface
            .overlay
            .and_then(|idx| row(&self.level.overlay_rows, idx));
        let detail = self
            .level
            .microtexture
            .filter(|_| surface.has_microtexture)
            .and_then(|idx| self.level.materials.get(idx));
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

/// The base material, opaque whatever its blend codes say: there is nothing below it.
fn base_pass(material: Option<&LevelMaterial>) -> Pass {
    let Some(material) = material else {
        return Pass::default();
    };
    Pass {
        kind: PassKind::Base,
        ..lit_pass(material)
    }
}

/// The overlay material over the base. It joins by its own blend codes, else by its alpha.
fn decal_pass(material: &LevelMaterial) -> Pass {
    Pass {
        kind: PassKind::Decal,
        blend: Some(blend_or_alpha(&material.mat0)),
        depth_write: false,
        ..lit_pass(material)
    }
}

/// Fine structure around middle grey. What lies below is lit already.
fn detail_pass(material: &LevelMaterial) -> Pass {
    Pass {
        kind: PassKind::Detail,
        texture: texture_of(material),
        uv_set: 1,
        lighting: Lighting::Unlit,
        blend: Some(Blend::MODULATE_2X),
        depth_write: false,
        ..Pass::default()
    }
}

/// Water: the base material, seen through.
fn water_pass(material: Option<&LevelMaterial>) -> Pass {
    let (lit, blend) = match material {
        Some(material) => (lit_pass(material), blend_or_alpha(&material.mat0)),
        None => (Pass::default(), Blend::ALPHA),
    };
    Pass {
        kind: PassKind::Water,
        blend: Some(blend),
        depth_write: false,
        ..lit
    }
}

/// Texture and colours of a material at rest, lit in display space as the original's hardware did.
///
/// The alpha multiplier multiplies alpha, emissive is clamped to 1, and the emissive intensity is left out,
/// since what the original does with it is not known (Q-T5).
fn lit_pass(material: &LevelMaterial) -> Pass {
    let Some(phase) = material.mat0.phases.first() else {
        return Pass::default();
    };
    let unit = |channels: [u8; 4]| channels.map(|channel| f32::from(channel) / 255.0);
    let rgb = |channels| {
        let [r, g, b, _] = unit(channels);
        [r, g, b]
    };
    let [r, g, b, alpha] = unit(phase.diffuse);
    let multiplier = material.mat0.alpha_multiplier;
    let multiplier = if multiplier.is_finite() {
        multiplier
    } else {
        1.0
    };
    Pass {
        texture: texture_of(material),
        diffuse: [r, g, b, (alpha * multiplier).clamp(0.0, 1.0)],
        ambient: rgb(phase.ambient),
        emissive: rgb(phase.emissive),
        lighting: Lighting::Display,
        cull: Cull::None,
        ..Pass::default()
    }
}

fn texture_of(material: &LevelMaterial) -> Option<TextureIdx> {
    material.texture.map(|idx| TextureIdx(idx as u32))
}

fn blend_or_alpha(mat0: &Mat0) -> Blend {
    blend_of(mat0.source_blend, mat0.destination_blend).unwrap_or(Blend::ALPHA)
}

/// The blend of two D3DBLEND codes (dossier section 9.5); `None` if neither is set, or one is unknown.
///
/// Codes 12 and 13 name both factors and override the destination's. Where one is not set it has the
/// default of Direct3D: source one, destination zero.
pub fn blend_of(source: u8, destination: u8) -> Option<Blend> {
    use BlendFactor::{InverseSourceAlpha, One, SourceAlpha, Zero};
    let blend = |source, destination| {
        Some(Blend {
            source,
            destination,
        })
    };
    match (source, destination) {
        (NO_CODE, NO_CODE) => None,
        (12, _) => blend(SourceAlpha, InverseSourceAlpha),
        (13, _) => blend(InverseSourceAlpha, SourceAlpha),
        (NO_CODE, code) => blend(One, factor(code)?),
        (code, NO_CODE) => blend(factor(code)?, Zero),
        (source, destination) => blend(factor(source)?, factor(destination)?),
    }
}

fn factor(code: u8) -> Option<BlendFactor> {
    Some(match code {
        1 => BlendFactor::Zero,
        2 => BlendFactor::One,
        3 => BlendFactor::SourceColor,
        4 => BlendFactor::InverseSourceColor,
        5 => BlendFactor::SourceAlpha,
        6 => BlendFactor::InverseSourceAlpha,
        7 => BlendFactor::DestinationAlpha,
        8 => BlendFactor::InverseDestinationAlpha,
        9 => BlendFactor::DestinationColor,
        10 => BlendFactor::InverseDestinationColor,
        11 => BlendFactor::SourceAlphaSaturated,
        _ => return None,
    })
}
