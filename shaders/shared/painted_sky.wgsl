// Group 2: a level's own sky at an hour; colors in display space. Twin of `uniforms::PaintedSkyUniform`.

struct PaintedSky {
    // Straight up: color, and how much it hides.
    apex: vec4<f32>,
    // Second and third ring, and horizon: four colors each.
    rings: array<vec4<f32>, 12>,
    cloud_color: vec3<f32>,
    // Angle from apex to rim as seen from the center of the dome's sphere, and how far that is below the eye, in radii.
    span_rad: f32,
    ambient: vec3<f32>,
    center_below: f32,
    body_half_size: vec2<f32>,
    n_bodies: u32,
    // How strong the flare is, and where it comes from.
    flare: f32,
    direction_to_flare: vec3<f32>,
    n_spots: u32,
    // How much there is of each picture: 1, or 0 without one.
    backdrop_share: f32,
    cloud_share: f32,
    padding_0: u32,
    padding_1: u32,
    backdrop: SkyPicture,
    clouds: SkyPicture,
    bodies: array<SkyBody, 2>,
    spots: array<FlareSpot, 16>,
}

struct SkyPicture {
    repeats: f32,
    sinks: f32,
    // Amount of fog = square of the distance in radii * fog_scale + fog_offset.
    fog_scale: f32,
    fog_offset: f32,
}

struct SkyBody {
    direction: vec3<f32>,
    layer: u32,
    // The smallest u and v, and the largest.
    corners: vec4<f32>,
}

struct FlareSpot {
    color: vec4<f32>,
    corners: vec4<f32>,
    place: f32,
    half_size: f32,
    layer: u32,
    padding: u32,
}

@group(2) @binding(0) var<uniform> painted_sky: PaintedSky;
@group(2) @binding(1) var sprite_texture: texture_2d_array<f32>;
@group(2) @binding(2) var sprite_sampler: sampler;
@group(2) @binding(3) var backdrop_texture: texture_2d<f32>;
@group(2) @binding(4) var cloud_texture: texture_2d<f32>;
@group(2) @binding(5) var repeating_sampler: sampler;

// A texel of a sprite, premultiplied by its alpha; `place` is from 0 to 1 in it.
fn sprite_texel(layer: u32, corners: vec4<f32>, place: vec2<f32>) -> vec4<f32> {
    let uv = mix(corners.xy, corners.zw, place);
    return textureSampleLevel(sprite_texture, sprite_sampler, uv, layer, 0.0);
}
