// Light from around a piece of a model. Twin of `uniforms::CubeOfNode`.

// +x, -x, +y, -y, +z, -z; linear, and how much of the scene's ambient light is added.
struct AmbientCube {
    sides: array<vec4<f32>, 6>,
}

// Group 3: one for each node, or one for all.
@group(3) @binding(1) var<storage, read> ambient_cubes: array<AmbientCube>;

// Of each axis the side that the normal points to, times the square of the normal's share of that axis.
fn ambient_light(point: SurfacePoint, normal: vec3<f32>) -> vec3<f32> {
    let cube = min(point.node, arrayLength(&ambient_cubes) - 1u);
    let squares = normal * normal;
    let is_negative = vec3<u32>(normal < vec3(0.0));
    let x = ambient_cubes[cube].sides[is_negative.x];
    let y = ambient_cubes[cube].sides[2u + is_negative.y];
    let z = ambient_cubes[cube].sides[4u + is_negative.z];
    let light = x * squares.x + y * squares.y + z * squares.z;
    return light.rgb + light.a * environment.ambient_linear;
}
