// Lines of debug layers and of the highlight, of equal width on the screen. Display space, no light, no fog.

struct LineIn {
    @location(0) start_in_world: vec3<f32>,
    @location(1) start_color: vec4<f32>,
    @location(2) end_in_world: vec3<f32>,
    @location(3) end_color: vec4<f32>,
}

const WIDTH_PX: f32 = 1.8;

// Along the line 0 or 1, across it -1 or 1.
const CORNERS = array(
    vec2<f32>(0.0, -1.0), vec2<f32>(1.0, -1.0), vec2<f32>(1.0, 1.0),
    vec2<f32>(0.0, -1.0), vec2<f32>(1.0, 1.0), vec2<f32>(0.0, 1.0),
);

@vertex
fn vs_main(line: LineIn, @builtin(vertex_index) vertex: u32) -> OverlayPoint {
    let start = overlay_clip_position(line.start_in_world);
    let end = overlay_clip_position(line.end_in_world);
    // The direction on the screen up to its sign, without dividing by a w that is 0 beside the eye.
    let along_px = (end.xy * start.w - start.xy * end.w) * frame.viewport_px;
    let across = vec2(-along_px.y, along_px.x) / max(length(along_px), 1e-20) * WIDTH_PX / frame.viewport_px;

    var corners = CORNERS;
    let corner = corners[vertex];
    var point: OverlayPoint;
    point.position_in_clip = mix(start, end, corner.x);
    point.position_in_clip += vec4(across * corner.y * point.position_in_clip.w, 0.0, 0.0);
    point.color = mix(line.start_color, line.end_color, corner.x);
    return point;
}

@fragment
fn fs_main(point: OverlayPoint) -> @location(0) vec4<f32> {
    return overlay_color(point);
}
