// Group 1: light, sky, fog and water of the scene; colours in display space. Twin of
// `uniforms::EnvironmentUniform`.

struct Environment {
    // Unit vector from the ground towards the sun.
    direction_to_sun: vec3<f32>,
    water_level: f32,
    sun_color: vec3<f32>,
    sea_uv_per_unit: f32,
    ambient: vec3<f32>,
    // How far beyond camera and level the sea reaches, in world units.
    sea_extent: f32,
    fog_color: vec3<f32>,
    // Over this distance from the level's edge inwards, water grows opaque like the sea beyond.
    shore_width: f32,
    sky_zenith: vec3<f32>,
    // Share of the fog's colour that the densest fog takes.
    fog_density: f32,
    sky_horizon: vec3<f32>,
    sky_nadir: vec3<f32>,
    sun_disc: vec3<f32>,
    level_min: vec2<f32>,
    level_max: vec2<f32>,
}

@group(1) @binding(0) var<uniform> environment: Environment;


// How much of the fog's colour hides what is there.
fn fog_amount(position_in_eye: vec3<f32>) -> f32 {
    let distance = length(position_in_eye);
    return saturate(distance * frame.fog_scale + frame.fog_offset) * environment.fog_density;
}
