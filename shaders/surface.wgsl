// One pass of a material over the faces of a mesh: base, decal and detail. Display space.

@vertex
fn vs_main(vertex: VertexIn) -> SurfacePoint {
    return mesh_point(vertex);
}

@vertex
fn vs_depth(@location(0) position: vec3<f32>) -> @builtin(position) vec4<f32> {
    return depth_position(position - frame.camera_in_world);
}

@vertex
fn vs_cutout(vertex: VertexIn) -> SurfacePoint {
    return depth_point(mesh_point(vertex));
}

@fragment
fn fs_main(point: SurfacePoint) -> @location(0) vec4<f32> {
    return fogged(with_coverage(lit_color(point)), point.position_in_eye);
}

fn mesh_point(vertex: VertexIn) -> SurfacePoint {
    return surface_point(vertex.position - frame.camera_in_world, vertex.normal, vertex, 0u);
}
