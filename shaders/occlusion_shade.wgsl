// Multiplies the picture by ambient occlusion: from the four nearest of its pixels those on the same surface. What fog
// or haze hides is not darkened. Display space.

@group(2) @binding(0) var occlusion: texture_2d<f32>;

// How far apart in depth the same surface may be, as a share of it.
const TOLERANCE: f32 = 0.06;

// As deep as ambient occlusion reaches: what is farther away is not drawn on.
@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    let depth = frame.clip_from_eye[3].z / occlusion_end();
    return vec4(picture_corner(vertex), min(depth, 1.0), 1.0);
}

@fragment
fn fs_main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<i32>(position.xy);
    let depth = view_depth(pixel);
    let own = log2(depth);
    let texel = pixel / OCCLUSION_STEP;
    let part = vec2<f32>(pixel - texel * OCCLUSION_STEP) / f32(OCCLUSION_STEP);
    // A little of each, for where none is on the surface.
    var sum = vec2(0.0);
    sum += weighted(texel, own) * ((1.0 - part.x) * (1.0 - part.y) + 1e-3);
    sum += weighted(texel + vec2(1, 0), own) * (part.x * (1.0 - part.y) + 1e-3);
    sum += weighted(texel + vec2(0, 1), own) * ((1.0 - part.x) * part.y + 1e-3);
    sum += weighted(texel + vec2(1, 1), own) * (part.x * part.y + 1e-3);
    let share = sum.x / sum.y;
    let fades = smoothstep(SMALLEST_RADIUS_PX, FULL_RADIUS_PX, radius_px() / depth);
    let clear = fades * (1.0 - fog_amount(place_in_eye(pixel, depth)));
    return vec4(vec3(mix(1.0, share, clear)), 1.0);
}

fn weighted(texel: vec2<i32>, own: f32) -> vec2<f32> {
    let last = vec2<i32>(textureDimensions(occlusion)) - 1;
    let found = textureLoad(occlusion, min(texel, last), 0).rg;
    let weight = saturate(1.0 - abs(found.g - own) / TOLERANCE) + 1e-3;
    return vec2(found.r, 1.0) * weight;
}
