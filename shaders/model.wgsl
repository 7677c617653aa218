// One pass of a material over pieces of models, each placed by the matrix of its node. Display space.

// `node` steps by instance: which matrix places this piece.
@vertex
fn vs_main(vertex: VertexIn, @location(4) node: u32) -> SurfacePoint {
    return placed_point(vertex.position, vertex, node);
}

@vertex
fn vs_depth(@location(0) position: vec3<f32>, @location(4) node: u32) -> @builtin(position) vec4<f32> {
    return depth_position(placed_in_eye(position, node));
}

@vertex
fn vs_cutout(vertex: VertexIn, @location(4) node: u32) -> SurfacePoint {
    return depth_point(placed_point(vertex.position, vertex, node));
}

@fragment
fn fs_main(point: SurfacePoint) -> @location(0) vec4<f32> {
    fade_out(point);
    return fogged(with_coverage(lit_color(point)), point.position_in_eye);
}
