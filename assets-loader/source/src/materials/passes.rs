//! Passes of a material by the light that falls on it.

use ironlands_scene::{
    Blend, BlendFactor, BlendTexture, Cull, DetailMode, Glides, LayerFade, Lighting, Lightmap,
    Liquid, NormalMap, Pass, PassAnimation, PassKind, PassPhase, PhaseKey, PhaseMode, TextureCell,
    TextureIdx,
};

use super::effects::{self, holds_detail, scroll};
use super::eyes;
use super::layers;
use super::proxies::{self, MaterialState};
use super::refracting;
use super::textures::Textures;
use super::{Surface, display_from_linear};
use crate::vmt::{Blending, Detail, Look, Proxy, Shader, Transform};

/// Opacity of water (section 11.5).
const WATER_ALPHA: f32 = 128.0 / 255.0;
/// Units that still water is seen through, and how deep it may be, where its material does not say.
const WATER_CLARITY: f32 = 300.0;
const WATER_DEPTH: f32 = 4096.0;
/// Ripples of a pool, a tenth of the waves of the sea: about 52 units are a meter.
const WATER_WAVES: f32 = 0.5;
const WATER_WAVE_LENGTH: f32 = 160.0;
/// How steep the waves of a normal map are, as a part of what it says.
const NORMAL_MAP_WAVES: f32 = 1.0;

/// What light falls on a surface.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SurfaceLight {
    /// As much as it takes to be seen as it is.
    FullBright,
    /// What was stored for it.
    Stored {
        /// The light.
        page: TextureIdx,
        /// Styles of its layers, as of [`Lightmap::styles`].
        styles: Vec<u16>,
        /// Whether there are four layers for each style.
        has_directions: bool,
    },
    /// That of the place where a model stands.
    Ambient,
    /// The same everywhere on it: multiplies its colors, display space, 255 = fully lit.
    Even([u8; 3]),
}

/// What an entity makes of its surfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tint {
    /// Multiplies the color: display space, 255 = as it is.
    pub color: [u8; 3],
    /// Multiplies the opacity; 255 = as it is.
    pub alpha: u8,
    /// Whether it is added to what is behind.
    pub is_additive: bool,
}

impl Default for Tint {
    fn default() -> Self {
        Self {
            color: [255; 3],
            alpha: 255,
            is_additive: false,
        }
    }
}

/// Whether a material shows lightmaps at all.
pub(super) fn takes_lightmap(look: &Look) -> bool {
    !matches!(
        look.shader,
        Shader::UnlitGeneric | Shader::UnlitTwoTexture | Shader::Sky | Shader::Water
    )
}

/// The normal map of a material, if it has one that is there.
pub(super) fn normal_map(look: &Look, textures: &mut Textures<'_>) -> Option<NormalMap> {
    let texture = textures.surface(look.bump_map.as_deref()?, 0)?;
    Some(NormalMap {
        texture,
        is_self_shadowed: look.ssbump,
    })
}

/// What a level says of all its surfaces.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    /// How bright a white surface is in its light, display space.
    pub white: f32,
    /// What the surface mirrors.
    pub environment: Option<TextureIdx>,
}

/// The passes of a surface; `look` is missing where its material is.
pub(super) fn of_surface(
    look: Option<&Look>,
    surface: &Surface,
    textures: &mut Textures<'_>,
    level: Level,
) -> Vec<Pass> {
    // What lets light pass is seen through without its material too.
    let plain = Look {
        color: [1.0; 3],
        color_2: [1.0; 3],
        blending: Blending {
            translucent: surface.is_seen_through,
            ..Blending::default()
        },
        ..Look::default()
    };
    let look = look.unwrap_or(&plain);
    if look.shader == Shader::Water || surface.is_water {
        return vec![water(look, surface, textures)];
    }
    if look.shader == Shader::Refract {
        return refracting::of_surface(look, surface, textures, level.environment);
    }
    let base = base(look, surface, textures, level);
    let glow = glow(look, &base);
    let layers = layers::of_surface(look, surface, &base, textures);
    let (base, iris) = eyes::with_iris(look, surface, base, textures);
    let over = iris.into_iter().chain(layers).chain(glow);
    std::iter::once(base).chain(over).collect()
}

fn base(look: &Look, surface: &Surface, textures: &mut Textures<'_>, level: Level) -> Pass {
    let own_texture = look
        .base_texture
        .as_deref()
        .and_then(|name| textures.surface(name, look.frame));
    let (lighting, lightmap) = lighting(look, &surface.light, textures);
    let moments = proxies::moments(look);
    let least_alpha = moments.iter().flatten().map(|it| it.alpha).reduce(f32::min);
    let (kind, blend, depth_write) = blending(look, surface, least_alpha);
    // Neither texture nor light would distinguish one side of a room from the next.
    let is_featureless = own_texture.is_none() && surface.light == SurfaceLight::FullBright;
    let texture = match is_featureless && kind == PassKind::Base {
        true => Some(textures.checker()),
        false => own_texture,
    };
    let blend_texture = (surface.fades && own_texture.is_some())
        .then(|| blend_texture(look, textures))
        .flatten();
    let mut pass = Pass {
        kind,
        texture,
        uv_scroll_per_sec: scroll(look, "$basetexturetransform"),
        diffuse: diffuse(look, surface, own_texture.is_some()),
        lighting,
        blend,
        alpha_test: look.alpha_test,
        cull: cull(look),
        depth_write,
        blend_texture,
        lightmap,
        fade: (surface.fades && look.blending.vertex_alpha).then(LayerFade::default),
        cell: cell(look, surface),
        glows: glows(look, surface, kind, level.white),
        ..Pass::default()
    };
    let base_texture = look.base_texture.as_deref();
    pass.animation =
        base_texture.and_then(|name| frames(look, ("$basetexture", name), &pass, textures));
    if let Some(moments) = moments.filter(|_| pass.animation.is_none()) {
        change(&mut pass, look, surface, &moments);
    }
    if !surface.is_overlay {
        pass.effects = effects::of_surface(look, surface, &pass, textures, level.environment);
    }
    pass
}

/// Lets a pass change as its material does.
fn change(pass: &mut Pass, look: &Look, surface: &Surface, moments: &[MaterialState]) {
    let own = match surface.is_model {
        true => Transform::IDENTITY,
        false => look.base_transform,
    };
    let laid: Vec<_> = moments
        .iter()
        .map(|it| it.transform.after_undoing(&own))
        .collect();
    let scroll = steady_scroll(&laid);
    if let Some([u, v]) = scroll {
        let [old_u, old_v] = pass.uv_scroll_per_sec;
        pass.uv_scroll_per_sec = [old_u + u, old_v + v];
    }
    let mut shown = look.clone();
    let phases = moments.iter().zip(&laid).map(|(moment, laid)| {
        shown.color = moment.color;
        shown.color_2 = moment.color_2;
        shown.blending.alpha = moment.alpha;
        PassPhase {
            texture: pass.texture,
            cell: if scroll.is_some() {
                pass.cell
            } else {
                cell_of(laid).unwrap_or(pass.cell)
            },
            diffuse: diffuse(
                &shown,
                surface,
                look.base_texture.is_some() && pass.texture.is_some(),
            ),
            ambient: pass.ambient,
            emissive: pass.emissive,
        }
    });
    let phases: Vec<_> = phases.collect();
    let key = |phase| PhaseKey {
        phase,
        duration_ms: proxies::STEP_MS,
    };
    if phases.windows(2).any(|pair| pair.first() != pair.last()) {
        pass.animation = Some(PassAnimation {
            keys: (0u32..).zip(&phases).map(|(phase, _)| key(phase)).collect(),
            phases,
            mode: PhaseMode::Loop,
            glides: Glides {
                diffuse: true,
                alpha: true,
                ..Glides::default()
            },
        });
    }
}

/// How far a texture moves a second that only moves, and always as fast; `None` for any other.
fn steady_scroll(laid: &[Transform]) -> Option<[f32; 2]> {
    let place = |Transform([[a, b, u], [c, d, v]]): &Transform| ([*a, *b, *c, *d], [*u, *v]);
    let [first, second, ..] = laid else {
        return None;
    };
    let ((turned, [u, v]), (_, [next_u, next_v])) = (place(first), place(second));
    let step = [next_u - u, next_v - v];
    let is_steady = (0u16..).zip(laid).all(|(number, it)| {
        let (own, [own_u, own_v]) = place(it);
        let expected = step.map(|it| it * f32::from(number));
        let apart = [own_u - u - expected[0], own_v - v - expected[1]];
        // Of sums of a few hundred steps.
        own == turned && apart.iter().all(|it| it.abs() < 1e-3)
    });
    let per_sec = 1000.0 / proxies::STEP_MS as f32;
    is_steady.then(|| step.map(|it| it * per_sec))
}

/// The base texture's transform on coordinates that are the model's own; those of faces have it already.
fn cell(look: &Look, surface: &Surface) -> TextureCell {
    let own = cell_of(&look.base_transform).filter(|_| surface.is_model);
    own.unwrap_or_default()
}

/// A transform that does not turn, as a cell.
fn cell_of(Transform([[u, _, left], [_, v, top]]): &Transform) -> Option<TextureCell> {
    let is_usable = [u, v].iter().all(|it| it.is_normal()) && (left + top).is_finite();
    is_usable.then_some(TextureCell {
        min: [*left, *top],
        size: [*u, *v],
    })
}

pub(super) fn cull(look: &Look) -> Cull {
    match look.two_sided {
        true => Cull::None,
        false => Cull::Back,
    }
}

fn lighting(
    look: &Look,
    light: &SurfaceLight,
    textures: &mut Textures<'_>,
) -> (Lighting, Option<Lightmap>) {
    if !takes_lightmap(look) {
        return (Lighting::Unlit, None);
    }
    match light {
        SurfaceLight::FullBright | SurfaceLight::Even(_) => (Lighting::Unlit, None),
        SurfaceLight::Ambient => (Lighting::Ambient, None),
        SurfaceLight::Stored {
            page,
            styles,
            has_directions,
        } => {
            let normal_map = has_directions.then(|| normal_map(look, textures)).flatten();
            let lightmap = Lightmap {
                texture: *page,
                styles: styles.clone(),
                normal_map,
            };
            (Lighting::Lightmap, Some(lightmap))
        }
    }
}

/// Whether an unlit surface is a lamp, or light that is added to what is behind it. The files do not say: a lamp is what is
/// brighter in some channel than the light of the level makes anything.
fn glows(look: &Look, surface: &Surface, kind: PassKind, white: f32) -> bool {
    let adds = look.blending.additive || surface.tint.is_additive;
    let brightest = surface.fallback.into_iter().max().unwrap_or(0);
    let is_bright = f32::from(brightest) / 255.0 >= white;
    look.shader == Shader::UnlitGeneric && (adds || (kind == PassKind::Base && is_bright))
}

/// `least_alpha`: of a material that fades.
fn blending(
    look: &Look,
    surface: &Surface,
    least_alpha: Option<f32>,
) -> (PassKind, Option<Blend>, bool) {
    let additive = Blend {
        source: BlendFactor::SourceAlpha,
        destination: BlendFactor::One,
    };
    let Blending {
        translucent,
        additive: is_additive,
        alpha,
        ..
    } = look.blending;
    let Tint {
        alpha: tint_alpha,
        is_additive: adds,
        ..
    } = surface.tint;
    let above = match surface.is_overlay {
        true => PassKind::Decal,
        false => PassKind::Translucent,
    };
    if look.shader == Shader::Modulate {
        (above, Some(Blend::MODULATE_2X), false)
    } else if is_additive || adds {
        (above, Some(additive), false)
    } else if surface.is_overlay
        || translucent
        || look.shader == Shader::Glass
        || least_alpha.unwrap_or(alpha) < 1.0
        || tint_alpha < 255
        || (look.blending.vertex_alpha && surface.fades)
    {
        (above, Some(Blend::ALPHA), false)
    } else {
        (PassKind::Base, None, true)
    }
}

/// Colors of materials are factors of linear light, those of passes are display values.
#[expect(clippy::indexing_slicing, reason = "three channels")]
pub(super) fn diffuse(look: &Look, surface: &Surface, has_texture: bool) -> [f32; 4] {
    let mut color = [1.0; 4];
    for (channel, value) in color.iter_mut().take(3).enumerate() {
        *value = display_from_linear(look.color[channel] * look.color_2[channel])
            * f32::from(surface.tint.color[channel])
            / 255.0;
        if !has_texture {
            *value *= f32::from(surface.fallback[channel]) / 255.0;
        }
        if let SurfaceLight::Even(light) = surface.light {
            *value *= f32::from(light[channel]) / 255.0;
        }
    }
    color[3] = look.blending.alpha * f32::from(surface.tint.alpha) / 255.0;
    // Glass without its picture is still seen through.
    if !has_texture && (look.blending.translucent || look.shader == Shader::Glass) {
        color[3] *= 0.5;
    }
    color
}

fn blend_texture(look: &Look, textures: &mut Textures<'_>) -> Option<BlendTexture> {
    if look.shader != Shader::WorldVertexTransition {
        return None;
    }
    let texture = textures.surface(look.base_texture_2.as_deref()?, 0)?;
    let transition = look.blend_modulate_texture.as_deref();
    Some(BlendTexture {
        texture,
        transition: transition.and_then(|name| textures.surface(name, 0)),
    })
}

/// Frames of the texture of a pass, if a proxy of the variable shows them one after the other.
fn frames(
    look: &Look,
    (variable, name): (&str, &str),
    pass: &Pass,
    textures: &mut Textures<'_>,
) -> Option<PassAnimation> {
    let rate = look.proxies.iter().find_map(|proxy| match proxy {
        Proxy::AnimatedTexture {
            texture,
            frames_per_second,
            ..
        } if texture == variable && *frames_per_second > 0.0 => Some(*frames_per_second),
        _ => None,
    })?;
    let frames = textures.frames(name);
    if frames.len() < 2 {
        return None;
    }
    let phase = |texture| PassPhase {
        cell: TextureCell::default(),
        texture: Some(texture),
        diffuse: pass.diffuse,
        ambient: pass.ambient,
        emissive: pass.emissive,
    };
    // The cast saturates; a frame lasts for a millisecond at least.
    let duration_ms = ((1000.0 / rate).round() as u32).max(1);
    let key = |phase| PhaseKey { phase, duration_ms };
    Some(PassAnimation {
        keys: (0u32..).zip(&frames).map(|(frame, _)| key(frame)).collect(),
        phases: frames.into_iter().map(phase).collect(),
        mode: PhaseMode::Loop,
        glides: Glides::default(),
    })
}

/// The texture again, unlit, where its alpha says that it glows.
fn glow(look: &Look, base: &Pass) -> Option<Pass> {
    let self_illum = look.self_illum.as_ref()?;
    if self_illum.mask.is_some() || base.texture.is_none() || base.kind != PassKind::Base {
        return None;
    }
    let mut diffuse = base.diffuse;
    for (value, tint) in diffuse.iter_mut().zip(self_illum.tint) {
        *value *= display_from_linear(tint);
    }
    Some(Pass {
        kind: PassKind::Decal,
        lighting: Lighting::Unlit,
        blend: Some(Blend::ALPHA),
        depth_write: false,
        diffuse,
        blend_texture: None,
        lightmap: None,
        effects: None,
        glows: true,
        ..base.clone()
    })
}

/// Water has no texture of colors: its color is that of its depth, or what the compiler knew of its texture, in the light
/// of its place. Its waves are those of its normal map.
fn water(look: &Look, surface: &Surface, textures: &mut Textures<'_>) -> Pass {
    let tint = look.water.as_ref().map(|water| {
        let fog = water.fog_color;
        match fog.iter().any(|value| *value > 0.0) {
            true => fog,
            false => water.refract_tint,
        }
    });
    let mut color = tint.unwrap_or(surface.fallback.map(|value| f32::from(value) / 255.0));
    if let SurfaceLight::Even(light) = surface.light {
        for (value, light) in color.iter_mut().zip(light) {
            *value *= f32::from(light) / 255.0;
        }
    }
    let [r, g, b] = color;
    let waves = look.water.as_ref().and_then(|it| it.normal_map.as_deref());
    let texture = waves.and_then(|name| textures.surface(name, 0));
    let mut pass = Pass {
        kind: PassKind::Water,
        texture,
        cell: waves_cell(look),
        uv_scroll_per_sec: scroll(look, "$bumptransform"),
        diffuse: [r, g, b, WATER_ALPHA],
        lighting: Lighting::Unlit,
        blend: Some(Blend::ALPHA),
        cull: cull(look),
        depth_write: false,
        liquid: Some(liquid(look, [r, g, b], texture.is_some())),
        ..Pass::default()
    };
    pass.animation = waves.and_then(|name| frames(look, ("$normalmap", name), &pass, textures));
    pass
}

/// Coordinates of faces have the base texture's transform already.
pub(super) fn waves_cell(look: &Look) -> TextureCell {
    let laid = look.bump_transform.after_undoing(&look.base_transform);
    cell_of(&laid).unwrap_or_default()
}

/// What water does with light: as far as its fog reaches it is seen through.
fn liquid(look: &Look, color: [f32; 3], has_wave_texture: bool) -> Liquid {
    let reaches = look.water.as_ref().map(|water| water.fog_end);
    let mirrors = look.water.as_ref().map_or([1.0; 3], |water| {
        let amount = Some(water.reflect_amount).filter(|it| it.is_finite() && *it > 0.0);
        let amount = amount.unwrap_or(1.0);
        water.reflect_tint.map(|tint| match tint * amount {
            share if share.is_finite() => share.clamp(0.0, 1.0),
            _ => 1.0,
        })
    });
    let is_length = |it: &f32| it.is_finite() && *it > 0.0;
    Liquid {
        color,
        clarity: reaches.filter(is_length).unwrap_or(WATER_CLARITY),
        waves: match has_wave_texture {
            true => NORMAL_MAP_WAVES,
            false => WATER_WAVES,
        },
        has_wave_texture,
        wave_length: WATER_WAVE_LENGTH,
        reflectance: mirrors,
        depth: look
            .water
            .as_ref()
            .and_then(|water| water.depth)
            .filter(is_length)
            .unwrap_or(WATER_DEPTH),
        sheet: None,
    }
}

/// The detail texture of a material, as far as it multiplies what is below it, and how its coordinates come from those of
/// the surface.
pub(super) fn detail(look: &Look, textures: &mut Textures<'_>) -> Option<(Pass, Transform)> {
    let Detail {
        texture,
        scale,
        transform: Transform(rows),
        mode,
        ..
    } = look.detail.as_ref()?;
    let blend = match mode {
        DetailMode::Mod2x => Blend::MODULATE_2X,
        DetailMode::Multiply => Blend::MODULATE,
        _ => return None,
    };
    if holds_detail(look, false) {
        return None;
    }
    let pass = Pass {
        kind: PassKind::Detail,
        texture: Some(textures.surface(texture, 0)?),
        lighting: Lighting::Unlit,
        blend: Some(blend),
        cull: cull(look),
        depth_write: false,
        ..Pass::default()
    };
    let scaled = rows.map(|[a, b, c]| [a * scale[0], b * scale[1], c]);
    Some((pass, Transform(scaled)))
}
