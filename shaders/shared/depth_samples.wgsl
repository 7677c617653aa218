// Depth of a picture with several samples per pixel: that of the first.
@group(3) @binding(2) var behind_depth: texture_depth_multisampled_2d;

fn depth_at(pixel: vec2<i32>) -> f32 {
    return textureLoad(behind_depth, pixel, 0);
}

