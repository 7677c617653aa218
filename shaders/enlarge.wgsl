// A picture enlarged to the target: bicubic (Catmull-Rom), so that edges stay sharper than between the four nearest
// pixels alone; within the range of those four, so that no edge has a halo. Display space.

@group(2) @binding(0) var picture: texture_2d<f32>;
@group(2) @binding(1) var picture_sampler: sampler;

struct Enlarged {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> Enlarged {
    let corner = picture_corner(vertex);
    return Enlarged(vec4(corner, 0.0, 1.0), vec2(0.5 + 0.5 * corner.x, 0.5 - 0.5 * corner.y));
}

@fragment
fn fs_main(enlarged: Enlarged) -> @location(0) vec4<f32> {
    let size = vec2<f32>(textureDimensions(picture));
    let place = enlarged.uv * size - 0.5;
    let first = floor(place);
    let t = place - first;
    let before = t * (-0.5 + t * (1.0 - 0.5 * t));
    let after = t * t * (-0.5 + 0.5 * t);
    let near = 1.0 + t * t * (-2.5 + 1.5 * t);
    let far = t * (0.5 + t * (2.0 - 1.5 * t));
    // The two in the middle in one sample between them.
    let middle = near + far;
    let at_before = (first - 0.5) / size;
    let at_middle = (first + 0.5 + far / middle) / size;
    let at_after = (first + 2.5) / size;
    // Without the corners, whose weights are next to nothing.
    var sum = vec4(at(at_middle), 1.0) * (middle.x * middle.y);
    sum += vec4(at(vec2(at_before.x, at_middle.y)), 1.0) * (before.x * middle.y);
    sum += vec4(at(vec2(at_after.x, at_middle.y)), 1.0) * (after.x * middle.y);
    sum += vec4(at(vec2(at_middle.x, at_before.y)), 1.0) * (middle.x * before.y);
    sum += vec4(at(vec2(at_middle.x, at_after.y)), 1.0) * (middle.x * after.y);
    let a = nearest(first);
    let b = nearest(first + vec2(1.0, 0.0));
    let c = nearest(first + vec2(0.0, 1.0));
    let d = nearest(first + vec2(1.0, 1.0));
    let least = min(min(a, b), min(c, d));
    let most = max(max(a, b), max(c, d));
    return vec4(clamp(sum.rgb / sum.a, least, most), 1.0);
}

fn at(uv: vec2<f32>) -> vec3<f32> {
    return textureSampleLevel(picture, picture_sampler, uv, 0.0).rgb;
}

fn nearest(place: vec2<f32>) -> vec3<f32> {
    let last = vec2<i32>(textureDimensions(picture)) - 1;
    return textureLoad(picture, clamp(vec2<i32>(place), vec2(0), last), 0).rgb;
}
