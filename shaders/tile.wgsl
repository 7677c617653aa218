// Tiles of land: facets over whole steps, ground or upright, colored by height, in the sun. Display space.
//
// An instance is a facet, drawn as a strip of four corners. Twins of `passes::tile`: Land, TilePlace.

struct Land {
    // Colors by height: red, green, blue, and the height in world units; rising.
    ramp: array<vec4<f32>, 16>,
    // Colors of the values of the property, and how much of them covers the land's own.
    property_colors: array<vec4<f32>, 32>,
    n_ramp: u32,
    n_property_colors: u32,
    color_by: u32,
    flags: u32,
    z_unit: f32,
    // What is higher is not shown.
    hidden_above: f32,
    // Which layer is shown; ALL_LAYERS for all.
    layer: u32,
}

struct TilePlace {
    corner_in_eye: vec3<f32>,
    step: f32,
}

const FLAG_SIDES: u32 = 1u;
const FLAG_GRID: u32 = 2u;
const ALL_LAYERS: u32 = 0xffffu;

const FACING_UP: u32 = 0u;
const FACING_EAST: u32 = 1u;
const FACING_WEST: u32 = 2u;
const FACING_SOUTH: u32 = 3u;

const SIDE_EAST: u32 = 1u;
const SIDE_WEST: u32 = 2u;
const SIDE_SOUTH: u32 = 4u;
const SIDE_NORTH: u32 = 8u;

// Bars along closed sides: their width in steps, and their color.
const BAR_WIDTH: f32 = 0.14;
const BAR_COLOR: vec3<f32> = vec3<f32>(0.86, 0.10, 0.07);
// Lines between steps, stronger every eight of them, over this many pixels.
const LINE_PX: f32 = 1.2;
const LINE_OPACITY: f32 = 0.16;
const COARSE_LINE_OPACITY: f32 = 0.38;
const STEPS_PER_COARSE_LINE: f32 = 8.0;
// Steps smaller than this on the screen show neither bars nor lines.
const SMALLEST_STEP_PX: f32 = 5.0;

// How far ground continues beyond its edges: pixels, and steps at most.
const OVERLAP_PX: f32 = 0.5;
const MAX_OVERLAP: f32 = 0.25;

// Bare rock shows where ground is steep, and on walls.
const ROCK_COLOR: vec3<f32> = vec3<f32>(0.60, 0.56, 0.51);
const ROCK_SHARE: f32 = 0.62;
const WALL_SHARE: f32 = 0.88;
// Cosines of slopes that begin to show rock, and that show it most.
const GRASS_COSINE: f32 = 0.90;
const ROCK_COSINE: f32 = 0.60;

// In storage, since branches and loops depend on it: Mesa's software driver compiles a shader again for each draw, and
// keeps it, where they depend on a uniform buffer (llvmpipe in Mesa 22.3, update_inline_shader_state).
@group(2) @binding(0) var<storage, read> land: Land;
@group(2) @binding(1) var<uniform> place: TilePlace;

struct FacetIn {
    // x, y, size along x, size along y, in steps.
    @location(0) place: vec4<u32>,
    @location(1) z: vec4<i32>,
    // Where it faces, open sides, layer, mark.
    @location(2) marks: vec4<u32>,
}

struct FacetPoint {
    @builtin(position) position_in_clip: vec4<f32>,
    @location(0) position_in_eye: vec3<f32>,
    // In steps from the tile's corner.
    @location(1) at: vec2<f32>,
    @location(2) @interpolate(flat) normal: vec3<f32>,
    @location(3) @interpolate(flat) marks: vec4<u32>,
}

@vertex
fn vs_main(facet: FacetIn, @builtin(vertex_index) corner: u32) -> FacetPoint {
    return facet_point(facet, corner);
}

// The same for a map of depths.
@vertex
fn vs_depth(facet: FacetIn, @builtin(vertex_index) corner: u32) -> @builtin(position) vec4<f32> {
    let position = facet_point(facet, corner).position_in_clip;
    return vec4(position.xy, min(position.z, position.w), position.w);
}

fn facet_point(facet: FacetIn, corner: u32) -> FacetPoint {
    let is_ground = facet.marks.x == FACING_UP;
    let heights = vec4<f32>(facet.z) * land.z_unit;
    let size = vec2<f32>(facet.place.zw);
    var along = vec2(f32(corner & 1u), f32(corner >> 1u));
    let at = vec2<f32>(facet.place.xy) + size * select(along.xx, along, is_ground);
    // A mirror has its eye below or above that of the frame.
    let corner_in_eye = vec3(place.corner_in_eye.xy, -frame.camera_in_world.z);
    let distance = length(corner_in_eye + vec3(at * place.step, heights[corner]));
    if is_ground {
        along = widened(along, size, distance);
    }

    var point: FacetPoint;
    point.at = vec2<f32>(facet.place.xy) + size * select(along.xx, along, is_ground);
    let z = mix(mix(heights.x, heights.y, along.x), mix(heights.z, heights.w, along.x), along.y);
    point.position_in_eye = corner_in_eye + vec3(point.at * place.step, z);
    point.position_in_clip = frame.clip_from_eye * vec4(point.position_in_eye, 1.0);
    if land.layer != ALL_LAYERS && facet.marks.z != land.layer {
        // Beyond the right edge of the picture, where nothing is drawn.
        point.position_in_clip = vec4(2.0, 0.0, 0.5, 1.0);
    }
    point.normal = select(wall_normal(facet.marks.x), ground_normal(heights, size * place.step), is_ground);
    point.marks = facet.marks;
    return point;
}

// Ground continues a little beyond its edges, half a pixel: where large facets meet small ones, corners of the small
// ones are not corners of the large one, and the sky would shine through in between.
fn widened(along: vec2<f32>, size: vec2<f32>, distance: f32) -> vec2<f32> {
    let pixel = 2.0 * length(frame.ray_up) * distance / frame.viewport_px.y;
    let margin = min(OVERLAP_PX * pixel / place.step, MAX_OVERLAP);
    return along + (along * 2.0 - 1.0) * margin / size;
}

fn ground_normal(z: vec4<f32>, size: vec2<f32>) -> vec3<f32> {
    let slope = 0.5 * vec2(z.y - z.x + z.w - z.z, z.z - z.x + z.w - z.y) / size;
    return normalize(vec3(-slope, 1.0));
}

fn wall_normal(facing: u32) -> vec3<f32> {
    switch facing {
        case FACING_EAST: { return vec3(1.0, 0.0, 0.0); }
        case FACING_WEST: { return vec3(-1.0, 0.0, 0.0); }
        case FACING_SOUTH: { return vec3(0.0, -1.0, 0.0); }
        default: { return vec3(0.0, 1.0, 0.0); }
    }
}

@fragment
fn fs_main(point: FacetPoint) -> @location(0) vec4<f32> {
    let z = shown_height(point);
    let is_ground = point.marks.x == FACING_UP;
    let steepness = 1.0 - smoothstep(ROCK_COSINE, GRASS_COSINE, point.normal.z);
    let rock_share = select(WALL_SHARE, ROCK_SHARE * steepness, is_ground);
    var color = mix(ramp_color(z), ROCK_COLOR, rock_share);
    let overlay = property_color(point.marks);
    color = mix(color, overlay.rgb, overlay.a);
    color *= light(point);
    if is_ground {
        color = with_marks(color, point);
    }
    let fog = fog_amount(point.position_in_eye);
    return vec4(mix(color, fog_color(point.position_in_eye), fog), 1.0);
}

// Steps in place of a texture: a square of the pattern is one.
@fragment
fn fs_view(point: FacetPoint) -> @location(0) vec4<f32> {
    shown_height(point);
    return view_color(point.normal, point.at / SQUARES);
}

// How high it lies in the world, if that is shown at all.
fn shown_height(point: FacetPoint) -> f32 {
    let z = point.position_in_eye.z + frame.camera_in_world.z;
    if z > land.hidden_above {
        discard;
    }
    return z;
}

fn light(point: FacetPoint) -> vec3<f32> {
    // Both sides are seen; what is seen from behind faces the other way.
    let is_behind = dot(point.normal, point.position_in_eye) > 0.0;
    let normal = select(point.normal, -point.normal, is_behind);
    let cosine = max(dot(normal, environment.direction_to_sun), 0.0);
    let n_dot_l = cosine * sun_share(point.position_in_eye, normal, cosine);
    let lamps = local_light(point.position_in_eye, point.position_in_clip.xy, normal, false);
    return min(environment.ambient + environment.sun_color * n_dot_l + lamps, vec3(1.0));
}

fn ramp_color(z: f32) -> vec3<f32> {
    var color = land.ramp[0].rgb;
    for (var i = 1u; i < land.n_ramp; i++) {
        let below = land.ramp[i - 1u].w;
        let share = saturate((z - below) / (land.ramp[i].w - below));
        color = mix(color, land.ramp[i].rgb, share);
    }
    return color;
}

fn property_color(marks: vec4<u32>) -> vec4<f32> {
    if land.n_property_colors == 0u {
        return vec4(0.0);
    }
    let value = marks[1u + land.color_by];
    return land.property_colors[min(value, land.n_property_colors - 1u)];
}

// Lines between steps and bars along their closed sides, as far as they are large enough to be seen.
fn with_marks(color: vec3<f32>, point: FacetPoint) -> vec3<f32> {
    let steps_per_px = max(fwidth(point.at), vec2(1e-6));
    let visible = saturate(1.0 / (max(steps_per_px.x, steps_per_px.y) * SMALLEST_STEP_PX) - 1.0);
    let in_step = fract(point.at);
    var marked = color;
    if (land.flags & FLAG_GRID) != 0u {
        let fine = line_coverage(point.at, steps_per_px) * visible;
        let coarse = line_coverage(point.at / STEPS_PER_COARSE_LINE, steps_per_px / STEPS_PER_COARSE_LINE);
        let coarse_visible =
            saturate(STEPS_PER_COARSE_LINE / (max(steps_per_px.x, steps_per_px.y) * SMALLEST_STEP_PX) - 1.0);
        let opacity = max(fine * LINE_OPACITY, coarse * coarse_visible * COARSE_LINE_OPACITY);
        marked = mix(marked, vec3(0.0), opacity);
    }
    if (land.flags & FLAG_SIDES) != 0u {
        let closed = ~point.marks.y;
        let is_barred = ((closed & SIDE_EAST) != 0u && in_step.x > 1.0 - BAR_WIDTH)
            || ((closed & SIDE_WEST) != 0u && in_step.x < BAR_WIDTH)
            || ((closed & SIDE_NORTH) != 0u && in_step.y > 1.0 - BAR_WIDTH)
            || ((closed & SIDE_SOUTH) != 0u && in_step.y < BAR_WIDTH);
        marked = mix(marked, BAR_COLOR, select(0.0, 0.9, is_barred) * visible);
    }
    return marked;
}

// How much of a pixel lies on a line between whole numbers, of LINE_PX pixels.
fn line_coverage(at: vec2<f32>, per_px: vec2<f32>) -> f32 {
    let distance_px = abs(fract(at + 0.5) - 0.5) / per_px;
    let coverage = saturate(0.5 * LINE_PX + 0.5 - distance_px);
    return max(coverage.x, coverage.y);
}
