// Group 1: light, sky, fog and water of the scene; colors in display space. Twin of
// `uniforms::EnvironmentUniform`.

struct Environment {
    // Unit vector from the ground toward the sun.
    direction_to_sun: vec3<f32>,
    water_level: f32,
    sun_color: vec3<f32>,
    sea_uv_per_unit: f32,
    ambient: vec3<f32>,
    // How far beyond camera and level the sea reaches, in world units.
    sea_extent: f32,
    fog_color: vec3<f32>,
    // Over this distance from the level's edge inward, water becomes like the sea beyond.
    shore_width: f32,
    sky_zenith: vec3<f32>,
    // Share of the fog's color that the densest fog takes.
    fog_density: f32,
    sky_horizon: vec3<f32>,
    sky_nadir: vec3<f32>,
    sun_disc: vec3<f32>,
    // Light of the sun and from around once more, in linear light.
    sun_color_linear: vec3<f32>,
    ambient_linear: vec3<f32>,
    level_min: vec2<f32>,
    level_max: vec2<f32>,
    // What a low sun adds to the horizon below it.
    sky_glow: vec3<f32>,
    stars: f32,
    cloud_light: vec3<f32>,
    cloud_shade: vec3<f32>,
    // Cover, opacity and 1 / size of each layer of clouds.
    cloud_layers: array<vec4<f32>, 2>,
    // How far they move a second: x and y of the first layer, then of the second.
    cloud_drift: vec4<f32>,
    sea_bed_color: vec3<f32>,
    // How far below the sea's surface its bed lies; 0 without one: the sea is opaque.
    sea_bed_depth: f32,
    // Light from the direction opposite to the sun.
    counter_color: vec3<f32>,
}

@group(1) @binding(0) var<uniform> environment: Environment;

// What fog a pipeline is made for; the numbers are those of `passes::FogKind`.
override FOG: u32 = 2u;

const FOG_NONE: u32 = 0u;
const FOG_LAYER: u32 = 2u;

// How much of the fog's color hides the surface. Without branches on a uniform buffer, for which Mesa's software driver
// would compile the vertex shader of particles again in each frame, as it would that of `tile.wgsl`.
fn fog_amount(position_in_eye: vec3<f32>) -> f32 {
    var distance = length(position_in_eye);
    if FOG == FOG_LAYER {
        distance *= share_in_fog(position_in_eye.z);
    }
    distance *= select(1.0, distance, has_flag(FLAG_SQUARED_FOG));
    let amount = saturate(distance * frame.fog_scale + frame.fog_offset);
    // Thickens evenly from nothing, and becomes all there is without an edge.
    let smoothed = amount * amount * (3.0 - 2.0 * amount);
    return select(amount, smoothed, has_flag(FLAG_HAZE | FLAG_BELOW_WATER)) * environment.fog_density;
}

// What fog hides a surface with: its own color, or as haze the sky behind the surface, so that the surface melts into it.
fn fog_color(position_in_eye: vec3<f32>) -> vec3<f32> {
    let direction = position_in_eye / max(length(position_in_eye), 1e-6);
    if has_flag_here(FLAG_BELOW_WATER, direction.x) {
        return liquid_color(direction);
    }
    if has_flag_here(FLAG_HAZE, direction.x) {
        return dome_color(direction);
    }
    return environment.fog_color;
}

// What an eye in a liquid sees in a direction: light comes from above.
fn liquid_color(direction: vec3<f32>) -> vec3<f32> {
    return environment.fog_color * (1.0 + direction.z * (0.5 + 0.2 * direction.z));
}

// The clear sky, without sun and stars: a gradient, and the glow of a low sun. `direction` is of unit length.
fn dome_color(direction: vec3<f32>) -> vec3<f32> {
    let up = sqrt(max(direction.z, 0.0));
    let above = mix(environment.sky_horizon, environment.sky_zenith, up * up * (3.0 - 2.0 * up));
    let down = saturate(-2.0 * direction.z);
    let color = mix(above, environment.sky_nadir, down * down * (3.0 - 2.0 * down));
    let toward_sun = max(dot(direction, environment.direction_to_sun), 0.0);
    let near = toward_sun * toward_sun;
    let nearer = near * near * near * near;
    // A low sun glows along the horizon, and most below itself.
    let level = saturate(1.0 - 1.5 * abs(direction.z));
    let glow = environment.sky_glow * level * level * (0.25 + 0.35 * near + 0.4 * nearer);
    return color + glow + environment.sun_disc * (WIDE_HALO * nearer);
}

// How much of the sun's own color the sky has close to it.
const WIDE_HALO: f32 = 0.14;

// How much of the straight way from the eye to a height leads through fog, which thins out evenly above a height:
// the mean of its density on the way.
fn share_in_fog(z_in_eye: f32) -> f32 {
    let low = min(z_in_eye, 0.0);
    let high = max(z_in_eye, 0.0);
    if high <= frame.fog_full_below {
        return 1.0;
    }
    let rise = high - low;
    // On a level way the difference of two sums would be all rounding.
    if rise < 1e-2 * frame.fog_thinning {
        return saturate(1.0 - (0.5 * (low + high) - frame.fog_full_below) / frame.fog_thinning);
    }
    return (fog_up_to(high) - fog_up_to(low)) / rise;
}

// The sum of the fog's density over all heights up to one, counted from where it begins to thin out.
fn fog_up_to(z_in_eye: f32) -> f32 {
    let above = z_in_eye - frame.fog_full_below;
    let thinning = clamp(above, 0.0, frame.fog_thinning);
    return min(above, 0.0) + thinning - 0.5 * thinning * thinning / frame.fog_thinning;
}

// The bed of the sea as ground that lies level in the sun.
fn sea_bed() -> vec3<f32> {
    let n_dot_l = max(environment.direction_to_sun.z, 0.0);
    return environment.sea_bed_color * min(environment.ambient + environment.sun_color * n_dot_l, vec3(1.0));
}
