// Where the sun does not reach: a map of depths for each of several squares around the camera, each larger than the
// one before. Group 0 continues; twin of `uniforms::SunShadowUniform`.
//
// "Sun" space has its origin at the camera; z points to the sun. Depth is reversed, as everywhere: 1 nearest to the
// sun.

struct SunShadow {
    // The axes of sun space.
    right: vec3<f32>,
    depth_scale: f32,
    up: vec3<f32>,
    depth_offset: f32,
    toward: vec3<f32>,
    // Distances from the camera between which shadows fade out.
    fade_start: f32,
    // Of each map: what x and y are multiplied by and what is added to them, to reach from its edge to its edge, 0 to
    // 1; and the size of a texel in the world.
    maps: array<vec4<f32>, 4>,
    fade_end: f32,
}

@group(0) @binding(3) var<uniform> sun_shadow: SunShadow;
@group(0) @binding(4) var sun_maps: texture_depth_2d_array;
@group(0) @binding(5) var sun_map_sampler: sampler_comparison;

override SUN_SHADOWS: bool = false;

const N_SUN_MAPS: u32 = 4u;
// What is this near to the edge of a map is looked up in the next: in texels, those that are mixed.
const MAP_EDGE_TEXELS: f32 = 3.0;
// A surface is looked up this far before itself, in texels, so that it does not shade itself: along its normal where
// the sun grazes it, ...
const NORMAL_OFFSET_TEXELS: f32 = 2.2;
// ... and toward the sun.
const SUN_OFFSET_TEXELS: f32 = 0.7;

// Share of the sun's light that reaches a surface; `normal` is of unit length.
fn sun_share(position_in_eye: vec3<f32>, normal: vec3<f32>, n_dot_l: f32) -> f32 {
    if !SUN_SHADOWS {
        return 1.0;
    }
    let in_sun = vec2(dot(sun_shadow.right, position_in_eye), dot(sun_shadow.up, position_in_eye));
    // The smallest map that holds the place.
    let size = vec2<f32>(textureDimensions(sun_maps));
    let edge = 0.5 - MAP_EDGE_TEXELS / size.x;
    var map = sun_shadow.maps[N_SUN_MAPS - 1u];
    var index = N_SUN_MAPS - 1u;
    for (var i = N_SUN_MAPS - 1u; i > 0u; i--) {
        let finer = sun_shadow.maps[i - 1u];
        let from_middle = abs(in_sun * finer.x + finer.yz - 0.5);
        let is_inside = max(from_middle.x, from_middle.y) < edge;
        map = select(map, finer, is_inside);
        index = select(index, i - 1u, is_inside);
    }
    let slope = sqrt(max(1.0 - n_dot_l * n_dot_l, 0.0));
    let offset = (normal * (slope * NORMAL_OFFSET_TEXELS) + sun_shadow.toward * SUN_OFFSET_TEXELS) * map.w;
    let place = position_in_eye + offset;
    let uv = vec2(dot(sun_shadow.right, place), dot(sun_shadow.up, place)) * map.x + map.yz;
    let depth = dot(sun_shadow.toward, place) * sun_shadow.depth_scale + sun_shadow.depth_offset;
    let share = mean_of_map(vec2(uv.x, 1.0 - uv.y), index, depth, 1.0 / size);
    let distance = length(position_in_eye);
    return mix(share, 1.0, smoothstep(sun_shadow.fade_start, sun_shadow.fade_end, distance));
}

// The mean over three by three texels, those at the edge by their share: four lookups, each of which mixes four.
fn mean_of_map(uv: vec2<f32>, index: u32, depth: f32, texel: vec2<f32>) -> f32 {
    let half = 0.5 * texel;
    let sum = map_share(uv + vec2(-half.x, -half.y), index, depth)
        + map_share(uv + vec2(half.x, -half.y), index, depth)
        + map_share(uv + vec2(-half.x, half.y), index, depth)
        + map_share(uv + half, index, depth);
    return 0.25 * sum;
}

fn map_share(uv: vec2<f32>, index: u32, depth: f32) -> f32 {
    return textureSampleCompareLevel(sun_maps, sun_map_sampler, uv, index, depth);
}
