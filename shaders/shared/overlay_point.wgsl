// What lines and fills of overlays share.

// What the alpha is multiplied by: less than 1 for the part that the level hides.
override OPACITY: f32 = 1.0;

// Overlays lie on the ground: drawn nearer by this part of their distance, they win against it.
const BIAS: f32 = 0.002;

struct OverlayPoint {
    @builtin(position) position_in_clip: vec4<f32>,
    @location(0) color: vec4<f32>,
}

fn overlay_clip_position(position_in_world: vec3<f32>) -> vec4<f32> {
    let position_in_eye = position_in_world - frame.camera_in_world;
    return frame.clip_from_eye * vec4(position_in_eye * (1.0 - BIAS), 1.0);
}

fn overlay_color(point: OverlayPoint) -> vec4<f32> {
    return vec4(point.color.rgb, point.color.a * OPACITY);
}

