//! The shader sources, put together from `shaders/` when the crate is built.
//!
//! A pass is its shared parts in order, then its own file; that is the whole include mechanism.

/// A shader's name, which is that of its own file, and its whole source.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shader {
    pub name: &'static str,
    pub source: &'static str,
}

impl Shader {
    pub fn module(&self, device: &wgpu::Device) -> wgpu::ShaderModule {
        device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(self.name),
            source: wgpu::ShaderSource::Wgsl(self.source.into()),
        })
    }
}

macro_rules! shader {
    ($name:literal: $($file:literal),+) => {
        Shader {
            name: $name,
            source: concat!($(include_str!(concat!("../../shaders/", $file))),+),
        }
    };
}

pub(crate) const SKY: Shader = shader!("sky":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sky_color.wgsl", "shared/dither.wgsl",
    "shared/picture_corner.wgsl", "sky.wgsl");

pub(crate) const PAINTED_SKY: Shader = shader!("painted_sky":
    "shared/frame.wgsl", "shared/painted_sky.wgsl", "shared/dither.wgsl", "shared/picture_corner.wgsl",
    "painted_sky.wgsl");

pub(crate) const LENS_FLARE: Shader = shader!("lens_flare":
    "shared/frame.wgsl", "shared/painted_sky.wgsl", "lens_flare.wgsl");

pub(crate) const SKY_BOX: Shader = shader!("sky_box":
    "shared/frame.wgsl", "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/tone.wgsl",
    "sky_box.wgsl");

pub(crate) const SURFACE: Shader = shader!("surface":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/surface_color.wgsl",
    "shared/fixed_color.wgsl", "shared/depth_only.wgsl", "shared/view_color.wgsl", "shared/surface_view.wgsl",
    "surface.wgsl");

pub(crate) const BAKED_SURFACE: Shader = shader!("surface, baked":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/surface_color.wgsl", "shared/tone.wgsl",
    "shared/baked_layers.wgsl", "shared/baked_color.wgsl", "shared/scene_ambient.wgsl",
    "shared/depth_only.wgsl", "shared/view_color.wgsl", "shared/surface_view.wgsl", "surface.wgsl");

pub(crate) const MODEL: Shader = shader!("model":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/surface_color.wgsl",
    "shared/fixed_color.wgsl",
    "shared/node_matrix.wgsl", "shared/node.wgsl", "shared/depth_only.wgsl", "shared/view_color.wgsl",
    "shared/surface_view.wgsl", "model.wgsl");

pub(crate) const BAKED_MODEL: Shader = shader!("model, baked":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/surface_color.wgsl", "shared/tone.wgsl",
    "shared/baked_layers.wgsl", "shared/baked_color.wgsl", "shared/ambient_cube.wgsl",
    "shared/node_matrix.wgsl", "shared/node.wgsl",
    "shared/depth_only.wgsl", "shared/view_color.wgsl", "shared/surface_view.wgsl", "model.wgsl");

pub(crate) const MORPHED_MODEL: Shader = shader!("model, morphed":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/surface_color.wgsl",
    "shared/fixed_color.wgsl",
    "shared/node_matrix.wgsl", "shared/node.wgsl", "shared/depth_only.wgsl", "shared/view_color.wgsl",
    "shared/surface_view.wgsl", "morphed_model.wgsl");

pub(crate) const BAKED_MORPHED_MODEL: Shader = shader!("model, morphed, baked":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/surface_color.wgsl", "shared/tone.wgsl",
    "shared/baked_layers.wgsl", "shared/baked_color.wgsl", "shared/ambient_cube.wgsl",
    "shared/node_matrix.wgsl", "shared/node.wgsl",
    "shared/depth_only.wgsl", "shared/view_color.wgsl", "shared/surface_view.wgsl", "morphed_model.wgsl");

/// Passes with effects.
pub(crate) const EFFECT_SURFACE: Shader = shader!("surface, effects":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/surface_color.wgsl", "shared/tone.wgsl",
    "shared/baked_layers.wgsl", "shared/texture_frame.wgsl", "shared/effect_color.wgsl",
    "shared/scene_ambient.wgsl", "shared/depth_only.wgsl", "shared/view_color.wgsl",
    "shared/surface_view.wgsl", "surface.wgsl");

/// The same over models.
pub(crate) const EFFECT_MODEL: Shader = shader!("model, effects":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/surface_color.wgsl", "shared/tone.wgsl",
    "shared/baked_layers.wgsl", "shared/texture_frame.wgsl", "shared/effect_color.wgsl",
    "shared/ambient_cube.wgsl",
    "shared/node_matrix.wgsl", "shared/node.wgsl", "shared/depth_only.wgsl", "shared/view_color.wgsl",
    "shared/surface_view.wgsl", "model.wgsl");

/// The same over models whose vertices have moved.
pub(crate) const EFFECT_MORPHED_MODEL: Shader = shader!("model, morphed, effects":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/surface_color.wgsl", "shared/tone.wgsl",
    "shared/baked_layers.wgsl", "shared/texture_frame.wgsl", "shared/effect_color.wgsl",
    "shared/ambient_cube.wgsl",
    "shared/node_matrix.wgsl", "shared/node.wgsl", "shared/depth_only.wgsl", "shared/view_color.wgsl",
    "shared/surface_view.wgsl", "morphed_model.wgsl");

pub(crate) const WATER: Shader = shader!("water":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/surface_color.wgsl",
    "shared/fixed_color.wgsl", "shared/sky_color.wgsl", "shared/texture_frame.wgsl", "shared/waves.wgsl",
    "shared/water_color.wgsl", "water.wgsl");

pub(crate) const BAKED_WATER: Shader = shader!("water, baked":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/surface_color.wgsl", "shared/tone.wgsl",
    "shared/baked_layers.wgsl", "shared/baked_color.wgsl", "shared/scene_ambient.wgsl",
    "shared/sky_color.wgsl", "shared/texture_frame.wgsl", "shared/waves.wgsl", "shared/water_color.wgsl",
    "water.wgsl");

pub(crate) const SEA: Shader = shader!("sea":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/surface_color.wgsl",
    "shared/fixed_color.wgsl", "shared/sky_color.wgsl", "shared/texture_frame.wgsl", "shared/waves.wgsl",
    "shared/water_color.wgsl", "sea.wgsl");

/// For targets with one sample per pixel, then for those with several.
pub(crate) const DEEP_WATER: [Shader; 2] = [DEEP_WATER_SINGLE, DEEP_WATER_SAMPLES];
/// The same.
pub(crate) const DEEP_SEA: [Shader; 2] = [DEEP_SEA_SINGLE, DEEP_SEA_SAMPLES];

/// The same.
pub(crate) const REFRACTING: [Shader; 2] = [REFRACTING_SINGLE, REFRACTING_SAMPLES];

const REFRACTING_SINGLE: Shader = shader!("refracting":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/surface_color.wgsl",
    "shared/fixed_color.wgsl", "shared/texture_frame.wgsl", "shared/waves.wgsl", "shared/depth_single.wgsl",
    "shared/deep_water_color.wgsl", "shared/node_matrix.wgsl", "refracting.wgsl");

const REFRACTING_SAMPLES: Shader = shader!("refracting, samples":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/surface_color.wgsl",
    "shared/fixed_color.wgsl", "shared/texture_frame.wgsl", "shared/waves.wgsl", "shared/depth_samples.wgsl",
    "shared/deep_water_color.wgsl", "shared/node_matrix.wgsl", "refracting.wgsl");

const DEEP_WATER_SINGLE: Shader = shader!("deep water":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/surface_color.wgsl",
    "shared/fixed_color.wgsl", "shared/texture_frame.wgsl", "shared/waves.wgsl", "shared/depth_single.wgsl",
    "shared/deep_water_color.wgsl", "water.wgsl");

const DEEP_WATER_SAMPLES: Shader = shader!("deep water, samples":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/surface_color.wgsl",
    "shared/fixed_color.wgsl", "shared/texture_frame.wgsl", "shared/waves.wgsl", "shared/depth_samples.wgsl",
    "shared/deep_water_color.wgsl", "water.wgsl");

const DEEP_SEA_SINGLE: Shader = shader!("deep sea":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/surface_color.wgsl",
    "shared/fixed_color.wgsl", "shared/texture_frame.wgsl", "shared/waves.wgsl", "shared/depth_single.wgsl",
    "shared/deep_water_color.wgsl", "sea.wgsl");

const DEEP_SEA_SAMPLES: Shader = shader!("deep sea, samples":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/light_curve.wgsl", "shared/linear_light.wgsl", "shared/surface_color.wgsl",
    "shared/fixed_color.wgsl", "shared/texture_frame.wgsl", "shared/waves.wgsl", "shared/depth_samples.wgsl",
    "shared/deep_water_color.wgsl", "sea.wgsl");

pub(crate) const BEHIND_WATER: Shader = shader!("behind_water":
    "shared/picture_corner.wgsl", "behind_water.wgsl");

/// For targets with one sample per pixel, then for those with several.
pub(crate) const OCCLUSION: [Shader; 2] = [
    shader!("occlusion":
        "shared/frame.wgsl", "shared/depth_single.wgsl", "shared/picture_place.wgsl",
        "shared/picture_corner.wgsl", "occlusion.wgsl"),
    shader!("occlusion, samples":
        "shared/frame.wgsl", "shared/depth_samples.wgsl", "shared/picture_place.wgsl",
        "shared/picture_corner.wgsl", "occlusion.wgsl"),
];

pub(crate) const OCCLUSION_BLUR: Shader = shader!("occlusion_blur":
    "shared/picture_corner.wgsl", "occlusion_blur.wgsl");

/// For targets with one sample per pixel, then for those with several.
pub(crate) const OCCLUSION_SHADE: [Shader; 2] = [
    shader!("occlusion_shade":
        "shared/frame.wgsl", "shared/environment.wgsl", "shared/depth_single.wgsl",
        "shared/picture_place.wgsl", "shared/picture_corner.wgsl", "occlusion_shade.wgsl"),
    shader!("occlusion_shade, samples":
        "shared/frame.wgsl", "shared/environment.wgsl", "shared/depth_samples.wgsl",
        "shared/picture_place.wgsl", "shared/picture_corner.wgsl", "occlusion_shade.wgsl"),
];

/// The same.
pub(crate) const BLOB_SHADOW: [Shader; 2] = [
    shader!("blob_shadow":
        "shared/frame.wgsl", "shared/environment.wgsl", "shared/depth_single.wgsl",
        "shared/picture_place.wgsl", "blob_shadow.wgsl"),
    shader!("blob_shadow, samples":
        "shared/frame.wgsl", "shared/environment.wgsl", "shared/depth_samples.wgsl",
        "shared/picture_place.wgsl", "blob_shadow.wgsl"),
];

pub(crate) const BLOOM_DOWN: Shader = shader!("bloom_down":
    "shared/picture_corner.wgsl", "bloom_down.wgsl");

pub(crate) const BLOOM_UP: Shader = shader!("bloom_up":
    "shared/picture_corner.wgsl", "bloom_up.wgsl");

pub(crate) const BLOOM_BRIGHT: Shader = shader!("bloom_bright":
    "shared/picture_corner.wgsl", "bloom_bright.wgsl");

pub(crate) const GRADE: Shader = shader!("grade":
    "shared/picture_corner.wgsl", "grade.wgsl");

/// Work on pictures that draws nothing.
pub(crate) const MEASURE_LIGHT: Shader = shader!("measure_light":
    "shared/light_curve.wgsl", "measure_light.wgsl");

/// The same.
pub(crate) const ADAPT_EXPOSURE: Shader = shader!("adapt_exposure":
    "shared/light_curve.wgsl", "adapt_exposure.wgsl");

pub(crate) const BESIDE: Shader = shader!("beside":
    "shared/picture_corner.wgsl", "beside.wgsl");

pub(crate) const ENLARGE: Shader = shader!("enlarge":
    "shared/picture_corner.wgsl", "enlarge.wgsl");

pub(crate) const PARTICLE: Shader = shader!("particle":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/light_curve.wgsl", "shared/linear_light.wgsl",
    "shared/tone.wgsl", "shared/depth_single.wgsl", "particle.wgsl");

pub(crate) const PARTICLE_MULTISAMPLED: Shader = shader!("particle, multisampled":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/light_curve.wgsl", "shared/linear_light.wgsl",
    "shared/tone.wgsl", "shared/depth_samples.wgsl", "particle.wgsl");

pub(crate) const TILE: Shader = shader!("tile":
    "shared/frame.wgsl", "shared/environment.wgsl", "shared/sun_shadow.wgsl", "shared/local_lights.wgsl",
    "shared/view_color.wgsl", "tile.wgsl");

pub(crate) const OVERLAY_FILL: Shader = shader!("overlay_fill":
    "shared/frame.wgsl", "shared/overlay_point.wgsl", "overlay_fill.wgsl");

pub(crate) const OVERLAY_LINE: Shader = shader!("overlay_line":
    "shared/frame.wgsl", "shared/overlay_point.wgsl", "overlay_line.wgsl");

#[cfg(test)]
mod uniform_branches;

#[cfg(test)]
mod tests {
    use std::mem::{offset_of, size_of};

    use naga::valid::{Capabilities, ValidationFlags, Validator};

    use super::*;
    use crate::lamp_maps::LampShadowsUniform;
    use crate::light_grid::{LightGridUniform, LocalLight};
    use crate::passes::exposure::{AdaptedExposure, ExposureUniform};
    use crate::passes::grade::GradeUniform;
    use crate::passes::painted_sky::{GpuFlareSpot, GpuSkyBody, GpuSkyPicture, PaintedSkyUniform};
    use crate::passes::tile::{GpuLand, TilePlace};
    use crate::sun_maps::SunShadowUniform;
    use crate::uniforms::{
        ActiveMorph, BakedUniform, CubeOfNode, EffectsUniform, EnvironmentUniform, FrameUniform,
        GpuDirectLight, MaterialUniform, MirrorsUniform, MorphedNode, NodeMatrix, SkyFaceUniform,
        StylesUniform,
    };

    pub(super) const ALL: [Shader; 41] = [
        SKY,
        PAINTED_SKY,
        LENS_FLARE,
        SKY_BOX,
        SURFACE,
        BAKED_SURFACE,
        MODEL,
        BAKED_MODEL,
        MORPHED_MODEL,
        BAKED_MORPHED_MODEL,
        EFFECT_SURFACE,
        EFFECT_MODEL,
        EFFECT_MORPHED_MODEL,
        WATER,
        BAKED_WATER,
        SEA,
        DEEP_WATER[0],
        DEEP_WATER[1],
        DEEP_SEA[0],
        DEEP_SEA[1],
        REFRACTING[0],
        REFRACTING[1],
        BEHIND_WATER,
        OCCLUSION[0],
        OCCLUSION[1],
        OCCLUSION_BLUR,
        OCCLUSION_SHADE[0],
        OCCLUSION_SHADE[1],
        BLOB_SHADOW[0],
        BLOB_SHADOW[1],
        BLOOM_DOWN,
        BLOOM_UP,
        BLOOM_BRIGHT,
        GRADE,
        BESIDE,
        ENLARGE,
        PARTICLE,
        PARTICLE_MULTISAMPLED,
        TILE,
        OVERLAY_FILL,
        OVERLAY_LINE,
    ];

    pub(super) fn parse(shader: &Shader) -> naga::Module {
        naga::front::wgsl::parse_str(shader.source)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(shader.source)))
    }

    #[test]
    fn all_shaders_are_valid() {
        for shader in ALL {
            let module = parse(&shader);
            // Half floats in storage, not in arithmetic: all devices have them.
            let capabilities = Capabilities::SHADER_FLOAT16_IN_FLOAT32;
            Validator::new(ValidationFlags::all(), capabilities)
                .validate(&module)
                .unwrap_or_else(|error| panic!("{}", error.emit_to_string(shader.source)));
            let entry_points: Vec<_> = module
                .entry_points
                .iter()
                .map(|point| point.name.as_str())
                .collect();
            let shown = ["vs_main", "fs_main"];
            assert!(
                shown.iter().all(|it| entry_points.contains(it)),
                "{}",
                shader.name
            );
            let n_others = entry_points.len() - shown.len();
            // Depths alone, and what surfaces are made of.
            let others = ["vs_depth", "vs_cutout", "fs_cutout", "fs_view"];
            let n_known = entry_points.iter().filter(|it| others.contains(it)).count();
            assert_eq!(n_others, n_known, "{}: {entry_points:?}", shader.name);
        }
    }

    #[test]
    fn what_only_computes_is_valid() {
        for shader in [MEASURE_LIGHT, ADAPT_EXPOSURE] {
            let module = parse(&shader);
            Validator::new(ValidationFlags::all(), Capabilities::empty())
                .validate(&module)
                .unwrap_or_else(|error| panic!("{}", error.emit_to_string(shader.source)));
            let points: Vec<_> = module.entry_points.iter().map(|it| &*it.name).collect();
            assert_eq!(points, ["cs_main"], "{}", shader.name);
        }
    }

    #[test]
    fn surfaces_can_be_shown_by_what_they_are_made_of() {
        let surfaces = ALL.iter().filter(|shader| {
            let module = parse(shader);
            module.entry_points.iter().any(|it| it.name == "fs_view")
        });
        let names: Vec<_> = surfaces.map(|shader| shader.name).collect();
        assert_eq!(names.len(), 10, "{names:?}");
    }

    /// Every member of the WGSL struct stands at the offset of the Rust field of the same name, and the
    /// structs are equally long.
    fn assert_same_layout<T>(shader: &Shader, struct_name: &str, fields: &[(&str, usize)]) {
        let module = parse(shader);
        let (_, twin) = module
            .types
            .iter()
            .find(|(_, ty)| ty.name.as_deref() == Some(struct_name))
            .unwrap_or_else(|| panic!("{}: no struct {struct_name}", shader.name));
        let naga::TypeInner::Struct { members, span } = &twin.inner else {
            panic!("{struct_name} is no struct");
        };
        let members: Vec<_> = members
            .iter()
            .map(|member| (member.name.as_deref().unwrap_or(""), member.offset as usize))
            .collect();
        assert_eq!(members, fields, "{struct_name}");
        assert_eq!(*span as usize, size_of::<T>(), "size of {struct_name}");
    }

    macro_rules! offsets {
        ($twin:ty: $($field:ident),+ $(,)?) => {
            &[$((stringify!($field), offset_of!($twin, $field))),+]
        };
    }

    #[test]
    fn exposure_and_grade_have_one_layout_each() {
        assert_same_layout::<ExposureUniform>(
            &ADAPT_EXPOSURE,
            "AutoExposure",
            offsets!(ExposureUniform: least, most, bright_share, bright_target, min_mean, rise, fall, bias),
        );
        assert_same_layout::<AdaptedExposure>(
            &ADAPT_EXPOSURE,
            "Adapted",
            offsets!(AdaptedExposure: exposure, shown),
        );
        assert_same_layout::<GradeUniform>(
            &GRADE,
            "Grade",
            offsets!(GradeUniform: weight, side, unused),
        );
    }

    #[test]
    fn frame_has_one_layout() {
        assert_same_layout::<FrameUniform>(
            &SKY,
            "Frame",
            offsets!(FrameUniform: clip_from_eye, camera_in_world, time_secs, ray_forward, fog_scale,
                ray_right, fog_offset, ray_up, flags, viewport_px, wave_secs, exposure,
                fog_full_below, fog_thinning, occlusion_radius, cut_off),
        );
    }

    #[test]
    fn environment_has_one_layout() {
        assert_same_layout::<EnvironmentUniform>(
            &SKY,
            "Environment",
            offsets!(EnvironmentUniform: direction_to_sun, water_level, sun_color, sea_uv_per_unit,
                ambient, sea_extent, fog_color, shore_width, sky_zenith, fog_density, sky_horizon, sky_nadir,
                sun_disc, sun_color_linear, ambient_linear, level_min, level_max, sky_glow, stars, cloud_light, cloud_shade,
                cloud_layers, cloud_drift, sea_bed_color, sea_bed_depth, counter_color),
        );
    }

    #[test]
    fn material_has_one_layout() {
        assert_same_layout::<MaterialUniform>(
            &SURFACE,
            "Material",
            offsets!(MaterialUniform: diffuse, uv_cell, ambient, alpha_reference, emissive, ripples_per_sec,
                reflectance, uv_scroll_per_sec, liquid_color, clarity, waves, ripples, sheet),
        );
    }

    #[test]
    fn baked_has_one_layout() {
        assert_same_layout::<BakedUniform>(
            &BAKED_SURFACE,
            "Baked",
            offsets!(BakedUniform: styles, is_linear, fade_channel, edge),
        );
        assert_same_layout::<StylesUniform>(
            &BAKED_SURFACE,
            "Styles",
            offsets!(StylesUniform: factors),
        );
    }

    #[test]
    fn effects_have_one_layout() {
        for shader in [EFFECT_SURFACE, EFFECT_MODEL, EFFECT_MORPHED_MODEL] {
            assert_same_layout::<EffectsUniform>(
                &shader,
                "Effects",
                offsets!(EffectsUniform: normal_uv, blend_uv, mask_uv, detail_uv, environment_tint, contrast,
                    fresnel, saturation, highlight_tint, exponent, glow_tint, head_on, detail_tint, detail_factor,
                    rim_exponent, rim_boost, world_scale),
            );
        }
    }

    #[test]
    fn mirrors_have_one_layout() {
        for shader in DEEP_WATER {
            let fields = offsets!(MirrorsUniform: heights);
            assert_same_layout::<MirrorsUniform>(&shader, "Mirrors", fields);
        }
    }

    #[test]
    fn painted_sky_has_one_layout() {
        for shader in [PAINTED_SKY, LENS_FLARE] {
            assert_same_layout::<PaintedSkyUniform>(
                &shader,
                "PaintedSky",
                offsets!(PaintedSkyUniform: apex, rings, cloud_color, span_rad, ambient, center_below,
                    body_half_size, n_bodies, flare, direction_to_flare, n_spots, backdrop_share, cloud_share,
                    padding_0, padding_1, backdrop, clouds, bodies, spots),
            );
            let picture = offsets!(GpuSkyPicture: repeats, sinks, fog_scale, fog_offset);
            assert_same_layout::<GpuSkyPicture>(&shader, "SkyPicture", picture);
            let body = offsets!(GpuSkyBody: direction, layer, corners);
            assert_same_layout::<GpuSkyBody>(&shader, "SkyBody", body);
            let spot = offsets!(GpuFlareSpot: color, corners, place, half_size, layer, padding);
            assert_same_layout::<GpuFlareSpot>(&shader, "FlareSpot", spot);
        }
    }

    #[test]
    fn sky_box_has_one_layout() {
        assert_same_layout::<SkyFaceUniform>(
            &SKY_BOX,
            "SkyFace",
            offsets!(SkyFaceUniform: ahead, flags, right, down, color, uv_scale),
        );
    }

    #[test]
    fn ambient_cubes_have_one_layout() {
        assert_same_layout::<CubeOfNode>(
            &BAKED_MODEL,
            "AmbientCube",
            offsets!(CubeOfNode: sides, direct),
        );
        assert_same_layout::<GpuDirectLight>(
            &BAKED_MODEL,
            "DirectLight",
            offsets!(GpuDirectLight: direction_to_light, style, color),
        );
    }

    #[test]
    fn node_matrices_have_one_layout() {
        assert_same_layout::<NodeMatrix>(
            &MODEL,
            "NodeMatrix",
            offsets!(NodeMatrix: row_x, row_y, row_z),
        );
    }

    #[test]
    fn land_has_one_layout() {
        assert_same_layout::<GpuLand>(
            &TILE,
            "Land",
            offsets!(GpuLand: ramp, property_colors, n_ramp, n_property_colors, color_by, flags, z_unit, hidden_above, layer),
        );
        assert_same_layout::<TilePlace>(
            &TILE,
            "TilePlace",
            offsets!(TilePlace: corner_in_eye, step),
        );
    }

    #[test]
    fn morphs_have_one_layout() {
        assert_same_layout::<MorphedNode>(
            &MORPHED_MODEL,
            "MorphedNode",
            offsets!(MorphedNode: node, first_morph, n_morphs, first_joint, first_skin),
        );
        assert_same_layout::<ActiveMorph>(
            &MORPHED_MODEL,
            "ActiveMorph",
            offsets!(ActiveMorph: first_vertex, n_vertices, first_offset, weight),
        );
    }

    #[test]
    fn added_light_has_one_layout() {
        assert_same_layout::<SunShadowUniform>(
            &SURFACE,
            "SunShadow",
            offsets!(SunShadowUniform: right, depth_scale, up, depth_offset, toward, fade_start, maps, fade_end),
        );
        assert_same_layout::<LampShadowsUniform>(
            &SURFACE,
            "LampShadows",
            offsets!(LampShadowsUniform: lights, strengths, near),
        );
        assert_same_layout::<LightGridUniform>(
            &SURFACE,
            "LightGrid",
            offsets!(LightGridUniform: cells_per_px, slice_scale, slice_offset, n_cells, n_lights),
        );
        assert_same_layout::<LocalLight>(
            &SURFACE,
            "LocalLight",
            offsets!(LocalLight: position_in_eye, range, color, is_baked, color_linear, cos_outer, direction,
                cone_scale),
        );
    }
}
