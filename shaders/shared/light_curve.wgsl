// From display-space values to linear light and back (sRGB).

fn linear_from_display(display: vec3<f32>) -> vec3<f32> {
    let low = display / 12.92;
    let high = pow((max(display, vec3(0.0)) + 0.055) / 1.055, vec3(2.4));
    return select(high, low, display <= vec3(0.04045));
}

fn display_from_linear(linear: vec3<f32>) -> vec3<f32> {
    let low = linear * 12.92;
    let high = 1.055 * pow(max(linear, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055;
    return select(high, low, linear <= vec3(0.0031308));
}
