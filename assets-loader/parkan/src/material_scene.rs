//! Typed materials to passes and textures: the one place that knows what MAT0 looks like (dossier sections 9.5,
//! 11.4 and 11.5).
//!
//! In: materials and textures of a [`MaterialTable`]. Out: passes of terrain, materials of models, pixels. What the
//! files do not say is a documented choice: both sides are drawn unless a caller knows better (Q-M19), the first
//! animation is the one that is played, and every animation starts with the scene.

#[cfg(test)]
mod tests;

use ironlands_scene::{
    Addressing, Blend, BlendFactor, Cull, Glides, Lighting, Liquid, Material, Pass, PassAnimation,
    PassKind, PassPhase, PhaseKey, PhaseMode, PixelFormat, Texture, TextureIdx,
};

use super::mat0::{Animation, AnimationMode, Mat0, Phase};
use super::material_table::{MaterialTable, RenderingType, TableMaterial, TableTexture};
use super::texm::{PixelOptions, Texm};

/// D3DBLEND code for "not set".
const NO_CODE: u8 = 255;
/// Alphas of 0x80 and more are drawn (Q-T4). Halfway from 0x7F to 0x80, so that rounding decides nothing.
const ALPHA_TEST: f32 = 127.5 / 255.0;
/// Own light from which on a material is taken for a lamp or a flame, and not for a surface that is never quite dark.
const GLOWING: f32 = 0.5;
/// Side of the picture that stands for a missing texture.
const CHECKER_SIDE: u32 = 2;
const MAGENTA: [u8; 4] = [255, 0, 255, 255];
const BLACK: [u8; 4] = [0, 0, 0, 255];

/// What a batch of a model is drawn with.
///
/// `material` and `lightmap` are indices into the table's materials and textures; without such a material it is
/// plain white. A material with blend codes is seen through. One without is opaque, and takes the lightmap; if it is
/// of type [`RenderingType::Special`] and its texture has an alpha, it has holes instead where that is low (Q-T4).
/// `cull` is [`Cull::None`] for two-sided batches, and for all where the winding is not known (Q-M19).
///
/// Equal arguments give equal materials; a caller that needs them often caches them.
pub fn model_material(
    table: &MaterialTable,
    material: usize,
    lightmap: Option<usize>,
    cull: Cull,
) -> Material {
    let material = table.materials.get(material);
    let mut surface = material.map_or_else(Pass::default, |it| model_pass(table, it));
    surface.cull = cull;
    // A lightmap would darken what is seen through the surface and its holes.
    let is_solid = surface.blend.is_none() && surface.alpha_test.is_none();
    let lightmap = lightmap.filter(|_| is_solid);
    let names = [
        material.map(|it| it.name.as_str()),
        lightmap.and_then(|idx| Some(table.textures.get(idx)?.name.as_str())),
    ];
    let names: Vec<&str> = names.into_iter().flatten().collect();
    let lightmap = lightmap.map(|idx| Pass {
        kind: PassKind::Lightmap,
        texture: Some(TextureIdx(idx as u32)),
        uv_set: 1,
        lighting: Lighting::Unlit,
        blend: Some(Blend::MODULATE),
        depth_write: false,
        cull,
        ..Pass::default()
    });
    Material {
        name: names.join(" + "),
        passes: std::iter::once(surface).chain(lightmap).collect(),
    }
}

fn model_pass(table: &MaterialTable, material: &TableMaterial) -> Pass {
    let Mat0 {
        source_blend,
        destination_blend,
        ..
    } = *material.mat0;
    let blend = blend_of(source_blend, destination_blend).filter(|blend| *blend != REPLACE);
    match blend {
        Some(blend) => Pass {
            kind: PassKind::Translucent,
            blend: Some(blend),
            depth_write: false,
            ..lit_pass(material)
        },
        None => Pass {
            kind: PassKind::Base,
            alpha_test: has_holes(table, material).then_some(ALPHA_TEST),
            ..lit_pass(material)
        },
    }
}

fn has_holes(table: &MaterialTable, material: &TableMaterial) -> bool {
    let textures = material.textures.iter().flatten();
    let mut texms = textures.filter_map(|idx| table.textures.get(*idx)?.texm.as_ref());
    material.rendering_type() == RenderingType::Special && texms.any(|texm| texm.format.has_alpha())
}

/// The base material of terrain, opaque whatever its blend codes say: there is nothing below it.
pub(super) fn base_pass(material: Option<&TableMaterial>) -> Pass {
    let Some(material) = material else {
        return Pass::default();
    };
    Pass {
        kind: PassKind::Base,
        ..lit_pass(material)
    }
}

/// The overlay material over the base. It joins by its own blend codes, else by its alpha.
pub(super) fn decal_pass(material: &TableMaterial) -> Pass {
    Pass {
        kind: PassKind::Decal,
        blend: Some(blend_or_alpha(&material.mat0)),
        depth_write: false,
        ..lit_pass(material)
    }
}

/// A detail texture around middle gray. What lies below is lit already; the material's colors and its animation,
/// which would change them, have no part in it.
pub(super) fn detail_pass(material: &TableMaterial) -> Pass {
    Pass {
        kind: PassKind::Detail,
        texture: lit_pass(material).texture,
        uv_set: 1,
        lighting: Lighting::Unlit,
        blend: Some(Blend::MODULATE_2X),
        depth_write: false,
        ..Pass::default()
    }
}

/// Water: the base material, seen through.
pub(super) fn water_pass(material: Option<&TableMaterial>) -> Pass {
    let (lit, blend) = match material {
        Some(material) => (lit_pass(material), blend_or_alpha(&material.mat0)),
        None => (Pass::default(), Blend::ALPHA),
    };
    Pass {
        kind: PassKind::Water,
        blend: Some(blend),
        depth_write: false,
        liquid: Some(Liquid::default()),
        ..lit
    }
}

/// Texture, colors and animation of a material, lit in display space as the original's hardware did.
fn lit_pass(material: &TableMaterial) -> Pass {
    // What is wrong with an animation that does not play was found when the material was resolved.
    let played = material.mat0.first_animation().ok().flatten();
    let animation = played.and_then(|played| pass_animation(material, played));
    let phase = match (played, &animation) {
        // It shows one look only, which need not be that of the first phase.
        (Some(Animation { keys, .. }), None) => keys.first().map_or(0, |key| key.stage),
        (None, _) | (_, Some(_)) => 0,
    };
    let Some(look) = pass_phase(material, phase.into()) else {
        return Pass::default();
    };
    let phases = animation.iter().flat_map(|it: &PassAnimation| &it.phases);
    Pass {
        texture: look.texture,
        diffuse: look.diffuse,
        ambient: look.ambient,
        emissive: look.emissive,
        lighting: Lighting::Display,
        cull: Cull::None,
        glows: std::iter::once(&look).chain(phases).any(glows),
        animation,
        ..Pass::default()
    }
}

/// Whether a phase has so much light of its own that it shows by day.
fn glows(look: &PassPhase) -> bool {
    look.emissive.iter().any(|channel| *channel >= GLOWING)
}

/// A phase as it is drawn; `None` beyond the last.
///
/// The alpha multiplier multiplies alpha, emissive is clamped to 1, and the emissive intensity is left out, since
/// what the original does with it is not known (Q-T5).
fn pass_phase(material: &TableMaterial, phase: usize) -> Option<PassPhase> {
    let Phase {
        ambient,
        diffuse,
        emissive,
        ..
    } = *material.mat0.phases.get(phase)?;
    let unit = |channels: [u8; 4]| channels.map(|channel| f32::from(channel) / 255.0);
    let rgb = |channels| {
        let [r, g, b, _] = unit(channels);
        [r, g, b]
    };
    let [r, g, b, alpha] = unit(diffuse);
    let multiplier = Some(material.mat0.alpha_multiplier).filter(|it| it.is_finite());
    let alpha = alpha * multiplier.unwrap_or(1.0);
    let texture = material.textures.get(phase).copied().flatten();
    Some(PassPhase {
        texture: texture.map(|idx| TextureIdx(idx as u32)),
        diffuse: [r, g, b, alpha.clamp(0.0, 1.0)],
        ambient: rgb(ambient),
        emissive: rgb(emissive),
    })
}

/// How a material changes with time; `None` for an animation that shows one look only.
///
/// The words of keys are durations (Q-T3). Specular light and the ambient alpha are not drawn, so that it does not
/// show whether they glide.
fn pass_animation(material: &TableMaterial, animation: &Animation) -> Option<PassAnimation> {
    let keys = &animation.keys;
    let looks = || {
        keys.iter()
            .map(|key| pass_phase(material, key.stage.into()))
    };
    let has_length = keys.iter().any(|key| key.duration_ms > 0);
    if !has_length || looks().zip(looks().skip(1)).all(|(a, b)| a == b) {
        return None;
    }
    let mode = match animation.mode()? {
        AnimationMode::Loop => PhaseMode::Loop,
        AnimationMode::PingPong => PhaseMode::PingPong,
        AnimationMode::Clamp => PhaseMode::Clamp,
        AnimationMode::Random => PhaseMode::Random,
    };
    let keys = keys.iter().map(|key| PhaseKey {
        phase: u32::from(key.stage),
        duration_ms: u32::from(key.duration_ms),
    });
    let mask = animation.interpolation_mask();
    let phases = 0..material.mat0.phases.len();
    Some(PassAnimation {
        phases: phases
            .filter_map(|phase| pass_phase(material, phase))
            .collect(),
        keys: keys.collect(),
        mode,
        glides: Glides {
            ambient: mask & 1 != 0,
            diffuse: mask & 2 != 0,
            emissive: mask & 8 != 0,
        },
    })
}

fn blend_or_alpha(mat0: &Mat0) -> Blend {
    blend_of(mat0.source_blend, mat0.destination_blend).unwrap_or(Blend::ALPHA)
}

/// What blend codes that change nothing come to.
const REPLACE: Blend = Blend {
    source: BlendFactor::One,
    destination: BlendFactor::Zero,
};

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

/// The pixels of a texture, or a checker of magenta and black where it is missing or cannot be decoded.
///
/// `pixels` reads formats whose channel order is not certain.
pub fn to_texture(texture: &TableTexture, pixels: PixelOptions) -> Texture {
    let decoded = texture.texm.as_ref().and_then(|texm| {
        // Levels past a single pixel repeat it; a renderer has no place for them.
        let n_levels = (texm.mips.len() as u32).min(texm.full_chain_len());
        let levels = (0..n_levels).map(|level| texm.to_rgba8_with(level, pixels).ok());
        Some((texm, levels.collect::<Option<Vec<_>>>()?))
    });
    let (width, height, mips) = match decoded {
        Some((Texm { width, height, .. }, mips)) => (*width, *height, mips),
        None => {
            let checker = [MAGENTA, BLACK, BLACK, MAGENTA].concat();
            (CHECKER_SIDE, CHECKER_SIDE, vec![checker])
        }
    };
    Texture {
        format: PixelFormat::Rgba8,
        n_layers: 1,
        name: texture.name.clone(),
        width,
        height,
        mips,
        // Coordinates beyond 0..1 occur (Q-T7).
        addressing: Addressing::Repeat,
    }
}
