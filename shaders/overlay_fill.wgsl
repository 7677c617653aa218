// Filled triangles of debug layers and of the highlight, over the level. Display space, no light, no fog.

struct VertexIn {
    @location(0) position_in_world: vec3<f32>,
    @location(1) color: vec4<f32>,
}

@vertex
fn vs_main(vertex: VertexIn) -> OverlayPoint {
    var point: OverlayPoint;
    point.position_in_clip = overlay_clip_position(vertex.position_in_world);
    point.color = vertex.color;
    return point;
}

@fragment
fn fs_main(point: OverlayPoint) -> @location(0) vec4<f32> {
    return overlay_color(point);
}
