// A level's own sky behind everything: a picture, a dome of colored rings over it, clouds, sun and moon. Display space.

struct SkyPoint {
    @builtin(position) position_in_clip: vec4<f32>,
    @location(0) ray: vec3<f32>,
}

// One triangle that covers the picture, at infinity.
@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> SkyPoint {
    let corner = picture_corner(vertex);
    var point: SkyPoint;
    point.position_in_clip = vec4(corner, 0.0, 1.0);
    point.ray = frame.ray_forward + corner.x * frame.ray_right + corner.y * frame.ray_up;
    return point;
}

@fragment
fn fs_main(point: SkyPoint) -> @location(0) vec4<f32> {
    let direction = normalize(point.ray);
    // Below the eye the sky continues as it is at its rim, for cameras beyond the edge of a level.
    let above = normalize(vec3(direction.xy, max(direction.z, 1e-4)));
    let rings = ring_color(above);
    let horizon = horizon_color(above);

    let backdrop_place = on_dome(above, painted_sky.backdrop.sinks);
    let backdrop_uv = backdrop_place.xy * painted_sky.backdrop.repeats;
    let backdrop = textureSample(backdrop_texture, repeating_sampler, backdrop_uv);
    let cloud_place = on_dome(above, painted_sky.clouds.sinks);
    let cloud_uv = cloud_place.xy * painted_sky.clouds.repeats;
    let clouds = textureSample(cloud_texture, repeating_sampler, cloud_uv);

    var color = painted_sky.ambient;
    let backdrop_fog = picture_fog(painted_sky.backdrop, backdrop_place);
    color = mix(color, mix(backdrop.rgb, horizon, backdrop_fog), backdrop.a * painted_sky.backdrop_share);
    color = mix(color, rings.rgb, rings.a);
    let cloud_fog = picture_fog(painted_sky.clouds, cloud_place);
    let cloud_color = mix(clouds.rgb * painted_sky.cloud_color, horizon, cloud_fog);
    color = mix(color, cloud_color, clouds.a * painted_sky.cloud_share);
    for (var body = 0u; body < N_BODIES; body++) {
        let shown = body_color(body, direction);
        // The land hides what has set, also where a level has no land.
        let risen = smoothstep(-0.01, 0.01, direction.z);
        color = mix(color, color * (1.0 - shown.a) + shown.rgb, risen);
    }
    return vec4(color + dither(point.position_in_clip.xy), 1.0);
}

const HALF_PI: f32 = 1.5707963;
const N_RINGS: f32 = 5.0;
const N_BODIES: u32 = 2u;

// The color of the dome in a direction above the horizon: even between its rings, and between quarter turns.
fn ring_color(direction: vec3<f32>) -> vec4<f32> {
    let place = on_dome(direction, 0.0);
    let angle = acos(clamp(place.z + painted_sky.center_below, -1.0, 1.0));
    let ring = clamp(angle / painted_sky.span_rad * N_RINGS, 0.0, N_RINGS);
    // The first ring has the color of the apex, the last that of the horizon.
    var color = painted_sky.apex;
    for (var i = 0u; i < 3u; i++) {
        color = mix(color, compass_color(i, direction), saturate(ring - 1.0 - f32(i)));
    }
    return color;
}

fn horizon_color(direction: vec3<f32>) -> vec3<f32> {
    return compass_color(2u, direction).rgb;
}

// The color of a ring in a direction; its colors are those at quarter turns from +y toward +x.
fn compass_color(ring: u32, direction: vec3<f32>) -> vec4<f32> {
    let quarter = atan2(direction.x, direction.y) / HALF_PI + 4.0;
    let before = u32(quarter) % 4u;
    let after = (before + 1u) % 4u;
    let first = 4u * ring;
    return mix(painted_sky.rings[first + before], painted_sky.rings[first + after], fract(quarter));
}

// Where a direction meets the dome, or one that hangs lower; radii from the eye.
fn on_dome(direction: vec3<f32>, sinks: f32) -> vec3<f32> {
    let below = painted_sky.center_below + sinks;
    let along = direction.z * below;
    return direction * (sqrt(along * along + 1.0 - below * below) - along);
}

// How much of the horizon's color a picture has at a place of its dome.
fn picture_fog(picture: SkyPicture, place: vec3<f32>) -> f32 {
    return saturate(dot(place, place) * picture.fog_scale + picture.fog_offset);
}

// The picture of a body, with its sides along those of the frame; premultiplied. Nothing branches here: drivers compile a
// shader again for each value of a uniform that a loop branches by.
fn body_color(index: u32, direction: vec3<f32>) -> vec4<f32> {
    let body = painted_sky.bodies[index];
    let ahead = dot(body.direction, frame.ray_forward);
    let toward = dot(direction, frame.ray_forward);
    let is_ahead = (index < painted_sky.n_bodies) & (ahead > 0.0) & (toward > 0.0);
    let off = direction * (ahead / select(1.0, toward, is_ahead)) - body.direction;
    let along = vec2(dot(off, normalize(frame.ray_right)), -dot(off, normalize(frame.ray_up)));
    let place = along / painted_sky.body_half_size;
    let is_inside = is_ahead & (max(abs(place.x), abs(place.y)) < 1.0);
    let texel = sprite_texel(body.layer, body.corners, 0.5 + 0.5 * place);
    return select(vec4(0.0), texel, is_inside);
}
