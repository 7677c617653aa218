//! Effects of passes -> flags of their pipelines and what is bound for them.

use ironlands_scene::{DetailMode, EnvironmentMask, HighlightMask, Pass, PassEffects, TextureIdx};

use super::{
    materials::{sampler_entry, view_entry},
    textures::Textures,
};
use crate::passes::pipeline_key::EffectsState;

// As in `shaders/shared/effect_color.wgsl`.
const NORMALS: u32 = 1;
const SECOND_NORMALS: u32 = 1 << 1;
const ENVIRONMENT: u32 = 1 << 2;
const LINEAR_ENVIRONMENT: u32 = 1 << 3;
const MASK_TEXTURE: u32 = 1 << 4;
const MASK_NORMAL_ALPHA: u32 = 1 << 5;
const MASK_INVERSE_BASE_ALPHA: u32 = 1 << 6;
const HIGHLIGHT: u32 = 1 << 7;
const HIGHLIGHT_MAP: u32 = 1 << 8;
const HIGHLIGHT_NORMAL_ALPHA: u32 = 1 << 9;
const HIGHLIGHT_BASE_ALPHA: u32 = 1 << 10;
const HIGHLIGHT_OF_TEXTURE: u32 = 1 << 11;
const RIM: u32 = 1 << 12;
const RIM_MASK: u32 = 1 << 13;
const HALF_LAMBERT: u32 = 1 << 14;
const LIGHT_WARP: u32 = 1 << 15;
const GLOW: u32 = 1 << 16;
const GLOW_MASK: u32 = 1 << 17;
const WORLD_SCALE: u32 = 1 << 18;

/// What a pipeline for these effects is made for.
pub(super) fn state_of(pass: &Pass, effects: &PassEffects, textures: &Textures) -> EffectsState {
    let highlight = effects.highlight.as_ref();
    let rim = highlight.and_then(|it| it.rim);
    let glow = effects.self_illumination.as_ref();
    let flags = [
        (normals_of(pass, effects).is_some(), NORMALS),
        (effects.second_normal_map.is_some(), SECOND_NORMALS),
        (highlight.is_some(), HIGHLIGHT),
        (highlight.is_some_and(|it| it.map.is_some()), HIGHLIGHT_MAP),
        (
            highlight.is_some_and(|it| it.is_tinted_by_texture),
            HIGHLIGHT_OF_TEXTURE,
        ),
        (rim.is_some(), RIM),
        (rim.is_some_and(|it| it.is_masked), RIM_MASK),
        (effects.half_lambert, HALF_LAMBERT),
        (effects.light_warp.is_some(), LIGHT_WARP),
        (glow.is_some(), GLOW),
        (glow.is_some_and(|it| it.mask.is_some()), GLOW_MASK),
        (effects.world_scale.is_some(), WORLD_SCALE),
    ];
    let highlight_mask = match highlight.map(|it| it.mask) {
        Some(HighlightMask::NormalAlpha) => HIGHLIGHT_NORMAL_ALPHA,
        Some(HighlightMask::BaseAlpha) => HIGHLIGHT_BASE_ALPHA,
        Some(HighlightMask::None) | None => 0,
    };
    let on = flags.iter().filter(|(on, _)| *on);
    let detail = effects.detail.as_ref().map(|it| it.mode);
    EffectsState {
        flags: on.map(|(_, flag)| flag).sum::<u32>()
            | highlight_mask
            | flags_of_environment(effects, textures),
        detail_mode: detail.and_then(number_of),
    }
}

fn flags_of_environment(effects: &PassEffects, textures: &Textures) -> u32 {
    let Some(environment) = &effects.environment else {
        return 0;
    };
    let mask = match environment.mask {
        EnvironmentMask::None => 0,
        EnvironmentMask::Texture(..) => MASK_TEXTURE,
        EnvironmentMask::NormalAlpha => MASK_NORMAL_ALPHA,
        EnvironmentMask::InverseBaseAlpha => MASK_INVERSE_BASE_ALPHA,
    };
    let linear = match textures.get(Some(environment.texture)).is_linear {
        true => LINEAR_ENVIRONMENT,
        false => 0,
    };
    ENVIRONMENT | mask | linear
}

fn number_of(mode: DetailMode) -> Option<u32> {
    let number = DetailMode::ALL.iter().position(|it| *it == mode)?;
    Some(number as u32)
}

/// The normal map that counts.
pub(super) fn normals_of(pass: &Pass, effects: &PassEffects) -> Option<TextureIdx> {
    let of_light = pass.lightmap.as_ref().and_then(|it| it.normal_map);
    of_light.or(effects.normal_map).map(|it| it.texture)
}

/// All that is bound after what a baked pass has, but for the uniform.
pub(super) fn entries<'a>(
    effects: &PassEffects,
    textures: &'a Textures,
) -> Vec<wgpu::BindGroupEntry<'a>> {
    let environment = effects.environment.as_ref();
    let mask = match environment.map(|it| it.mask) {
        Some(EnvironmentMask::Texture(texture, _)) => Some(texture),
        _ => None,
    };
    let flat = [
        mask,
        effects.highlight.as_ref().and_then(|it| it.map),
        effects.light_warp,
        effects.self_illumination.as_ref().and_then(|it| it.mask),
        effects.second_normal_map,
    ];
    let surroundings = textures.cube(environment.map(|it| it.texture));
    let mut entries = vec![
        view_entry((12, surroundings)),
        sampler_entry(13, textures.clamped()),
    ];
    let views = flat.into_iter().map(|it| &textures.get(it).view);
    entries.extend((14..).zip(views).map(view_entry));
    entries
}
