//! Lights.

use super::{SceneError, ensure, is_amount};
use crate::{DirectLight, Light, LightCone, MAX_LIGHT_STYLES, Scene};

impl Scene {
    pub(super) fn validate_lights(&self) -> Result<(), SceneError> {
        for (index, light) in self.lights.iter().enumerate() {
            let ensure = |holds, rule| ensure(holds, "lights", index, rule);
            let Light {
                position,
                color,
                range,
                cone,
                flicker,
                style,
                ..
            } = light;
            let finite = position.iter().all(|v| v.is_finite());
            ensure(finite, "a position is finite")?;
            let is_light = color.iter().copied().all(is_amount);
            ensure(is_light, "a color is finite, at least 0")?;
            let reaches = range.is_finite() && *range > 0.0;
            ensure(reaches, "a range is finite, above 0")?;
            let is_cone = cone.as_ref().is_none_or(is_cone);
            ensure(
                is_cone,
                "a cone has a unit direction, and cos_outer < cos_inner",
            )?;
            let is_share = (0.0..=1.0).contains(&flicker.share) && is_amount(flicker.per_sec);
            ensure(
                is_share,
                "a flicker has a share of 0 to 1 and a finite rate",
            )?;
            let exists = style.is_none_or(|style| usize::from(style) < self.n_known_light_styles());
            ensure(exists, "a light names a missing style")?;
        }
        Ok(())
    }

    pub(super) fn is_direct_light(&self, light: &DirectLight) -> bool {
        let exists = light
            .style
            .is_none_or(|style| usize::from(style) < self.n_known_light_styles());
        exists && is_unit(light.direction_to_light) && light.color.into_iter().all(is_amount)
    }

    /// How many light styles there are to name. Without any, all that there could be are constant.
    pub(super) fn n_known_light_styles(&self) -> usize {
        match self.light_styles.len() {
            0 => MAX_LIGHT_STYLES,
            n_styles => n_styles,
        }
    }
}

fn is_cone(cone: &LightCone) -> bool {
    let LightCone {
        direction,
        cos_inner,
        cos_outer,
    } = *cone;
    is_unit(direction) && -1.0 <= cos_outer && cos_outer < cos_inner && cos_inner <= 1.0
}

fn is_unit(direction: [f32; 3]) -> bool {
    let length_sq: f32 = direction.iter().map(|part| part * part).sum();
    // Of a direction that was normalized in 32 bits.
    (length_sq - 1.0).abs() < 1e-4
}
