// A picture in a part of the target of the same size, pixel by pixel. The viewport is that part.

@group(2) @binding(0) var picture: texture_2d<f32>;

struct Placed {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> Placed {
    let corner = picture_corner(vertex);
    return Placed(vec4(corner, 0.0, 1.0), vec2(0.5 + 0.5 * corner.x, 0.5 - 0.5 * corner.y));
}

@fragment
fn fs_main(placed: Placed) -> @location(0) vec4<f32> {
    let size = vec2<f32>(textureDimensions(picture));
    return vec4(textureLoad(picture, vec2<i32>(placed.uv * size), 0).rgb, 1.0);
}
