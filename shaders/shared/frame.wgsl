// Group 0: what changes from frame to frame. Twin of `uniforms::FrameUniform`.
//
// "Eye" space has the world's axes (right-handed, +Z up) and its origin at the camera, which keeps small
// things steady far from the world's origin. Depth is reversed: 1 at the near plane, 0 at infinity.

struct Frame {
    clip_from_eye: mat4x4<f32>,
    camera_in_world: vec3<f32>,
    time_secs: f32,
    // The ray through (x, y) of clip space is ray_forward + x * ray_right + y * ray_up; not of unit length.
    ray_forward: vec3<f32>,
    // Fog amount = distance in fog, or its square, * fog_scale + fog_offset; both 0 without fog.
    fog_scale: f32,
    ray_right: vec3<f32>,
    fog_offset: f32,
    ray_up: vec3<f32>,
    flags: u32,
    viewport_px: vec2<f32>,
    // time_secs within the waves' period.
    wave_secs: f32,
    // Multiplies linear light before the picture shows it.
    exposure: f32,
    // The height above the eye at which fog begins to thin out, and over how much height it does.
    fog_full_below: f32,
    fog_thinning: f32,
    // How far around a surface things keep light from it, in world units.
    occlusion_radius: f32,
    // In maps of depths: large where what is in front of the near end is left out, else 0.
    cut_off: f32,
}

const FLAG_WATER_REFLECTION: u32 = 1u;
const FLAG_SEA: u32 = 2u;
const FLAG_STORED_LIGHT: u32 = 8u;
const FLAG_HAZE: u32 = 32u;
const FLAG_BELOW_WATER: u32 = 64u;
const FLAG_SQUARED_FOG: u32 = 128u;
const FLAG_DETAIL: u32 = 256u;
const FLAG_STARS: u32 = 512u;
// Exposure follows the picture, and all that is drawn follows exposure.
const FLAG_ADAPTS: u32 = 1024u;
const FLAG_RIPPLES: u32 = 2048u;

@group(0) @binding(0) var<uniform> frame: Frame;

fn has_flag(flag: u32) -> bool {
    return (frame.flags & flag) != 0u;
}

// As `has_flag`, for branches.
fn has_flag_here(flag: u32, number: f32) -> bool {
    return per_pixel(has_flag(flag), number);
}

// A condition of a branch that also takes a finite number of the pixel, and is no less true for it. Where a branch or a
// loop depends on uniform buffers alone, Mesa's software driver may compile the shader again for each draw.
fn per_pixel(condition: bool, number: f32) -> bool {
    return condition & (number > -3.0e38);
}
