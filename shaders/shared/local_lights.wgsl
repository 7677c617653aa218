// Light of lamps, torches and fires. Group 0 continues; twins of `light_grid::LightGridUniform` and `LocalLight`.
//
// The picture is cut into cells, columns and rows and slices by depth, each with a list of the lights that may reach it.

struct LightGrid {
    cells_per_px: vec2<f32>,
    // Slice = log2(depth) * scale + offset.
    slice_scale: f32,
    slice_offset: f32,
    n_cells: vec3<u32>,
    // 0 where no light is in view.
    n_lights: u32,
}

struct LocalLight {
    position_in_eye: vec3<f32>,
    range: f32,
    color: vec3<f32>,
    // Whether lightmaps hold it already.
    is_baked: u32,
    color_linear: vec3<f32>,
    cos_outer: f32,
    direction: vec3<f32>,
    cone_scale: f32,
}

@group(0) @binding(6) var<uniform> light_grid: LightGrid;
@group(0) @binding(7) var<storage, read> local_lights: array<LocalLight>;
// For each cell where its lights begin in this list and how many they are, those that throw shadows first and counted once
// more in the highest bits; then indices of lights.
@group(0) @binding(8) var<storage, read> light_lists: array<u32>;

// Twin of `lamp_maps::LampShadowsUniform`: the lamps that throw shadows, as indices of lights; how much of the light that
// something hides is missing, 0 for a lamp that is not there; and where the maps of each begin.
struct LampShadows {
    lights: vec4<u32>,
    strengths: vec4<f32>,
    near: vec4<f32>,
}

@group(0) @binding(10) var<uniform> lamp_shadows: LampShadows;
// Six maps for each of them: what it sees along +x, -x, +y, -y, +z and -z. Depth is reversed.
@group(0) @binding(11) var lamp_maps: texture_depth_2d_array;

override LOCAL_LIGHTS: bool = false;
// Whether some of them throw shadows.
override LAMP_SHADOWS: bool = false;
override LOCAL_LIGHTS_LINEAR: bool = false;

// Light on a surface, linear if LOCAL_LIGHTS_LINEAR, else in display space. `position_px` in the picture, `normal` of unit
// length.
fn local_light(
    position_in_eye: vec3<f32>,
    position_px: vec2<f32>,
    normal: vec3<f32>,
    has_lightmap: bool,
) -> vec3<f32> {
    if !LOCAL_LIGHTS {
        return vec3(0.0);
    }
    let cell = light_cell(position_in_eye, position_px);
    let first = light_lists[2u * cell];
    let counts = light_lists[2u * cell + 1u];
    let end = first + (counts & 0xffffffu);
    var sum = vec3(0.0);
    var shadowless = first;
    if LAMP_SHADOWS {
        shadowless += counts >> 24u;
        for (var i = first; i < shadowless; i++) {
            let lamp = light_lists[i];
            sum += lamp_share(lamp, position_in_eye, normal)
                * light_of_lamp(lamp, position_in_eye, normal, has_lightmap);
        }
    }
    for (var i = shadowless; i < end; i++) {
        sum += light_of_lamp(light_lists[i], position_in_eye, normal, has_lightmap);
    }
    return sum;
}

// What a lamp gives if nothing hides it.
fn light_of_lamp(lamp: u32, position_in_eye: vec3<f32>, normal: vec3<f32>, has_lightmap: bool) -> vec3<f32> {
    let light = local_lights[lamp];
    let to_light = light.position_in_eye - position_in_eye;
    let distance = length(to_light);
    let direction = to_light / max(distance, 1e-6);
    // As `scene::Light::share_at` has it.
    let part = distance / light.range;
    let share = max(1.0 - part * part, 0.0);
    let cone = saturate((dot(direction, -light.direction) - light.cos_outer) * light.cone_scale);
    let n_dot_l = max(dot(normal, direction), 0.0);
    let counts = select(1.0, 0.0, has_lightmap && light.is_baked != 0u);
    let color = select(light.color, light.color_linear, LOCAL_LIGHTS_LINEAR);
    return color * (share * share * cone * n_dot_l * counts);
}

// A surface is looked up this far before itself, in texels of the map, so that it does not shade itself.
const LAMP_OFFSET_TEXELS: f32 = 2.0;

// How much is left of the light of one of the lamps that throw shadows.
fn lamp_share(lamp: u32, position_in_eye: vec3<f32>, normal: vec3<f32>) -> f32 {
    let is_lamp = (lamp_shadows.lights == vec4(lamp)) & (lamp_shadows.strengths > vec4(0.0));
    var map = select(0u, 1u, is_lamp.y);
    map = select(map, 2u, is_lamp.z);
    map = select(map, 3u, is_lamp.w);
    let way = position_in_eye - local_lights[lamp].position_in_eye;
    let texel = 2.0 / f32(textureDimensions(lamp_maps).x) * length(way);
    let place = way + normal * (LAMP_OFFSET_TEXELS * texel);
    let size = abs(place);
    let largest = max(size.x, max(size.y, size.z));
    var side = select(4u, 5u, place.z < 0.0);
    var flat = place.xy;
    if largest == size.x {
        side = select(0u, 1u, place.x < 0.0);
        flat = place.yz;
    } else if largest == size.y {
        side = select(2u, 3u, place.y < 0.0);
        flat = place.xz;
    }
    let uv = vec2(0.5, -0.5) * (flat / max(largest, 1e-6)) + 0.5;
    let depth = lamp_shadows.near[map] / max(largest, 1e-6);
    let seen = textureSampleCompareLevel(lamp_maps, sun_map_sampler, uv, map * 6u + side, depth);
    return 1.0 - lamp_shadows.strengths[map] * (1.0 - seen);
}

fn light_cell(position_in_eye: vec3<f32>, position_px: vec2<f32>) -> u32 {
    let depth = dot(frame.ray_forward, position_in_eye);
    let slice = log2(max(depth, 1e-6)) * light_grid.slice_scale + light_grid.slice_offset;
    let last = light_grid.n_cells - 1u;
    let column_and_row = min(vec2<u32>(position_px * light_grid.cells_per_px), last.xy);
    let z = min(u32(max(slice, 0.0)), last.z);
    return (z * light_grid.n_cells.y + column_and_row.y) * light_grid.n_cells.x + column_and_row.x;
}
