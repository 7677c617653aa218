// One pass of a material that shows what is behind it, bent by its normals, over the faces of a mesh or of a piece of a model.
// Display space.

// Colors what is behind; laid as the normals, which are the texture of the material.
@group(2) @binding(3) var tint_texture: texture_2d<f32>;
@group(2) @binding(4) var tint_sampler: sampler;

// Pixels to each side that are mixed.
override BLUR_PX: i32 = 0;

// `row_..` step by instance: where this pane is.
@vertex
fn vs_main(
    vertex: VertexIn,
    @location(6) row_x: vec4<f32>,
    @location(7) row_y: vec4<f32>,
    @location(8) row_z: vec4<f32>,
) -> SurfacePoint {
    return placed_by(NodeMatrix(row_x, row_y, row_z), vertex.position, vertex, 0u);
}

@fragment
fn fs_main(point: SurfacePoint) -> @location(0) vec4<f32> {
    let texel = textureSample(material_texture, material_sampler, point.uv).rgb * 2.0 - 1.0;
    let tint = textureSample(tint_texture, tint_sampler, point.uv).rgb * material.diffuse.rgb;
    let pixel = point.position_in_clip.xy;
    let bent = pixel + texel.xy * material.waves.x * frame.viewport_px;
    let ahead = dot(point.position_in_eye, frame.ray_forward);
    var sum = vec3(0.0);
    for (var y = -BLUR_PX; y <= BLUR_PX; y++) {
        for (var x = -BLUR_PX; x <= BLUR_PX; x++) {
            sum += seen_at(bent + vec2(f32(x), f32(y)), pixel, ahead);
        }
    }
    let side = f32(2 * BLUR_PX + 1);
    return vec4(sum / (side * side) * tint, 1.0);
}

// What is seen at a place of the picture, or straight through the surface where that is in front of it.
fn seen_at(place: vec2<f32>, straight: vec2<f32>, ahead: f32) -> vec3<f32> {
    let shown = select(straight, place, ahead_at(place) > ahead);
    return textureSampleLevel(behind_texture, screen_sampler, shown / frame.viewport_px, 0.0).rgb;
}
