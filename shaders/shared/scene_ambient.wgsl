// Light from around where no instance says anything of it: the scene's ambient light from all sides.
fn ambient_light(point: SurfacePoint, normal: vec3<f32>) -> vec3<f32> {
    return environment.ambient_linear;
}
