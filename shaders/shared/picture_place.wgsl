// Where what the picture shows is. Goes with one of `depth_single.wgsl` and `depth_samples.wgsl`, behind `frame.wgsl`.

// Depths of what is seen at a pixel: that along the line of sight.
fn view_depth(pixel: vec2<i32>) -> f32 {
    let last = vec2<i32>(frame.viewport_px) - 1;
    let near = frame.clip_from_eye[3].z;
    return near / max(depth_at(clamp(pixel, vec2(0), last)), 1e-20);
}

// The place in eye space at a depth behind the middle of a pixel.
fn place_in_eye(pixel: vec2<i32>, depth: f32) -> vec3<f32> {
    let at = (vec2<f32>(pixel) + 0.5) / frame.viewport_px * 2.0 - 1.0;
    return (frame.ray_forward + at.x * frame.ray_right - at.y * frame.ray_up) * depth;
}

// The normal of what is seen there, toward the eye: from the neighbors that are nearer in depth, so that edges do not bend it.
fn normal_at(pixel: vec2<i32>, place: vec3<f32>) -> vec3<f32> {
    let x = nearer_step(pixel, vec2(1, 0), place);
    let y = nearer_step(pixel, vec2(0, 1), place);
    let across = cross(x, y);
    let normal = across / max(length(across), 1e-20);
    return select(normal, -normal, dot(normal, place) > 0.0);
}

fn nearer_step(pixel: vec2<i32>, step: vec2<i32>, place: vec3<f32>) -> vec3<f32> {
    let ahead = place_in_eye(pixel + step, view_depth(pixel + step)) - place;
    let back = place - place_in_eye(pixel - step, view_depth(pixel - step));
    return select(ahead, back, dot(back, back) < dot(ahead, ahead));
}

// The depth from which on ambient occlusion is not seen, since its radius is a few pixels there, and how large the
// radius is at a depth of 1, in pixels.
fn occlusion_end() -> f32 {
    return radius_px() / SMALLEST_RADIUS_PX;
}

fn radius_px() -> f32 {
    return frame.occlusion_radius * 0.5 * frame.viewport_px.y / length(frame.ray_up);
}

// Ambient occlusion fades out between these radii.
const SMALLEST_RADIUS_PX: f32 = 3.0;
const FULL_RADIUS_PX: f32 = 9.0;

// Pixels of the picture along a side of a pixel of ambient occlusion.
const OCCLUSION_STEP: i32 = 2;

