// Light on what no instance says anything of: the scene's ambient light from all sides, and none from single directions.

const N_DIRECT_LIGHTS: u32 = 0u;

struct DirectLight {
    direction_to_light: vec3<f32>,
    color: vec3<f32>,
}

fn ambient_light(point: SurfacePoint, normal: vec3<f32>) -> vec3<f32> {
    return environment.ambient_linear;
}

// As `ambient_cube.wgsl` has them.
fn light_from_around(point: SurfacePoint, normal: vec3<f32>) -> vec3<f32> {
    return environment.ambient_linear;
}

fn cube_of(point: SurfacePoint) -> u32 {
    return 0u;
}

fn arriving_light(cube: u32, index: u32) -> DirectLight {
    return DirectLight(vec3(0.0), vec3(0.0));
}
