// Noise within one step of an 8-bit channel: without it, wide gradients show bands.
fn dither(position_px: vec2<f32>) -> f32 {
    let noise = fract(52.9829189 * fract(dot(position_px, vec2(0.06711056, 0.00583715))));
    return (noise - 0.5) / 255.0;
}

