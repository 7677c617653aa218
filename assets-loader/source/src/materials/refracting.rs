//! Surfaces that show what is behind them.

use ironlands_scene::{
    Blend, BlendFactor, Lighting, Pass, PassKind, Refraction, TextureCell, TextureIdx,
};

use super::effects::{self, scroll};
use super::passes::{cull, normal_map, waves_cell};
use super::textures::Textures;
use super::{Surface, display_from_linear};
use crate::vmt::Look;

/// By how much the linear light of a tint texture is multiplied: middle gray changes nothing.
const TINT_TEXTURE_GAIN: f32 = 2.0;

/// What is behind, tinted, and over it what the surface mirrors. On faces, of the level and of entities, what is behind is
/// bent by the normal map and blurred.
pub(super) fn of_surface(
    look: &Look,
    surface: &Surface,
    textures: &mut Textures<'_>,
    environment: Option<TextureIdx>,
) -> Vec<Pass> {
    let behind = tinted(look, textures);
    let bent = refraction(look, surface, textures).map(|refraction| {
        // Its texture stands for it in files that hold no refraction.
        let texture = look.base_texture.as_deref();
        Pass {
            kind: PassKind::Refracting,
            texture: texture.and_then(|name| textures.surface(name, look.frame)),
            diffuse: tint(look, refraction.tint),
            refraction: Some(refraction),
            cell: waves_cell(look),
            uv_scroll_per_sec: scroll(look, "$bumptransform"),
            blend: Some(Blend::MODULATE),
            ..behind.clone()
        }
    });
    let mut mirror = Pass {
        texture: None,
        cell: TextureCell::default(),
        diffuse: [0.0, 0.0, 0.0, 1.0],
        blend: Some(Blend {
            source: BlendFactor::One,
            // Sums of display values would be too bright.
            destination: BlendFactor::InverseSourceColor,
        }),
        uv_scroll_per_sec: [0.0; 2],
        ..behind.clone()
    };
    mirror.effects = effects::of_surface(look, surface, &mirror, textures, environment);
    let mirrors = mirror
        .effects
        .as_ref()
        .is_some_and(|it| it.environment.is_some());
    [
        Some(bent.unwrap_or(behind)),
        Some(mirror).filter(|_| mirrors),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// How a surface bends and blurs, if it does.
fn refraction(look: &Look, surface: &Surface, textures: &mut Textures<'_>) -> Option<Refraction> {
    let bend = Some(look.refract_amount).filter(|it| it.is_finite());
    let bend = bend.unwrap_or_default();
    let is_plain = bend == 0.0 && look.blur_amount == 0;
    if is_plain || surface.is_model || surface.is_overlay {
        return None;
    }
    Some(Refraction {
        normals: normal_map(look, textures)?.texture,
        bend,
        tint: tint_texture(look, textures),
        blur_px: look.blur_amount.min(Refraction::MAX_BLUR_PX),
    })
}

/// What colors what is behind, and bends nothing.
fn tinted(look: &Look, textures: &mut Textures<'_>) -> Pass {
    let plain = Pass {
        kind: PassKind::Translucent,
        lighting: Lighting::Unlit,
        cull: cull(look),
        depth_write: false,
        ..Pass::default()
    };
    if let Some(texture) = tint_texture(look, textures) {
        let [r, g, b, alpha] = tint(look, Some(texture));
        return Pass {
            texture: Some(texture),
            cell: waves_cell(look),
            uv_scroll_per_sec: scroll(look, "$bumptransform"),
            diffuse: [r / 2.0, g / 2.0, b / 2.0, alpha],
            blend: Some(Blend::MODULATE_2X),
            ..plain
        };
    }
    let texture = look.base_texture.as_deref();
    Pass {
        texture: texture.and_then(|name| textures.surface(name, look.frame)),
        uv_scroll_per_sec: scroll(look, "$basetexturetransform"),
        diffuse: tint(look, None),
        blend: Some(Blend::MODULATE),
        ..plain
    }
}

fn tint_texture(look: &Look, textures: &mut Textures<'_>) -> Option<TextureIdx> {
    textures.surface(look.refract_tint_texture.as_deref()?, 0)
}

/// The color that what is behind is multiplied by, besides a texture.
fn tint(look: &Look, texture: Option<TextureIdx>) -> [f32; 4] {
    let gain = texture.map_or(1.0, |_| display_from_linear(TINT_TEXTURE_GAIN));
    let color = look.refract_tint.map(|it| it.clamp(0.0, 1.0));
    let [r, g, b] = color.map(|it| display_from_linear(it) * gain);
    [r, g, b, 1.0]
}
