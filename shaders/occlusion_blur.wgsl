// Smooths ambient occlusion in one direction over the four pixels of its pattern, as far as they lie on one surface.

@group(2) @binding(0) var occlusion: texture_2d<f32>;

override ALONG_Y: bool = false;

// How far from what the slope of the surface says a depth may be, as a share of it.
const TOLERANCE: f32 = 0.03;

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    return vec4(picture_corner(vertex), 0.0, 1.0);
}

@fragment
fn fs_main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let texel = vec2<i32>(position.xy);
    let last = vec2<i32>(textureDimensions(occlusion)) - 1;
    let step = select(vec2(1, 0), vec2(0, 1), ALONG_Y);
    let here = textureLoad(occlusion, texel, 0).rg;
    let back = textureLoad(occlusion, max(texel - step, vec2(0)), 0).rg;
    let ahead = textureLoad(occlusion, min(texel + step, last), 0).rg;
    let far_back = textureLoad(occlusion, max(texel - 2 * step, vec2(0)), 0).rg;
    let far_ahead = textureLoad(occlusion, min(texel + 2 * step, last), 0).rg;
    let rises = vec2(here.g - back.g, ahead.g - here.g);
    let slope = select(rises.y, rises.x, abs(rises.x) < abs(rises.y));
    // The outermost two are the same place of the pattern.
    var sum = vec2(here.r, 1.0);
    sum += weighted(back, here.g - slope);
    sum += weighted(ahead, here.g + slope);
    sum += 0.5 * weighted(far_back, here.g - 2.0 * slope);
    sum += 0.5 * weighted(far_ahead, here.g + 2.0 * slope);
    return vec4(sum.x / sum.y, here.g, 0.0, 0.0);
}

fn weighted(neighbor: vec2<f32>, expected: f32) -> vec2<f32> {
    let weight = saturate(1.0 - abs(neighbor.g - expected) / TOLERANCE);
    return vec2(neighbor.r, 1.0) * weight;
}
