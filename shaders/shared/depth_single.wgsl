// Depth of a picture with one sample per pixel.
@group(3) @binding(2) var behind_depth: texture_depth_2d;

fn depth_at(pixel: vec2<i32>) -> f32 {
    return textureLoad(behind_depth, pixel, 0);
}

