// The water beyond the level's edge: a frame of eight quads around the level, out to the horizon. There is
// nothing below it but the bed that it brings along, so it hides what is behind. Display space.

// Cells of a 3 x 3 grid without the middle one, and the two triangles of a cell.
const CELLS = array(
    vec2<u32>(0u, 0u), vec2<u32>(1u, 0u), vec2<u32>(2u, 0u), vec2<u32>(0u, 1u),
    vec2<u32>(2u, 1u), vec2<u32>(0u, 2u), vec2<u32>(1u, 2u), vec2<u32>(2u, 2u),
);
const CORNERS = array(
    vec2<u32>(0u, 0u), vec2<u32>(1u, 0u), vec2<u32>(1u, 1u),
    vec2<u32>(0u, 0u), vec2<u32>(1u, 1u), vec2<u32>(0u, 1u),
);

// The sea reaches at least this many times as far as the eye is above it: its end is a bit below the horizon.
const SEA_PER_HEIGHT: f32 = 24.0;

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> SurfacePoint {
    var cells = CELLS;
    var corners = CORNERS;
    let grid_point = cells[vertex / 6u] + corners[vertex % 6u];
    let camera = frame.camera_in_world.xy;
    // From high above, its end would be far below the horizon.
    let height = abs(frame.camera_in_world.z - environment.water_level);
    let reach = max(environment.sea_extent, SEA_PER_HEIGHT * height);
    var lines = array(
        min(environment.level_min, camera) - reach,
        environment.level_min,
        environment.level_max,
        max(environment.level_max, camera) + reach,
    );
    let position = vec2(lines[grid_point.x].x, lines[grid_point.y].y);
    let uv = position * environment.sea_uv_per_unit;
    let place = VertexIn(vec3(position, environment.water_level), vec3(0.0, 0.0, 1.0), uv, uv);
    return surface_point(place.position - frame.camera_in_world, place.normal, place, 0u);
}

@fragment
fn fs_main(point: SurfacePoint) -> @location(0) vec4<f32> {
    return water_pixel(point, 1.0);
}
