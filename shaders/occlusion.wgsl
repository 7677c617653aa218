// Ambient occlusion: how much of the light from around a place reaches it past what the picture shows close by. Half the
// size of the picture; green is the logarithm of the depth, for what smooths and enlarges it.

// In a spiral around each pixel, turned otherwise for each of four by four neighbors.
const N_SAMPLES: u32 = 8u;
// Directions from one sample to the next: the golden angle.
const TURN: mat2x2<f32> = mat2x2<f32>(-0.73736888, 0.67549029, -0.67549029, -0.73736888);
// Sine of the slope over which a neighbor must rise to take light away: flat facets meet at small angles.
const LEAST_RISE: f32 = 0.12;
const STRENGTH: f32 = 2.0;
// Most of the picture's height that the radius takes.
const LARGEST_RADIUS: f32 = 0.08;
// How much darker a place may become.
const LEAST_SHARE: f32 = 0.35;

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    return vec4(picture_corner(vertex), 0.0, 1.0);
}

@fragment
fn fs_main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let texel = vec2<i32>(position.xy);
    let pixel = texel * OCCLUSION_STEP;
    let depth = view_depth(pixel);
    if depth >= occlusion_end() {
        return vec4(1.0, log2(min(depth, 1e9)), 0.0, 0.0);
    }
    let place = place_in_eye(pixel, depth);
    let normal = normal_at(pixel, place);
    let px = min(radius_px() / depth, LARGEST_RADIUS * frame.viewport_px.y);
    let reach = px * depth / radius_px() * frame.occlusion_radius;
    var direction = pattern_direction(texel) * px;
    var taken = 0.0;
    for (var i = 0u; i < N_SAMPLES; i++) {
        let part = (f32(i) + 0.5) / f32(N_SAMPLES);
        let neighbor = pixel + vec2<i32>(round(direction * part));
        let way = place_in_eye(neighbor, view_depth(neighbor)) - place;
        let distance_sq = dot(way, way);
        let rise = dot(way, normal) * inverseSqrt(max(distance_sq, 1e-20));
        let near = saturate(1.0 - distance_sq / (reach * reach));
        taken += max(rise - LEAST_RISE, 0.0) * near;
        direction = TURN * direction;
    }
    let share = max(1.0 - STRENGTH * taken / f32(N_SAMPLES), LEAST_SHARE);
    return vec4(share, log2(depth), 0.0, 0.0);
}

// A direction of unit length for each of four by four pixels, so that neighbors fill each other's gaps.
fn pattern_direction(texel: vec2<i32>) -> vec2<f32> {
    let at = vec2<u32>(texel) & vec2(3u);
    let number = ((at.x + 4u * at.y) * 7u) & 15u;
    let angle = f32(number) * (6.2831853 / 16.0);
    return vec2(cos(angle), sin(angle));
}
