// The sky dome behind everything: a gradient, the sun and, on request, clouds. Display space.

struct SkyPoint {
    @builtin(position) position_in_clip: vec4<f32>,
    @location(0) ray: vec3<f32>,
}

// One triangle that covers the picture, at infinity.
@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> SkyPoint {
    let corner = vec2(f32((vertex << 1u) & 2u), f32(vertex & 2u)) * 2.0 - 1.0;
    var point: SkyPoint;
    point.position_in_clip = vec4(corner, 0.0, 1.0);
    point.ray = frame.ray_forward + corner.x * frame.ray_right + corner.y * frame.ray_up;
    return point;
}

@fragment
fn fs_main(point: SkyPoint) -> @location(0) vec4<f32> {
    let direction = normalize(point.ray);
    var color = sky_gradient(direction) + sun_halo(direction);
    // The horizon hides a sun that has set.
    let risen = smoothstep(-0.01, 0.01, direction.z);
    color += sun_disc(direction) * risen;
    if has_flag(FLAG_CLOUDS) {
        color = clouded(color, direction);
    }
    return vec4(color + dither(point.position_in_clip.xy), 1.0);
}

const CLOUD_OCTAVES: u32 = 5u;
const CLOUD_SIZE: f32 = 0.9;
const CLOUD_DRIFT_PER_SEC: vec2<f32> = vec2(0.006, 0.003);

// Lays a flat layer of clouds over a color of the sky.
fn clouded(sky: vec3<f32>, direction: vec3<f32>) -> vec3<f32> {
    let height = max(direction.z, 0.0) + 0.08;
    let position = direction.xy / height / CLOUD_SIZE + CLOUD_DRIFT_PER_SEC * frame.time_secs;
    let density = smoothstep(0.48, 0.85, cloud_noise(position));
    let fade = smoothstep(0.02, 0.25, direction.z);
    let lit = mix(environment.sky_horizon, vec3(1.0), 0.7);
    return mix(sky, lit, density * fade * 0.8);
}

fn cloud_noise(position: vec2<f32>) -> f32 {
    var sum = 0.0;
    var weight = 0.5;
    var point = position;
    for (var i = 0u; i < CLOUD_OCTAVES; i++) {
        sum += weight * value_noise(point);
        weight *= 0.5;
        // Turned as it shrinks, so that no grid shows.
        point = mat2x2(1.6, 1.2, -1.2, 1.6) * point;
    }
    return sum;
}

fn value_noise(position: vec2<f32>) -> f32 {
    let cell = vec2<i32>(floor(position));
    let inside = fract(position);
    let eased = inside * inside * (3.0 - 2.0 * inside);
    let low = mix(lattice(cell), lattice(cell + vec2(1, 0)), eased.x);
    let high = mix(lattice(cell + vec2(0, 1)), lattice(cell + vec2(1, 1)), eased.x);
    return mix(low, high, eased.y);
}

// A number in 0..1 for each cell.
fn lattice(cell: vec2<i32>) -> f32 {
    var bits = bitcast<u32>(cell.x) * 0x9E3779B1u + bitcast<u32>(cell.y) * 0x85EBCA77u;
    bits = (bits ^ (bits >> 15u)) * 0xC2B2AE3Du;
    bits = (bits ^ (bits >> 13u)) * 0x27D4EB2Fu;
    return f32((bits ^ (bits >> 16u)) >> 8u) / 16777216.0;
}
