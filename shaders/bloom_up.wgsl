// Light around what glows, from a smaller picture of it, blended with a larger one or with the frame.

@group(2) @binding(0) var smaller: texture_2d<f32>;
@group(2) @binding(1) var smaller_sampler: sampler;

// Pixels of the larger picture along a side of one of the smaller.
override STEP: f32 = 2.0;
override STRENGTH: f32 = 1.0;

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    return vec4(picture_corner(vertex), 0.0, 1.0);
}

@fragment
fn fs_main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let size = vec2<f32>(textureDimensions(smaller));
    let middle = position.xy / STEP;
    let sum = textureSampleLevel(smaller, smaller_sampler, (middle + vec2(-0.5, -0.5)) / size, 0.0)
        + textureSampleLevel(smaller, smaller_sampler, (middle + vec2(0.5, -0.5)) / size, 0.0)
        + textureSampleLevel(smaller, smaller_sampler, (middle + vec2(-0.5, 0.5)) / size, 0.0)
        + textureSampleLevel(smaller, smaller_sampler, (middle + vec2(0.5, 0.5)) / size, 0.0);
    return vec4(0.25 * STRENGTH * sum.rgb, 1.0);
}
