// One pass of a material over the faces of a mesh: base, decal and detail. Display space.

@vertex
fn vs_main(vertex: VertexIn) -> SurfacePoint {
    return surface_point(vertex.position - frame.camera_in_world, vertex.normal, vertex, 0u);
}

@fragment
fn fs_main(point: SurfacePoint) -> @location(0) vec4<f32> {
    return fogged(lit_color(point), point.position_in_eye);
}
