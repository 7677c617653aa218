// What makes water of a surface: small waves, a mirrored sky and the sun's glint. Display space.
//
// Waves depend on nothing but place and time, so faces of the level and the sea beyond join without a seam.

// Waves: 2 pi / wavelength (world units) along the direction of travel, steepness, and radians per second:
// whole tenths, so that all waves repeat together (`uniforms::WAVE_PERIOD_SECS`).
const N_WAVES: u32 = 7u;
const WAVE_VECTORS = array(
    vec2<f32>(0.21, 0.08), vec2<f32>(-0.16, 0.33), vec2<f32>(0.55, -0.37), vec2<f32>(0.41, 0.83),
    vec2<f32>(-1.35, 0.62), vec2<f32>(0.40, 2.30), vec2<f32>(-2.90, -1.70),
);
const WAVE_STEEPNESS = array(0.014, 0.018, 0.026, 0.032, 0.036, 0.032, 0.028);
const WAVE_SPEEDS = array(0.7, 0.9, 1.2, 1.5, 1.9, 2.6, 3.3);

// Mirrored light of water looked straight at; the rest follows Schlick.
const REFLECTANCE: f32 = 0.02;
// No water is a perfect mirror to a low view: waves too small to draw turn part of it to the eye.
const LOWEST_COSINE: f32 = 0.06;
const GLINT_SHARPNESS: f32 = 110.0;

// `color` is the pass's own lit color; `opacity_floor` is 1 where water must hide what is below.
fn water_color(color: vec4<f32>, position_in_eye: vec3<f32>, opacity_floor: f32) -> vec4<f32> {
    let alpha = max(color.a, opacity_floor);
    if !MIRRORS || !has_flag(FLAG_WATER_REFLECTION) {
        return vec4(color.rgb, alpha);
    }
    let position = position_in_eye.xy + frame.camera_in_world.xy;
    let to_eye = -position_in_eye / max(length(position_in_eye), 1e-6);
    // Seen from below, the same waves hang from the ceiling.
    let side = select(-1.0, 1.0, to_eye.z >= 0.0);
    let normal = wave_normal(position) * side;
    let cosine = clamp(dot(normal, to_eye), LOWEST_COSINE, 1.0);
    let mirrored_part = REFLECTANCE + (1.0 - REFLECTANCE) * pow(1.0 - cosine, 5.0);
    var mirrored_direction = reflect(-to_eye, normal);
    mirrored_direction.z = abs(mirrored_direction.z);
    mirrored_direction = normalize(mirrored_direction);
    let toward_sun = max(dot(mirrored_direction, environment.direction_to_sun), 0.0);
    let glint = environment.sun_disc * pow(toward_sun, GLINT_SHARPNESS);
    let mirrored = sky_gradient(mirrored_direction) + sun_halo(mirrored_direction);

    // The mirror lies over the colored water, which lies over what is below.
    let alpha_out = 1.0 - (1.0 - mirrored_part) * (1.0 - alpha);
    let premultiplied = mirrored * mirrored_part + color.rgb * alpha * (1.0 - mirrored_part);
    return vec4(min(premultiplied / max(alpha_out, 1e-4) + glint, vec3(1.0)), alpha_out);
}

fn wave_normal(position: vec2<f32>) -> vec3<f32> {
    var vectors = WAVE_VECTORS;
    var steepness = WAVE_STEEPNESS;
    var speeds = WAVE_SPEEDS;
    var slope = vec2(0.0);
    for (var i = 0u; i < N_WAVES; i++) {
        let phase = dot(vectors[i], position) + speeds[i] * frame.wave_secs;
        // A wave that is smaller than a pixel is left out before it flickers.
        let visible = saturate(1.3 - 1.5 * fwidth(dot(vectors[i], position)));
        slope += normalize(vectors[i]) * steepness[i] * visible * cos(phase);
    }
    return normalize(vec3(-slope, 1.0));
}

