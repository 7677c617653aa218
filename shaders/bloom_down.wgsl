// A smaller picture of what glows: the mean of four by four pixels of the larger one.

@group(2) @binding(0) var larger: texture_2d<f32>;
@group(2) @binding(1) var larger_sampler: sampler;

// Pixels of the larger picture along a side of one of the smaller.
override STEP: f32 = 2.0;

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    return vec4(picture_corner(vertex), 0.0, 1.0);
}

@fragment
fn fs_main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let size = vec2<f32>(textureDimensions(larger));
    let middle = position.xy * STEP;
    // Between four pixels each.
    let sum = textureSampleLevel(larger, larger_sampler, (middle + vec2(-1.0, -1.0)) / size, 0.0)
        + textureSampleLevel(larger, larger_sampler, (middle + vec2(1.0, -1.0)) / size, 0.0)
        + textureSampleLevel(larger, larger_sampler, (middle + vec2(-1.0, 1.0)) / size, 0.0)
        + textureSampleLevel(larger, larger_sampler, (middle + vec2(1.0, 1.0)) / size, 0.0);
    return vec4(0.25 * sum.rgb, 1.0);
}
