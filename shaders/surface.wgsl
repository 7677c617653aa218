// One pass of a material over the faces of a mesh: base, decal and detail. Display space.

struct VertexIn {
    @location(0) position_in_world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv_0: vec2<f32>,
    @location(3) uv_1: vec2<f32>,
}

@vertex
fn vs_main(vertex: VertexIn) -> SurfacePoint {
    let uv = select(vertex.uv_0, vertex.uv_1, UV_SET == 1u);
    return surface_point(vertex.position_in_world, vertex.normal, uv);
}

@fragment
fn fs_main(point: SurfacePoint) -> @location(0) vec4<f32> {
    return fogged(lit_color(point), point.position_in_eye);
}
