//! Textures, and materials that show them.

use super::{SceneError, broken};
use crate::{
    Lighting, Lightmap, Pass, PassEffects, PassKind, PixelFormat, Refraction, Scene, Texture,
    TextureIdx,
};

/// Most styles whose lights a pass adds up.
const MAX_STYLES_OF_PASS: usize = 4;

impl Scene {
    pub(super) fn validate_materials(&self) -> Result<(), SceneError> {
        for (index, material) in self.materials.iter().enumerate() {
            for pass in &material.passes {
                self.check_pass(pass)
                    .map_err(|rule| broken("materials", index, rule))?;
            }
        }
        Ok(())
    }

    fn check_pass(&self, pass: &Pass) -> Result<(), &'static str> {
        let phases = pass.animation.iter().flat_map(|it| &it.phases);
        let second = pass.blend_texture.iter();
        let second = second.flat_map(|it| [Some(it.texture), it.transition]);
        let mut textures = phases
            .map(|phase| phase.texture)
            .chain([pass.texture, pass.detail])
            .chain(second);
        if !textures.all(|texture| texture.is_none_or(|it| self.has_texture(it))) {
            return Err("a pass names a missing texture");
        }
        if pass.uv_set >= 2 {
            return Err("a pass names a missing UV set");
        }
        if pass.kind == PassKind::Translucent && pass.depth_write {
            return Err("what is seen through hides nothing");
        }
        if let Some(animation) = &pass.animation {
            let exists = |phase: u32| (phase as usize) < animation.phases.len();
            if animation.keys.is_empty() || !animation.keys.iter().all(|key| exists(key.phase)) {
                return Err("an animation has keys, and each names a phase");
            }
        }
        let is_display = matches!(
            pass.lighting,
            Lighting::Unlit | Lighting::Display | Lighting::DisplayFloor
        );
        if pass.detail.is_some() && !is_display {
            return Err("a detail texture multiplies what is lit in display space");
        }
        if let Some(fade) = &pass.fade {
            let has_weight =
                fade.channel == 3 || (fade.channel < 3 && pass.lighting == Lighting::Lightmap);
            if !has_weight {
                return Err(
                    "a layer fades by the last component of colors, or by any of the four where a lightmap lights it",
                );
            }
            let edge = fade.edge.map(|it| [it.luminance, it.weight]);
            if edge.iter().flatten().flatten().any(|it| !it.is_finite()) {
                return Err("the edge of a layer is finite");
            }
        }
        if let Some(liquid) = &pass.liquid {
            liquid.check()?;
            let is_plain = pass.texture.is_some()
                && pass.kind == PassKind::Water
                && pass.blend_texture.is_none()
                && pass.detail.is_none()
                && pass.fade.is_none()
                && !matches!(pass.lighting, Lighting::Lightmap | Lighting::Ambient);
            if liquid.has_wave_texture && !is_plain {
                return Err(
                    "a texture of waves is the only one of water that the sun lights or nothing",
                );
            }
        }
        match (pass.kind == PassKind::Refracting, &pass.refraction) {
            (true, Some(refraction)) => self.check_refraction(pass, refraction)?,
            (false, None) => {}
            _ => return Err("a pass bends what is behind it if and only if it is of that kind"),
        }
        if let Some(effects) = &pass.effects {
            self.check_effects(pass, effects)?;
        }
        match (pass.lighting, &pass.lightmap) {
            (Lighting::Lightmap, Some(lightmap)) => self.check_lightmap(lightmap),
            (Lighting::Lightmap, None) => Err("a pass that is lit by a lightmap has none"),
            (_, Some(_)) => Err("a pass has a lightmap and is not lit by it"),
            (_, None) => Ok(()),
        }
    }

    fn check_refraction(&self, pass: &Pass, refraction: &Refraction) -> Result<(), &'static str> {
        if !self.has_texture(refraction.normals) {
            return Err("a refraction names missing normals");
        }
        if !refraction.tint.is_none_or(|tint| self.has_texture(tint)) {
            return Err("a refraction names a missing tint");
        }
        if !refraction.bend.is_finite() {
            return Err("a refraction is finite");
        }
        if refraction.blur_px > Refraction::MAX_BLUR_PX {
            return Err("a refraction blurs by at most 2 pixels");
        }
        let is_plain = pass.animation.is_none()
            && pass.blend_texture.is_none()
            && pass.detail.is_none()
            && pass.effects.is_none()
            && pass.lighting == Lighting::Unlit
            && pass.liquid.is_none()
            && pass.alpha_test.is_none()
            && pass.fade.is_none()
            && !pass.glows
            && !pass.depth_write;
        match is_plain {
            true => Ok(()),
            false => {
                Err("what bends what is behind it shows nothing of its own, and hides nothing")
            }
        }
    }

    fn check_effects(&self, pass: &Pass, effects: &PassEffects) -> Result<(), &'static str> {
        let is_lit_so = matches!(
            pass.lighting,
            Lighting::Unlit | Lighting::Lightmap | Lighting::Ambient
        );
        if !is_lit_so || pass.kind == PassKind::Water || pass.detail.is_some() {
            return Err("effects are of passes in linear light or without any, not of water");
        }
        if !effects.textures().all(|texture| self.has_texture(texture)) {
            return Err("an effect names a missing texture");
        }
        let environment = effects.environment.as_ref().map(|it| it.texture);
        let surroundings = environment.and_then(|it| self.textures.get(it.0 as usize));
        if surroundings.is_some_and(|it| it.n_layers != 6 || it.width != it.height) {
            return Err("an environment map has six square layers");
        }
        Ok(())
    }

    fn check_lightmap(&self, lightmap: &Lightmap) -> Result<(), &'static str> {
        let normals = lightmap.normal_map.map(|map| map.texture);
        if normals.is_some_and(|texture| !self.has_texture(texture)) {
            return Err("a normal map names a missing texture");
        }
        let Some(light) = self.textures.get(lightmap.texture.0 as usize) else {
            return Err("a lightmap names a missing texture");
        };
        let n_styles = lightmap.styles.len();
        if !(1..=MAX_STYLES_OF_PASS).contains(&n_styles) {
            return Err("a lightmap has 1 to 4 styles");
        }
        if lightmap
            .styles
            .iter()
            .any(|style| usize::from(*style) >= self.n_known_light_styles())
        {
            return Err("a lightmap names a missing style");
        }
        let n_layers = n_styles as u64 * u64::from(lightmap.layers_per_style());
        if u64::from(light.n_layers) != n_layers {
            return Err("the texture of a lightmap has all layers of each style, and no other");
        }
        Ok(())
    }

    fn has_texture(&self, texture: TextureIdx) -> bool {
        (texture.0 as usize) < self.textures.len()
    }
}

pub(super) fn check_texture(texture: &Texture) -> Result<(), &'static str> {
    if texture.width == 0 || texture.height == 0 || texture.mips.is_empty() {
        return Err("at least one level of at least one pixel");
    }
    if texture.n_layers == 0 {
        return Err("at least one layer");
    }
    let n_levels = texture.width.max(texture.height).ilog2() + 1;
    if texture.mips.len() as u64 > u64::from(n_levels) {
        return Err("no level follows that of one pixel");
    }
    for (level, pixels) in (0u32..).zip(&texture.mips) {
        let picture = texture.format.n_bytes(texture.level_size(level));
        // A product too large for 64 bits is too large for memory as well.
        if picture.checked_mul(texture.n_layers.into()) != Some(pixels.len() as u64) {
            return Err(match texture.format {
                PixelFormat::Rgba8 => "a level does not have width x height x 4 bytes per layer",
                PixelFormat::Rgba16Float => {
                    "a level does not have width x height x 8 bytes per layer"
                }
                PixelFormat::Bc1 | PixelFormat::Bc2 | PixelFormat::Bc3 => {
                    "a level does not have the bytes of all its blocks and layers"
                }
            });
        }
    }
    Ok(())
}
