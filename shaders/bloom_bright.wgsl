// A smaller picture of what is bright in a frame: the mean of four by four pixels of it, darker the darker it is.

@group(2) @binding(0) var larger: texture_2d<f32>;
@group(2) @binding(1) var larger_sampler: sampler;

// Pixels of the larger picture along a side of one of the smaller.
override STEP: f32 = 4.0;

const EXPONENT: f32 = 2.2;

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    return vec4(picture_corner(vertex), 0.0, 1.0);
}

@fragment
fn fs_main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let size = vec2<f32>(textureDimensions(larger));
    let middle = position.xy * STEP;
    let sum = bright((middle + vec2(-1.0, -1.0)) / size)
        + bright((middle + vec2(1.0, -1.0)) / size)
        + bright((middle + vec2(-1.0, 1.0)) / size)
        + bright((middle + vec2(1.0, 1.0)) / size);
    return vec4(0.25 * sum, 1.0);
}

fn bright(place: vec2<f32>) -> vec3<f32> {
    let color = textureSampleLevel(larger, larger_sampler, place, 0.0).rgb;
    let luminance = dot(color, vec3(0.3, 0.59, 0.11));
    return color * pow(luminance, EXPONENT);
}
