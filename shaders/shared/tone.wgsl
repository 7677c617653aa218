// Linear light as the picture shows it: what is brighter than white stays white.
fn toned(light: vec3<f32>) -> vec3<f32> {
    return display_from_linear(clamp(light * frame.exposure, vec3(0.0), vec3(1.0)));
}
