//! Surfaces that show what is behind them.

use ironlands_scene::{Blend, BlendFactor, Lighting, Pass, PassKind, Refraction, TextureIdx};

use super::effects::{self, scroll};
use super::passes::{cull, normal_map, waves_cell};
use super::textures::Textures;
use super::{Surface, display_from_linear};
use crate::vmt::Look;

/// What is behind, tinted, and over it what the surface mirrors. On faces of the level what is behind is bent by the normal
/// map.
pub(super) fn of_surface(
    look: &Look,
    surface: &Surface,
    textures: &mut Textures<'_>,
    environment: Option<TextureIdx>,
) -> Vec<Pass> {
    let [r, g, b] = look
        .refract_tint
        .map(|it| display_from_linear(it.clamp(0.0, 1.0)));
    let texture = look.base_texture.as_deref();
    let behind = Pass {
        kind: PassKind::Translucent,
        texture: texture.and_then(|name| textures.surface(name, look.frame)),
        uv_scroll_per_sec: scroll(look, "$basetexturetransform"),
        diffuse: [r, g, b, 1.0],
        lighting: Lighting::Unlit,
        blend: Some(Blend::MODULATE),
        cull: cull(look),
        depth_write: false,
        ..Pass::default()
    };
    let amount = Some(look.refract_amount).filter(|it| it.is_finite() && *it != 0.0);
    let normals = amount
        .filter(|_| surface.is_of_level)
        .zip(normal_map(look, textures));
    // Its texture stands for it in files that hold no refraction.
    let bent = normals.map(|(bend, normals)| Pass {
        kind: PassKind::Refracting,
        refraction: Some(Refraction {
            normals: normals.texture,
            bend,
        }),
        cell: waves_cell(look),
        uv_scroll_per_sec: scroll(look, "$bumptransform"),
        ..behind.clone()
    });
    let mut mirror = Pass {
        texture: None,
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
