//! Typed materials to passes and textures: the one place that knows what MAT0 looks like (dossier sections 9.5 and 2).
//!
//! In: materials and textures of a [`MaterialTable`]. Out: passes of terrain, materials of models, pixels. Colors are
//! those that the game hands to its device: the ambient color of a phase is light of its own, its opacity that of the
//! surface, its emissive color is not read. Specular light is not drawn. What the files do not say is a documented
//! choice: both sides are drawn unless a caller knows better (Q-M19), and every track starts with the scene.

#[cfg(test)]
mod tests;

use ironlands_scene::{
    Addressing, Blend, BlendFactor, Cull, Glides, LayerFade, Lighting, Liquid, Material, Pass,
    PassAnimation, PassKind, PassPhase, PhaseKey, PhaseMode, PixelFormat, Sun, Texture,
    TextureCell, TextureIdx,
};

use super::mat0::{Mat0, Phase, Track, TrackMode};
use super::material_table::{BlendMode, MaterialTable, TableMaterial, TableTexture};
use super::texm::{PageRect, PixelOptions, Texm};

/// Alphas of 1 and more are drawn where a surface blends: halfway from 0 to 1, so that rounding decides nothing.
const ALPHA_TEST: f32 = 0.5 / 255.0;
/// Side of the picture that stands for a missing texture.
const CHECKER_SIDE: u32 = 2;
const MAGENTA: [u8; 4] = [255, 0, 255, 255];
const BLACK: [u8; 4] = [0, 0, 0, 255];

/// What a batch of a model says beyond its material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BatchLook {
    /// Index of its lightmap into the table's textures.
    pub lightmap: Option<usize>,
    /// [`Cull::None`] for two-sided batches, and for all where the winding is not known (Q-M19).
    pub cull: Cull,
    /// Whether it is drawn with what is seen through, and hides nothing.
    pub is_see_through: bool,
}

impl Default for BatchLook {
    /// Two-sided, as its material says.
    fn default() -> Self {
        Self {
            lightmap: None,
            cull: Cull::None,
            is_see_through: false,
        }
    }
}

/// How a surface takes light.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Light {
    /// The scene's color, its own, and that of all lights.
    Lit,
    /// The scene's color and its reaction to light as if it were light: a lightmap says where it falls.
    Stored,
}

/// What a batch of a model is drawn with.
///
/// `material` is an index into the table; without such a material it is plain white. A batch with a lightmap is opaque
/// and takes no other light. Others blend as their material says; where they blend they keep hiding what is behind
/// them, as leaves do, unless they are seen through or their material is not wholly opaque.
///
/// Equal arguments give equal materials; a caller that needs them often caches them.
pub fn model_material(table: &MaterialTable, material: usize, look: BatchLook) -> Material {
    let material = table.materials.get(material);
    let mut surface = material.map_or_else(Pass::default, |it| model_pass(table, it, &look));
    surface.cull = look.cull;
    let lightmap = look.lightmap;
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
        cull: look.cull,
        ..Pass::default()
    });
    Material {
        name: names.join(" + "),
        passes: std::iter::once(surface).chain(lightmap).collect(),
    }
}

fn model_pass(table: &MaterialTable, material: &TableMaterial, look: &BatchLook) -> Pass {
    if look.lightmap.is_some() {
        return lit_pass(table, material, Light::Stored);
    }
    let pass = Pass {
        blend: blend_of(material),
        ..lit_pass(table, material, Light::Lit)
    };
    let is_opaque = material.mat0.phases.iter().all(is_opaque);
    let is_see_through = look.is_see_through || (pass.blend.is_some() && !is_opaque);
    Pass {
        kind: match pass.blend {
            _ if is_see_through => PassKind::Translucent,
            Some(_) => PassKind::SoftEdged,
            None => PassKind::Base,
        },
        alpha_test: pass.blend.map(|_| ALPHA_TEST),
        depth_write: !is_see_through,
        ..pass
    }
}

fn is_opaque(phase: &Phase) -> bool {
    let [.., percent] = phase.ambient;
    percent >= 100
}

/// The second material over the first, as opaque as the weights of the vertices say, whatever its blend mode.
pub(super) fn decal_pass(table: &MaterialTable, material: &TableMaterial) -> Pass {
    Pass {
        kind: PassKind::Decal,
        blend: Some(Blend::ALPHA),
        fade: Some(LayerFade::default()),
        depth_write: false,
        ..base_pass(table, Some(material))
    }
}

/// The surface of a liquid, which blends as its material says.
pub(super) fn water_pass(table: &MaterialTable, material: Option<&TableMaterial>) -> Pass {
    Pass {
        kind: PassKind::Water,
        blend: material.and_then(blend_of),
        depth_write: false,
        liquid: Some(Liquid::default()),
        ..base_pass(table, material)
    }
}

/// The first material of terrain, opaque whatever its blend mode says: there is nothing below it. Ground does not get
/// darker than the scene's color, and what is brighter than white brightens its texture.
pub(super) fn base_pass(table: &MaterialTable, material: Option<&TableMaterial>) -> Pass {
    let pass = material.map(|it| lit_pass(table, it, Light::Lit));
    Pass {
        lighting: Lighting::DisplayFloor,
        ..pass.unwrap_or_default()
    }
}

/// The microtexture that ground takes from a material; `None` where it is missing or cannot be decoded, since what
/// stands for it would cover the ground.
pub(super) fn microtexture(table: &MaterialTable, material: &TableMaterial) -> Option<TextureIdx> {
    let phase = usize::from(material.mat0.microtexture_phase());
    let texture = material.textures.get(phase).copied().flatten()?;
    let is_there = table.textures.get(texture)?.texm.is_some();
    is_there.then_some(TextureIdx(texture as u32))
}

/// Texture, colors and track of a material, lit in display space as the original's hardware did.
fn lit_pass(table: &MaterialTable, material: &TableMaterial, light: Light) -> Pass {
    // What is wrong with a track that does not play was found when the material was resolved.
    let played = material.mat0.first_track().ok().flatten();
    let look_of = |phase: usize| pass_phase(table, material, phase, light);
    let animation = played.and_then(|played| pass_animation(&material.mat0, played, &look_of));
    let phase = match (played, &animation) {
        // It shows one look only, which need not be that of the first phase.
        (Some(Track { keys, .. }), None) => keys.first().map_or(0, |key| key.phase),
        (None, _) | (_, Some(_)) => 0,
    };
    let Some(look) = look_of(phase.into()) else {
        return Pass::default();
    };
    let phases = animation.iter().flat_map(|it: &PassAnimation| &it.phases);
    Pass {
        texture: look.texture,
        cell: look.cell,
        diffuse: look.diffuse,
        ambient: look.ambient,
        emissive: look.emissive,
        lighting: Lighting::Display,
        cull: Cull::None,
        // Under a lightmap, what is drawn as light of its own is the reaction to it.
        glows: matches!(light, Light::Lit) && std::iter::once(&look).chain(phases).any(glows),
        animation,
        ..Pass::default()
    }
}

/// Whether a phase has so much light of its own that it shows by day: as much as the sun and the light from around give a
/// surface on the mean over all directions, of which the sun gives a quarter.
fn glows(look: &PassPhase) -> bool {
    let Sun { color, ambient, .. } = Sun::default();
    let mut channels = look.emissive.iter().zip(ambient).zip(color);
    channels.any(|((own, ambient), sun)| *own >= ambient + 0.25 * sun)
}

/// A phase as it is drawn; `None` beyond the last.
fn pass_phase(
    table: &MaterialTable,
    material: &TableMaterial,
    phase: usize,
    light: Light,
) -> Option<PassPhase> {
    let texture = material.textures.get(phase).copied().flatten();
    let phase = material.mat0.phases.get(phase)?;
    let rgb = |[r, g, b, _]: [u8; 4]| [r, g, b].map(|channel| f32::from(channel) / 255.0);
    let [.., percent] = phase.ambient;
    let alpha = (f32::from(percent) / 100.0).min(1.0);
    let (diffuse, emissive) = match light {
        Light::Lit => (rgb(phase.diffuse), rgb(phase.ambient)),
        Light::Stored => ([0.0; 3], rgb(phase.diffuse)),
    };
    let [r, g, b] = diffuse;
    let texm = texture.and_then(|idx| table.textures.get(idx)?.texm.as_ref());
    Some(PassPhase {
        texture: texture.map(|idx| TextureIdx(idx as u32)),
        cell: texm
            .and_then(|texm| cell_of(texm, phase))
            .unwrap_or_default(),
        diffuse: [r, g, b, alpha],
        ambient: [1.0; 3],
        emissive,
    })
}

/// The rectangle of the texture's page that a phase shows; `None` for the whole texture, and where the page has no such
/// rectangle.
pub(crate) fn cell_of(texm: &Texm, phase: &Phase) -> Option<TextureCell> {
    let cell = usize::try_from(phase.cell).ok()?;
    let PageRect { x, w, y, h } = *texm.page.as_ref()?.get(cell)?;
    let share = |part: i16, whole: u32| f32::from(part) / whole as f32;
    Some(TextureCell {
        min: [share(x, texm.width), share(y, texm.height)],
        size: [share(w, texm.width), share(h, texm.height)],
    })
}

/// How a material changes with time; `None` for a track that shows one look only. Specular light is not drawn, so that
/// it does not show whether it glides.
fn pass_animation(
    mat0: &Mat0,
    track: &Track,
    look_of: &dyn Fn(usize) -> Option<PassPhase>,
) -> Option<PassAnimation> {
    let keys = || track.durations_ms();
    let looks = || keys().map(|(phase, _)| look_of(phase.into()));
    let has_length = keys().any(|(_, duration_ms)| duration_ms > 0);
    if !has_length || looks().zip(looks().skip(1)).all(|(a, b)| a == b) {
        return None;
    }
    let mode = match track.mode()? {
        TrackMode::Loop => PhaseMode::Loop,
        TrackMode::PingPong => PhaseMode::PingPong,
        TrackMode::Clamp => PhaseMode::Clamp,
        TrackMode::Random => PhaseMode::Random,
    };
    let mask = track.interpolation_mask();
    Some(PassAnimation {
        phases: (0..mat0.phases.len()).filter_map(look_of).collect(),
        keys: keys()
            .map(|(phase, duration_ms)| PhaseKey {
                phase: phase.into(),
                duration_ms: duration_ms.into(),
            })
            .collect(),
        mode,
        glides: Glides {
            ambient: false,
            diffuse: mask & 2 != 0,
            emissive: mask & 1 != 0,
            alpha: mask & 0x10 != 0,
        },
    })
}

/// The blend of a material; `None` replaces what is behind, and so does a mode that no known file has.
fn blend_of(material: &TableMaterial) -> Option<Blend> {
    use BlendFactor::{One, SourceAlpha, SourceColor, Zero};
    let (source, destination) = match material.blend_mode()? {
        BlendMode::Opaque => return None,
        BlendMode::Alpha => return Some(Blend::ALPHA),
        BlendMode::Modulate2x => return Some(Blend::MODULATE_2X),
        BlendMode::Add => (SourceAlpha, One),
        BlendMode::Multiply => (Zero, SourceColor),
    };
    Some(Blend {
        source,
        destination,
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
