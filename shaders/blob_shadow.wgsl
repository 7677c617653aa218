// Round shadows below models: boxes that hang from their lowest points; what the picture shows in one is darkened as far
// as it faces up. Multiplies the picture. Display space.

// An instance; twin of `blob_shadows::BlobVertex`.
struct BlobIn {
    @location(0) foot_in_eye: vec3<f32>,
    @location(1) radius: f32,
}

struct BlobPoint {
    @builtin(position) position_in_clip: vec4<f32>,
    @location(0) @interpolate(flat) foot_in_eye: vec3<f32>,
    @location(1) @interpolate(flat) radius: f32,
}

// How dark the middle is.
const STRENGTH: f32 = 0.55;
// How far below its model a shadow reaches, and how far above its foot, since ground rises and feet sink in; in radii.
const REACH: f32 = 3.0;
const RISE: f32 = 1.0;
// Cosines of slopes that begin to be darkened, and that are darkened fully.
const STEEP: f32 = 0.2;
const FLAT: f32 = 0.6;

// The corners of a cube as one strip of triangles, a bit for each corner.
const STRIP_X: u32 = 0x287au;
const STRIP_Y: u32 = 0x02afu;
const STRIP_Z: u32 = 0x31e3u;

@vertex
fn vs_main(blob: BlobIn, @builtin(vertex_index) vertex: u32) -> BlobPoint {
    let corner = vec3<f32>((vec3(STRIP_X, STRIP_Y, STRIP_Z) >> vec3(vertex)) & vec3(1u));
    let lowest = vec3(-1.0, -1.0, -REACH);
    let highest = vec3(1.0, 1.0, RISE);
    var point: BlobPoint;
    let position_in_eye = blob.foot_in_eye + blob.radius * mix(lowest, highest, corner);
    point.position_in_clip = frame.clip_from_eye * vec4(position_in_eye, 1.0);
    point.foot_in_eye = blob.foot_in_eye;
    point.radius = blob.radius;
    return point;
}

@fragment
fn fs_main(point: BlobPoint) -> @location(0) vec4<f32> {
    let pixel = vec2<i32>(point.position_in_clip.xy);
    let place = place_in_eye(pixel, view_depth(pixel));
    let slope = normal_at(pixel, place).z;
    let from_foot = (place - point.foot_in_eye) / point.radius;
    let edge = saturate(1.0 - dot(from_foot.xy, from_foot.xy));
    let below = saturate(1.0 + from_foot.z / REACH) * saturate(2.0 * (RISE - from_foot.z) / RISE);
    let clear = 1.0 - fog_amount(place);
    let share = STRENGTH * edge * edge * below * smoothstep(STEEP, FLAT, slope) * clear;
    return vec4(vec3(1.0 - share), 1.0);
}
