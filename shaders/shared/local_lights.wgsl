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
// For each cell where its lights begin in this list and how many they are; then indices of lights.
@group(0) @binding(8) var<storage, read> light_lists: array<u32>;

override LOCAL_LIGHTS: bool = false;
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
    let end = first + light_lists[2u * cell + 1u];
    var sum = vec3(0.0);
    for (var i = first; i < end; i++) {
        let light = local_lights[light_lists[i]];
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
        sum += color * (share * share * cone * n_dot_l * counts);
    }
    return sum;
}

fn light_cell(position_in_eye: vec3<f32>, position_px: vec2<f32>) -> u32 {
    let depth = dot(frame.ray_forward, position_in_eye);
    let slice = log2(max(depth, 1e-6)) * light_grid.slice_scale + light_grid.slice_offset;
    let last = light_grid.n_cells - 1u;
    let column_and_row = min(vec2<u32>(position_px * light_grid.cells_per_px), last.xy);
    let z = min(u32(max(slice, 0.0)), last.z);
    return (z * light_grid.n_cells.y + column_and_row.y) * light_grid.n_cells.x + column_and_row.x;
}
