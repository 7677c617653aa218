// Light from around a piece of a model, and from single directions. Twins of `uniforms::CubeOfNode` and `GpuDirectLight`.

const N_DIRECT_LIGHTS: u32 = 4u;

struct DirectLight {
    // Of unit length, or nothing with a color of nothing.
    direction_to_light: vec3<f32>,
    // Index into the light styles.
    style: u32,
    color: vec3<f32>,
}

struct AmbientCube {
    // +x, -x, +y, -y, +z, -z; linear, and how much of the scene's ambient light is added.
    sides: array<vec4<f32>, 6>,
    direct: array<DirectLight, N_DIRECT_LIGHTS>,
}

// Group 3: one for each node, or one for all.
@group(3) @binding(1) var<storage, read> ambient_cubes: array<AmbientCube>;

fn cube_of(point: SurfacePoint) -> u32 {
    return min(point.node & SLOT_MASK, arrayLength(&ambient_cubes) - 1u);
}

fn ambient_light(point: SurfacePoint, normal: vec3<f32>) -> vec3<f32> {
    return light_from_around(point, normal) + direct_light(cube_of(point), normal);
}

// Of each axis the side that the normal points to, times the square of the normal's share of that axis.
fn light_from_around(point: SurfacePoint, normal: vec3<f32>) -> vec3<f32> {
    let cube = cube_of(point);
    let squares = normal * normal;
    let is_negative = vec3<u32>(normal < vec3(0.0));
    let x = ambient_cubes[cube].sides[is_negative.x];
    let y = ambient_cubes[cube].sides[2u + is_negative.y];
    let z = ambient_cubes[cube].sides[4u + is_negative.z];
    let light = x * squares.x + y * squares.y + z * squares.z;
    return light.rgb + light.a * environment.ambient_linear;
}

fn direct_light(cube: u32, normal: vec3<f32>) -> vec3<f32> {
    var sum = vec3(0.0);
    for (var i = 0u; i < N_DIRECT_LIGHTS; i++) {
        let light = ambient_cubes[cube].direct[i];
        sum += light.color * (style_factor(light) * max(dot(normal, light.direction_to_light), 0.0));
    }
    return sum;
}

// One of the lights from single directions, as bright as its style has it now.
fn arriving_light(cube: u32, index: u32) -> DirectLight {
    var light = ambient_cubes[cube].direct[index];
    light.color *= style_factor(light);
    return light;
}

fn style_factor(light: DirectLight) -> f32 {
    return styles.factors[light.style / 4u][light.style % 4u];
}
