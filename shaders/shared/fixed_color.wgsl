// Surfaces with one texture, lit by the sun or by nothing.

struct VertexIn {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv_0: vec2<f32>,
    @location(3) uv_1: vec2<f32>,
}

struct SurfacePoint {
    // Invariant, so that every pass over a triangle finds the depth that the first one left.
    @builtin(position) @invariant position_in_clip: vec4<f32>,
    @location(0) position_in_eye: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @location(5) @interpolate(flat) node: u32,
}

// `normal` in the world; `node` is the slot of a piece of a model.
fn surface_point(position_in_eye: vec3<f32>, normal: vec3<f32>, vertex: VertexIn, node: u32) -> SurfacePoint {
    let uv = select(vertex.uv_0, vertex.uv_1, UV_SET == 1u);
    var point: SurfacePoint;
    point.position_in_eye = position_in_eye;
    point.position_in_clip = frame.clip_from_eye * vec4(point.position_in_eye, 1.0);
    point.normal = normal;
    point.uv = cell_uv(uv);
    point.node = node;
    return point;
}

fn lit_color(point: SurfacePoint) -> vec4<f32> {
    return sun_lit(textureSample(material_texture, material_sampler, point.uv), point);
}
