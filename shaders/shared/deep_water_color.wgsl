// Deep water: what is above is mirrored in it and what is below seen through it, the less the deeper it lies.
// Display space.

// Group 3: the picture so far and its depth, and what is above each level of water as seen from below it. Twin of
// `uniforms::MirrorsUniform`.
struct Mirrors {
    // Heights of the mirrors in the world, of those that are not there as far up as numbers go.
    heights: vec2<f32>,
}

@group(3) @binding(0) var<uniform> mirrors: Mirrors;
@group(3) @binding(1) var behind_texture: texture_2d<f32>;
@group(3) @binding(3) var mirror_textures: texture_2d_array<f32>;
@group(3) @binding(4) var screen_sampler: sampler;

// Mirrored light of water looked straight at; the rest follows Schlick.
const REFLECTANCE: f32 = 0.02;
// No water is a perfect mirror to a low view: waves too small to draw turn part of it to the eye.
const LOWEST_COSINE: f32 = 0.10;
const GLINT_SHARPNESS: f32 = 360.0;
const GLINT: f32 = 0.7;
// How far waves bend the view: shares of the picture's height per slope, at a distance of one wave unit.
const BEND: f32 = 0.55;
const MOST_BEND: f32 = 0.05;
// Nearly all is hidden at `clarity`: the natural logarithm of 1 / 0.05.
const EXTINCTION: f32 = 3.0;
// Parts of the clarity over which a shore grows from dry to wet, seen along the view.
const SHORE: f32 = 0.05;
// Of water over air: what is refracted beyond this cosine, seen from below, is a mirror.
const CRITICAL_COSINE: f32 = 0.66;
// A mirror is used for surfaces this near to its height.
const MIRROR_TOLERANCE: f32 = 0.02;
const FARTHEST: f32 = 1e6;

// Whether the liquid is drawn as the mirror that it is in the style of its world.
override SHEET: bool = false;

struct View {
    // Length of the view through the liquid, world units.
    thickness: f32,
    color: vec3<f32>,
}

// `sea_share` is 1 where water must hide what is below.
fn water_pixel(point: SurfacePoint, sea_share: f32) -> vec4<f32> {
    if SHEET {
        return sheet_pixel(point);
    }
    let distance = max(length(point.position_in_eye), 1e-4);
    let to_eye = -point.position_in_eye / distance;
    let is_above = to_eye.z >= 0.0;
    let at = (point.position_in_eye.xy + frame.camera_in_world.xy) * material.waves.y;
    let waves = waves_of(point, at, material.waves.x);
    let slope = waves.slope;
    let normal = normalize(vec3(-slope, 1.0)) * select(-1.0, 1.0, is_above);
    let cosine = clamp(dot(normal, to_eye), LOWEST_COSINE, 1.0);

    let pixel = point.position_in_clip.xy;
    let bend = screen_bend(slope, distance);
    let deep = material.liquid_color * liquid_light(point.normal);
    let seen = view_through(pixel, bend, point.position_in_eye, distance);
    if !is_above {
        // Through the window of refraction the world above, beyond it the deep.
        let window = smoothstep(CRITICAL_COSINE - 0.08, CRITICAL_COSINE + 0.08, cosine);
        return vec4(fogged(vec4(mix(deep, seen.color, window), 1.0), point.position_in_eye).rgb, 1.0);
    }
    let below = mix(through_liquid(seen, deep), sea_below(deep, to_eye.z), sea_share);
    let direction = reflect(-to_eye, normal);
    let mirrored_part = saturate(material.reflectance * (REFLECTANCE + (1.0 - REFLECTANCE) * pow(1.0 - cosine, 5.0)));
    var color = mix(below, mirrored(pixel, bend, point.position_in_eye.z, direction), mirrored_part);
    color += environment.sun_disc * (GLINT * sun_in_waves(waves, to_eye, GLINT_SHARPNESS));
    let wet = max(saturate(seen.thickness / (SHORE * material.clarity)), sea_share);
    color = mix(seen.color, fogged(vec4(color, 1.0), point.position_in_eye).rgb, wet);
    return vec4(color, 1.0);
}

// A mirror and nothing else; from below it is not there.
fn sheet_pixel(point: SurfacePoint) -> vec4<f32> {
    let pixel = point.position_in_clip.xy;
    if point.position_in_eye.z > 0.0 {
        let behind = textureSampleLevel(behind_texture, screen_sampler, pixel / frame.viewport_px, 0.0);
        return vec4(behind.rgb, 1.0);
    }
    let direction = normalize(point.position_in_eye * vec3(1.0, 1.0, -1.0));
    // Chosen without branches: software drivers compile a shader again for each value that one depends on.
    let ripples = has_flag(FLAG_RIPPLES);
    let shown = select(pixel, rippled_pixel(point.position_in_eye), ripples);
    let color = mirrored(shown, vec2(0.0), point.position_in_eye.z, direction);
    let lit = fogged(vec4(color * sun_lit(vec4(1.0), point).rgb, 1.0), point.position_in_eye).rgb;
    return vec4(select(color, lit, ripples), 1.0);
}

// Where in the picture is what ripples show at a place of the sheet.
fn rippled_pixel(position_in_eye: vec3<f32>) -> vec2<f32> {
    let sides = material.sheet.zw - material.sheet.xy;
    let at = (position_in_eye.xy + frame.camera_in_world.xy - material.sheet.xy) / sides;
    // Counted from the far corner, and against the axes of the world.
    let share = 1.0 - at.yx;
    let turns = 2.0 * (material.ripples.x * (share.x + share.y) + 2.0 * fract(material.ripples_per_sec * frame.time_secs));
    let angle = 6.2831853 * fract(turns);
    let moved = material.ripples.y * vec2(cos(angle), sin(angle));
    let shown = position_in_eye - vec3(moved.yx * sides, 0.0);
    let clip = frame.clip_from_eye * vec4(shown, 1.0);
    let place = clip.xy / max(clip.w, 1e-4);
    return (vec2(0.5) + vec2(0.5, -0.5) * place) * frame.viewport_px;
}

// What is left of a view through the liquid.
fn through_liquid(seen: View, deep: vec3<f32>) -> vec3<f32> {
    return mix(deep, seen.color, exp(-EXTINCTION * seen.thickness / material.clarity * absorption()));
}

// What is below the surface of the sea, seen by an eye in a direction that rises this steeply.
fn sea_below(deep: vec3<f32>, rise: f32) -> vec3<f32> {
    let thickness = min(environment.sea_bed_depth / max(rise, 1e-4), FARTHEST);
    let seen = through_liquid(View(thickness, sea_bed()), deep);
    return select(seen, deep, environment.sea_bed_depth == 0.0);
}

// Light on the liquid, as on any surface.
fn liquid_light(normal: vec3<f32>) -> vec3<f32> {
    if LIGHTING == LIGHTING_UNLIT {
        return vec3(1.0);
    }
    let n_dot_l = max(dot(normal, environment.direction_to_sun), 0.0);
    return min(environment.ambient + environment.sun_color * n_dot_l, vec3(1.0));
}

// How fast each channel is lost: that which the liquid itself has goes farthest.
fn absorption() -> vec3<f32> {
    let largest = max(max(material.liquid_color.r, material.liquid_color.g), max(material.liquid_color.b, 1e-3));
    return 1.35 - 0.6 * material.liquid_color / largest;
}

// Where waves turn the view to, in shares of the picture.
fn screen_bend(slope: vec2<f32>, distance: f32) -> vec2<f32> {
    let right = normalize(frame.ray_right.xy + vec2(1e-6, 0.0));
    let ahead = vec2(-right.y, right.x);
    let amount = BEND / max(distance * material.waves.y, 1.0);
    let bend = vec2(dot(slope, right), -dot(slope, ahead)) * amount;
    return clamp(bend, vec2(-MOST_BEND), vec2(MOST_BEND));
}

// What is seen through the surface.
fn view_through(pixel: vec2<f32>, bend: vec2<f32>, position_in_eye: vec3<f32>, distance: f32) -> View {
    let ahead = dot(position_in_eye, frame.ray_forward);
    let per_ahead = distance / max(ahead, 1e-6);
    let straight = (ahead_at(pixel) - ahead) * per_ahead;
    // Waves bend little where the ground is near below them.
    let bent_pixel = pixel + bend * saturate(straight * material.waves.y) * frame.viewport_px;
    let bent = (ahead_at(bent_pixel) - ahead) * per_ahead;
    // What is in front of the water is not seen through it.
    let is_behind = bent > 0.0;
    let shown = select(pixel, bent_pixel, is_behind);
    let color = textureSampleLevel(behind_texture, screen_sampler, shown / frame.viewport_px, 0.0).rgb;
    return View(clamp(select(straight, bent, is_behind), 0.0, FARTHEST), color);
}

// How far ahead of the eye lies what is drawn at a pixel.
fn ahead_at(pixel: vec2<f32>) -> f32 {
    let at = clamp(pixel, vec2(0.0), frame.viewport_px - 1.0);
    // Depth is the near plane's distance over this.
    return min(frame.clip_from_eye[3].z / max(depth_at(vec2<i32>(at)), 1e-12), FARTHEST);
}

// What is seen in the surface: the mirror of its height, or the clear sky.
fn mirrored(pixel: vec2<f32>, bend: vec2<f32>, z_in_eye: f32, direction: vec3<f32>) -> vec3<f32> {
    let z = z_in_eye + frame.camera_in_world.z;
    let is_of = abs(mirrors.heights - z) < vec2(MIRROR_TOLERANCE);
    if !any(is_of) {
        return dome_color(normalize(vec3(direction.xy, abs(direction.z) + 1e-3)));
    }
    let at = pixel / frame.viewport_px;
    let flipped = vec2(at.x, 1.0 - at.y) + vec2(bend.x, -bend.y);
    return textureSampleLevel(mirror_textures, screen_sampler, flipped, select(1, 0, is_of.x), 0.0).rgb;
}
