// Small waves of water: those of a texture of normals, or sums of sines that depend on nothing but place and time, so
// that faces of the level and the sea beyond join without a seam.

// Whether the pass's texture holds normals of waves.
override WAVE_TEXTURE: bool = false;
// Normals of a texture rise at least so much: a picture of anything else gives no endless slope.
const LEAST_RISE: f32 = 0.1;
const SHORTEST_NORMAL: f32 = 0.5;
// As much shorter than 1 a normal is that was only rounded to 8 bits a channel.
const ROUNDING: f32 = 0.01;

// Waves: 2 pi / wavelength (world units) along the direction of travel, steepness, and radians per second:
// whole tenths, so that all waves repeat together (`uniforms::WAVE_PERIOD_SECS`).
const N_WAVES: u32 = 7u;
const WAVE_VECTORS = array(
    vec2<f32>(0.21, 0.08), vec2<f32>(-0.16, 0.33), vec2<f32>(0.55, -0.37), vec2<f32>(0.41, 0.83),
    vec2<f32>(-1.35, 0.62), vec2<f32>(0.40, 2.30), vec2<f32>(-2.90, -1.70),
);
const WAVE_STEEPNESS = array(0.014, 0.018, 0.026, 0.032, 0.036, 0.032, 0.028);
const WAVE_SPEEDS = array(0.7, 0.9, 1.2, 1.5, 1.9, 2.6, 3.3);

// Crests bend: place is shifted along x and y by these waves, this far, or crests of few directions would cross in a grid.
const BENDS = array(vec2<f32>(0.031, 0.043), vec2<f32>(-0.053, 0.024), vec2<f32>(0.017, -0.011), vec2<f32>(0.013, 0.019));
const BEND_REACH: f32 = 4.5;
// How fast waves fade as they get small: those of 11 pixels are half as steep.
const WAVE_FADE: f32 = 2.25;
// Shares of the variance of all slopes that waves must have in the picture to mirror the sun each by itself: none and fully.
const SUN_SHARES: vec2<f32> = vec2<f32>(0.4, 0.85);
// Share of what slopes change by from pixel to pixel that counts as variance within a pixel.
const VARIANCE_OF_STEPS: f32 = 0.25;

// A place of the surface.
struct Waves {
    // What bends the view: waves of 22 pixels are half as steep.
    slope: vec2<f32>,
    // What the sun is mirrored in.
    slope_to_sun: vec2<f32>,
    // How much slopes vary about that within smaller waves, as the mean of the square of their length.
    variance: f32,
}

// Waves of a water pass; `scale` is that of their steepness, `position` in units of the waves of `waves_at`.
fn waves_of(point: SurfacePoint, position: vec2<f32>, scale: f32) -> Waves {
    if WAVE_TEXTURE {
        return waves_of_texture(point);
    }
    return waves_at(position, scale);
}

// A smaller mip level has means of normals, which are the shorter the more those differ.
fn waves_of_texture(point: SurfacePoint) -> Waves {
    let texel = textureSample(material_texture, material_sampler, point.uv).rgb * 2.0 - 1.0;
    let mean = clamp(length(texel), SHORTEST_NORMAL, 1.0);
    let bent = vec3(texel.xy * material.waves.x, max(texel.z, LEAST_RISE));
    let normal = texture_frame(point.position_in_eye, point.uv, vec3(0.0, 0.0, 1.0)) * bent;
    let slope = -normal.xy / normal.z;
    let shorter = max(1.0 - mean - ROUNDING, 0.0);
    let within = 2.0 * material.waves.x * material.waves.x * shorter / mean;
    return Waves(slope, slope, within + variance_of_steps(slope));
}

fn variance_of_steps(slope: vec2<f32>) -> f32 {
    let along_x = dpdx(slope);
    let along_y = dpdy(slope);
    return VARIANCE_OF_STEPS * (dot(along_x, along_x) + dot(along_y, along_y));
}

// What a water pass shows of itself, without waves.
fn own_color(point: SurfacePoint) -> vec4<f32> {
    if WAVE_TEXTURE {
        return sun_lit(vec4(1.0), point);
    }
    return lit_color(point);
}

// `position` in units of the waves, `scale` of their steepness.
fn waves_at(position: vec2<f32>, scale: f32) -> Waves {
    var vectors = WAVE_VECTORS;
    var steepness = WAVE_STEEPNESS;
    var speeds = WAVE_SPEEDS;
    var bends = BENDS;
    let bend = vec2(
        sin(dot(bends[0], position)) + sin(dot(bends[2], position)),
        sin(dot(bends[1], position)) + sin(dot(bends[3], position)),
    );
    let place = position + BEND_REACH * bend;
    var waves = Waves(vec2(0.0), vec2(0.0), 0.0);
    var variance_drawn = 0.0;
    for (var i = 0u; i < N_WAVES; i++) {
        let phase = dot(vectors[i], place);
        // A wave that is small in the picture is no longer drawn, before it flickers, but makes the surface rough.
        let step = vec2(dpdx(phase), dpdy(phase));
        let drawn = exp(-WAVE_FADE * dot(step, step));
        let steep = scale * steepness[i];
        let slope = normalize(vectors[i]) * (steep * drawn * cos(phase + speeds[i] * frame.wave_secs));
        waves.slope += slope * (drawn * drawn * drawn);
        waves.slope_to_sun += slope;
        variance_drawn += 0.5 * steep * steep * drawn * drawn;
        waves.variance += 0.5 * steep * steep;
    }
    // The few longest waves alone would mirror the sun in a grid: they fade with the others.
    let share = smoothstep(SUN_SHARES.x, SUN_SHARES.y, variance_drawn / max(waves.variance, 1e-12));
    waves.slope_to_sun *= share;
    waves.variance -= share * share * variance_drawn;
    waves.variance += variance_of_steps(waves.slope_to_sun);
    return waves;
}

// How much of the sun an eye sees in the waves, from the direction to the eye: small waves spread its image, and dim it as
// they spread it. A slope tilts the mirrored view by twice itself, along one of two axes half the time.
fn sun_in_waves(waves: Waves, to_eye: vec3<f32>, sharpness: f32) -> f32 {
    let normal = normalize(vec3(-waves.slope_to_sun, 1.0));
    let mirrored = reflect(-to_eye, normal);
    let toward_sun = max(dot(vec3(mirrored.xy, abs(mirrored.z)), environment.direction_to_sun), 0.0);
    let spread = 1.0 / (1.0 + 2.0 * waves.variance * sharpness);
    return spread * pow(toward_sun, spread * sharpness);
}
