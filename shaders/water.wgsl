// One pass of a material over the water faces of a mesh. Display space.

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
    var opacity_floor = 0.0;
    if has_flag(FLAG_SEA) {
        opacity_floor = shore_opacity(point.position_in_eye.xy + frame.camera_in_world.xy);
    }
    let color = water_color(lit_color(point), point.position_in_eye, opacity_floor);
    return fogged(color, point.position_in_eye);
}

// 1 at the level's edge, where the opaque sea takes over, 0 further inside.
fn shore_opacity(position: vec2<f32>) -> f32 {
    let inside = min(position - environment.level_min, environment.level_max - position);
    return 1.0 - smoothstep(0.0, environment.shore_width, min(inside.x, inside.y));
}
