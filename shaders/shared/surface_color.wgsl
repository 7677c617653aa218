// Group 2: one material pass, and the fixed-function light and fog that all surfaces share. Colors in and
// out are display space; only lighting in linear light decodes and encodes. Twin of
// `uniforms::MaterialUniform`.
//
// Goes with one of `fixed_color.wgsl` and `baked_color.wgsl`, which say what vertices bring along and what color
// they make of it.

// Colors are linear light where LIGHTING is.
struct Material {
    diffuse: vec4<f32>,
    // The part of the texture that is shown: its smallest u and v, its width and height.
    uv_cell: vec4<f32>,
    ambient: vec3<f32>,
    // Fragments below this alpha are dropped, if ALPHA_TEST.
    alpha_reference: f32,
    emissive: vec3<f32>,
    // Of a mirror in the style of its world: repeats a second, repeats along a side and how far ripples reach, and the
    // smallest and largest x and y; nothing where the liquid is none.
    ripples_per_sec: f32,
    reflectance: vec3<f32>,
    uv_scroll_per_sec: vec2<f32>,
    liquid_color: vec3<f32>,
    clarity: f32,
    // Steepness of waves, and units of waves in a world unit; the bend of what bends what is behind it.
    waves: vec2<f32>,
    ripples: vec2<f32>,
    sheet: vec4<f32>,
}

@group(2) @binding(0) var<uniform> material: Material;
@group(2) @binding(1) var material_texture: texture_2d<f32>;
@group(2) @binding(2) var material_sampler: sampler;

// The state that a pipeline is made for; the numbers are those of `passes::pipeline_key`.
override LIGHTING: u32 = 1u;
override FADE: u32 = 0u;
override ALPHA_TEST: bool = false;
// Edges of holes cover pixels in part, as alpha says.
override COVERAGE: bool = false;
override PART: u32 = 0u;
override UV_SET: u32 = 0u;
override MIRRORS: bool = false;

const LIGHTING_UNLIT: u32 = 0u;
const LIGHTING_DISPLAY: u32 = 1u;
const LIGHTING_LINEAR: u32 = 2u;
const LIGHTING_LIGHTMAP: u32 = 3u;
const LIGHTING_AMBIENT: u32 = 4u;
const LIGHTING_DISPLAY_FLOOR: u32 = 5u;

const PART_CORE: u32 = 1u;
const PART_EDGES: u32 = 2u;

// Alphas from here on lie within soft edges.
const CORE_ALPHA: f32 = 0.9;

// Share of light above 1 that brightens a surface beyond its texture.
const OVERBRIGHT: f32 = 0.8;

const FADE_TO_FOG: u32 = 0u;
const FADE_TO_BLACK: u32 = 1u;
const FADE_TO_GRAY: u32 = 2u;
const FADE_TO_WHITE: u32 = 3u;
const FADE_PREMULTIPLIED: u32 = 4u;

// Texture coordinates of the material's texture at a time.
fn cell_uv(uv: vec2<f32>) -> vec2<f32> {
    return uv * material.uv_cell.zw + material.uv_cell.xy + fract(material.uv_scroll_per_sec * frame.time_secs);
}

// Whether nothing of the surface is drawn where it has this alpha.
fn is_left_out(alpha: f32, u: f32) -> bool {
    if !ALPHA_TEST || COVERAGE {
        return false;
    }
    var is_out = alpha < material.alpha_reference;
    if PART == PART_CORE {
        is_out = alpha < CORE_ALPHA;
    } else if PART == PART_EDGES {
        is_out = is_out | (alpha >= CORE_ALPHA);
    }
    return per_pixel(is_out, u);
}

// The pass's own color and alpha, where the sun lights it or nothing does: a display-space texel times light.
fn sun_lit(texel: vec4<f32>, point: SurfacePoint) -> vec4<f32> {
    let alpha = texel.a * material.diffuse.a;
    if is_left_out(alpha, point.uv.x) {
        discard;
    }
    if LIGHTING == LIGHTING_UNLIT {
        let color = texel.rgb * material.diffuse.rgb;
        // What multiplies the picture is no color of its own.
        let multiplies = FADE == FADE_TO_GRAY || FADE == FADE_TO_WHITE;
        return vec4(select(exposed(color, point.position_in_eye.x), color, multiplies), alpha);
    }
    let normal = point.normal / max(length(point.normal), 1e-6);
    let cosine = max(dot(normal, environment.direction_to_sun), 0.0);
    let n_dot_l = cosine * sun_share(point.position_in_eye, normal, cosine);
    let lamps = local_light(point.position_in_eye, point.position_in_clip.xy, normal, false);
    if LIGHTING == LIGHTING_LINEAR {
        let light = environment.ambient_linear * material.ambient
            + environment.sun_color_linear * material.diffuse.rgb * n_dot_l
            + lamps * material.diffuse.rgb
            + material.emissive;
        let color_linear = linear_from_display(texel.rgb) * min(light, vec3(1.0));
        return vec4(display_from_linear(color_linear), alpha);
    }
    let ambient = environment.ambient * material.ambient;
    let counter = environment.counter_color * max(-dot(normal, environment.direction_to_sun), 0.0);
    let own = (environment.sun_color * n_dot_l + counter) * material.diffuse.rgb
        + lamps * material.diffuse.rgb
        + material.emissive;
    if LIGHTING == LIGHTING_DISPLAY_FLOOR {
        let floored = max(own, ambient);
        let color = texel.rgb * min(floored, vec3(1.0)) + OVERBRIGHT * max(floored - 1.0, vec3(0.0));
        return vec4(min(color, vec3(1.0)), alpha);
    }
    return vec4(texel.rgb * min(ambient + own, vec3(1.0)), alpha);
}

// The same color with its alpha as the part of the pixel that it covers, if that counts: half of it at the edge of a hole,
// all of it a pixel further on.
fn with_coverage(color: vec4<f32>) -> vec4<f32> {
    if !COVERAGE {
        return color;
    }
    let inside = (color.a - material.alpha_reference) / max(fwidth(color.a), 1e-3);
    return vec4(color.rgb, saturate(inside + 0.5));
}

// The color as fog leaves it: what fades must, once blended, leave the fogged picture behind it unchanged.
fn fogged(color: vec4<f32>, position_in_eye: vec3<f32>) -> vec4<f32> {
    if FOG == FOG_NONE {
        return color;
    }
    let amount = fog_amount(position_in_eye);
    var faded = exposed(fog_color(position_in_eye), position_in_eye.x);
    if FADE == FADE_TO_BLACK {
        faded = vec3(0.0);
    } else if FADE == FADE_TO_GRAY {
        faded = vec3(0.5);
    } else if FADE == FADE_TO_WHITE {
        faded = vec3(1.0);
    } else if FADE == FADE_PREMULTIPLIED {
        faded *= color.a;
    }
    return vec4(mix(color.rgb, faded, amount), color.a);
}
