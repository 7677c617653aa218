// The picture so far, copied to the target before water is drawn on it.

@group(0) @binding(0) var picture: texture_2d<f32>;

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    return vec4(picture_corner(vertex), 0.0, 1.0);
}

@fragment
fn fs_main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    return textureLoad(picture, vec2<i32>(position.xy), 0);
}
