// One pass of a material over the water faces of a mesh. Display space.

@vertex
fn vs_main(vertex: VertexIn) -> SurfacePoint {
    return surface_point(vertex.position - frame.camera_in_world, vertex.normal, vertex, 0u);
}

@fragment
fn fs_main(point: SurfacePoint) -> @location(0) vec4<f32> {
    let at_edge = share_of_sea(point.position_in_eye.xy + frame.camera_in_world.xy);
    return water_pixel(point, select(0.0, at_edge, has_flag(FLAG_SEA)));
}

// 1 at the level's edge, where the sea takes over, 0 further inside.
fn share_of_sea(position: vec2<f32>) -> f32 {
    let inside = min(position - environment.level_min, environment.level_max - position);
    return 1.0 - smoothstep(0.0, environment.shore_width, min(inside.x, inside.y));
}
