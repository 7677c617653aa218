// A side of a box at infinity, behind everything. Display space, or linear light that is toned.

// Group 2; twin of `uniforms::SkyFaceUniform`.
struct SkyFace {
    // From the eye to the middle of the face, from there to its right edge and to its lower one; each of unit length.
    ahead: vec3<f32>,
    flags: u32,
    right: vec3<f32>,
    down: vec3<f32>,
    // Without a picture; display space.
    color: vec3<f32>,
    uv_scale: vec2<f32>,
}

const FACE_PICTURE: u32 = 1u;
const FACE_LINEAR: u32 = 2u;

@group(2) @binding(0) var<uniform> sky_face: SkyFace;
@group(2) @binding(1) var face_texture: texture_2d<f32>;
@group(2) @binding(2) var face_sampler: sampler;

struct SkyPoint {
    @builtin(position) position_in_clip: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

const CORNERS = array(
    vec2<f32>(0.0, 0.0), vec2<f32>(0.0, 1.0), vec2<f32>(1.0, 1.0),
    vec2<f32>(0.0, 0.0), vec2<f32>(1.0, 1.0), vec2<f32>(1.0, 0.0),
);

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> SkyPoint {
    var corners = CORNERS;
    let corner = corners[vertex];
    let right_and_down = corner * 2.0 - 1.0;
    let ray = sky_face.ahead + right_and_down.x * sky_face.right + right_and_down.y * sky_face.down;
    var point: SkyPoint;
    // A direction, and no place. Its depth is that of infinity, also where depth is not measured from the eye.
    let in_clip = frame.clip_from_eye * vec4(ray, 0.0);
    point.position_in_clip = vec4(in_clip.xy, 0.0, in_clip.w);
    point.uv = corner * sky_face.uv_scale;
    return point;
}

@fragment
fn fs_main(point: SkyPoint) -> @location(0) vec4<f32> {
    let texel = textureSample(face_texture, face_sampler, inset(point.uv));
    let color = select(sky_face.color, texel.rgb, (sky_face.flags & FACE_PICTURE) != 0u);
    let is_linear = (sky_face.flags & FACE_LINEAR) != 0u;
    return vec4(select(exposed(color, point.uv.x), toned(texel.rgb), is_linear), 1.0);
}

// From the middle of the first texel to the middle of the last: faces repeat the texels of their neighbors' edges.
fn inset(uv: vec2<f32>) -> vec2<f32> {
    let half_texel = 0.5 / vec2<f32>(textureDimensions(face_texture));
    return mix(half_texel, 1.0 - half_texel, saturate(uv));
}
