//! Effects of a pass as the device has them.

use bytemuck::{Pod, Zeroable};
use ironlands_scene::{EnvironmentMask, PassEffects, UvTransform};

/// `shared/effect_color.wgsl`, `Effects`.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct EffectsUniform {
    pub normal_uv: [[f32; 4]; 2],
    pub blend_uv: [[f32; 4]; 2],
    pub mask_uv: [[f32; 4]; 2],
    pub detail_uv: [[f32; 4]; 2],
    pub environment_tint: [f32; 3],
    pub contrast: f32,
    pub fresnel: [f32; 3],
    pub saturation: f32,
    pub highlight_tint: [f32; 3],
    pub exponent: f32,
    pub glow_tint: [f32; 3],
    pub head_on: f32,
    pub detail_tint: [f32; 3],
    pub detail_factor: f32,
    pub rim_exponent: f32,
    pub rim_boost: f32,
    pub world_scale: f32,
    pub padding: u32,
}

impl EffectsUniform {
    /// What is not there counts for nothing, and no shader looks at it.
    pub fn new(effects: &PassEffects) -> Self {
        let mut uniform = Self {
            normal_uv: rows(effects.normal_transform),
            blend_uv: rows(effects.blend_transform),
            mask_uv: rows(UvTransform::default()),
            detail_uv: rows(UvTransform::default()),
            world_scale: effects.world_scale.unwrap_or(0.0),
            ..Self::zeroed()
        };
        if let Some(environment) = &effects.environment {
            uniform.environment_tint = environment.tint;
            uniform.contrast = environment.contrast;
            uniform.saturation = environment.saturation;
            uniform.head_on = environment.head_on;
            if let EnvironmentMask::Texture(_, transform) = environment.mask {
                uniform.mask_uv = rows(transform);
            }
        }
        if let Some(highlight) = &effects.highlight {
            uniform.exponent = highlight.exponent;
            uniform.highlight_tint = highlight.tint;
            uniform.fresnel = highlight.fresnel;
            if let Some(rim) = highlight.rim {
                uniform.rim_exponent = rim.exponent;
                uniform.rim_boost = rim.boost;
            }
        }
        if let Some(glow) = &effects.self_illumination {
            uniform.glow_tint = glow.tint;
        }
        if let Some(detail) = &effects.detail {
            uniform.detail_uv = rows(detail.transform);
            uniform.detail_tint = detail.tint;
            uniform.detail_factor = detail.factor;
        }
        uniform
    }
}

fn rows(transform: UvTransform) -> [[f32; 4]; 2] {
    let [[a, b, c], [d, e, f]] = transform.rows;
    let [u, v] = transform.scroll_per_sec;
    [[a, b, c, u], [d, e, f, v]]
}
