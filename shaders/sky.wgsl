// The sky dome behind everything: a gradient, sun or moon, stars and clouds. Display space.

// Group 2: densities of clouds, evenly spread over 0..1, repeated without end: two fields side by side.
@group(2) @binding(0) var cloud_texture: texture_2d<f32>;
@group(2) @binding(1) var cloud_sampler: sampler;

// Only what glows is drawn: the disc of the sun, as far as clouds let it shine through.
override GLOW: bool = false;
// A glow along the horizon, and stars.
override RICH: bool = false;
override CLOUDS: bool = false;

struct SkyPoint {
    @builtin(position) position_in_clip: vec4<f32>,
    @location(0) ray: vec3<f32>,
}

// One triangle that covers the picture, at infinity.
@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> SkyPoint {
    let corner = picture_corner(vertex);
    var point: SkyPoint;
    point.position_in_clip = vec4(corner, 0.0, 1.0);
    point.ray = frame.ray_forward + corner.x * frame.ray_right + corner.y * frame.ray_up;
    return point;
}

@fragment
fn fs_main(point: SkyPoint) -> @location(0) vec4<f32> {
    let direction = normalize(point.ray);
    var color = vec3(0.0);
    if GLOW {
        // The sky around it does not.
    } else if RICH {
        color = dome_color(direction) + star_light(direction);
        let toward_sun = max(dot(direction, environment.direction_to_sun), 0.0);
        color += environment.sun_disc * 0.25 * pow(toward_sun, HALO_NARROW);
    } else {
        color = sky_gradient(direction) + sun_halo(direction);
    }
    // The horizon hides a sun that has set.
    let risen = smoothstep(-0.01, 0.01, direction.z);
    color += sun_disc(direction) * risen;
    if CLOUDS {
        color = clouded(clouded(color, direction, 0u), direction, 1u);
    }
    if GLOW {
        return vec4(color, 1.0);
    }
    if has_flag_here(FLAG_BELOW_WATER, direction.x) {
        color = mix(liquid_color(direction), color, smoothstep(0.1, 0.5, direction.z));
    }
    return vec4(color + dither(point.position_in_clip.xy), 1.0);
}

// Layers are flat: seen at this sine above the horizon they are as far as they get.
const CLOUD_HORIZON: f32 = 0.07;
// Cloud sizes that the texture covers before it repeats.
const CLOUDS_PER_TEXTURE: f32 = 4.0;
// How far toward the sun the thickness is looked at that takes its light away, in cloud sizes.
const CLOUD_LIGHT_STEP: f32 = 0.12;
// Over which part of its density a cloud's edge grows opaque.
const CLOUD_EDGE: f32 = 0.22;

// Lays a layer of clouds over a color of the sky.
fn clouded(sky: vec3<f32>, direction: vec3<f32>, layer: u32) -> vec3<f32> {
    let shape = environment.cloud_layers[layer];
    let drift = select(environment.cloud_drift.xy, environment.cloud_drift.zw, layer == 1u);
    let height = max(direction.z, 0.0) + CLOUD_HORIZON;
    let size = (direction.xy / height + drift * frame.time_secs) * shape.z;
    let density = cloud_density(size);
    let toward_sun = environment.direction_to_sun.xy * CLOUD_LIGHT_STEP;
    let shaded_by = cloud_density(size + toward_sun);
    let cover = smoothstep(1.0 - shape.x, 1.0 - shape.x + CLOUD_EDGE, density);
    let light = saturate(0.62 + 1.6 * (density - shaded_by) - 0.5 * (density - 1.0 + shape.x));
    let color = mix(environment.cloud_shade, environment.cloud_light, light);
    // Far clouds are lost in haze.
    let fade = smoothstep(0.0, 0.22, direction.z);
    return mix(sky, select(color, vec3(0.0), GLOW), cover * fade * shape.y);
}

// Large heaps with a torn edge.
fn cloud_density(size: vec2<f32>) -> f32 {
    let heaps = textureSampleLevel(cloud_texture, cloud_sampler, size / CLOUDS_PER_TEXTURE, 0.0).r;
    let torn = textureSampleLevel(cloud_texture, cloud_sampler, size * (2.7 / CLOUDS_PER_TEXTURE), 0.0).g;
    return 0.78 * heaps + 0.22 * torn;
}

// Cells along a side of the cube that stars are spread over, and the share of cells that have one.
const STAR_CELLS: f32 = 56.0;
const STAR_SHARE: f32 = 0.32;
// Radius of a star in pixels.
const STAR_PX: f32 = 1.1;

// Stars at places that never change; they rise out of the haze at the horizon.
fn star_light(direction: vec3<f32>) -> vec3<f32> {
    if !(has_flag_here(FLAG_STARS, direction.x) & (environment.stars > 0.0)) {
        return vec3(0.0);
    }
    let size = abs(direction);
    let largest = max(size.x, max(size.y, size.z));
    var face = direction.yz;
    var number = select(0, 1, direction.x < 0.0);
    if largest == size.y {
        face = direction.xz;
        number = select(2, 3, direction.y < 0.0);
    } else if largest == size.z {
        face = direction.xy;
        number = select(4, 5, direction.z < 0.0);
    }
    let at = face / largest * STAR_CELLS;
    let cell = vec2<i32>(floor(at)) + number * 4096;
    let share = lattice(cell) / STAR_SHARE;
    let place = vec2(lattice(cell + 977), lattice(cell - 1409)) * 0.8 + 0.1;
    let pixel = 2.0 * length(frame.ray_up) / frame.viewport_px.y * STAR_CELLS / largest;
    let distance_px = length(fract(at) - place) / pixel;
    let bright = select(0.0, (1.0 - share) * (1.0 - share), share < 1.0);
    let tint = mix(vec3(1.0, 0.84, 0.7), vec3(0.75, 0.86, 1.0), place.x);
    let visible = smoothstep(0.02, 0.3, direction.z) * environment.stars;
    return tint * ((0.25 + 0.75 * bright) * bright * 1.6 * visible * saturate(STAR_PX + 0.5 - distance_px));
}

// A number in 0..1 for each cell.
fn lattice(cell: vec2<i32>) -> f32 {
    var bits = bitcast<u32>(cell.x) * 0x9E3779B1u + bitcast<u32>(cell.y) * 0x85EBCA77u;
    bits = (bits ^ (bits >> 15u)) * 0xC2B2AE3Du;
    bits = (bits ^ (bits >> 13u)) * 0x27D4EB2Fu;
    return f32((bits ^ (bits >> 16u)) >> 8u) / 16777216.0;
}
