// Color of the sky in a direction, display space. The dome and what mirrors it share it.

// Cosines of the angles at which the sun's disc ends and begins to fade.
const SUN_EDGE: f32 = 0.99965;
const SUN_CORE: f32 = 0.99980;
const HALO_WIDE: f32 = 10.0;
const HALO_NARROW: f32 = 240.0;

// `direction` is of unit length.
fn sky_gradient(direction: vec3<f32>) -> vec3<f32> {
    // Level at the horizon, so that fogged land joins without an edge, and steep soon after.
    let above = smoothstep(0.0, 1.0, pow(max(direction.z, 0.0), 0.6));
    let below = smoothstep(0.0, 0.5, -direction.z);
    let upper = mix(environment.sky_horizon, environment.sky_zenith, above);
    return mix(upper, environment.sky_nadir, below);
}

// Light around the sun; added to what is behind.
fn sun_halo(direction: vec3<f32>) -> vec3<f32> {
    let toward_sun = max(dot(direction, environment.direction_to_sun), 0.0);
    let halo = 0.10 * pow(toward_sun, HALO_WIDE) + 0.25 * pow(toward_sun, HALO_NARROW);
    return environment.sun_disc * halo;
}

fn sun_disc(direction: vec3<f32>) -> vec3<f32> {
    let toward_sun = dot(direction, environment.direction_to_sun);
    return environment.sun_disc * smoothstep(SUN_EDGE, SUN_CORE, toward_sun);
}

