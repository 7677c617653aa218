// Spots of light in the lens, along the line from a body in the sky through the middle of the picture; added to all that
// is drawn before. Display space.

struct SpotPoint {
    @builtin(position) position_in_clip: vec4<f32>,
    @location(0) place: vec2<f32>,
    @location(1) @interpolate(flat) spot: u32,
}

// A strip of four corners for each spot.
@vertex
fn vs_main(@builtin(vertex_index) vertex: u32, @builtin(instance_index) spot: u32) -> SpotPoint {
    let corner = vec2(f32(vertex & 1u), f32(vertex >> 1u));
    let body = frame.clip_from_eye * vec4(painted_sky.direction_to_flare, 0.0);
    let shape = painted_sky.spots[spot];
    let aspect = frame.viewport_px.x / frame.viewport_px.y;
    let half_size = shape.half_size * vec2(1.0, aspect);
    let center = body.xy / max(body.w, 1e-4) * shape.place;
    var point: SpotPoint;
    let in_picture = center + (2.0 * corner - 1.0) * vec2(1.0, -1.0) * half_size;
    point.position_in_clip = vec4(in_picture, 0.0, 1.0);
    point.place = corner;
    point.spot = spot;
    return point;
}

@fragment
fn fs_main(point: SpotPoint) -> @location(0) vec4<f32> {
    let spot = painted_sky.spots[point.spot];
    let texel = sprite_texel(spot.layer, spot.corners, point.place);
    return vec4(texel.rgb * spot.color.rgb * spot.color.a * painted_sky.flare, 1.0);
}
