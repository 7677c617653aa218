//! What a material has beyond textures and light: reflections, highlights, normals, detail.

use ironlands_scene::{
    DetailLayer, DetailMode, EnvironmentMap, EnvironmentMask, Highlight, HighlightMask, Lighting,
    Pass, PassEffects, Rim, SelfIllumination, TextureIdx, UvTransform,
};

use super::Surface;
use super::passes::normal_map;
use super::textures::Textures;
use crate::vmt::{Detail, Envmap, EnvmapMask, Look, Phong, Proxy, Shader, Transform};

/// Effects of the base pass of a surface; `environment` shows what it mirrors. `None` if there are none.
pub(super) fn of_surface(
    look: &Look,
    surface: &Surface,
    base: &Pass,
    textures: &mut Textures<'_>,
    environment: Option<TextureIdx>,
) -> Option<Box<PassEffects>> {
    let is_model = base.lighting == Lighting::Ambient;
    let laying = Laying {
        look,
        is_model: surface.is_model,
    };
    let has_stored_normals = base
        .lightmap
        .as_ref()
        .is_some_and(|it| it.normal_map.is_some());
    let fades = base.blend_texture.is_some();
    let phong = look.phong.as_ref().filter(|_| is_model);
    let mut effects = PassEffects {
        environment: environment
            .zip(look.envmap.as_ref())
            .map(|(texture, envmap)| environment_map(texture, envmap, &laying, textures)),
        half_lambert: is_model && (look.half_lambert || phong.is_some()),
        self_illumination: glow_by_mask(look, textures),
        detail: detail_layer(look, surface, &laying, textures),
        world_scale: look.seamless_scale.filter(|it| it.is_finite()),
        ..PassEffects::default()
    };
    if is_model {
        let warp = look.light_warp.as_deref();
        effects.light_warp = warp.and_then(|name| textures.surface(name, 0));
    }
    if is_model || effects.environment.is_some() {
        effects.normal_map = normal_map(look, textures);
    }
    effects.highlight = phong.map(|phong| highlight(phong, effects.normal_map.is_some(), textures));
    if has_stored_normals || effects.normal_map.is_some() {
        effects.normal_transform = laying.relative(look.bump_transform, "$bumptransform");
        if fades {
            let second = look.bump_map_2.as_deref();
            effects.second_normal_map = second.and_then(|name| textures.surface(name, 0));
        }
    }
    if fades {
        effects.blend_transform = laying.relative(look.base_transform_2, "$basetexturetransform2");
    }
    (effects != PassEffects::default()).then(|| Box::new(effects))
}

/// Whether the detail texture of a material belongs to its effects; else it is a pass of its own.
pub(super) fn holds_detail(look: &Look, is_model: bool) -> bool {
    let Some(detail) = &look.detail else {
        return false;
    };
    let is_opaque = !look.blending.translucent && !look.blending.additive;
    let is_plain = matches!(detail.mode, DetailMode::Mod2x | DetailMode::Multiply)
        && detail.factor == 1.0
        && detail.tint == [1.0; 3]
        && is_opaque
        && look.shader != Shader::WorldTwoTextureBlend;
    let has_others = look.envmap.is_some()
        || look.seamless_scale.is_some()
        || look.self_illum.as_ref().is_some_and(|it| it.mask.is_some());
    is_model || !is_plain || has_others
}

/// How the textures of a material lie on its meshes.
struct Laying<'a> {
    look: &'a Look,
    /// Whether coordinates are as the model has them; else they are those of the base texture.
    is_model: bool,
}

impl Laying<'_> {
    /// A transform of the material for the coordinates of a mesh, and how a proxy moves it that names `variable`.
    fn relative(&self, transform: Transform, variable: &str) -> UvTransform {
        let base = match self.is_model {
            true => Transform::IDENTITY,
            false => self.look.base_transform,
        };
        UvTransform {
            rows: transform.after_undoing(&base).0,
            scroll_per_sec: scroll(self.look, variable),
        }
    }
}

/// Texture lengths a second, from proxies that move a transform steadily.
pub(super) fn scroll(look: &Look, variable: &str) -> [f32; 2] {
    let rates = look.proxies.iter().filter_map(|proxy| match proxy {
        Proxy::TextureScroll {
            transform,
            rate,
            angle_deg,
        } if transform == variable => {
            let (sin, cos) = angle_deg.to_radians().sin_cos();
            Some([rate * cos, rate * sin])
        }
        _ => None,
    });
    let [u, v] = rates.fold([0.0; 2], |[u, v], [du, dv]| [u + du, v + dv]);
    [u, v].map(|rate| if rate.is_finite() { rate } else { 0.0 })
}

fn environment_map(
    texture: TextureIdx,
    envmap: &Envmap,
    laying: &Laying<'_>,
    textures: &mut Textures<'_>,
) -> EnvironmentMap {
    let mask = match &envmap.mask {
        EnvmapMask::None => EnvironmentMask::None,
        EnvmapMask::Texture(name) => match textures.surface(name, 0) {
            Some(mask) => {
                let transform = laying.relative(envmap.mask_transform, "$envmapmasktransform");
                EnvironmentMask::Texture(mask, transform)
            }
            None => EnvironmentMask::None,
        },
        EnvmapMask::BumpAlpha => EnvironmentMask::NormalAlpha,
        EnvmapMask::BaseAlphaInverted => EnvironmentMask::InverseBaseAlpha,
    };
    EnvironmentMap {
        texture,
        tint: envmap.tint,
        mask,
        contrast: envmap.contrast,
        saturation: envmap.saturation,
        head_on: envmap.fresnel.clamp(0.0, 1.0),
    }
}

fn highlight(phong: &Phong, has_normals: bool, textures: &mut Textures<'_>) -> Highlight {
    let map = phong.exponent_texture.as_deref();
    let map = map.and_then(|name| textures.surface(name, 0));
    // A number takes the place of what the map says; the shader has one or the other.
    let map = map.filter(|_| phong.exponent.is_none());
    Highlight {
        exponent: phong.exponent.unwrap_or(5.0),
        map,
        is_tinted_by_texture: phong.albedo_tint && map.is_some(),
        tint: phong.tint.map(|it| it * phong.boost),
        fresnel: phong.fresnel,
        mask: match (phong.masked_by_base, has_normals) {
            (true, _) => HighlightMask::BaseAlpha,
            (false, true) => HighlightMask::NormalAlpha,
            (false, false) => HighlightMask::None,
        },
        rim: phong.rim.map(|rim| Rim {
            exponent: rim.exponent,
            boost: rim.boost,
            is_masked: rim.is_masked && map.is_some(),
        }),
    }
}

fn glow_by_mask(look: &Look, textures: &mut Textures<'_>) -> Option<SelfIllumination> {
    let self_illum = look.self_illum.as_ref()?;
    let mask = textures.surface(self_illum.mask.as_deref()?, 0)?;
    Some(SelfIllumination {
        mask: Some(mask),
        tint: self_illum.tint,
    })
}

fn detail_layer(
    look: &Look,
    surface: &Surface,
    laying: &Laying<'_>,
    textures: &mut Textures<'_>,
) -> Option<DetailLayer> {
    if look.shader == Shader::UnlitTwoTexture {
        let texture = textures.surface(look.texture_2.as_deref()?, 0)?;
        return Some(DetailLayer {
            texture,
            transform: laying.relative(look.texture_2_transform, "$texture2transform"),
            factor: 1.0,
            tint: [1.0; 3],
            mode: DetailMode::Multiply,
        });
    }
    let is_held = holds_detail(look, surface.is_model);
    let Detail {
        texture,
        scale,
        transform,
        factor,
        mode,
        tint,
    } = look.detail.as_ref().filter(|_| is_held)?;
    let scaled = transform.0.map(|[a, b, c]| [a * scale[0], b * scale[1], c]);
    let is_two_textures = look.shader == Shader::WorldTwoTextureBlend;
    Some(DetailLayer {
        texture: textures.surface(texture, 0)?,
        transform: match *transform == Transform::IDENTITY {
            // It lies as the base texture does, finer.
            true => UvTransform {
                scroll_per_sec: scroll(look, "$detailtexturetransform"),
                ..UvTransform::new(scaled)
            },
            false => laying.relative(Transform(scaled), "$detailtexturetransform"),
        },
        factor: *factor,
        tint: *tint,
        mode: match is_two_textures {
            true => DetailMode::Over,
            false => *mode,
        },
    })
}
