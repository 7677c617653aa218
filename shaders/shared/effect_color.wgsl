// Surfaces with reflections, highlights, normals or detail beyond what lightmaps and blend textures give them. Linear
// light until it is shown. Group 2 continues; twin of `uniforms::EffectsUniform`.
//
// Goes with `baked_layers.wgsl`, and with one of `scene_ambient.wgsl` and `ambient_cube.wgsl`.

struct Effects {
    // Rows of transforms of texture coordinates, for u, then for v; the last of each is how far it moves a second.
    normal_uv: array<vec4<f32>, 2>,
    blend_uv: array<vec4<f32>, 2>,
    mask_uv: array<vec4<f32>, 2>,
    detail_uv: array<vec4<f32>, 2>,
    environment_tint: vec3<f32>,
    contrast: f32,
    // Factor seen head-on, halfway, and along the surface.
    fresnel: vec3<f32>,
    saturation: f32,
    highlight_tint: vec3<f32>,
    exponent: f32,
    glow_tint: vec3<f32>,
    head_on: f32,
    detail_tint: vec3<f32>,
    detail_factor: f32,
    rim_exponent: f32,
    rim_boost: f32,
    // Repeats of the texture per world unit.
    world_scale: f32,
}

// What a pipeline is made for, as `passes::pipeline_key` has it.
override EFFECTS: u32 = 0u;
// The number of a mode of `scene::DetailMode`, or none.
override DETAIL_MODE: u32 = 255u;

const EFFECT_NORMALS: u32 = 1u;
const EFFECT_SECOND_NORMALS: u32 = 2u;
const EFFECT_ENVIRONMENT: u32 = 4u;
const EFFECT_LINEAR_ENVIRONMENT: u32 = 8u;
const EFFECT_MASK_TEXTURE: u32 = 16u;
const EFFECT_MASK_NORMAL_ALPHA: u32 = 32u;
const EFFECT_MASK_INVERSE_BASE_ALPHA: u32 = 64u;
const EFFECT_HIGHLIGHT: u32 = 128u;
const EFFECT_HIGHLIGHT_MAP: u32 = 256u;
const EFFECT_HIGHLIGHT_NORMAL_ALPHA: u32 = 512u;
const EFFECT_HIGHLIGHT_BASE_ALPHA: u32 = 1024u;
const EFFECT_HIGHLIGHT_OF_TEXTURE: u32 = 2048u;
const EFFECT_RIM: u32 = 4096u;
const EFFECT_RIM_MASK: u32 = 8192u;
const EFFECT_HALF_LAMBERT: u32 = 16384u;
const EFFECT_LIGHT_WARP: u32 = 32768u;
const EFFECT_GLOW: u32 = 65536u;
const EFFECT_GLOW_MASK: u32 = 131072u;
const EFFECT_WORLD_SCALE: u32 = 262144u;

const DETAIL_MOD2X: u32 = 0u;
const DETAIL_ADDITIVE: u32 = 1u;
const DETAIL_OVER: u32 = 2u;
const DETAIL_CROSSFADE: u32 = 3u;
const DETAIL_BASE_OVER: u32 = 4u;
const DETAIL_UNLIT_ADDITIVE: u32 = 5u;
const DETAIL_THRESHOLD_ADDITIVE: u32 = 6u;
const DETAIL_TWO_PATTERN: u32 = 7u;
const DETAIL_MULTIPLY: u32 = 8u;
const DETAIL_MASK_BASE: u32 = 9u;
const DETAIL_SELF_SHADOWED: u32 = 10u;
const DETAIL_SHADES_LIGHT: u32 = 11u;
const DETAIL_NONE: u32 = 255u;

// How bright colors are, as monitors of old weigh them.
const GRAY_WEIGHTS = vec3<f32>(0.299, 0.587, 0.114);
// Exponents of a highlight map's red from 0 to 1.
const MAP_EXPONENT_RANGE: f32 = 149.0;

@group(2) @binding(11) var<uniform> effects: Effects;
@group(2) @binding(12) var environment_texture: texture_cube<f32>;
@group(2) @binding(13) var clamp_sampler: sampler;
@group(2) @binding(14) var mask_texture: texture_2d<f32>;
@group(2) @binding(15) var highlight_texture: texture_2d<f32>;
@group(2) @binding(16) var warp_texture: texture_2d<f32>;
@group(2) @binding(17) var glow_texture: texture_2d<f32>;
@group(2) @binding(18) var second_normal_texture: texture_2d<f32>;

// Where a surface is looked at, and how it lies there.
struct Facing {
    normal: vec3<f32>,
    // Unit vector to the eye, and its cosine to the normal.
    to_eye: vec3<f32>,
    cosine: f32,
}

fn lit_color(point: SurfacePoint) -> vec4<f32> {
    let uv = unscrolled(point.uv);
    let normal_texel = sampled_normal(point, uv);
    let facing = facing_of(point, uv, normal_texel.rgb);
    let detail = sampled_detail(uv);
    let first = sampled_first(point, uv);
    let texel = with_detail(first, detail);
    let light = arriving(point, facing, normal_texel.rgb, detail);
    let alpha = material.diffuse.a * alpha_of_pass(point, first.rgb, texel.a);
    var added = reflection(point, facing, uv, normal_texel.a, first.a);
    if is_effect(EFFECT_HIGHLIGHT) {
        added += highlight(point, facing, uv, normal_texel.a, first);
    }
    var glow_color = vec3(0.0);
    if is_effect(EFFECT_GLOW) {
        glow_color = vec3(first.a);
        if is_effect(EFFECT_GLOW_MASK) {
            glow_color = textureSample(glow_texture, material_sampler, uv).rgb;
        }
    }
    if is_left_out(alpha, point.uv.x) {
        discard;
    }
    var color = texel.rgb * light;
    if is_effect(EFFECT_GLOW) {
        color = mix(color, texel.rgb * effects.glow_tint, glow_color);
    }
    color += added + unlit_detail(detail);
    if LIGHTING == LIGHTING_UNLIT {
        return vec4(display_from_linear(clamp(color, vec3(0.0), vec3(1.0))), alpha);
    }
    return vec4(toned(color), alpha);
}

fn is_effect(flag: u32) -> bool {
    return (EFFECTS & flag) != 0u;
}

// Coordinates as the mesh has them: back from those of `cell_uv`.
fn unscrolled(uv: vec2<f32>) -> vec2<f32> {
    let still = uv - fract(material.uv_scroll_per_sec * frame.time_secs);
    return (still - material.uv_cell.xy) / material.uv_cell.zw;
}

fn transformed(rows: array<vec4<f32>, 2>, uv: vec2<f32>) -> vec2<f32> {
    let place = vec3(uv, 1.0);
    let moved = fract(vec2(rows[0].w, rows[1].w) * frame.time_secs);
    return vec2(dot(rows[0].xyz, place), dot(rows[1].xyz, place)) + moved;
}

// A texel of the normal map, faded to the second one; flat without one.
fn sampled_normal(point: SurfacePoint, uv: vec2<f32>) -> vec4<f32> {
    if !is_effect(EFFECT_NORMALS) {
        return vec4(0.5, 0.5, 1.0, 1.0);
    }
    let first = textureSample(normal_texture, material_sampler, transformed(effects.normal_uv, uv));
    if !is_effect(EFFECT_SECOND_NORMALS) {
        return first;
    }
    let second = textureSample(second_normal_texture, material_sampler, transformed(effects.blend_uv, uv));
    return mix(first, second, blend_weight(point));
}

fn facing_of(point: SurfacePoint, uv: vec2<f32>, normal_texel: vec3<f32>) -> Facing {
    var facing: Facing;
    facing.normal = point.normal / max(length(point.normal), 1e-6);
    if is_effect(EFFECT_NORMALS) {
        let frame_of_texture = texture_frame(point.position_in_eye, uv, facing.normal);
        var bent = normal_texel * 2.0 - 1.0;
        if is_baked(BAKED_SELF_SHADOWED) {
            bent = LIGHT_DIRECTIONS * normal_texel;
        }
        let turned = frame_of_texture * bent;
        facing.normal = turned / max(length(turned), 1e-6);
    }
    facing.to_eye = -point.position_in_eye / max(length(point.position_in_eye), 1e-6);
    facing.cosine = dot(facing.normal, facing.to_eye);
    return facing;
}

// The first texture, or what it has faded to; linear light.
fn sampled_first(point: SurfacePoint, uv: vec2<f32>) -> vec4<f32> {
    let second_uv = transformed(effects.blend_uv, uv);
    if !is_effect(EFFECT_WORLD_SCALE) {
        return blended_texel(point, second_uv);
    }
    let place = (point.position_in_eye + frame.camera_in_world) * effects.world_scale;
    let weights = point.normal * point.normal;
    let sides = weights / max(weights.x + weights.y + weights.z, 1e-6);
    let from_sides = sides.x * textureSample(material_texture, material_sampler, place.yz)
        + sides.y * textureSample(material_texture, material_sampler, place.zx)
        + sides.z * textureSample(material_texture, material_sampler, place.xy);
    return blended_with(from_sides, point, second_uv);
}

// The detail layer with its tint; colors are linear light, factors as they are stored.
fn sampled_detail(uv: vec2<f32>) -> vec4<f32> {
    if DETAIL_MODE == DETAIL_NONE {
        return vec4(0.0);
    }
    let texel = textureSample(detail_texture, detail_sampler, transformed(effects.detail_uv, uv));
    let is_factor = DETAIL_MODE == DETAIL_MOD2X || DETAIL_MODE == DETAIL_TWO_PATTERN
        || DETAIL_MODE == DETAIL_SELF_SHADOWED || DETAIL_MODE == DETAIL_SHADES_LIGHT;
    if is_factor {
        return vec4(texel.rgb * effects.detail_tint, texel.a);
    }
    return vec4(linear_from_display(texel.rgb) * effects.detail_tint, texel.a);
}

fn with_detail(first: vec4<f32>, detail: vec4<f32>) -> vec4<f32> {
    if DETAIL_MODE == DETAIL_NONE {
        return first;
    }
    let factor = select(0.0, effects.detail_factor, has_flag(FLAG_DETAIL));
    switch DETAIL_MODE {
        case DETAIL_MOD2X: {
            return vec4(first.rgb * mix(vec3(1.0), 2.0 * detail.rgb, factor), first.a);
        }
        case DETAIL_ADDITIVE: {
            return vec4(first.rgb + factor * detail.rgb, first.a);
        }
        case DETAIL_OVER: {
            return vec4(mix(first.rgb, detail.rgb, factor * detail.a), first.a);
        }
        case DETAIL_CROSSFADE: {
            return mix(first, detail, factor);
        }
        case DETAIL_BASE_OVER: {
            return vec4(mix(first.rgb, detail.rgb, factor * (1.0 - first.a)), detail.a);
        }
        case DETAIL_TWO_PATTERN: {
            let pattern = mix(detail.r, detail.a, first.a);
            return vec4(first.rgb * mix(1.0, 2.0 * pattern, factor), first.a);
        }
        case DETAIL_MULTIPLY: {
            return mix(first, first * detail, factor);
        }
        case DETAIL_MASK_BASE: {
            return vec4(first.rgb, mix(first.a, first.a * detail.a, factor));
        }
        default: {
            return first;
        }
    }
}

// What a detail layer adds whatever light there is.
fn unlit_detail(detail: vec4<f32>) -> vec3<f32> {
    let factor = select(0.0, effects.detail_factor, has_flag(FLAG_DETAIL));
    if DETAIL_MODE == DETAIL_UNLIT_ADDITIVE {
        return factor * detail.rgb;
    }
    if DETAIL_MODE == DETAIL_THRESHOLD_ADDITIVE {
        // Below one half what is bright fades in, above it what is left.
        let is_low = factor < 0.5;
        let slope = select(1.0 / factor, 4.0 * factor, is_low);
        let offset = select(1.0 - slope, -0.5 * slope, is_low);
        return select(vec3(0.0), saturate(slope * detail.rgb + offset), factor > 0.0);
    }
    return vec3(0.0);
}

// Light that multiplies the texture, with the pass's own colors.
fn arriving(point: SurfacePoint, facing: Facing, normal_texel: vec3<f32>, detail: vec4<f32>) -> vec3<f32> {
    if LIGHTING == LIGHTING_UNLIT {
        return linear_from_display(material.diffuse.rgb);
    }
    var light: vec3<f32>;
    if LIGHTING == LIGHTING_LIGHTMAP {
        var shares = vec3(0.0);
        if is_baked(BAKED_NORMAL_MAP) {
            shares = shares_of_directions(normal_texel);
            if DETAIL_MODE == DETAIL_SELF_SHADOWED {
                shares *= 2.0 * detail.rgb;
            }
        }
        light = lightmap_color(point, shares);
    } else {
        light = light_from_around(point, facing.normal) + point.color.rgb;
        for (var i = 0u; i < N_DIRECT_LIGHTS; i++) {
            let ray = arriving_light(cube_of(point), i);
            light += ray.color * diffuse_share(dot(facing.normal, ray.direction_to_light));
        }
    }
    if DETAIL_MODE == DETAIL_SHADES_LIGHT {
        light *= dot(detail.rgb, vec3(2.0 / 3.0));
    }
    light += local_light(
        point.position_in_eye,
        point.position_in_clip.xy,
        facing.normal,
        LIGHTING == LIGHTING_LIGHTMAP,
    );
    light = select(vec3(1.0), light, has_flag(FLAG_STORED_LIGHT));
    return light * material.diffuse.rgb + material.emissive;
}

// How much of a light counts that falls at an angle of this cosine.
fn diffuse_share(cosine: f32) -> vec3<f32> {
    var share = saturate(cosine);
    if is_effect(EFFECT_HALF_LAMBERT) {
        share = saturate(cosine * 0.5 + 0.5);
    }
    if is_effect(EFFECT_LIGHT_WARP) {
        return 2.0 * textureSampleLevel(warp_texture, clamp_sampler, vec2(share, 0.5), 0.0).rgb;
    }
    if is_effect(EFFECT_HALF_LAMBERT) {
        share *= share;
    }
    return vec3(share);
}

// Surroundings that the surface reflects.
fn reflection(
    point: SurfacePoint,
    facing: Facing,
    uv: vec2<f32>,
    normal_alpha: f32,
    base_alpha: f32,
) -> vec3<f32> {
    if !is_effect(EFFECT_ENVIRONMENT) {
        return vec3(0.0);
    }
    let direction = reflect(-facing.to_eye, facing.normal);
    var seen = textureSample(environment_texture, clamp_sampler, direction).rgb;
    if !is_effect(EFFECT_LINEAR_ENVIRONMENT) {
        seen = linear_from_display(seen);
    }
    var mask = vec3(1.0);
    if is_effect(EFFECT_MASK_TEXTURE) {
        mask = textureSample(mask_texture, material_sampler, transformed(effects.mask_uv, uv)).rgb;
    } else if is_effect(EFFECT_MASK_NORMAL_ALPHA) {
        mask = vec3(normal_alpha);
    } else if is_effect(EFFECT_MASK_INVERSE_BASE_ALPHA) {
        mask = vec3(1.0 - base_alpha);
    }
    seen = mix(seen, seen * seen, effects.contrast);
    seen = mix(vec3(dot(seen, GRAY_WEIGHTS)), seen, effects.saturation);
    let away = pow(saturate(1.0 - facing.cosine), 5.0);
    return seen * mask * effects.environment_tint * mix(effects.head_on, 1.0, away);
}

// Highlights of the lights that fall on a model from single directions, and light along its outline.
fn highlight(point: SurfacePoint, facing: Facing, uv: vec2<f32>, normal_alpha: f32, first: vec4<f32>) -> vec3<f32> {
    var exponent = effects.exponent;
    var tint = effects.highlight_tint;
    var rim_mask = 1.0;
    if is_effect(EFFECT_HIGHLIGHT_MAP) {
        let map = textureSample(highlight_texture, material_sampler, uv);
        exponent = 1.0 + MAP_EXPONENT_RANGE * map.r;
        rim_mask = select(1.0, map.a, is_effect(EFFECT_RIM_MASK));
        if is_effect(EFFECT_HIGHLIGHT_OF_TEXTURE) {
            tint *= mix(vec3(1.0), first.rgb, map.g);
        }
    }
    var mask = 1.0;
    if is_effect(EFFECT_HIGHLIGHT_NORMAL_ALPHA) {
        mask = normal_alpha;
    } else if is_effect(EFFECT_HIGHLIGHT_BASE_ALPHA) {
        mask = first.a;
    }
    let away = saturate(1.0 - facing.cosine);
    let turned = away * away;
    let near_end = mix(effects.fresnel.x, effects.fresnel.y, 2.0 * turned);
    let far_end = mix(effects.fresnel.y, effects.fresnel.z, 2.0 * turned - 1.0);
    let factor = mask * select(near_end, far_end, turned > 0.5);
    let outline = turned * turned * rim_mask;
    let mirrored = reflect(-facing.to_eye, facing.normal);
    var sum = vec3(0.0);
    for (var i = 0u; i < N_DIRECT_LIGHTS; i++) {
        let ray = arriving_light(cube_of(point), i);
        let toward = saturate(dot(mirrored, ray.direction_to_light));
        let light = ray.color * saturate(dot(facing.normal, ray.direction_to_light));
        // What lies exactly opposite has no highlight, whatever the power of nothing is.
        let narrow = select(0.0, pow(toward, exponent), toward > 0.0);
        var shine = light * narrow * tint * factor;
        if is_effect(EFFECT_RIM) {
            let wide = select(0.0, pow(toward, effects.rim_exponent), toward > 0.0);
            shine = max(shine, light * wide * outline);
        }
        sum += shine;
    }
    if is_effect(EFFECT_RIM) {
        let around = light_from_around(point, facing.to_eye);
        sum += around * effects.rim_boost * outline * saturate(facing.normal.z);
    }
    return select(vec3(0.0), sum, has_flag(FLAG_STORED_LIGHT));
}
