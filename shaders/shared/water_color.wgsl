// What makes water of a surface: small waves, a mirrored sky and the sun's glint. Display space.

// Mirrored light of water looked straight at; the rest follows Schlick.
const REFLECTANCE: f32 = 0.02;
// No water is a perfect mirror to a low view: waves too small to draw turn part of it to the eye.
const LOWEST_COSINE: f32 = 0.06;
const GLINT_SHARPNESS: f32 = 110.0;

// What a pass over water shows; `sea_share` is 1 where water must hide what is below.
fn water_pixel(point: SurfacePoint, sea_share: f32) -> vec4<f32> {
    let color = water_color(over_bed(own_color(point), sea_share), point);
    return fogged(color, point.position_in_eye);
}

// The water's own lit color over the bed of the sea, of which this share is there; without a bed water is opaque there.
fn over_bed(color: vec4<f32>, share: f32) -> vec4<f32> {
    let bed_share = share * (1.0 - color.a);
    let alpha = color.a + bed_share;
    let over = vec4((color.rgb * color.a + sea_bed() * bed_share) / max(alpha, 1e-4), alpha);
    return select(over, vec4(color.rgb, max(color.a, share)), environment.sea_bed_depth == 0.0);
}

fn water_color(color: vec4<f32>, point: SurfacePoint) -> vec4<f32> {
    let alpha = color.a;
    if !MIRRORS || !has_flag_here(FLAG_WATER_REFLECTION, point.position_in_eye.x) {
        return vec4(color.rgb, alpha);
    }
    let position = point.position_in_eye.xy + frame.camera_in_world.xy;
    let to_eye = -point.position_in_eye / max(length(point.position_in_eye), 1e-6);
    // Seen from below, the same waves hang from the ceiling.
    let side = select(-1.0, 1.0, to_eye.z >= 0.0);
    let waves = waves_of(point, position, 1.0);
    let normal = normalize(vec3(-waves.slope, 1.0)) * side;
    let cosine = clamp(dot(normal, to_eye), LOWEST_COSINE, 1.0);
    let mirrored_part = REFLECTANCE + (1.0 - REFLECTANCE) * pow(1.0 - cosine, 5.0);
    var mirrored_direction = reflect(-to_eye, normal);
    mirrored_direction.z = abs(mirrored_direction.z);
    mirrored_direction = normalize(mirrored_direction);
    let glint = environment.sun_disc * sun_in_waves(waves, to_eye, GLINT_SHARPNESS);
    let mirrored = sky_gradient(mirrored_direction) + sun_halo(mirrored_direction);

    // The mirror lies over the colored water, which lies over what is below.
    let alpha_out = 1.0 - (1.0 - mirrored_part) * (1.0 - alpha);
    let premultiplied = mirrored * mirrored_part + color.rgb * alpha * (1.0 - mirrored_part);
    return vec4(min(premultiplied / max(alpha_out, 1e-4) + glint, vec3(1.0)), alpha_out);
}
